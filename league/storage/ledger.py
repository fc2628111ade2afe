"""The ledger of what was seen on mail servers: keyed by account, folder, UIDVALIDITY and UID."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, bindparam, func, select, update

from league.storage.engine import batches, insert_new, plain
from league.storage.tables import LEDGER, VERDICT

TAKEN = "?"  # a person took it away


@dataclass(frozen=True, slots=True)
class Seen:
    """A message at its place on a server, and the mail that it is."""

    account: str
    folder: str
    validity: int
    uid: int
    mail_id: int
    message_id: str
    digest: str
    seen_at: datetime
    put_away: str = ""


Shelf = tuple[str, str, int]  # account, folder, UIDVALIDITY


def enter(connection: Connection, rows: Sequence[Seen]) -> int:
    """Write down what was seen; what is there already stays as it is."""
    return insert_new(connection, LEDGER, [plain(row) for row in rows])


def last(connection: Connection, shelf: Shelf) -> int:
    """The highest UID seen there; 0 for none."""
    return connection.execute(select(func.max(LEDGER.c.uid)).where(*_on(shelf))).scalar() or 0


def known(connection: Connection, shelf: Shelf, uids: Sequence[int]) -> frozenset[int]:
    """Those of these UIDs that were seen there."""
    if not uids:
        return frozenset()
    rows = select(LEDGER.c.uid).where(*_on(shelf), LEDGER.c.uid.between(min(uids), max(uids)))
    return frozenset(connection.execute(rows).scalars()) & set(uids)


def digests(connection: Connection, account: str, asked: Sequence[str]) -> frozenset[str]:
    """Those of these contents that were seen in this account before, in whatever folder and under whatever UID."""
    found: set[str] = set()
    for some in batches(sorted(set(asked))):
        rows = select(LEDGER.c.digest).where(LEDGER.c.account == account, LEDGER.c.digest.in_(some))
        found |= set(connection.execute(rows).scalars())
    return frozenset(found)


def judged(connection: Connection, shelf: Shelf) -> tuple[tuple[int, str], ...]:
    """UID and verdict of what has one and hasn't left its folder."""
    rows = select(LEDGER.c.uid, VERDICT.c.verdict).join(VERDICT, VERDICT.c.mail_id == LEDGER.c.mail_id)
    rows = rows.where(*_on(shelf), LEDGER.c.put_away == "").order_by(LEDGER.c.uid)
    return tuple((uid, verdict) for uid, verdict in connection.execute(rows))


def put_away(connection: Connection, shelf: Shelf, where: Mapping[int, str]) -> None:
    """These have left their folder."""
    if where:
        row = update(LEDGER).where(*_on(shelf), LEDGER.c.uid == bindparam("at")).values(put_away=bindparam("to"))
        connection.execute(row, [{"at": uid, "to": target or TAKEN} for uid, target in where.items()])


def _on(shelf: Shelf) -> tuple[ColumnElement[bool], ...]:
    account, folder, validity = shelf
    return LEDGER.c.account == account, LEDGER.c.folder == folder, LEDGER.c.validity == validity
