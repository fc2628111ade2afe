"""Pages: well-formed, complete, harmless, the same bytes for the same values."""

import os
import re
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest

from league.core.json import JsonDict
from league.core.orders import Fate, Press, Ruling
from league.core.standings import Place
from league.core.view import View
from league.i18n import LANGS
from league.reports import atlas, charts, teaser
from league.reports.chronicle import Chronicle
from league.reports.context import (
    LeagueInfo,
    LeaguePage,
    LineReport,
    MailReport,
    PressReport,
    RoundReport,
    SiteInfo,
)
from league.reports.environment import _environment as environment
from league.reports.front import LeagueLink, Podium, SeasonLink, Seasons, Teaser, archive, titles
from league.reports.journal import journal_page, journal_path
from league.reports.paths import (
    calendar_path,
    feed_path,
    league_path,
    players_path,
    records_path,
    round_path,
    site_path,
)
from league.reports.render import (
    accounts,
    compared,
    league_page,
    players_page,
    records_page,
    round_page,
    site_page,
)
from league.reports.sheets import ALL, PARTS, style_sheet

GOLDEN = Path(__file__).parent.parent / "golden" / "reports"
ZONE = "Europe/Berlin"
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "Anna\u202egro.elpmaxe\u2066",
    "Anna\r\nBcc: all@example.org\n\n# root",
    "take Paris\u2028pass",
    "&lt;b&gt;{{ 7*7 }}{% raw %}%(who)s",
    "\ud800\x00\x1b[31m",
)


class Checked(HTMLParser):
    """What a browser would find: tags opened and closed, ids, links, references."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.refs: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._seen(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._seen(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def _seen(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = [name for name, _ in attrs]
        self.attributes |= set(names)
        if len(names) != len(set(names)):
            self.faults.append(f"<{tag}> has an attribute twice")
        if any(name.startswith("on") for name in names):
            self.faults.append(f"<{tag}> has a handler")
        if tag == "th" and "scope" not in names:
            self.faults.append("<th> without scope")
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name == "aria-labelledby":
                self.refs.extend((value or "").split())
            if name in {"href", "src"} and not (value or "").startswith("#"):
                self.links.append(value or "")


def check(page: str) -> Checked:
    """The page read; fails on anything that isn't well-formed."""
    read = Checked()
    read.feed(page)
    read.close()
    assert read.faults == []
    assert read.open == []
    assert sorted(set(read.ids)) == sorted(read.ids)
    assert set(read.refs) <= set(read.ids)
    return read


JOURNAL: list[dict[str, Any]] = [
    {"at": "2024-01-01T09:00:00Z", "who": "organizer", "act": "mail hold", "why": "a <new> server", "arguments": {}},
    {"at": "2024-01-02T09:00:00Z", "who": "anna", "act": "player retire", "why": "", "arguments": {"seat": "anna"}},
]


def links(site: SiteInfo, front: LeaguePage) -> list[LeagueLink]:
    """A league that is played, one that hasn't begun, and one that is over."""
    ((_, told), _) = teaser.files(site, front)
    running = LeagueLink("europa", "Europa am Sonntag", "KUEL", "de", 6, 4, datetime(2024, 1, 18, 23, tzinfo=UTC), ZONE)
    over = teaser.teaser(replace(front, over=True), {})
    return [
        replace(running, slug="past", title="Winter", deadline=None, teaser=replace(over, slug="past")),
        replace(running, slug="soon", title="Herbst", round=1, deadline=datetime(2024, 9, 5, 22, tzinfo=UTC)),
        replace(running, teaser=teaser.read(told)),
    ]


def pages(site: SiteInfo, front: LeaguePage, report: RoundReport, lang: str) -> dict[str, str]:
    """One page of each kind, by path."""
    return {
        site_path(site, lang): site_page(site, links(site, front), lang),
        league_path(front.league, lang): league_page(site, front, lang),
        players_path(front.league, lang): players_page(site, front, lang),
        records_path(front.league, lang): records_page(site, front, lang),
        round_path(report.league, report.round.number, lang): round_page(site, report, lang),
        journal_path(site, None, lang): journal_page(site, None, JOURNAL[:1], lang),
        journal_path(site, front.league, lang): journal_page(site, front.league, JOURNAL, lang),
    }


