"""A signing key that was put in force after the backup: a restored site goes on with it, or says that it lacks it.

The chain says which key is in force; the seed lies in `secrets/signing.key`, which a backup of before doesn't have.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from league.core.errors import Refused
from league.desk.restored import Unsure, set_certain, store
from league.desk.secrets import read_secrets
from league.desk.site import SIGNING_KEY, SIGNING_KEYS, Site
from league.records.freeze import public_key, signing_seed
from league.records.rotation import KIND, key_faults
from league.storage import leagues, records
from league.storage.records import Sealed

ROTATED = "restored.rotated"  # the fact that keeps what was said of it
Body = Mapping[str, Any]


def note_rotation(site: Site, connection: Connection, league: str, to_come: Sequence[Body]) -> str:
    """Why it can't go on, if published records put a key in force that isn't here; that is remembered."""
    changes = [body for body in to_come if body["kind"] == KIND]
    if not changes:
        return ""
    last = changes[-1]
    if str(last["public_key"]) in _known(site):
        return ""
    words = (
        f"the signing key was changed after the backup, on {last['changed_at']} (record key-{last['number']:04d} of "
        f"{league}: {str(last['why'])[:80]!r}). The key in force is {last['public_key']}, and "
        f"{site.path / 'secrets' / SIGNING_KEYS} doesn't have it: copy that file from the old machine or from a newer "
        f"backup, then say league restore --public again"
    )
    leagues.set_fact(connection, ROTATED, words)
    return f"{words}. If it is lost for good: league restore --accept-head --old-key --why WHY, then league key rotate"


def _known(site: Site) -> set[str]:
    """The public halves of all keys that this site has."""
    return {public_key(seed) for seed in (*read_secrets(site.path / "secrets" / SIGNING_KEYS), signing_seed(site.key))}


def refuse_old_key(connection: Connection) -> None:
    """Nobody falls back to a key that was replaced without saying so."""
    if (words := leagues.fact(connection, ROTATED)) is not None:
        raise Refused(
            f"{words}. Going on from the backup would put the old key back in force, and whoever has newer pages or "
            f"mails could tell: if that is to be, --accept-head --old-key, then league key rotate"
        )


def forget_rotation(connection: Connection) -> None:
    """It was said what becomes of it."""
    leagues.drop_fact(connection, ROTATED)


def take_keys(site: Site, connection: Connection, found: Unsure, head: Sealed) -> None:
    """The records of new keys that come next go into the chain as they were published, and their keys in force."""
    while found.to_come and json.loads(found.to_come[0])["kind"] == KIND:
        content = found.to_come[0].encode()
        body = json.loads(content)
        before = leagues.fact(connection, SIGNING_KEY) or public_key(signing_seed(site.key))
        in_force = before if before != body["public_key"] else str(body["replaces"])  # by another league's record
        if wrong := key_faults(body, in_force):
            raise Refused(f"the published record of a new key isn't one: {wrong[0]}")
        at = datetime.fromisoformat(body["changed_at"])
        made = Sealed(head.match_id, body["number"], 1, content, sha256(content).hexdigest(), head.sha256, at, KIND)
        records.store_records(connection, [made])
        leagues.set_fact(connection, SIGNING_KEY, str(body["public_key"]))
        forget_rotation(connection)
        head, found = made, replace(found, to_come=found.to_come[1:])
        if found.to_come:
            store(connection, found)
        else:
            set_certain(site, connection, found.match, "restore --public", head)
