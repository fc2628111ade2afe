"""What changed since the last build becomes pages; `public` is switched to them in one step."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.game import Game
from league.core.json import JsonDict
from league.delivery.site import Published, current, publish
from league.desk import registry
from league.desk.aside import own_template, set_aside
from league.desk.figures.second_looks import Doubt, doubts
from league.desk.leagues.beside_records import messages_of, names_of
from league.desk.leagues.calendar import ONE_BY_ONE, is_last, round_of
from league.desk.leagues.correction_reports import adjusted_reports, correction_report
from league.desk.leagues.held import held_until, waits
from league.desk.leagues.infos import REVEALED, league_info, next_round_info, round_info, site_info
from league.desk.leagues.presence import counted
from league.desk.leagues.public_journal import Ground, as_json, public_acts
from league.desk.leagues.records import figure_row
from league.desk.leagues.replies import asks, due
from league.desk.leagues.reporting import evidence_report, press_report, report_of, waiting_report
from league.desk.leagues.seals import CHECKPOINT, VERIFIER, manifests, verifier
from league.desk.leagues.seasons import lines
from league.desk.leagues.silence import missed_now
from league.desk.leagues.turns import figures_of, lay_out, rules_of, start_of
from league.desk.leagues.versions import Version, Versions
from league.desk.overview.glance import DISPUTED, glance
from league.desk.own_files import PREFIX, own_files
from league.desk.pages.front_page import Teasers, league_links, noted, season_links
from league.desk.pages.writing import writing
from league.desk.people.moved import moved_to
from league.desk.people.player_pages import player_pages
from league.desk.people.standby import offers
from league.desk.post.previews import preview, published_preview
from league.desk.proof.chronicles import HISTORY, chronicle, history_file
from league.desk.proof.look_file import look_of, site_look
from league.desk.recovery.restored import waits_for_word
from league.desk.rounds.resolve_rounds import known_figures, readings_of
from league.desk.site import Site
from league.desk.words import say
from league.records.freeze import public_key
from league.records.manifest import FILE as MANIFEST
from league.records.manifest import read_manifest
from league.records.note import Checkpoint
from league.records.rotation import KIND as KEY
from league.records.sealed import KIND as UNSEALED
from league.reports import paths, render, teaser
from league.reports.composer import composer_file
from league.reports.context import (
    EvidenceReport,
    LeagueInfo,
    LeaguePage,
    ReadingReport,
    RecordLink,
    RoundInfo,
    RoundLink,
    SiteInfo,
)
from league.reports.feeds import deadlines, feed
from league.reports.front import Seasons
from league.reports.journal import journal_page, journal_path
from league.reports.rules import RULES
from league.reports.sheets import FILE, style_sheet
from league.reports.words import Say
from league.storage import engine as database
from league.storage import leagues, orders, records, rounds
from league.storage.evidence import Figure
from league.storage.lock import run_lock
from league.storage.orders import PressLine
from league.storage.rounds import Loaded, Round

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


@dataclass(frozen=True, slots=True)
class Shelf:
    """A league with its rounds and records, ready to be put on pages."""

    league: LeagueInfo
    game: Game[Any, Any]
    loaded: Loaded  # the newest round
    rounds: tuple[Round, ...]
    versions: Versions
    board: str
    doubts: Sequence[Doubt]
    seasons: Seasons = field(default_factory=Seasons)
    pictures: dict[int, str] = field(default_factory=dict)  # of the rounds that were put on pages by now

    @property
    def over(self) -> bool:
        """Whether no round comes any more."""
        can_end = self.loaded.calendar.get(ONE_BY_ONE) or is_last(self.loaded.calendar, self.loaded.round.number)
        return bool(can_end) and self.loaded.round.status == rounds.RESOLVED

    def following(self, found: Round) -> RoundInfo | None:
        """The round after this one; None where that isn't open yet, or never will be here."""
        if self.league.moved is not None or is_last(self.loaded.calendar, found.number):
            return None
        if not self.loaded.calendar.get(ONE_BY_ONE):
            return next_round_info(round_of(self.loaded.calendar, found.match_id, found.number + 1))
        return next((round_info(one) for one in self.rounds if one.number == found.number + 1), None)


