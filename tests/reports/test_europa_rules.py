"""EUROPA's rules page and order card: every statement in every language, in the league's options and no others."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from league import resources
from league.core.game import Value
from league.desk import registry
from league.i18n import LANGS
from league.reports.context import LeagueInfo, SiteInfo
from league.reports.environment import environment
from league.reports.rules import RulesInfo, card_page, rule_texts, rules_page
from tests.games.europa.tables import GAME, position
from tests.reports.conftest import ROOT
from tests.reports.test_europa import SEATS
from tests.reports.test_pages import check

META = registry.plugin("europa").meta
DEFAULTS: dict[str, Value] = {option.name: option.default for option in META.options}
RULES = (ROOT / "docs/games/europa-rules.md").read_text("utf-8")
LISTED = dict(re.findall(r"^- ([RAM]\d+)\. (.*)$", RULES, re.MULTILINE))
STATEMENT = re.compile(r'<div class="statement" id="([RAM]\d+)">(.*?)</div>\n</div>', re.DOTALL)
MANY: dict[str, tuple[Value, ...]] = {"elections_per_mail": (0, 1, 5, 38)}


@pytest.fixture(scope="module")
def make(league: LeagueInfo) -> Any:
    """The rules of a league of EUROPA with these options."""
    union = replace(league, game="europa", title="Union", seats=SEATS, label=GAME.label, drawing=None)
    tables = resources.tables("league.games.europa")

    def made(**options: Value) -> RulesInfo:
        return RulesInfo(
            union, DEFAULTS | options, DEFAULTS, META.presets, META.week, 15, {}, told=False, tables=tables
        )

    return made


def plain(text: str) -> str:
    """What is read: no tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def statements(page: str) -> dict[str, str]:
    """The statements of a rules page by number, as plain text."""
    return {rule: plain(text) for rule, text in STATEMENT.findall(page)}


def numbers(text: str) -> Counter[str]:
    """The numbers of a text, those of other statements among them."""
    return Counter(re.findall(r"[RAM]?\d+", text))


@pytest.mark.parametrize("lang", LANGS)
def test_every_statement_is_there_once(site: SiteInfo, make: Any, lang: str) -> None:
    """Every R, A and M of the rules stands in each language exactly once, links lead to them, nothing else is one."""
    page = rules_page(site, make(), lang)
    read = check(page)
    assert sorted(one for one in read.ids if re.fullmatch(r"[A-Z]\d+", one)) == sorted(LISTED)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= {*read.ids, "main"}
    assert all(len(text) > len(rule) + 10 for rule, text in statements(page).items())


def test_statements_say_the_same_numbers_in_every_language(site: SiteInfo, make: Any) -> None:
    """A number or a reference that one language has the others have too; the English ones are those of the rules."""
    english, *others = (statements(rules_page(site, make(), lang)) for lang in ("en", "de", "nl"))
    for rule, text in english.items():
        assert [numbers(other[rule]) for other in others] == [numbers(text)] * 2, rule
        assert numbers(text) - Counter([rule]) <= numbers(LISTED[rule]), rule


@pytest.mark.parametrize("lang", LANGS)
def test_a_choice_shows_and_renders(site: SiteInfo, make: Any, lang: str) -> None:
    """Under each option in each of its values the page is well-formed and says something else, marked as chosen."""
    for option in META.options:
        choices = option.choices or MANY[option.name]
        pages = [rules_page(site, make(**{option.name: value}), lang) for value in choices]
        assert len(set(pages)) == len(choices), option.name
        for page in pages:
            check(page)
            assert '<span class="choice">' in page


@pytest.mark.parametrize("lang", LANGS)
def test_deadlines_are_those_of_the_league(site: SiteInfo, make: Any, lang: str) -> None:
    """By the week, or so many hours after each report, a kind of phase perhaps with hours of its own."""
    assert "24:00" in plain(rules_page(site, make(), lang))
    hours = replace(make(), hours={"": 72, "vote": 48}, grid="day")
    told = plain(rules_page(site, hours, lang).split('<h2 id="contents">')[0])
    assert re.search(r"72 (hours|Stunden|uur)", told)
    assert re.search(r"48 (hours|Stunden|uur)", told)
    assert "72" in plain(card_page(site, hours, lang))


@pytest.mark.parametrize("lang", LANGS)
def test_orders_on_the_card_are_understood(site: SiteInfo, make: Any, lang: str) -> None:
    """Each way to write an order that the card shows is one that the game reads."""
    data: Any = environment(lang, site).get_template("europa/rules/data.jinja").module
    check(card_page(site, make(), lang))
    state = GAME.restore(position())
    for code, forms in data.ORDERS:
        for written in forms[lang]:
            parsed = GAME.parse(state, "s1", written, {"s1": "Anna", "s2": "Ben"})
            assert [line.mistake for line in parsed.lines if line.mistake] == [], written
            assert parsed.lines or parsed.press, code


def test_what_the_game_decides_by_is_on_the_page(site: SiteInfo, make: Any) -> None:
    """Every rule that EUROPA's code names for a fate or an event has an anchor to link to."""
    code = "".join(file.read_text("utf-8") for file in (ROOT / "league/games/europa").glob("*.py"))
    named = set(re.findall(r'"([RAM]\d+|8)"', code))
    assert len(named) > len(LISTED) // 4
    assert named <= set(check(rules_page(site, make(), "en")).ids)


def test_a_rule_is_told_by_mail(site: SiteInfo, make: Any) -> None:
    """A statement by its number, a chapter with its beginning; what isn't a rule is nothing."""
    ((number, text),) = rule_texts(site, make(move_scope="eu_border"), "R36", "de")
    assert (number, "neben der Union" in text) == ("R36", True)
    chapter = rule_texts(site, make(), "8", "nl")
    assert [number for number, _ in chapter] == ["8", *(f"M{n}" for n in range(1, 13))]
    assert rule_texts(site, make(), "R64", "en") == ()
