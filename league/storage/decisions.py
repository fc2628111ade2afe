"""The book of decisions: results of battles and what else a person or a reply settles while a round is evaluated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from league.core.json import Json
from league.storage.engine import batches
from league.storage.tables import DECISION


@dataclass(frozen=True, slots=True)
class Entered:
    """A decision with who gave it."""

    round_id: int
    kind: str
    facts: Mapping[str, Json]
    source: str
    entered_at: datetime
    id: int = 0
    superseded_at: datetime | None = None


_NAMES = tuple(Entered.__dataclass_fields__)


def decide(connection: Connection, decisions: Sequence[Entered]) -> None:
    """Enter decisions; what they supersede the caller names with `supersede`."""
    rows = [{name: getattr(d, name) for name in _NAMES if name != "id"} | {"facts": dict(d.facts)} for d in decisions]
    if rows:
        connection.execute(insert(DECISION), rows)


def supersede(connection: Connection, decision_id: int, now: datetime) -> None:
    """Take a decision out of force; it stays in the book."""
    standing = (DECISION.c.id == decision_id, DECISION.c.superseded_at.is_(None))
    connection.execute(update(DECISION).where(*standing).values(superseded_at=now))


def decisions(connection: Connection, round_ids: Sequence[int], *, superseded: bool = False) -> tuple[Entered, ...]:
    """The decisions of these rounds by when they were taken; those out of force only on demand."""
    found: list[Entered] = []
    for ids in batches(round_ids):
        rows = select(*(DECISION.c[name] for name in _NAMES)).where(DECISION.c.round_id.in_(ids))
        if not superseded:
            rows = rows.where(DECISION.c.superseded_at.is_(None))
        found += (
            Entered(**row) for row in connection.execute(rows.order_by(DECISION.c.entered_at, DECISION.c.id)).mappings()
        )
    return tuple(found)