@pytest.mark.parametrize("lang", LANGS)
def test_every_page_is_well_formed(site: SiteInfo, front: LeaguePage, report: RoundReport, lang: str) -> None:
    """Tags close in order, ids are unique, references lead to them, heads of tables have a scope, one h1 a page."""
    for page in pages(site, front, report, lang).values():
        read = check(page)
        assert page.startswith("<!doctype html>")
        assert f'<html lang="{lang}">' in page
        assert read.tags.count("h1") == 1
        assert read.tags.count("main") == 1
        assert "style" not in read.attributes
        assert (
            re.findall(
                r"<script(?! src=\"[./]*(?:map|composer)\.js\" defer></script>)(?! type=\"application/json\")", page
            )
            == []
        )
        assert "default-src 'self'" in page.split("<body>")[0]


def test_links_are_relative_and_lead_somewhere(site: SiteInfo, front: LeaguePage, report: RoundReport) -> None:
    """Every link of every page in every language leads to a page of the same build, so that file:// works."""
    all_pages = {path: page for lang in LANGS for path, page in pages(site, front, report, lang).items()}
    known = {*all_pages, "style.css", "map.js", "composer.js", "europa/map.svg", "past/map.svg"}
    known |= {f"{slug}/{folder}index.html" for slug in ("past", "soon") for folder in ("", "en/", "nl/")}
    known |= {round_path(front.league, n, lang) for n in (1, 2) for lang in LANGS}
    known |= {"journal.json", "europa/journal.json", "verify.py"}
    known |= {f"europa/{name}" for name in ("manifest", "records/checkpoint", "history.json", "records/0003-v1.json")}
    known |= {name for lang in LANGS for name in (feed_path(front.league, lang), calendar_path(front.league, lang))}
    for path, page in all_pages.items():
        for link in check(page).links:
            if link.startswith(("mailto:", "data:image/svg+xml,")):
                continue
            assert not link.startswith(("/", "http")), link
            target = normpath(join(dirname(path), link.partition("#")[0]))
            assert target in known or target.endswith(("rules.html", "card.html")), (path, link)


@pytest.mark.parametrize("lang", LANGS)
def test_a_round_page_is_the_one_we_know(site: SiteInfo, report: RoundReport, lang: str) -> None:
    """The round page is byte for byte the one last looked at (LEAGUE_GOLDEN=write keeps a new one)."""
    drawing = report.league.drawing
    assert drawing is not None
    page = round_page(site, report, lang).replace(
        atlas.shared(drawing, [seat.look for seat in report.league.seats]), "<!-- shapes -->"
    )
    page = re.sub(r"<style>.*?</style>", "<style>/* style.css */</style>", page, flags=re.DOTALL)
    page = re.sub(r"'sha256-[^']*'", "'sha256-…'", page)
    assert page == golden(f"round-3.{lang}.html", page)


def test_every_page_brings_its_style_along(site: SiteInfo, front: LeaguePage, report: RoundReport) -> None:
    """Of the sheet what its kind needs, in its order, with the check sum of what it holds; older rounds' pages too."""
    whole = style_sheet(site).splitlines()
    made = {**pages(site, front, report, "en"), "older": round_page(site, replace(report, has_next=True), "en")}
    held = {}
    for name, page in made.items():
        (held[name],) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
        digest = b64encode(sha256(held[name].encode()).digest()).decode()
        assert f"style-src 'self' 'sha256-{digest}';" in page
        assert "stylesheet" not in page
        rest = iter(whole)
        assert all(line in rest for line in held[name].splitlines())
        assert ":root" in held[name]
    league, records = held[league_path(front.league, "en")], held[records_path(front.league, "en")]
    assert ".composer" in league
    assert ".statement" not in league
    assert len(records) < len(league) / 2


