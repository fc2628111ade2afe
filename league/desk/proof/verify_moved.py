"""Pages that a league has left: since when, by their own journal, and where its mail goes.

The journal lies under the signed manifest, and an export that isn't taken back ends what is sealed at a place. So a
league whose records go on behind it hasn't left, whatever an act says: it can't be a way out for who plays on.
"""

from collections.abc import Mapping, Sequence
from json import loads
from typing import Any

from league.records.audit import ROUND, Link
from league.reports.texts import clean

EXPORT, ENDS = "export", frozenset({"export --undo", "import"})


def left_at(chain: Sequence[Link], acts: Sequence[Mapping[str, Any]]) -> str:
    """When the league left, as the journal writes it; empty if it didn't, came back, or was played on."""
    moment = ""
    for act in acts:
        said = act.get("arguments")
        if act.get("act") == EXPORT and isinstance(said, Mapping) and not said.get("copied"):
            moment = str(act.get("at", ""))
        elif act.get("act") in ENDS:
            moment = ""
    closed = max((str(link.body.get("closes", "")) for link in chain if link.kind == ROUND), default="")
    return moment if moment > closed else ""


def moved_to(look: bytes | None) -> str:
    """The address that the pages name, or that they name none."""
    try:
        told = loads(look or b"{}").get("moved")
    except (ValueError, AttributeError, RecursionError):
        told = None
    return clean(told) if isinstance(told, str) and told else "another place"
