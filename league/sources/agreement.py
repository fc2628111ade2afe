"""What stands of a figure, given all readings so far: pure, and the same whoever asks (DESIGN: Chance).

An issuer's word suffices after two equal readings half an hour apart. A vendor's needs a second vendor of another
family that agrees on what the rules read, or stands as single after some hours. Whatever contradicts makes it disputed:
then a person decides. Nothing at all is nothing: no answer is ever taken for a holiday.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise

from league.sources.answer import Reading, Role, Source

APART = timedelta(minutes=30)


class Status(StrEnum):
    """How far a figure has come."""

    WAITING = "waiting"
    ISSUER = "issuer"
    AGREED = "agreed"
    SINGLE = "single"
    DISPUTED = "disputed"

    @property
    def stands(self) -> bool:
        """Whether the rules may be given it."""
        return self in {Status.ISSUER, Status.AGREED, Status.SINGLE}


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands, by whose word; `why` says what is missing or who contradicts whom."""

    status: Status
    value: str = ""
    sources: tuple[str, ...] = ()
    why: str = ""


def read_part(figure: str, value: str) -> str:
    """What the rules read of a value, in which two readings have to agree: of the DAX the integer part (K46)."""
    if figure == "dax_close":
        return value.partition(".")[0]
    if figure == "eurusd":
        return value.rstrip("0").rstrip(".") if "." in value else value
    return value


def decide(
    sources: Sequence[Source], readings: Iterable[Reading], now: datetime, single_after: timedelta | None
) -> Standing:
    """What stands of one figure of one day. `sources`: in the season's order; `single_after` None: never."""
    known = {source.name: source for source in sources}
    found: dict[str, list[Reading]] = {}
    for reading in sorted(readings, key=lambda r: r.read_at):
        if reading.source in known:
            found.setdefault(reading.source, []).append(reading)
    newest = [(source, found[source.name][-1]) for source in sources if source.name in found]
    if not newest:
        return Standing(Status.WAITING, why="no source has answered with it")
    contradiction = _contradiction(newest)
    if contradiction:
        return Standing(Status.DISPUTED, why=contradiction)
    issuers = [(s, r) for s, r in newest if s.role is Role.ISSUER]
    if issuers:
        return _by_issuer(issuers, found)
    return _by_vendors([(s, r) for s, r in newest if s.role is Role.VENDOR], found, now, single_after)


def _contradiction(newest: Sequence[tuple[Source, Reading]]) -> str:
    """Who says otherwise than the first; a check knows the numbers and not their order."""
    established = [(s, r) for s, r in newest if s.role is not Role.CHECK]
    for (first, one), (other, two) in pairwise(established):
        if read_part(one.figure, one.value) != read_part(two.figure, two.value):
            return f"{first.name} says {one.value}, {other.name} says {two.value}"
    for check, said in (pair for pair in newest if pair[0].role is Role.CHECK):
        for source, reading in established:
            if _as_set(reading.value) != _as_set(said.value):
                return f"{source.name} says {reading.value}, {check.name} says {said.value}"
    return ""


def _as_set(value: str) -> tuple[str, ...]:
    return tuple(sorted(value.split()))


def _since(readings: Sequence[Reading]) -> datetime:
    """Since when a source has said what it says now."""
    newest = readings[-1]
    since = newest.read_at
    for reading in reversed(readings):
        if read_part(reading.figure, reading.value) != read_part(newest.figure, newest.value):
            break
        since = reading.read_at
    return since


def _by_issuer(issuers: Sequence[tuple[Source, Reading]], found: Mapping[str, Sequence[Reading]]) -> Standing:
    value = issuers[0][1].value
    names = tuple(source.name for source, _ in issuers)
    first = min(_since(found[name]) for name in names)
    last = max(found[name][-1].read_at for name in names)
    if last - first >= APART:
        return Standing(Status.ISSUER, value, names)
    return Standing(Status.WAITING, why=f"{names[0]} says {value}; asked again half an hour after the first time")


def _by_vendors(
    vendors: Sequence[tuple[Source, Reading]],
    found: Mapping[str, Sequence[Reading]],
    now: datetime,
    single_after: timedelta | None,
) -> Standing:
    if not vendors:
        return Standing(Status.WAITING, why="only a source that checks has answered")
    value = vendors[0][1].value
    names = tuple(source.name for source, _ in vendors)
    if len({source.family for source, _ in vendors}) > 1:
        return Standing(Status.AGREED, value, names)
    stuck = all(reading.before == reading.value for _, reading in vendors)
    if stuck:
        return Standing(Status.WAITING, why=f"{names[0]} says {value}, to the cent what it said of the day before")
    since = min(_since(found[name]) for name in names)
    if single_after is not None and now - since >= single_after:
        return Standing(Status.SINGLE, value, names)
    return Standing(Status.WAITING, why=f"only {names[0]} has answered: {value}")