def test_a_sheet_of_the_site_s_own_is_on_every_page(tmp_path: Path, site: SiteInfo, front: LeaguePage) -> None:
    """What stands behind ours, and what knows no parts at all; what refers to files beside it is asked for."""
    own, named = tmp_path / "style.css", replace(site, templates=(tmp_path,))
    for text in ('{% include "!/style.css" %} .mine { color: red }', ".mine { color: red }"):
        own.write_text(text)
        environment.cache_clear()
        for page in (site_page(named, [], "en"), players_page(named, front, "en"), records_page(named, front, "en")):
            assert ".mine { color: red }</style>" in page
    own.write_text('{% include "!/style.css" %} body { background: url(static-paper.png) }')
    environment.cache_clear()
    assert '<link rel="stylesheet" href="../../style.css">' in league_page(named, front, "en")


def test_parts_of_the_sheet_are_those_that_pages_ask_for(site: SiteInfo) -> None:
    """A part that no kind of page asks for would be missed, one that isn't there asked for in vain."""
    there = set(re.findall(r"/\* part: (.*?) \*/", style_sheet(site)))
    assert there == {ALL}.union(*PARTS.values())


def golden(name: str, made: str) -> str:
    """The kept text; `LEAGUE_GOLDEN=write` keeps what was made."""
    path = GOLDEN / name
    if os.environ.get("LEAGUE_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made, "utf-8")
    return path.read_text("utf-8")


def test_a_shared_link_shows_headline_and_map(site: SiteInfo, front: LeaguePage, report: RoundReport) -> None:
    """What OpenGraph asks for; a picture only with a whole address, as nothing else is followed."""
    served = replace(site, base_url="https://play.example/pages/")
    page = round_page(served, replace(report, picture="pictures/round-3-ab.png"), "en")
    assert '<meta property="og:title" content="Round 3 · Europa am Sonntag">' in page
    assert '<meta property="og:image" content="https://play.example/pages/europa/pictures/round-3-ab.png">' in page
    told = re.search(r'<meta property="og:description" content="([^"]+)">', page)
    assert told is not None
    assert f"<h1>{told[1]}</h1>" in page
    assert "og:image" not in round_page(site, replace(report, picture="pictures/round-3-ab.png"), "en")
    assert "og:image" not in league_page(served, front, "en")
    assert "/europa/pictures/a.png" in league_page(served, replace(front, picture="pictures/a.png"), "en")


def test_the_same_values_give_the_same_bytes(site: SiteInfo, front: LeaguePage, report: RoundReport) -> None:
    """Made twice, pages are equal."""
    assert pages(site, front, report, "de") == pages(site, front, report, "de")


@pytest.mark.parametrize("bad", HOSTILE)
def test_foreign_text_can_not_break_out(site: SiteInfo, front: LeaguePage, report: RoundReport, bad: str) -> None:
    """Names, press and unread lines arrive as harmless text: no markup, no control or bidi characters, no new line."""
    league = replace(report.league, seats=tuple(replace(s, name=bad) for s in report.league.seats))
    line = LineReport(bad, Ruling(Fate.INVALID, "unknown_country", "K14", {"written": bad, "suggestions": []}), bad)
    hostile = replace(
        report,
        league=league,
        mails=(MailReport("anna", None, line.ruling, (line,)),),
        press=(PressReport("anna", Press((bad,), f"{bad}\n{bad}")),),
    )
    plain = {path: check(page) for path, page in pages(site, front, report, "en").items()}
    for path, page in pages(site, replace(front, league=league), hostile, "en").items():
        read = check(page)
        assert read.tags.count("script") == plain[path].tags.count("script")
        assert "onerror" not in read.links
        assert ("img" in read.tags) == ("img" in plain[path].tags)
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028\u2029\x00-\x09\x0b-\x1f]", page)
        assert "Bcc:" not in page.split("\n")
        page.encode("utf-8")


def test_a_line_that_was_not_understood_is_not_shown_to_others(site: SiteInfo, report: RoundReport) -> None:
    """What a player wrote in an unread line may be private; the public page says only that there was one."""
    page = round_page(site, report, "en")
    assert "Mazedonen" not in page
    assert "a line that wasn&#39;t understood" in page or "a line that wasn't understood" in page


