"""What a record says must fit together: a chain that is whole and signed may still contradict itself.

Nothing here needs the rules of a game. What this version doesn't know is named: a newer program may have added it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from league.records.audit import ADJUSTMENT, OPENING, ORDERS, ROUND, Body, Found, Link
from league.records.rotation import KIND as KEY
from league.records.sealed import KIND as UNSEALED

OWN = frozenset({"kind", "league", "match", "previous"})
CORRECTED = frozenset({"version", "correction", "cause", "journal"})
ABOUT = frozenset({"round", "game", "rules", "opens", "deadline", "closes", "evaluated", "freeze", "supersedes"})
GIVEN = frozenset({"start", "joined", "left", "ends", "next_ends", "orders", "void", "evidence", "decisions", "over"})
OUTCOME = frozenset({"events", "fates", "position", "standings", "press", "sealed"})
FIELDS: Mapping[str, frozenset[str]] = {
    OPENING: OWN | {"game", "rules", "calendar", "sources", "public_key", "opened_at", "season"},
    ROUND: OWN | CORRECTED | ABOUT | GIVEN | OUTCOME,
    ADJUSTMENT: OWN | CORRECTED | {"round", "from", "to", "of", "applied", "not_applied"},
    KEY: OWN | {"number", "public_key", "replaces", "why", "changed_at", "signatures", "journal"},
    UNSEALED: OWN | {"number", "opened_at", "opened"},
}
ORDER = frozenset({"seat", "phase", "revision", "received_at", "orders", "replaces", "nonce"})
WITHIN: Mapping[str, frozenset[str]] = {  # of tables, and of each table of a list
    "rules": frozenset({"rules", "tables_sha256", "options", "tool"}),
    "freeze": frozenset({"root", "leaves", "late", "early"}),
    "orders": ORDER,
    "void": ORDER,
    "evidence": frozenset({"figure", "day", "value", "status", "source", "reason", "readings"}),
    "decisions": frozenset({"kind", "facts", "source", "at"}),
    "correction": frozenset({"act", "by", "why", "at", "mode"}),
    "journal": frozenset({"acts", "sha256"}),
    "signatures": frozenset({"old", "new"}),
    "sealed": frozenset({"seat", "part", "sha256"}),
    "season": frozenset({"league", "season", "opening"}),
}
READING = frozenset({"source", "value", "day", "read_at"})
DECISIONS = frozenset({"result", "over", "revealed", "late", "hold", "release", "instructed", "substituted"})
BY_SOURCES, BY_A_PERSON, LATE = ("issuer", "agreed", "single"), ("manual", "corrected", "confirmed"), "late"
APART = timedelta(minutes=30)  # between an issuer's two answers
LONGEST = timedelta(days=8)  # from the closing of orders to the last day of the evaluation
VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})")


def file_name(body: Body) -> str:
    """What the file of a record is called."""
    kind = body["kind"]
    if kind == OPENING:
        return "records/0000-v1.json"
    if kind in (ROUND, ADJUSTMENT):
        return f"records/{body['round']:04d}-{'v' if kind == ROUND else 'a'}{body['version']}.json"
    return f"records/{kind}-{body['number']:04d}-v1.json"


def named_right(link: Link) -> Found:
    """The file's name says of which record it is, as everybody links to it."""
    if link.kind not in FIELDS:
        yield "kind", f"{link.kind[:40]!r} is no kind of record that this program knows"
    elif link.file != file_name(link.body):
        yield "", f"by what it says it would be {file_name(link.body)}"


def strange(body: Body) -> tuple[str, ...]:
    """Fields, statuses and decisions that no record of this version has."""
    known = FIELDS.get(str(body.get("kind")))
    return tuple(_strange(body, known)) if known is not None else ()


def _strange(body: Body, known: frozenset[str]) -> Iterator[str]:
    yield from sorted(set(body) - known)
    for name, fields in WITHIN.items():
        for row in _rows(body.get(name)):
            yield from (f"{name}.{key}" for key in sorted(set(row) - fields))
    for row in _rows(body.get("evidence")):
        if row.get("status") not in (*BY_SOURCES, *BY_A_PERSON, LATE):
            yield f"evidence.status={str(row.get('status'))[:40]}"
        for reading in _rows(row.get("readings")):
            yield from (f"evidence.readings.{key}" for key in sorted(set(reading) - READING))
    for row in _rows(body.get("decisions")):
        if row.get("kind") not in DECISIONS:
            yield f"decisions.kind={str(row.get('kind'))[:40]}"


