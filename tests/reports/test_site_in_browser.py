"""A site of twenty rounds in a real browser: pages and links, language, light and dark, paper, weight, stillness."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.reports.crawl import dead_links
from tests.reports.long_site import write_site
from tests.reports.serving import PAINTED, WATCH, halted, served, slow
from tests.reports.test_browser import CHROMIUM, DESK, PHONE, pytestmark

__all__ = ["pytestmark"]

ROUNDS = 20
KINDS = (
    *("index.html", "journal.html", "long/index.html", "long/round-20.html", "long/players.html", "long/records.html"),
    *("long/journal.html", "long/rules.html", "long/card.html", "long/week.html"),
)
BAD = 400
STILL = 0.005  # of the window's area and height; a tenth is what is called good
NARROW: ViewportSize = {"width": PHONE[0], "height": PHONE[1]}
PARTS = 6
ARRIVED = """(elements) => document.querySelectorAll("body *").length >= elements
    && [...document.querySelectorAll("link[rel=stylesheet]")].every((one) => one.sheet)"""
PLACES = """[...document.querySelectorAll("body *")].map((one) => {
    const box = one.getBoundingClientRect();
    const part = one.matches("h1, h2, h3, p, img, figure, table, section, ul, ol, header, nav, footer, div");
    const seen = part && one.checkVisibility({ visibilityProperty: true }) && box.width * box.height > 1;
    const spot = seen && box.top < innerHeight ? [box.left, box.top] : null;
    return { name: `${one.tagName} ${one.className}`, spot };
})"""
HEAVIEST = 150_000  # bytes over the wire
# Rules of the whole sheet that a page doesn't carry although something on it is what they are for: a state (`:hover`)
# and a part of an element (`::before`) can come at any time, so they are left out of what is asked.
MISSED = r"""async (whole) => {
    const rules = (list) => [...list].flatMap((one) => one.cssRules && !one.selectorText
        ? rules(one.cssRules).map(([where, rule]) => [`${one.conditionText} ${where}`, rule]) : [["", one]]);
    const told = ([where, rule]) => `${where}${rule.cssText}`;
    const state = /::?(before|after|marker|hover|focus-visible|focus|target|checked|disabled)/g;
    const something = (text) => text.replace(state, "").replace(/(^|[\s>+~(,])(?=$|[\s>+~),])/g, "$1*");
    const held = new Set(rules(document.styleSheets[0].cssRules).map(told));
    const sheet = await new CSSStyleSheet().replace(whole);
    const asked = rules(sheet.cssRules).filter((one) => one[1].selectorText && !held.has(told(one)));
    return asked.filter(([, rule]) => document.querySelector(something(rule.selectorText))).map(told);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all of these."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in two languages."""
    return write_site(tmp_path_factory.mktemp("public"), ROUNDS, ("en", "de"))


@pytest.fixture(scope="module")
def address(public: Path) -> Iterator[str]:
    """Where the site is served."""
    with served(public) as where:
        yield where


@pytest.fixture
def faults() -> list[str]:
    """What the browser complained of, and requests that failed."""
    return []


def window(browser: Browser, faults: list[str], size: tuple[int, int] = DESK) -> Page:
    """A window of that size; what goes wrong in it is written down."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda got: faults.append(f"{got.url} {got.status}") if got.status >= BAD else None)
    return page


def test_no_link_of_twenty_rounds_is_dead(public: Path) -> None:
    """Every link and anchor of every page and feed leads somewhere, and maps refer to nothing that isn't drawn."""
    assert len(list(public.rglob("round-*.html"))) == 2 * ROUNDS
    assert dead_links(public) == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    """A file, an anchor, a picture, a shape of a map that isn't there; another site's address is none of ours."""
    page = '<a id="here" href="#here"></a><a href="gone.html"></a><a href="#gone"></a><img src="gone.png">'
    page += '<use x="1" href="#f"/>'
    (tmp_path / "a.html").write_text(page + '<a href="https://example.org/"></a><a href="mailto:a@example.org"></a>')
    found = [one.removeprefix("a.html: ") for one in dead_links(tmp_path)]
    assert sorted(found) == ["#f (drawn)", "#gone", "gone.html", "gone.png", "https://example.org/"]


def test_no_page_complains_at_any_width(browser: Browser, public: Path, address: str, faults: list[str]) -> None:
    """On a phone each kind of page opens without an error, a failed request or a sideways scroll."""
    kinds = {re.sub(r"-?\d+", "", file.relative_to(public).as_posix()) for file in public.rglob("*.html")}
    assert {re.sub(r"-?\d+", "", name) for name in KINDS} == {
        kind for kind in kinds if "de" not in re.split(r"\W", kind)
    }
    page = window(browser, faults, PHONE)
    for name in KINDS:
        page.goto(address + name)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], name
    assert faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_documents_and_tiles_shut_nobody_out(browser: Browser, address: str, scheme: str) -> None:
    """Axe finds nothing on a phone, by day and by night, on rules, card, worked week, site and a map of tiles."""
    page = browser.new_page(viewport=NARROW, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True)
    for name in ("index.html", "long/rules.html", "long/card.html", "long/week.html", "long/round-20.html#tiles"):
        page.goto(address + name)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{name}: {found.generate_report()}"


