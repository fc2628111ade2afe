"""The outbox: mails written in the transaction of the change they tell of, and how far each has got.

queued ──► sending ──► sent            what a person sees beside that: `trouble`, the words of the other side
  ▲  ▲        │  │ └─► failed          refused for good, given up after two days, or come back
  │  └────────┘  └───► in_doubt ──►    handed over without an answer: goes again, with the same bytes
  └───────────── held                  stopped, because mail to this address came back
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, or_, select, update

from league.storage import parts, troubles
from league.storage.engine import batches, insert_new, plain
from league.storage.leagues import drop_fact, fact, fold, set_fact
from league.storage.parts import Place
from league.storage.tables import MATCH, OUTBOX, SEAT
from league.storage.troubles import NOTICE

WAITING = ("queued", "in_doubt")
HOLD = "mail.hold"  # the fact that keeps everything in
STOPPED = "mail to this address is stopped: "
LEFT = "it moved with its league; here it was "  # why a mail is held, and the state that it had
AWAY = "away"  # the kind of mail that says so to who writes
ANSWERS = frozenset({"receipt", "ask", "late", "which", "replies", "commands", "organizer", NOTICE})


@dataclass(frozen=True, slots=True)
class OutMail:
    """A mail to be sent. The Message-ID follows from what it tells, so queueing it again changes nothing.

    `raw` is without the part that it shares with others, which belongs at `shared`.
    """

    message_id: str
    kind: str
    recipient: str
    raw: bytes
    created_at: datetime
    match_id: int | None = None
    round: int | None = None
    seat_id: int | None = None
    version: int = 1
    state: str = "queued"
    shared: Place | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of `league mail outbox`: everything but the bytes."""

    id: int
    message_id: str
    kind: str
    recipient: str
    match_id: int | None
    round: int | None
    seat_id: int | None
    version: int
    state: str
    attempts: int
    trouble: str
    created_at: datetime
    attempted_at: datetime | None
    sent_at: datetime | None
    not_before: datetime | None


def queue(connection: Connection, mails: Sequence[OutMail]) -> int:
    """Queue mails; one whose Message-ID is there already stays as it is. The number that came in."""
    parts.store(connection, (mail.shared.part for mail in mails if mail.shared))
    return insert_new(connection, OUTBOX, [_row(mail) for mail in mails])


def _row(mail: OutMail) -> dict[str, Any]:
    domain = mail.recipient.rpartition("@")[2].lower()
    row = plain(mail) | {"attempts": 0, "trouble": "", "domain": domain, "rank": rank(mail.kind)}
    place: Place | None = row.pop("shared")
    shared = {"part": None, "part_at": None} if place is None else {"part": place.part.digest, "part_at": place.at}
    return row | shared


def rank(kind: str) -> int:
    """Answers go before everything, reports behind it, where not all can go at once."""
    name = kind.partition("/")[0]
    return 0 if name in ANSWERS else 2 if name == "report" else 1


def listing(
    connection: Connection,
    states: Sequence[str] = (),
    match_id: int | None = None,
    seat_id: int | None = None,
    limit: int = 1000,
) -> tuple[Line, ...]:
    """The outbox without the mails themselves, the newest first."""
    rows = select(*_LINE).order_by(OUTBOX.c.id.desc()).limit(limit)
    if states:
        rows = rows.where(OUTBOX.c.state.in_(states))
    if match_id is not None:
        rows = rows.where(OUTBOX.c.match_id == match_id)
    if seat_id is not None:
        rows = rows.where(OUTBOX.c.seat_id == seat_id)
    return tuple(Line(**row) for row in connection.execute(rows).mappings())


def in_order(connection: Connection, limit: int = 1000) -> tuple[Line, ...]:
    """What waits, in the order in which it goes."""
    rows = select(*_LINE).where(OUTBOX.c.state.in_((*WAITING, "sending"))).order_by(OUTBOX.c.rank, OUTBOX.c.id)
    return tuple(Line(**row) for row in connection.execute(rows.limit(limit)).mappings())


_LINE = tuple(OUTBOX.c[name] for name in Line.__dataclass_fields__)