def shelf_of(site: Site, connection: Connection, slug: str, doubted: Sequence[Doubt] = ()) -> Shelf | None:
    """A league with what its pages are made of; None if there is no such league."""
    found = leagues.league(connection, slug)
    if found is None:
        return None
    season = leagues.seasons(connection, found.id)[-1]
    match = leagues.matches(connection, [season.id])[-1]
    all_rounds = rounds.rounds(connection, match.id)
    (loaded,) = rounds.load_chunk(connection, [all_rounds[-1].id])
    game = rules_of(loaded)
    versions = Versions.of(records.chain(connection, match.id))
    league = replace(league_info(site, loaded, game), moved=moved_to(connection, slug))
    board = registry.board_of(loaded.sources)
    return Shelf(league, game, loaded, all_rounds, versions, board, doubted)


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
                yield from _round_pages(site, info, shelf, found, version, lines)
            if found.status == rounds.RESOLVED:
                yield from messages_of(shelf.loaded, found, lines)
        if found.status == rounds.FROZEN:
            yield from _waiting_pages(site, connection, info, shelf, found)
    yield from _league_pages(site, connection, info, shelf)  # it shows the newest round's picture


def _journal(info: SiteInfo, league: LeagueInfo | None, acts: Sequence[JsonDict]) -> Files:
    """What the organizer did: for programs, and as a page in every language."""
    slug = league.slug if league else ""
    yield f"{slug}/journal.json" if league else "journal.json", as_json(acts, slug)
    for lang in info.langs:
        yield journal_path(info, league, lang), journal_page(info, league, acts, lang).encode()


def _round_pages(
    site: Site, info: SiteInfo, shelf: Shelf, found: Round, one: Version, lines: Sequence[PressLine]
) -> Files:
    """A version's pages; those of one that doesn't stand any more stay reachable under a name of their own."""
    body, number = one.body, one.sealed.version
    newest = shelf.versions.newest[found.number].sealed.version
    following = shelf.following(found)
    shown = replace(
        round_info(found, status="done", record=one.sealed.sha256),
        version=number,
        leaves=tuple(body["freeze"]["leaves"]),
        revealed=any(d["kind"] == REVEALED for d in body["decisions"]),
    )
    press = press_report(shelf.loaded, lines)
    report = replace(
        report_of(shelf.league, shown, body, following, press, shelf.board, hidden=shelf.versions.hides(one)),
        correction=correction_report(shelf.versions, one, shelf.board),
        newest=newest if newest > number else 0,
        has_next=_has_page(shelf, found.number + 1),
        adjusted=adjusted_reports(shelf.versions, found.number),
        over=shelf.over and found.id == shelf.loaded.round.id,
    )
    if not report.newest:
        report = replace(report, evidence=tuple(_doubted(one, shelf.doubts) for one in report.evidence))
        picture = preview(site, shelf.league, report.view.after, found.number)
        if picture is not None:
            yield f"{shelf.league.slug}/{picture[0]}", picture[1]
            report = replace(report, picture=picture[0])
            shelf.pictures[found.number] = picture[0]
    for lang in info.langs:
        place = paths.round_path(shelf.league, found.number, lang, number if report.newest else 0)
        yield place, render.round_page(info, report, lang).encode()


def _has_page(shelf: Shelf, number: int) -> bool:
    return any(one.number == number and one.root is not None for one in shelf.rounds)


def _doubted(told: EvidenceReport, doubted: Sequence[Doubt]) -> EvidenceReport:
    """With what sources say otherwise since the figure came to stand."""
    own = (told.figure, told.day, told.value)
    found = [d.said for d in doubted if (d.figure.figure, d.figure.day.isoformat(), d.figure.value) == own]
    return replace(told, doubts=tuple(ReadingReport(one.source, one.value, one.read_at) for one in found))


def _waiting_pages(site: Site, connection: Connection, info: SiteInfo, shelf: Shelf, found: Round) -> Files:
    (loaded,) = rounds.load_chunk(connection, [found.id])
    figures = known_figures(connection, [loaded])
    table = lay_out(loaded, figures)
    pending = table.outcome().pending if loaded.position is not None else ()
    until = due(loaded) if pending and asks(table) else None
    held = held_until(loaded, figures, site.now) if not pending else None
    pending = (waits(held),) if held is not None else pending
    following = shelf.following(found)
    shown = round_info(found, loaded, status="waiting")
    report = waiting_report(shelf.league, shown, table, pending, following, until)
    report = replace(
        report,
        adjusted=adjusted_reports(shelf.versions, found.number),
        has_next=_has_page(shelf, found.number + 1),
        evidence=tuple(_figures_so_far(site, connection, loaded, figures)),
    )
    for lang in info.langs:
        yield paths.round_path(shelf.league, found.number, lang), render.round_page(info, report, lang).encode()


