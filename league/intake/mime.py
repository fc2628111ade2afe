"""A message taken apart: bounded, by our own hand, so that no body ever meets a parser that can be made slow.

Every limit is checked on raw bytes before the work that it bounds. `multipart/report`, `multipart/digest` and
`message/*` are never entered: what somebody attached or forwarded is not what the sender says.
"""

import binascii
import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.message import Message
from typing import Any

from league.core.errors import BadInput
from league.intake.timelimit import SECONDS


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a mail is looked at before it counts as unreadable."""

    mail: int = 1_000_000
    header_block: int = 64_000
    header: int = 8_000
    received: int = 40
    depth: int = 10
    parts: int = 100
    addresses: int = 20
    text: int = 200_000
    lines: int = 1_500
    quoted_lines: int = 20_000
    tags: int = 40_000
    seconds: float = SECONDS


class Unfit(BadInput):
    """The message can't or mustn't be read; `message` is the code of why."""


LIMITS = Limits()
# Headers that we read; a long one elsewhere (spam filters write them) only counts towards the block.
_MOST_UNREAD, _LONGEST_UNREAD = 3, 10_000  # attached texts that are looked at, and their bytes
_READ = frozenset(
    b"from to cc subject message-id in-reply-to received auto-submitted precedence return-path list-id content-type "
    b"content-disposition content-transfer-encoding x-loop delivered-to x-original-to envelope-to".split()
)
_CHARSETS = (
    "utf",
    "iso8859",
    "iso2022",
    "cp",
    "koi8",
    "mac",
    "gb",
    "big5",
    "euc",
    "shift",
    "ascii",
    "hz",
    "tis",
    "johab",
)
_ENCRYPTED = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_CLOSED = frozenset({"multipart/report", "multipart/digest"})
_REACTION = "text/vnd.google.email-reaction+json"
_C1 = re.compile(rb"[\x80-\x9f]")
_FOREIGN = re.compile(r"[\x00-\x1f\x7f-\uffff]+")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


@dataclass(frozen=True, slots=True)
class Entity:
    """A message or a part of one: its headers as they came and its body undecoded."""

    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    kind: str = "text/plain"
    index: Mapping[bytes, Sequence[bytes]] = field(default_factory=dict)  # the headers' values by name
    params: Mapping[str, str] = field(default_factory=dict)  # of the content type
    has_name: bool = False  # the name of a file

    def values(self, name: str) -> tuple[str, ...]:
        """All values of a header, top to bottom, raw bytes as the likeliest text."""
        found = self.index.get(name.encode())
        return tuple(map(plain_text, found)) if found else ()

    def several(self, *names: str) -> tuple[tuple[str, str], ...]:
        """The headers of these names as they stand among each other; overlong ones say nothing to anybody."""
        keys = {name.encode(): name for name in names}
        found = ((keys[key], value) for key, value in self.headers if key in keys and len(value) <= LIMITS.header)
        return tuple((name, plain_text(value)) for name, value in found)

    def first(self, name: str) -> str:
        """The topmost value of a header, or nothing."""
        return next(iter(self.values(name)), "")

    def param(self, name: str) -> str:
        """A parameter of the content type."""
        return self.params.get(name, "")

    @property
    def disposition(self) -> str:
        """`attachment`, `inline` or nothing."""
        return self.first("content-disposition").partition(";")[0].strip().lower()

    @property
    def is_file(self) -> bool:
        """Something to be saved, not to be read."""
        return self.has_name or self.disposition == "attachment"


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of what the sender wrote, in one or both of its two forms."""

    plain: str = ""
    html: str = ""


@dataclass(slots=True)
class Found:
    """What a message holds, in its order."""

    blocks: list[Block] = field(default_factory=list)
    attachments: int = 0
    unread: list[str] = field(default_factory=list)  # the first texts among them, to tell of orders in them
    kinds: set[str] = field(default_factory=set)
    parts: int = 0


