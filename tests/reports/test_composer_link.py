"""The personal link to the order composer in a real browser: whole, as mail programs leave it, and damaged."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from league.games.kuel.orders import Attack
from league.i18n import LANGS
from league.intake.tokens import without_keys
from league.reports.context import LeaguePage, SiteInfo
from tests.reports.test_composer import KEY, ORDERS, mail_of, offer, opened, put, read

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, site: SiteInfo, front: LeaguePage) -> dict[str, Path]:
    """A league's page in every language, with a round open."""
    folder = tmp_path_factory.mktemp("public")
    return {lang: put(folder, site, replace(front, writing=ORDERS), lang) for lang in LANGS}


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


@pytest.mark.parametrize("written", [KEY, KEY.replace("-", ""), KEY.upper()])
def test_the_personal_link_s_key_is_in_the_mail_and_nowhere_else(
    browser: Browser, files: dict[str, Path], faults: list[str], written: str
) -> None:
    """Gone from the address bar at once, stored nowhere, and intake finds it in the mail."""
    page = opened(browser, f"{files['nl'].as_uri()}#anna/{written}", faults)
    expect(page.locator("#w-seat")).to_have_value("anna")
    expect(page.locator("#w-land")).to_be_focused()
    assert page.url == files["nl"].as_uri()
    page.locator("#w-land").select_option("germany")
    page.locator(".offer .take").first.click()
    rest, keys = without_keys(mail_of(page)[2])
    assert keys == (KEY.replace("-", ""),)
    assert read(rest) == (Attack("germany"),)
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert written[:9] not in page.evaluate("decodeURIComponent(JSON.stringify(history.state))")
    page.locator('[data-do="mail"]').evaluate("one => one.removeAttribute('href')")
    assert written[:9] not in page.content()
    page.locator("#w-seat").select_option("ben")
    page.locator("#w-land").select_option("france")
    page.locator(".offer .take").first.click()
    assert without_keys(mail_of(page)[2])[1] == ()
    page.goto(f"{files['nl'].as_uri()}#femke/{written}")  # the page is there already: only what stands behind # changes
    expect(page.locator("#w-seat")).to_have_value("femke")
    assert page.url == files["nl"].as_uri()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")  # kept for the back button
    page.locator("#w-land").select_option("germany")
    page.locator(".offer .take").first.click()
    assert without_keys(mail_of(page)[2])[1] == ()
    page.reload()
    expect(page.locator(".composer.on")).to_be_visible()
    assert without_keys(mail_of(page)[2])[1] == ()
    assert written[:9] not in page.content() + page.evaluate("decodeURIComponent(JSON.stringify(history.state))")
    page.close()


DAMAGED = (  # by mail programs, by hand; what is left can be read in one way only
    f"#anna/{KEY}>",
    f"#anna/{KEY}.",
    f"#anna/{KEY}%3E,",
    f"#anna/{KEY}”",
    f"#anna/{KEY}?utm=1&utm_source=a/b",
    f"#anna/{KEY}&fbclid=IwAR0",
    f"#ANNA/{KEY.upper()}",
    f"#anna%2F{KEY}",
    f"#anna%252f{KEY.replace('-', '%2D')}",
    f"#anna\\{KEY}",
    f"#/anna//{KEY}/",
    f"#<anna/{KEY[:10]}%0D%0A%20{KEY[10:]}>",
    f"#anna/{KEY.replace('-', '–')}%C2%AD",
    f"#anna/{KEY}_",
    f"#anna/{KEY} sent from my phone",
    f"#_anna/{KEY}_",
    f"#**_anna/{KEY}_**",
    f"#anna/{KEY}=0A",
    f"#anna/{KEY.replace('-', '=2D')}",
    f"#anna=2F{KEY.replace('-', '=2d')}=0D=0A",
    f"#anna/{KEY[:10]}=0A{KEY[10:]}",
    f"#anna/{KEY[:7]}%3D%0D%0A{KEY[7:]}",
    f"#anna/{KEY[:10]}%0A> {KEY[10:]}",
    f"#anna/{KEY[:7]}%0A> > {KEY[7:]}",
    f"#anna/{KEY}#anna/{KEY.replace('-', '')}",
)


