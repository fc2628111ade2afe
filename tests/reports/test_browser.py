"""Pages in a real browser: Debian's Chromium, from a folder on the disk, as somebody opens a downloaded league."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from league.core.view import MapView, Region
from league.desk.leagues.infos import drawing_of
from league.i18n import LANGS
from league.reports import atlas, teaser
from league.reports.context import LeaguePage, RoundReport, SiteInfo
from league.reports.paths import league_path, round_path
from league.reports.render import script
from league.reports.sheets import style_sheet
from tests.reports.conftest import NAMES
from tests.reports.test_pages import pages

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]
PLACES = """[...document.querySelectorAll("[data-tile], .map, .name, .badge, .icons")].map((one) =>
    ["d", "viewBox", "x", "y", "transform", "text-anchor", "textLength"].map((name) => one.getAttribute(name)))"""
COVERED = """[...document.querySelectorAll(".pieces")].flatMap((pieces) => {
    const seen = (one) => one.checkVisibility({ visibilityProperty: true });
    const names = [...document.querySelectorAll(".map .name")].filter(seen);
    const over = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > 2;
    return [...pieces.querySelectorAll("rect")].map((one) => one.getBoundingClientRect()).flatMap((box) => names
        .map((name) => [name, name.getBoundingClientRect()])
        .filter(([, other]) => over(box, other, "left", "right") && over(box, other, "top", "bottom"))
        .map(([name]) => `${pieces.dataset.id} on ${name.textContent}`));
})"""
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


def test_a_map_turns_into_tiles_and_back(
    browser: Browser, site_folder: Path, front: LeaguePage, faults: list[str]
) -> None:
    """By click and by key: fields of one size, with the same fills, story and replay; the address remembers it."""
    file = site_folder / league_path(front.league, "en")
    page = opened(browser, file, faults)
    big, belgium = page.locator(".map").first, page.locator('.lands > a[data-id="belgium"]').first
    button, fill = page.get_by_role("button", name="A tile for each country"), belgium.locator("use").first
    anna, ben = (front.league.drawing.look(n).fill for n in (0, 1)) if front.league.drawing else ("", "")
    was = page.evaluate(PLACES)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    shapes = page.locator(".map").first.locator(".lands > a > g > use:first-child")
    sizes = shapes.evaluate_all("all => all.map((one) => [one.getBBox().width, one.getBBox().height])")
    assert sizes == [[220, 190]] * len(NAMES)
    assert big.get_attribute("viewBox") == "0 0 1636 820"
    expect(page.locator(".inset")).to_be_hidden()
    expect(fill).to_have_attribute("fill", anna)
    page.get_by_role("button", name="One round back").click()
    expect(fill).to_have_attribute("fill", ben)
    page.get_by_role("slider", name="Round").press("End")
    belgium.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lands > a:focus")).to_have_attribute("data-id", "switzerland")
    expect(page.locator(".tale")).to_contain_text("Switzerland")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.url == file.as_uri()
    assert page.evaluate(PLACES) == was
    assert faults == []


def test_moves_lead_from_tile_to_tile(
    browser: Browser, site_folder: Path, report: RoundReport, faults: list[str]
) -> None:
    """A round's arrows follow the fields they join, on a phone too, where tiles bear codes for names."""
    page = opened(browser, site_folder / round_path(report.league, 3, "en"), faults, PHONE)
    page.locator(".atlas.after .tiles").click()
    arrow = page.locator('.after .arrow[data-from="france"][data-to="belgium"]')
    france, belgium, between = (
        found
        for found in (
            page.locator('.after .lands > a[data-id="france"]').bounding_box(),
            page.locator('.after .lands > a[data-id="belgium"]').bounding_box(),
            arrow.bounding_box(),
        )
        if found is not None
    )
    assert belgium["y"] < between["y"] + between["height"] / 2 < france["y"] + france["height"]
    assert abs(between["x"] - belgium["x"]) < belgium["width"]
    expect(page.locator(".after .code", has_text="GB")).to_be_visible()
    expect(page.locator(".after .name").first).to_be_hidden()
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


