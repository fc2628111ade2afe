"""The outbox: mails written in the transaction of the change they tell of, and how far each has got."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, func, select, update

from league.storage.engine import batches, insert_new, plain, write
from league.storage.tables import OUTBOX


@dataclass(frozen=True, slots=True)
class OutMail:
    """A mail to be sent. The Message-ID follows from what it tells, so queueing it again changes nothing."""

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


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail taken for sending."""

    id: int
    message_id: str
    recipient: str
    raw: bytes
    attempts: int


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


def queue(connection: Connection, mails: Sequence[OutMail]) -> int:
    """Queue mails; one whose Message-ID is there already stays as it is. The number that came in."""
    return insert_new(connection, OUTBOX, [plain(mail) | {"attempts": 0, "trouble": ""} for mail in mails])


def listing(
    connection: Connection, states: Sequence[str] = (), match_id: int | None = None, limit: int = 1000
) -> tuple[Line, ...]:
    """The outbox without the mails themselves, the newest first."""
    rows = select(*(OUTBOX.c[name] for name in Line.__dataclass_fields__)).order_by(OUTBOX.c.id.desc()).limit(limit)
    if states:
        rows = rows.where(OUTBOX.c.state.in_(states))
    if match_id is not None:
        rows = rows.where(OUTBOX.c.match_id == match_id)
    return tuple(Line(**row) for row in connection.execute(rows).mappings())


def counts(connection: Connection) -> Mapping[str, int]:
    """How many mails are in each state."""
    rows = connection.execute(select(OUTBOX.c.state, func.count()).group_by(OUTBOX.c.state).order_by(OUTBOX.c.state))
    return {row[0]: row[1] for row in rows}


def raw(connection: Connection, message_id: str) -> bytes | None:
    """A mail's bytes, as they go out."""
    return connection.execute(select(OUTBOX.c.raw).where(OUTBOX.c.message_id == message_id)).scalar()


def hold(connection: Connection) -> int:
    """Stop everything that hasn't gone out; a restored backup starts so. The number of mails."""
    waiting = update(OUTBOX).where(OUTBOX.c.state.in_(("queued", "sending")))
    return connection.execute(waiting.values(state="held")).rowcount


def release(connection: Connection, states: Sequence[str] = ("held",)) -> int:
    """Queue held (or failed) mails again. The number of mails."""
    return connection.execute(update(OUTBOX).where(OUTBOX.c.state.in_(states)).values(state="queued")).rowcount


@dataclass(frozen=True, slots=True)
class Queue:
    """The outbox as delivery sees it: each step is a transaction of its own."""

    engine: Engine
    now: datetime

    def take(self, after: int, limit: int) -> Sequence[Waiting]:
        """The next mails behind this number, marked as being sent; those a crash left half sent are among them."""
        with write(self.engine) as connection:
            rows = select(*(OUTBOX.c[name] for name in Waiting.__dataclass_fields__))
            rows = rows.where(OUTBOX.c.state.in_(("queued", "sending")), OUTBOX.c.id > after)
            rows = rows.order_by(OUTBOX.c.id).limit(limit).with_for_update(skip_locked=True)
            taken = tuple(Waiting(**row) for row in connection.execute(rows).mappings())
            if taken:
                marked = update(OUTBOX).where(OUTBOX.c.id.in_([mail.id for mail in taken]))
                values = {"state": "sending", "attempted_at": self.now, "attempts": OUTBOX.c.attempts + 1}
                connection.execute(marked.values(**values))
            return taken

    def sent(self, ids: Sequence[int]) -> None:
        """These went out."""
        with write(self.engine) as connection:
            marked = update(OUTBOX).where(OUTBOX.c.id.in_(ids), OUTBOX.c.state == "sending")
            connection.execute(marked.values(state="sent", sent_at=self.now, trouble=""))

    def failed(self, troubles: Mapping[int, str]) -> None:
        """These were refused for good, with the words of the other side."""
        with write(self.engine) as connection:
            for key, trouble in troubles.items():
                connection.execute(update(OUTBOX).where(OUTBOX.c.id == key).values(state="failed", trouble=trouble))


def sent_to(connection: Connection, message_ids: Iterable[str]) -> Mapping[str, tuple[int, int]]:
    """Message-IDs of ours -> (match, seat) the mail went to."""
    found: dict[str, tuple[int, int]] = {}
    for keys in batches(sorted(set(message_ids))):
        rows = select(OUTBOX.c.message_id, OUTBOX.c.match_id, OUTBOX.c.seat_id)
        rows = rows.where(OUTBOX.c.message_id.in_(keys), OUTBOX.c.seat_id.is_not(None))
        found |= {key: (match_id, seat_id) for key, match_id, seat_id in connection.execute(rows)}
    return found
