"""A mail's bytes: the same input gives the same bytes, and no input gives a second header.

Written by hand because the library's `EmailMessage` costs more than all the rest of a mail, and because its folding
damages subjects and ids. Headers follow RFC 5322, 2047, 2369 and 3834; the body is UTF-8 as quoted-printable.
"""

from binascii import b2a_base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from re import ASCII
from re import compile as pattern
from urllib.parse import quote

from league.core.errors import BadInput, Broken
from league.delivery.multipart import Body, encode, laid_out

__all__ = ["Body", "Headers", "collapsed", "compose", "encode", "ids", "split_at_picture", "unstructured"]

LONGEST = 900  # below the 998 bytes that a line may have, with room for the header's name
WORD_BYTES = 45  # 60 characters of base64, 72 with the frame of an encoded-word, which may have 75
FIRST_AND_LAST = 10  # so many ids of a long thread's beginning and end are kept

CONTROLS = pattern(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
ADDRESS = pattern(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?", ASCII)
MESSAGE_ID = pattern(r"<[\x21-\x3b\x3d\x3f-\x7e]+>", ASCII)
HEADER_NAME = pattern(r"[A-Za-z][A-Za-z0-9-]*", ASCII)
ATOMS = pattern(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*", ASCII)


@dataclass(frozen=True, slots=True)
class Headers:
    """All that stands above the text. `auto`: auto-replied for answers, auto-generated for all else (RFC 3834)."""

    sender: str
    recipient: str
    subject: str
    date: datetime
    message_id: str
    sender_name: str = ""
    recipient_name: str = ""
    reply_to: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    lang: str = ""
    auto: str = "auto-generated"
    bulk: bool = False
    unsubscribe: str = ""  # the subject of the mail that asks for no more of these
    more: tuple[tuple[str, str], ...] = ()


def compose(headers: Headers, text: str | bytes | Body, picture: bytes = b"") -> bytes:
    """The whole mail; `text` may come encoded by `encode`, so that what many mails share is encoded once."""
    before, behind = split_at_picture(headers, text if isinstance(text, Body) else Body(_encoded(text)))
    return b"".join((before, picture, behind))


def _encoded(text: str | bytes) -> bytes:
    return encode(text) if isinstance(text, str) else text


def split_at_picture(headers: Headers, body: Body) -> tuple[bytes, bytes]:
    """The mail before and behind the place of its picture."""
    content, before, behind = laid_out(body, headers.message_id)
    lines = "".join(f"{name}: {value}\r\n" for name, value in _lines(headers))
    language = f"Content-Language: {unstructured(headers.lang)}\r\n" if headers.lang else ""
    return f"{lines}{content}{language}\r\n".encode("ascii") + before, behind


def _lines(headers: Headers) -> Iterator[tuple[str, str]]:
    yield "From", _mailbox(headers.sender_name, headers.sender)
    yield "To", _mailbox(headers.recipient_name, headers.recipient)
    if headers.reply_to:
        yield "Reply-To", _mailbox("", headers.reply_to)
    yield "Subject", unstructured(headers.subject)
    yield "Date", _date(headers.date)
    yield "Message-ID", _own_id(headers.message_id)
    known = ids([headers.in_reply_to])
    if known:
        yield "In-Reply-To", known[0]
    thread = ids(headers.references)
    if thread:
        yield "References", "\r\n ".join(thread)
    yield "Auto-Submitted", unstructured(headers.auto)
    yield "X-Auto-Response-Suppress", "All"
    yield "X-Loop", _address(headers.sender)
    if headers.bulk:
        yield "Precedence", "bulk"
    if headers.unsubscribe:
        yield "List-Unsubscribe", _mailto(headers.reply_to or headers.sender, headers.unsubscribe)
    for name, value in headers.more:
        if not HEADER_NAME.fullmatch(name):
            raise Broken(f"{name!r} is no header's name")
        yield name, unstructured(value)
    yield "MIME-Version", "1.0"


def collapsed(value: str) -> str:
    """One line: every run of spaces and control characters is one space."""
    return CONTROLS.sub(" ", value).strip()


def unstructured(value: str) -> str:
    """A header's text, as encoded-words where it isn't plain."""
    line = collapsed(value)
    plain = line.isascii() and "=?" not in line and len(line) <= LONGEST
    return line if plain else _encoded_words(line)


def _encoded_words(line: str) -> str:
    return "\r\n ".join(
        f"=?utf-8?b?{b2a_base64(word, newline=False).decode()}?=" for word in _pieces(line.encode("utf-8", "replace"))
    )


def _pieces(content: bytes) -> Iterator[bytes]:
    """Pieces of at most `WORD_BYTES` that end with a whole character."""
    start = 0
    while len(content) - start > WORD_BYTES:
        end = start + WORD_BYTES
        while content[end] & 0xC0 == 0x80:  # the inside of a character
            end -= 1
        yield content[start:end]
        start = end
    yield content[start:]


def _mailbox(name: str, address: str) -> str:
    line = collapsed(name)
    if not line:
        return _address(address)
    if not line.isascii() or "=?" in line or len(line) > LONGEST // 2:
        return f"{_encoded_words(line)}\r\n <{_address(address)}>"
    if ATOMS.fullmatch(line):
        return f"{line} <{_address(address)}>"
    quoted = line.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}" <{_address(address)}>'


def _mailto(address: str, subject: str) -> str:
    """A link that mail programs offer as a button; in one line and never encoded, or they don't find it (MAIL)."""
    return f"<mailto:{quote(_address(address), safe='@')}?subject={quote(collapsed(subject)[:200])}>"


def _address(address: str) -> str:
    if len(address) > 320 or not ADDRESS.fullmatch(address):
        raise BadInput(f"{address!r} is no mail address that can be written to")
    return address


def _own_id(message_id: str) -> str:
    if not MESSAGE_ID.fullmatch(message_id):
        raise Broken(f"{message_id!r} is no Message-ID")
    return message_id


def ids(given: Iterable[str]) -> tuple[str, ...]:
    """The Message-IDs among what other people's programs wrote; the beginning and the end of a long thread."""
    sound = tuple(dict.fromkeys(one for one in given if len(one) <= LONGEST and MESSAGE_ID.fullmatch(one)))
    return sound if len(sound) <= 2 * FIRST_AND_LAST else sound[:FIRST_AND_LAST] + sound[-FIRST_AND_LAST:]


def _date(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise Broken(f"a mail needs a moment with a zone, not {moment!r}")
    return format_datetime(moment.astimezone(UTC))
