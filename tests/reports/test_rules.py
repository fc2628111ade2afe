"""Player documents: every statement in every language, in the league's options and no others; the example is true."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from league import resources
from league.core.game import Value
from league.core.schedule import Weekly
from league.desk import registry
from league.desk.acts.new_league import new_league
from league.desk.pages.publish_pages import publish_pages
from league.desk.people.player_pages import player_pages
from league.desk.play.worked_week import worked_week
from league.desk.site import open_site
from league.games.kuel.board import PAIR_POINTS
from league.games.kuel.score import CONSTELLATIONS
from league.i18n import LANGS
from league.reports.context import LeagueInfo, RoundReport, SiteInfo
from league.reports.environment import environment
from league.reports.render import round_page
from league.reports.rules import RulesInfo, WorkedWeek, card_page, documents, rules_page, week_page
from tests.desk.sites import make_site
from tests.reports.test_pages import check

ROOT = Path(__file__).parent.parent.parent
ENGLISH = (ROOT / "docs/games/kuel-rules.md").read_text("utf-8")
META = registry.plugin("kuel").meta
DEFAULTS: dict[str, Value] = {option.name: option.default for option in META.options}
STATEMENT = re.compile(r'<div class="statement" id="(K\d+)">(.*?)</div>\n</div>', re.DOTALL)
MANY = {"max_players": (2, 28), "civil_war_rounds": (0, 1, 6, 52)}


def values(name: str) -> tuple[Value, ...]:
    """Every value of an option, of a number some."""
    option = next(option for option in META.options if option.name == name)
    return option.choices or MANY[name]


def each_choice() -> Iterator[Mapping[str, Value]]:
    """The default options, and each option in each of its values beside them."""
    yield DEFAULTS
    for option in META.options:
        for value in values(option.name):
            yield DEFAULTS | {option.name: value}
    yield registry.check_options(META, {"preset": "gentle", "battles": "drawn", "start": "board"})


@pytest.fixture(scope="module")
def make(league: LeagueInfo) -> Any:
    """The rules of the league of the tests, with these options."""

    def made(**options: Value) -> RulesInfo:
        chosen = DEFAULTS | options
        board = resources.tables("league.games.kuel")["board"]
        return RulesInfo(league, chosen, DEFAULTS, META.presets, META.week, 15, board)

    return made


KEPT: dict[tuple[str, str], str] = {}


def page_of(site: SiteInfo, info: RulesInfo, lang: str) -> str:
    """The rules page of a league that differs in nothing but its options, made once."""
    key = (repr(sorted(info.options.items())), lang)
    if key not in KEPT:
        KEPT[key] = rules_page(site, info, lang)
    return KEPT[key]


def statements(page: str) -> dict[str, str]:
    """The statements of a rules page by number, as plain text."""
    return {rule: plain(text) for rule, text in STATEMENT.findall(page)}


def told_at(page: str, rule: str) -> str:
    """The statement of this number, or the whole chapter of it."""
    chapter = re.search(rf'<h2 id="{rule}">(.*?)</section>', page, re.DOTALL)
    return plain(chapter.group(1)) if chapter else statements(page)[rule]


def plain(text: str) -> str:
    """What is read: no tags, no entities."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def rules_in(text: str) -> set[str]:
    """The statements that a text names."""
    return set(re.findall(r"\bK\d+\b", text))


def numbers_in(text: str) -> list[str]:
    """The numbers of a text, whatever the language's decimal sign."""
    return sorted(number.replace(",", ".") for number in re.findall(r"\d+(?:[.,]\d+)*", text))


@cache
def english_statements() -> dict[str, str]:
    """docs/games/kuel-rules.md by statement; a line may hold several (K65 to K69)."""
    found: dict[str, str] = {}
    for line in ENGLISH.splitlines():
        if line.startswith("- K65 "):
            found |= {f"K{n}": "" for n in range(65, 70)}
        elif line.startswith("- K"):
            found[line[2:].partition(" ")[0]] = line.partition(" ")[2]
    return found


@pytest.mark.parametrize("lang", LANGS)
def test_every_statement_is_there_once(site: SiteInfo, make: Any, lang: str) -> None:
    """Every K of the rules stands in each language exactly once, and nothing else does."""
    page = page_of(site, make(), lang)
    anchors = [anchor for anchor in check(page).ids if re.fullmatch(r"K\d+", anchor)]
    assert sorted(anchors) == sorted(english_statements())
    assert set(anchors) == rules_in(ENGLISH)
    assert all(len(text) > len(rule) + 10 for rule, text in statements(page).items())


