"""A mail's fresh text cut into parts: what may be an order, what is press, what is neither.

Lines are cut at line feeds and carriage returns alone; every other separator counts as a blank, so that nothing
typed inside a line can become a line of its own. Never read as orders: blank lines, comments (`#`), a line with
`end` alone, echoes of our own mails (`[1] …`), and what is quoted (`>`, `|`).

Press is `press to P[, Q]: text` or `press to all: text`. It goes on to the next line with `end`, if one comes
before the next press; how far it goes without one is told in `press.py`. A press line without a colon or without a
name is a mistake, and what belongs to it isn't read.

No order is lost to press, and none is told to a rival: a line of the press that reads as an order is asked about, and
neither it nor the press counts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from league.core.orders import Press
from league.language.fold import clean, fold
from league.language.press import Extent, Looks, Seen, closed, unclosed, unnamed
from league.language.standing import Marks, ends
from league.language.words import Keywords, is_one_slip

_ECHO = re.compile(r"\[\s*\d+\s*\]")
_BULLET = re.compile(r"(?:[-*+•·–—►➤→‣▪■●◼⬛]+(?:\s+|(?=[^\W\d_]|[\[(☐-☒✓-✘✅❌❎])))?")
_BOX = re.compile(
    r"(?:\[\s*(?P<bracket>[xX×✓✔✗✘✕✖]?)\s*\]|\(\s*(?P<paren>[xX×✓✔✗✘✕✖ ])\s*\)"
    r"|(?P<sign>[☐-☒✓✔✗✘✕✖✅❌❎⬜◻□○◯])|(?P<letter>[xX×](?=\s+[^\W\d_]{2})))\s*(?=\S)"
)
_BEHIND = re.compile(r"(?<=\S)\s*(?:(?P<sign>[☐-☒✓✔✗✘✕✖✅❌❎⬜◻□])|\[\s*(?P<bracket>[xX×✓✔-]?)\s*\])[\s.!,;]*$")
_STRUCK = re.compile(r"~~[^~]*[^\W_][^~]*~~|^[^\w~]*~[^~]+~\W*$|^(?:\W|\d{1,2}[.)])*?\[\s*-\s*\]|[^\W_][\u0335-\u0338]")
_TICKS, _CROSSES, _OUT = frozenset("✓✔☑✅"), frozenset("☒xX×"), frozenset("✗✘✕✖❌❎")
TICK, CROSS, EMPTY = _BOXES = ("tick", "cross", "empty")  # what is surely meant first
STRUCK: Final = "struck"  # crossed out: never meant
_COUNTER = re.compile(r"\(?(?:\d{1,2}[.)](?=\s|[^\W\d_])|[a-zA-Z]\)|[a-zA-Z]\.(?=\s))\s*")
_TOLD: Final = " – "  # in our answers, between an order and what became of it
_ANONYMOUS = re.compile(r"\S+\s+anon[iy]", re.IGNORECASE)
_NAMES = re.compile(r"[,;&]")
_PRESS_BEGINS: Final = "p"  # in every language; the first letter is seldom the wrong one
_LONGEST_MARK: Final = 20  # letters; no word for press or end is longer
_QUOTED: Final = (">", "|")
NO_MARKS: Final = Marks()


def _talk(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Written:
    """A line that may be an order: as written, without bullets and counters, and where it stands.

    `box`: the mark of a list to be ticked that stands before or behind it, tick, cross, empty or struck.
    """

    text: str
    bare: str
    row: int
    box: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Aside:
    """A line that is no order whatever it says; `echo` is what stands in it behind the number of our own list."""

    text: str
    echo: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class BadPress:
    """A press line that can't be delivered: `reason` is press_without_colon, press_to_nobody or press_empty.

    Or one with a slip in its first word (press_misspelt). Or one with an order in its text (press_holds_order), and
    then each such order (order_in_press).
    """

    text: str
    reason: str
    row: int = field(default=0, compare=False)
    after: int = field(default=0, compare=False)  # of a press line the row after all that belongs to it


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
        numbered = None if line.startswith(_QUOTED) else _ECHO.match(bare)
        if numbered is None or _TOLD in bare:
            return Aside(line)
        return Aside(line, undecorated(bare[numbered.end() :].strip()))
    ended, box = ends(bare, marks, words), box_of(line)
    is_end = ended is not False and box != STRUCK
    return StandingEnd(line, sure=ended is True) if is_end else Written(line, bare, row, box)


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
    rest, _ = _unboxed(line[_end(_BULLET, line) :])
    counted = rest[_end(_COUNTER, rest) :]
    bare = counted if counted == rest or " " in counted or not rest[0].isdigit() else rest
    return bare if bare == rest else _unboxed(bare)[0]


def box_of(line: str) -> str:
    """Which mark of a list to be ticked stands before or behind the line, or strikes it out, as programs write them."""
    if line.isascii() and line[:2].isalpha() and "]" not in line and "~" not in line:
        return ""
    if _STRUCK.search(line):
        return STRUCK
    rest, box = _unboxed(line[_end(_BULLET, line) :])
    return box or _unboxed(rest[_end(_COUNTER, rest) :])[1] or _box_behind(line)


def _box_behind(line: str) -> str:
    match = _BEHIND.search(line)
    if match is None or not any(map(str.isalnum, line[: match.start()])):
        return ""
    sign, within = match["sign"] or "", match["bracket"] or ""
    return STRUCK if within == "-" else TICK if within else _kind(sign)


def _kind(sign: str) -> str:
    """What a mark by itself says; a cross that isn't the letter and stands in no box crosses out."""
    return TICK if sign in _TICKS else STRUCK if sign in _OUT else CROSS if sign in _CROSSES else EMPTY


