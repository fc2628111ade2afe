"""Every event, reason, order, draw step and item of KUEL has its words in each language."""

import inspect
import re
import tomllib
from pathlib import Path

import pytest

from league.core.events import Event
from league.core.json import Json, JsonDict
from league.desk.post.roster import any_order_or_press
from league.games.kuel import events, orders
from league.games.kuel.score import AXIS_POINTS, CONSTELLATIONS
from league.i18n import LANGS
from league.reports.context import order_facts
from league.reports.words import Say, word_event, word_reason

ROOT = Path(__file__).parent.parent.parent
LANDS = {f["id"]: f["name"] for f in tomllib.loads((ROOT / "config/kuel/board.toml").read_text("utf-8"))["field"]}
NAMES = {"anna": "Anna", "ben": "Ben", "carla": "Carla"}
BIDS: Json = [["anna", 40, 80], ["ben", 45, 45]]
FACTS: JsonDict = {
    "country": "switzerland",
    "seat": "anna",
    "countries": ["switzerland", "netherlands"],
    "paid": 20,
    "mercenaries": 20,
    "bids": BIDS,
    "rounds_left": 2,
    "giver": "ben",
    "owner": "ben",
    "fighters": ["anna", "ben"],
    "winner": "anna",
    "attempt": 1,
    "how": "result",
    "loser": "ben",
    "number": 11,
    "steps": [],
    "why": "protected",
    "world": False,
    "before": 400,
    "after": 10,
    "item": "eu10",
    "points": 60,
    "map": "france",
    "settings": "fast, fixed order",
    "month": "2024-01",
    "seats": ["anna", "ben"],
}
VARIANTS: tuple[tuple[str, JsonDict], ...] = (
    ("retired", {"countries": []}),
    ("auction_won", {"paid": 1, "mercenaries": 0, "bids": []}),
    ("auction_open", {"rounds_left": 1, "bids": []}),
    ("taken", {"paid": 0}),
    ("terms", {"map": ""}),
    ("terms", {"settings": ""}),
    ("month_leader", {"seats": ["anna"], "points": 1}),
    ("battle", {"attempt": 2, "how": "drawn"}),
    ("battle", {"how": "status_quo"}),
    ("battle", {"how": "status_quo", "winner": None, "owner": None}),
    ("battle", {"winner": None}),
    ("conquered", {"loser": None, "paid": 0}),
    ("civil_war_drawn", {"country": None, "number": None}),
    ("civil_war", {"loser": None}),
    ("civil_war_averted", {"why": "last_country"}),
    ("civil_war_averted", {"why": "already", "seat": None}),
    ("collapse_drawn", {"country": None, "number": None}),
    ("collapse_drawn", {"country": None, "number": None, "world": True}),
    ("collapse", {"seat": None}),
    ("collapse_averted", {"why": "devastated", "seat": None}),
    ("collapse_averted", {"why": "already", "seat": None}),
    ("reconstruction", {"rounds_left": 0, "paid": 1}),
    ("points", {"item": "swiss_neighbours", "points": -3}),
)
REASONS: JsonDict = {
    "limit": 10,
    "meant": "standing",
    "need": 20,
    "has": 4,
    "max_players": 14,
    "seats": 4,
    "by": "ben",
    "counted": 40,
    "giver": "ben",
    "country": "switzerland",
    "winner": "ben",
    "seat": "carla",
    "owner": "ben",
    "index": 2,
    "map": "portugal",
    "fighters": 3,
    "deadline": "x",
    "opens": "x",
    "written": "Schwytz",
    "suggestions": ["switzerland"],
    "candidates": ["switzerland", "sweden"],
    "verb": "take",
    "verbs": ["take"],
    "least": 1,
}
PLAYERS: JsonDict = {"written": "Ana", "suggestions": ["anna"], "candidates": ["anna", "ben"]}
STEPS = (
    "close|15229.10|2024-01-05",
    "last_two|29",
    "holiday|2024-03-29",
    "zero",
    "halve|29|14.5",
    "rate|1.0921|2024-01-05",
    "down|14",
    "up|15",
    "half_up|15",
    "field|14",
    "numbers|3 11 17 20 24 43|2024-01-06",
    "repdigit|11",
    "no_repdigit",
    "first|3",
    "no_field",
    "world",
)
ITEMS = (
    "countries",
    "seven_connected",
    "eu10",
    "eu10_brussels",
    "weu7",
    "nato8",
    "moscow_wp3",
    "wp6",
    "german3",
    "west_east",
    "north_south",
    "swiss_alone",
    "axis",
    "germany_netherlands",
    "yugoslavia_croatia",
    "great_britain_ireland",
    "czech_republic_slovakia",
    "swiss_neighbours",
    "devastated",
    "taken",
    "conquered",
    "auction_won",
    "reconstruction",
    "world_collapse",
)


def label(thing: str, lang: str) -> str:
    """A country's name, as the game's own `label`."""
    return str(LANDS[thing][lang])


def say(lang: str) -> Say:
    """KUEL's words in a language."""
    return Say(lang, label, NAMES.__getitem__)


