"""Every case of `tests/cases/europa`, and that each statement has one."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from league.desk.play.adjudicate import adjudicate_document
from league.desk.play.cases import run_cases

ROOT = Path(__file__).parents[3]
CASES = sorted((ROOT / "tests" / "cases" / "europa").glob("*.toml"))
WITHOUT = {  # what no position and orders can show
    "R60", "R61", "R62", "R63",  # the data: test_board.py
    "A19",  # cannot happen with this data: test_vectors.py
    "M12",  # the desk's, tests/desk/test_standby.py
}  # fmt: skip


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_engine_does_what_the_case_expects(path: Path) -> None:
    """The engine's outcome of a case is the one that the case expects."""
    (tried,) = run_cases("europa", [path])
    assert tried.differences == ()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_is_named_and_says_what_it_shows(path: Path) -> None:
    """A case is named after a statement of the rules, has a sentence that says what it shows, and expects something."""
    case = read(path)
    assert re.fullmatch(r"[RAM]\d+(-[a-z0-9]+)+", path.stem)
    assert case["title"].endswith(".")
    assert case["expect"]


def test_every_statement_has_a_case() -> None:
    """Each statement of the rules has a case that is named after it, except those that no case can show."""
    text = (ROOT / "docs" / "games" / "europa-rules.md").read_text(encoding="utf-8")
    statements = re.findall(r"^- ([RAM]\d+)\b", text, re.MULTILINE)
    assert len(statements) == len(set(statements)) == 63 + 20 + 12
    assert {path.stem.split("-")[0] for path in CASES} == set(statements) - WITHOUT


def test_the_cases_words_are_german_and_dutch_as_well() -> None:
    """What happens in the cases is told in every language."""
    document = read(next(path for path in CASES if path.stem == "R28-the-strongest-proposer-first"))
    told = {
        lang: [event["text"] for event in adjudicate_document(document, game="europa", lang=lang)["events"]]
        for lang in ("de", "en", "nl")
    }
    assert told["de"][1] == "Großbritannien: Anna schlägt eine Koalition vor: Anna, Ben und Carla."
    assert told["en"][1] == "Great Britain: Anna proposes a coalition: Anna, Ben and Carla."
    assert told["nl"][1] == "Groot-Brittannië: Anna stelt een coalitie voor: Anna, Ben en Carla."
