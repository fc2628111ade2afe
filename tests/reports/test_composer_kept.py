"""What was chosen in the order composer is there after a reload and on the way back; that the key isn't is told."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from league.desk import registry
from league.games.kuel.orders import Attack, Bid
from league.i18n import LANGS
from league.intake.tokens import without_keys
from league.reports.context import LeaguePage, SiteInfo, Writing
from tests.reports.serving import served
from tests.reports.test_composer import KEY, ORDERS, STATE, composing, mail_of, offer, opened, put, read

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]
FORGOTTEN = {
    "de": "Schlüssel deines persönlichen Links wurde vergessen",
    "en": "key of your personal link was forgotten",
    "nl": "sleutel van je persoonlijke link is vergeten",
}
KEPT = "JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }, document.cookie, location.href])"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, site: SiteInfo, front: LeaguePage) -> Path:
    """A league's page in every language, with a page of rules."""
    made = tmp_path_factory.mktemp("public")
    for lang in LANGS:
        page = replace(front, writing=ORDERS)
        file = put(made, site, replace(page, league=replace(page.league, rules_url="rules.html")), lang)
        (file.parent / "rules.html").write_text(
            "<!doctype html><link rel=icon href=data:,><title>Rules</title>", "utf-8"
        )
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all of these."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """What the browser complained of: nothing."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture(params=["folder", "line"])
def root(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """Where the site is: in a folder, or at a server."""
    if request.param == "folder":
        yield f"{folder.as_uri()}/"
        return
    with served(folder) as address:
        yield address


def choose(page: Page) -> None:
    """An attack and a bid for Anna, a pass for Femke; Anna's are looked at."""
    page.locator("#w-seat").select_option("femke")
    page.locator(".offers button.take").last.click()
    page.locator("#w-seat").select_option("anna")
    page.locator("#w-land").select_option("portugal")
    page.locator('.offers input[type="number"]').fill("12")
    page.locator(".blanks .take").click()
    page.locator("#w-land").select_option("germany")
    page.locator(".offer .take").first.click()


def check_all_there(page: Page, lang: str, *, keyed: bool) -> None:
    """All of `choose` but the key, which is kept nowhere, and that it is missing is told."""
    expect(page.locator(".composer.on")).to_be_visible()
    expect(page.locator("#w-seat")).to_have_value("anna")
    expect(page.locator("#w-land")).to_have_value("germany")
    expect(page.locator('[data-note="known"]')).to_be_hidden()
    gone = page.locator('[data-note="gone"]')
    expect(gone).to_contain_text(FORGOTTEN[lang])
    expect(gone).to_be_visible(visible=keyed)
    expect(page.locator('[data-note="lost"]')).to_be_hidden()
    rest, keys = without_keys(mail_of(page)[2])
    assert keys == ()
    assert read(rest) == (Bid("portugal", 12), Attack("germany"))
    assert KEY[:9] not in page.evaluate(KEPT)
    page.locator("#w-seat").select_option("femke")
    expect(page.locator(".orderlist li")).to_have_count(1)
    expect(gone).to_be_hidden()
    page.locator("#w-seat").select_option("anna")
    page.locator("#w-land").select_option("germany")


@pytest.mark.parametrize("keyed", [True, False])
def test_it_is_there_after_a_reload_and_on_the_way_back(
    browser: Browser, root: str, faults: list[str], *, keyed: bool
) -> None:
    """From a folder and over a line: loaded again, left by a link, left for another language; twice each."""
    start = f"{root}europa/index.html"
    page = opened(browser, start + (f"#anna/{KEY}" if keyed else ""), faults)
    if not keyed:
        page.locator('[data-do="open"]').click()
    choose(page)
    assert mail_of(page)[2].startswith("key ") == keyed
    assert KEY[:9] not in page.evaluate(KEPT)
    for _ in range(2):
        page.reload()
        check_all_there(page, "de", keyed=keyed)
        page.locator('.papers a[href="rules.html"]').click()
        page.wait_for_url("**/rules.html")
        page.go_back()
        check_all_there(page, "de", keyed=keyed)
        page.locator(".tongues").get_by_role("link", name="English").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        check_all_there(page, "en", keyed=keyed)
        page.go_back()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        check_all_there(page, "de", keyed=keyed)
    assert page.url == start
    page.close()


def test_the_link_opened_again_brings_the_key_to_the_draft(browser: Browser, folder: Path, faults: list[str]) -> None:
    """In the same window; then nothing is said to be missing."""
    start = (folder / "europa/en/index.html").as_uri()
    page = opened(browser, f"{start}#anna/{KEY}", faults)
    offer(page, "pass").click()
    page.reload()
    expect(page.locator('[data-note="gone"]')).to_be_visible()
    page.goto(f"{start}#anna/{KEY}")
    expect(page.locator('[data-note="known"]')).to_be_visible()
    expect(page.locator('[data-note="gone"]')).to_be_hidden()
    assert mail_of(page)[2] == f"key {KEY}\n\npass"
    assert KEY[:9] not in page.evaluate(KEPT)
    page.close()


def test_a_visit_of_another_part_of_the_page_keeps_it_too(browser: Browser, folder: Path, faults: list[str]) -> None:
    """Behind an anchor, and while the map is laid in tiles: loaded again the draft is there."""
    page = composing(browser, folder / "europa/en/index.html", faults)
    offer(page, "pass").click()
    page.evaluate("location.hash = '#standings'")
    expect(page.locator(".orderlist li")).to_have_count(1)
    page.reload()
    expect(page.locator(".orderlist li")).to_have_count(1)
    page.locator("button.tiles").first.click()
    page.reload()
    expect(page.locator("body")).to_have_class(re.compile("tiled"))
    expect(page.locator(".orderlist li")).to_have_count(1)
    page.locator(".orderlist .remove").click()
    page.reload()
    expect(page.locator("#w-seat")).to_have_value("anna")
    expect(page.locator(".orderlist li")).to_have_count(0)
    page.close()


def test_whoever_comes_back_is_where_he_was(browser: Browser, folder: Path, faults: list[str]) -> None:
    """The window shows the draft again, and the page doesn't take the focus."""
    with served(folder) as address:
        page = opened(browser, f"{address}europa/en/index.html", faults)
        page.locator('[data-do="open"]').click()
        choose(page)
        page.locator(".orderlist").scroll_into_view_if_needed()
        page.locator(".draft h3").first.evaluate("one => one.scrollIntoView()")
        page.reload()
        expect(page.locator(".orderlist li")).to_have_count(2)
        expect(page.locator(".orderlist")).to_be_in_viewport()
        assert page.evaluate("document.activeElement === document.body")
        page.close()


def test_what_is_kept_for_later_rounds_stays_marked(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, front: LeaguePage
) -> None:
    """The mark of a standing order is there after a reload, and so is that it was taken back."""
    game: Any = registry.load("kuel", {"standing": "on"})
    file = put(tmp_path, site, replace(front, writing=Writing({"anna": game.composing(STATE, "anna")})), "nl")
    page = composing(browser, file, faults)
    page.locator("#w-land").select_option("netherlands")
    page.locator(".offer .take").first.click()
    mark = page.get_by_label("Ook voor latere rondes")
    mark.check()
    page.reload()
    expect(mark).to_be_checked()
    (line,) = game.parse(STATE, "anna", mail_of(page)[2]).lines
    assert line.standing
    mark.uncheck()
    page.reload()
    expect(mark).not_to_be_checked()
    page.close()


def test_a_choice_that_couldn_t_be_loaded_is_not_forgotten(
    browser: Browser, tmp_path: Path, site: SiteInfo, front: LeaguePage
) -> None:
    """A reload without the choices says so; the next one with them has the draft."""
    file = put(tmp_path, site, replace(front, writing=ORDERS), "en")
    choices = file.parent / "orders.js"
    content = choices.read_bytes()
    page = composing(browser, file, [])
    offer(page, "pass").click()
    choices.unlink()
    page.reload()
    expect(page.locator(".failed")).to_contain_text("could not be loaded")
    choices.write_bytes(content)
    page.reload()
    assert mail_of(page)[2] == "pass"
    page.close()


@pytest.mark.parametrize("change", ["round", "position"])
def test_a_draft_for_what_was_before_is_told_as_missing(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, front: LeaguePage, change: str
) -> None:
    """Orders of a round that is over, or where other choices now stand, are never put into the mail as others."""
    page_now = replace(front, writing=ORDERS)
    file = put(tmp_path, site, page_now, "en")
    page = composing(browser, file, faults)
    page.locator("#w-land").select_option("germany")
    page.locator(".offer .take").first.click()
    if change == "round":
        assert front.open is not None
        put(tmp_path, site, replace(page_now, open=replace(front.open, number=front.open.number + 1)), "en")
    else:
        first, *rest = ORDERS.orders["anna"].choices
        moved = replace(ORDERS.orders["anna"], choices=(*rest, first))
        put(tmp_path, site, replace(page_now, writing=Writing({**ORDERS.orders, "anna": moved})), "en")
    page.reload()
    expect(page.locator('[data-note="lost"] b')).to_have_text("1")
    expect(page.locator(".orderlist li")).to_have_count(0)
    page.close()


def test_the_back_button_s_own_page_says_that_the_key_is_gone(
    browser: Browser, folder: Path, faults: list[str]
) -> None:
    """A browser may keep the whole page: it has the draft, and the key not."""
    page = opened(browser, f"{(folder / 'europa/nl/index.html').as_uri()}#anna/{KEY}", faults)
    offer(page, "pas").first.click()
    for event in ("pagehide", "pageshow"):
        page.evaluate("(name) => dispatchEvent(new PageTransitionEvent(name, { persisted: true }))", event)
    expect(page.locator('[data-note="gone"]')).to_contain_text(FORGOTTEN["nl"])
    assert without_keys(mail_of(page)[2])[1] == ()
    page.close()


def test_a_page_on_which_nothing_was_chosen_stays_closed(browser: Browser, folder: Path, faults: list[str]) -> None:
    """Opened without a seat there is nothing to keep."""
    page = opened(browser, (folder / "europa/en/index.html").as_uri(), faults)
    page.locator('[data-do="open"]').click()
    expect(page.locator(".composer.on")).to_be_visible()
    assert json.loads(page.evaluate(KEPT))[0] is None
    page.reload()
    expect(page.locator('[data-do="open"]')).to_be_visible()
    page.close()
