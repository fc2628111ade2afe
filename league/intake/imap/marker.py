"""A note to ourselves, put into a folder of our own and read back.

It proves that the server takes and shows mail at this moment, and its INTERNALDATE is what the server's clock says:
no round closes before that clock has passed the end of grace.
"""

from datetime import UTC, datetime
from email.utils import format_datetime
from imaplib import IMAP4
from secrets import token_hex
from typing import Any

from imapclient.exceptions import ProtocolError

from league.intake.imap.account import Account


def read_clock(client: Any, account: Account, now: datetime) -> datetime:
    """The server's clock. The note is removed again, by its own UID and nothing else's."""
    name = f"<marker.{token_hex(8)}@{account.sender.rpartition('@')[2]}>"
    _ensure(client, account.marker)
    client.append(account.marker, _note(name, account.sender, now))
    client.select_folder(account.marker)
    uids = client.search(["HEADER", "Message-ID", name])
    times = [item.get(b"INTERNALDATE") for item in client.fetch(uids, ["INTERNALDATE"]).values()]
    if len(times) != 1 or times[0] is None:
        raise ProtocolError(f"a note put into {account.marker} can't be read back, so it isn't sure what is shown")
    _remove(client, uids[0])
    clock: datetime = times[0]
    return clock.astimezone(UTC)


def _ensure(client: Any, folder: str) -> None:
    if not client.folder_exists(folder):
        client.create_folder(folder)


def _note(name: str, sender: str, now: datetime) -> bytes:
    lines = (
        f"From: {sender}",
        f"To: {sender}",
        "Subject: Marker",
        f"Date: {format_datetime(now)}",
        f"Message-ID: {name}",
        f"X-Loop: {sender}",
        "Auto-Submitted: auto-generated",
        "",
        "A note of the league program to itself. It may be deleted at any time.",
        "",
    )
    return "\r\n".join(lines).encode()


def _remove(client: Any, uid: int) -> None:
    """A server that can't remove this one mail alone keeps it, marked: others' deleted mails are theirs."""
    try:
        client.add_flags([uid], [b"\\Deleted"], silent=True)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge([uid])
    except IMAP4.abort:
        raise
    except IMAP4.error:
        return  # a folder that doesn't let us delete still told the time
