"""KUEL's orders (chapter 11): what a line can say, reading it, and writing it back."""

from dataclasses import dataclass


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


Move = Take | Attack | Leave | Devastate | Join | Pass
Order = Move | Bid | Give | Result | Rematch | MapChoice | Settings
