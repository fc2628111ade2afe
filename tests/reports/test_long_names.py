"""Names of the greatest length without a space in them: no page scrolls sideways on a phone because of one."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from league import resources
from league.core.game import Value
from league.core.orders import Press
from league.desk import registry
from league.desk.leagues.infos import drawing_of
from league.desk.people.names import NAME_LENGTH
from league.desk.play.worked_week import worked_week
from league.reports import teaser
from league.reports.chronicle import Chronicle, Moment
from league.reports.composer import composer_file
from league.reports.context import LeagueInfo, LeaguePage, PressReport, RoundInfo, RoundReport, SiteInfo
from league.reports.paths import composer_path, league_path, players_path, records_path, round_path, site_path
from league.reports.render import composer, league_page, players_page, records_page, round_page, script, site_page
from league.reports.rules import RulesInfo, documents
from league.reports.sheets import style_sheet
from tests.games.europa.tables import GAME as EUROPA
from tests.games.europa.tables import Match
from tests.reports.test_composer import ORDERS
from tests.reports.test_europa import SEATS, Deadline, report_of
from tests.reports.test_pages import links, pages

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]
WIDTH, WHOLE = 360, 12  # letters of a word that is never broken
WORD = "Donaudampfschifffahrtsgesellschaftskapitäninnenverein"
ENDLESS = (
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsordnung"  # titles are as long as one likes
)
TITLE = f"Freunde des {ENDLESS}s"
KINDS = {"index", "journal", "players", "records", "card", "rules", "week", "round"}
# What sticks out, and of a name what is cut off where nothing can be pushed aside.
OUT = """[...document.querySelectorAll("body *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 1 && box.right > innerWidth + 1 && !one.closest(".wide, .unseen, svg *");
}).map((one) => one.outerHTML.slice(0, 90))"""


def long(begin: str) -> str:
    """A name of as many letters as a player's may have."""
    return (begin + WORD)[:NAME_LENGTH]


def with_long_names(league: LeagueInfo, slug: str) -> LeagueInfo:
    """The league with long names throughout, of the widest letters and as long as stays whole among them."""
    names = [
        "W" * NAME_LENGTH,
        f"{'W' * WHOLE} {'M' * WHOLE}",
        *(long(one.name) for one in league.seats[2:]),
    ]
    seats = tuple(replace(seat, name=name) for seat, name in zip(league.seats, names, strict=True))
    address = f"{long('liga')}@{long('host')}.example.org"
    return replace(league, slug=slug, title=TITLE, seats=seats, address=address, prize="P" * NAME_LENGTH)


def of_kuel(site: SiteInfo, front: LeaguePage, report: RoundReport) -> Iterator[tuple[str, str]]:
    """The site's pages, and all of a league of KUEL."""
    league = with_long_names(front.league, "kuel")
    front = replace(front, league=league, writing=ORDERS)
    press = PressReport("anna", Press((league.seats[1].name,), "x" * 90))
    yield from pages(site, front, replace(report, league=league, press=(*report.press, press)), "en").items()
    for name, content in teaser.files(site, front):
        yield name, content.decode()
    cards = [replace(one, title=long(one.title)) for one in links(site, front)]
    yield site_path(site, "en"), site_page(site, cards, "en")
    yield composer_path(league, "en"), composer_file(site, league, ORDERS, "en")
    meta, board = registry.plugin("kuel").meta, resources.tables("league.games.kuel")["board"]
    chosen: Mapping[str, Value] = {option.name: option.default for option in meta.options}
    about = RulesInfo(league, chosen, chosen, meta.presets, meta.week, 15, board)
    yield from documents(site, about, worked_week("kuel", chosen, "en"), "en")


def of_europa(site: SiteInfo, league: LeagueInfo, info: RoundInfo) -> Iterator[tuple[str, str]]:
    """A league of EUROPA: its page, a round of each kind, players, records, rules."""
    there = replace(league, game="europa", seats=SEATS, label=EUROPA.label, drawing=drawing_of("europa"))
    union = with_long_names(there, "union")
    played = Match("told", ("random", "diplomat", "diplomat", "diplomat")).play()
    match = [Deadline(one.before, one.outcome, EUROPA.view(one.before, one.outcome, None)) for one in played]
    for one in ({one.before.phase: one for one in match} | {"END": match[-1]}).values():
        report = report_of(EUROPA, union, info, one)
        yield round_path(union, one.before.round, "en"), round_page(site, report, "en")
    page = _front(union, match)
    yield league_path(union, "en"), league_page(site, page, "en")
    yield players_path(union, "en"), players_page(site, page, "en")
    yield records_path(union, "en"), records_page(site, page, "en")
    meta, tables = registry.plugin("europa").meta, resources.tables("league.games.europa")
    chosen: Mapping[str, Value] = {option.name: option.default for option in meta.options}
    about = RulesInfo(union, chosen, chosen, meta.presets, meta.week, 15, {}, told=False, tables=tables)
    yield from documents(site, about, None, "en")


