"""The evidence book: figures of days, with who gave them; a correction is a further entry, never an edit."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection, and_, func, insert, select

from league.core.evidence import Evidence
from league.core.json import JsonDict
from league.storage.readings import Said
from league.storage.tables import EVIDENCE, READING

CORRECTED, CONFIRMED, OBJECTED = "corrected", "confirmed", "objected"  # statuses: a person's word on what stood


@dataclass(frozen=True, slots=True)
class Figure:
    """An entry of the book. `status`: how it came to stand; `revision` above 1 is a correction.

    Without a value it takes back what stood: the day has no such figure, or the organizer objected to it.
    """

    figure: str
    day: date
    value: str
    status: str
    source: str
    reason: str
    entered_at: datetime
    revision: int = 1

    def facts(self) -> JsonDict:
        """What is told of it."""
        return {"figure": self.figure, "day": self.day.isoformat(), "value": self.value, "status": self.status}

    @property
    def evidence(self) -> Evidence:
        """What the rules get to see of it."""
        return Evidence(self.figure, self.day, self.value)


_NAMES = tuple(Figure.__dataclass_fields__)
_SAID = tuple(Said.__dataclass_fields__)
_NEWEST = (
    select(EVIDENCE.c.figure, EVIDENCE.c.day, func.max(EVIDENCE.c.revision).label("revision"))
    .group_by(EVIDENCE.c.figure, EVIDENCE.c.day)
    .subquery()
)


def enter(connection: Connection, figure: Figure, *, again: bool = False) -> Figure:
    """Add an entry and give it back with its revision; the value that is already there is entered `again` on demand."""
    before = history(connection, figure.figure, figure.day)
    if (
        not again
        and before
        and (before[-1].value, before[-1].status == OBJECTED) == (figure.value, figure.status == OBJECTED)
    ):
        return before[-1]
    number = before[-1].revision + 1 if before else 1
    values = {name: getattr(figure, name) for name in _NAMES} | {"revision": number}
    connection.execute(insert(EVIDENCE), values)
    return Figure(**values)


def known(connection: Connection, first: date, last: date, figures: Iterable[str] = ()) -> tuple[Figure, ...]:
    """The entries that stand for days from `first` to `last`, by figure and day: one statement for a whole run."""
    newest = and_(*(EVIDENCE.c[name] == _NEWEST.c[name] for name in ("figure", "day", "revision")))
    rows = select(*(EVIDENCE.c[name] for name in _NAMES)).join(_NEWEST, newest)
    rows = rows.where(EVIDENCE.c.day >= first, EVIDENCE.c.day <= last, EVIDENCE.c.value != "")
    wanted = tuple(figures)
    if wanted:
        rows = rows.where(EVIDENCE.c.figure.in_(wanted))
    rows = rows.order_by(EVIDENCE.c.figure, EVIDENCE.c.day)
    return tuple(Figure(**row) for row in connection.execute(rows).mappings())


def outspoken(connection: Connection, first: date) -> tuple[tuple[Figure, Said], ...]:
    """Figures of days from `first` on, each with a source whose last word differs and was said after it came to stand.

    One statement however many figures there are.
    """
    newest = and_(*(EVIDENCE.c[name] == _NEWEST.c[name] for name in ("figure", "day", "revision")))
    last = select(func.max(READING.c.id)).group_by(READING.c.source, READING.c.figure, READING.c.day)
    same = and_(READING.c.figure == EVIDENCE.c.figure, READING.c.day == EVIDENCE.c.day)
    rows = (
        select(EVIDENCE, *(READING.c[name].label(f"said_{name}") for name in _SAID))
        .join(_NEWEST, newest)
        .join(READING, same)
        .where(EVIDENCE.c.day >= first, EVIDENCE.c.value != "", READING.c.id.in_(last))
        .where(READING.c.read_at > EVIDENCE.c.entered_at, READING.c.value != EVIDENCE.c.value)
        .order_by(EVIDENCE.c.day, EVIDENCE.c.figure, READING.c.id)
    )
    return tuple(
        (Figure(**{n: row[n] for n in _NAMES}), Said(**{n: row[f"said_{n}"] for n in _SAID}))
        for row in connection.execute(rows).mappings()
    )


def objected(connection: Connection, first: date, last: date) -> frozenset[tuple[str, date]]:
    """The figures of days from `first` to `last` that the organizer objected to and that don't stand since."""
    newest = and_(*(EVIDENCE.c[name] == _NEWEST.c[name] for name in ("figure", "day", "revision")))
    rows = select(EVIDENCE.c.figure, EVIDENCE.c.day).join(_NEWEST, newest)
    rows = rows.where(EVIDENCE.c.day >= first, EVIDENCE.c.day <= last, EVIDENCE.c.status == OBJECTED)
    return frozenset((figure, day) for figure, day in connection.execute(rows))


def history(connection: Connection, figure: str, day: date) -> tuple[Figure, ...]:
    """All entries of one figure and day, the one that stands last."""
    rows = select(*(EVIDENCE.c[name] for name in _NAMES)).where(EVIDENCE.c.figure == figure, EVIDENCE.c.day == day)
    rows = rows.order_by(EVIDENCE.c.revision)
    return tuple(Figure(**row) for row in connection.execute(rows).mappings())