def test_who_has_sent_shows_as_the_league_says(site: SiteInfo, front: LeaguePage) -> None:
    """K90: names, a number, or nothing."""
    names, count, none = (
        league_page(site, replace(front, show_received=how), "en") for how in ("names", "count", "none")
    )
    heard = "Heard from:"
    assert heard in names
    assert "Dirk" in names.split(heard)[1].split("</section>")[0]
    assert "Heard from 2 of 6." in count
    assert heard not in count
    assert "Heard from" not in none


def test_a_provisional_round_says_so(site: SiteInfo, report: RoundReport) -> None:
    """A round with something pending is marked and lists what it waits for."""
    waits: JsonDict = {"kind": "battle", "country": "spain", "fighters": ["anna", "ben"], "attempt": 1}
    page = round_page(site, replace(report, pending=(waits,)), "en")
    assert "Provisional: the round still waits" in page
    assert "Spain: the battle between Anna and Ben is to be fought and reported." in page
    assert "Provisional" not in round_page(site, report, "en")


def test_before_the_evaluation_nothing_is_told(site: SiteInfo, report: RoundReport) -> None:
    """K90: a round that is closed but not evaluated shows what it waits for and no outcome, not even an empty one."""
    waits: JsonDict = {"kind": "evidence", "figure": "lotto"}
    frozen = replace(report.round, status="waiting")
    page = round_page(
        site, RoundReport(report.league, frozen, View(None, {}, report.view.before), pending=(waits,)), "en"
    )
    check(page)
    assert "A figure is still to come: Lotto 6aus49, in order drawn." in page
    for told in ("A quiet week", "Nobody sent orders", "What happened", "Points, item by item", "Not heard from"):
        assert told not in page


def test_a_late_freeze_and_a_correction_show(site: SiteInfo, report: RoundReport) -> None:
    """Orders closed after the figures were known, and a second version, can't be overlooked."""
    marked = replace(report, round=replace(report.round, frozen_late=True, version=2))
    page = round_page(site, marked, "en")
    assert "The orders were closed after the figures of this round were known." in page
    assert "version 2" in page


def test_pages_are_noindex_unless_the_site_says_otherwise(site: SiteInfo, front: LeaguePage) -> None:
    """Search engines are kept out by default."""
    tag = '<meta name="robots" content="noindex">'
    assert tag in league_page(site, front, "de")
    assert tag not in league_page(replace(site, index=True), front, "de")


def test_rules_are_linked_only_where_there_is_a_rules_page(site: SiteInfo, report: RoundReport) -> None:
    """A rule's number leads to its place on the rules page in the page's language, or is plain text."""
    assert 'href="rules.html#K29"' in round_page(site, report, "de")
    bare = replace(report, league=replace(report.league, rules_url=""))
    assert "rules.html" not in round_page(site, bare, "de")
    assert '<span class="rule">K29</span>' in round_page(site, bare, "de")


def test_accounts_add_up(report: RoundReport) -> None:
    """What was paid on the way stands in the account, a waived penalty doesn't count."""
    totals = {account.seat: account.total for account in accounts(report)}
    assert totals == {"ben": 3, "anna": 3, "dirk": 3, "carla": -14, "elena": -18, "femke": 1}
    changes = {row.place.seat: row.change for row in compared(report.standings, report.previous)}
    assert totals == changes


def test_a_sites_page_shows_what_runs_by_deadline_and_what_is_over_apart(site: SiteInfo, front: LeaguePage) -> None:
    """Deadline, headline and the first three of what is played; winner and end of what isn't; a map of each."""
    page = site_page(site, links(site, front), "en")
    running, done = page.split('<h2 id="archive">')
    assert running.index("Europa am Sonntag") < running.index("Herbst")
    assert "Winter" not in running
    for told in ("Thursday, 18 January 2024, 24:00", "Anna conquers Belgium", "<bdi>Dirk</bdi></span> <b>33</b>"):
        assert told in running
    assert "<bdi>Elena</bdi>" not in running
    assert 'src="europa/map.svg" alt="" width="200" height="207"' in running
    assert 'src="soon/map.svg"' not in page
    assert "Over after 4 rounds, " in done
    assert "<bdi>Ben</bdi></span> <b>48</b>" in done
    assert "<bdi>Anna</bdi>" not in done