def unsure_boxes(boxes: Iterable[str]) -> frozenset[str]:
    """The boxes that leave a line in doubt beside those of others: who ticks some means those, not the empty ones.

    Where all are alike the box says nothing: many programs can't tick. What is crossed out is in doubt by itself.
    """
    there = set(boxes)
    return frozenset([box for box in _BOXES if box in there][1:]) | (there & {STRUCK})


def _unboxed(line: str) -> tuple[str, str]:
    """The line without the box before it, and which box that is. A cross in brackets is a tick, as editors write it."""
    match = _BOX.match(line)
    if match is None:
        return line, ""
    sign = match["sign"] or match["letter"] or ""
    within = (match["bracket"] or match["paren"] or "").strip()
    box = TICK if within else _kind(sign) if sign else EMPTY
    return line[match.end() :], box


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
    extent = _extent(page, row, words, looks, first if colon else "-")
    after = extent.stop + (extent.stop < len(page.rows) and extent.stop == page.ends[row])
    text = "\n".join(part.rstrip() for part in (first, *page.rows[row + 1 : extent.said])).strip()
    names = _names(head, words)
    reason = "press_without_colon" if not colon else "press_to_nobody" if not names else "" if text else "press_empty"
    reason = reason or ("press_holds_order" if extent.orders else "" if _is_spelled(head, words) else "press_misspelt")
    if reason:
        held = tuple(BadPress(page.seen[at], "order_in_press", at) for at in extent.orders)
        return (BadPress(page.seen[row], reason, row, after), *held), after
    everyone = any(fold(name) in words.role("all") for name in names)
    return (Press(() if everyone else names, text),), after


def _is_spelled(head: str, words: Keywords) -> bool:
    return fold(head.partition(" ")[0]).strip("\"'*_") in words.role("press")


def _speaks(page: _Page, row: int) -> bool:
    """Neither blank nor a comment."""
    return any(map(str.isalnum, page.bare[row])) and not page.seen[row].startswith("#")


def _extent(page: _Page, row: int, words: Keywords, looks: Looks, first: str) -> Extent:
    """How far the press under this head goes; `first` is what stands behind its colon."""
    opens, end = not first.strip(), page.ends[row]
    if end is not None:
        return closed(row, end, _seen(page, range(row + 1, end), words, looks), opens=opens)
    below = range(row + 1, len(page.rows))
    stop = next((at for at in below if page.heads[at]), len(page.rows))
    begin = next((at for at in range(row + 1, stop) if page.seen[at]), stop) if opens else row + 1
    edge = next((at for at in range(begin, stop) if not page.seen[at]), stop)
    seen = _seen(page, range(row + 1, stop), words, looks)
    extent = unclosed(row, edge, stop, seen, opens=opens, leads=first.rstrip().endswith(":"))
    return unnamed(extent, edge, seen) if _ANONYMOUS.search(page.bare[row]) else extent


def _seen(page: _Page, rows: range, words: Keywords, looks: Looks) -> Sequence[Seen]:
    """The rows that say something; what is never read as an order is talk here as well."""
    found: list[Seen] = []
    whole = ""  # an order with the lines right above that a mail program broke it into
    for at in rows:
        if not _speaks(page, at):
            whole = ""
            continue
        bare = page.bare[at]
        look = False if _is_aside(page.seen[at], bare) else looks(bare)
        if look is False and whole and looks(f"{whole} {bare}"):
            look, whole = True, f"{whole} {bare}"
            found[-1] = replace(found[-1], look=True, is_word=False)
        else:
            whole = bare if look is not False else ""
        found.append(Seen(at, bare, look, is_word=_is_word(bare, words)))
    return found


def _is_word(bare: str, words: Keywords) -> bool:
    """One word, and at most what politeness puts around it."""
    return sum(word not in words.role("filler") for word in words.words(bare)) <= 1


def _names(head: str, words: Keywords) -> tuple[str, ...]:
    """The names after `press to`, as written."""
    parts = head.split()[1:]
    if parts and fold(parts[0]) in words.role("press_to"):
        parts = parts[1:]
    joined = " ".join("," if fold(part) in words.role("and") else part for part in parts)
    return tuple(name for part in _NAMES.split(joined) if (name := part.strip(" \"'")))
