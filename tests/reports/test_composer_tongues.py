"""The order composer in another language: seat, draft and key go along with the click, and stay nowhere."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from league.core.composing import Choice, Composing, Pick, Sentence
from league.core.orders import Fate, Rehearsed, Ruling
from league.desk import registry
from league.games.kuel.orders import Attack, Bid
from league.i18n import LANGS
from league.intake.tokens import without_keys
from league.reports.context import LeaguePage, SiteInfo, Writing
from tests.reports.serving import served
from tests.reports.test_composer import GAME, KEY, ORDERS, STATE, composing, mail_of, offer, opened, put, read

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]
ORDINARY = {"de": "Deutsch", "en": "English", "nl": "Nederlands"}
SURE = Rehearsed(0, 0, Ruling(Fate.DONE), certain=True)


def publish(folder: Path, site: SiteInfo, page: LeaguePage) -> dict[str, Path]:
    """The page in every language."""
    return {lang: put(folder, site, page, lang) for lang in LANGS}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, site: SiteInfo, front: LeaguePage) -> dict[str, Path]:
    return publish(tmp_path_factory.mktemp("public"), site, replace(front, writing=ORDERS))


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


def turn(page: Page, lang: str, files: dict[str, Path]) -> None:
    """To another language, by its link; afterwards nothing stands behind the page's name."""
    page.locator(".tongues").get_by_role("link", name=ORDINARY[lang]).click()
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator(".composer.on")).to_be_visible()
    assert page.url == files[lang].as_uri()


