"""A mail of several parts: alternative(text, related(html, picture)), inside mixed where something is attached.

What many mails share comes encoded, and a picture may be left out of the bytes, to be put in when they go out. The
boundaries follow from the Message-ID, so the same mail has the same bytes; `=_` stands neither in quoted-printable nor
in base64, so no content can hold one.
"""

from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

ENCODED = "Content-Transfer-Encoding: quoted-printable\r\n"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the HTML shows by its Content-ID."""

    content_id: str
    name: str  # of the file, for those who save it


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file beside the text."""

    name: str
    kind: str  # its type with parameters: `text/calendar; charset="utf-8"; method=PUBLISH`
    content: bytes


@dataclass(frozen=True, slots=True)
class Body:
    """What a mail says; text and html are encoded already (`encode`)."""

    text: bytes
    html: bytes = b""
    picture: Picture | None = None
    attachments: tuple[Attachment, ...] = ()


def encode(text: str) -> bytes:
    """Text as quoted-printable; encoded pieces that end with a line can be joined."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if lines and not lines.endswith("\n"):
        lines += "\n"
    return b2a_qp(lines.replace("\n", "\r\n").encode("utf-8", "replace"), istext=True)


@lru_cache(maxsize=16)
def encode_shared(text: str) -> bytes:
    """The same for what stands in the mails of a whole round: encoded once."""
    return encode(text)


def base64_lines(content: bytes) -> bytes:
    """A file as it stands in a mail."""
    return encodebytes(content).replace(b"\n", b"\r\n")


def laid_out(body: Body, message_id: str) -> tuple[str, bytes, bytes]:
    """Headers of the content, and its bytes before and behind the place of the picture."""
    if not body.html and not body.attachments:
        return f'Content-Type: text/plain; charset="utf-8"\r\n{ENCODED}', body.text, b""
    mark = f"=_{sha256(message_id.encode()).hexdigest()[:24]}"
    head, before, behind = _alternative(body, mark) if body.html else _plain(body)
    if body.attachments:
        return _mixed(body.attachments, mark, head, before, behind)
    return head, before, behind


def _plain(body: Body) -> tuple[str, bytes, bytes]:
    return f'Content-Type: text/plain; charset="utf-8"\r\n{ENCODED}', body.text, b""


def _alternative(body: Body, mark: str) -> tuple[str, bytes, bytes]:
    outer = f"{mark}.a"
    inner_head, before, behind = _related(body, mark)
    start = [
        f'--{outer}\r\nContent-Type: text/plain; charset="utf-8"\r\n{ENCODED}\r\n'.encode(),
        body.text,
        f"\r\n--{outer}\r\n{inner_head}\r\n".encode(),
        before,
    ]
    head = f'Content-Type: multipart/alternative; boundary="{outer}"\r\n'
    return head, b"".join(start), behind + f"\r\n--{outer}--\r\n".encode()


def _related(body: Body, mark: str) -> tuple[str, bytes, bytes]:
    html_head = f'Content-Type: text/html; charset="utf-8"\r\n{ENCODED}'
    if body.picture is None:
        return html_head, body.html, b""
    inner = f"{mark}.r"
    picture = (
        f'\r\n--{inner}\r\nContent-Type: image/png; name="{body.picture.name}"\r\nContent-Transfer-Encoding: base64\r\n'
        f"Content-ID: <{body.picture.content_id}>\r\n"
        f'Content-Disposition: inline; filename="{body.picture.name}"\r\n\r\n'
    )
    before = f"--{inner}\r\n{html_head}\r\n".encode() + body.html + picture.encode()
    head = f'Content-Type: multipart/related; type="text/html"; boundary="{inner}"\r\n'
    return head, before, f"\r\n--{inner}--\r\n".encode()


def _mixed(
    attachments: Iterable[Attachment], mark: str, inner_head: str, before: bytes, behind: bytes
) -> tuple[str, bytes, bytes]:
    outer = f"{mark}.m"
    files = b"".join(
        f'\r\n--{outer}\r\nContent-Type: {one.kind}; name="{one.name}"\r\nContent-Transfer-Encoding: base64\r\n'
        f'Content-Disposition: attachment; filename="{one.name}"\r\n\r\n'.encode()
        + base64_lines(one.content)
        for one in attachments
    )
    start = f"--{outer}\r\n{inner_head}\r\n".encode() + before
    head = f'Content-Type: multipart/mixed; boundary="{outer}"\r\n'
    return head, start, behind + files + f"\r\n--{outer}--\r\n".encode()
