"""What a round's page shows of its record: root, leaves, the record's hash, the table. Prose isn't compared."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from json import loads
from typing import Any

from league.records.audit import Link
from league.records.press import NAMES, NAMES_FILE
from league.reports.texts import clean

ROUND_PAGE = re.compile(r"(?:[a-z]{2}/)?round-(\d{1,6})(?:-v(\d{1,4}))?\.html")
HASH = re.compile(r"<code>([0-9a-f]{64})</code>")
TABLE = re.compile(r"<table [^>]{0,200}\bstandings\b")
NUMBER = re.compile(r"[-\N{MINUS SIGN}]?[0-9][0-9.,\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}']*")
PLAIN = bytes(
    32 if sign < 32 else sign + 32 if 65 <= sign <= 90 else sign for sign in range(256)
)  # one case, one kind of space
TAGS = (b"iframe", b"object", b"embed", b"base", b"template")
ODD = tuple(  # words of players are escaped, so no quote or bracket of theirs can complete one of these
    re.compile(pattern)  # each begins with letters that are searched for quickly
    for pattern in (
        rb"<!--",
        *(rb"<" + name + rb"[ >/]" for name in TAGS),
        rb"<script(?! src=\"(?:\.\./)*map\.js\" defer></script>| type=\"application/json\" id=\"rounds-data\">)[ >/]",
        rb" http-equiv *=(?! *\"content-security-policy\")",
        rb" hidden(?:=[\"']| +[a-z-]+=[\"'])",
        rb" hidden */?>",
        rb" on[a-z]{3,16} *= *[\"']",
        rb" style *= *[\"'][^\"'<>]{0,300}(?:display *: *none|visibility *: *hidden|font-size *: *0)",
    )
)
OURS = re.compile(rb"<(?:div class=\"replay\"[^>]{0,300}|tr data-seat=\"[a-z0-9]{1,12}\") hidden>")  # a map's own parts
MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a round's page shows: every check sum, rank, points and name of each row of its table."""

    hashes: frozenset[str]
    standings: tuple[tuple[int, int], ...]
    names: tuple[str, ...] = ()


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
    rows, names = [], []
    tree = LexborHTMLParser(text[begin.start() : end] if begin and end > 0 else "")  # the whole page would take long
    for row in tree.css("tbody tr")[:MOST_ROWS]:
        cells = [cell.text() for cell in row.css("td")]
        if len(cells) >= 2:
            rows.append((_number(cells[0]), _number(cells[1])))
            names += [name.text() for name in row.css("bdi")[:1]]
    return PageFacts(frozenset(HASH.findall(text)), tuple(rows), tuple(names))


def names_in(content: bytes | None) -> dict[str, str]:
    """What seats are called, by `names.json`; nothing where it isn't one."""
    try:
        found = loads(content or b"")
        rows = found["seats"] if found["kind"] == NAMES else []
        return {str(row["seat"]): str(row["name"]) for row in rows}
    except (KeyError, TypeError, ValueError, RecursionError):
        return {}


def odd_content(content: bytes) -> str:
    """What is in a page that none of ours has: what a reader doesn't see, or didn't come for; empty if nothing is."""
    plain = OURS.sub(b"", content.translate(PLAIN))
    found = next((hit for odd in ODD if (hit := odd.search(plain))), None)
    return f"{found[0].decode(errors='replace').strip()[:40]!r}" if found else ""


def _number(text: str) -> int:
    """A whole number as any of our languages writes it; 0 where there is none."""
    found = NUMBER.search(text)
    digits = "".join(sign for sign in found[0] if sign.isdecimal()) if found else ""
    size = int(digits[:18]) if digits else 0
    return -size if found and not found[0][0].isdecimal() else size


def page_faults(page: PageFacts, link: Link, names: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Where a round's page says another thing than the record that stands, or calls a seat otherwise than `names`."""
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
    called = [clean(names.get(seat, seat)) for _, seat, _ in body["standings"]]
    if names and page.names and sorted(page.names) != sorted(called):
        other = sorted(set(page.names) ^ set(called))
        yield "names", f"its table doesn't call the players what {NAMES_FILE} does (first: {other[:1] or ['twice']})"


def _shown(rows: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{rank}. {points}" for rank, points in rows[:8]) or "no table"
