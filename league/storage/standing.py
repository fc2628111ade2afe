"""The book of standing orders: what players want entered in rounds in which they send nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from league.core.json import Json
from league.storage.engine import batches, plain
from league.storage.tables import ROUND, SEAT, STANDING

SOURCE = "standing"  # the source of a mail that standing orders make


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept for a seat from a mail on, as the order book has lines; without any the mail ended it.

    `round` is the one that the mail was for, the first in which it holds.
    """

    seat_id: int
    round: int
    received_at: datetime
    mail_id: int
    lines: tuple[Json, ...]
    entered_at: datetime


def keep(connection: Connection, kept: Sequence[Kept]) -> None:
    """Add what mails set or ended; the latest by arrival is in force, in whatever order they were judged."""
    if kept:
        rows = [plain(one) | {"lines": list(one.lines), "ended_at": None} for one in kept]
        connection.execute(insert(STANDING), rows)


def end_kept(connection: Connection, seat_id: int, now: datetime) -> bool:
    """Nothing of the seat is kept any more: its player has left; False if nothing was."""
    ended = update(STANDING).where(STANDING.c.seat_id == seat_id, STANDING.c.ended_at.is_(None))
    return connection.execute(ended.values(ended_at=now)).rowcount > 0


def kept_at(connection: Connection, round_ids: Sequence[int]) -> dict[tuple[int, int], Kept]:
    """(round, seat) -> the last word of the seat's player up to that round; later rounds' mails don't reach back."""
    found: dict[tuple[int, int], Kept] = {}
    for ids in batches(round_ids):
        last = _ranked(ids).subquery()
        for row in connection.execute(select(last).where(last.c.place == 1)).mappings():
            values = {name: row[name] for name in _NAMES}
            found[row["id"], row["seat_id"]] = Kept(**{**values, "lines": tuple(row["lines"])})
    return found


_NAMES = tuple(Kept.__dataclass_fields__)
_ORDER = (STANDING.c.round.desc(), STANDING.c.received_at.desc(), STANDING.c.mail_id.desc())


def _ranked(round_ids: Sequence[int]) -> Select[Any]:
    """What holds in each of these rounds for each seat, the latest at place 1."""
    parts = (ROUND.c.id, STANDING.c.seat_id)
    place = func.row_number().over(partition_by=parts, order_by=_ORDER).label("place")
    return (
        select(ROUND.c.id, *(STANDING.c[name] for name in _NAMES), place)
        .join(SEAT, SEAT.c.match_id == ROUND.c.match_id)
        .join(STANDING, STANDING.c.seat_id == SEAT.c.id)
        .where(ROUND.c.id.in_(round_ids), STANDING.c.ended_at.is_(None), STANDING.c.round <= ROUND.c.number)
    )
