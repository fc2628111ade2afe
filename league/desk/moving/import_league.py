"""`league import`: a league from another site, whole or not at all, and silent until a person has looked.

Secrets are written beside the site's own before the transaction that says they must be there: a crash in between leaves
a file that nothing names, and the next try writes it anew.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.json import JsonDict
from league.desk import brought, registry
from league.desk.acts.new_league import check_slug
from league.desk.clock import stamp
from league.desk.leagues.seasons import season_before
from league.desk.leagues.silence import OFFERS
from league.desk.moving import handover
from league.desk.moving.check_league import is_match, require_chain, require_sound, signed, since
from league.desk.moving.export_league import FACTS, LOCK_SECONDS, NAMES, SORT
from league.desk.post.brake import UNANSWERED
from league.desk.recovery.back_up import make_room
from league.desk.recovery.restored import RESCAN
from league.desk.secrets import write_secret
from league.desk.site import SITE_PLACE, Site
from league.failpoints import reach
from league.records.freeze import public_key
from league.storage import announcements, leagues, mails, outbox, records
from league.storage import engine as database
from league.storage.archive import Archive, look, unpack
from league.storage.league_in import Laid, lay_in
from league.storage.leagues import League
from league.storage.lock import run_lock
from league.storage.tables import MAIL, OUTBOX, SEAT

MOST_FACTS = 1 << 20


@dataclass(frozen=True, slots=True)
class About:
    """What a file says of itself; `matches`: slug -> number of records and head before it was handed on."""

    league: str
    made_at: datetime
    copy: bool
    matches: Mapping[str, tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Imported:
    """What came. `again`: mails that waited here and are judged anew; `elsewhere`: who plays here in another league."""

    league: str
    made_at: str
    copy: bool
    matches: tuple[JsonDict, ...]
    players: int
    mails: int
    waiting: int
    again: int
    held: bool
    elsewhere: tuple[str, ...]


def import_league(site: Site, file: Path, *, release: bool = False) -> Imported:
    """Bring the league of a file into this site; `release`: its mail goes out at once."""
    found = look(file, SORT)
    about = _about(file, found)
    site.require_key()
    with run_lock(site.path, f"league import of {site.who}", LOCK_SECONDS, site.engine):
        _require_absent(site, about)
        room = make_room(site)
        try:
            unpack(file, found, room, SORT)
            given = handover.read(room / handover.FILE, about.league, stamp(about.made_at))
            return _bring(site, file, found, about, given, room, release=release)
        finally:
            rmtree(room)


# ------------------------------------------------------------------ the manifest


def _about(file: Path, found: Archive) -> About:
    told, where = found.about, str(file)
    names = {one.name for one in found.files}
    if missing := sorted(NAMES - names):
        raise BadInput(f"it holds no {missing[0]}: this is no whole export", where)
    _require_known(told.get("revision"), where)
    try:
        slug = check_slug(told["league"])
        matches = {str(one["match"]): (int(one["records"]), str(one["head"])) for one in told["matches"]}
        if not matches or not all(map(is_match, matches)) or min(size for size, _ in matches.values()) < 1:
            raise BadInput("it holds no match", where)
        registry.plugin(str(told["game"]))  # installed here, or said so before anything is unpacked
        return About(slug, since(told["made_at"]), bool(told["copy"]), matches)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("its manifest doesn't say what an export says of league, matches and time", where) from error


def _require_known(revision: Any, where: str) -> None:
    if not isinstance(revision, str) or not revision.isascii() or not revision.isdigit() or len(revision) > 8:
        raise BadInput(f"its manifest names no revision of the tables: {str(revision)[:40]!r}", where)
    if int(revision) > int(database.HEAD):
        raise Refused(
            f"{where} was written by a newer league (its tables are of revision {revision}, ours of {database.HEAD}); "
            f"install that version first"
        )


def _require_absent(site: Site, about: About) -> None:
    with database.read(site.engine) as connection:
        here = leagues.league(connection, about.league)
    if here is None:
        return
    if here.status == leagues.MOVED:
        raise Refused(
            f"{about.league} was played on this site and has left it; what it left here is in the way of what comes "
            f"back. Import it into another site; if it was played nowhere since: league export {about.league} --undo"
        )
    raise Refused(f"a league named {about.league} is here already; a league is imported into a site that hasn't it")


# ------------------------------------------------------------------ into the books


def _bring(
    site: Site,
    file: Path,
    found: Archive,
    about: About,
    given: handover.HandedOver,
    room: Path,
    *,
    release: bool,
) -> Imported:
    secrets = brought.file_of(site.path, about.league)
    secrets.unlink(missing_ok=True)  # of a try that was cut short: the league isn't here
    write_secret(secrets, brought.written(given.matches))
    reach("import.written")
    try:
        with database.write(site.engine, "import") as connection:
            return _lay(site, connection, file, found, about, given, room, release=release)
    except BaseException:
        secrets.unlink(missing_ok=True)
        raise


def _lay(
    site: Site,
    connection: Connection,
    file: Path,
    found: Archive,
    about: About,
    given: handover.HandedOver,
    room: Path,
    *,
    release: bool,
) -> Imported:
    laid = lay_in(connection, room)
    league = leagues.league(connection, about.league)
    if league is None or league.game != found.about["game"]:
        raise BadInput(f"the league in it isn't the {about.league} that its manifest names", str(file))
    require_sound(site, connection, league)
    _require_chains(connection, file, found, about, league, given)
    brought.note(connection, given.matches)
    _take_over(site, connection, league, given)
    _beside(connection, league, laid, room)
    ids = [chain.match_id for chain in handover.chains_of(connection, league)]
    announcements.told_elsewhere(connection, ids, site.now)
    if not release:
        outbox.hold(connection, f"{league.slug} came from another site: look before anything goes out")
    again = 0
    if not about.copy:
        again = mails.strangers_no_more(connection, league.id, about.made_at)
        leagues.set_fact(connection, RESCAN, min(leagues.fact(connection, RESCAN) or "~", stamp(about.made_at)))
    site.write_down(
        connection, "import", "", league.id, file=file.name, made_at=stamp(about.made_at), copied=int(about.copy)
    )
    before = season_before(connection, league.slug)
    places = (league.slug, SITE_PLACE, *([before.slug] if before else []))
    leagues.mark_unpublished(connection, places, token_hex(8))
    return _told(connection, league, about, laid, again, held=not release)


def _require_chains(
    connection: Connection, file: Path, found: Archive, about: About, league: League, given: handover.HandedOver
) -> None:
    """Each chain holds up to the record that hands it on, and who could sign it has signed this file."""
    seasons = [season.id for season in leagues.seasons(connection, league.id)]
    matches = leagues.matches(connection, seasons)
    if {match.slug for match in matches} != about.matches.keys() or about.matches.keys() != given.matches.keys():
        raise BadInput("its matches aren't those that its manifest names", str(file))
    for match in matches:
        size, head = about.matches[match.slug]
        key, bridge = require_chain(connection, league, match, head, size)
        if bridge != public_key(given.seed):
            raise BadInput(f"{match.slug} hands the chain on to another key than the one that comes with it", str(file))
        if not signed(key, found.payload(SORT), found.about.get("signature")):
            raise BadInput(
                f"it isn't as it was written: the key that signs {match.slug} ({key}) hasn't signed it", str(file)
            )


def _take_over(site: Site, connection: Connection, league: League, given: handover.HandedOver) -> None:
    """From here on this site's key signs."""
    made = [
        handover.key_record(site, connection, league, chain, (given.seed, site.signing_seed), site.now)
        for chain in handover.chains_of(connection, league)
    ]
    records.store_records(connection, made)


