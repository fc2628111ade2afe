"""Chains of records: each names the hash of the one before it, so that none can be changed unseen.

A record's bytes are its canonical JSON with `previous` inside; its hash is `sha256sum` of those bytes as published.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from json import JSONDecodeError, loads

from league.core.errors import Broken
from league.core.json import Json
from league.records.canonical import canonical

FIRST = ""  # what the opening record names as its predecessor


@dataclass(frozen=True, slots=True)
class SealedRecord:
    """A record as published, and its hash."""

    json: bytes
    sha256: str


def seal(body: Mapping[str, Json], previous_hash: str) -> SealedRecord:
    """The record with its place in the chain."""
    if "previous" in body:
        raise Broken("a record's body can't name its predecessor itself")
    content = canonical({**body, "previous": previous_hash})
    return SealedRecord(content, sha256(content).hexdigest())


def check_chain(records: Iterable[bytes | SealedRecord], previous_hash: str = FIRST) -> tuple[str, ...]:
    """Every fault of the records in their order, each naming the record's place in it; empty: the chain holds."""
    faults: list[str] = []
    for number, record in enumerate(records, 1):
        content = record.json if isinstance(record, SealedRecord) else record
        made = sha256(content).hexdigest()
        if isinstance(record, SealedRecord) and record.sha256 != made:
            faults.append(f"record {number}: its hash is {made}, not {record.sha256}")
        faults += (f"record {number}: {fault}" for fault in _faults(content, previous_hash))
        previous_hash = made
    return tuple(faults)


def _faults(content: bytes, previous_hash: str) -> Iterable[str]:
    try:
        body = loads(content)
        if not isinstance(body, dict):
            yield "it isn't a JSON object"
            return
        if canonical(body) != content:
            yield "it isn't canonical JSON"
    except (JSONDecodeError, UnicodeDecodeError, RecursionError, Broken, ValueError) as error:
        yield f"it can't be read ({error})"
        return
    if body.get("previous") != previous_hash:
        yield f"it follows {body.get('previous')!r}, not {previous_hash!r}"
