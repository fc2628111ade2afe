"""Messages to everybody against the hashes in the records: none changed, none added, and none gone without a reason."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from json import loads
from typing import Any

from league.desk.proof.verify_files import JOURNAL, Read
from league.desk.proof.verify_journal import acts_of
from league.desk.proof.verify_told import Told
from league.records.audit import Found, Link
from league.records.press import KIND, is_of, press_file

FORGET = "player forget"  # the act after which words may be missing or changed
Row = Mapping[str, Any]


def check_press(told: Told, newest: Mapping[int, Link], read: Read) -> None:
    """Each round's messages, and files of messages of no round."""
    left = dict(read.press)
    forgot = _has_forgotten(read.journal)
    for number, link in sorted(newest.items()):
        file = press_file(number)
        content = left.pop(file, None)
        if content is None and not link.body.get("press"):
            continue
        told.looked("press")
        at_file = Link(file, "", {"round": number})
        told.found("press", at_file, partial(_compared, told, link, content, forgot=forgot))
    for file in sorted(left):
        told.found("press", Link(file, "", {}), lambda: iter([("", "there is no round whose messages these could be")]))


def _compared(told: Told, link: Link, content: bytes | None, *, forgot: bool) -> Found:
    number = link.round or 0
    rows = _rows(link, content)
    sealed = link.body.get("press")
    if sealed is None:
        told.note("press_unsealed", "its messages are of a time when records didn't hold their hashes", number)
        return
    wanted = Counter(str(one) for one in sealed)
    for place, row in enumerate(rows):
        if wanted[row["sha256"]] < 1:
            yield f"press[{place}]", "no hash of the record is that of this message"
        wanted[row["sha256"]] -= 1
        if row["salt"] and not is_of(row, link.body["league"], link.body["match"], number):
            yield f"press[{place}]", "its words aren't those whose hash stands beside it"
    gone = sum(count for count in wanted.values() if count > 0)
    changed = sum(not row["salt"] for row in rows)
    yield from _missing(told, number, gone, changed, forgot=forgot)


def _missing(told: Told, number: int, gone: int, changed: int, *, forgot: bool) -> Found:
    """Words may go, or name somebody otherwise, where the journal says that a player was forgotten."""
    for count, what in ((gone, "aren't published any more"), (changed, "stand there in other words")):
        if count and forgot:
            told.note("press_gone", f"{count} messages {what}, since a player was forgotten", number)
        elif count:
            yield "", f"{count} messages that were sealed {what}, and {JOURNAL} tells of no player who was forgotten"


def _rows(link: Link, content: bytes | None) -> list[Row]:
    if content is None:
        return []
    body = loads(content)
    own = (KIND, link.body["league"], link.body["match"], link.round)
    if (body["kind"], body["league"], body["match"], body["round"]) != own:
        raise ValueError("it is of another round")
    return list(body["press"])


def _has_forgotten(journal: bytes | None) -> bool:
    return any(act.get("act") == FORGET for act in acts_of(journal) or ())
