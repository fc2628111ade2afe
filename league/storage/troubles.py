"""The book of troubles with mail of ours: what failed or came back, which addresses get no more, what was told.

A trouble is written in the transaction of what it comes from, and told to the organizer once, when it is due.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from league.storage.engine import batches, insert_new, plain
from league.storage.leagues import fold
from league.storage.tables import MAIL_TROUBLE

FAILED, BOUNCE, RETURNED, DELAYED, COMPLAINT, UNCLEAR = (
    "failed",
    "bounce",
    "returned",
    "delayed",
    "complaint",
    "unclear",
)
STOPPING = (BOUNCE, COMPLAINT)  # after these an address gets no more mail until somebody lifts it
NOTICE = "trouble"  # the kind of mail in which the organizer is told


@dataclass(frozen=True, slots=True)
class Trouble:
    """`kind`: one of the words above. `due_at`: when the organizer is to be told."""

    kind: str
    address_key: str
    words: str
    at: datetime
    due_at: datetime
    outbox_id: int | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """A trouble in the book."""

    id: int
    kind: str
    address_key: str
    words: str
    at: datetime
    due_at: datetime
    outbox_id: int | None
    told_at: datetime | None
    lifted_at: datetime | None


_NOTED = tuple(MAIL_TROUBLE.c[name] for name in Noted.__dataclass_fields__)


def note(connection: Connection, found: Sequence[Trouble]) -> None:
    """Write troubles down."""
    insert_new(connection, MAIL_TROUBLE, [plain(one) for one in found])


def stops(connection: Connection) -> tuple[Noted, ...]:
    """What stops an address now, one for each: the newest."""
    rows = select(*_NOTED).where(MAIL_TROUBLE.c.kind.in_(STOPPING), MAIL_TROUBLE.c.lifted_at.is_(None))
    found = {
        row["address_key"]: Noted(**row) for row in connection.execute(rows.order_by(MAIL_TROUBLE.c.id)).mappings()
    }
    return tuple(found[key] for key in sorted(found))


def lift(connection: Connection, addresses: Sequence[str], now: datetime) -> tuple[str, ...]:
    """Let these addresses have mail again; those that had been stopped."""
    lifted: list[str] = []
    for keys in batches(sorted({fold(address) for address in addresses})):
        stopped = [stop.address_key for stop in stops(connection) if stop.address_key in set(keys)]
        rows = update(MAIL_TROUBLE).where(MAIL_TROUBLE.c.address_key.in_(stopped), MAIL_TROUBLE.c.lifted_at.is_(None))
        if stopped:
            connection.execute(rows.values(lifted_at=now))
        lifted += stopped
    return tuple(lifted)


def untold(connection: Connection, now: datetime) -> tuple[Noted, ...]:
    """What the organizer is to be told now."""
    rows = select(*_NOTED).where(MAIL_TROUBLE.c.told_at.is_(None), MAIL_TROUBLE.c.due_at <= now)
    return tuple(Noted(**row) for row in connection.execute(rows.order_by(MAIL_TROUBLE.c.id)).mappings())


def tell(connection: Connection, ids: Sequence[int], now: datetime) -> None:
    """These were told."""
    for keys in batches(ids):
        connection.execute(update(MAIL_TROUBLE).where(MAIL_TROUBLE.c.id.in_(keys)).values(told_at=now))


def is_delayed(connection: Connection, outbox_id: int) -> bool:
    """Whether it is known already that a mail is late."""
    rows = select(MAIL_TROUBLE.c.id).where(MAIL_TROUBLE.c.outbox_id == outbox_id, MAIL_TROUBLE.c.kind == DELAYED)
    return connection.execute(rows.limit(1)).first() is not None


def forget_delay(connection: Connection, outbox_id: int, now: datetime) -> None:
    """More is known of a mail than that it is late."""
    late = update(MAIL_TROUBLE).where(MAIL_TROUBLE.c.outbox_id == outbox_id, MAIL_TROUBLE.c.kind == DELAYED)
    connection.execute(late.where(MAIL_TROUBLE.c.told_at.is_(None)).values(told_at=now))


def lately(connection: Connection, since: datetime, limit: int = 100) -> tuple[Noted, ...]:
    """What happened since, the newest first."""
    rows = select(*_NOTED).where(MAIL_TROUBLE.c.at >= since).order_by(MAIL_TROUBLE.c.id.desc()).limit(limit)
    return tuple(Noted(**row) for row in connection.execute(rows).mappings())
