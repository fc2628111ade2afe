"""The journal's place in the chain: every act has a seal, and records say how many acts there were, under one hash.

An act's seal is a salted hash of all of it, so it commits to words that aren't shown yet. The salt is published with
the words. Of an act that lost words later (a person in it was forgotten) the seal stays and the salt is kept back.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from league.core.json import JsonDict
from league.records.canonical import digest

FIELD = "journal"  # of a record; one of an older version has none
UNCOUNTED = ("opening", "unsealed")  # the kinds of record that never count acts
EXPLAINING = ("player forget", "restore --head", "restore --public", "restore --accept-head")  # why words may be gone
Row = Mapping[str, Any]
Found = Iterator[tuple[str, str]]


def seal_of(act: Row, salt: str) -> str:
    """SHA-256(JCS([at, who, act, why, arguments, salt])), in hex."""
    return digest([act["at"], act["who"], act["act"], act["why"], dict(act["arguments"]), salt])


def state_of(seals: Sequence[str]) -> JsonDict:
    """What a record says of the journal as it was: the number of acts, and SHA-256 over their seals in order."""
    return {"acts": len(seals), "sha256": digest(list(seals))}


def act_faults(acts: Sequence[Row]) -> Found:
    """The acts whose words aren't those that were sealed; where no salt is shown, nobody can tell yet."""
    for place, act in enumerate(acts):
        if "salt" in act and seal_of(act, act["salt"]) != act.get("seal"):
            yield f"acts[{place}]", f"'{act['act']}' of {act['at']} isn't what was sealed: its words were changed"


def record_faults(body: Row, acts: Sequence[Row]) -> Found:
    """Whether the journal begins with the acts that there were when this record was sealed."""
    told = body.get(FIELD)
    if told is None:
        return
    count = told["acts"]
    if len(acts) < count:
        yield FIELD, f"there were {count} acts when it was sealed, and the journal has {len(acts)}: some are gone"
    elif state_of([str(act.get("seal")) for act in acts[:count]]) != dict(told):
        yield FIELD, f"the first {count} acts of the journal aren't those that there were when it was sealed"


def uncounted(bodies: Sequence[Row]) -> tuple[int, ...]:
    """The places of records that don't count acts, though one before them does: without it acts could go unseen."""
    counting = [place for place, body in enumerate(bodies) if FIELD in body]
    behind = range(counting[0], len(bodies)) if counting else ()
    return tuple(p for p in behind if FIELD not in bodies[p] and bodies[p].get("kind") not in UNCOUNTED)


def explains(acts: Sequence[Row]) -> bool:
    """Whether an act that can itself be held against its seal says why words of others are gone."""
    return any("salt" in act and act["act"] in EXPLAINING for act in acts)


def without_words(acts: Sequence[Row], told: str) -> tuple[str, ...]:
    """The moments of acts whose words nobody can hold against the seal, though all up to `told` (ISO) are public."""
    return tuple(
        str(act["at"])
        for act in acts
        if "salt" not in act and (str(act["at"]) <= told or act["why"] or act["arguments"])
    )