@pytest.mark.parametrize("lang", LANGS)
def test_every_choice_renders(site: SiteInfo, make: Any, lang: str) -> None:
    """Under each option in each of its values the page is well-formed."""
    for options in each_choice():
        check(page_of(site, make(**options), lang))


@pytest.mark.parametrize("lang", LANGS)
def test_a_choice_shows_where_its_rule_says(site: SiteInfo, make: Any, lang: str) -> None:
    """Between two values of an option the statement that names the option differs."""
    for option in META.options:
        pages = [page_of(site, make(**{option.name: value}), lang) for value in values(option.name)]
        texts = {told_at(page, option.rule) for page in pages}
        assert len(texts) == len(values(option.name)), option.name


@pytest.mark.parametrize("lang", LANGS)
def test_no_other_choice_is_mentioned(site: SiteInfo, make: Any, lang: str) -> None:
    """What a league hasn't chosen isn't on its page: no value by name, no order that it doesn't have."""
    data: Any = environment(lang, site).get_template("kuel/rules/data.jinja").module
    for options in each_choice():
        text = plain(page_of(site, make(**options), lang)).lower()
        for option in META.options:
            for value in option.choices:
                assert "_" not in value or value not in text
        for code, forms in data.ORDERS:
            shown = code not in data.PLAYED or options["battles"] == "reported"
            assert (forms[lang][0].lower() in text) == shown


def test_languages_say_the_same(site: SiteInfo, make: Any) -> None:
    """Under every choice each statement names the same rules and the same numbers in all three languages."""
    for options in each_choice():
        first, *others = (statements(page_of(site, make(**options), lang)) for lang in LANGS)
        for rule, text in first.items():
            for other in others:
                assert rules_in(other[rule]) == rules_in(text), (rule, options)
                assert numbers_in(other[rule]) == numbers_in(text), (rule, options)


def test_nothing_of_the_english_rules_is_left_out(site: SiteInfo, make: Any) -> None:
    """What a statement of docs/games/kuel-rules.md refers to, its English text does too, under some choice."""
    shown: dict[str, str] = {}
    for options in each_choice():
        for rule, text in statements(page_of(site, make(**options), "en")).items():
            shown[rule] = f"{shown.get(rule, '')} {text}"
    for rule, text in english_statements().items():
        wanted = rules_in(text) - {rule}
        assert wanted <= rules_in(shown[rule]), rule


@pytest.mark.parametrize("lang", LANGS)
def test_links_within_the_page_lead_somewhere(site: SiteInfo, make: Any, lang: str) -> None:
    """Every number of a statement is a link, and every link within the page has its anchor."""
    for options in (DEFAULTS, DEFAULTS | {"battles": "drawn", "topology": "tiles"}):
        page = page_of(site, make(**options), lang)
        ids = set(check(page).ids)
        assert set(re.findall(r'href="#([^"]*)"', page)) <= ids
        bare = re.sub(r"<a [^>]*>[^<]*</a>|<[^>]*>", "", page)
        assert not rules_in(bare)


@pytest.mark.parametrize("lang", LANGS)
def test_rules_named_elsewhere_have_their_anchor(site: SiteInfo, make: Any, report: RoundReport, lang: str) -> None:
    """The rules that round pages, options, events and reasons name are anchors of the rules page."""
    ids = set(check(page_of(site, make(), lang)).ids)
    linked = set(re.findall(r'href="rules\.html#([^"]*)"', round_page(site, report, lang)))
    assert len(linked) > 5
    named = {option.rule for option in META.options} | linked
    for file in sorted((ROOT / "league/games/kuel").glob("*.py")):
        named |= set(re.findall(r'"(K\d+|11)"', file.read_text("utf-8")))
    assert named <= ids


def test_deadline_and_grace_are_the_leagues(site: SiteInfo, make: Any) -> None:
    """Weekday, time, zone and minutes are those of the league's calendar, in the reader's language."""
    info = replace(make(), week=Weekly(0, 6, 2, 20, 30), grace_minutes=0)
    info = replace(info, league=replace(info.league, zone="Europe/Amsterdam"))
    page = statements(rules_page(site, info, "nl"))
    assert "van maandag 06:00 tot woensdag 20:30" in page["K10"]
    assert "Europe/Amsterdam" in page["K10"]
    assert "respijt is er niet" in page["K11"]
    assert "maandag 06:00" in page["K33"]
    late = statements(rules_page(site, replace(info, late_results=True), "nl"))
    assert "woensdag 20:30" in late["K33"]
    assert "15 minutes of grace" in statements(page_of(site, make(), "en"))["K11"]


