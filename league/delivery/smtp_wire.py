"""What goes over the wire in SMTP: a server's answers, what MAIL FROM has to say, and the mail as DATA wants it."""

import re
import smtplib
from dataclasses import dataclass

WORDS = 300  # characters of a server's answer that are kept

_ADDRESS = re.compile(r"[^\s<>@\x00-\x1f\x7f]+@[^\s<>@\x00-\x1f\x7f]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ENHANCED = re.compile(r"\b[245]\.(\d{1,3})\.(\d{1,3})\b")
_BARE_END = re.compile(rb"\r\n|\r|\n")
_POLICY_WORDS = re.compile(r"\brelay|authenticat|\bblocked|\bblock ?list|black ?list", re.IGNORECASE)
_POLICY_CODES = frozenset({530, 534, 535, 538})
TOO_LARGE = frozenset({552, 555})


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server said."""

    code: int
    words: str

    @property
    def is_yes(self) -> bool:
        """The command was carried out."""
        return self.code // 100 == 2

    @property
    def is_policy(self) -> bool:
        """A refusal that isn't about this mail alone: who we are, what we may, how much of it."""
        enhanced = _ENHANCED.search(self.words)
        if self.code in _POLICY_CODES or (enhanced is not None and enhanced[1] == "7"):
            return True
        return enhanced is None and _POLICY_WORDS.search(self.words) is not None

    def __str__(self) -> str:
        return f"{self.code} {self.words}".strip()


def one_line(words: bytes) -> str:
    """An answer for a terminal and a table: no control character, no line end."""
    return _CONTROL.sub(" ", words.decode("utf-8", "replace")).strip()


def options_for(line: smtplib.SMTP, sender: str, recipient: str, raw: bytes) -> tuple[str] | str:
    """What MAIL FROM needs beside the sender; a text if the mail can't go at all."""
    if not _ADDRESS.fullmatch(recipient) or not _ADDRESS.fullmatch(sender):
        return f"{recipient!r} or {sender!r} is no address"
    options = f" SIZE={len(raw)}" if line.has_extn("size") else ""
    if not raw.isascii():
        if not line.has_extn("8bitmime"):
            return "the mail isn't plain ASCII, and the server takes nothing else"
        options += " BODY=8BITMIME"
    if not (sender + recipient).isascii() or not raw.partition(b"\r\n\r\n")[0].isascii():
        if not line.has_extn("smtputf8"):
            return "an address or a header isn't plain ASCII, and the server takes nothing else"
        options += " SMTPUTF8"
        line.command_encoding = "utf-8"
    return (options,)


def whole_lines(raw: bytes) -> bytes:
    """The bytes as they are; only bare line ends, which a server may take for the end of the mail, become CRLF."""
    if raw.count(b"\r\n") == raw.count(b"\n") == raw.count(b"\r"):
        return raw
    return _BARE_END.sub(b"\r\n", raw)


def stuffed(raw: bytes) -> bytes:
    """The mail as DATA wants it: dots at the beginning of lines doubled, a line with a dot behind it."""
    if raw.startswith(b"."):
        raw = b"." + raw
    raw = raw.replace(b"\r\n.", b"\r\n..")
    return raw + (b".\r\n" if raw.endswith(b"\r\n") else b"\r\n.\r\n")