def find(connection: Connection, ids: Iterable[int] = (), message_ids: Iterable[str] = ()) -> tuple[Line, ...]:
    """Mails by number or Message-ID."""
    found: dict[int, Line] = {}
    for column, asked in ((OUTBOX.c.id, sorted(set(ids))), (OUTBOX.c.message_id, sorted(set(message_ids)))):
        for keys in batches(asked):
            rows = connection.execute(select(*_LINE).where(column.in_(keys))).mappings()
            found |= {row["id"]: Line(**row) for row in rows}
    return tuple(found[key] for key in sorted(found))


def last_of(connection: Connection, kind: str, match_id: int, seat_id: int) -> tuple[int, str] | None:
    """The newest mail of a kind to a seat: its number and whom it went to."""
    rows = select(OUTBOX.c.id, OUTBOX.c.recipient).where(OUTBOX.c.kind == kind, OUTBOX.c.match_id == match_id)
    row = connection.execute(rows.where(OUTBOX.c.seat_id == seat_id).order_by(OUTBOX.c.id.desc()).limit(1)).first()
    return (row[0], row[1]) if row else None


def id_of(connection: Connection, kind: str, match: str, number: int, seat: str, version: int) -> str | None:
    """The id of the mail that tells this; None if there is none."""
    rows = select(OUTBOX.c.message_id).join(MATCH, MATCH.c.id == OUTBOX.c.match_id)
    rows = rows.join(SEAT, SEAT.c.id == OUTBOX.c.seat_id).where(MATCH.c.slug == match, SEAT.c.code == seat)
    rows = rows.where(OUTBOX.c.kind == kind, OUTBOX.c.round == number, OUTBOX.c.version == version)
    return connection.execute(rows.order_by(OUTBOX.c.id).limit(1)).scalar()


def went_to(connection: Connection, message_ids: Iterable[str], address: str) -> bool:
    """Whether one of these is a mail of ours, no seat's, to this address."""
    wanted = address.strip().casefold()
    for keys in batches(sorted(set(message_ids))):
        rows = select(OUTBOX.c.recipient).where(OUTBOX.c.message_id.in_(keys), OUTBOX.c.seat_id.is_(None))
        if any(str(to).casefold() == wanted for to in connection.execute(rows).scalars()):
            return True
    return False


def kind_of(connection: Connection, message_id: str, seat_id: int) -> str:
    """What kind of mail of ours to this seat has that id; nothing if none has."""
    rows = select(OUTBOX.c.kind).where(OUTBOX.c.message_id == message_id, OUTBOX.c.seat_id == seat_id)
    return str(connection.execute(rows).scalar() or "")


def counts(connection: Connection) -> Mapping[str, int]:
    """How many mails are in each state."""
    rows = connection.execute(select(OUTBOX.c.state, func.count()).group_by(OUTBOX.c.state).order_by(OUTBOX.c.state))
    return {row[0]: row[1] for row in rows}


def due(connection: Connection, now: datetime) -> int:
    """How many mails could go out now."""
    return connection.execute(select(func.count()).select_from(OUTBOX).where(*is_due(now))).scalar_one()


def is_due(now: datetime) -> tuple[Any, ...]:
    """The mails that could go now, as a condition; one whose part isn't drawn yet can't."""
    is_whole = or_(OUTBOX.c.part.is_(None), OUTBOX.c.part.in_(parts.ready()))
    return OUTBOX.c.state.in_(WAITING), or_(OUTBOX.c.not_before.is_(None), OUTBOX.c.not_before <= now), is_whole


