"""A signing key that was put in force after the backup: a restored site goes on with it, or says that it lacks it.

The chain says which key is in force; the seed lies in `secrets/signing.key`, which a backup of before doesn't have.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from league.core.errors import Broken, Refused
from league.desk.proof.verify_mails import SIGNED, Said
from league.desk.recovery.restored import Unsure, set_certain, store
from league.desk.secrets import read_secrets
from league.desk.site import SIGNING_KEY, SIGNING_KEYS, Site
from league.records.freeze import REPLY, public_key, signing_seed, verified
from league.records.note import Checkpoint
from league.records.rotation import KIND, key_faults
from league.storage import leagues, records
from league.storage.records import Sealed

PUBLIC_KEY = re.compile(r'"public_key":"([A-Za-z0-9+/]{43}=)"')  # in an opening record, or in one of a new key
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


def note_strange_key(site: Site, connection: Connection, said: Iterable[Said], known: Iterable[str]) -> str:
    """Why it isn't certain, if a saved mail is signed by no key of the chain (`known` are its records); remembered."""
    keys = {found[1] for body in known for found in PUBLIC_KEY.finditer(body)}
    strange = next((one for one in said if not _is_signed(one, keys)), None)
    if strange is None:
        return ""
    words = (
        f"{strange.source}, of round {strange.round}, is signed by a key that the records here don't name: the signing "
        f"key was changed after the backup, or this mail isn't as it went out. Copy "
        f"{site.path / 'secrets' / SIGNING_KEYS} from the old machine or from a newer backup, then give the newest "
        f"copy of the published pages: league restore --public FOLDER"
    )
    leagues.set_fact(connection, ROTATED, words)
    return f"{words}. If there is none: league restore --accept-head --old-key --why WHY, then league key rotate"


def _is_signed(said: Said, keys: Iterable[str]) -> bool:
    """Whether one of these keys made a mail's signature; one that has none, or only a piece of it, says nothing."""
    if len(said.signature) != SIGNED:
        return True
    if said.receipt is not None:
        given = (said.receipt, replace(said.receipt, kind=REPLY))
        return any(_made(key, one.payload(), said.signature) for key in keys for one in given)
    head = Checkpoint(said.league, said.match, said.size, said.record)
    return any(_made(key, head.text.encode(), said.signature) for key in keys)


def _made(key: str, payload: bytes, signature: str) -> bool:
    try:
        return verified(key, payload, signature)
    except (Broken, ValueError):
        return False


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