def _rows(value: Any) -> Sequence[Mapping[str, Any]]:
    rows = [value] if isinstance(value, Mapping) else value if isinstance(value, list) else []
    return [row for row in rows if isinstance(row, Mapping)]


def version_of(tool: object) -> tuple[int, ...]:
    """The version in what a program calls itself; nothing where there is none."""
    found = VERSION.search(str(tool)[:100])
    return tuple(int(part) for part in found.groups()) if found else ()


# ---------------------------------------------------------------- a round


def round_sense(body: Body) -> Found:
    """What a round's record says of times, figures and decisions fits together."""
    yield from _times(body)
    for place, row in enumerate(body["evidence"]):
        for field, what in figure_sense(row, body):
            yield f"evidence[{place}].{field}", what
    days = [str(row["day"]) for row in body["evidence"]]
    if (
        days and max(days) < body["closes"][:10]
    ):  # a market's day may lie before it, where the exchange was closed since
        yield "closes", f"orders were closed on {body['closes'][:10]}, and all its figures are of days before"
    if body["over"] is True and not any(row["kind"] == "over" for row in body["decisions"]):
        yield "over", "the waiting ended, and no decision says so"


def _times(body: Body) -> Found:
    opens, deadline, closes, evaluated = (
        datetime.fromisoformat(body[name]) for name in ("opens", "deadline", "closes", "evaluated")
    )
    if body["freeze"].get("early") is True:
        if not opens < closes < deadline:
            yield "closes", f"{body['closes']} isn't between its opening and its deadline, as of one that closed early"
    elif not opens < deadline <= closes:
        yield "deadline", f"{body['deadline']} isn't between its opening and its closing"
    if evaluated < closes:
        yield "evaluated", f"{body['evaluated']} is before the orders were closed"
    for name in ("orders", "void"):
        for place, row in enumerate(body.get(name, ())):
            if datetime.fromisoformat(row["received_at"]) > (
                closes if row.get("phase", ORDERS) == ORDERS else evaluated
            ):
                yield f"{name}[{place}].received_at", f"{row['received_at']} is too late to be among them"
    for place, row in enumerate(body["decisions"]):
        if "at" in row and datetime.fromisoformat(row["at"]) > evaluated:
            yield f"decisions[{place}].at", f"{row['at']} is behind the evaluation"
    for name, after in (("ends", closes.date()), ("next_ends", date.fromisoformat(str(body["ends"])))):
        day = body[name]
        if name == "next_ends" and day is None:  # where rounds open one by one nobody knows it
            continue
        if not isinstance(day, str) or not after <= date.fromisoformat(day):
            yield name, f"{day!r} is no day behind {after}"


def figure_sense(row: Body, body: Body) -> Found:
    """How a figure came to stand is borne out by what sources said before the evaluation, or by a person's word."""
    status, readings = row["status"], row.get("readings", ())
    for reading in readings:
        if reading["read_at"] > body["evaluated"]:
            yield "readings", f"{reading['read_at']} is behind the evaluation"
    if status in BY_SOURCES:
        yield from _borne_out(row)
    elif status in BY_A_PERSON:
        if not (str(row["source"]).strip() and str(row["reason"]).strip()):
            yield "source", f"it stands as {status}, by a person's word, and source or reason is missing"
    elif status == LATE:
        told = [d["facts"] for d in body["decisions"] if d["kind"] == LATE]
        if row["value"] != "none" or not any(facts.get("figure") == row["figure"] for facts in told):
            yield "status", "it stands as late, and no decision says that it isn't waited for"


def _borne_out(row: Body) -> Found:
    status, wanted = row["status"], read_part(row["figure"], row["value"])
    said = [one for one in row.get("readings", ()) if read_part(row["figure"], one["value"]) == wanted]
    sources, moments = {one["source"] for one in said}, [datetime.fromisoformat(one["read_at"]) for one in said]
    if not said:
        yield "readings", f"it stands as {status}, and no source's answer is {row['value']}"
    elif status == "agreed" and len(sources) < 2:
        yield "readings", "it stands as agreed, and one source alone says it"
    elif status == "issuer" and max(moments) - min(moments) < APART:
        yield "readings", "it stands by its issuer's word, which wasn't the same half an hour apart"


def read_part(figure: str, value: str) -> str:
    """What rules read of a value, in which sources have to agree: of the DAX its integer part (K46)."""
    if figure == "dax_close":
        return value.partition(".")[0]
    return value.rstrip("0").rstrip(".") if figure == "eurusd" and "." in value else value
