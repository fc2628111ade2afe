"""Plain text for mails: foreign text made harmless, lines folded to 72 columns, tables lined up."""

from collections.abc import Callable, Iterable, Sequence
from re import compile as pattern
from textwrap import wrap
from unicodedata import category, east_asian_width

WIDTH = 72
LEADS = pattern(r"^(\[\d+\] |# +|\| |- |\d+\. | +)?")
BROKEN = range(56, 150)  # columns that a line and the next word would fill, where a mail program breaks lines
ECHO = pattern(r"\[\d+\] ")
ASIDE = ("#", "|", ">")


def clean(text: str, most: int = 60) -> str:
    """Foreign text as one harmless line: no control, bidi or invisible characters, spaces collapsed, cut to length.

    Line and paragraph separators are spaces too; a lone surrogate can't be encoded and goes.
    """
    spaced = "".join(" " if c.isspace() or category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    kept = "".join(c for c in spaced if category(c) not in {"Cf", "Cs", "Co", "Cn"})
    line = " ".join(kept.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def clean_lines(text: str, most: int = 4000) -> tuple[str, ...]:
    """A longer foreign text, line by line; empty lines at both ends go."""
    lines = [clean(line, most) for line in text[:most].strip().splitlines()]
    return tuple(lines)


def fold(text: str, width: int = WIDTH) -> str:
    """Every line at most `width` columns; what continues a `# ` or `| ` line carries that sign again."""
    return "\n".join(part for line in text.split("\n") for part in _fold_line(line.rstrip(), width))


def _fold_line(line: str, width: int) -> Iterable[str]:
    if len(line) <= width:
        return [line]
    found = LEADS.match(line)
    lead = found.group(0) if found else ""
    follow = lead if lead.strip() in {"#", "|"} else " " * len(lead)
    whole = "://" in line  # a link that is broken leads nowhere
    told = wrap(
        line[len(lead) :],
        width,
        initial_indent=lead,
        subsequent_indent=follow,
        break_on_hyphens=False,
        break_long_words=not whole,
    )
    return told or [lead.rstrip()]


def guard(text: str, reads: Callable[[str], bool]) -> str:
    """No line that the league's own reader would take for an order or press: such a line is marked with `| `.

    What we send comes back quoted, so this holds for every mail whatever names and press hold (MAIL: decision 1).
    """
    lines = text.split("\n")
    found = _together(lines, reads)
    if found or any(reads(line) for line in lines if _open(line)):
        lines = [_marked(line) if _open(line) and reads(line) else line for line in lines]
        found = _together(lines, reads)
    if found:  # only together, as a mail program would have broken it
        lines = [_marked(line) if _open(line) else line for line in lines]
    return "\n".join(lines)


def is_harmless(text: str, reads: Callable[[str], bool]) -> bool:
    """Whether the reader finds nothing, neither in the whole nor in a line alone."""
    lines = text.split("\n")
    return not _together(lines, reads) and not any(reads(line) for line in lines if _open(line))


def _together(lines: Sequence[str], reads: Callable[[str], bool]) -> bool:
    """Whether lines that are harmless alone would be read as one.

    Readers join what a mail program broke for being long, and what stands under a colon; asking about all lines again
    cost a third of a run. Of a line that can't be an order it only matters that it is there.
    """
    return any(reads(group) for group in _joined(lines))


def _joined(lines: Sequence[str]) -> Iterable[str]:
    """The lines that a reader may join, each run of them by itself: most stand in the mails of other players too."""
    group: list[str] = []
    above = -1  # the nearest line that isn't blank
    for place, line in enumerate(lines):
        if not line.strip():
            continue
        apart = place - above > 1
        if above >= 0 and _open(lines[above]) and _goes_on(lines[above], line, apart=apart):
            group = [*(group or [lines[above]]), *([""] if apart else []), _shown(line)]
        elif group:
            yield "\n".join(group)
            group = []
        above = place
    if group:
        yield "\n".join(group)


def _shown(line: str) -> str:
    return line if _open(line) else "[1] x"


def _goes_on(line: str, following: str, *, apart: bool) -> bool:
    if line.rstrip().endswith((":", "：")):
        return True
    return not apart and _open(following) and len(line) + 1 + len(following.split(maxsplit=1)[0]) in BROKEN


def _marked(line: str) -> str:
    return f"| {line.strip()}"[:WIDTH]


def _open(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(ASIDE) and not ECHO.match(line)


def columns(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Rows lined up by the widest cell of each column; the columns in `right` end flush."""
    ends = set(right)
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    return [
        "  ".join(
            " " * (widths[i] - _width(cell)) + cell if i in ends else cell + " " * (widths[i] - _width(cell))
            for i, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]


def _width(text: str) -> int:
    return sum(0 if category(c) in {"Mn", "Me"} else 2 if east_asian_width(c) in "WF" else 1 for c in text)
