"""A new signing key, as a record of each chain: signed by the old key and by the new one.

Whoever has the opening's key follows the chain to the one in force. The signatures are over the canonical JSON of the
record without them, its predecessor included: moved to another place, the record is another one.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from league.core.errors import Broken
from league.core.json import JsonDict
from league.records.canonical import canonical, stamp
from league.records.chain import SealedRecord, seal
from league.records.freeze import public_key, sign, verified
from league.records.journal import FIELD

KIND = "key"


def seal_key(
    *,
    league: str,
    match: str,
    number: int,
    old: bytes,
    new: bytes,
    why: str,
    now: datetime,
    previous: str,
    journal: JsonDict | None = None,
) -> SealedRecord:
    """The record of a match's key change; `number` counts them, `old` and `new` are the seeds of the keys."""
    body: JsonDict = {
        "kind": KIND,
        "league": league,
        "match": match,
        "number": number,
        "public_key": public_key(new),
        "replaces": public_key(old),
        "why": why,
        "changed_at": stamp(now),
        **({FIELD: journal} if journal is not None else {}),
    }
    payload = canonical({**body, "previous": previous})
    return seal({**body, "signatures": {"old": sign(old, payload), "new": sign(new, payload)}}, previous)


def key_faults(body: Mapping[str, Any], current: str) -> tuple[str, ...]:
    """What is wrong with a key's record where this key was in force before: field and reason."""
    rest = {name: value for name, value in body.items() if name != "signatures"}
    if body.get("replaces") != current:
        return ("replaces: it isn't the key that was in force before",)
    given = body.get("signatures")
    if not isinstance(given, Mapping):
        return ("signatures: they are missing",)
    payload = canonical(rest)
    keys = {"old": current, "new": str(body.get("public_key"))}
    return tuple(
        f"signatures.{which}: it isn't by that key"
        for which, key in keys.items()
        if not _verified(key, payload, str(given.get(which)))
    )


def _verified(key: str, payload: bytes, signature: str) -> bool:
    try:
        return verified(key, payload, signature)
    except Broken:
        return False
