"""What a league lets its players write to each other: fixed with the season, beside the game's own options."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from league.core.errors import BadInput
from league.core.json import JsonDict

OFF, PUBLIC, PRIVATE, ALL = MODES = ("off", "public", "private", "all")
NAMES = ("press", "press_anonymous", "press_limit")
LIMIT, MOST = 20, 200


@dataclass(frozen=True, slots=True)
class Policy:
    """`mode`: nobody, only to everyone, only to single players, or both; `limit` messages a round."""

    mode: str = ALL
    anonymous: bool = False
    limit: int = LIMIT

    def facts(self) -> JsonDict:
        """As the calendar keeps it."""
        return {"mode": self.mode, "anonymous": self.anonymous, "limit": self.limit}


def split_off(options: Mapping[str, object]) -> tuple[dict[str, object], Policy]:
    """The options that are the game's, and what the others say about press; `BadInput` for what can't be meant."""
    mode = str(options.get("press", ALL))
    anonymous = str(options.get("press_anonymous", "off"))
    limit = str(options.get("press_limit", LIMIT))
    if mode not in MODES:
        raise BadInput(f"option press = {mode!r}: use {', '.join(MODES)}")
    if anonymous not in ("off", "on"):
        raise BadInput(f"option press_anonymous = {anonymous!r}: use off or on")
    if not limit.isdecimal() or not 1 <= int(limit) <= MOST:
        raise BadInput(f"option press_limit = {limit!r}: use a whole number from 1 to {MOST}")
    own = {name: value for name, value in options.items() if name not in NAMES}
    return own, Policy(mode, anonymous == "on", int(limit))


def policy_of(calendar: Mapping[str, Any]) -> Policy:
    """The season's policy."""
    return Policy(**calendar.get("press", {}))
