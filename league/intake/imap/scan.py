"""What lies in a folder and wasn't seen, and its bytes: never more of them at a time than a few megabytes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from imaplib import IMAP4
from typing import Any

from league.intake import headers
from league.intake.imap.account import Account, Ledger
from league.intake.mailbox import Origin, RawMail, Shelf, raw_mail
from league.intake.mime import glance

MOST = 100  # mails a FETCH
MOST_BYTES = 4_000_000
MARGIN = timedelta(days=2)  # SINCE knows days only, and not in whose zone
SIZE, BODY = b"RFC822.SIZE", b"BODY[]<0>"


@dataclass(frozen=True, slots=True)
class Some:
    """A few mails, and how many UIDs are done with. `lost`: those that lie there and can't be fetched.

    A UID that a person took away meanwhile gives no mail and isn't lost.
    """

    mails: list[RawMail]
    done: int
    lost: list[int]


def open_shelf(client: Any, account: Account, folder: str) -> Shelf:
    """Look into a folder without leaving a trace: EXAMINE, which sets no flag."""
    told: Mapping[bytes, Any] = client.select_folder(folder, readonly=True)
    return Shelf(account.name, folder, int(told[b"UIDVALIDITY"]))


def unseen(client: Any, shelf: Shelf, ledger: Ledger, account: Account, now: datetime) -> list[int]:
    """UIDs that the ledger doesn't know: of the last days, whatever was seen, and all behind the last one seen.

    A folder seen for the first time, or anew after its UIDs changed, is read for the last days alone.
    """
    since = (now - timedelta(days=account.scan_days) - MARGIN).date()
    found = set(client.search(["SINCE", since]))
    if last := ledger.last(shelf):
        found |= {uid for uid in client.search(["UID", f"{last + 1}:*"]) if uid > last}  # `*` alone is always found
    return sorted(found - ledger.known(shelf, sorted(found)))


def next_mails(client: Any, shelf: Shelf, waiting: list[int], account: Account, now: datetime) -> Some:
    """The first of these mails, as many as are few and small."""
    first = waiting[:MOST]
    sizes = {uid: item[SIZE] for uid, item in _fetch(client, first, SIZE, SIZE).items()}
    some = _fitting(first, sizes, account.max_bytes)
    part = f"BODY.PEEK[]<0.{account.max_bytes + 1}>".encode()  # whatever size is stated, no more than this comes
    found = _bodies(client, [uid for uid in some if uid in sizes], part)
    mails = [_mail(shelf, uid, item, now) for uid, item in found.items()]
    return Some(mails, len(some), _still_there(client, [uid for uid in some if uid not in found]))


def _bodies(client: Any, uids: list[int], part: bytes) -> dict[int, Any]:
    """Their bytes; one that the server can't read isn't allowed to hide the others."""
    if not uids:
        return {}
    try:
        return _fetch(client, uids, BODY, b"INTERNALDATE", part)
    except IMAP4.abort:
        raise
    except IMAP4.error:
        if len(uids) == 1:
            return {}
        return {key: item for uid in uids for key, item in _bodies(client, [uid], part).items()}


def _fitting(uids: list[int], sizes: Mapping[int, int], max_bytes: int) -> list[int]:
    """As many from the beginning as fit; one at least."""
    total = 0
    some: list[int] = []
    for uid in uids:
        total += min(sizes.get(uid, 0), max_bytes + 1)
        if some and total > MOST_BYTES:
            break
        some.append(uid)
    return some


def _mail(shelf: Shelf, uid: int, item: Mapping[bytes, Any], now: datetime) -> RawMail:
    content: bytes = item[BODY]
    stamp = item.get(b"INTERNALDATE")
    made = raw_mail(content, stamp.astimezone(UTC) if stamp else now, f"imap:{shelf.account}/{shelf.folder};UID={uid}")
    own_ids = [one for value in glance(content, b"message-id") for one in headers.ids(value)]
    return replace(made, origin=Origin(shelf, uid, own_ids[0] if own_ids else ""))


def _fetch(client: Any, uids: Iterable[int], needed: bytes, *asked: bytes) -> dict[int, Any]:
    """Answers that hold what is needed: flags that the server tells unasked belong to any mail or to none."""
    found: Mapping[int, Mapping[bytes, Any]] = client.fetch(list(uids), asked)
    return {uid: item for uid, item in found.items() if item.get(needed) is not None}


def _still_there(client: Any, uids: list[int]) -> list[int]:
    return sorted(set(client.search(["UID", ",".join(map(str, uids))])) & set(uids)) if uids else []
