"""A mail's fresh text cut into parts: what may be an order, what is press, what is neither.

Lines are cut at line feeds and carriage returns alone; every other separator counts as a blank, so that nothing
typed inside a line can become a line of its own. Never read as orders: blank lines, comments (`#`), a line with
`end` alone, echoes of our own mails (`[1] …`), and what is quoted (`>`, `|`).

Press is `press to P[, Q]: text` or `press to all: text`. It goes on to the next line with `end`, if one comes
before the next press; without one it is that one line if text follows the colon, else up to the next blank line.
A press line without a colon or without a name is a mistake; what stands under it up to an `end` isn't read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.core.orders import Press
from league.language.fold import clean, fold
from league.language.words import Keywords

_ECHO = re.compile(r"\[\s*\d+\s*\]")
_BULLET = re.compile(r"(?:[-*+•·–—►➤→✓]+(?:\s+|(?=[^\W\d_])))?")
_COUNTER = re.compile(r"\(?(?:\d{1,2}[.)](?=\s|[^\W\d_])|[a-zA-Z]\)|[a-zA-Z]\.(?=\s))\s*")
_NAMES = re.compile(r"[,;&]")
_QUOTED: Final = (">", "|")


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
    """A press line that can't be delivered: `reason` is press_without_colon, press_to_nobody or press_empty."""

    text: str
    reason: str


Part = Written | Aside | Press | BadPress


def split(text: str, words: Keywords) -> tuple[Part, ...]:
    """The parts of a mail's fresh text in the order written; blank lines, comments and `end` are dropped."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    seen = tuple(map(clean, rows))
    heads = tuple(_is_press(line, words) for line in seen)
    ends = _ends(seen, heads, words)
    parts: list[Part] = []
    row = 0
    while row < len(rows):
        if heads[row]:
            part, row = _press(rows, seen, heads, row, ends[row], words)
            parts.append(part)
            continue
        line = seen[row]
        if line and not line.startswith("#") and not _is_end(line, words):
            parts.append(_part(line, row))
        row += 1
    return tuple(parts)


def _part(line: str, row: int) -> Part:
    bare = undecorated(line)
    if line.startswith(_QUOTED) or bare.startswith(_QUOTED) or _ECHO.match(bare):
        return Aside(line)
    return Aside(line) if bare.startswith("#") else Written(line, bare, row)


def undecorated(line: str) -> str:
    """Without bullet and counter; a counter before one single word is that word's number (`7. angreifen`)."""
    rest = line[_end(_BULLET, line) :]
    counted = rest[_end(_COUNTER, rest) :]
    return counted if counted == rest or " " in counted or not rest[0].isdigit() else rest


def _end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


def _is_end(line: str, words: Keywords) -> bool:
    return len(line) < 20 and fold(line).strip(" .!-*_\"'") in words.role("end")  # no `end` is longer


def _is_press(line: str, words: Keywords) -> bool:
    bare = undecorated(line[:200]) if line else ""
    if not bare or bare.startswith(_QUOTED):
        return False
    first, _, rest = bare.partition(" ")
    word, colon, _ = fold(first).strip("\"'*_").partition(":")
    if word not in words.role("press"):
        return False
    following = words.words(rest)[:1]
    return bool(colon) or ":" in fold(rest) or any(w in words.role("press_to") | words.role("all") for w in following)


def _ends(seen: Sequence[str], heads: Sequence[bool], words: Keywords) -> tuple[int | None, ...]:
    """For each row the row of the `end` that closes a press begun there."""
    closing: int | None = None
    ends: list[int | None] = [None] * len(seen)
    for row in range(len(seen) - 1, -1, -1):
        ends[row] = closing
        if heads[row]:
            closing = None
        elif _is_end(seen[row], words):
            closing = row
    return tuple(ends)


def _press(  # the whole mail and a place in it
    rows: Sequence[str], seen: Sequence[str], heads: Sequence[bool], row: int, end: int | None, words: Keywords
) -> tuple[Part, int]:
    line = undecorated(seen[row])
    head, colon, first = line.replace("：", ":").partition(":")
    if end is not None:
        body, after = rows[row + 1 : end], end + 1
    elif colon and not first.strip():
        stop = next((n for n in range(row + 1, len(rows)) if not seen[n] or heads[n]), len(rows))
        body, after = rows[row + 1 : stop], stop
    else:
        body, after = [], row + 1
    text = "\n".join(part.rstrip() for part in (first, *body)).strip()
    names = _names(head, words)
    reason = "press_without_colon" if not colon else "press_to_nobody" if not names else "" if text else "press_empty"
    if reason:
        return BadPress(seen[row], reason), after
    everyone = any(fold(name) in words.role("all") for name in names)
    return Press(() if everyone else names, text), after


def _names(head: str, words: Keywords) -> tuple[str, ...]:
    """The names after `press to`, as written."""
    parts = head.split()[1:]
    if parts and fold(parts[0]) in words.role("press_to"):
        parts = parts[1:]
    joined = " ".join("," if fold(part) in words.role("and") else part for part in parts)
    return tuple(name for part in _NAMES.split(joined) if (name := part.strip(" \"'")))
