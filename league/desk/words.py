"""Events and rulings in a player's language."""

from collections.abc import Mapping
from typing import Any

from league.core.game import Game
from league.reports.context import SiteInfo
from league.reports.words import HOUSE, Say


def say(game: Game[Any, Any], lang: str, names: Mapping[str, str] | None = None, site: SiteInfo = HOUSE) -> Say:
    """The words of one game in one language; `names` maps seats to display names (default: the seat itself)."""
    known = names or {}
    return Say(lang, game.label, lambda seat: known.get(seat, seat), game.meta.slug, site)
