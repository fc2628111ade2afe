"""Pages in a real browser: Debian's Chromium, from a folder on the disk, as somebody opens a downloaded league."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from league.reports import teaser
from league.reports.context import LeaguePage, RoundReport, SiteInfo
from league.reports.paths import league_path, round_path
from league.reports.render import script, style_sheet
from tests.reports.test_pages import pages

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]
PHONE, DESK = (360, 740), (1280, 900)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all of these."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def site_folder(
    tmp_path_factory: pytest.TempPathFactory, site: SiteInfo, front: LeaguePage, report: RoundReport
) -> Path:
    """One page of each kind, with what they need."""
    folder = tmp_path_factory.mktemp("public")
    made = {"style.css": style_sheet(site), "map.js": script(site), **pages(site, front, report, "en")}
    for name, text in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "past").mkdir()
    for name, content in teaser.files(site, front):
        (folder / name).write_bytes(content)
    shutil.copyfile(folder / "europa" / teaser.THUMBNAIL, folder / "past" / teaser.THUMBNAIL)
    return folder


@pytest.fixture
def faults() -> list[str]:
    """What the browser complained of."""
    return []


def opened(
    browser: Browser,
    file: Path,
    faults: list[str],
    size: tuple[int, int] = DESK,
    scheme: str = "light",
    *,
    tried: bool = False,
) -> Page:
    """The page, in a window of that size; errors and what its policy forbids are written down.

    `tried`: a program from outside may look at it, which its policy would forbid.
    """
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        bypass_csp=tried,
    )
    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    return page


def test_the_replay_goes_through_the_rounds(
    browser: Browser, site_folder: Path, front: LeaguePage, faults: list[str]
) -> None:
    """By button and by key: owners on the map and the table beside it are those of the round shown."""
    page = opened(browser, site_folder / league_path(front.league, "en"), faults)
    fill = page.locator('.lands > a[data-id="belgium"] use').first
    anna, ben = (front.league.drawing.look(n).fill for n in (0, 1)) if front.league.drawing else ("", "")
    leader = page.locator("table.standings tbody tr:visible").first
    expect(fill).to_have_attribute("fill", anna)
    page.get_by_role("button", name="One round back").click()
    expect(fill).to_have_attribute("fill", ben)
    expect(page.locator(".replay output")).to_contain_text("Round 2")
    expect(leader).to_contain_text("45")
    page.get_by_role("slider", name="Round").press("Home")
    expect(page.locator(".replay output")).to_have_text("Start")
    page.get_by_role("slider", name="Round").press("End")
    expect(fill).to_have_attribute("fill", anna)
    expect(leader).to_contain_text("48")
    expect(page.locator(".stage .told")).to_contain_text("Belgium")
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="Play all rounds").click()
    expect(page.locator(".replay output")).to_contain_text("Round 1")
    assert faults == []


def test_a_country_tells_its_story(browser: Browser, site_folder: Path, front: LeaguePage, faults: list[str]) -> None:
    """By mouse, by arrow keys, and where it is small in the part drawn larger; Escape ends it."""
    page = opened(browser, site_folder / league_path(front.league, "en"), faults)
    tale = page.locator(".tale")
    page.locator('.lands > a[data-id="belgium"]').click()
    expect(tale).to_contain_text("Belgium")
    expect(tale).to_contain_text("Round 3")
    expect(tale).to_contain_text("Anna and Ben; Anna won")
    page.keyboard.press("Escape")
    expect(tale).not_to_contain_text("Belgium")
    page.locator('.lands > a[data-id="iceland"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lands > a:focus")).not_to_have_attribute("data-id", "iceland")
    expect(tale.locator("dl")).to_be_visible()
    page.locator('.over[data-id="austria"]').click()
    expect(tale).to_contain_text("Austria")
    assert faults == []


def test_a_rounds_map_shows_before_moves_and_after(
    browser: Browser, site_folder: Path, report: RoundReport, faults: list[str]
) -> None:
    """Three steps by key, without a program: the page's own style does it."""
    page = opened(browser, site_folder / round_path(report.league, 3, "en"), faults)
    before, after, arrows = (
        page.locator(what).first for what in (".mapside .before", ".mapside .after", ".after .arrows")
    )
    expect(before).to_be_hidden()
    expect(arrows).to_be_visible()
    page.get_by_role("radio", name="Moves").press("ArrowRight")
    expect(after).to_be_visible()
    expect(arrows).to_be_hidden()
    page.get_by_text("Before", exact=True).first.click()
    expect(before).to_be_visible()
    expect(after).to_be_hidden()
    assert faults == []


def test_nothing_is_wider_than_a_phone(browser: Browser, site_folder: Path, faults: list[str]) -> None:
    """No page of any kind has to be pushed sideways at 360 pixels, by night either, and none complains."""
    page = opened(browser, site_folder / "style.css", faults, PHONE, "dark")
    for file in sorted(site_folder.rglob("*.html")):
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], file.name
    assert faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_shuts_anybody_out(browser: Browser, site_folder: Path, faults: list[str], scheme: str) -> None:
    """Names, roles, contrast, order: axe finds nothing against WCAG 2.2 on any kind of page, by day and by night."""
    page = opened(browser, site_folder / "style.css", faults, DESK, scheme, tried=True)
    for file in sorted(site_folder.rglob("*.html")):
        page.goto(file.as_uri())
        found = Axe().run(page)
        assert found.violations_count == 0, f"{file.name}: {found.generate_report()}"
