"""A mail's fresh text cut into parts: what may be an order, what is press, what is neither.

Lines are cut at line feeds and carriage returns alone; every other separator counts as a blank, so that nothing
typed inside a line can become a line of its own. Never read as orders: blank lines, comments (`#`), a line with
`end` alone, echoes of our own mails (`[1] …`), and what is quoted (`>`, `|`).

Press is `press to P[, Q]: text` or `press to all: text`. It goes on to the next line with `end`, if one comes
before the next press; without one it is that one line if text follows the colon, else up to the next blank line.
A press line without a colon or without a name is a mistake; what stands under it up to an `end` isn't read.

No order is lost to press, and none is told to a rival: where text stands behind the colon and nothing but orders
between it and `end`, the press is its one line. Else a line of the press that reads as an order is asked about, and
neither it nor the press counts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from league.core.orders import Press
from league.language.fold import clean, fold
from league.language.standing import Marks, ends
from league.language.words import Keywords, is_one_slip

_ECHO = re.compile(r"\[\s*\d+\s*\]")
_BULLET = re.compile(r"(?:[-*+•·–—►➤→✓]+(?:\s+|(?=[^\W\d_])))?")
_COUNTER = re.compile(r"\(?(?:\d{1,2}[.)](?=\s|[^\W\d_])|[a-zA-Z]\)|[a-zA-Z]\.(?=\s))\s*")
_NAMES = re.compile(r"[,;&]")
_PRESS_BEGINS: Final = "p"  # in every language; the first letter is seldom the wrong one
_LONGEST_MARK: Final = 20  # letters; no word for press or end is longer
_QUOTED: Final = (">", "|")
NO_MARKS: Final = Marks()
Looks = Callable[[str], bool | None]  # a line that is an order (True), nearly one (None), or talk


def _talk(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Written:
    """A line that may be an order: as written, without bullets and counters, and where it stands."""

    text: str
    bare: str
    row: int


@dataclass(frozen=True, slots=True)
class Aside:
    """A line that is no order whatever it says."""

    text: str


@dataclass(frozen=True, slots=True)
class BadPress:
    """A press line that can't be delivered: `reason` is press_without_colon, press_to_nobody or press_empty.

    Or one with a slip in its first word (press_misspelt). Or one with an order in its text (press_holds_order), and
    then each such order (order_in_press).
    """

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class StandingEnd:
    """A line that ends standing orders (`cancel standing`), or nearly does: then it isn't `sure`."""

    text: str
    sure: bool = True


Part = Written | Aside | Press | BadPress | StandingEnd


@dataclass(frozen=True, slots=True)
class _Page:
    """All rows of a mail: as written, as seen, without decoration, and where press begins and ends."""

    rows: Sequence[str]
    seen: Sequence[str]
    bare: Sequence[str]
    heads: Sequence[bool]
    ends: Sequence[int | None]


def split(text: str, words: Keywords, marks: Marks = NO_MARKS, looks: Looks = _talk) -> tuple[Part, ...]:
    """The parts of a mail's fresh text in the order written; blank lines, comments and `end` are dropped.

    `looks` is asked of the lines under a press alone, without their bullets and counters.
    """
    page = _page(text, words)
    parts: list[Part] = []
    row = 0
    while row < len(page.rows):
        if page.heads[row]:
            found, row = _press(page, row, words, looks)
            parts += found
            continue
        line, bare = page.seen[row], page.bare[row]
        if any(map(str.isalnum, bare)) and not line.startswith("#") and not _is_end(bare, words):
            parts.append(_part(line, bare, row, words, marks))
        row += 1
    return tuple(parts)


def _part(line: str, bare: str, row: int, words: Keywords, marks: Marks) -> Part:
    if _is_aside(line, bare):
        return Aside(line)
    ended = ends(bare, marks, words)
    return Written(line, bare, row) if ended is False else StandingEnd(line, sure=ended is True)


def _page(text: str, words: Keywords) -> _Page:
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    seen = tuple(map(clean, rows))
    bare = tuple(map(undecorated, seen))
    heads = tuple(_is_press(line, words) for line in bare)
    return _Page(rows, seen, bare, heads, _ends(bare, heads, words) if any(heads) else ())


def _is_aside(line: str, bare: str) -> bool:
    return line.startswith(_QUOTED) or bare.startswith((*_QUOTED, "#")) or _ECHO.match(bare) is not None


