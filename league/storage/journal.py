"""The journal: every act of the organizer, append-only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from league.core.json import Json
from league.core.orders import NO_FACTS
from league.storage.tables import JOURNAL


@dataclass(frozen=True, slots=True)
class Act:
    """Who did what, when, with which arguments, and why. Without a league it concerns the site."""

    at: datetime
    who: str
    act: str
    why: str = ""
    arguments: Mapping[str, Json] = field(default=NO_FACTS)
    league_id: int | None = None


ALL = 10_000_000  # acts: as many as there are
_NAMES = tuple(Act.__dataclass_fields__)


def append(connection: Connection, act: Act) -> None:
    """Write an act down; nothing takes it out again."""
    values = {name: getattr(act, name) for name in _NAMES} | {"arguments": dict(act.arguments)}
    connection.execute(insert(JOURNAL), values)


def acts(connection: Connection, league_id: int | None = None, limit: int = 1000) -> tuple[Act, ...]:
    """The last acts, of one league or of the whole site, in the order written."""
    rows = select(*(JOURNAL.c[name] for name in _NAMES)).order_by(JOURNAL.c.id.desc()).limit(limit)
    if league_id is not None:
        rows = rows.where(JOURNAL.c.league_id == league_id)
    return tuple(Act(**row) for row in connection.execute(rows).mappings())[::-1]


def of_act(connection: Connection, act: str) -> tuple[Act, ...]:
    """Every time that this was done, in the order written."""
    rows = select(*(JOURNAL.c[name] for name in _NAMES)).where(JOURNAL.c.act == act).order_by(JOURNAL.c.id)
    return tuple(Act(**row) for row in connection.execute(rows).mappings())


def last_at(connection: Connection) -> datetime | None:
    """The time of the latest act: no command may claim to be earlier."""
    return connection.execute(select(func.max(JOURNAL.c.at))).scalar()
