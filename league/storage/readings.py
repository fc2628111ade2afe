"""The readings book: what each source said of each figure and day, and how long each source is left alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection, delete, insert, select

from league.storage.tables import READING, SOURCE


@dataclass(frozen=True, slots=True)
class Said:
    """A source's word as it was noted."""

    source: str
    figure: str
    day: date
    value: str
    read_at: datetime
    more: Mapping[str, str]
    before: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """A source that is left alone until a time, after so many failures in a row."""

    name: str
    failures: int
    why: str
    trouble: str
    until: datetime


_NAMES = tuple(Said.__dataclass_fields__)
_PAUSE = tuple(Pause.__dataclass_fields__)


def note(connection: Connection, said: Sequence[Said]) -> None:
    """Add readings; none is ever changed."""
    rows = [{name: getattr(one, name) for name in _NAMES} | {"more": dict(one.more)} for one in said]
    if rows:
        connection.execute(insert(READING), rows)


def readings(connection: Connection, first: date, last: date) -> tuple[Said, ...]:
    """All readings of days from `first` to `last`, in the order in which they were made."""
    rows = select(*(READING.c[name] for name in _NAMES)).where(READING.c.day >= first, READING.c.day <= last)
    return tuple(Said(**row) for row in connection.execute(rows.order_by(READING.c.id)).mappings())


def pauses(connection: Connection) -> Mapping[str, Pause]:
    """The sources whose last answer brought nothing."""
    rows = select(*(SOURCE.c[name] for name in _PAUSE))
    return {row["name"]: Pause(**row) for row in connection.execute(rows).mappings()}


def leave_alone(connection: Connection, paused: Sequence[Pause]) -> None:
    """Set how long sources are left alone; what was known of them before is replaced."""
    forget(connection, [one.name for one in paused])
    if paused:
        connection.execute(insert(SOURCE), [{name: getattr(one, name) for name in _PAUSE} for one in paused])


def forget(connection: Connection, names: Sequence[str]) -> None:
    """Sources that have answered are asked again whenever there is something to ask."""
    connection.execute(delete(SOURCE).where(SOURCE.c.name.in_(names)))