def plain_text(value: bytes) -> str:
    """Header bytes as text: UTF-8 where they are, else what the West writes."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("cp1252", "replace")


def entity(raw: bytes, limits: Limits = LIMITS, *, outermost: bool = False) -> Entity:
    """Split headers and body at the first empty line."""
    if raw.startswith(b"\n"):
        block, body = b"", raw[1:]
    else:
        end = raw.find(b"\n\n", 0, limits.header_block + 2)
        if end < 0 and len(raw) > limits.header_block:
            raise Unfit("header_block_too_long")
        block, body = (raw, b"") if end < 0 else (raw[:end], raw[end + 2 :])
    headers = tuple(_headers(block, limits))
    if outermost and not any(name in _READ for name, _ in headers):
        raise Unfit("no_headers")
    if sum(name == b"received" for name, _ in headers) > limits.received:
        raise Unfit("too_many_received")
    return _typed(headers, body)


def _headers(block: bytes, limits: Limits) -> Iterator[tuple[bytes, bytes]]:
    name, held = b"", [b""]
    for line in [*block.split(b"\n"), b"end:"]:
        if line[:1] in {b" ", b"\t"}:
            held.append(line)
            continue
        if name:
            value = b"".join(held).strip()
            if len(value) > limits.header and name in _READ:
                raise Unfit("header_too_long")
            yield name, value
        name, colon, rest = line.partition(b":")
        name = name.strip().lower() if colon else b""
        held = [rest]


def heads(raw: bytes, limits: Limits = LIMITS) -> Entity:
    """The headers within the first bytes of a message that may be past any limit; overlong ones are left out."""
    start = raw[: limits.header_block].removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").lstrip(b"\n")
    block = start.partition(b"\n\n")[0]
    loose = replace(limits, header=limits.header_block)
    found = [(name, value) for name, value in _headers(block, loose) if len(value) <= limits.header]
    few = [n for n, (name, _) in enumerate(found) if name == b"received"][limits.received :]
    return _typed(tuple(one for n, one in enumerate(found) if n not in few), b"")


def glance(raw: bytes, name: bytes, limits: Limits = LIMITS) -> list[str]:
    """All values of a header within the first bytes of a message that may be past any limit."""
    head = raw[: limits.header_block].removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").lstrip(b"\n")
    block = head.partition(b"\n\n")[0]
    found: list[bytes] = []
    wanted = False
    for line in block.split(b"\n"):
        if line[:1] not in {b" ", b"\t"}:
            key, colon, rest = line.partition(b":")
            wanted = bool(colon) and key.strip().lower() == name
            if wanted:
                found.append(rest)
        elif wanted:
            found[-1] += line[: limits.header]
    return [plain_text(value.strip()) for value in found if len(value) <= limits.header]


def _typed(headers: tuple[tuple[bytes, bytes], ...], body: bytes) -> Entity:
    """With an index of the headers, and what the content type says: read once, since everything asks for it."""
    index: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        index.setdefault(name, []).append(value)
    content = Message()
    for wanted in (b"content-type", b"content-disposition"):
        if wanted in index:
            content[wanted.decode()] = _FOREIGN.sub(" ", plain_text(index[wanted][0]))
    params = _params(content, "content-type")
    named = _params(content, "content-disposition").get("filename", params.get("name", ""))
    return Entity(headers, body, content.get_content_type(), index, params, bool(named.strip()))


def _params(content: Message, header: str) -> dict[str, str]:
    """The parameters of a MIME header, the first of each name."""
    if ";" not in content.get(header, ""):
        return {}
    found: list[Any] = content.get_params([], header)  # a value may be (charset, language, text), by RFC 2231
    return {name.lower(): value[2] if isinstance(value, tuple) else value for name, value in reversed(found)}


def take_apart(raw: bytes, limits: Limits = LIMITS) -> tuple[Entity, Found]:
    """The message's headers and all that its sender wrote into it."""
    if len(raw) > limits.mail:
        raise Unfit("mail_too_big")
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    raw = (raw if b"\n" in raw[: limits.header_block] else raw.replace(b"\r", b"\n")).lstrip(b"\n")
    if raw.startswith(b"From "):  # a single message saved out of an mbox
        raw = raw.partition(b"\n")[2]
    whole = entity(raw, limits, outermost=True)
    found = Found()
    _walk(whole, found, 0, limits)
    if not found.blocks and whole.kind in {"text/plain", "text/html"}:  # its only part is marked as an attachment
        found.attachments = 0
        found.unread.clear()
        found.blocks.append(_block(whole, limits))
    return whole, found


def _walk(part: Entity, found: Found, depth: int, limits: Limits) -> None:
    found.parts += 1
    if found.parts > limits.parts:
        raise Unfit("too_many_parts")
    if depth > limits.depth:
        raise Unfit("nested_too_deep")
    found.kinds.add(_noted(part))
    if part.kind == "multipart/alternative":
        _choose(part, found, depth, limits)
    elif part.kind == "multipart/signed":
        for child in _children(part, found, limits)[:1]:
            _walk(child, found, depth + 1, limits)
    elif part.kind.startswith("multipart/") and part.kind not in _CLOSED | _ENCRYPTED:
        for child in _children(part, found, limits):
            _walk(child, found, depth + 1, limits)
    elif part.kind in {"text/plain", "text/html"} and not part.is_file:
        found.blocks.append(_block(part, limits))
    else:
        found.attachments += 1
        if part.kind == "text/plain" and len(found.unread) < _MOST_UNREAD and len(part.body) <= _LONGEST_UNREAD:
            found.unread.append(_unread(part, limits))


def _unread(part: Entity, limits: Limits) -> str:
    """The text of an attachment; one that can't be read costs nobody the mail."""
    try:
        return _block(part, limits).plain
    except Unfit:
        return ""