def event_classes() -> list[type[Event]]:
    """All events the game has."""
    found = [kind for _, kind in inspect.getmembers(events, inspect.isclass) if issubclass(kind, Event)]
    return [kind for kind in found if kind is not Event]


def codes_of_the_engine() -> set[str]:
    """Reason codes as the engine's source names them: a string right before a rule, or in a table of mistakes."""
    source = "\n".join(
        path.read_text("utf-8")
        for path in sorted((ROOT / "league/games/kuel").glob("*.py"))
        if path.stem not in {"meta", "events", "rehearsal"}  # what a rehearsal says has words of its own
    )
    ruled = set(re.findall(r'"([a-z_]+)", "K\d+"', source))
    wrong = set(re.findall(r'wrong\(\s*"([a-z_]+)"', source))
    tables = set(re.findall(r"^\| ([a-z_, ]+) \|", source, re.MULTILINE))
    listed = {code.strip() for row in tables for code in row.split(",")} - {"reason"}
    return ruled | wrong | listed


KEPT = {"away", "last_country", "limit", "moved_on", "no_debt", "not_legal", "paid", "time_over", "told"}
NOT_REASONS = {"protected", "already", "status_quo", *KEPT}  # facts of events, words of corrections


@pytest.mark.parametrize("lang", LANGS)
def test_every_event_has_a_sentence(lang: str) -> None:
    """Each event type, in each of its shapes, is told in a whole sentence that isn't the neutral one."""
    shapes = [(kind.type(), FACTS) for kind in event_classes()] + [(kind, FACTS | facts) for kind, facts in VARIANTS]
    assert len(shapes) > 45
    neutral = say(lang).event({"type": "unheard"})
    for kind, facts in shapes:
        told = word_event({"type": kind, "rule": "K1", **facts}, lang, label, NAMES.__getitem__)
        assert told.endswith("."), (kind, told)
        assert told != neutral.replace("unheard", kind), told
        assert "None" not in told, told
        assert not re.search(r"[.!?)][^\W\d_]", told), told
        assert "  " not in told, told


def test_events_are_told_in_three_languages() -> None:
    """No event sounds the same in two languages: each is really translated."""
    for kind in event_classes():
        if kind is events.Points:  # a name, a number and an item: only the item differs
            continue
        said = {
            word_event({"type": kind.type(), "rule": "K1", **FACTS}, lang, label, NAMES.__getitem__) for lang in LANGS
        }
        assert len(said) == len(LANGS), said


@pytest.mark.parametrize("lang", LANGS)
def test_every_reason_has_a_sentence(lang: str) -> None:
    """Each code that the engine or the order language emits is worded, with its facts in the sentence."""
    neutral = word_reason("unheard_of", {}, lang, label, NAMES.__getitem__)
    codes = codes_of_the_engine() - NOT_REASONS
    assert len(codes) > 55
    for code in sorted(codes):
        facts = PLAYERS if code.endswith("_player") and code != "missing_player" else REASONS
        said = word_reason(code, facts, lang, label, NAMES.__getitem__)
        assert said != neutral, code
        assert said.endswith((".", "?")), said


@pytest.mark.parametrize("lang", LANGS)
def test_no_reason_begins_like_an_order_or_press(lang: str) -> None:
    """Whatever a mail program joins to the line: a sentence of ours is never read back as the player's word."""
    for code in sorted(codes_of_the_engine() - NOT_REASONS):
        facts = PLAYERS if code.endswith("_player") and code != "missing_player" else REASONS
        said = word_reason(code, facts, lang, label, NAMES.__getitem__)
        assert not any_order_or_press(f"{said} [4] bid 5 on Prague – accepted: it stands"), said


@pytest.mark.parametrize("lang", LANGS)
def test_what_stays_wrong_has_its_reason(lang: str) -> None:
    """Each code with which the engine says why something could not be put right is worded, unlike unheard ones."""
    source = (ROOT / "league" / "games" / "kuel" / "amend.py").read_text(encoding="utf-8")
    used = set(re.findall(r'"([a-z_]+)", (?:"K[0-9]+"|RULES)', source)) | set(re.findall(r'"why": "([a-z_]+)"', source))
    assert used == KEPT
    neutral = say(lang).kept("unheard_of")
    assert all(say(lang).kept(code) not in ("", neutral) for code in KEPT)


CHANGES: tuple[JsonDict, ...] = (
    {"kind": "figure", "figure": "dax_close", "day": "2024-01-05", "from": "16594.21", "to": None},
    {"kind": "result", "country": "spain", "attempt": 1, "from": "anna", "to": "ben"},
    {"kind": "result", "country": "spain", "attempt": 2, "from": None, "to": "ben"},
    {"kind": "points", "seat": "anna", "from": 12, "to": -3},
    {"kind": "owner", "country": "spain", "from": None, "to": "anna"},
    {"kind": "seat", "seat": "anna", "from": "newcomer", "to": "player"},
    {"kind": "seat", "seat": "anna", "from": "player", "to": "newcomer"},
    {"kind": "seat", "seat": "anna", "from": "newcomer", "to": None},
    {"kind": "marker", "country": "spain", "marker": "civil_war", "from": None, "to": True},
    {"kind": "marker", "country": "spain", "marker": "payments", "from": 2, "to": None},
    {"kind": "marker", "country": "spain", "marker": "devastation", "from": 1, "to": None},
    {"kind": "award", "month": "2024-01"},
    {"kind": "payments", "country": "spain", "rounds": 2},
)