def test_seat_draft_and_key_go_along(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """From a folder, there and back: the same orders in the other language and in their order, other seats' drafts."""
    page = opened(browser, f"{files['en'].as_uri()}#anna/{KEY}", faults)
    page.locator("#w-seat").select_option("femke")
    offer(page, "pass").click()
    page.locator("#w-seat").select_option("anna")
    page.locator("#w-land").select_option("portugal")
    page.locator('.offers input[type="number"]').fill("12")
    page.locator(".blanks .take").click()
    page.locator("#w-land").select_option("germany")
    page.locator(".offer .take").first.click()
    page.locator(".orderlist .up:enabled").click()
    for lang, words in (("de", "greife Deutschland an\nbiete 12"), ("nl", ""), ("en", "attack Germany\nbid 12")):
        turn(page, lang, files)
        expect(page.locator("#w-seat")).to_have_value("anna")
        expect(page.locator("#w-land")).to_have_value("germany")
        expect(page.locator('[data-note="known"]')).to_be_visible()
        rest, keys = without_keys(mail_of(page)[2])
        assert keys == (KEY.replace("-", ""),)
        assert read(rest) == (Attack("germany"), Bid("portugal", 12))
        assert words in rest
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert KEY[:9] not in page.evaluate("decodeURIComponent(JSON.stringify(history.state))")
    expect(page.locator(".composer .alarm:visible")).to_have_count(0)
    page.locator("#w-seat").select_option("femke")
    assert mail_of(page)[2] == "pass"
    page.close()


def test_by_keys(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """The link is opened by Enter as by a click; before and after, the page's own link is bare."""
    page = composing(browser, files["de"], faults)
    offer(page, "passe").click()
    link = page.locator(".tongues").get_by_role("link", name="English")
    bare = link.get_attribute("href")
    assert "#" not in str(bare)
    link.evaluate("one => one.addEventListener('click', (event) => event.preventDefault(), { once: true })")
    link.click()  # it leads nowhere this once
    expect(link).to_have_attribute("href", str(bare))
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert mail_of(page)[2] == "pass"
    assert page.url == files["en"].as_uri()
    page.close()


def test_no_server_sees_it(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """Over a line: what the browser asks for has neither key nor draft, nor says where it comes from with them."""
    asked: list[str] = []
    with served(files["de"].parent.parent) as address:
        page = browser.new_page()
        page.on("request", lambda one: asked.append(f"{one.url} {one.headers.get('referer', '')}"))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{address}europa/index.html#anna/{KEY}")
        offer(page, "passe").click()
        page.locator(".tongues").get_by_role("link", name="English").click()
        expect(page.locator("textarea")).to_have_value(f"key {KEY}\n\npass")
        assert page.url == f"{address}europa/en/index.html"
        page.close()
    assert len(asked) >= 8
    assert not [line for line in asked if KEY[:9] in line.partition("#")[0] or "draft=" in line.partition("#")[0]]


def test_a_page_that_nothing_was_chosen_on_has_plain_links(
    browser: Browser, files: dict[str, Path], faults: list[str]
) -> None:
    """Whoever only reads goes to a page that is closed as this one was."""
    page = opened(browser, files["en"].as_uri(), faults)
    page.locator(".tongues").get_by_role("link", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == files["de"].as_uri()
    expect(page.locator(".composer.on")).to_have_count(0)
    page.close()


SIDES = (
    ((" in peace", " im Frieden", " in vrede"), (" at war", " im Krieg", " in oorlog")),
    (("", "", ""), ("; now", "; jetzt", "; nu")),
)


def _said(en: str, de: str, nl: str) -> dict[str, str]:
    return {"en": en, "de": de, "nl": nl}


def _writing(*kept: str) -> Writing:
    """Orders with every kind of blank, for a country each."""
    picks = tuple(tuple(Pick(_said(*words)) for words in side) for side in SIDES)
    sentences = (
        Sentence("say", _said("say {land} {text}", "sage {land} {text}", "zeg {land} {text}"), "say {land}"),
        Sentence(
            "live", _said(*(f"{verb} {{land}}{{pick}}{{pick2}}" for verb in ("live", "lebe", "leef"))), "live {land}"
        ),
    )
    choices = [Choice("say", SURE, True, land) for land in kept]
    return Writing({"anna": Composing(sentences, (*choices, Choice("live", SURE, True, "spain", picks=picks)))})


def say(page: Page, country: str, text: str) -> None:
    page.locator("#w-land").select_option(country)
    page.locator('.offers input[type="text"]').fill(text)
    page.locator(".blanks .take").first.click()


def test_what_was_filled_in_is_read_in_the_other_language(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, front: LeaguePage
) -> None:
    """Of what was picked from a list its place goes along, of a text its letters, whatever they are."""
    files = publish(tmp_path, site, replace(front, writing=_writing("italy")))
    page = composing(browser, files["en"], faults)
    say(page, "italy", 'ä € 🎲 % & = # ? " <b> \\ /')
    page.locator("#w-land").select_option("spain")
    for place, value in enumerate((" at war", "; now")):
        page.locator(".offers select").nth(place).select_option(value)
    page.locator(".blanks .take").first.click()
    turn(page, "de", files)
    assert mail_of(page)[2] == 'sage Italien ä € 🎲 % & = # ? " <b> \\ /\nlebe Spanien im Krieg; jetzt'
    page.close()


def test_what_is_kept_for_later_stays_so(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, front: LeaguePage
) -> None:
    """The mark of a standing order goes along."""
    game: Any = registry.load("kuel", {"standing": "on"})
    files = publish(tmp_path, site, replace(front, writing=Writing({"anna": game.composing(STATE, "anna")})))
    page = composing(browser, files["nl"], faults)
    page.locator("#w-land").select_option("netherlands")
    page.locator(".offer .take").first.click()
    page.get_by_label("Ook voor latere rondes").check()
    turn(page, "en", files)
    (line,) = game.parse(STATE, "anna", mail_of(page)[2]).lines
    assert line.standing
    page.close()


def test_a_draft_that_is_too_long_is_told(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, front: LeaguePage
) -> None:
    """What has room comes along, from the first order on, with seat and key; how many are missing is said."""
    lands = list(GAME.board.by_id)[:28]
    files = publish(tmp_path, site, replace(front, writing=_writing(*lands)))
    page = opened(browser, f"{files['en'].as_uri()}#anna/{KEY}", faults)
    for country in lands:
        say(page, country, "€" * 200)
    written = mail_of(page)[2].split("\n")
    turn(page, "nl", files)
    expect(page.locator("#w-seat")).to_have_value("anna")
    there = mail_of(page)[2].split("\n")
    assert there[0] == f"key {KEY}"
    assert 10 < len(there) < len(written)
    expect(page.locator('[data-note="lost"]')).to_contain_text("Niet alles")
    expect(page.locator('[data-note="lost"] b')).to_have_text(str(len(written) - len(there)))
    page.close()


def test_what_the_other_page_doesn_t_offer_is_told(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, front: LeaguePage
) -> None:
    """It was published since, with other choices: what it has stays, of the rest the number is said."""
    files = publish(tmp_path, site, replace(front, writing=_writing("italy", "france", "germany")))
    put(tmp_path, site, replace(front, writing=_writing("italy", "germany")), "de")
    page = composing(browser, files["en"], faults)
    for country in ("italy", "france", "germany"):
        say(page, country, "x")
    turn(page, "de", files)
    assert mail_of(page)[2] == "sage Italien x"
    expect(page.locator('[data-note="lost"] b')).to_have_text("2")
    page.close()


BAGS = (
    {"link": 1},
    {"link": f"anna/{KEY}", "seat": "anna"},
    {"link": "", "seat": "anna", "land": "x", "drafts": [["anna", [1, [], [9999, "a", [], 0]]]], "lost": 0},
    {"link": "", "seat": "anna", "land": "", "drafts": [["anna", [[0, None, [["pick", "at"]], 1]]]], "lost": 0},
    {"link": "", "seat": {}, "land": [], "drafts": [1, {}, ["nobody", [[]]]], "lost": "many"},
)


@pytest.mark.parametrize("behind", ["%7B", "x", "%", "null", "1", *(quote(json.dumps(bag)) for bag in BAGS)])
def test_what_can_t_be_read_is_told(browser: Browser, files: dict[str, Path], faults: list[str], behind: str) -> None:
    """It leaves the address bar all the same, a key in it is kept, and whoever opened it can choose."""
    page = opened(browser, f"{files['en'].as_uri()}#draft={behind}", faults)
    expect(page.locator('[data-note="lost"]')).to_contain_text("Not all that you had chosen")
    expect(page.locator('[data-note="lost"] b')).to_have_text("?" if "drafts" not in behind else re.compile("[1-9]"))
    assert page.url == files["en"].as_uri()
    page.locator("#w-seat").select_option("anna")
    offer(page, "pass").click()
    assert without_keys(mail_of(page)[2])[1] == ((KEY.replace("-", ""),) if KEY in behind else ())
    page.close()