def _noted(part: Entity) -> str:
    """What the rules want to know of a part: its type, or a name for a whole family."""
    if part.kind in _ENCRYPTED:
        opaque = part.kind.startswith("multipart/") or part.param("smime-type") != "signed-data"
        return "encrypted" if opaque else "opaque"
    if part.kind == "text/calendar":
        answers = part.param("method").upper() in {"REPLY", "COUNTER", "REFRESH"} and not part.is_file
        return "calendar_answer" if answers else "calendar"
    if part.kind == "multipart/report":
        return f"report:{part.param('report-type').lower()}"
    return "reaction" if part.kind == _REACTION else part.kind


def _choose(part: Entity, found: Found, depth: int, limits: Limits) -> None:
    """Alternatives say the same thing twice: the first plain form and the last HTML form make one block."""
    plains: list[str] = []
    htmls: list[str] = []
    for child in _children(part, found, limits):
        inner = Found(parts=found.parts, kinds=found.kinds)
        _walk(child, inner, depth + 1, limits)
        found.parts = inner.parts
        found.attachments += inner.attachments
        found.unread += inner.unread
        plains.append("\n".join(block.plain for block in inner.blocks))
        htmls.append("\n".join(block.html for block in inner.blocks))
    plain = next((text for text in plains if text.strip()), "")
    html = next((text for text in reversed(htmls) if text.strip()), "")
    found.blocks.append(Block(plain, html))


def _children(part: Entity, found: Found, limits: Limits) -> list[Entity]:
    boundary = part.param("boundary").rstrip()
    if not boundary:
        raise Unfit("no_boundary")
    mark = re.compile(rb"^--" + re.escape(boundary.encode("utf-8", "replace")) + rb"(--)?[ \t]*$", re.MULTILINE)
    children: list[Entity] = []
    start = -1
    for hit in mark.finditer(part.body):
        if start >= 0:
            children.append(entity(part.body[start : max(start, hit.start() - 1)], limits))
        if len(children) + found.parts > limits.parts:
            raise Unfit("too_many_parts")
        start = hit.end() + 1
        if hit[1]:
            return children
    if 0 <= start < len(part.body):  # the end is missing: what there is counts
        children.append(entity(part.body[start:], limits))
    return children


def _block(part: Entity, limits: Limits) -> Block:
    text = decoded(_payload(part), part.param("charset"))
    if part.kind == "text/html":
        if text.count("<") > limits.tags:
            raise Unfit("too_much_markup")
        return Block(html=text)
    if text.count("\n") + text.count("\r") > limits.quoted_lines * 2:
        raise Unfit("too_many_lines")
    if part.param("format").lower() == "flowed":
        text = unflowed(text, delsp=part.param("delsp").lower() == "yes")
    return Block(plain=text)


def _payload(part: Entity) -> bytes:
    encoding = part.first("content-transfer-encoding").strip().lower()
    if encoding == "quoted-printable":
        return binascii.a2b_qp(part.body)
    if encoding == "base64":
        return from_base64(part.body)
    return part.body


def from_base64(data: bytes) -> bytes:
    """All that can be decoded; rubbish in between and a torn end are no reason to read nothing."""
    clean = _NOT_BASE64.sub(b"", data)
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))


def decoded(data: bytes, charset: str) -> str:
    """The declared charset if it is one and fits, else UTF-8, else windows-1252, else latin-1."""
    declared = _codec(charset)
    if declared in {"iso8859-1", "ascii"} and _C1.search(data):
        declared = ""  # windows-1252 under a politer name
    for codec in (declared, "utf-8", "cp1252"):
        if codec:
            try:
                return data.decode(codec)
            except (UnicodeError, ValueError):
                continue
    return data.decode("latin-1")


def _codec(charset: str) -> str:
    """The codec's own name; Python has codecs that are no charsets (zlib, idna, unicode_escape), those don't count."""
    try:
        name = codecs.lookup(charset.strip().strip("\"'")).name
    except (LookupError, ValueError):
        return ""
    return name if name.startswith(_CHARSETS) else ""


def unflowed(text: str, *, delsp: bool) -> str:
    """Undo format=flowed (RFC 3676): a line ending in a space goes on in the next line of the same quote depth."""
    out: list[str] = []
    parts: list[str] = []
    depth = -1
    for line in text.replace("\r\n", "\n").split("\n"):
        bare = line.lstrip(">")
        level = len(line) - len(bare)
        bare = bare.removeprefix(" ")
        if parts and (level != depth or bare == "-- "):
            out.append(_flow(parts, depth))
            parts = []
        depth = level
        soft = bare.endswith(" ") and bare != "-- "
        parts.append(bare[:-1] if soft and delsp else bare)
        if not soft:
            out.append(_flow(parts, depth))
            parts = []
    if parts:
        out.append(_flow(parts, depth))
    return "\n".join(out)


def _flow(parts: list[str], depth: int) -> str:
    line = "".join(parts)
    line = line if line == "-- " else line.rstrip(" ")
    return f"{'>' * depth} {line}" if depth else line
