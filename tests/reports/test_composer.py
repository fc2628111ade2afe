"""The order composer of a league's page in a real browser, from a folder: by mouse, touch, keys.

What it writes is read by the game's own reader, in every language.
"""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from league.core.composing import Choice, Composing, Sentence
from league.core.game import Turn
from league.core.orders import Fate, OrderMail, Rehearsed, Ruling
from league.desk import registry
from league.games.kuel.orders import Attack, Bid, Take
from league.i18n import LANGS
from league.reports.composer import composer_file
from league.reports.context import LeaguePage, SiteInfo, Writing
from league.reports.paths import composer_path, league_path
from league.reports.render import composer, league_page, script
from league.reports.sheets import style_sheet
from tests.reports.conftest import OWNED
from tests.reports.test_pages import check

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]
KEY = "abcd-efgh-ijkl-mnop"
ODD_NAME = 'Carla "d’Ö" & Söhne <b>%0A'
TUESDAY = "2024-01-16T12:00:00Z"
PHONE, DESK = (360, 740), (1280, 900)
SCORES = {"anna": 41, "ben": 48, "carla": -3, "dirk": 33, "elena": 7, "femke": 1}
POSITION: dict[str, Any] = {
    "round": 4,
    "newcomers": ["gerd"],
    "players": {seat: {"score": SCORES[seat], "owns": lands} for seat, lands in OWNED.items()},
    "markers": {
        "croatia": {"civil_war": True},
        "hungary": {"devastation": 2},
        "portugal": {"collapse": {"auction_rounds_left": 2}},
        "bulgaria": {"collapse": {"auction_rounds_left": 1}, "civil_war": True},
    },
}
GAME: Any = registry.load("kuel", {})
STATE = GAME.restore(POSITION)
WAITS: Turn[Any] = Turn(mails=(OrderMail("ben", GAME.parse(STATE, "ben", "attack Belgium")),))
ORDERS = Writing({seat: GAME.composing(STATE, seat) for seat in (*OWNED, "gerd")})


@pytest.fixture(scope="module")
def page_now(front: LeaguePage) -> LeaguePage:
    """The league's page with a round open, a seat that has no country yet, and a name that is hard to write."""
    league, gerd = front.league, replace(front.league.seats[0], id="gerd", name="Gerd", look=6)
    seats = tuple(replace(seat, name=ODD_NAME) if seat.id == "carla" else seat for seat in league.seats)
    return replace(front, league=replace(league, seats=(*seats, gerd)), writing=ORDERS)


def put(folder: Path, site: SiteInfo, page: LeaguePage, lang: str) -> Path:
    """The league's page in a language, with what it needs."""
    assert page.writing is not None
    made = {
        "style.css": style_sheet(site),
        "map.js": script(site),
        "composer.js": composer(site),
        league_path(page.league, lang): league_page(site, page, lang),
        composer_path(page.league, lang): composer_file(site, page.league, page.writing, lang),
    }
    for name, text in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder / league_path(page.league, lang)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, site: SiteInfo, page_now: LeaguePage) -> dict[str, Path]:
    """The page in every language."""
    folder = tmp_path_factory.mktemp("public")
    return {lang: put(folder, site, page_now, lang) for lang in LANGS}


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


def opened(
    browser: Browser, url: str, faults: list[str], size: tuple[int, int] = DESK, now: str = TUESDAY, **how: Any
) -> Page:
    """The page in a window of that size, before the deadline unless told otherwise."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, **how)
    page.clock.set_fixed_time(now)
    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(url)
    return page


def composing(browser: Browser, file: Path, faults: list[str], seat: str = "anna", **how: Any) -> Page:
    """The composer opened for a seat."""
    page = opened(browser, file.as_uri(), faults, **how)
    page.locator('[data-do="open"]').click()
    page.locator("#w-seat").select_option(seat)
    return page


def land(page: Page, id_: str) -> Locator:
    """A country on the composer's own map."""
    return page.locator(f'.sheet .lands > a[data-id="{id_}"]')


def offer(page: Page, text: str) -> Locator:
    """A button that says this."""
    return page.locator(".offers").get_by_role("button", name=text)


def mail_of(page: Page) -> tuple[str, str, str]:
    """Address, subject and text of the mail that the page would open; lines end as mails' lines do."""
    href = page.locator('[data-do="mail"]').get_attribute("href") or ""
    parts = urlsplit(href)
    fields = dict(part.split("=", 1) for part in parts.query.split("&"))
    assert parts.scheme == "mailto"
    assert href.isascii()
    text = unquote(fields["body"], errors="strict")
    assert "\n" not in text.replace("\r\n", "")
    assert text.replace("\r\n", "\n") == page.locator("textarea").input_value()
    return unquote(parts.path), unquote(fields["subject"]), text.replace("\r\n", "\n")


