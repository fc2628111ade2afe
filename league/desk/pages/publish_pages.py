"""What changed since the last build becomes pages; `public` is switched to them in one step."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.json import JsonDict
from league.delivery.site import Published, current, publish
from league.desk.aside import own_template, set_aside
from league.desk.figures.second_looks import doubts
from league.desk.leagues.beside_records import messages_of, names_of
from league.desk.leagues.infos import site_info
from league.desk.leagues.public_journal import Ground, as_json, public_acts
from league.desk.leagues.seals import CHECKPOINT, VERIFIER, manifests, verifier
from league.desk.leagues.seasons import lines
from league.desk.own_files import PREFIX, own_files
from league.desk.pages.front_page import Teasers, league_links, noted, season_links
from league.desk.pages.league_pages import league_pages
from league.desk.pages.round_pages import round_pages, waiting_pages
from league.desk.pages.shelf import Shelf, shelf_of
from league.desk.people.player_pages import player_pages
from league.desk.proof.look_file import look_of, site_look
from league.desk.recovery.restored import waits_for_word
from league.desk.site import Site
from league.records.freeze import public_key
from league.records.manifest import FILE as MANIFEST
from league.records.manifest import read_manifest
from league.records.note import Checkpoint
from league.records.rotation import KIND as KEY
from league.records.sealed import KIND as UNSEALED
from league.reports import paths, render
from league.reports.context import (
    LeagueInfo,
    SiteInfo,
)
from league.reports.journal import journal_page, journal_path
from league.reports.rules import RULES
from league.reports.sheets import FILE, style_sheet
from league.storage import engine as database
from league.storage import leagues, orders, rounds
from league.storage.lock import run_lock

Files = Iterable[tuple[str, bytes]]
LOCK_SECONDS = 120.0


def publish_pages(site: Site, only: Sequence[str] = (), *, everything: bool = False) -> Published | None:
    """Build what is marked as unpublished (or everything, or these leagues); None if there was nothing to do."""
    with database.read(site.engine) as connection:
        marks = leagues.unpublished(connection)
        known = [league.slug for league in leagues.leagues(connection)]
        others = lines(connection)
    for slug in only:
        if slug not in known:
            raise Refused(f"no league '{slug}' on this site; there are: {', '.join(known) or 'none yet'}")
    whole = set(known) if everything or current(site.path) is None else set(only)
    changed = whole | {place.partition("/")[0] for place in marks if not only} & set(known)
    if not _is_by_key_in_force(site):
        changed = set(known)  # every manifest and checkpoint is signed anew
    changed |= {later for slug in changed for later in others.later(slug)}  # they name its winner
    touched = sorted(changed, key=lambda slug: (others.number(slug), slug))
    if not touched and not marks and current(site.path) is not None:
        return None
    try:
        files = _files(site, touched, whole, marks)
        found = publish(site.path, files, tuple(sorted(whole)), manifests(site), PREFIX)
    except Exception as error:
        if own_template(site, error):
            raise Refused(f"nothing was published: {set_aside(site, 'the pages', error)}") from error
        raise
    with database.write(site.engine) as connection:
        leagues.mark_published(connection, marks if not only else {})
    return found


def _is_by_key_in_force(site: Site) -> bool:
    """Whether what is public names the key that signs now; else it is from before a key came in force."""
    try:
        found = read_manifest((site.path / "public" / MANIFEST).read_bytes())
    except OSError:  # nothing is public yet
        return True
    return found is None or found.key == public_key(site.signing_seed)


def _files(site: Site, touched: Sequence[str], whole: set[str], marks: dict[str, str]) -> Files:
    info = site_info(site)
    yield FILE, style_sheet(info).encode()
    yield "map.js", render.script(info).encode()
    yield "composer.js", render.composer(info).encode()
    yield VERIFIER, verifier()
    yield site_look(info)
    yield from own_files(site.path)
    with database.read(site.engine) as connection:
        yield from _journal(info, None, public_acts(connection, None, Ground(), site.key))
        doubted = doubts(connection, date.min)
        told: Teasers = {}
        others = season_links(site, connection, told)
    for slug in touched:
        wanted = None if slug in whole else {p.partition("/")[2] for p in marks if p.startswith(f"{slug}/")}
        with database.read(site.engine) as connection:
            shelf = shelf_of(site, connection, slug, doubted)
            if shelf is not None:
                shelf = replace(shelf, seasons=others.of(slug))
                beside = dict([names_of(shelf.league), look_of(info, shelf.league)])
                if any(_is_new(site, name, content) for name, content in beside.items()):
                    wanted = None  # every page of the league shows them
                yield from beside.items()
                yield from noted(_league_files(site, connection, info, shelf, wanted), told)
                # They change with the league's options, and with the look.
                if wanted is None or not (site.path / "public" / slug / RULES).is_file():
                    yield from player_pages(info, shelf.league, shelf.game.meta, shelf.loaded)
    with database.read(site.engine) as connection:
        links = league_links(site, connection, told)
    for lang in info.langs:
        yield paths.site_path(info, lang), render.site_page(info, links, lang).encode()


def _is_new(site: Site, name: str, content: bytes) -> bool:
    """Whether something else is published under this name now, or nothing."""
    try:
        return (site.path / "public" / name).read_bytes() != content
    except OSError:
        return True


def _league_files(site: Site, connection: Connection, info: SiteInfo, shelf: Shelf, wanted: set[str] | None) -> Files:
    """The league's page always; of its rounds and records those wanted (None: all)."""
    ground = Ground(shelf.rounds, tuple(shelf.game.meta.figures))
    yield from _journal(info, shelf.league, public_acts(connection, shelf.loaded.league_id, ground, site.key))
    if shelf.board:  # the records' tables_sha256 covers it: whoever recomputes them needs it
        yield f"{shelf.league.slug}/board.toml", shelf.board.encode()
    for one in shelf.versions.chain:
        record = one.sealed
        if wanted is None or str(record.round) in wanted or record.round == 0 or record.kind in (KEY, UNSEALED):
            yield f"{shelf.league.slug}/records/{record.file}", record.body
    chain = Checkpoint(shelf.league.slug, shelf.loaded.match_slug, len(shelf.versions.chain), shelf.loaded.head)
    yield f"{shelf.league.slug}/records/{CHECKPOINT}", chain.sealed(site.signing_seed)
    # The page before a new one gets its link to it.
    anew = {r.id for r in shelf.rounds if wanted is None or wanted & {str(r.number), str(r.number + 1)}}
    press = orders.press_by_round(connection, tuple(anew))
    for found in shelf.rounds:
        if found.id in anew:
            lines = press.get(found.id, ())
            for version in shelf.versions.rounds.get(found.number, ()):
                yield from round_pages(site, info, shelf, found, version, lines)
            if found.status == rounds.RESOLVED:
                yield from messages_of(shelf.loaded, found, lines)
        if found.status == rounds.FROZEN:
            yield from waiting_pages(site, connection, info, shelf, found)
    yield from league_pages(site, connection, info, shelf)  # it shows the newest round's picture


def _journal(info: SiteInfo, league: LeagueInfo | None, acts: Sequence[JsonDict]) -> Files:
    """What the organizer did: for programs, and as a page in every language."""
    slug = league.slug if league else ""
    yield f"{slug}/journal.json" if league else "journal.json", as_json(acts, slug)
    for lang in info.langs:
        yield journal_path(info, league, lang), journal_page(info, league, acts, lang).encode()


def publish_now(site: Site, only: Sequence[str]) -> Published:
    """`league publish`: the leagues named, or all, built anew whatever is marked."""
    for words in waits_for_word(site):
        raise Refused(words)
    with run_lock(site.path, f"league publish of {site.who}", LOCK_SECONDS, site.engine):
        found = publish_pages(site, only, everything=not only)
    if found is None:
        raise Refused("there is nothing to publish")
    return found
