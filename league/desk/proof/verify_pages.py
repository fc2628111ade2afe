"""What a round's page shows of its record: root, leaves, the record's hash, the table. Prose isn't compared."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from json import loads
from typing import Any

from league.records.audit import Link
from league.records.freeze import root
from league.records.press import NAMES, NAMES_FILE
from league.reports.texts import clean

ROUND_PAGE = re.compile(r"(?:[a-z]{2}/)?round-(\d{1,6})(?:-v(\d{1,4}))?\.html")
HASH = re.compile(r"<code>([0-9a-f]{64})</code>")
TABLE = re.compile(r"<table [^>]{0,200}\bstandings\b.*?</table>", re.DOTALL)
UNSEEN = re.compile(r"<!--.*?-->|<(script|style|template)\b.*?</\1>", re.DOTALL)
NUMBER = re.compile(r"[-\N{MINUS SIGN}]?[0-9][0-9.,\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}']*")
PLAIN = bytes(
    32 if sign < 32 else sign + 32 if 65 <= sign <= 90 else sign for sign in range(256)
)  # one case, one kind of space
SCRIPTS, FILM = rb"map|composer", rb'"application/json" id="rounds-data"'  # a page's own
TAGS = (
    *(b"iframe", b"object", b"embed", b"base", b"template", b"form", b"frame", b"frameset", b"foreignobject"),
    *(b"animate", b"animatetransform", b"animatemotion", b"set"),
)
ODD = tuple(  # words of players are escaped, so no quote or bracket of theirs can complete one of these
    re.compile(pattern)  # each begins with letters that are searched for quickly
    for pattern in (
        rb"<!--",
        *(rb"<" + name + rb"[ >/]" for name in TAGS),
        rb"<script(?! src=\"(?:\.\./)*(?:" + SCRIPTS + rb")\.js\" defer></script>| type=" + FILM + rb">)[ >/]",
        rb" http-equiv *=(?! *\"content-security-policy\")",
        rb" hidden(?:=[\"']| +[a-z-]+=[\"'])",
        rb" hidden */?>",
        rb" on[a-z]{3,16} *= *[\"']",
        rb" on[a-z]{3,16} *= *[^ \"'<>=]+[^<>]{0,300}>",
        rb" href *= *[\"'](?:(?!mailto:|data:image/svg\+xml,)[a-z0-9+.&;-]{1,40}:|[^\"'/?#]{0,40}&|[ /\\]{2})",
        rb" data-src(?!=\"orders\.js\")[ =][^<>]{0,900}>",
        rb" rel *= *(?:[\"'][a-z ]{0,20}stylesheet|stylesheet[^<>]{0,900}>)",
        rb" style *= *[\"'][^\"'<>]{0,300}(?:display *: *none|visibility *: *hidden|font-size *: *0)",
    )
)
OURS = re.compile(  # a map's own parts
    rb"<(?:div class=\"replay\"[^>]{0,300}|button type=\"button\" class=\"tiles\"[^>]{0,300}"
    rb"|tr data-seat=\"[a-z0-9]{1,12}\") hidden>"
)
CHOICES = re.compile(rb"leagueComposer\.feed\((\{.*\})\);\n")  # of the order composer
MOST_ROWS, MOST_TABLES = 1_000, 20
JOURNAL_PAGE = re.compile(r"(?:[a-z]{2}/)?journal\.html")
FRONT_PAGE = re.compile(r"(?:[a-z]{2}/)?index\.html")
ACTS = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
Line = tuple[str, str]  # of the journal's page: when (ISO), why
Row = tuple[int, int, str]  # rank, points, name
Rows = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a round's page or a league's own shows: every check sum, the rows of each table of standings."""

    hashes: frozenset[str]
    tables: tuple[Rows, ...] = ()


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

    text = UNSEEN.sub("", content.decode(errors="replace"))
    tables = []
    for found in [*TABLE.finditer(text)][:MOST_TABLES]:  # parsing the whole page would take long
        rows = []
        for row in LexborHTMLParser(found[0]).css("tbody tr:not([hidden])")[:MOST_ROWS]:
            cells = [cell.text() for cell in row.css("td")]
            name = next((one.text() for one in row.css("bdi")), "")
            if len(cells) >= 2:
                rows.append((_number(cells[0]), _number(cells[1]), name))
        tables.append(tuple(rows))
    return PageFacts(frozenset(HASH.findall(text)), tuple(tables))


def journal_lines(content: bytes) -> tuple[Line, ...]:
    """When each act on the journal's page was done, and why."""
    from selectolax.lexbor import LexborHTMLParser

    found = ACTS.search(UNSEEN.sub("", content.decode(errors="replace")))
    rows = LexborHTMLParser(f"<table>{found[0]}</table>").css("tbody tr:not([hidden])") if found else ()
    return tuple((_moment(row.css_first("time")), (row.css("td") or [row])[-1].text()) for row in rows)


def _moment(time: Any) -> str:
    return str(time.attributes.get("datetime")).replace("+00:00", "Z") if time is not None else ""


def names_in(content: bytes | None) -> dict[str, str]:
    """What seats are called, by `names.json`; nothing where it isn't one."""
    try:
        found = loads(content or b"")
        rows = found["seats"] if found["kind"] == NAMES else []
        return {str(row["seat"]): str(row["name"]) for row in rows}
    except (KeyError, TypeError, ValueError, RecursionError):
        return {}


def odd_content(lowered: bytes) -> str:
    """What is in a page (in one case, by `PLAIN`) that none of ours has: unseen, or not what a reader came for."""
    plain = OURS.sub(b"", lowered)
    found = next((hit for odd in ODD if (hit := odd.search(plain))), None)
    return f"{found[0].decode(errors='replace').strip()[:40]!r}" if found else ""


def odd_script(content: bytes) -> str:
    """What else a league's script is than choices for the order composer: data, and nothing that does anything."""
    found = CHOICES.fullmatch(content)
    try:
        if found and isinstance(loads(found[1]), dict):
            return ""
    except (ValueError, RecursionError):
        pass
    return "a script of another kind"


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
    yield from table_faults(page, body["standings"], names)


def table_faults(page: PageFacts, standings: Sequence[Any], names: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Where any table of a page is another one than a record's, place by place, whichever of them a reader sees."""
    wanted = tuple((rank, points, clean(names.get(seat, seat))) for rank, seat, points in standings)
    for rows in page.tables or ((),):
        if [row[:2] for row in rows] != [row[:2] for row in wanted]:
            yield "standings", f"the page has {_shown(rows)}, the record {_shown(wanted)}"
        elif names and rows != wanted:
            shown, called = next((row[2], one[2]) for row, one in zip(rows, wanted, strict=True) if row != one)
            yield "names", f"its table has {shown[:60]!r} where by {NAMES_FILE} {called[:60]!r} stands"


def waiting_faults(page: PageFacts) -> Iterable[tuple[str, str]]:
    """A round without a record has a root over its leaves and no other check sum: else its record was taken away."""
    if not any(root(sorted(page.hashes - {one})) == one for one in page.hashes):
        yield "record", "it shows more than leaves and their root, and there is no record of the round"


def _shown(rows: Rows) -> str:
    return ", ".join(f"{rank}. {points}" for rank, points, _ in rows[:8]) or "no table"
