"""What a look at the whole site asks of the books: each answer is one statement however many leagues there are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from league.storage.engine import batches
from league.storage.tables import LEAGUE, MAIL, MATCH, OUTBOX, ROUND, SEASON, VERDICT

RESOLVED = "resolved"
TRIED = ("sent", "failed")  # mails of which it is known what became of them
WAITS = ("queued", "sending", "in_doubt")


@dataclass(frozen=True, slots=True)
class LastMail:
    """The newest mail of a seat's player, with its verdict."""

    seat_id: int
    verdict: str
    received_at: datetime


def in_play(connection: Connection, slugs: Sequence[str] | None = None) -> tuple[tuple[int, ...], ...]:
    """The rounds of each running match that aren't resolved, by number; of all running leagues, or of these."""
    rows = (
        select(MATCH.c.id, ROUND.c.id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .join(ROUND, ROUND.c.match_id == MATCH.c.id)
        .where(LEAGUE.c.status == "running", ROUND.c.status != RESOLVED)
        .order_by(LEAGUE.c.slug, MATCH.c.id, ROUND.c.number)
    )
    if slugs is not None:
        rows = rows.where(LEAGUE.c.slug.in_(slugs))
    found: dict[int, tuple[int, ...]] = {}
    for match_id, round_id in connection.execute(rows):
        found[match_id] = (*found.get(match_id, ()), round_id)
    return tuple(found.values())


def deadlines(connection: Connection, after: datetime, until: datetime) -> tuple[tuple[datetime, str, int], ...]:
    """Deadline, league and id of each open round whose orders are due in this time, the earliest first."""
    rows = (
        select(ROUND.c.deadline_at, LEAGUE.c.slug, ROUND.c.id)
        .join(MATCH, MATCH.c.id == ROUND.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .where(LEAGUE.c.status == "running", ROUND.c.status == "open")
        .where(ROUND.c.deadline_at > after, ROUND.c.deadline_at <= until)
        .order_by(ROUND.c.deadline_at, LEAGUE.c.slug, ROUND.c.id)
    )
    return tuple((at, slug, key) for at, slug, key in connection.execute(rows))


def last_mails(connection: Connection, seat_ids: Sequence[int], since: datetime) -> dict[int, LastMail]:
    """Seat -> its player's newest mail, of those judged since."""
    found: dict[int, LastMail] = {}
    for ids in batches(seat_ids):
        rows = (
            select(VERDICT.c.seat_id, VERDICT.c.verdict, MAIL.c.received_at)
            .join(MAIL, MAIL.c.id == VERDICT.c.mail_id)
            .where(VERDICT.c.seat_id.in_(ids), VERDICT.c.decided_at >= since)
            .order_by(MAIL.c.received_at, MAIL.c.id)
        )
        found |= {row["seat_id"]: LastMail(**row) for row in connection.execute(rows).mappings()}
    return found


def unreached(connection: Connection, seat_ids: Sequence[int]) -> frozenset[int]:
    """Seats to which the last mail that was tried didn't get through."""
    found: set[int] = set()
    for ids in batches(seat_ids):
        last = select(func.max(OUTBOX.c.id)).where(OUTBOX.c.seat_id.in_(ids), OUTBOX.c.state.in_(TRIED))
        rows = select(OUTBOX.c.seat_id).where(OUTBOX.c.id.in_(last.group_by(OUTBOX.c.seat_id)))
        found |= set(connection.execute(rows.where(OUTBOX.c.state == "failed")).scalars())
    return frozenset(found)


def oldest_waiting(connection: Connection) -> datetime | None:
    """Of when the oldest mail is that hasn't gone out."""
    return connection.execute(select(func.min(OUTBOX.c.created_at)).where(OUTBOX.c.state.in_(WAITS))).scalar()


def queued_already(connection: Connection, message_ids: Iterable[str]) -> frozenset[str]:
    """Those of these mails that the outbox has, sent or not."""
    found: set[str] = set()
    for ids in batches(sorted(set(message_ids))):
        found |= set(connection.execute(select(OUTBOX.c.message_id).where(OUTBOX.c.message_id.in_(ids))).scalars())
    return frozenset(found)


def closed_rounds(connection: Connection, match_ids: Sequence[int]) -> dict[int, int]:
    """Match -> number of its last round whose orders are closed."""
    found: dict[int, int] = {}
    for ids in batches(match_ids):
        rows = select(ROUND.c.match_id, func.max(ROUND.c.number))
        rows = rows.where(ROUND.c.match_id.in_(ids), ROUND.c.status != "open").group_by(ROUND.c.match_id)
        found.update((match_id, number) for match_id, number in connection.execute(rows))
    return found