def raw(connection: Connection, message_id: str) -> bytes | None:
    """A mail's bytes, as they go out."""
    rows = select(OUTBOX.c.raw, OUTBOX.c.part, OUTBOX.c.part_at).where(OUTBOX.c.message_id == message_id)
    found = connection.execute(rows).one_or_none()
    if found is None:
        return None
    known = parts.contents(connection, [found.part] if found.part else ())
    return parts.whole(found.raw, known.get(found.part, b""), found.part_at)


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail of ours to a seat: which one, to whom, when."""

    match_id: int
    seat_id: int
    recipient: str
    created_at: datetime


def sent_to(connection: Connection, message_ids: Iterable[str]) -> Mapping[str, Sent]:
    """Message-IDs of ours -> where the mail went."""
    found: dict[str, Sent] = {}
    names = tuple(Sent.__dataclass_fields__)
    for keys in batches(sorted(set(message_ids))):
        rows = select(OUTBOX.c.message_id, *(OUTBOX.c[name] for name in names))
        rows = rows.where(OUTBOX.c.message_id.in_(keys), OUTBOX.c.seat_id.is_not(None))
        found |= {row[0]: Sent(*row[1:]) for row in connection.execute(rows)}
    return found


def written_since(
    connection: Connection, seat_ids: Sequence[int], since: datetime
) -> tuple[tuple[str, str, datetime], ...]:
    """Recipient, kind and date of the mails to these seats since then."""
    found: list[tuple[str, str, datetime]] = []
    for keys in batches(sorted(set(seat_ids))):
        rows = select(OUTBOX.c.recipient, OUTBOX.c.kind, OUTBOX.c.created_at)
        rows = rows.where(OUTBOX.c.seat_id.in_(keys), OUTBOX.c.created_at >= since)
        found += ((recipient, kind, at) for recipient, kind, at in connection.execute(rows))
    return tuple(found)


# ------------------------------------------------------------------ what a person decides


def hold(connection: Connection, why: str) -> None:
    """Let nothing out any more, whatever is queued later; a restored backup begins so."""
    set_fact(connection, HOLD, why or "on hold")


def held(connection: Connection) -> str:
    """Why nothing goes out; empty if it does."""
    return fact(connection, HOLD) or ""


def release(connection: Connection) -> bool:
    """Let mail out again; whether it had been on hold."""
    was = held(connection)
    drop_fact(connection, HOLD)
    return bool(was)


def resend(connection: Connection, ids: Sequence[int]) -> int:
    """Queue mails anew, with their old ids and bytes; one that is being sent stays as it is. The number."""
    fresh = {"state": "queued", "attempts": 0, "trouble": "", "not_before": None, "first_attempt_at": None}
    count = 0
    for keys in batches(ids):
        # A mail whose bytes are gone, since a player was forgotten, can't be sent again.
        again = update(OUTBOX).where(OUTBOX.c.id.in_(keys), OUTBOX.c.state != "sending", func.length(OUTBOX.c.raw) > 0)
        count += connection.execute(again.values(**fresh)).rowcount
    return count


def stop_blocked(connection: Connection) -> int:
    """Take mails to addresses that are stopped out of the queue, each with the reason. The number."""
    count = 0
    for stop in troubles.stops(connection):
        waiting = update(OUTBOX).where(OUTBOX.c.state.in_(WAITING), func.lower(OUTBOX.c.recipient) == stop.address_key)
        count += connection.execute(waiting.values(state="held", trouble=STOPPED + stop.words)).rowcount
    return count


def start_again(connection: Connection, address: str) -> int:
    """Queue what was held for an address. The number."""
    kept = update(OUTBOX).where(OUTBOX.c.state == "held", func.lower(OUTBOX.c.recipient) == fold(address))
    kept = kept.where(OUTBOX.c.trouble.not_like(f"{LEFT}%"))
    return connection.execute(kept.values(state="queued", trouble="", not_before=None)).rowcount


def leave(connection: Connection, match_ids: Sequence[int]) -> None:
    """What waits of these matches goes out from another site from now on."""
    for state in (*WAITING, "sending"):
        own = update(OUTBOX).where(OUTBOX.c.match_id.in_(match_ids), OUTBOX.c.state == state)
        connection.execute(own.values(state="held", trouble=LEFT + state, claim=None))


def stay(connection: Connection, match_ids: Sequence[int]) -> None:
    """It didn't: it goes out from here after all; what was being sent may have gone."""
    for state, back in (*((one, one) for one in WAITING), ("sending", "in_doubt")):
        own = update(OUTBOX).where(OUTBOX.c.match_id.in_(match_ids), OUTBOX.c.trouble == LEFT + state)
        connection.execute(own.values(state=back, trouble=""))


def came_back(connection: Connection, mail_id: int, words: str) -> None:
    """A mail that had gone out didn't arrive."""
    gone = update(OUTBOX).where(OUTBOX.c.id == mail_id, OUTBOX.c.state.in_(("sent", *WAITING)))
    connection.execute(gone.values(state="failed", trouble=words))