def ended(slug: str, number: int, month: int, *winners: str, earlier: int = 0) -> LeagueLink:
    """A season that is over, of a line whose seasons are called like their short names."""
    end = datetime(2024, month, 1, tzinfo=UTC)
    told = Teaser(slug, 9, end, over=True, leaders=tuple(Podium(name, 1, 40 + number) for name in winners))
    link = LeagueLink(slug, slug.title(), "KUEL", "de", 4, 9, None, ZONE, told)
    others = tuple(SeasonLink(n, f"s{n}", f"S{n}") for n in range(earlier, 0, -1))
    return replace(link, seasons=Seasons(number, "one", others))


def test_an_archive_counts_titles_by_public_names_from_the_third_season_on(site: SiteInfo) -> None:
    """Most first; who shared a season has it too, and players without a name of their own are never one person."""
    one = ended("one", 1, 1, "Anna")
    two, three = ended("two", 2, 2, "Ben", "Anna", earlier=1), ended("three", 3, 3, "Player 2", earlier=2)
    other = replace(ended("else", 1, 4, "Anna"), seasons=Seasons())
    assert [[link.slug for link in group.seasons] for group in archive([one, other, three, two])] == [
        ["else"],
        ["three", "two", "one"],
    ]
    assert titles([two, one]) == ()
    assert titles([three, two, one]) == (("Anna", 2), ("Ben", 1), ("Player 2", 1))
    assert titles([three, two, ended("four", 4, 4, "Player 2")])[2:] == (("Player 2", 1), ("Player 2", 1))
    page = site_page(site, [one, two, three], "en")
    check(page)
    assert '<p class="kicker">KUEL · 3 seasons</p>' in page
    assert "<p>Titles: <bdi>Anna</bdi> <b>2</b>, <bdi>Ben</bdi> <b>1</b>, " in page
    places = [page.index(f'href="{slug}/en/index.html">Season') for slug in ("three", "two", "one")]
    assert places == sorted(places)


@pytest.mark.parametrize("lang", LANGS)
def test_pages_of_seasons_are_well_formed(site: SiteInfo, front: LeaguePage, lang: str) -> None:
    """A season that is over, one that isn't, one that has moved and one of another site before it, and one after it."""
    podium = (Podium("Ben <b>", 1, 48),)
    earlier = (
        SeasonLink(4, "d", "D & <d>", over=True, rounds=12, ended=datetime(2024, 1, 1, tzinfo=UTC), winners=podium),
        SeasonLink(3, "c", "C", rounds=2),
        SeasonLink(2, "b", "B", moved=True),
        SeasonLink(1, "a"),
    )
    seasons = Seasons(5, "b", earlier, SeasonLink(6, "f", "F"))
    for over in (False, True):
        page = league_page(site, replace(front, over=over, seasons=seasons), lang)
        check(page)
        assert "Ben &lt;b&gt;" in page
        assert 'href="../a/' not in page
    home = site_page(site, [replace(one, seasons=seasons) for one in links(site, front)], lang)
    check(home)


def test_a_teaser_says_what_it_said_and_another_file_nothing(site: SiteInfo, front: LeaguePage) -> None:
    """What is read back is what was written; what isn't ours, or names a sign that isn't one, is left alone."""
    (_, told), (_, drawn) = teaser.files(site, front)
    assert teaser.written(teaser.read(told) or Teaser("")) == told
    others = (b"", b"[]", b"{}", told.replace(b"teaser-1", b"teaser-2"), told.replace(b"square", b"skull"))
    assert [teaser.read(other) for other in others] == [None] * len(others)
    assert drawn.count(b"<path") == 1 + len(front.league.drawing.spots if front.league.drawing else ())
    assert b"Anna" not in drawn


def test_a_site_without_leagues_and_a_league_without_rounds_have_pages(site: SiteInfo, league: LeagueInfo) -> None:
    """The first day has pages too."""
    check(site_page(site, [], "nl"))
    page = league_page(site, LeaguePage(replace(league, seats=())), "nl")
    check(page)
    assert "Er is nog geen ronde uitgewerkt." in page