def read(text: str, seat: str = "anna") -> tuple[Any, ...]:
    """The orders in it; nothing of it is a mistake or fails."""
    parsed = GAME.parse(STATE, seat, text)
    assert [line.mistake for line in parsed.lines if line.mistake] == []
    assert all(one.ruling.fate is not Fate.FAILED for one in GAME.rehearse(STATE, seat, [OrderMail(seat, parsed)]))
    return tuple(parsed.orders)


@pytest.mark.parametrize("lang", LANGS)
def test_by_mouse(browser: Browser, files: dict[str, Path], faults: list[str], lang: str) -> None:
    """A country on the map, an order, a bid beside it: the mail is whole, and the game reads it."""
    page = composing(browser, files[lang], faults)
    land(page, "germany").click()
    expect(page.locator("#w-land")).to_have_value("germany")
    page.locator(".offer .take").first.click()
    land(page, "portugal").click()
    page.locator('.offers input[type="number"]').fill("12")
    page.locator(".blanks .take").click()
    to, subject, text = mail_of(page)
    assert to == "europa@example.org"
    assert subject.startswith("[europa] ")
    assert subject.endswith("4")
    assert read(text) == (Attack("germany"), Bid("portugal", 12))
    page.locator(".orderlist .up:enabled").click()
    assert read(mail_of(page)[2]) == (Bid("portugal", 12), Attack("germany"))
    page.locator(".orderlist .remove").first.click()
    assert read(mail_of(page)[2]) == (Attack("germany"),)
    page.close()