def _beside(connection: Connection, league: League, laid: Laid, room: Path) -> None:
    """What of the league stood in facts of its site."""
    path = room / FACTS
    try:
        told = json.loads(path.read_bytes()[:MOST_FACTS])  # one that is longer isn't whole
        offers = {str(code): json.dumps(json.loads(value)) for code, value in told["offers"].items()}
        owed = [(laid.new(SEAT, seat), _time(until), _mails(laid, ids)) for seat, until, ids in told["unanswered"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(
            "it can't be read: it doesn't say which seats are offered and which answers owed", FACTS
        ) from error
    for code, value in offers.items():
        if code.isalnum():
            leagues.set_fact(connection, f"{OFFERS}{league.slug}/{code}", value)
    for seat, until, ids in owed:
        leagues.set_fact(connection, f"{UNANSWERED}{seat}", " ".join([until, *ids]))


def _mails(laid: Laid, ids: Sequence[int]) -> list[str]:
    return [str(laid.new(MAIL, old)) for old in ids]


def _time(written: Any) -> str:
    return stamp(since(written))


def _told(connection: Connection, league: League, about: About, laid: Laid, again: int, *, held: bool) -> Imported:
    players = [p for p in leagues.players(connection, league.id) if p.address]
    others = leagues.memberships(connection, [p.address for p in players if p.address])
    elsewhere = sorted({one.place.own_name for one in others if one.league_id != league.id})
    chains = handover.chains_of(connection, league)
    ids = list(laid.ids[OUTBOX.name].values())
    waiting = sum(line.state in outbox.WAITING for line in outbox.find(connection, ids=ids))
    return Imported(
        league=league.slug,
        made_at=stamp(about.made_at),
        copy=about.copy,
        matches=tuple(_match(chain, about) for chain in chains),
        players=len(players),
        mails=len(laid.ids[MAIL.name]),
        waiting=waiting,
        again=again,
        held=held,
        elsewhere=tuple(elsewhere),
    )


def _match(chain: records.Chain, about: About) -> JsonDict:
    size, head = about.matches[chain.match]
    return {"match": chain.match, "records": size, "published_head": head, "head": chain.head}