@pytest.mark.parametrize("behind", DAMAGED)
def test_a_personal_link_is_read_as_mail_programs_leave_it(
    browser: Browser, files: dict[str, Path], faults: list[str], behind: str
) -> None:
    """Signs glued to it, other signs for its own, large letters: the key is in the mail, and out of the address bar."""
    page = opened(browser, files["en"].as_uri() + behind, faults)
    expect(page.locator("#w-seat")).to_have_value("anna")
    assert page.url == files["en"].as_uri()
    expect(page.locator('[data-note="known"]')).to_be_visible()
    expect(page.locator('.composer [role="alert"]:visible')).to_have_count(0)
    page.locator("#w-land").select_option("germany")
    page.locator(".offer .take").first.click()
    assert without_keys(mail_of(page)[2])[1] == (KEY.replace("-", ""),)
    page.close()


TORN = {"de": "unterwegs beschädigt", "en": "damaged on its way", "nl": "onderweg beschadigd"}
UNREADABLE = (
    "#anna/",
    "#anna/abcd",
    f"#anna/{KEY}x",
    f"#anna/{KEY}-more",
    f"#anna%2F{KEY[:-1]}",
    f"#anna/{KEY[:-1]}%",
    f"#anna/{KEY[:-1]}é",
    "#anna/" + "x" * 400,
    "#anna",
    "#_anna_",
    "#ANNA.",
    f"#anna/{KEY[:7]}%0A> {KEY[8:]}",
)
SEATLESS = ("#/x", f"#{KEY}", f"#ann a/{KEY[:9]}", f"#anna/{KEY}>#ben/{KEY}", f"#anna/{KEY}#anna/{KEY[::-1]}")


@pytest.mark.parametrize(("behind", "lang"), list(zip((*UNREADABLE, *SEATLESS), cycle(LANGS), strict=False)))
def test_a_broken_personal_link_is_told(
    browser: Browser, files: dict[str, Path], faults: list[str], behind: str, lang: str
) -> None:
    """In the reader's language; it is taken out of the address bar too, and whoever opened it can still choose."""
    page = opened(browser, files[lang].as_uri() + behind, faults)
    expect(page.locator('[data-note="torn"]')).to_contain_text(TORN[lang])
    assert page.url == files[lang].as_uri()
    expect(page.locator("#w-seat")).to_have_value("anna" if behind in UNREADABLE else "")
    expect(page.locator('[data-note="known"]')).to_be_hidden()
    page.locator("#w-seat").select_option("anna")
    page.locator("#w-land").select_option("germany")
    page.locator(".offer .take").first.click()
    assert without_keys(mail_of(page)[2])[1] == ()
    page.goto(f"{files[lang].as_uri()}#anna/{KEY}")  # the whole one, behind it
    expect(page.locator('[data-note="torn"]')).to_be_hidden()
    assert without_keys(mail_of(page)[2])[1] == (KEY.replace("-", ""),)
    page.close()


def test_a_personal_link_of_another_league_is_told(browser: Browser, files: dict[str, Path], faults: list[str]) -> None:
    """Its seat isn't here, so its key goes into no mail."""
    page = opened(browser, f"{files['en'].as_uri()}#nobody/{KEY}", faults)
    expect(page.locator('[data-note="stranger"]')).to_contain_text("a seat that isn't in this league")
    assert page.url == files["en"].as_uri()
    page.locator("#w-seat").select_option("anna")
    offer(page, "pass").click()
    assert mail_of(page)[2] == "pass"
    page.close()


@pytest.mark.parametrize(
    "behind", ["#nobody", "#standings", "#write?utm=1", "#now-great_britain", "#", "#%", "#?utm_source=a/b"]
)
def test_an_ordinary_anchor_is_no_personal_link(
    browser: Browser, files: dict[str, Path], faults: list[str], behind: str
) -> None:
    """It stays in the address bar, and nothing opens or is told."""
    page = opened(browser, files["en"].as_uri() + behind, faults)
    expect(page.locator('[data-do="open"]')).to_be_visible()
    assert page.url == files["en"].as_uri() + behind
    assert page.locator(".composer.on").count() == 0
    page.close()
