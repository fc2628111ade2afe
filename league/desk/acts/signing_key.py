"""`league key`: the key that signs receipts, checkpoints and manifests, and how it is changed.

The first one is derived from the site's key, so nothing has to be stored. Later ones are seeds in a file that only
grows: a seed is written there before the transaction that puts it in force, and which one is in force is said by the
database alone. So a crash in between leaves a seed that nothing has been signed with; the next try takes it.
"""

from secrets import token_hex

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.leagues.public_journal import journal_state
from league.desk.secrets import append_secret, new_key, read_secrets
from league.desk.site import SIGNING_KEY, SIGNING_KEYS, Site, find_league
from league.failpoints import reach
from league.records.freeze import public_key
from league.records.rotation import KIND, seal_key
from league.storage import engine as database
from league.storage import journal, leagues, records
from league.storage.lock import run_lock
from league.storage.records import Sealed

LOCK_SECONDS = 120.0
ACT = "key rotate"


def show_key(site: Site) -> JsonDict:
    """The key in force, and those before it with when and why each was replaced."""
    with database.read(site.engine) as connection:
        acts = journal.of_act(connection, ACT)
    return {
        "public_key": public_key(site.signing_seed),
        "since": stamp(acts[-1].at) if acts else None,
        "earlier": [
            {"public_key": act.arguments["replaces"], "until": stamp(act.at), "who": act.who, "why": act.why}
            for act in acts
        ],
    }


def rotate_key(site: Site, why: str) -> JsonDict:
    """A new key for the whole site, from the next signature on; each match's chain says so."""
    if not why.strip() or not why.isprintable():
        raise Refused("a new key needs a reason, in one line: players read it in the records (--why)")
    site.open_words(why)
    with run_lock(site.path, f"league {ACT} of {site.who}", LOCK_SECONDS, site.engine):
        old, new = site.signing_seed, _next_seed(site)
        reach("key.written")
        with database.write(site.engine, "key") as connection:
            found = records.chains(connection)
            sealed = [_record(site, connection, chain, old, new, why) for chain in found]
            records.store_records(connection, sealed)
            leagues.set_fact(connection, SIGNING_KEY, public_key(new))
            leagues.mark_unpublished(connection, [league.slug for league in leagues.leagues(connection)], token_hex(8))
            made, gone = public_key(new), public_key(old)
            site.write_down(connection, ACT, why, public_key=made, replaces=gone)
    return {"public_key": made, "replaces": gone, "matches": len(sealed), "at": stamp(site.now)}


def _next_seed(site: Site) -> bytes:
    """A seed that nothing was signed with: one that a crash has left, else a new one, safe on the disk."""
    path = site.path / "secrets" / SIGNING_KEYS
    known = read_secrets(path)
    used = known.index(site.signing_seed) + 1 if site.signing_seed in known else 0
    if used == len(known):
        append_secret(path, new_key())
        known = read_secrets(path)
    return known[used]


def _record(site: Site, connection: Connection, chain: records.Chain, old: bytes, new: bytes, why: str) -> Sealed:
    number = chain.keys + 1
    league = find_league(connection, chain.league)
    made = seal_key(
        league=chain.league,
        match=chain.match,
        number=number,
        old=old,
        new=new,
        why=why,
        now=site.now,
        previous=chain.head,
        journal=journal_state(connection, league.id, league.game, site.key, site.now),
    )
    return Sealed(chain.match_id, number, 1, made.json, made.sha256, chain.head, site.now, KIND)