def test_a_language_and_a_round_are_a_click_away(browser: Browser, address: str, faults: list[str]) -> None:
    """German and back, from the league to its newest round and on the same round to the other language."""
    page = window(browser, faults)
    page.goto(address + "long/index.html")
    page.get_by_role("link", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#standings")).to_have_text("Stand")
    page.locator(".rounds a").first.click()
    expect(page).to_have_url(address + "long/de/round-20.html")
    page.get_by_role("link", name="English").click()
    expect(page).to_have_url(address + "long/round-20.html")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name=re.compile("Round 19")).first.click()
    expect(page).to_have_url(address + "long/round-19.html")
    assert faults == []


def test_the_replay_of_twenty_rounds_is_played_stepped_and_pulled(
    browser: Browser, public: Path, address: str, faults: list[str]
) -> None:
    """Whatever way a round is reached, the table beside the map is that round's, as its own page has it."""
    page = window(browser, faults, PHONE)
    page.goto(address + "long/index.html")
    table, slider = page.locator("table.standings").first, page.get_by_role("slider", name="Round")

    def shown() -> list[str]:
        return table.locator("tbody tr:visible .points").all_inner_texts()

    def told(number: int) -> list[str]:
        rows = (public / f"long/round-{number}.html").read_text("utf-8").split('class="standings"')[1]
        return re.findall(r'<td class="num strong">([^<]*)</td>', rows.split("</table>")[0])

    assert shown() == told(20)
    slider.fill("7")
    assert shown() == told(7)
    page.get_by_role("button", name="One round on").click()
    assert shown() == told(8)
    page.get_by_role("button", name="Play all rounds").click()
    expect(page.locator(".replay output")).to_contain_text("Round 9")
    page.get_by_role("button", name="Play all rounds").click()
    assert shown() == told(9)
    slider.press("End")
    assert shown() == told(20)
    assert faults == []


def test_by_night_the_same_page_is_dark(browser: Browser, address: str, faults: list[str]) -> None:
    """The reader's preference decides, while the page is open too; owners keep their fills."""
    page = window(browser, faults)
    page.goto(address + "long/index.html")
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\\\d+/g).map(Number)".replace("\\\\", "\\")
    fill = page.locator(".lands > a use").first
    looks = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        looks.append((page.evaluate(ground), fill.get_attribute("fill")))
    (day, owner), (night, same) = looks
    assert min(day) > 220
    assert max(night) < 60
    assert owner == same
    assert faults == []


@pytest.mark.parametrize(
    "name", ["long/index.html", "long/round-20.html", "long/players.html", "long/rules.html", "index.html"]
)
def test_on_paper_nothing_is_cut(browser: Browser, address: str, faults: list[str], name: str) -> None:
    """Printed, nothing is wider than the sheet, controls are gone, signs and names of the map stay in black."""
    page = window(browser, faults, (718, 1000))  # A4 without its margins
    page.goto(address + name)
    page.emulate_media(media="print")
    wide = """[...document.querySelectorAll("main *")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 1 && box.right > innerWidth + 1 && !one.closest("svg *");
    }).map((one) => one.outerHTML.slice(0, 80))"""
    assert page.evaluate(wide) == []
    for control in (".replay", ".tale", ".tiles", ".steps3"):
        assert not page.locator(control).locator("visible=true").count(), control
    names = page.locator(".atlas:visible .map:not(.inset) .name").first
    if names.count():
        assert names.evaluate("(one) => getComputedStyle(one).fill") == "rgb(26, 23, 17)"
        expect(page.locator(".atlas:visible .badge use").first).to_be_visible()
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert len(printed) > 10_000
    assert faults == []


FOLDED = """(folded) => folded.map((one) => {
    const inside = one.querySelector("summary ~ *"), box = inside.getBoundingClientRect();
    return inside.checkVisibility({ contentVisibilityAuto: true }) && box.height > 20;
})"""


@pytest.mark.parametrize(("name", "several"), [("index", 4), ("round-20", 1), ("players", 3)])
def test_on_paper_nothing_is_folded(browser: Browser, address: str, faults: list[str], name: str, several: int) -> None:
    """Tables and reasons that a reader may open are printed, check sums of orders aren't; the screen is as it was."""
    page = window(browser, faults, (718, 1000))
    page.goto(f"{address}long/{name}.html")
    folded = page.locator("details.more:not(:has(> .seal))")
    assert folded.count() >= several
    assert not any(folded.evaluate_all(FOLDED))
    page.emulate_media(media="print")
    assert all(folded.evaluate_all(FOLDED))
    assert page.locator("details:has(> .seal)").locator("visible=true").count() == 0
    page.emulate_media(media="screen")
    assert not any(folded.evaluate_all(FOLDED))
    assert faults == []


