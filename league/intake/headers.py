"""Header values read by hand: encoded words, addresses, message ids, times. Linear, and no trick addresses."""

import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum

from league.intake.mime import decoded, from_base64

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\s]*)\?=")
_BETWEEN = re.compile(r"(\?=)\s+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_ID = re.compile(r"<([^<>\s]{1,900})>")
_LOCAL = re.compile(r"[^\s@<>()\[\],;:\"\\]+")
_DOMAIN = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?)*")
_BY = re.compile(r"\s*(?:from\s+\S+\s+(?:\[\S*\]\s+)?)?by\s+([^\s;]+)", re.IGNORECASE)
_LMTP = re.compile(r"\s*(?:from\s+\S+\s+)?by\s+\S+\s+with\s+LMTPS?A?\b", re.IGNORECASE)


def words(value: str) -> str:
    """A header for the eye: encoded words decoded, every control character gone."""
    text = _BETWEEN.sub(r"\1", value)
    out: list[str] = []
    end, waiting, charset = 0, b"", ""
    for hit in _WORD.finditer(text):
        data = _word(hit[2], hit[3])
        name = hit[1].partition("*")[0].lower()
        if waiting and hit.start() == end and name == charset:
            waiting += data  # a character may be split between two words
        else:
            out.append(decoded(waiting, charset))
            out.append(text[end : hit.start()])
            waiting, charset = data, name
        end = hit.end()
    out.append(decoded(waiting, charset))
    out.append(text[end:])
    return _CONTROL.sub(" ", "".join(out)).strip()


def _word(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    return from_base64(data) if encoding in "bB" else binascii.a2b_qp(data, header=True)


def addresses(value: str, most: int = 20) -> tuple[str, ...]:
    """The addresses of a header, lower-cased; an empty string stands for one that can't be told for certain."""
    return tuple(_address(name, angle) for name, angle in _mailboxes(value)[:most])


def _mailboxes(value: str) -> list[tuple[str, str | None]]:
    """Split at commas outside of quotes and comments: (text outside of <>, text inside or None).

    An encoded word may hold a comma, so this runs on the undecoded header.
    """
    boxes: list[tuple[str, str | None]] = []
    outside: list[str] = []
    inside: list[str] | None = None
    closed, quoted, depth, skip = True, False, 0, False
    for char in [*value, ","]:
        if skip:
            skip = False
        elif char == "\\" and (quoted or depth):
            skip = True
        elif char == '"' and not depth:
            quoted = not quoted
        elif quoted:
            continue
        elif char == "(":
            depth += 1
        elif char == ")" and depth:
            depth -= 1
        elif depth:
            continue
        elif char == "<":
            if inside is not None:
                outside.append("<")  # a second <...>: whose is it?
            inside, closed = [], False
        elif char == ">" and not closed:
            closed = True
        elif not closed and inside is not None:
            inside.append(char)
        elif char == ",":
            boxes.append(("".join(outside).strip(), None if inside is None else "".join(inside).strip()))
            outside, inside = [], None
        else:
            outside.append(char if inside is None or char.isspace() else "<")
    broken = quoted or depth or not closed
    boxes = [*boxes, ("<", None)] if broken else boxes
    return [box for box in boxes if box != ("", None)]


def _address(name: str, angle: str | None) -> str:
    """The one address of a mailbox, or nothing: the display name is never believed."""
    if angle is not None and any(char in "<>@[]:;\\" for char in name):
        return ""
    local, at, domain = (name if angle is None else angle).rpartition("@")
    domain = ascii_domain(domain)
    if not at or not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(domain):
        return ""
    return f"{local.lower()}@{domain}"


def ascii_domain(domain: str) -> str:
    """The form that the network uses: two names that look alike differ here."""
    if domain.isascii():
        return domain.lower()
    try:
        return domain[:253].encode("idna").decode().lower()
    except UnicodeError:
        return ""


def ids(value: str) -> tuple[str, ...]:
    """The message ids of a header, with their brackets; the first and the last ten."""
    found = tuple(f"<{hit}>" for hit in _ID.findall(value))
    return found if len(found) <= 20 else found[:10] + found[-10:]


class Doubt(StrEnum):
    """What speaks against a time of arrival. The time counts all the same; a person is told."""

    NONE = ""
    NO_OWN_LINE = "no_own_line"  # a person may have put the mail there, with a time of their choice
    NO_TIME = "no_time"  # our own host wrote a line without a time that can be read
    AHEAD = "ahead"  # later than the moment we fetched it: a clock is wrong (hazard 56)


@dataclass(frozen=True, slots=True)
class Arrival:
    """When a mail came, and on whose word: `received` (our host's line), `mailbox`, or `fetched` where both fail."""

    at: datetime
    word: str
    doubt: Doubt = Doubt.NONE


@dataclass(frozen=True, slots=True)
class Hop:
    """A host that a mail passed through, as its own line says."""

    by: str
    at: datetime | None


CLOCKS_DIFFER = timedelta(minutes=5)  # less is no news
FAR = timedelta(hours=1)


def arrive(received: Sequence[str], received_by: str, boxed: datetime, now: datetime) -> Arrival:
    """The time in the topmost line that our own host wrote, else the mailbox's; never Date (hazards 53 to 56).

    Lines below may be forged. A time more than an hour ahead is no time.
    """
    own = next((hop for hop in hops(received) if hop.by == received_by.lower()), None) if received_by else None
    if own is not None and own.at is not None and own.at <= boxed + FAR:
        found = Arrival(own.at, "received")
    elif own is not None:
        found = Arrival(boxed, "mailbox", Doubt.NO_TIME)
    else:
        found = Arrival(boxed, "mailbox", Doubt.NO_OWN_LINE if received_by else Doubt.NONE)
    if found.at > now + FAR:
        return Arrival(now, "fetched", Doubt.AHEAD)
    return replace(found, doubt=Doubt.AHEAD) if found.at > now + CLOCKS_DIFFER else found


def arrival(received: Sequence[str], received_by: str, fallback: datetime) -> datetime:
    """As `arrive`, where the time we know ourselves is the mailbox's too."""
    return arrive(received, received_by, fallback, fallback).at


def hops(received: Sequence[str]) -> tuple[Hop, ...]:
    """The way of a mail, the last host first. Only what stands above a line that we believe is to be believed."""
    found: list[Hop] = []
    for line in received:
        head, _, stamp = line.rpartition(";")
        if host := host_of(head):
            found.append(Hop(host, moment(stamp)))
    return tuple(found)


def host_of(line: str) -> str:
    """The host that wrote a Received line, as it says itself."""
    host = _BY.match(without_comments(line))
    return host[1].lower().rstrip(".") if host else ""


def is_handed_on(line: str) -> bool:
    """A Received line written as a host handed a mail on within itself (LMTP)."""
    return bool(_LMTP.match(without_comments(line)))


def without_comments(value: str) -> str:
    """A sender chooses what stands in the comments of a Received line (its HELO name)."""
    depth, out = 0, []
    for char in value:
        depth += char == "("
        if not depth:
            out.append(char)
        depth -= char == ")" and depth > 0
    return "".join(out)


def moment(stamp: str) -> datetime | None:
    """A mail date as aware UTC, if it is one."""
    try:
        when = parsedate_to_datetime(stamp[:100].strip())
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
