"""Events and rulings in a player's language."""

from collections.abc import Mapping
from typing import Any

from league.core.game import Game
from league.core.orders import Ruling
from league.reports import render


class Words:
    """Words one game's facts; `names` maps seats to display names (default: the seat itself)."""

    def __init__(self, game: Game[Any, Any], lang: str, names: Mapping[str, str] | None = None) -> None:
        self._game, self._lang, self._names = game, lang, names or {}

    def _who(self, seat: str) -> str:
        return self._names.get(seat, seat)

    def event(self, facts: Mapping[str, Any]) -> str:
        """One sentence for an event's facts."""
        return render.word_event(self._game.meta.slug, facts, self._lang, self._game.label, self._who)

    def reason(self, ruling: Ruling) -> str:
        """Why an order had its fate."""
        return render.word_reason(
            self._game.meta.slug, ruling.reason, ruling.rule, ruling.facts, self._lang, self._game.label, self._who
        )