def test_a_game_without_a_map_or_words_of_its_own_is_told_neutrally(site: SiteInfo, report: RoundReport) -> None:
    """A plug-in that brings no templates and no map still gets whole pages."""
    bare = replace(report, league=replace(report.league, game="chess", drawing=None), view=View(None, {}))
    page = round_page(site, bare, "en")
    check(page)
    assert "Something happened that has no wording yet: battle." in page
    assert "<svg" not in page


def test_a_sites_own_template_goes_before_ours_and_can_extend_it(
    tmp_path: Path, site: SiteInfo, front: LeaguePage
) -> None:
    """An override extends what it overrides by the prefix `!/`."""
    (tmp_path / "base.html").write_text('{% extends "!/base.html" %}{% block foot %}<p>Our own foot</p>{% endblock %}')
    own = replace(site, templates=(tmp_path,))
    assert "<p>Our own foot</p>" in league_page(own, front, "de")
    assert "<p>Our own foot</p>" not in league_page(site, front, "de")


def test_compiled_templates_outlive_the_process(tmp_path: Path, site: SiteInfo, front: LeaguePage) -> None:
    """With a folder for them, compiled templates are kept, and pages made from them are the same."""
    kept = replace(site, compiled=tmp_path)
    assert league_page(kept, front, "de") == league_page(site, front, "de")
    assert any(tmp_path.iterdir())
    environment.cache_clear()
    assert league_page(kept, front, "nl") == league_page(site, front, "nl")


def test_the_map_is_small_and_says_everything_twice(site: SiteInfo, report: RoundReport) -> None:
    """Shapes are in a page once; a map is well under 60 kB; each owner has a symbol, each marker a pattern and icon."""
    league = report.league
    assert league.drawing is not None
    assert report.view.after is not None
    looks = {seat.id: seat.look for seat in league.seats}
    picture = atlas.picture(league.drawing, report.view.after, "de", looks, "t", "d")
    shared = atlas.shared(league.drawing, looks.values())
    assert len(shared) + len(picture) < 60_000
    assert round_page(site, report, "de").count(shared) == 1
    for used in set(re.findall(r'href="#([\w-]+)"', picture)) | set(re.findall(r"url\(#([\w-]+)\)", picture)):
        assert f'id="{used}"' in shared or used == "none"
    for marker in ("devastation", "civil_war", "collapse"):
        assert f"url(#m-{marker})" in picture
    assert picture.count('href="#k-') == 4
    for look, symbol in enumerate(("circle", "square", "triangle", "diamond", "star", "cross")):
        assert f'href="#o-{look}"' in picture
        assert f'<g id="o-{look}"><use href="#s-{symbol}"' in shared
    assert "Bosnien<" in picture
    assert "Bosnien-Herzegowina" not in picture


def test_a_round_that_asks_nobody_asks_for_no_orders(site: SiteInfo, front: LeaguePage) -> None:
    """Before a match begins nothing is to be sent: the page says so, and when the round closes."""
    assert front.open is not None
    silent = league_page(site, replace(front, open=replace(front.open, status="open", asks={})), "en")
    asking = league_page(site, replace(front, open=replace(front.open, status="open")), "en")
    assert "Nobody is asked for orders in this round." in silent
    assert "Orders until" not in silent
    assert "Orders until" in asking


def test_28_owners_stay_apart(league: LeagueInfo) -> None:
    """However many players: no two have the same fill and symbol."""
    assert league.drawing is not None
    looks = [league.drawing.look(n) for n in range(28)]
    assert len({(look.fill, look.symbol) for look in looks}) == 28
    assert {look.ring for look in looks} == {0, 1, 2, 3}


def test_a_chart_keeps_its_names_apart(league: LeagueInfo) -> None:
    """Lines that end at the same height get names that don't cover each other, and negative points have room."""
    rows = [(f"P{n}", n, (0, -40 + n)) for n in range(6)]
    chart = charts.chart(league.drawing, (1, 2), rows, "t", "d")
    heights = sorted(int(y) for y in re.findall(r"translate\(\d+ (-?\d+)\)", chart))
    assert all(b - a >= 20 for a, b in pairwise(heights))
    assert heights[-1] <= charts.HEIGHT
    assert charts.chart(league.drawing, (), [], "t", "d") == ""


