"""Records of games whose orders stay sealed until the match is over: what is published, what is kept, when it opens."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from league.core.json import JsonDict
from league.desk import registry
from league.desk.leagues.turns import Table
from league.desk.site import Site
from league.records import chain, sealed
from league.records.canonical import canonical
from league.storage import records
from league.storage.records import Sealed
from league.storage.rounds import Loaded


@dataclass(frozen=True, slots=True)
class Lock:
    """What seals the parts of a match's records: its secret, and all its seats."""

    secret: bytes
    seats: tuple[str, ...]


def lock_of(site: Site, connection: Connection, loaded: Loaded) -> Lock | None:
    """The lock of a match that still keeps its orders sealed; None for every other."""
    if not registry.plugin(loaded.game).meta.open_at_end or records.has_opened(connection, loaded.round.match_id):
        return None
    return Lock(site.match_secret(loaded.match_slug), tuple(seat.code for seat in loaded.seats))


def seal_round(body: JsonDict, previous: str, match_id: int, now: datetime, lock: Lock | None) -> Sealed:
    """A round's record in its place in the chain; under a lock it has commitments where the orders are."""
    shown, secret = body, None
    if lock is not None:
        shown, parts = sealed.close(json.loads(canonical(body)), lock.seats, lock.secret)
        secret = sealed.kept(parts)
    made = chain.seal(shown, previous)
    number, version = int(str(body["round"])), int(str(body["version"]))
    return Sealed(match_id, number, version, made.json, made.sha256, previous, now, secret=secret)


def is_over(table: Table, state: Any) -> bool:
    """Whether the match ends with this position."""
    return table.game.phase(state) is None


def open_all(connection: Connection, loaded: Loaded, last: Sealed, now: datetime) -> Sealed | None:
    """The record behind a match's last one that opens everything that is sealed; None where nothing is."""
    links = [*records.chain(connection, last.match_id)]
    opened = {row["record"] for one in links if one.kind == sealed.KIND for row in json.loads(one.body)["opened"]}
    rest = [one for one in links if one.secret is not None and one.sha256 not in opened]
    if not rest:
        return None
    number = 1 + sum(one.kind == sealed.KIND for one in links)
    body = sealed.opening(loaded.league_slug, loaded.match_slug, number, now, _rows(rest))
    made = chain.seal(body, last.sha256)
    return Sealed(last.match_id, number, 1, made.json, made.sha256, last.sha256, now, sealed.KIND)


def _rows(found: Sequence[Sealed]) -> list[tuple[str, dict[str, Any], tuple[sealed.Part, ...]]]:
    return [(one.sha256, json.loads(one.body), sealed.read_kept(one.secret or b"[]")) for one in found]
