"""The book of announcements: what is told in which channel, and how far it has got.

queued ──► sending ──► sent
  ▲          │ └─► failed    given up after two days
  └──────────┘     lapsed    its time is over, or a newer version is told
A row is there once for a channel, a round and its version, whoever asks for it and however often. One that a crash
left as being sent may have gone out: it goes again, which is the one window in which something is told twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, or_, select, update

from league.storage.engine import insert_new, plain
from league.storage.leagues import RUNNING, fact, facts, set_fact
from league.storage.records import ROUND
from league.storage.sending import GIVE_UP, RETRIES
from league.storage.tables import ANNOUNCEMENT, LEAGUE, MATCH, RECORD, SEASON
from league.storage.tables import ROUND as ROUNDS

MARK = "announce."  # how the facts begin that say up to which record a channel is told
NO_CHANNEL = "can't be told in"  # stands in a run's trouble that is a channel's
ELSEWHERE = "it was told before its league came to this site"
IN_DOUBT = "the program ended while this was being told; it may be there twice"


@dataclass(frozen=True, slots=True)
class Fresh:
    """Something that could be told: a sealed round's version, or an open round with its deadline."""

    match_id: int
    league: str
    round: int
    version: int
    record_id: int = 0
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A row to be."""

    name: str
    kind: str
    match_id: int
    round: int
    version: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the book, with its league."""

    id: int
    name: str
    kind: str
    league: str
    round: int
    version: int
    attempts: int
    trouble: str
    created_at: datetime


def mark(connection: Connection, name: str, now: datetime) -> int:
    """Up to which record a channel is told; one that is new is told what is sealed from `now` on."""
    known = fact(connection, MARK + name)
    if known is not None:
        return int(known)
    return connection.execute(select(func.max(RECORD.c.id)).where(RECORD.c.sealed_at < now)).scalar() or 0


def set_mark(connection: Connection, name: str, record_id: int) -> None:
    """Told up to here."""
    set_fact(connection, MARK + name, str(record_id))


def sealed_since(connection: Connection, record_id: int) -> tuple[Fresh, ...]:
    """The rounds' records after this one."""
    rows = (
        select(RECORD.c.match_id, LEAGUE.c.slug, RECORD.c.round, RECORD.c.version, RECORD.c.id)
        .join(MATCH, MATCH.c.id == RECORD.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .where(RECORD.c.id > record_id, RECORD.c.kind == ROUND, RECORD.c.round > 0)
        .order_by(RECORD.c.id)
    )
    return tuple(Fresh(*row) for row in connection.execute(rows))


def closing(connection: Connection, now: datetime, until: datetime) -> tuple[Fresh, ...]:
    """Open rounds whose deadline lies between."""
    rows = (
        select(ROUNDS.c.match_id, LEAGUE.c.slug, ROUNDS.c.number, ROUNDS.c.deadline_at)
        .join(MATCH, MATCH.c.id == ROUNDS.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .where(ROUNDS.c.status == "open", ROUNDS.c.deadline_at > now, ROUNDS.c.deadline_at <= until)
        .where(LEAGUE.c.status == RUNNING)
        .order_by(ROUNDS.c.deadline_at, ROUNDS.c.id)
    )
    return tuple(Fresh(row[0], row[1], row[2], 1, deadline=row[3]) for row in connection.execute(rows))


def queue(connection: Connection, wanted: Sequence[Wanted]) -> None:
    """Rows that aren't there yet; the others stay as they are."""
    more = {"state": "queued", "attempts": 0, "trouble": ""}
    insert_new(connection, ANNOUNCEMENT, [plain(one) | more for one in wanted])


def told_elsewhere(connection: Connection, match_ids: Sequence[int], now: datetime) -> None:
    """What was sealed of these matches before they came here is told in no channel of this site any more."""
    rows = select(RECORD.c.match_id, RECORD.c.round, RECORD.c.version).where(RECORD.c.match_id.in_(match_ids))
    sealed = connection.execute(rows.where(RECORD.c.kind == ROUND, RECORD.c.round > 0)).all()
    for name in facts(connection, MARK):
        more = {"name": name, "created_at": now, "state": "lapsed", "attempts": 0, "trouble": ELSEWHERE}
        told = [
            {**more, "kind": kind, "match_id": match, "round": number, "version": version}
            for match, number, version in sealed
            for kind in ("report", "correction")
        ]
        insert_new(connection, ANNOUNCEMENT, told)


def recover(connection: Connection) -> None:
    """Back into the queue with what a run left that died; the runs' lock is ours."""
    left = update(ANNOUNCEMENT).where(ANNOUNCEMENT.c.state == "sending")
    connection.execute(left.values(state="queued", trouble=IN_DOUBT, not_before=None))


def due(connection: Connection, name: str, now: datetime) -> tuple[Row, ...]:
    """What waits for a channel in its order; nothing, while the first of it has to wait."""
    rows = _rows().where(ANNOUNCEMENT.c.name == name, ANNOUNCEMENT.c.state == "queued").order_by(ANNOUNCEMENT.c.id)
    found = connection.execute(rows.add_columns(ANNOUNCEMENT.c.not_before)).all()
    if found and found[0][-1] is not None and found[0][-1] > now:
        return ()
    return tuple(Row(*row[:-1]) for row in found)


def _rows() -> Any:
    columns = (ANNOUNCEMENT.c.id, ANNOUNCEMENT.c.name, ANNOUNCEMENT.c.kind, LEAGUE.c.slug, ANNOUNCEMENT.c.round)
    more = (ANNOUNCEMENT.c.version, ANNOUNCEMENT.c.attempts, ANNOUNCEMENT.c.trouble, ANNOUNCEMENT.c.created_at)
    return (
        select(*columns, *more)
        .join(MATCH, MATCH.c.id == ANNOUNCEMENT.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
    )


def begin(connection: Connection, row: Row, now: datetime) -> None:
    """It is being sent."""
    values = {"state": "sending", "attempted_at": now, "attempts": row.attempts + 1}
    connection.execute(update(ANNOUNCEMENT).where(ANNOUNCEMENT.c.id == row.id).values(**values))


def settle(connection: Connection, row: Row, now: datetime, trouble: str) -> None:
    """It is out, or waits for its next try, or is given up."""
    own = update(ANNOUNCEMENT).where(ANNOUNCEMENT.c.id == row.id)
    if not trouble:
        connection.execute(own.values(state="sent", sent_at=now, trouble="", not_before=None))
    elif now - row.created_at >= GIVE_UP:
        connection.execute(own.values(state="failed", trouble=trouble, not_before=None))
    else:
        pause: timedelta = RETRIES[min(row.attempts, len(RETRIES) - 1)]
        connection.execute(own.values(state="queued", trouble=trouble, not_before=now + pause))


def drop(connection: Connection, row: Row, why: str) -> None:
    """It needn't be told any more."""
    own = update(ANNOUNCEMENT).where(ANNOUNCEMENT.c.id == row.id)
    connection.execute(own.values(state="lapsed", trouble=why, not_before=None))


def troubled(connection: Connection, since: datetime) -> tuple[Row, ...]:
    """What was tried in vain and waits, or was given up since then; the oldest first."""
    waits = (ANNOUNCEMENT.c.state == "queued") & (ANNOUNCEMENT.c.trouble != "")
    failed = (ANNOUNCEMENT.c.state == "failed") & (ANNOUNCEMENT.c.attempted_at > since)
    rows = _rows().where(or_(waits, failed)).order_by(ANNOUNCEMENT.c.id)
    return tuple(Row(*row) for row in connection.execute(rows))
