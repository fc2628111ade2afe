"""Every case of `tests/cases/kuel` is read twice: by the engine, and by the witness that shares no code with it."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput
from league.desk.play.adjudicate import adjudicate_document
from league.desk.play.cases import compare
from tests.naive.compare import differences
from tests.naive.kuel import BadCase, Said, civil_war_field, evaluate, understood

ROOT = Path(__file__).parents[3]
CASES = sorted((ROOT / "tests" / "cases" / "kuel").glob("*.toml"))
WORKED = {  # K46: a close's last two digits -> the field with a euro above and below the dollar
    "28": (28, 28),
    "29": (14, 15),
    "56": (28, 28),
    "57": (14, 15),
    "75": (18, 19),
    "99": (24, 25),
    "01": (1, 1),
    "00": (None, None),
    "60": (15, 15),
    "30": (15, 15),
}


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_engine_does_what_the_case_expects(path: Path) -> None:
    """The engine's outcome of a case is the one that the case expects."""
    case = read(path)
    assert compare(adjudicate_document(case), case["expect"]) == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_witness_reads_the_case_the_same_way(path: Path) -> None:
    """The naive evaluator's outcome of a case is the one that the case expects; it tells no events."""
    case = read(path)
    expect = {key: value for key, value in case["expect"].items() if key != "events"}
    assert differences(evaluate(case), expect) == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_is_named_and_says_what_it_shows(path: Path) -> None:
    """A case is named after a statement of the rules, has a sentence that says what it shows, and expects something."""
    case = read(path)
    assert re.fullmatch(r"K\d+(-[a-z0-9]+)+", path.stem)
    assert case["title"].endswith(".")
    assert set(case["expect"]) - {"pending"}


def test_every_statement_of_chapters_1_to_9_has_a_case() -> None:
    """Each K statement of the rules' chapters 1 to 9 has a case that is named after it."""
    text = (ROOT / "docs" / "games" / "kuel-rules.md").read_text(encoding="utf-8")
    chapters = text[text.index("## 1 ") : text.index("## 10 ")]
    statements = set(re.findall(r"^- (K\d+)\b", chapters, re.MULTILINE))
    statements |= {"K66", "K67", "K68", "K69"}  # they share a line with K65
    assert statements - {path.stem.split("-")[0] for path in CASES} == set()


@pytest.mark.parametrize("digits", sorted(WORKED))
@pytest.mark.parametrize(("rate", "which"), [("1.0823", 0), ("0.9823", 1)])
def test_the_worked_values_of_civil_war(digits: str, rate: str, which: int) -> None:
    """The close's last two digits strike the field that K46's list of worked values names, or none."""
    case = {
        "position": {"round": 5, "players": {"Anna": {"score": 0, "owns": ["france", "spain", "bulgaria"]}}},
        "orders": [{"seat": "Anna", "text": "take Spain"}],
        "evidence": {
            "dax_close": f"165{digits}.88",
            "dax_day": "2024-01-12",
            "eurusd": rate,
            "lotto": [3, 9, 17, 25, 31, 48],
            "lotto_day": "2024-01-13",
        },
    }
    field = WORKED[digits][which]
    assert civil_war_field(f"165{digits}.88", rate, "once") == field
    events = [e for e in adjudicate_document(case)["events"] if e["type"] == "civil_war_drawn"]
    assert [e["number"] for e in events] == [field]
    assert evaluate(case)["position"] == adjudicate_document(case)["position"]


FIGHT: dict[str, Any] = {
    "position": {
        "round": 5,
        "players": {
            "Anna": {"score": 1, "owns": ["germany", "poland"]},
            "Ben": {"score": 0, "owns": ["france", "belgium"]},
            "Carla": {"score": 9, "owns": ["norway", "sweden"]},
        },
    },
    "orders": [{"seat": "Ben", "text": "attack Germany"}],
}


def test_a_winner_who_did_not_fight_is_an_error() -> None:
    """Naming a winner who wasn't in the battle is refused, and the message says who fought (DESIGN)."""
    case = {**FIGHT, "results": [{"country": "germany", "winner": "Carla", "attempt": 1}]}
    with pytest.raises(BadInput) as refused:
        adjudicate_document(case)
    assert all(word in str(refused.value) for word in ("Carla", "germany", "Ben", "Anna"))
    with pytest.raises(BadCase):
        evaluate(case)


def test_a_result_without_a_battle_is_an_event() -> None:
    """A result of a battle that doesn't happen is ignored, with an event that says so (K33)."""
    results = [
        {"country": "germany", "winner": "Ben", "attempt": 1},
        {"country": "sweden", "winner": "Carla", "attempt": 1},
    ]
    events = adjudicate_document({**FIGHT, "results": results})["events"]
    ignored = [(e["country"], e["winner"], e["attempt"]) for e in events if e["type"] == "result_ignored"]
    assert ignored == [("sweden", "Carla", 1)]


def month_leader(**changes: Any) -> Any:
    """The month's leader after a quiet week whose Saturday is 27 January 2024: what the event says."""
    case: dict[str, Any] = {
        "position": {
            "round": 5,
            "players": {
                "Carla": {"score": 20, "owns": ["norway", "sweden"]},
                "Anna": {"score": 20, "owns": ["poland", "hungary"]},
                "Ben": {"score": 9, "owns": ["france", "belgium", "spain"]},
            },
        },
        "round": {"deadline": "2024-01-26T00:00:00+01:00"},
    }
    case["position"] |= changes.pop("position", {})
    found = [e for e in adjudicate_document({**case, **changes})["events"] if e["type"] == "month_leader"]
    return [(e["month"], list(e["seats"]), e["points"]) for e in found]


