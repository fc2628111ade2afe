"""A whole site around a league of bots, without mails and database: every kind of page that a publication makes."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from league import resources
from league.desk import registry
from league.desk.leagues.infos import tells_rules
from league.desk.leagues.public_journal import as_json
from league.desk.leagues.reporting import report_of
from league.desk.play.worked_week import worked_week
from league.desk.proof.chronicles import HISTORY, chronicle, history_file
from league.desk.proof.look_file import look_of
from league.reports import paths, render, teaser
from league.reports.context import LeagueInfo, LeaguePage, RecordLink, RoundInfo, RoundLink, SiteInfo
from league.reports.feeds import deadlines, feed
from league.reports.front import LeagueLink, Podium, SeasonLink, Seasons
from league.reports.journal import journal_page, journal_path
from league.reports.rules import RULES, RulesInfo, documents
from league.reports.sheets import style_sheet
from tests.desk.long_league import Long, league_info
from tests.desk.long_league import _round as round_of
from tests.reports.test_pages import JOURNAL

SITE = SiteInfo("The Sunday club", "en")
WEEK = timedelta(days=7)
Files = Iterator[tuple[str, bytes]]


@cache
def played(rounds: int) -> Long:
    """The league, played once a process."""
    return Long.played(rounds, "greedy*6")


def write_site(folder: Path, rounds: int, langs: tuple[str, ...] = SITE.langs) -> Path:
    """All pages of a site with that league, in a folder."""
    site, long = replace(SITE, langs=langs), played(rounds)
    for name, content in (*long.files(pages=False), *_pages(site, long)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "manifest").touch()
    (folder / "long" / "manifest").touch()
    return folder


def _pages(site: SiteInfo, long: Long) -> Files:
    bodies = [body for body in long.bodies if "round" in body]
    records = dict(zip((body["round"] for body in bodies), long.records()[1:], strict=True))
    league = replace(
        league_info(bodies[-1]), lang=site.lang, rules_url=RULES if tells_rules("kuel") else "", prize="a box of tea"
    )
    page = _front(league, bodies, [RecordLink(f"{n:04d}-v1.json", "round", n, 1, r.sha256) for n, r in records.items()])
    yield "style.css", style_sheet(site).encode()
    yield "map.js", render.script(site).encode()
    yield from teaser.files(site, page)
    yield f"{league.slug}/{HISTORY}", history_file(league.slug, league.match, page.chronicle)
    yield look_of(site, league)
    links = _links(page)
    for one in (None, league):
        yield f"{league.slug + '/' if one else ''}journal.json", as_json(JOURNAL[: 2 if one else 1])
        for lang in site.langs:
            yield journal_path(site, one, lang), journal_page(site, one, JOURNAL[:1], lang).encode()
    for lang in site.langs:
        yield paths.site_path(site, lang), render.site_page(site, links, lang).encode()
        yield paths.league_path(league, lang), render.league_page(site, page, lang).encode()
        yield paths.players_path(league, lang), render.players_page(site, page, lang).encode()
        yield paths.records_path(league, lang), render.records_page(site, page, lang).encode()
        yield paths.feed_path(league, lang), feed(site, page, lang).encode()
        yield paths.calendar_path(league, lang), deadlines(site, page, lang)
        about = _rules(league)
        yield from ((name, text.encode()) for name, text in documents(site, about, _week(about, lang), lang))
        for body in bodies:
            shown = round_of(body, records[body["round"]].sha256)
            report = report_of(league, shown, json.loads(records[body["round"]].json), None, ())
            report = replace(report, has_next=body is not bodies[-1])
            yield paths.round_path(league, body["round"], lang), render.round_page(site, report, lang).encode()


def _front(league: LeagueInfo, bodies: list[dict[str, Any]], records: list[RecordLink]) -> LeaguePage:
    last = bodies[-1]
    game = registry.load("kuel", last["rules"]["options"])
    state = game.restore(last["position"])
    when = {body["round"]: datetime.fromisoformat(body["deadline"]) for body in bodies}
    number, due = last["round"] + 1, when[last["round"]] + WEEK
    following = RoundInfo(number, due - timedelta(days=5), due, due, due + timedelta(days=2), status="open")
    return LeaguePage(
        league=league,
        standings=game.score(state),
        map=game.view(state, None, None).before,
        rounds=tuple(RoundLink(n, moment) for n, moment in when.items()),
        open=following,
        following=replace(following, number=number + 1, deadline=due + WEEK),
        received=("s1",),
        chronicle=chronicle(game, bodies),
        records=tuple(records),
        seasons=Seasons(2, "long", (_before(league),)),
    )


def _before(league: LeagueInfo) -> SeasonLink:
    """A season before it, whose page is its own: a link that leads somewhere."""
    won = Podium(league.seats[0].name, 1, 61, "#2f6db5", "circle")
    end = datetime(2023, 5, 4, 22, tzinfo=UTC)
    return SeasonLink(1, league.slug, "The first winter", league.lang, league.zone, True, False, 12, end, (won,))


def _links(page: LeaguePage) -> list[LeagueLink]:
    league, open_ = page.league, page.open
    number, due = (open_.number, open_.deadline) if open_ else (0, None)
    told = teaser.teaser(page, {})
    link = LeagueLink(league.slug, league.title, "KUEL", league.lang, len(league.seats), number, due, league.zone, told)
    past = [
        replace(link, title=f"Winter {n}", deadline=None, teaser=replace(told, over=True), seasons=Seasons(n, "winter"))
        for n in (1, 2, 3)
    ]
    return [replace(link, seasons=page.seasons), *past]


def _rules(league: LeagueInfo) -> RulesInfo:
    meta = registry.plugin("kuel").meta
    options = registry.filled(meta, {})
    defaults = {option.name: option.default for option in meta.options}
    board = resources.tables("league.games.kuel")["board"]
    return RulesInfo(league, options, defaults, meta.presets, meta.week, 15, board)


def _week(about: RulesInfo, lang: str) -> Any:
    return worked_week("kuel", about.options, lang)
