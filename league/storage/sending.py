"""Mails on their way out of the outbox: taken in batches, settled one by one, put back after a crash."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Protocol

from sqlalchemy import (
    Connection,
    Engine,
    RowMapping,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal,
    null,
    or_,
    select,
    update,
)

from league.storage import parts, troubles
from league.storage.engine import batches, open_line, transaction, write
from league.storage.leagues import fold
from league.storage.outbox import WAITING, held, is_due
from league.storage.tables import OUTBOX
from league.storage.troubles import BOUNCE, FAILED, NOTICE, Trouble

RETRIES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240))  # the last one again and again
GIVE_UP = timedelta(days=2)
DOUBT_PAUSE = timedelta(minutes=15)
HOUR = timedelta(hours=1)

_NO_SUCH_ADDRESS = re.compile(r"\b5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b")  # what a bounce would say a minute later


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail taken for sending."""

    id: int
    message_id: str
    recipient: str
    raw: bytes
    attempts: int


class Ended(Protocol):
    """What became of a mail, as delivery tells it: sent, later, refused, doubt, stopped."""

    @property
    def id(self) -> int:
        """Its number."""
        ...

    @property
    def outcome(self) -> str:
        """The word for it."""
        ...

    @property
    def words(self) -> str:
        """The words of the other side."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How many mails may go out in an hour, to all and to one domain; 0 is no limit."""

    per_hour: int = 0
    per_domain: int = 0


NO_LIMIT = Pace()


@dataclass(slots=True)
class Queue:
    """The outbox as delivery sees it: each step is a transaction of its own. Who has settled mails closes it.

    `claim` marks what this sender has taken: nobody else's outcome counts for it, nor its for anybody else's.
    """

    engine: Engine
    now: datetime
    pace: Pace = NO_LIMIT
    claim: str = field(default_factory=lambda: token_hex(8))
    _line: Connection | None = field(default=None, init=False)

    def take(self, limit: int) -> Sequence[Waiting]:
        """The next mails that are due and within the pace, marked as being sent; none while the outbox is on hold."""
        with write(self.engine) as connection:
            room = min(limit, self._room(connection))
            if room <= 0 or held(connection):
                return ()
            ids = self._choose(connection, room)
            if not ids:
                return ()
            own = and_(OUTBOX.c.id.in_(ids), OUTBOX.c.state.in_(WAITING))
            connection.execute(update(OUTBOX).where(own).values(**self._taken()))
            rows = select(*(OUTBOX.c[name] for name in (*Waiting.__dataclass_fields__, "part", "part_at")))
            rows = rows.where(OUTBOX.c.id.in_(ids), OUTBOX.c.claim == self.claim, OUTBOX.c.state == "sending")
            return _whole(connection, connection.execute(rows.order_by(*_ORDER)).mappings().all())

    def _taken(self) -> dict[str, Any]:
        return {
            "state": "sending",
            "claim": self.claim,
            "attempted_at": self.now,
            "attempts": OUTBOX.c.attempts + 1,
            "first_attempt_at": func.coalesce(
                OUTBOX.c.first_attempt_at, literal(self.now, OUTBOX.c.first_attempt_at.type)
            ),
        }

    def _room(self, connection: Connection) -> int:
        """How many more may go out this hour; a mail in doubt may have gone."""
        if not self.pace.per_hour:
            return 1_000_000
        gone = select(func.count()).select_from(OUTBOX).where(self._lately())
        return self.pace.per_hour - connection.execute(gone).scalar_one()

    def _lately(self) -> Any:
        since = self.now - HOUR
        return or_(OUTBOX.c.sent_at > since, and_(OUTBOX.c.state == "in_doubt", OUTBOX.c.attempted_at > since))

    def _choose(self, connection: Connection, room: int) -> list[int]:
        due_now: Select[Any] = select(OUTBOX.c.id, OUTBOX.c.domain).where(*is_due(self.now)).order_by(*_ORDER)
        most = self.pace.per_domain
        if not most:
            return [row.id for row in connection.execute(due_now.limit(room).with_for_update(skip_locked=True))]
        gone = select(OUTBOX.c.domain, func.count()).where(self._lately()).group_by(OUTBOX.c.domain)
        used = {row[0]: row[1] for row in connection.execute(gone)}
        full = sorted(domain for domain, count in used.items() if count >= most)
        chosen: list[int] = []
        rows = due_now.where(OUTBOX.c.domain.not_in(full)).limit(room).with_for_update(skip_locked=True)
        for key, domain in connection.execute(rows):
            used[domain] = used.get(domain, 0) + 1
            if used[domain] <= most:
                chosen.append(key)
        return chosen

    def settle(self, handed: Sequence[Ended]) -> None:
        """What became of mails that were taken. A line is kept open for it: opening one costs as much as a mail."""
        if self._line is None:
            self._line = open_line(self.engine)
        with transaction(self._line):
            rows = [{"mail": one.id, "sender": self.claim, "now": self.now} for one in handed if one.outcome == "sent"]
            if rows:
                self._line.execute(_SENT, rows if len(rows) > 1 else rows[0])
            for one in handed:
                if one.outcome == "stopped":
                    self._put_back(self._line)
                elif one.outcome != "sent":
                    self._not_sent(self._line, one)

    def close(self) -> None:
        """Give the line back."""
        if self._line is not None:
            self._line.close()
        self._line = None

    def _own(self) -> tuple[Any, ...]:
        return OUTBOX.c.claim == self.claim, OUTBOX.c.state == "sending"

    def _put_back(self, connection: Connection) -> None:
        connection.execute(update(OUTBOX).where(*self._own()).values(**_UNTRIED))

    def _not_sent(self, connection: Connection, one: Ended) -> None:
        """Later by the schedule, or failed: refused, or given up."""
        found = connection.execute(select(OUTBOX).where(OUTBOX.c.id == one.id, *self._own())).mappings().first()
        if found is None:
            return
        words, given_up = one.words, self.now - found["first_attempt_at"] >= GIVE_UP
        if one.outcome != "refused" and given_up:
            words = f"given up after {GIVE_UP.days} days: {one.words}"
        own = update(OUTBOX).where(OUTBOX.c.id == one.id, *self._own())
        if one.outcome == "refused" or given_up:
            connection.execute(own.values(state="failed", trouble=words, not_before=None))
            if found["kind"] != NOTICE:  # a notice about a notice would go on for ever
                kind = BOUNCE if one.outcome == "refused" and _NO_SUCH_ADDRESS.search(words) else FAILED
                key = fold(found["recipient"])
                troubles.note(connection, [Trouble(kind, key, words, self.now, self.now, one.id)])
            return
        doubt = one.outcome == "doubt"
        pause = DOUBT_PAUSE if doubt else RETRIES[min(found["attempts"], len(RETRIES)) - 1]
        state = "in_doubt" if doubt else "queued"
        connection.execute(own.values(state=state, trouble=words, not_before=self.now + pause))


