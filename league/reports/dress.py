"""A mail's text as blocks, from which its HTML is made: what the signs of a text mail mean is said here once.

`== Title ==`, `[1] echo`, `- item`, `# small print`, `| what somebody wrote`; an indented line belongs to the one
above. The signs stay in the HTML where they keep a line from being read as an order (MAIL: decision 1).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import groupby
from re import ASCII, IGNORECASE
from re import compile as pattern

TITLE = pattern(r"== (.*) ==")
ECHO = pattern(r"(\[(?:\d+|-)\]) (.*)")
INSTANT = pattern(r"(.+) (= \d{4}-\d\d-\d\d \d\d:\d\d UTC)")  # a time that matters, as all mails tell it
KINDS = (("title", "== "), ("item", "- "), ("small", "#"), ("quote", "|"))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a block: its sign (`[1]`), its text, and the lines that belong to it."""

    sign: str
    text: str
    below: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one kind: title, echo, item, small, quote or text."""

    kind: str
    lines: tuple[Line, ...]


def blocks(text: str) -> list[Block]:
    """The blocks of a mail, in order."""
    found = []
    for kind, lines in groupby(_lines(text), key=lambda line: _kind(line[0])):
        if kind:
            found.append(Block(kind, tuple(_line(kind, first, below) for first, below in lines)))
    return found


def _lines(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each line with the indented ones below it; an empty line ends a block."""
    head, below = "", []
    for line in text.strip("\n").split("\n"):
        if line.startswith("    ") and head:
            below.append(line.strip())
            continue
        yield head, tuple(below)
        head, below = line.rstrip(), []
    yield head, tuple(below)


def _kind(line: str) -> str:
    if not line:
        return ""
    if ECHO.match(line):
        return "echo"
    return next((kind for kind, sign in KINDS if line.startswith(sign)), "text")


def _line(kind: str, line: str, below: tuple[str, ...]) -> Line:
    if kind == "echo" and (found := ECHO.match(line)):
        return Line(found[1], found[2], below)
    if kind == "text" and (found := INSTANT.fullmatch(line)):
        return Line("", found[1], (found[2],))
    if kind == "title" and (found := TITLE.match(line)):
        return Line("", found[1], below)
    return Line("", line[2:] if kind == "item" else line, below)


# The text that a mail program makes of HTML, near enough to ask the order reader about it before it goes out.
_UNSEEN = pattern(r"<(head|style|title)\b.*?</\1>|<!--.*?-->", IGNORECASE)
_BREAK = pattern(r"</?(?:p|div|tr|table|tbody|thead|li|ul|ol|h[1-6]|br|hr|blockquote|body|html)\b[^>]*>", IGNORECASE)
_TAG = pattern(r"<[^>]*>")
_BLANK = pattern(r"[ \t\r\f\v]+", ASCII)


def seen(html: str) -> str:
    """What a reader sees of our own HTML, line by line; cells of a table's row stand in one line."""
    bare = _UNSEEN.sub("", html.replace("\n", " "))
    text = unescape(_TAG.sub(" ", _BREAK.sub("\n", bare)))
    return "\n".join(line for part in text.split("\n") if (line := _BLANK.sub(" ", part).strip()))
