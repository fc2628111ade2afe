"""The published journal against the records: none of the acts that a record counts is gone or other than it was."""

from collections.abc import Mapping, Sequence
from functools import partial
from json import loads
from typing import Any

from league.desk.proof.verify_acts import check_acts
from league.desk.proof.verify_files import JOURNAL
from league.desk.proof.verify_told import Told
from league.records.audit import ROUND, Fault, Found, Link
from league.records.journal import FIELD, act_faults, explains, record_faults, uncounted, without_words

CHECK = "journal"


def check_journal(told: Told, chain: Sequence[Link], content: bytes | None) -> None:
    """Hold the journal against every record that says how many acts there were."""
    counting = [link for link in chain if FIELD in link.body]
    if not counting:  # records of an older version
        return
    acts = acts_of(content)
    if acts is None:
        told.fault(Fault(CHECK, JOURNAL, "", "it isn't there, or it can't be read, and records count its acts"))
        return
    for place in uncounted([link.body for link in chain]):
        what = "it doesn't say how many acts there were, and a record before it does"
        told.fault(Fault(CHECK, chain[place].file, FIELD, what, chain[place].round))
    told.looked(CHECK, len(acts))
    told.found(CHECK, Link(JOURNAL, "", {}), partial(act_faults, acts))
    for link in counting:
        told.found(CHECK, link, partial(record_faults, link.body, acts))
    check_acts(told, chain, acts)
    closed = max(
        (str(link.body["closes"]) for link in chain if link.kind == ROUND and "closes" in link.body), default=""
    )
    told.found(CHECK, Link(JOURNAL, "", {}), partial(_noted, told, acts, closed))


def _noted(told: Told, acts: Sequence[Mapping[str, Any]], closed: str) -> Found:
    explained = explains(acts)
    for moment in without_words(acts, closed):
        if explained:
            what = "an act of the journal stands there without its words: somebody was forgotten, or a backup restored"
            told.note("act_without_words", f"{what} ({moment[:20]})")
        else:
            what = "nobody can tell whether these are the words that were sealed, and no act says why"
            yield "acts", f"the act of {moment[:20]} has no salt: {what}"


def acts_of(content: bytes | None) -> list[dict[str, Any]] | None:
    """The acts of a published journal; None where it is none."""
    try:
        body = loads(content or b"")
    except (ValueError, RecursionError):
        return None
    acts = body.get("acts") if isinstance(body, dict) else None
    return acts if isinstance(acts, list) and all(isinstance(act, dict) for act in acts) else None