def _front(union: LeagueInfo, match: Iterable[Deadline]) -> LeaguePage:
    seen = [(one, EUROPA.view(one.outcome.state, None, None)) for one in match]
    moments = tuple(
        Moment(
            *(one.before.round, None, view.before.regions, EUROPA.score(one.outcome.state), one.events),
            columns=view.columns,
        )
        for one, view in seen
        if view.before is not None
    )
    last, view = seen[-1]
    return LeaguePage(
        union,
        standings=EUROPA.score(last.outcome.state),
        map=view.before,
        chronicle=Chronicle(moments),
        extra=view.extra,
        columns=view.columns,
    )


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory,
    site: SiteInfo,
    front: LeaguePage,
    report: RoundReport,
    round_info: RoundInfo,
) -> Path:
    """Every kind of page of both games."""
    made, named = tmp_path_factory.mktemp("public"), replace(site, title=f"Verein {ENDLESS}")
    files = {"style.css": style_sheet(site), "map.js": script(site), "composer.js": composer(site)}
    files |= dict(of_kuel(named, front, report)) | dict(of_europa(named, front.league, round_info))
    for name, text in files.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text, "utf-8")
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all of these."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


def sticks_out(page: Page) -> Any:
    """What is wider than the window, all that can be opened being open."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    return page.evaluate(OUT) or page.evaluate("document.documentElement.scrollWidth") - WIDTH


def test_no_page_scrolls_sideways_for_a_name(browser: Browser, folder: Path) -> None:
    """Players', forty letters each, and titles with a longer word: on every kind of page, at every kind of round."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 740})
    files = sorted(folder.rglob("*.html"))
    assert {file.name.partition(".")[0].partition("-")[0] for file in files} == KINDS
    for file in files:
        page.goto(file.as_uri())
        assert sticks_out(page) == 0, file.relative_to(folder)
    page.close()


def test_nor_does_the_composer(browser: Browser, folder: Path) -> None:
    """With a seat, its refusals and a mail; nor does the replay, whose table changes."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 740})
    page.goto((folder / "kuel/en/index.html").as_uri())
    page.get_by_role("button", name="One round back").click()
    page.locator('.lands > a[data-id="belgium"]').focus()
    page.keyboard.press("Enter")
    assert sticks_out(page) == 0
    page.locator('[data-do="open"]').click()
    for seat in ("anna", "ben", "carla"):
        page.locator("#w-seat").select_option(seat)
        for land in ("germany", "portugal", "poland", "belgium"):
            page.locator("#w-land").select_option(land)
            assert sticks_out(page) == 0, (seat, land)
        page.locator(".offer .take").first.click()
        assert sticks_out(page) == 0, seat
    page.close()


def test_an_ordinary_name_stays_whole(browser: Browser, tmp_path: Path, site: SiteInfo, report: RoundReport) -> None:
    """Only what no line could hold is broken: in a table beside such a name others take one line a word."""
    seats = tuple(replace(one, name=n) for one, n in zip(report.league.seats, (long("A"), "Katharina"), strict=False))
    league = replace(report.league, seats=(*seats, *report.league.seats[2:]))
    (tmp_path / "style.css").write_text(style_sheet(site), "utf-8")
    (tmp_path / "page.html").write_text(round_page(site, replace(report, league=league), "de"), "utf-8")
    page = browser.new_page(viewport={"width": WIDTH, "height": 740})
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    lines = "some => some.map((one) => [...new Set([...one.getClientRects()].map((box) => box.top))].length)"
    ordinary, endless = page.locator("bdi", has_text="Katharina"), page.locator("bdi", has_text=league.seats[0].name)
    assert set(ordinary.evaluate_all(lines)) == {1}
    assert endless.count() > 1
    heights = "some => some.map((one) => one.getBoundingClientRect().height > 30)"
    assert any(endless.evaluate_all(heights))
    assert not any(ordinary.evaluate_all(heights))
    page.close()