def undecorated(line: str) -> str:
    """Without bullet and counter; a counter before one single word is that word's number (`7. angreifen`)."""
    if line[:1].isalpha() and line[1:2].isalpha():
        return line
    rest = line[_end(_BULLET, line) :]
    counted = rest[_end(_COUNTER, rest) :]
    return counted if counted == rest or " " in counted or not rest[0].isdigit() else rest


def _end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


def _is_end(bare: str, words: Keywords) -> bool:
    return len(bare) <= _LONGEST_MARK and fold(bare).strip(" .!-*_\"'") in words.role("end")


def _is_press(bare: str, words: Keywords) -> bool:
    first, _, rest = bare.partition(" ")
    if len(first) > _LONGEST_MARK:
        return False
    word, colon, _ = fold(first).strip("\"'*_").partition(":")
    if word not in words.role("press") and not _is_nearly_press(word, rest, words):
        return False
    if bare.startswith(_QUOTED):
        return False
    following = words.words(rest[:_LONGEST_MARK])[:1]
    return bool(colon) or ":" in fold(rest) or any(w in words.role("press_to") | words.role("all") for w in following)


def _is_nearly_press(word: str, rest: str, words: Keywords) -> bool:
    """`prese to Anna: …`: a slip in the one word, where the others leave no doubt."""
    if word[:1] not in _PRESS_BEGINS or ":" not in rest.replace("：", ":"):
        return False
    following = words.words(rest[:_LONGEST_MARK])[:1]
    if not any(w in words.role("press_to") | words.role("all") for w in following):
        return False
    return any(is_one_slip(word, one) for one in words.role("press"))


def _ends(bare: Sequence[str], heads: Sequence[bool], words: Keywords) -> tuple[int | None, ...]:
    """For each row the row of the `end` that closes a press begun there."""
    closing: int | None = None
    ends: list[int | None] = [None] * len(bare)
    for row in range(len(bare) - 1, -1, -1):
        ends[row] = closing
        if heads[row]:
            closing = None
        elif _is_end(bare[row], words):
            closing = row
    return tuple(ends)


def _press(page: _Page, row: int, words: Keywords, looks: Looks) -> tuple[Sequence[Part], int]:
    """The press that begins in this row, and the row after it; or what is wrong with it."""
    head, colon, first = page.bare[row].replace("：", ":").partition(":")
    opens = bool(colon) and not first.strip()
    body = _body(page, row, opens=opens)
    seen = [(at, looks(page.bare[at])) for at in body if _speaks(page, at)]
    orders = [at for at, look in seen if look]
    if orders and not opens and all(look is not False for _, look in seen):
        body, orders = range(row + 1, row + 1), []
    after = body.stop + (body.stop < len(page.rows) and body.stop == page.ends[row])
    text = "\n".join(part.rstrip() for part in (first, *(page.rows[at] for at in body))).strip()
    names = _names(head, words)
    reason = "press_without_colon" if not colon else "press_to_nobody" if not names else "" if text else "press_empty"
    reason = reason or ("press_holds_order" if orders else "" if _is_spelled(head, words) else "press_misspelt")
    if reason:
        return (BadPress(page.seen[row], reason), *(BadPress(page.seen[at], "order_in_press") for at in orders)), after
    everyone = any(fold(name) in words.role("all") for name in names)
    return (Press(() if everyone else names, text),), after


def _is_spelled(head: str, words: Keywords) -> bool:
    return fold(head.partition(" ")[0]).strip("\"'*_") in words.role("press")


def _speaks(page: _Page, row: int) -> bool:
    """Neither blank nor a comment."""
    return any(map(str.isalnum, page.bare[row])) and not page.seen[row].startswith("#")


def _body(page: _Page, row: int, *, opens: bool) -> range:
    """The rows of a press under its head, without the `end`."""
    end = page.ends[row]
    if end is not None:
        return range(row + 1, end)
    if not opens:
        return range(row + 1, row + 1)
    below = range(row + 1, len(page.rows))
    return range(row + 1, next((n for n in below if not page.seen[n] or page.heads[n]), len(page.rows)))


def _names(head: str, words: Keywords) -> tuple[str, ...]:
    """The names after `press to`, as written."""
    parts = head.split()[1:]
    if parts and fold(parts[0]) in words.role("press_to"):
        parts = parts[1:]
    joined = " ".join("," if fold(part) in words.role("and") else part for part in parts)
    return tuple(name for part in _NAMES.split(joined) if (name := part.strip(" \"'")))
