"""The most careful way to put a correction into a later position: all of it, or nothing.

For games of which every part of a position hangs on the others: while nothing was built on a wrong outcome it is
replaced; after that nothing is put right from now on, all of it is named, and the rounds behind are to be evaluated
again.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from league.core.game import Amended, Game
from league.core.json import Json, JsonDict

State = TypeVar("State")


def all_or_nothing(game: Game[State, Any], current: State, wrong: State, right: State) -> Amended[State]:
    """The right outcome in the wrong one's place if nothing came after it, else what would have been different."""
    now, was, should = (game.position(state) for state in (current, wrong, right))
    changes = tuple(_changes(was, should, ""))
    if now == was:
        return Amended(game.restore(should), changes)
    return Amended(current, (), tuple({**change, "why": "moved_on", "rule": ""} for change in changes))


def _changes(was: Json, now: Json, path: str) -> Iterator[JsonDict]:
    """Every value of a position that differs; a list is one value."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for key in sorted(was.keys() | now.keys()):
            yield from _changes(was.get(key), now.get(key), f"{path}/{key}" if path else key)
    elif was != now:
        yield {"kind": "position", "path": path, "from": was, "to": now}