@pytest.mark.parametrize("name", ["index", "round-20"])
def test_before_printing_what_is_folded_is_opened(browser: Browser, address: str, faults: list[str], name: str) -> None:
    """For browsers that print folded what is folded; afterwards only what the reader had opened is open."""
    page = window(browser, faults)
    page.goto(f"{address}long/{name}.html")
    folded = page.locator("details.more:not(:has(> .seal))")
    folded.first.locator("summary").click()
    states = "(several) => several.map((one) => one.open)"
    before = folded.evaluate_all(states)
    assert before == [True] + [False] * (folded.count() - 1)
    for _ in range(2):  # a browser may say so twice
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(folded.evaluate_all(states))
    assert not any(page.locator("details:has(> .seal)").evaluate_all(states))
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert folded.evaluate_all(states) == before
    assert faults == []


@pytest.mark.parametrize("name", ["index", "round-20"])
def test_on_grey_paper_a_ring_is_told_by_its_form(
    browser: Browser, public: Path, address: str, faults: list[str], name: str
) -> None:
    """What is red on the screen is dashed in print, other rings are not; words beside the map say so there alone."""
    page = window(browser, faults)
    page.goto(f"{address}long/{name}.html")
    page.locator(".map:not(.inset) .badge").first.evaluate("(one) => one.classList.add('fought')")
    word = page.locator(".key .onpaper")
    expect(word).to_be_hidden()
    page.emulate_media(media="print")
    expect(word).to_contain_text("dashed")
    look = "(one) => { const { stroke, strokeDasharray } = getComputedStyle(one); return [stroke, strokeDasharray]; }"
    stroke, dashes = page.locator(".badge.fought rect").first.evaluate(look)
    assert (stroke, dashes != "none") == ("rgb(0, 0, 0)", True)
    assert page.locator(".badge:not(.fought) rect").first.evaluate(look)[1] == "none"
    german = public / "long/de" / f"{name}.html"
    assert "schwarz, dick und gestrichelt" in german.read_text("utf-8")
    assert faults == []


def test_a_leagues_page_is_light(public: Path) -> None:
    """Page, style and script weigh under 150 kB over the wire after twenty rounds, the replay's data left out."""
    page = (public / "long/index.html").read_text("utf-8")
    bare = re.sub(r'(<script type="application/json" id="rounds-data">).*?</script>', r"\1</script>", page)
    files = [bare.encode(), *((public / name).read_bytes() for name in ("style.css", "map.js"))]
    assert len(bare) < len(page)
    assert sum(len(gzip.compress(file)) for file in files) < HEAVIEST


@pytest.mark.parametrize("name", KINDS)
def test_a_page_carries_all_of_the_sheet_that_it_uses(
    browser: Browser, public: Path, address: str, faults: list[str], name: str
) -> None:
    """No rule of `style.css` that something on the page is matched by is left out of what it carries."""
    page = window(browser, faults)
    page.goto(address + name)
    assert page.evaluate(MISSED, (public / "style.css").read_text("utf-8")) == []
    page.evaluate("document.styleSheets[0].deleteRule(20)")
    assert len(page.evaluate(MISSED, (public / "style.css").read_text("utf-8"))) == 1
    page.close()
    assert faults == []


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_what_has_arrived_of_a_page_stands_where_it_will_stand(
    browser: Browser, public: Path, address: str, faults: list[str], size: tuple[int, int], name: str
) -> None:
    """A page of which a part has come in shows its pieces in the places that they have on the whole page."""
    page, body = window(browser, faults, size), (public / name).read_bytes()
    page.goto(address + name)
    whole = page.evaluate(PLACES)
    ends = [one.end() for one in re.finditer(rb"</(?:li|p|h\d|section|figure|ul|ol|table|div)>", body)]
    seen = 0
    with halted(public, name) as (where, line):
        for end in ends[1 :: len(ends) // PARTS]:
            line.stand_still(end)
            page.goto(where, wait_until="commit")
            page.wait_for_function(ARRIVED, arg=len(re.findall(rb"<[a-z]", body[body.index(b"<body") : end])) - 1)
            arrived = page.evaluate(PLACES)
            line.go_on.set()
            pairs = list(zip(arrived, whole, strict=False))
            assert [(now, later, body[end - 60 : end]) for now, later in pairs if now["spot"] and now != later] == []
            seen += sum(bool(now["spot"]) for now in arrived)
        page.close()
    assert seen > PARTS
    assert faults == []


@pytest.mark.parametrize("name", ["index.html", "long/index.html", "long/round-20.html"])
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_moves_while_a_page_comes_in(
    browser: Browser, address: str, faults: list[str], size: tuple[int, int], name: str
) -> None:
    """On a slow line a page is painted as it arrives, and nothing that a reader looks at is pushed away."""
    page = window(browser, faults, size)
    page.add_init_script(WATCH)
    slow(page)
    page.goto(address + name)
    assert page.evaluate(PAINTED) > 0
    moved = page.evaluate("shifts")
    assert sum(float(one.partition(" ")[0]) for one in moved) < STILL, moved
    assert faults == []