def test_results_after_the_figures_are_allowed(site: SiteInfo, make: Any) -> None:
    """The rules page says that a battle may be reported when the figures are known already (K33)."""
    said = {
        "de": "nachdem die Zahlen der Runde bekannt sind",
        "en": "after the round’s figures are known",
        "nl": "nadat",
    }
    for lang, words in said.items():
        assert words in statements(page_of(site, make(), lang))["K33"]


@pytest.mark.parametrize("rounding", ["once", "each"])
def test_worked_values_are_the_engines(site: SiteInfo, make: Any, rounding: str) -> None:
    """The table of K46 is what the program makes of such a close, under either rounding."""
    game = registry.load("kuel", DEFAULTS | {"rounding": rounding})
    page = page_of(site, make(rounding=rounding), "en")
    table = re.search(r'<table class="worked">(.*?)</table>', page, re.DOTALL)
    assert table is not None
    rows = re.findall(r">(\d\d)</th><td class=\"num\">(\w+)</td><td class=\"num\">(\w+)</td>", table.group(1))
    assert len(rows) == 10
    for digits, *shown in rows:
        for euro, field in zip(("1.1000", "0.9000"), shown, strict=True):
            week = {"dax_close": f"160{digits}.12", "eurusd": euro, "lotto": "1 2 3 4 5 6", "friday": "2024-01-12"}
            war = game.explain(week | {"dax_day": "2024-01-12", "saturday": "2024-01-13"})["civil_war"]
            assert field == ("none" if war is None else str(war)), (digits, euro)


def test_constellations_are_the_engines(site: SiteInfo) -> None:
    """The table of K61 has the program's constellations and points, and the rights stand at their rules."""
    data: Any = environment("en", site).get_template("kuel/rules/data.jinja").module
    shown = {name: points for name, points, _ in data.CONSTELLATIONS}
    assert {name: points for name, points, _ in CONSTELLATIONS}.items() <= shown.items()
    assert data.PAIRS == PAIR_POINTS
    assert set(shown) - {name for name, _, _ in CONSTELLATIONS} <= {"eu10", "eu10_brussels"}


@pytest.mark.parametrize("lang", LANGS)
def test_orders_are_read_as_they_are_written(site: SiteInfo, lang: str) -> None:
    """Every order of the rules page and of the card is understood, as the order it stands for."""
    game = registry.load("kuel", DEFAULTS)
    state = game.restore({"round": 1, "players": {"s1": {"score": 0, "owns": ["ireland"]}}, "newcomers": ["s2"]})
    data: Any = environment(lang, site).get_template("kuel/rules/data.jinja").module
    classes = {"map": "MapChoice"}
    for code, forms in data.ORDERS:
        for text in forms[lang]:
            parsed = game.parse(state, "s1", text, {"s1": "Ben", "s2": "Anna"})
            assert not [line.mistake for line in parsed.lines if line.mistake], text
            if code == "press":
                assert parsed.press[0].text
            else:
                (line,) = parsed.lines
                assert type(line.order).__name__ == classes.get(code, code.capitalize()), text


@pytest.mark.parametrize("lang", LANGS)
def test_conditions_are_read_as_they_are_written(site: SiteInfo, make: Any, lang: str) -> None:
    """A league with conditional orders has them on its page, and each is understood; others say nothing of them."""
    game = registry.load("kuel", DEFAULTS | {"conditions": "on"})
    state = game.restore({"round": 1, "players": {"s1": {"score": 0, "owns": ["germany"]}}, "newcomers": ["s2"]})
    data: Any = environment(lang, site).get_template("kuel/rules/data.jinja").module
    verb = {"de": "nimm Prag", "en": "take Prague", "nl": "neem Praag"}[lang]
    lines = [data.CONDITIONAL[lang], *(f"{forms[lang]} {verb}" for _, forms in data.CONDITIONS)]
    for text in lines:
        (line,) = game.parse(state, "s1", text, {"s1": "Ben", "s2": "Anna"}).lines
        assert type(line.order).__name__ == "Conditional", text
    on, off = (plain(page_of(site, make(conditions=value), lang)) for value in ("on", "off"))
    assert data.CONDITIONAL[lang] in on
    assert data.CONDITIONAL[lang] not in off