@pytest.mark.parametrize("lang", LANGS)
def test_every_change_of_a_correction_has_its_words(lang: str) -> None:
    """What was and what is, of each kind; what is unheard of falls back to a neutral sentence."""
    neutral = say(lang).change({"kind": "unheard_of"})
    assert "unheard_of" in neutral
    for change in CHANGES:
        told = say(lang).change(change)
        assert told not in ("", neutral.replace("unheard_of", str(change["kind"])))
        assert "None" not in told
        assert "True" not in told


def test_a_reason_carries_its_facts() -> None:
    """Numbers, names, countries and the nearest names stand in the sentence."""
    assert say("de").reason("no_mercenaries", {"need": 20, "has": 4}).count("20") == 1
    assert "Ben" in say("nl").reason("lost_battle", {"country": "spain", "winner": "ben"})
    said = say("de").reason("unknown_country", {"written": "Schwytz", "suggestions": ["switzerland"]})
    assert said == "„Schwytz“ ist kein Land auf diesem Brett. Ähnlich: Schweiz."
    assert "Spanien oder Schweden" in say("de").reason(
        "ambiguous_country", {"written": "s", "candidates": ["spain", "sweden"]}
    )


@pytest.mark.parametrize("lang", LANGS)
def test_an_unknown_code_falls_back(lang: str) -> None:
    """A code or event that nobody worded, or one that lacks a fact, gets a neutral sentence and never an error."""
    neutral = say(lang).reason("unheard_of", {})
    assert neutral
    assert say(lang).reason("at_limit", {}) == neutral
    assert say(lang).reason("__class__", {}) == neutral
    assert "unheard_of" in say(lang).event({"type": "unheard_of"})
    assert say(lang).step("unheard|1") == "unheard|1"
    assert say(lang).pending({"kind": "unheard"})


@pytest.mark.parametrize("lang", LANGS)
def test_every_order_is_worded(lang: str) -> None:
    """Each order class is said in the reader's language, country and number in it."""
    made = (
        orders.Take("spain"),
        orders.Attack("spain"),
        orders.Leave("spain"),
        orders.Devastate("spain"),
        orders.Join("spain"),
        orders.Pass(),
        orders.Bid("spain", 45),
        orders.Give("spain"),
        orders.Result("spain", "won"),
        orders.Result("spain", "lost"),
        orders.Result("spain", "winner", "ben"),
        orders.Rematch("spain"),
        orders.MapChoice("spain", "france"),
        orders.Settings("spain", "fast"),
    )
    said = [say(lang).order(order_facts(order)) for order in made]
    assert all(said)
    assert len(set(said)) == len(made)
    assert all(label("spain", lang) in words for order, words in zip(made, said, strict=True) if order != orders.Pass())


@pytest.mark.parametrize("lang", LANGS)
def test_every_step_of_a_draw_is_worded(lang: str) -> None:
    """Each step's code becomes words with its numbers as the language writes them."""
    for step in STEPS:
        said = say(lang).step(step)
        assert said != step
        assert "|" not in said
    assert ("15,229.10" if lang == "en" else "15.229,10") in say(lang).step(STEPS[0])


@pytest.mark.parametrize("lang", LANGS)
def test_items_markers_figures_and_pending_are_worded(lang: str) -> None:
    """What points are for, markers, figures and what a round waits for have words."""
    assert all(say(lang)._say("items", item, {}) for item in ITEMS)
    assert all(say(lang).figure(name) != name for name in ("dax_close", "eurusd", "lotto", "lotto_set"))
    assert all("_" not in say(lang).marker(name) for name in ("devastation", "civil_war", "collapse"))
    waits: tuple[JsonDict, ...] = (
        {"kind": "battle", "country": "spain", "fighters": ["anna", "ben"], "attempt": 1},
        {"kind": "battle", "country": "spain", "fighters": ["anna", "ben"], "attempt": 2},
        {"kind": "evidence", "figure": "lotto"},
        {"kind": "decision"},
    )
    assert len({say(lang).pending(facts) for facts in waits}) == len(waits)


def test_what_a_country_counts_for_names_the_points_of_the_rules() -> None:
    """The numbers are those that are counted (K61, K62)."""
    points = {name: str(value) for name, value, _ in CONSTELLATIONS}
    wanted = {
        "eu": ("eu10", "eu10_brussels"),
        "weu": ("weu7",),
        "nato": ("nato8",),
        "ex_warsaw_pact": ("moscow_wp3", "wp6"),
        "german_speaking": ("german3",),
    }
    for lang in ("de", "en", "nl"):
        say = Say(lang, label, str.capitalize, "kuel")
        for group, names in wanted.items():
            assert {points[name] for name in names} <= set(re.findall(r"\d+", say.groups((group,)))), (lang, group)
        assert f"−{-AXIS_POINTS} " in say.groups(("axis",))