def _figures_so_far(
    site: Site, connection: Connection, loaded: Loaded, figures: Sequence[Figure]
) -> Iterable[EvidenceReport]:
    """The figures of a round that waits, with who said what: those that stand, and those that don't yet."""
    said = readings_of(connection, [loaded])
    yield from (evidence_report(figure_row(figure, said)) for figure in figures_of(loaded, figures))
    if loaded.position is None:
        return
    closed = [c for one in glance(site, connection, [loaded.league_slug]) for c in one.closed]
    for figure in (f for c in closed if c.number == loaded.round.number for f in c.figures):
        heard = tuple(ReadingReport(one.source, one.value, one.read_at) for one in figure.said)
        if figure.day is not None and heard:
            status = "disputed" if figure.status == DISPUTED else "waiting"
            yield EvidenceReport(figure.figure, figure.day.isoformat(), "", "", status, readings=heard)


def _league_pages(site: Site, connection: Connection, info: SiteInfo, shelf: Shelf) -> Files:
    game, bodies = shelf.game, [one.body for one in shelf.versions.newest.values()]
    following = len(bodies) + 1
    start = records.position(connection, shelf.loaded.round.match_id, following) if bodies else None
    state = game.restore(start.body) if start is not None else start_of(shelf.loaded, game)
    seats = {seat.id: seat.code for seat in shelf.loaded.seats}
    words, shown = say(game, shelf.league.lang), game.view(state, None, None)
    told = chronicle(game, bodies)
    yield f"{shelf.league.slug}/{HISTORY}", history_file(shelf.league.slug, shelf.loaded.match_slug, told)
    away = shelf.league.moved is not None  # then nobody may be told to write here
    page = LeaguePage(
        league=shelf.league,
        standings=game.score(state),
        map=shown.before,
        extra=shown.extra,
        columns=shown.columns,
        writing=None if away else writing(game, state, shelf.loaded, _waiting(connection, shelf), following),
        rounds=tuple(_link(found, bodies, words) for found in reversed(shelf.rounds) if found.root is not None),
        open=None if away else round_info(shelf.loaded.round, shelf.loaded),
        received=tuple(sorted({seats[s.seat_id] for s in counted(shelf.loaded) if s.replaces})),
        missed=missed_now(connection, shelf.loaded.round.match_id),
        offered=offers(connection, shelf.league.slug),
        adjusted=adjusted_reports(shelf.versions, following),
        over=shelf.over,
        show_received=str(shelf.loaded.options.get("show_received", "none")),
        chronicle=told,
        following=shelf.following(shelf.loaded.round),
        last=next((round_info(one) for one in reversed(shelf.rounds) if one.root is not None), None),
        picture=shelf.pictures.get(len(bodies)) or published_preview(site, shelf.league.slug, len(bodies)),
        records=tuple(_record_link(one) for one in shelf.versions.chain),
        seasons=shelf.seasons,
    )
    yield from teaser.files(info, page)
    for lang in info.langs:
        yield paths.league_path(shelf.league, lang), render.league_page(info, page, lang).encode()
        yield paths.players_path(shelf.league, lang), render.players_page(info, page, lang).encode()
        yield paths.records_path(shelf.league, lang), render.records_page(info, page, lang).encode()
        yield paths.feed_path(shelf.league, lang), feed(info, page, lang).encode()
        yield paths.calendar_path(shelf.league, lang), deadlines(info, page, lang)
        if page.writing is not None:
            yield (
                paths.composer_path(shelf.league, lang),
                composer_file(info, shelf.league, page.writing, lang).encode(),
            )


def _waiting(connection: Connection, shelf: Shelf) -> Loaded | None:
    """The round that takes replies, if any: the oldest whose orders are closed."""
    closed = [found.id for found in shelf.rounds if found.status == rounds.FROZEN][:1]
    return next(iter(rounds.load_chunk(connection, closed)), None) if closed else None


def _record_link(one: Version) -> RecordLink:
    sealed = one.sealed
    return RecordLink(sealed.file, sealed.kind, sealed.round, sealed.version, sealed.sha256)


def _link(found: Round, bodies: Sequence[dict[str, Any]], words: Say) -> RoundLink:
    events = next((tuple(b["events"]) for b in bodies if b["round"] == found.number), ())
    status = "done" if found.status == rounds.RESOLVED else "waiting"
    told = tuple(render.headline(words, events))
    return RoundLink(found.number, found.deadline_at, status, max(found.version, 1), told)


def publish_now(site: Site, only: Sequence[str]) -> Published:
    """`league publish`: the leagues named, or all, built anew whatever is marked."""
    for words in waits_for_word(site):
        raise Refused(words)
    with run_lock(site.path, f"league publish of {site.who}", LOCK_SECONDS, site.engine):
        found = publish_pages(site, only, everything=not only)
    if found is None:
        raise Refused("there is nothing to publish")
    return found