def test_by_touch(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """On a phone: tapped on the map and where it is drawn larger; nothing has to be pushed sideways."""
    page = composing(browser, files["en"], faults, "elena", size=PHONE, has_touch=True, is_mobile=True)
    land(page, "bulgaria").tap()
    expect(page.locator("#w-land")).to_have_value("bulgaria")
    page.locator('.sheet .over[data-id="slovenia"]').tap()
    expect(page.locator("#w-land")).to_have_value("slovenia")
    expect(page.locator(".offer.no")).to_contain_text("Slovenia: it borders none")
    expect(page.locator(".choose")).to_be_in_viewport()
    page.locator("#w-land").select_option("soviet_union")
    offer(page, "pass").tap()
    assert mail_of(page)[2] == "pass"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.close()


def test_by_keys_alone(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """From opening it to the marked link, without a mouse: the focus always goes where the next step is."""
    page = opened(browser, files["en"].as_uri(), faults)
    press = page.keyboard.press
    page.get_by_role("link", name="Choose your orders on the map").focus()
    press("Enter")
    expect(page.locator("#w-seat")).to_be_focused()
    page.keyboard.type("Anna")
    press("Tab")
    expect(page.locator("#w-land")).to_be_focused()
    page.keyboard.type("Netherl")
    press("Tab")
    expect(offer(page, "take Netherlands")).to_be_focused()
    press("Enter")
    assert read(mail_of(page)[2]) == (Take("netherlands"),)
    press("Shift+Tab")
    page.keyboard.type("Portugal")
    press("Tab")
    page.keyboard.type("5")
    press("Enter")
    assert [type(one) for one in read(mail_of(page)[2])] == [Take, Bid]
    for _ in range(12):
        if page.locator(".orderlist .remove").first.evaluate("one => one === document.activeElement"):
            break
        press("Tab")
    press("Enter")
    assert [type(one) for one in read(mail_of(page)[2])] == [Bid]
    expect(page.locator(".orderlist .remove")).to_be_focused()
    for _ in range(4):
        press("Tab")
        if page.locator('[data-do="mail"]').evaluate("one => one === document.activeElement"):
            break
    expect(page.locator('[data-do="mail"]')).to_be_focused()
    page.close()


def test_another_seat_keeps_what_was_drafted(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """Each seat has its own draft; what was told of one is no word on the other."""
    page = composing(browser, files["en"], faults, "femke")
    offer(page, "pass").click()
    before = mail_of(page)[2]
    page.locator("#w-seat").select_option("anna")
    expect(page.locator(".orderlist li")).to_have_count(0)
    expect(page.locator(".composer .status")).to_have_text("")
    page.locator("#w-seat").select_option("femke")
    assert mail_of(page)[2] == before
    page.close()


def test_what_the_rules_refuse_says_why(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """With the rule; what may still become possible can be written all the same, what never does can't."""
    page = composing(browser, files["en"], faults, "femke")
    page.locator("#w-land").select_option("italy")
    refused = page.locator(".offer.no")
    expect(refused).to_contain_text("leave Italy")
    expect(refused).to_contain_text("K6")
    expect(refused).to_contain_text("unless you win an auction first")
    page.get_by_role("button", name="Write it anyway: leave Italy").click()
    assert mail_of(page)[2] == "leave Italy"
    expect(page.locator(".orderlist .doubt")).to_contain_text("a last country can't be attacked, left or devastated")
    land(page, "hungary").click()
    expect(refused).to_contain_text("fails in any case")
    assert page.get_by_role("button", name="Write it anyway").count() == 0
    page.close()


def test_a_mail_holds_one_move_and_one_bid_a_country(
    browser: Browser, files: dict[str, Path], faults: list[str]
) -> None:
    """Who chooses another takes the first back; a bid that can't be paid isn't taken."""
    page = composing(browser, files["en"], faults, "ben")
    page.locator("#w-land").select_option("denmark")
    offer(page, "take Denmark").click()
    offer(page, "attack Denmark").click()
    assert mail_of(page)[2] == "attack Denmark"
    page.locator("#w-land").select_option("portugal")
    amount = page.locator('.offers input[type="number"]')
    for wrong in ("0", "49", "1.5", ""):
        amount.fill(wrong)
        page.locator(".blanks .take").click()
        expect(amount).to_have_attribute("aria-invalid", "true")
        assert mail_of(page)[2] == "attack Denmark"
    for right in ("30", "48"):
        amount.fill(right)
        amount.press("Enter")
    expect(amount).to_have_attribute("aria-invalid", "false")
    edges = (
        "one => ['[data-land]', '.offers input'].map((what) => getComputedStyle(one.querySelector(what)).borderColor)"
    )
    assert len(set(page.locator(".composer").evaluate(edges))) == 1
    assert mail_of(page)[2] == "attack Denmark\nbid 48 on Portugal"
    warned = page.locator('[data-note="purse"]')
    expect(warned).to_be_hidden()
    page.locator("#w-land").select_option("bulgaria")
    page.locator(".blanks .take").click()
    expect(warned).to_contain_text("69 > 48")
    page.close()


def test_the_text_can_be_copied(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """By the button, also where the browser has no clipboard for pages; before there is an order there is nothing."""
    page = composing(browser, files["en"], faults)
    copy = page.get_by_role("button", name="Copy the text")
    expect(copy).to_be_disabled()
    offer(page, "pass").click()
    page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('forbidden'); }; }")
    copy.click()
    expect(page.locator(".composer .status")).to_contain_text("copied")
    assert page.evaluate("document.getSelection().toString() || document.activeElement.value") == "pass"
    page.close()


def test_a_seat_without_a_country_can_join(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """A newcomer is offered what newcomers are, and his mail is read so."""
    page = composing(browser, files["de"], faults, "gerd")
    page.locator("#w-land").select_option("norway")
    expect(page.locator(".offer.no")).to_contain_text("K29")
    page.locator("#w-land").select_option("iceland")
    offer(page, "einsteigen in Island").click()
    (order,) = read(mail_of(page)[2], "gerd")
    assert order.country == "iceland"
    assert page.locator("#w-seat option", has_text="Carla").inner_text() == ODD_NAME
    page.close()


def test_its_map_is_that_of_now(browser: Browser, files: dict[str, Path], faults: list[str], front: LeaguePage) -> None:
    """Whatever round the replay shows; turned into tiles with the page's map, it can be pointed at all the same."""
    page = opened(browser, files["en"].as_uri(), faults)
    page.get_by_role("button", name="One round back").click()
    page.locator('[data-do="open"]').click()
    page.locator("#w-seat").select_option("anna")
    anna = front.league.drawing.look(0).fill if front.league.drawing else ""
    expect(land(page, "belgium").locator("use").first).to_have_attribute("fill", anna)
    expect(page.locator(".sheet .inset")).to_have_count(1)
    for insets in (0, 1):
        page.locator("button.tiles").first.click()
        expect(page.locator(".sheet .inset")).to_have_count(insets)
        land(page, "germany").click()
        expect(page.locator("#w-land")).to_have_value("germany")
        expect(page.locator(".sheet .halo").first).to_have_attribute("href", "#f-germany")
    page.close()


def test_an_order_can_be_kept(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, page_now: LeaguePage
) -> None:
    """Where the league has standing orders a line can be marked, and the mark taken back; a right can't be kept."""
    game: Any = registry.load("kuel", {"standing": "on"})
    writing = Writing({"anna": game.composing(STATE, "anna")})
    page = composing(browser, put(tmp_path, site, replace(page_now, writing=writing), "nl"), faults)
    page.locator("#w-land").select_option("netherlands")
    page.locator(".offer .take").first.click()
    page.get_by_label("Ook voor latere rondes").check()
    (line,) = game.parse(STATE, "anna", mail_of(page)[2]).lines
    assert (line.order, line.standing) == (Take("netherlands"), True)
    page.get_by_label("Ook voor latere rondes").uncheck()
    assert mail_of(page)[2] == "neem Nederland"
    page.close()


def test_after_the_deadline_it_says_so(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """By the clock of whoever looks: the page may be an old one."""
    page = opened(browser, files["en"].as_uri(), faults, now="2024-01-20T12:00:00Z")
    page.locator('[data-do="open"]').click()
    expect(page.locator('[data-note="late"]')).to_contain_text("these orders are closed")
    expect(page.locator('[data-note="early"]')).to_be_hidden()
    page.close()


def test_before_the_window_opens_it_says_so(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """A mail between two windows would be for no round (K10)."""
    page = opened(browser, files["en"].as_uri(), faults, now="2024-01-13T12:00:00Z")
    page.locator('[data-do="open"]').click()
    expect(page.locator('[data-note="early"]')).to_contain_text("14 January 2024")
    expect(page.locator('[data-note="late"]')).to_be_hidden()
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_shuts_nobody_out(browser: Browser, files: dict[str, Path], scheme: Any) -> None:
    """With orders in the mail, a refusal and a warning on it, by day and by night: axe finds nothing."""
    page = composing(browser, files["en"], [], "ben", color_scheme=scheme, bypass_csp=True)
    for country in ("bulgaria", "portugal"):
        page.locator("#w-land").select_option(country)
        page.locator('.offers input[type="number"]').fill("28")
        page.locator(".blanks .take").click()
    page.locator("#w-land").select_option("france")
    offer(page, "attack France").click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.close()


def test_replies_and_a_long_mail(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, page_now: LeaguePage
) -> None:
    """While a round waits its replies are offered, and the doubt is told; a mail too long for a link says so."""
    battle = GAME.composing(STATE, "anna", WAITS)
    many = Composing(
        (Sentence("say", {"en": "say {land} {text}"}, "say {land}"),),
        tuple(Choice("say", Rehearsed(0, 0, Ruling(Fate.DONE), certain=True), True, land) for land in GAME.board.by_id),
    )
    writing = Writing({"anna": many}, {"anna": battle}, waits=3, unsure=True)
    page = composing(browser, put(tmp_path, site, replace(page_now, writing=writing), "en"), faults)
    expect(page.locator(".bench .alarm:not([hidden])")).to_contain_text("isn't evaluated yet")
    page.locator("#w-land").select_option("belgium")
    page.locator(".offers select").select_option("lost")
    page.locator(".blanks .take").first.click()
    assert GAME.is_report(read(mail_of(page)[2])[0])
    for country in list(GAME.board.by_id)[:20]:
        page.locator("#w-land").select_option(country)
        page.locator('.offers input[type="text"]').fill("ä ö \u2028 ü % & = # ? " * 5)
        page.locator(".blanks .take").last.click()
    expect(page.locator('[data-note="long"]')).to_be_visible()
    text = mail_of(page)[2]
    assert len(text.split("\n")) == 21
    assert "ä ö ü % & = # ? ä ö" in text
    page.close()


def test_where_the_choices_can_t_be_loaded_it_says_so(
    browser: Browser, tmp_path: Path, site: SiteInfo, page_now: LeaguePage
) -> None:
    """And points to how it is done by hand; once they are there again, it can be tried again."""
    file = put(tmp_path, site, page_now, "en")
    choices = file.parent / "orders.js"
    kept = choices.read_bytes()
    choices.unlink()
    page = opened(browser, f"{file.as_uri()}#anna/{KEY}", [])
    expect(page.locator(".failed")).to_contain_text("could not be loaded")
    assert page.url == file.as_uri()
    choices.write_bytes(kept)
    page.locator('[data-do="open"]').click()
    expect(page.locator("#w-seat")).to_have_value("anna")
    page.close()


def test_without_a_program_the_page_says_how(files: dict[str, Path], browser: Browser) -> None:
    """How orders are written, and where to; no part of the composer is to be seen."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(files["de"].as_uri())
    expect(page.locator(".composer")).to_be_hidden()
    page.get_by_text("So schreibst du sie von Hand").click()
    expect(page.locator(".samples")).to_contain_text("nimm Budapest")
    context.close()


def test_the_page_is_sound_and_the_same_every_time(site: SiteInfo, page_now: LeaguePage) -> None:
    """Well-formed in every language, the same bytes twice, no key anywhere, and small."""
    for lang in LANGS:
        page, data = league_page(site, page_now, lang), composer_file(site, page_now.league, ORDERS, lang)
        check(page)
        assert page == league_page(site, page_now, lang)
        assert data == composer_file(site, page_now.league, ORDERS, lang)
        assert data.isascii()
        assert len(data) < 30_000
    over = replace(page_now, over=True)
    assert 'class="write"' not in league_page(site, over, "en")
    assert "composer.js" in league_page(site, over, "en")  # a personal link's key leaves the address bar all the same
    assert "composer.js" not in league_page(site, replace(page_now, writing=None), "en")
