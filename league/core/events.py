"""Things that happened in a round: facts without prose."""

from dataclasses import fields
from functools import lru_cache
from re import sub
from typing import Any

from league.core.json import Json, JsonDict


class Event:
    """Base of a game's event dataclasses; `rule` names the statement it follows from.

    The event's type in JSON is the class name in snake case; its facts are the fields.
    """

    __slots__ = ()
    rule: str  # a field of every event

    @classmethod
    def type(cls) -> str:
        """The name under which the event appears in JSON, records and catalogs."""
        return _snake(cls.__name__)

    def facts(self) -> JsonDict:
        """`{type, rule, …fields}` with tuples as lists."""
        named: JsonDict = {"type": self.type(), "rule": self.rule}
        cls: Any = type(self)  # mypy holds that classes are not hashable
        for name in _names(cls):
            named[name] = _plain(getattr(self, name))
        return named


@lru_cache
def _snake(name: str) -> str:
    return sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@lru_cache
def _names(cls: type[Any]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls) if f.name != "rule")  # every event is a dataclass


def _plain(value: Json) -> Json:
    return list(value) if isinstance(value, tuple) else value
