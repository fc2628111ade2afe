"""EUROPA as the tests use it: the game, worlds to work on, and matches of bots."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from league.core.game import Outcome, Seat, Turn
from league.core.orders import OrderMail
from league.desk import registry
from league.games.europa.bots import diplomat_orders, random_orders
from league.games.europa.game import Europa
from league.games.europa.orders import Order
from league.games.europa.state import State
from league.games.europa.world import World
from league.randomness.dice import Dice

SATURDAY = date(2024, 1, 6)
BOTS: Mapping[str, Callable[..., str]] = {"random": random_orders, "diplomat": diplomat_orders}


def europa(**options: str | int) -> Europa:
    """The game with a league's options."""
    found = registry.load("europa", registry.check_options(registry.plugin("europa").meta, options))
    assert isinstance(found, Europa)
    return found


GAME = europa()


def dice(match: str, number: int = 1) -> Dice:
    """Dice of a draw that is always the same."""
    return Dice("europa " + match, number, "lotto", SATURDAY, "3 9 17 25 31 48")


def position(**changes: Any) -> dict[str, Any]:
    """Three players before a placement, with what differs."""
    players = {
        "Anna": {"political": 60, "pawns": 6},
        "Ben": {"political": 50, "pawns": 5},
        "Carla": {"political": 40, "pawns": 4},
    }
    return {"epoch": 1, "phase": "PLACE1", "players": players, "track": ["germany", "france", "italy"], **changes}


def world(**changes: Any) -> World:
    """A working copy of such a position."""
    return World.of(GAME.board, GAME.options, dice("world"), GAME.restore(position(**changes)))


def mail(seat: str, text: str) -> OrderMail[Order]:
    """A seat's mail, read."""
    return OrderMail(seat, GAME.parse(GAME.restore(position()), seat, text))


@dataclass(frozen=True)
class Step:
    """A deadline of a match: what was before, what was sent, what came of it."""

    before: State
    turn: Turn[Order]
    outcome: Outcome[State]


@dataclass
class Match:
    """A match of bots, deadline by deadline."""

    name: str
    bots: Sequence[str]
    game: Europa = GAME
    lang: str = "en"
    steps: list[Step] = field(default_factory=list)

    def play(self) -> Iterator[Step]:
        """To its end."""
        seats = [f"s{number}" for number in range(1, len(self.bots) + 1)]
        state, number = self.game.setup([Seat(seat, seat) for seat in seats]), 0
        while self.game.phase(state) is not None:
            number += 1
            texts = {
                seat: BOTS[bot](self.game, state, seat, dice(f"{self.name} {seat}", number), self.lang)
                for seat, bot in zip(seats, self.bots, strict=True)
                if bot != "silent"
            }
            mails = tuple(OrderMail(seat, self.game.parse(state, seat, text)) for seat, text in texts.items())
            turn = Turn(mails=mails, dice=dice(self.name, number))
            step = Step(state, turn, self.game.adjudicate(state, turn))
            yield step
            state = step.outcome.state