def test_the_months_leader_has_the_most_points() -> None:
    """After a month's last evaluation those with the most points lead it, all who have as many (K80)."""
    assert month_leader() == [("2024-01", ["Anna", "Carla"], 22)]


def test_the_months_leader_is_named_once_a_month() -> None:
    """A Saturday whose next lies in the same month has no leader, one whose next is the first of another has (K80)."""
    assert month_leader(round={"deadline": "2024-01-19T00:00:00+01:00"}) == []
    assert month_leader(round={"deadline": "2024-02-23T00:00:00+01:00"})[0][0] == "2024-02"
    assert month_leader(round={"deadline": "2024-05-24T00:00:00+02:00"})[0][0] == "2024-05"
    assert month_leader(round={"deadline": "2023-12-29T00:00:00+01:00"})[0][0] == "2023-12"


def test_the_months_leader_goes_by_the_day_the_evaluation_ends() -> None:
    """A round whose evaluation ends on a day of its own belongs to that day's month (K80)."""
    early, late = "2024-01-20", "2024-02-01"
    assert month_leader(round={"deadline": "2024-01-26T00:00:00+01:00", "ends": early}) == []
    assert month_leader(round={"deadline": "2024-01-26T00:00:00+01:00", "ends": late}) == []
    assert month_leader(round={"deadline": "2024-01-19T00:00:00+01:00", "ends": "2024-01-31"}) != []


def test_the_months_leader_may_be_who_gained_most() -> None:
    """With award = "gained" the points won within the month count; who came within it began at nothing (K80)."""
    gained = {"award": "gained"}
    assert month_leader(options=gained) == [("2024-01", ["Anna", "Carla"], 22)]
    began = {"month_start": {"Anna": 15, "Carla": 19, "Ben": 3}}
    assert month_leader(options=gained, position=began) == [("2024-01", ["Ben"], 9)]
    assert month_leader(options=gained, position={"month_start": {"Anna": 15, "Carla": 19}}) == [
        ("2024-01", ["Ben"], 12)
    ]
    assert month_leader(position=began) == [("2024-01", ["Anna", "Carla"], 22)]


def test_the_months_leader_is_somebody_who_is_there() -> None:
    """Who has retired leads no month (K38, K80), and while something is pending nobody does."""
    assert month_leader(retired=["Anna"]) == [("2024-01", ["Carla"], 22)]
    assert month_leader(orders=[{"seat": "Ben", "text": "take Portugal"}]) == []


def test_a_retirement_says_what_becomes_free() -> None:
    """The event of a retirement names the countries that are free now (K38)."""
    case = {**FIGHT, "orders": [], "retired": ["Carla"]}
    events = [e for e in adjudicate_document(case)["events"] if e["type"] == "retired"]
    assert [(e["seat"], list(e["countries"])) for e in events] == [("Carla", ["norway", "sweden"])]


def test_a_battle_says_how_it_was_decided() -> None:
    """The event of a battle tells a report, a result entered and the end of the waiting apart (K33)."""

    def how(**more: Any) -> list[str]:
        return [e["how"] for e in adjudicate_document({**FIGHT, **more})["events"] if e["type"] == "battle"]

    lost = [*FIGHT["orders"], {"seat": "Anna", "text": "result Germany lost"}]
    won = [*FIGHT["orders"], {"seat": "Ben", "text": "result Germany won"}]
    assert how(orders=lost) == ["report"]
    assert how(orders=won) == []
    assert how(orders=won, round={"over": True}) == ["report"]
    assert how(round={"over": True}) == ["status_quo"]
    assert how(orders=lost, results=[{"country": "germany", "winner": "Anna", "attempt": 1}]) == ["result"]


def test_terms_are_an_event() -> None:
    """What an attacked owner chose by right is an event of the round (K63, K64)."""
    owns = [
        "spain",
        "portugal",
        "great_britain",
        "netherlands",
        "belgium",
        "france",
        "denmark",
        "sweden",
        "finland",
        "greece",
    ]
    players = {"Anna": {"score": 90, "owns": owns}, "Ben": {"score": 1, "owns": ["germany", "poland"]}}
    orders = [
        {"seat": "Ben", "text": "attack Denmark"},
        {"seat": "Anna", "text": "map Denmark: Austria\nsettings Denmark: slow\nresult Denmark won"},
    ]
    case = {"position": {"round": 5, "players": players}, "orders": orders, "round": {"over": True}}
    events = [e for e in adjudicate_document(case)["events"] if e["type"] == "terms"]
    assert [(e["country"], e["seat"], e["map"], e["settings"]) for e in events] == [
        ("denmark", "Anna", "austria", "slow")
    ]


def test_the_witness_reads_its_own_few_orders() -> None:
    """The witness's order reader knows canonical English lines, board ids and English names, and nothing else."""
    assert understood("take great_britain") == understood("take Great Britain") == Said("take", "great_britain")
    assert understood("bid 12 Greece") == Said("bid", "greece", 12)
    assert understood("nimm Paris") is None
    assert understood("take") is None
    assert understood("result greece won") == Said("result", "greece", words="won")
    assert understood("result Great Britain winner Anna", ["Anna"]) == Said("result", "great_britain", words="Anna")
    assert understood("result greece winner Ben", ["Anna"]) is None
    assert understood("map greece: Spain") == Said("map", "greece", words="spain")
    assert understood("settings greece: one: two") == Said("settings", "greece", words="one: two")
    assert understood("map greece") is None
