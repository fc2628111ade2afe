"""Judged mails leave the folder they came into, if the site wants that. Nothing depends on it."""

from collections.abc import Sequence
from typing import Any

from imapclient.exceptions import CapabilityError

from league.intake.imap.account import Account, Ledger
from league.intake.imap.scan import open_shelf
from league.intake.screen import Verdict

MOST = 200
STAY = frozenset({Verdict.HELD, Verdict.QUARANTINED})  # a person looks at them where they are
NOT_COUNTED = frozenset({Verdict.REJECTED, Verdict.IGNORED, Verdict.BOUNCE, Verdict.UNREADABLE})


def put_away(client: Any, account: Account, ledger: Ledger) -> None:
    """Move what has its verdict and lies there still, what an earlier run left included."""
    for folder in account.folders:
        shelf = open_shelf(client, account, folder)
        by_target: dict[str, list[int]] = {}
        for mail in ledger.judged(shelf):
            if target := target_of(account, mail.verdict):
                by_target.setdefault(target, []).append(mail.uid)
        if by_target:
            client.select_folder(folder)
        for target, uids in sorted(by_target.items()):
            for start in range(0, len(uids), MOST):
                some = uids[start : start + MOST]
                there = client.search(["UID", ",".join(map(str, some))])
                move(client, there, target)
                ledger.put_away(shelf, {uid: target if uid in there else "" for uid in some})


def target_of(account: Account, verdict: str) -> str:
    """The folder for mails of this verdict; empty where they stay."""
    kind = Verdict(verdict)
    if kind in STAY:
        return ""
    return account.rejected if kind in NOT_COUNTED else account.processed


def move(client: Any, uids: Sequence[int], target: str) -> None:
    """MOVE, or COPY and an EXPUNGE of these UIDs alone: a plain EXPUNGE would take what a person marked as deleted."""
    if not uids:
        return
    if not client.folder_exists(target):
        client.create_folder(target)
    if client.has_capability("MOVE"):
        client.move(uids, target)
    elif client.has_capability("UIDPLUS"):
        client.copy(uids, target)
        client.add_flags(uids, [b"\\Deleted"], silent=True)
        client.uid_expunge(uids)
    else:
        raise CapabilityError("it can neither MOVE nor remove single mails; leave processed and rejected empty")
