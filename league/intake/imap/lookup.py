"""A look at a mailbox from outside of intake: is everything there that we need, and has one certain mail arrived."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league.intake.imap.account import Account
from league.intake.imap.connection import connect, shut, told
from league.intake.imap.marker import read_clock
from league.intake.imap.scan import open_shelf

HEADER = b"BODY[HEADER]"


@dataclass(frozen=True, slots=True)
class Sight:
    """What a mailbox can do. `clock` is None where no marker is wanted."""

    folders: tuple[tuple[str, int], ...]  # with the number of mails in each
    idles: bool
    moves: bool
    clock: datetime | None


def look_at(account: Account, now: datetime) -> Sight:
    """Get in, look into every folder that is read, put down a marker; `NoMailbox` for what doesn't work."""
    client = connect(account)
    try:
        with told(account):
            folders = tuple((name, _count(client, account, name)) for name in account.folders)
            moves = client.has_capability("MOVE") or client.has_capability("UIDPLUS")
            clock = read_clock(client, account, now) if account.marker else None
            return Sight(folders, client.has_capability("IDLE"), moves, clock)
    finally:
        shut(client)


def _count(client: Any, account: Account, folder: str) -> int:
    open_shelf(client, account, folder)
    return int(client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])


def headers_of(account: Account, message_id: str) -> bytes | None:
    """The header block of the mail with this Message-ID, in whatever folder that is read; nothing is marked."""
    client = connect(account)
    try:
        with told(account):
            return next(_headers(client, account, message_id), None)
    finally:
        shut(client)


def _headers(client: Any, account: Account, message_id: str) -> Iterator[bytes]:
    for folder in account.folders:
        open_shelf(client, account, folder)
        if uids := client.search(["HEADER", "Message-ID", message_id]):
            found = client.fetch(uids[:1], ["BODY.PEEK[HEADER]"])
            yield from (item[HEADER] for item in found.values() if item.get(HEADER))
