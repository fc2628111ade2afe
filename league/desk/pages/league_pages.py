"""A league's own pages: its front, players, records, feeds, order composer, and what programs read of it."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from league.desk.leagues.correction_reports import adjusted_reports
from league.desk.leagues.infos import round_info
from league.desk.leagues.presence import counted
from league.desk.leagues.silence import missed_now
from league.desk.leagues.turns import start_of
from league.desk.leagues.versions import Version, kind_of
from league.desk.pages.shelf import Shelf
from league.desk.pages.writing import writing
from league.desk.people.standby import offers
from league.desk.post.previews import published_preview
from league.desk.proof.chronicles import HISTORY, chronicle, history_file, put_right
from league.desk.site import Site
from league.desk.words import say
from league.reports import paths, render, teaser
from league.reports.composer import composer_file
from league.reports.context import (
    LeaguePage,
    RecordLink,
    RoundLink,
    SiteInfo,
)
from league.reports.feeds import deadlines, feed
from league.reports.words import Say
from league.storage import records, rounds
from league.storage.rounds import Loaded, Round

Files = Iterable[tuple[str, bytes]]


def league_pages(site: Site, connection: Connection, info: SiteInfo, shelf: Shelf) -> Files:
    """In every language; what stands on them comes from the newest records, whatever else is made anew."""
    game, bodies = shelf.game, [one.body for one in shelf.versions.newest.values()]
    following = len(bodies) + 1
    start = records.position(connection, shelf.loaded.round.match_id, following) if bodies else None
    state = game.restore(start.body) if start is not None else start_of(shelf.loaded, game)
    seats = {seat.id: seat.code for seat in shelf.loaded.seats}
    words, shown = say(game, shelf.league.lang), game.view(state, None, None)
    chain = ((kind_of(one.sealed), one.sealed.sha256, one.body) for one in shelf.versions.chain)
    told = chronicle(game, bodies, put_right(chain))
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
