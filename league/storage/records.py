"""The book of records: the sealed account of every round, and the positions that follow from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, case, func, insert, select

from league.records.rotation import KIND as KEY
from league.records.sealed import KIND as UNSEALED
from league.storage.engine import batches, plain
from league.storage.tables import LEAGUE, MATCH, POSITION, RECORD, SEASON

ADJUSTMENT = "adjustment"
ROUND = "round"  # the kind of a record that tells of a round, or, as number 0, of the match's opening


@dataclass(frozen=True, slots=True)
class Sealed:
    """A record as published. Version 2 and above supersede the earlier ones of the round.

    `kind` says what `round` numbers: "round" (0 is the opening) or what else the chain holds: "key", "unsealed" (what
    was kept secret, opened), or "adjustment", which puts a correction into the position with which the round starts
    (`version` counts the round's adjustments).
    """

    match_id: int
    round: int
    version: int
    body: bytes
    sha256: str
    previous: str
    sealed_at: datetime
    kind: str = ROUND
    secret: bytes | None = None  # what the body only commits to until the match is over

    @property
    def file(self) -> str:
        """What it is called among the league's published records."""
        if self.kind == ADJUSTMENT:
            return f"{self.round:04d}-a{self.version}.json"
        return f"{'' if self.kind == ROUND else f'{self.kind}-'}{self.round:04d}-v{self.version}.json"


@dataclass(frozen=True, slots=True)
class Start:
    """The position with which a round starts."""

    match_id: int
    round: int
    version: int
    body: Mapping[str, Any]


_NAMES = tuple(Sealed.__dataclass_fields__)


def store_records(connection: Connection, records: Sequence[Sealed]) -> None:
    """Store sealed records; a round's version can be sealed once only."""
    if records:
        connection.execute(insert(RECORD), [plain(record) for record in records])


def store_positions(connection: Connection, positions: Sequence[Start]) -> None:
    """Store the positions with which rounds start."""
    if positions:
        connection.execute(insert(POSITION), [plain(position) for position in positions])


def chain(connection: Connection, match_id: int) -> tuple[Sealed, ...]:
    """All records of a match in the order sealed."""
    rows = select(*(RECORD.c[name] for name in _NAMES)).where(RECORD.c.match_id == match_id).order_by(RECORD.c.id)
    return tuple(Sealed(**row) for row in connection.execute(rows).mappings())


def of_round(connection: Connection, match_id: int, number: int) -> tuple[Sealed, ...]:
    """The versions of one round."""
    rows = select(*(RECORD.c[name] for name in _NAMES)).where(RECORD.c.match_id == match_id, RECORD.c.round == number)
    return tuple(Sealed(**row) for row in connection.execute(rows.order_by(RECORD.c.id)).mappings())


def has_opened(connection: Connection, match_id: int) -> bool:
    """Whether what the match kept secret was opened."""
    rows = select(RECORD.c.id).where(RECORD.c.match_id == match_id, RECORD.c.kind == UNSEALED)
    return connection.execute(rows.limit(1)).first() is not None


def heads(connection: Connection, match_ids: Sequence[int]) -> Mapping[int, Sealed]:
    """Each match's last sealed record."""
    found: dict[int, Sealed] = {}
    for ids in batches(match_ids):
        last = select(func.max(RECORD.c.id)).where(RECORD.c.match_id.in_(ids)).group_by(RECORD.c.match_id)
        rows = connection.execute(select(*(RECORD.c[name] for name in _NAMES)).where(RECORD.c.id.in_(last))).mappings()
        found |= {row["match_id"]: Sealed(**row) for row in rows}
    return found


@dataclass(frozen=True, slots=True)
class Chain:
    """How far a match's chain has come: its last record's hash, and how many of its records name a key."""

    match_id: int
    league: str
    match: str
    head: str
    keys: int


def chains(connection: Connection) -> tuple[Chain, ...]:
    """Every chain of the site."""
    last = select(
        func.max(RECORD.c.id).label("id"), func.sum(case((RECORD.c.kind == KEY, 1), else_=0)).label("changes")
    )
    newest_of = last.group_by(RECORD.c.match_id).subquery()
    rows = (
        select(RECORD.c.match_id, LEAGUE.c.slug, MATCH.c.slug, RECORD.c.sha256, newest_of.c.changes)
        .join(newest_of, newest_of.c.id == RECORD.c.id)
        .join(MATCH, MATCH.c.id == RECORD.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .order_by(RECORD.c.match_id)
    )
    return tuple(Chain(*row) for row in connection.execute(rows))


def newest(connection: Connection) -> int:
    """A number that grows with every record of the site: what `public` was built from is compared with it."""
    return connection.execute(select(func.max(RECORD.c.id))).scalar() or 0


@dataclass(frozen=True, slots=True)
class LastSealed:
    """The site's newest record: whose, of which round (0: the opening), when."""

    league: str
    round: int
    sealed_at: datetime


def last_sealed(connection: Connection) -> LastSealed | None:
    """The newest record of the site; None before the first."""
    rows = (
        select(LEAGUE.c.slug, RECORD.c.round, RECORD.c.sealed_at)
        .join(MATCH, MATCH.c.id == RECORD.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .where(RECORD.c.id == newest(connection))
    )
    row = connection.execute(rows).one_or_none()
    return LastSealed(*row) if row else None


def sealed_since(connection: Connection, number: int) -> tuple[int, ...]:
    """The matches that got a record after `newest` was this number."""
    rows = select(RECORD.c.match_id).where(RECORD.c.id > number).distinct().order_by(RECORD.c.match_id)
    return tuple(connection.execute(rows).scalars())


def position(connection: Connection, match_id: int, round_number: int) -> Start | None:
    """The position with which a round starts, in its newest version."""
    rows = select(POSITION).where(POSITION.c.match_id == match_id, POSITION.c.round == round_number)
    row = connection.execute(rows.order_by(POSITION.c.version.desc()).limit(1)).mappings().first()
    return Start(**row) if row else None
