"""The journal: every act of the organizer, append-only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from league.core.json import Json
from league.core.orders import NO_FACTS
from league.storage.guard import unlocked
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


def of_scope(connection: Connection, league_id: int | None, below: int = ALL) -> tuple[Act, ...]:
    """All acts of a league, or those of the site that belong to none, in the order written; with numbers `below`."""
    mine = JOURNAL.c.league_id.is_(None) if league_id is None else JOURNAL.c.league_id == league_id
    rows = select(*(JOURNAL.c[name] for name in _NAMES)).where(mine, JOURNAL.c.id < below).order_by(JOURNAL.c.id)
    return tuple(Act(**row) for row in connection.execute(rows).mappings())


def of_act(connection: Connection, act: str) -> tuple[Act, ...]:
    """Every time that this was done, in the order written."""
    rows = select(*(JOURNAL.c[name] for name in _NAMES)).where(JOURNAL.c.act == act).order_by(JOURNAL.c.id)
    return tuple(Act(**row) for row in connection.execute(rows).mappings())


def newest(connection: Connection, act: str) -> int:
    """The number of the newest act of this name; `ALL` if there is none."""
    return connection.execute(select(func.max(JOURNAL.c.id)).where(JOURNAL.c.act == act)).scalar() or ALL


def put_before(connection: Connection, first: int, acts: Sequence[Act]) -> None:
    """Put acts that were lost in front of the act of this number: what was written since goes behind them."""
    if not acts:
        return
    with unlocked(connection, JOURNAL):
        connection.execute(update(JOURNAL).where(JOURNAL.c.id >= first).values(id=-JOURNAL.c.id))
        connection.execute(update(JOURNAL).where(JOURNAL.c.id < 0).values(id=len(acts) - JOURNAL.c.id))
    rows = [{name: getattr(act, name) for name in _NAMES} | {"arguments": dict(act.arguments)} for act in acts]
    connection.execute(insert(JOURNAL), [{"id": first + place, **row} for place, row in enumerate(rows)])
    if connection.dialect.name == "postgresql":
        highest = select(func.max(JOURNAL.c.id)).scalar_subquery()
        connection.execute(select(func.setval(func.pg_get_serial_sequence("journal", "id"), highest)))


def last_at(connection: Connection) -> datetime | None:
    """The time of the latest act: no command may claim to be earlier."""
    return connection.execute(select(func.max(JOURNAL.c.at))).scalar()