def _whole(connection: Connection, rows: Sequence[RowMapping]) -> tuple[Waiting, ...]:
    """Mails with the parts that they share in their places."""
    known = parts.contents(connection, (row["part"] for row in rows if row["part"]))
    return tuple(
        Waiting(
            row["id"],
            row["message_id"],
            row["recipient"],
            parts.whole(row["raw"], known.get(row["part"], b""), row["part_at"]),
            row["attempts"],
        )
        for row in rows
    )


_ORDER = (OUTBOX.c.rank, OUTBOX.c.id)
_SENT = (  # made once: it is executed for every mail by itself
    update(OUTBOX)
    .where(
        OUTBOX.c.id == bindparam("mail"), OUTBOX.c.claim == bindparam("sender"), OUTBOX.c.state == literal("sending")
    )
    .values(state=literal("sent"), sent_at=bindparam("now"), trouble=literal(""), not_before=null())
)
_UNTRIED = {
    "state": "queued",
    "attempts": OUTBOX.c.attempts - 1,
    "first_attempt_at": case((OUTBOX.c.attempts <= 1, None), else_=OUTBOX.c.first_attempt_at),
}


def recover(connection: Connection, now: datetime, *, exact: bool) -> int:
    """After a sender that died (its lock is ours now): back into the queue with what it had taken. The number in doubt.

    It handed over one mail after the other and noted each outcome first, so only the first without one may have gone
    out. With a way out that can't double anything, none is in doubt.
    """
    rows = select(OUTBOX.c.claim, OUTBOX.c.id).where(OUTBOX.c.state == "sending").order_by(*_ORDER)
    first: dict[str | None, int] = {}
    for claim, key in connection.execute(rows):
        first.setdefault(claim, key)
    doubtful = [] if exact else sorted(first.values())
    for keys in batches(doubtful):
        words = "the program ended while this mail was being handed over"
        values = {"state": "in_doubt", "trouble": words, "not_before": now + DOUBT_PAUSE}
        connection.execute(update(OUTBOX).where(OUTBOX.c.id.in_(keys)).values(**values))
    connection.execute(update(OUTBOX).where(OUTBOX.c.state == "sending").values(**_UNTRIED))
    return len(doubtful)
