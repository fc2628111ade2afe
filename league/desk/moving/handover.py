"""What is handed over with a league beside its rows: secrets of its own, and the right to sign for its chains.

The old site's keys stay where they are. The match secrets and the seats' tokens come from them and go along: without
them nonces, sealed orders and players' keys would be others. To sign, the old site hands each chain on to a key made
for this export alone, and the new site hands it on from that to its own: two records of a new key, as `league key
rotate` makes them, so whoever verifies the chain needs nothing new.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput
from league.core.json import JsonDict
from league.desk.brought import SECRET_BYTES, Brought
from league.desk.clock import stamp
from league.desk.leagues.public_journal import journal_state
from league.desk.people.moved import all_places
from league.desk.site import Site
from league.records.keys import derive
from league.records.rotation import KIND, seal_key
from league.storage import records
from league.storage.leagues import League
from league.storage.records import Sealed

FILE = "secrets.json"
LEAVES, COMES = "the league leaves its site", "the league has come to another site"
MOST_SECRETS = 4 << 20  # bytes of the file


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The seed of the key that the chains are handed on to, and what each match brings."""

    seed: bytes
    matches: Mapping[str, Brought]


def hand_over(site: Site, connection: Connection, league: League, at: datetime) -> HandedOver:
    """What goes along; the same for the same league and moment, so that an export can be written once more."""
    matches = {}
    for slug, places in all_places(connection, league).items():
        tokens = {(p.code, p.token_version): site.seat_token(slug, p.code, p.token_version) for p in places}
        matches[slug] = Brought(league.slug, stamp(at), site.match_secret(slug), tokens)
    return HandedOver(derive(site.key, "handover", league.slug, stamp(at)), matches)


def written(given: HandedOver) -> str:
    """The file in the export."""
    told: JsonDict = {
        "handover": given.seed.hex(),
        "matches": {
            slug: {"secret": one.secret.hex(), "tokens": [[*key, token] for key, token in sorted(one.tokens.items())]}
            for slug, one in sorted(given.matches.items())
        },
    }
    return json.dumps(told)


def read(path: Path, league: str, made_at: str) -> HandedOver:
    """The same from the file; `BadInput` for anything else."""
    if path.stat().st_size > MOST_SECRETS:
        raise BadInput("it is too long for what it should hold", FILE)
    try:
        told = json.loads(path.read_bytes())
        matches = {str(slug): _brought(one, league, made_at) for slug, one in told["matches"].items()}
        seed = _key(told["handover"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadInput("it doesn't hold the secrets of the league's matches", FILE) from error
    return HandedOver(seed, matches)


def _brought(told: Mapping[str, Any], league: str, made_at: str) -> Brought:
    tokens = {(_word(seat), int(version)): _word(token) for seat, version, token in told["tokens"]}
    return Brought(league, made_at, _key(told["secret"]), tokens)


def _word(told: Any) -> str:
    if not isinstance(told, str) or not told.isascii() or not told.isalnum() or len(told) > SECRET_BYTES:
        raise TypeError("no token")
    return told


def _key(told: Any) -> bytes:
    found = bytes.fromhex(told)
    if len(found) != SECRET_BYTES:
        raise ValueError("no key")
    return found


def key_record(
    site: Site, connection: Connection, league: League, chain: records.Chain, seeds: tuple[bytes, bytes], at: datetime
) -> Sealed:
    """The record by which a chain is handed on from one key to the other."""
    old, new = seeds
    number = chain.keys + 1
    made = seal_key(
        league=chain.league,
        match=chain.match,
        number=number,
        old=old,
        new=new,
        why=COMES if new == site.signing_seed else LEAVES,
        now=at,
        previous=chain.head,
        journal=journal_state(connection, league.id, league.game, site.key, at),
    )
    return Sealed(chain.match_id, number, 1, made.json, made.sha256, chain.head, at, KIND)


def chains_of(connection: Connection, league: League) -> tuple[records.Chain, ...]:
    """The chains of a league's matches."""
    return tuple(chain for chain in records.chains(connection) if chain.league == league.slug)