def test_a_sign_is_joined_to_its_line_and_no_farther_than_need_be(league: LeagueInfo) -> None:
    """A lead goes from each line's end to its sign; alone it is level, of equal ones the middle one's is nearly so."""
    rows = [("Anna", 0, (1, 100)), ("Ben", 1, (1, 10)), ("Carla", 2, (1, 10)), ("Dirk", 3, (1, 10))]
    chart = charts.chart(league.drawing, (0, 1), rows, "t", "d")
    leads = [tuple(map(int, found)) for found in re.findall(r'class="lead" d="M(\d+) (\d+)L(\d+) (\d+)"', chart)]
    signs = [tuple(map(int, found)) for found in re.findall(r"translate\((\d+) (\d+)\)", chart)]
    assert [lead[2:] for lead in leads] == signs
    moved = [end - start for _, start, _, end in leads]
    assert moved[0] == 0
    assert [round(by / 20) for by in moved[1:]] == [-1, 0, 1]
    assert len(set(re.findall(r"series (d\d)", chart))) == 4


def test_a_chart_of_one_round_has_dots_with_their_values(league: LeagueInfo) -> None:
    """A row for each player, the best above: name, sign and value; equal ones don't cover each other."""
    rows = [("Anna", 0, (None, 3)), ("Ben", 1, (None, 5)), ("Carla", 2, (None, 5))]
    chart = charts.chart(league.drawing, (0, 1), rows, "t", "d")
    assert re.findall(r'class="who">(\w+)<', chart) == ["Ben", "Carla", "Anna"]
    assert re.findall(r'<text x="\d+" y="\d+">(\d+)</text>', chart) == ["5", "5", "3"]
    assert len(set(re.findall(r"translate\(\d+ (\d+)\)", chart))) == 3
    assert chart.count('class="sym"') == 3


def test_who_joins_last_has_a_dot(league: LeagueInfo) -> None:
    """Beside lines that began before."""
    chart = charts.chart(league.drawing, (0, 1, 2), [("Anna", 0, (1, 3, 4)), ("Ben", 1, (None, None, 2))], "t", "d")
    assert chart.count("<circle") == 1
    assert ">Ben</text>" in chart


def test_without_a_round_there_is_no_chart_but_a_word(site: SiteInfo, front: LeaguePage) -> None:
    """What one has at the start is no chart; from when on there will be one is said."""
    begun = replace(front, chronicle=Chronicle(front.chronicle.moments[:1]), rounds=())
    for lang, said in (
        ("de", "sobald eine Runde ausgewertet ist"),
        ("en", "once a round has been evaluated"),
        ("nl", "zodra een ronde"),
    ):
        page = league_page(site, begun, lang)
        assert 'class="chart"' not in page
        assert said in page
        assert 'class="chart"' in league_page(site, front, lang)
        assert said not in league_page(site, front, lang)


def test_a_seat_that_left_is_still_told(site: SiteInfo, report: RoundReport) -> None:
    """A seat that is no longer on the list is called by its id; the page is whole."""
    gone = replace(report, league=replace(report.league, seats=report.league.seats[1:]))
    page = round_page(site, gone, "de")
    check(page)
    assert "anna" in page


def test_style_sheet_is_one_file_without_foreign_requests(site: SiteInfo) -> None:
    """The style asks nobody for anything."""
    style = style_sheet(site)
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    assert not re.search(r"@import|url\((?!#)|https?:", style)


def test_equal_points_and_new_players_in_the_table() -> None:
    """Ranks rise and fall against the table before; a new player has none before."""
    now = (Place(1, "a", 9), Place(1, "b", 9), Place(3, "c", 1))
    before = (Place(1, "b", 8), Place(2, "a", 5))
    assert [(row.change, row.rose) for row in compared(now, before)] == [(4, 1), (1, 0), (1, None)]
