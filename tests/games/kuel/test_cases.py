"""Every case of `tests/cases/kuel` is read twice: by the engine, and by the witness that shares no code with it."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput
from league.desk.adjudicate import adjudicate_document
from league.desk.cases import compare
from tests.naive.compare import differences
from tests.naive.kuel import BadCase, Said, civil_war_field, evaluate, understood

ROOT = Path(__file__).parents[3]
CASES = sorted((ROOT / "tests" / "cases" / "kuel").glob("*.toml"))
ELSEWHERE = {"K31", "K38", "K63", "K64"}  # battles as played and retirements
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
    """The naive evaluator's outcome of a case is the one that the case expects."""
    case = read(path)
    assert differences(evaluate(case), case["expect"]) == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_is_named_and_says_what_it_shows(path: Path) -> None:
    """A case is named after a statement of the rules, has a sentence that says what it shows, and expects something."""
    case = read(path)
    assert re.fullmatch(r"K\d+(-[a-z0-9]+)+", path.stem)
    assert case["title"].endswith(".")
    assert set(case["expect"]) - {"pending"}


def test_every_statement_of_chapters_1_to_8_has_a_case() -> None:
    """Each K statement of the rules' chapters 1 to 8 has a case that is named after it."""
    text = (ROOT / "docs" / "games" / "kuel-rules.md").read_text(encoding="utf-8")
    chapters = text[text.index("## 1 ") : text.index("## 9 ")]
    statements = set(re.findall(r"^- (K\d+)\b", chapters, re.MULTILINE))
    statements |= {"K66", "K67", "K68", "K69"}  # they share a line with K65
    assert statements - ELSEWHERE - {path.stem.split("-")[0] for path in CASES} == set()


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


def test_the_witness_reads_its_own_few_orders() -> None:
    """The witness's order reader knows canonical English lines, board ids and English names, and nothing else."""
    assert understood("take great_britain") == understood("take Great Britain") == Said("take", "great_britain")
    assert understood("bid 12 Greece") == Said("bid", "greece", 12)
    assert understood("nimm Paris") is None
    assert understood("take") is None
