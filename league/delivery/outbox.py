"""Sending what the outbox holds, so that a crash loses nothing and repeats as little as can be.

A batch is marked as being sent and that is committed. Then mail after mail is handed over, and what became of one is
committed before the next goes out. So of a batch that a crash cut short only the first mail without an outcome may have
gone out unnoticed: the one window that SMTP can't close. It goes out again with the same Message-ID and bytes.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from league.failpoints import reach

BATCH = 100


class Outcome(StrEnum):
    """What became of a mail that was to be handed over."""

    SENT = "sent"
    LATER = "later"  # not now: the server says so, or was lost before it had the mail
    REFUSED = "refused"  # for good
    DOUBT = "doubt"  # handed over, and the server was lost before it answered
    STOPPED = "stopped"  # not tried, and no other can be now: no server, wrong password


@dataclass(frozen=True, slots=True)
class Handed:
    """A mail of the outbox, what became of it, and the words of the other side."""

    id: int
    outcome: Outcome
    words: str = ""


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

    def take(self, limit: int) -> Sequence[Outgoing]:
        """The next mails that are due, marked as being sent."""
        ...

    def settle(self, handed: Sequence[Handed]) -> None:
        """What became of mails that were taken; STOPPED puts all that have no outcome yet back."""
        ...

    def close(self) -> None:
        """Nothing more is settled."""
        ...


class Transport(Protocol):
    """A way out: a Maildir, an SMTP server."""

    @property
    def exact(self) -> bool:
        """Whether handing a mail over twice is handing it over once."""
        ...

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sequence[Handed]]:
        """Hand mails over in their order; nothing is handed over before the last outcome has been taken note of."""
        ...


@dataclass(frozen=True, slots=True)
class Delivered:
    """How many mails went out, were refused, wait for another try or are in doubt; why nothing more could go."""

    sent: int = 0
    failed: int = 0
    later: int = 0
    doubt: int = 0
    trouble: str = ""
    words: str = ""  # of the last mail that didn't go
    held: str = ""  # why the whole outbox is kept in
    waiting: int = 0  # could have gone, but for trouble, hold or the hourly limit

    def plus(self, handed: Sequence[Handed]) -> "Delivered":
        """With what became of some more."""
        count = {outcome: sum(one.outcome is outcome for one in handed) for outcome in Outcome}
        said = [one.words for one in handed if one.outcome not in (Outcome.SENT, Outcome.STOPPED)]
        stopped = [one.words for one in handed if one.outcome is Outcome.STOPPED]
        return replace(
            self,
            sent=self.sent + count[Outcome.SENT],
            failed=self.failed + count[Outcome.REFUSED],
            later=self.later + count[Outcome.LATER],
            doubt=self.doubt + count[Outcome.DOUBT],
            trouble=stopped[0] if stopped else self.trouble,
            words=said[-1] if said else self.words,
        )


def deliver(queue: Queue, transport: Transport, batch: int = BATCH) -> Delivered:
    """Send everything that is due, until there is nothing more or nothing more can go."""
    done = Delivered()
    with closing(queue):
        while not done.trouble and (mails := queue.take(batch)):
            reach("outbox.sending")
            for handed in transport.send(mails):
                reach("outbox.delivered")
                queue.settle(handed)
                reach("outbox.sent")
                done = done.plus(handed)
    return done
