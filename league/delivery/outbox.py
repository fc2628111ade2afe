"""Sending what the outbox holds, so that a crash loses nothing and repeats as little as can be.

A batch is marked as being sent and that is committed; it is handed over; it is marked as sent. After a crash in
between nobody knows how much of the batch went out, so all of it goes out again with the same Message-IDs and bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from league.failpoints import reach

BATCH = 100


class Outgoing(Protocol):
    """A mail as the outbox hands it out."""

    @property
    def id(self) -> int:
        """Its number in the outbox."""
        ...

    @property
    def message_id(self) -> str:
        """Its Message-ID, with angle brackets."""
        ...

    @property
    def recipient(self) -> str:
        """Where it goes."""
        ...

    @property
    def raw(self) -> bytes:
        """The whole mail."""
        ...


class Queue(Protocol):
    """The outbox; each step is committed when it returns."""

    def take(self, after: int, limit: int) -> Sequence[Outgoing]:
        """The next mails with a number above `after`, marked as being sent."""
        ...

    def sent(self, ids: Sequence[int]) -> None:
        """These went out."""
        ...

    def failed(self, troubles: Mapping[int, str]) -> None:
        """These were refused for good."""
        ...


class Transport(Protocol):
    """A way out: a Maildir, an SMTP server."""

    def send(self, mails: Sequence[Outgoing]) -> Mapping[int, str]:
        """Hand mails over; those refused for good with the reason. Passing trouble is an OSError and stops here."""
        ...


@dataclass(frozen=True, slots=True)
class Delivered:
    """How many mails went out and how many were refused."""

    sent: int = 0
    failed: int = 0


def deliver(queue: Queue, transport: Transport, batch: int = BATCH) -> Delivered:
    """Send everything that waits, each mail once in this run."""
    after, sent, failed = 0, 0, 0
    while mails := queue.take(after, batch):
        reach("outbox.sending")
        troubles = transport.send(mails)
        reach("outbox.delivered")
        if troubles:
            queue.failed(troubles)
        queue.sent([mail.id for mail in mails if mail.id not in troubles])
        reach("outbox.sent")
        after = mails[-1].id
        sent, failed = sent + len(mails) - len(troubles), failed + len(troubles)
    return Delivered(sent, failed)
