"""Random legal orders, for tests and demonstrations."""

from typing import TYPE_CHECKING

from league.core.evidence import RandomSource

if TYPE_CHECKING:
    from league_dots.game import Dots, State


def random_orders(game: "Dots", state: "State", seat: str, dice: RandomSource, lang: str = "en") -> str:
    """A mail's text: one of the free dots."""
    free = [dot for dot in game.dots if dot not in state.owner]
    word = {"de": "nimm", "en": "claim", "nl": "neem"}[lang]
    return f"{word} {free[dice.below(len(free), f'bot {seat}')]}\n" if free else ""