def test_a_story_covers_no_country_that_it_tells_of(
    browser: Browser, site_folder: Path, front: LeaguePage, faults: list[str]
) -> None:
    """On a phone the sheet lies over the page's foot: what was tapped, or reached by keys, stands clear above it."""
    page = opened(browser, site_folder / league_path(front.league, "en"), faults, PHONE)
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    sheet = page.locator(".tale")

    def clear(land: str) -> None:
        expect(sheet.locator("h3")).to_contain_text(land.title())
        field, over = page.locator(f'.lands > a[data-id="{land}"]').bounding_box(), sheet.bounding_box()
        assert field is not None
        assert over is not None
        assert 0 <= field["y"] < field["y"] + field["height"] <= over["y"], land

    for land in ("france", "spain", "germany", "italy"):
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        page.locator(f'.lands > a[data-id="{land}"]').dispatch_event("click")
        clear(land)
    page.keyboard.press("Escape")
    page.locator('.lands > a[data-id="iceland"]').focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    clear(page.locator(".lands > a:focus").get_attribute("data-id") or "none")
    assert faults == []


def test_a_phone_shows_what_changed_and_what_was_fought_for(
    browser: Browser, site_folder: Path, report: RoundReport, faults: list[str]
) -> None:
    """Borders of changed countries are thicker to the eye, a red ring goes round the sign, in the crowded part too."""
    page = opened(browser, site_folder / round_path(report.league, 3, "en"), faults, PHONE)
    scale = (page.locator(".mapside .after .map").bounding_box() or {"width": 0})["width"] / 2000
    thick, thin = (
        float(page.locator(f".after {which} > use").first.evaluate("(one) => getComputedStyle(one).strokeWidth")[:-2])
        for which in (".land.new", ".land:not(.new)")
    )
    assert thick * scale > 1.5
    assert thick > 2 * thin
    rings = page.locator(".mapside .after .badge.fought:not(.free)")
    assert rings.count() > 0
    for ring in rings.all():
        expect(ring).to_be_visible()
        around, sign = ring.locator("rect").bounding_box(), ring.locator("use").bounding_box()
        assert around is not None
        assert sign is not None
        assert around["x"] <= sign["x"] + 1  # a sign's own edge
        assert around["y"] <= sign["y"] + 1
        assert sign["x"] + sign["width"] - 1 <= around["x"] + around["width"]
        assert sign["y"] + sign["height"] - 1 <= around["y"] + around["height"]
    assert faults == []


def test_the_form_is_told_whole_on_a_phone(
    browser: Browser, site_folder: Path, front: LeaguePage, faults: list[str]
) -> None:
    """The newest gain and the fights stand within the page, not off to the right."""
    page = opened(browser, site_folder / league_path(front.league, "en"), faults, PHONE)
    assert page.locator(".wide:has(> .form)").evaluate("(one) => one.scrollWidth - one.clientWidth") == 0
    for cell in page.locator(".form :is(td, th)").all():
        assert cell.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0, cell.inner_text()
    assert faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_shuts_anybody_out(browser: Browser, site_folder: Path, faults: list[str], scheme: str) -> None:
    """Names, roles, contrast, order: axe finds nothing against WCAG 2.2 on any kind of page, by day and by night."""
    page = opened(browser, site_folder / "style.css", faults, DESK, scheme, tried=True)
    for file in sorted(site_folder.rglob("*.html")):
        page.goto(file.as_uri())
        found = Axe().run(page)
        assert found.violations_count == 0, f"{file.name}: {found.generate_report()}"


@pytest.mark.parametrize("lang", LANGS)
def test_no_pawn_stands_on_a_countrys_name(browser: Browser, tmp_path: Path, site: SiteInfo, lang: str) -> None:
    """On EUROPA's map, wherever two or six parties have pawns."""
    drawing = drawing_of("europa")
    assert drawing is not None
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    for parties in (2, 6):
        looks = {f"s{look}": look for look in range(parties)}
        view = MapView(tuple(Region(land, None, (), False, dict.fromkeys(looks, 2), "12") for land in drawing.spots))
        drawn = atlas.picture(drawing, view, lang, looks, "Map", "all", "map")
        shapes = atlas.shared(drawing, looks.values())
        (tmp_path / "map.html").write_text(f"<style>{style_sheet(site)}</style>{shapes}{drawn}", "utf-8")
        page.goto((tmp_path / "map.html").as_uri())
        assert page.evaluate(COVERED) == []
        assert page.locator(".piece rect").count() > len(drawing.spots)
    page.close()
