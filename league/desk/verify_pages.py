"""What a round's page shows of its record: root, leaves, the record's hash, the table. Prose isn't compared."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.records.audit import Link

ROUND_PAGE = re.compile(r"(?:[a-z]{2}/)?round-(\d{1,6})(?:-v(\d{1,4}))?\.html")
HASH = re.compile(r"<code>([0-9a-f]{64})</code>")
TABLE = re.compile(r"<table [^>]{0,200}\bstandings\b")
NUMBER = re.compile(r"[-\N{MINUS SIGN}]?[0-9][0-9.,\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}']*")
MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class PageFacts:
    """The figures of a round's page: every check sum on it, and rank and points of each row of its table."""

    hashes: frozenset[str]
    standings: tuple[tuple[int, int], ...]


def is_round_page(name: str) -> bool:
    """Whether a round is told there, in whatever language; an older version's page bears its number."""
    return ROUND_PAGE.fullmatch(name) is not None


def page_number(name: str) -> tuple[int, int]:
    """The round of such a page, and the version; 0 is the one that stands."""
    found = ROUND_PAGE.fullmatch(name)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def page_facts(content: bytes) -> PageFacts:
    """The figures of a page, which may be anything."""
    from selectolax.lexbor import LexborHTMLParser

    text = content.decode(errors="replace")
    begin = TABLE.search(text)
    end = text.find("</table>", begin.end()) if begin else -1
    rows = []
    tree = LexborHTMLParser(text[begin.start() : end] if begin and end > 0 else "")  # the whole page would take long
    for row in tree.css("tbody tr")[:MOST_ROWS]:
        cells = [cell.text() for cell in row.css("td")]
        if len(cells) >= 2:
            rows.append((_number(cells[0]), _number(cells[1])))
    return PageFacts(frozenset(HASH.findall(text)), tuple(rows))


def _number(text: str) -> int:
    """A whole number as any of our languages writes it; 0 where there is none."""
    found = NUMBER.search(text)
    digits = "".join(sign for sign in found[0] if sign.isdecimal()) if found else ""
    size = int(digits[:18]) if digits else 0
    return -size if found and not found[0][0].isdecimal() else size


def page_faults(page: PageFacts, link: Link) -> Iterable[tuple[str, str]]:
    """Where a round's page says another thing than the record that stands."""
    body: Mapping[str, Any] = link.body
    freeze = body["freeze"]
    for field, hash_ in (
        ("record", link.sha256),
        ("root", freeze["root"]),
        *(("leaf", one) for one in freeze["leaves"]),
    ):
        if hash_ not in page.hashes:
            yield field, f"the page doesn't show the record's {hash_}"
    wanted = [(rank, points) for rank, _, points in body["standings"]]
    if sorted(page.standings) != sorted(wanted):
        yield "standings", f"the page has {_shown(page.standings)}, the record {_shown(wanted)}"


def _shown(rows: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{rank}. {points}" for rank, points in rows[:8]) or "no table"