@pytest.mark.parametrize("lang", LANGS)
def test_standing_orders_are_read_as_they_are_written(site: SiteInfo, make: Any, lang: str) -> None:
    """A league that has them says so on rules page and card, and each form is understood; others don't."""
    game = registry.load("kuel", DEFAULTS | {"standing": "on"})
    data: Any = environment(lang, site).get_template("kuel/rules/data.jinja").module
    for text in data.STANDING[lang]:
        (line,) = game.parse(None, "s1", text, {}).lines
        assert line.standing, text
    assert game.parse(None, "s1", data.STANDING_END[lang], {}).ends_standing
    for page in (page_of, card_page):
        on, off = (plain(page(site, make(standing=value), lang)) for value in ("on", "off"))
        assert data.STANDING_END[lang] in on
        assert data.STANDING_END[lang] not in off


@pytest.mark.parametrize("lang", LANGS)
def test_the_card_is_the_leagues(site: SiteInfo, make: Any, lang: str) -> None:
    """The card has address and deadline, one line an order, and no order that the league doesn't have."""
    reported, drawn = (card_page(site, make(battles=kind), lang) for kind in ("reported", "drawn"))
    deadline = {"de": "Donnerstag 24:00", "en": "Thursday 24:00", "nl": "donderdag 24:00"}[lang]
    for page, orders in ((reported, 13), (drawn, 9)):
        check(page)
        assert "europa@example.org" in plain(page)
        assert deadline in plain(page)
        assert page.count('<th scope="row"><code>') == orders


WEEKS = [
    {"battles": battles, "lotto_order": order, "topology": topology, "rounding": rounding}
    for battles, order, topology, rounding in product(
        ("reported", "drawn"), ("drawn", "sorted"), ("borders", "tiles"), ("once", "each")
    )
]


def week_of(options: Mapping[str, Value], lang: str = "en") -> WorkedWeek:
    """The worked week under these options."""
    found = worked_week("kuel", {**DEFAULTS, **options}, lang)
    assert found is not None
    return found


@pytest.mark.parametrize("options", WEEKS, ids=lambda options: "-".join(map(str, options.values())))
def test_the_worked_week_is_true(options: Mapping[str, Value]) -> None:
    """What the story says in words of its own is what the program decided, whatever the league's options."""
    week = week_of(options)
    typo, take, attack, join, last, *results = week.mails
    assert [str(mail.lines[0]["fate"]) for mail in (typo, join)] == ["invalid", "done"]
    assert "Denmark" in typo.lines[0]["reason"]
    assert (attack.seat, take.seat, join.seat, last.seat) == ("Ben", "Carla", "Dirk", "Anna")
    assert f"{last.received:%A %H:%M}" == "Thursday 23:10"
    assert [(a.seat, a.before) for a in week.by_score()] == [("Dirk", 0), ("Carla", 12), ("Anna", 25), ("Ben", 31)]
    assert [e["country"] for e in week.of("joined", "battle")] == ["portugal", "denmark", "slovakia"]
    denmark, slovakia = week.of("battle")
    assert (denmark["fighters"], denmark["owner"]) == (["Carla", "Anna"], None)
    assert (slovakia["fighters"], slovakia["owner"]) == (["Ben", "Anna"], "Anna")
    if options["battles"] == "reported":
        losers = [{*e["fighters"]} - {e["winner"]} for e in (denmark, slovakia)]
        assert [{mail.seat} for mail in results] == losers
        assert [str(mail.lines[0]["fate"]) for mail in results] == ["done", "done"]
        assert [f"{mail.received:%A}" for mail in results] == ["Friday", "Saturday"]
        assert {e["how"] for e in (denmark, slovakia)} == {"report"}
    else:
        assert not results
        assert {e["how"] for e in (denmark, slovakia)} == {"drawn"}
    (war,), (fall,) = week.of("civil_war"), week.of("collapse")
    assert (war["country"], war["loser"]) == ("czech_republic", "Anna")
    won = fall["country"] == "denmark" and fall["seat"] == denmark["winner"]
    assert won if options["lotto_order"] == "drawn" else (fall["country"], fall["seat"]) == ("spain", None)


@pytest.mark.parametrize("options", WEEKS, ids=lambda options: "-".join(map(str, options.values())))
def test_the_worked_week_adds_up(options: Mapping[str, Value]) -> None:
    """Points before and the week's items make the points after; the constellation is told only where it stands."""
    week = week_of(options)
    for account in week.accounts:
        assert account.before + sum(int(str(e["points"])) for e in account.items) == account.after
    ben = next(account for account in week.accounts if account.seat == "Ben")
    assert week.gained("Ben", "moscow_wp3") == ("slovakia" in ben.owns)
    if options["battles"] == "reported":
        assert week.gained("Ben", "moscow_wp3")


