"""What a bounce says of a mail of ours: which one, whether for good, and in whose words.

Bounces come in every form, so this reads lines and not structure: the fields of a delivery status (RFC 3464) or a
feedback report (RFC 5965) where there is one, else the first code in the text. Which mail is meant is said by an
address of ours in it (VERP) or by the Message-ID of the mail that came back; both are only claims until the desk has
compared them with what it sent. Everything is bounded: no more than so many bytes, lines and names are looked at.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

MOST = 300_000  # bytes that are looked at
FIELDS = 20_000  # bytes of a delivery status
LINES = 100  # lines of free text in which a code is looked for
NAMES = 5
WORDS = 200

_TOKEN = re.compile(rb"\+(b-[0-9a-z]{1,9}-[a-z2-7]{16})@", re.IGNORECASE)
_RETURNED_ID = re.compile(
    rb"^[> \t]{0,8}message-id:[ \t]{0,8}(?:\r?\n[ \t]{1,8})?(<[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE
)
_FIELD = re.compile(rb"([a-z-]{4,30}):[ \t]*([^\r\n]{0,900}(?:\r?\n[ \t][^\r\n]{0,900}){0,4})", re.IGNORECASE)
_FAILED = re.compile(rb"^x-failed-recipients:", re.IGNORECASE | re.MULTILINE)
_ENHANCED = re.compile(r"(?<![\d.])([45])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_PLAIN = re.compile(r"(?<!\S)#?([45])[0-5]\d[ -]")
_COMPLAINTS = frozenset({"abuse", "fraud", "virus", "opt-out", "other"})
_CONTENT = ("5.6.", "5.7.", "5.3.4", "5.2.3")  # of this mail or of us, not of the address


class Kind(StrEnum):
    """What a bounce means."""

    HARD = "hard"  # the address takes no mail
    RETURNED = "returned"  # this mail didn't arrive; another may
    DELAYED = "delayed"  # it may still arrive
    COMPLAINT = "complaint"  # its reader called it spam
    UNCLEAR = "unclear"  # something is said about it, and no code with it
    NOTHING = "nothing"  # it arrived


@dataclass(frozen=True, slots=True)
class Bounce:
    """What is said, and about which mail: `tokens` of our own addresses, `message_ids` of what came back."""

    kind: Kind
    words: str
    tokens: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()


def read_bounce(raw: bytes) -> Bounce:
    """Whatever the bytes are, they say something: at worst nothing clear, about no mail."""
    seen = raw[:MOST]
    head, _, body = seen.replace(b"\r\n", b"\n").partition(b"\n\n")
    tokens = tuple(dict.fromkeys(found[1].decode().lower() for found in _first(_TOKEN, seen)))
    returned = tuple(dict.fromkeys(found[1].decode("ascii", "replace") for found in _first(_RETURNED_ID, body)))
    kind, words = _meaning(head, body)
    return Bounce(kind, " ".join(words.split())[:WORDS], tokens, returned)


def _first(pattern: re.Pattern[bytes], text: bytes) -> Iterator[re.Match[bytes]]:
    return (found for found, _ in zip(pattern.finditer(text), range(NAMES), strict=False))


def _meaning(head: bytes, body: bytes) -> tuple[Kind, str]:
    complaint = dict(_fields(body, b"message/feedback-report"))
    if complaint:
        what = complaint.get("feedback-type", "").lower()
        return (Kind.COMPLAINT, f"{what} report") if what in _COMPLAINTS else (Kind.NOTHING, what)
    status = list(_fields(body, b"message/delivery-status"))
    if status:
        return _by_status(status)
    return _by_text(body, failed=bool(_FAILED.search(head)))


def _fields(body: bytes, kind: bytes) -> Iterator[tuple[str, str]]:
    """The fields of a part of this kind, up to the line that ends it."""
    place = body.lower().find(kind)
    if place < 0:
        return
    part = body[place : place + FIELDS].partition(b"\n--")[0].partition(b"\n")[2]
    for line in _FIELD.finditer(part):
        yield line[1].decode().lower(), line[2].decode("utf-8", "replace")


def _by_status(fields: list[tuple[str, str]]) -> tuple[Kind, str]:
    """A status of several recipients tells of ours all the same: each mail of ours has one."""
    actions = {value.split()[0].lower() for name, value in fields if name == "action" and value.split()}
    code = next((found[0] for name, value in fields if name == "status" and (found := _ENHANCED.search(value))), "")
    said = next((value.partition(";")[2] or value for name, value in fields if name == "diagnostic-code"), "")
    words = said if code in said else f"{code} {said}"
    if "failed" in actions or (not actions and code.startswith("5")):
        return _for_good(code), words
    if "delayed" in actions or (not actions and code):
        return Kind.DELAYED, words
    return (Kind.NOTHING if actions else Kind.UNCLEAR), words


def _for_good(code: str) -> Kind:
    if code.startswith(_CONTENT) or not code.startswith("5"):
        return Kind.RETURNED
    return Kind.HARD


def _by_text(body: bytes, *, failed: bool) -> tuple[Kind, str]:
    """Free text: the first code before the mail that came back."""
    returned = _RETURNED_ID.search(body)
    text = body[: returned.start() if returned else FIELDS][:FIELDS].decode("utf-8", "replace")
    for line in text.splitlines()[:LINES]:
        if found := _ENHANCED.search(line):
            return (_for_good(found[0]) if found[1] == "5" else Kind.DELAYED), line.strip()
    for line in text.splitlines()[:LINES]:
        if found := _PLAIN.search(line):
            return (Kind.HARD if found[1] == "5" else Kind.DELAYED), line.strip()
    return (Kind.HARD if failed else Kind.UNCLEAR), ""
