"""KUEL's orders (chapter 11): what a line can say, and writing it back; `reader.py` reads it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from league.language.conditions import Conditional


@dataclass(frozen=True, slots=True)
class Take:
    """Take an unoccupied neighbouring country (K14)."""

    country: str


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack an occupied neighbouring country (K14)."""

    country: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave a country without devastation (K40)."""

    country: str


@dataclass(frozen=True, slots=True)
class Devastate:
    """Leave a country devastated, for 10 points (K41)."""

    country: str


@dataclass(frozen=True, slots=True)
class Join:
    """A newcomer's choice of a country (K35)."""

    country: str


@dataclass(frozen=True, slots=True)
class Pass:
    """No move, said aloud (K14)."""


@dataclass(frozen=True, slots=True)
class Bid:
    """A sealed bid for a collapsed country (K52)."""

    country: str
    amount: int


@dataclass(frozen=True, slots=True)
class Give:
    """Which edge country to give up should a newcomer need one (K35)."""

    country: str


@dataclass(frozen=True, slots=True)
class Result:
    """A battle's result as a fighter reports it: `said` is won, lost or winner; `winner` is a seat for the latter."""

    country: str
    said: str
    winner: str = ""


@dataclass(frozen=True, slots=True)
class Rematch:
    """The defence bonus's second battle, asked for (K32)."""

    country: str


@dataclass(frozen=True, slots=True)
class MapChoice:
    """The map to be fought on (K63); `map` is the country whose printed map it is."""

    country: str
    map: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings to be fought with (K64)."""

    country: str
    text: str


@dataclass(frozen=True, slots=True)
class Condition:
    """What a conditional order hangs on: `kind` is free, mine, owned, devastated, civil_war or points.

    `player` is a seat, for owned; `points` a number, for points; all others are about a country alone.
    """

    kind: str
    country: str = ""
    player: str = ""
    points: int = 0


Move = Take | Attack | Leave | Devastate | Join | Pass
Play = Move | Conditional[Condition, Move]
Order = Play | Bid | Give | Result | Rematch | MapChoice | Settings
REPLACING: Final = (Move, Conditional, Bid, Give)  # K12: a mail with one of these stands in the earlier one's place

SIMPLE: Final[Mapping[str, Callable[[str], Order]]] = {
    "take": Take,
    "attack": Attack,
    "leave": Leave,
    "devastate": Devastate,
    "join": Join,
    "give": Give,
    "rematch": Rematch,
}
_VERBS: Final = {kind: verb for verb, kind in SIMPLE.items()}
_SAID: Final[Mapping[str, str]] = {
    "free": "{country} is free",
    "mine": "{country} is mine",
    "owned": "{country} belongs to {player}",
    "devastated": "{country} is devastated",
    "civil_war": "{country} is in civil war",
    "points": "I have at least {points} points",
}


def notation(order: Order, english: Mapping[str, str]) -> str:
    """The order in English, as it is read back; `english` are the names of the countries."""
    match order:
        case Pass():
            return "pass"
        case Bid():
            return f"bid {order.amount} on {english[order.country]}"
        case Result():
            winner = f" {order.winner}" if order.said == "winner" else ""
            return f"result {english[order.country]} {order.said}{winner}"
        case MapChoice():
            return f"map {english[order.country]}: {english[order.map]}"
        case Settings():
            return f"settings {english[order.country]}: {order.text}"
        case Conditional(condition, then, otherwise):
            rest = f" else {notation(otherwise, english)}" if otherwise is not None else ""
            return f"if {_condition(condition, english)} {notation(then, english)}{rest}"
    return f"{_VERBS[type(order)]} {english[order.country]}"


def _condition(condition: Condition, english: Mapping[str, str]) -> str:
    country = english.get(condition.country, "")
    return _SAID[condition.kind].format(country=country, player=condition.player, points=condition.points)
