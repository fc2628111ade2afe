"""What records say that the organizer did against the journal's acts: neither may tell of something alone.

Figures are left out: those entered for one league of a site count for all, and the act stands in one journal.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from league.desk.leagues.public_journal import ADDRESS, ORGANIZER, named
from league.desk.proof.verify_told import Told
from league.records.audit import ROUND, Found, Link
from league.records.journal import FIELD

RESULT, OVER, REVEALED = "result", "over", "revealed"
ENTER, END, REVEAL, RESTORE = "result enter", "round resolve --over", " --reveal", "restore --"
BY_ACT = {  # a decision's kind -> the act that makes it
    RESULT: ENTER,
    OVER: END,
    "hold": "round hold",
    "release": "round release",
    "substituted": "player substitute",
}
Act = Mapping[str, Any]


def check_acts(told: Told, chain: Sequence[Link], acts: Sequence[Act]) -> None:
    """Decisions, corrections and acts of each record that counts the journal's acts.

    A backup that was gone back to may have lost acts that published records tell of; the journal says that it was.
    """
    if any(str(act.get("act")).startswith(RESTORE) and "salt" in act for act in acts):
        return
    for link in chain:
        if link.kind == ROUND and FIELD in link.body:
            told.found("journal", link, partial(_decided, link, acts))
            told.found("journal", link, partial(_corrected, link, acts))
            if link.body["version"] == 1:
                told.found("journal", link, partial(_recorded, link, acts))


def _decided(link: Link, acts: Sequence[Act]) -> Found:
    """What a record says that the organizer decided is an act of that moment."""
    done = {(str(act["at"]), str(act["act"])) for act in acts}
    for place, row in enumerate(link.body["decisions"]):
        kind = str(row["kind"])
        wanted = named(str(row["facts"].get("act"))) if kind == REVEALED else BY_ACT.get(kind)
        if row["source"] == ORGANIZER and wanted is not None and (row["at"], wanted) not in done:
            yield f"decisions[{place}]", f"the journal has no '{wanted[:40]}' of {row['at']}"


def _corrected(link: Link, acts: Sequence[Act]) -> Found:
    """Who corrected what, when and why is what the journal says of it."""
    told = link.body.get("correction")
    if told is None:
        return
    found = [act for act in acts if (act["at"], act["act"]) == (told["at"], told["act"])]
    if not found:
        yield "correction", f"the journal has no '{str(told['act'])[:40]}' of {told['at']}"
    elif told["by"] != found[0]["who"]:
        yield "correction.by", f"it is {str(told['by'])[:40]!r}, and in the journal {str(found[0]['who'])[:40]!r}"
    elif "salt" in found[0] and ADDRESS.sub("…", str(told["why"])) not in {act["why"] for act in found}:
        yield "correction.why", "it isn't the reason that the journal has"


def _recorded(link: Link, acts: Sequence[Act]) -> Found:
    """A result, an end of waiting or a look at sealed orders stands in the record of its round, as the organizer's."""
    body = link.body
    told = [row for row in body["decisions"] if row["source"] == ORGANIZER]
    moments = {(str(row["kind"]), str(row["at"])) for row in told}
    results = [(row["facts"], str(row["at"])) for row in told if row["kind"] == RESULT]
    for act in acts:
        facts, at, name = act["arguments"], str(act["at"]), str(act["act"])
        if facts.get("round") != link.round or "version" in facts or at > body["evaluated"]:
            continue
        if name == ENTER:
            lost = not any(at <= since and _same(facts, row) for row, since in results)  # a later word supersedes it
        else:
            kind = OVER if name == END else REVEALED if name.endswith(REVEAL) else ""
            lost = bool(kind) and (kind, at) not in moments
        if lost:
            yield "decisions", f"the journal has '{name[:40]}' of {at}, and no decision of the organizer's tells it"


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one.get(key) == other.get(key) for key in ("country", "attempt"))