@pytest.mark.parametrize(("options", "lang"), [(options, lang) for options in WEEKS[::3] for lang in LANGS])
def test_the_worked_week_is_a_page(site: SiteInfo, make: Any, options: Mapping[str, Value], lang: str) -> None:
    """The story is well-formed, its rules are linked, and it has the figures and the points of the week."""
    week = week_of(options, lang)
    page = week_page(site, make(**options), week, lang)
    ids = set(check(page_of(site, make(**options), lang)).ids)
    links = set(re.findall(r'href="rules\.html#([^"]*)"', page))
    check(page)
    assert links <= ids
    text = plain(page)
    assert ("469.75" if lang == "en" else "469,75") in text
    assert "33, 10, 3, 41, 45, 19" in text or "3, 10, 19, 33, 41, 45" in text
    for account in week.accounts:
        assert f"{account.seat} {account.before} " in text


def test_the_example_follows_options_that_matter_to_it() -> None:
    """An option that the example doesn't follow can't change it: its week is the same under every value."""
    for debt, rounds in product(("allowed", "stop_at_zero"), (0, 6)):
        assert week_of({"debt": debt, "civil_war_rounds": rounds}).accounts == week_of({}).accounts


def test_the_same_values_give_the_same_bytes(site: SiteInfo, make: Any) -> None:
    """The documents are the same whenever they are made, and a league has three of them in each language."""
    week = week_of({})
    first, again = (dict(documents(site, make(), week, "de")) for _ in range(2))
    assert first == again
    assert list(first) == ["europa/rules.html", "europa/card.html", "europa/week.html"]
    assert [path for path, _ in documents(site, make(), None, "nl")] == ["europa/nl/rules.html", "europa/nl/card.html"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_board_of_ones_own_has_its_own_numbers(site: SiteInfo, make: Any, lang: str) -> None:
    """On another board the draws' numbers and the table are its own, and no country of ours is named for it."""
    board = tomllib.loads((ROOT / "docs/examples/board-archipelago/board.toml").read_text("utf-8"))
    count = len(board["field"])
    assert count != 28
    page = rules_page(site, replace(make(), board=board, own_board=True), lang)
    check(page)
    told = statements(page)
    assert str(count) in numbers_in(told["K1"])
    assert str(count) in numbers_in(told["K46"])
    assert str(count + 1) in numbers_in(told["K50"])
    assert "Reyk" not in told["K1"]
    assert [pair["points"] for pair in board["special"]["penalty_pairs"]] == [-6, -8]
    assert {"6", "8", "1"} <= set(numbers_in(told["K62"]))
    assert "16" not in numbers_in(told["K62"])
    assert page.count('<td class="num">') >= 2 * count


def test_a_prize_is_told_and_harmless(site: SiteInfo, make: Any) -> None:
    """The month's prize stands at K80 in the organizer's words, and can't break out of the page."""
    info = make()
    info = replace(info, league=replace(info.league, prize="<b>A bottle & more"))
    page = rules_page(site, info, "en")
    check(page)
    assert "The prize: <b>A bottle & more" in statements(page)["K80"]
    assert "<b>A bottle" not in page


def test_documents_are_published_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come with a league's first publication and not with every run; round pages link to them."""
    now = datetime(2024, 1, 1, 9, tzinfo=UTC)
    path = make_site(tmp_path / "site", now)
    site = open_site(path, now)
    new_league(site, "spring", game="kuel", start=now.date(), lang="en", options={"battles": "drawn"})
    publish_pages(site)
    public = path / "public" / "spring"
    for name in ("rules.html", "card.html", "week.html"):
        for folder in (public, public / "de", public / "nl"):
            check((folder / name).read_text("utf-8"))
    assert 'href="rules.html"' in (public / "index.html").read_text("utf-8")
    made: list[str] = []

    def counted(*given: Any) -> Iterator[tuple[str, bytes]]:
        made.append("again")
        return iter(player_pages(*given))

    monkeypatch.setattr("league.desk.pages.publish_pages.player_pages", counted)
    new_league(site, "autumn", game="kuel", start=now.date())
    publish_pages(site)
    assert made == ["again"]
    assert (path / "public" / "autumn" / "rules.html").is_file()
    publish_pages(site, ["spring"])
    assert made == ["again", "again"]
