"""The order composer under hasty hands: double clicks, held keys; and where its refusals lead."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from league.reports.context import LeaguePage, SiteInfo
from tests.reports.serving import served
from tests.reports.test_composer import KEY, ORDERS, PHONE, composing, mail_of, offer, opened, put

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; on Debian and Ubuntu: apt-get install chromium"),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, site: SiteInfo, front: LeaguePage) -> Path:
    """A league's page, with a page of rules beside it."""
    page = replace(front, league=replace(front.league, rules_url="rules.html"), writing=ORDERS)
    made = put(tmp_path_factory.mktemp("public"), site, page, "en")
    (made.parent / "rules.html").write_text(
        '<!doctype html><link rel=icon href=data:,><title>Rules</title><p id="K6">K6', "utf-8"
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


def bid(page: Page, *countries: str) -> None:
    """A line for each of these."""
    for country in countries:
        page.locator("#w-land").select_option(country)
        page.locator('.offers input[type="number"]').fill("3")
        page.locator(".blanks .take").click()


def check_one_gone(page: Page) -> None:
    """Of an attack and two bids only the attack is gone, and this is said."""
    assert mail_of(page)[2] == "bid 3 on Portugal\nbid 3 on Bulgaria"
    expect(page.locator(".composer .status")).to_have_text("Removed: attack Germany")


def three(browser: Browser, file: Path, faults: list[str], **how: Any) -> Page:
    """An attack and two bids are chosen."""
    page = composing(browser, file, faults, **how)
    page.locator("#w-land").select_option("germany")
    offer(page, "attack Germany").click()
    bid(page, "portugal", "bulgaria")
    return page


def test_a_double_click_removes_one(browser: Browser, file: Path, faults: list[str]) -> None:
    """Its second click would hit the next order; another click afterwards removes another one."""
    page = three(browser, file, faults)
    page.locator(".orderlist .remove").first.dblclick()
    check_one_gone(page)
    page.locator(".orderlist .remove").last.click()
    assert mail_of(page)[2] == "bid 3 on Portugal"
    page.close()


def test_a_double_click_moves_one_step(browser: Browser, file: Path, faults: list[str]) -> None:
    """Its second click would take the step back."""
    page = three(browser, file, faults)
    page.locator(".orderlist .down:enabled").first.dblclick()
    assert mail_of(page)[2] == "bid 3 on Portugal\nattack Germany\nbid 3 on Bulgaria"
    page.close()


def test_two_quick_taps_remove_one(browser: Browser, file: Path, faults: list[str]) -> None:
    """Also where the browser doesn't count taps; two orders at different places go as quickly as wanted."""
    page = three(browser, file, faults, size=PHONE, has_touch=True, is_mobile=True)
    page.locator(".orderlist .remove").first.scroll_into_view_if_needed()
    box = page.locator(".orderlist .remove").first.bounding_box()
    assert box
    twice = """([clientX, clientY]) => { for (let n = 0; n < 2; n += 1) {
        const hit = document.elementFromPoint(clientX, clientY).closest("button");
        hit.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1, clientX, clientY }));
    } }"""
    page.evaluate(twice, [box["x"] + 8, box["y"] + 8])
    check_one_gone(page)
    page.locator(".orderlist .remove").last.tap()
    assert mail_of(page)[2] == "bid 3 on Portugal"
    page.close()


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_held_key_removes_one(browser: Browser, file: Path, faults: list[str], key: str) -> None:
    """The focus goes on to the next order, the key that is held doesn't; pressed again it does."""
    page = three(browser, file, faults)
    page.locator(".orderlist .remove").first.focus()
    for _ in range(6):
        page.keyboard.down(key)
    page.keyboard.up(key)
    check_one_gone(page)
    expect(page.locator(".orderlist .remove").first).to_be_focused()
    page.keyboard.press(key)
    page.keyboard.press(key)
    expect(page.locator(".orderlist li")).to_have_count(0)
    expect(page.locator(".composer .status")).to_have_text("Removed: bid 3 on Bulgaria")
    page.close()


def test_a_refusal_leads_to_its_rule(browser: Browser, file: Path, faults: list[str]) -> None:
    """Beside the page, which keeps draft and key; it learns nothing of where it was opened."""
    with served(file.parent.parent.parent) as address:
        page = opened(browser, f"{address}europa/en/index.html#femke/{KEY}", faults)
        offer(page, "pass").click()
        page.locator("#w-land").select_option("italy")
        rule = page.locator(".offer.no a.rule").first
        expect(rule).to_have_text("K6")
        with page.expect_popup() as opening:
            rule.click()
        assert opening.value.url == f"{address}europa/en/rules.html#K6"
        expect(opening.value.locator("#K6")).to_be_visible()
        assert opening.value.evaluate("opener") is None
        assert mail_of(page)[2] == f"key {KEY}\n\npass"
        page.close()


def test_without_a_page_of_rules_it_is_only_named(
    browser: Browser, tmp_path: Path, faults: list[str], site: SiteInfo, front: LeaguePage
) -> None:
    """A game that publishes no rules has nothing that a link could lead to."""
    bare = replace(front, league=replace(front.league, rules_url=""), writing=ORDERS)
    page = composing(browser, put(tmp_path, site, bare, "en"), faults, "femke")
    page.locator("#w-land").select_option("italy")
    expect(page.locator(".offer.no span.rule").first).to_have_text("K6")
    expect(page.locator(".offer.no a")).to_have_count(0)
    page.close()
