"""The order book: order mails as understood, and the press that came with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection, bindparam, func, insert, select, update

from league.core.json import Json
from league.storage.engine import batches, insert_new, plain
from league.storage.tables import PRESS, SUBMISSION

ORDERS, REPLIES = 1, 2  # what a mail was booked for: the round's orders, or its evaluation


@dataclass(frozen=True, slots=True)
class Submission:
    """One order mail of a seat. `lines` is what was understood, `leaf` what the freeze will commit to.

    `sequence` is the place in the mailbox, for mails of the same instant (K21).
    """

    round_id: int
    seat_id: int
    revision: int
    digest: str
    received_at: datetime
    sequence: int
    text: str
    lines: tuple[Json, ...]
    replaces: bool
    nonce: str
    leaf: str
    mail_id: int | None = None
    phase: int = ORDERS


@dataclass(frozen=True, slots=True)
class PressLine:
    """A message to other players, `recipients` being their seats; without any it is for everyone."""

    round_id: int
    seat_id: int
    received_at: datetime
    recipients: tuple[str, ...]
    text: str
    mail_id: int | None = None
    anonymous: bool = False
    reply: bool = False  # to the writer of a message, who may be unnamed
    salt: str = ""
    sha256: str = ""  # the commitment; of a message to single players there is none


def last_revisions(connection: Connection, round_ids: Sequence[int], phase: int = 1) -> Mapping[tuple[int, int], int]:
    """(round, seat) -> the number of its last order mail; ask within the transaction that stores the next."""
    found: dict[tuple[int, int], int] = {}
    for ids in batches(round_ids):
        rows = select(SUBMISSION.c.round_id, SUBMISSION.c.seat_id, func.max(SUBMISSION.c.revision))
        rows = rows.where(SUBMISSION.c.round_id.in_(ids), SUBMISSION.c.phase == phase)
        for round_id, seat_id, last in connection.execute(rows.group_by(SUBMISSION.c.round_id, SUBMISSION.c.seat_id)):
            found[round_id, seat_id] = last
    return found


def store_submissions(connection: Connection, submissions: Sequence[Submission]) -> int:
    """Put order mails into the book; the same mail for the same seat and phase counts once. How many came in."""
    return insert_new(connection, SUBMISSION, [plain(s) | {"lines": list(s.lines)} for s in submissions])


def submissions(connection: Connection, round_ids: Sequence[int]) -> tuple[Submission, ...]:
    """The order mails of these rounds, in order of arrival, the same however they were stored."""
    found: list[Submission] = []
    for ids in batches(round_ids):
        rows = select(*_SUBMISSION).where(SUBMISSION.c.round_id.in_(ids)).order_by(*_ARRIVAL)
        mails = connection.execute(rows).mappings()
        found += (Submission(**{**mail, "lines": tuple(mail["lines"])}) for mail in mails)
    return tuple(found)


_SUBMISSION = tuple(SUBMISSION.c[name] for name in Submission.__dataclass_fields__)
_ARRIVAL = (
    SUBMISSION.c.round_id,
    SUBMISSION.c.phase,  # replies come after the orders that they follow from
    SUBMISSION.c.received_at,
    SUBMISSION.c.sequence,
    SUBMISSION.c.digest,
    SUBMISSION.c.seat_id,
)


def set_received(connection: Connection, round_id: int, digest: str, received_at: datetime, leaf: str) -> None:
    """A corrected time of arrival, before the freeze; the leaf goes with it."""
    where = (SUBMISSION.c.round_id == round_id, SUBMISSION.c.phase == ORDERS, SUBMISSION.c.digest == digest)
    connection.execute(update(SUBMISSION).where(*where).values(received_at=received_at, leaf=leaf))


def set_lines(connection: Connection, changed: Sequence[Submission]) -> None:
    """Store what order mails were understood as anew, e.g. after a correction of the words."""
    if not changed:
        return
    keys = ("round_id", "phase", "seat_id", "revision")
    statement = update(SUBMISSION).where(*(SUBMISSION.c[key] == bindparam(f"b_{key}") for key in keys))
    rows = [{f"b_{key}": getattr(s, key) for key in keys} | {"lines": list(s.lines)} for s in changed]
    connection.execute(statement.values(lines=bindparam("lines")), rows)


def store_press(connection: Connection, lines: Sequence[PressLine]) -> None:
    """Keep press; the caller has made sure that its mail is new."""
    if lines:
        connection.execute(insert(PRESS), [plain(p) | {"recipients": list(p.recipients)} for p in lines])


def press(connection: Connection, round_ids: Sequence[int]) -> tuple[PressLine, ...]:
    """The press of these rounds, in order of arrival."""
    found: list[PressLine] = []
    for ids in batches(round_ids):
        rows = select(*(PRESS.c[name] for name in PressLine.__dataclass_fields__)).where(PRESS.c.round_id.in_(ids))
        rows = rows.order_by(PRESS.c.round_id, PRESS.c.received_at, PRESS.c.id)
        lines = connection.execute(rows).mappings()
        found += (PressLine(**{**line, "recipients": tuple(line["recipients"])}) for line in lines)
    return tuple(found)


def press_by_round(connection: Connection, round_ids: Sequence[int]) -> dict[int, tuple[PressLine, ...]]:
    """The press of each of these rounds, of those where anybody wrote."""
    by_round = groupby(press(connection, sorted(round_ids)), key=lambda line: line.round_id)
    return {round_id: tuple(lines) for round_id, lines in by_round}
