"""Cases expect what their rule is about; the accounts hold all the rest that the engine says, word for word of facts.

`python tools/golden_kuel.py` writes them anew. A case that has no account yet is checked by its own file alone.
"""

import tomllib
from pathlib import Path

import pytest

from tests.games.kuel.account import account, played, sections
from tests.games.kuel.boards import boards
from tests.games.kuel.readings import parts, reading

TESTS = Path(__file__).parents[2]
KEPT = sections((TESTS / "golden" / "kuel-cases.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KEPT)
def test_the_engine_says_of_a_case_what_it_said(name: str) -> None:
    """Each ruling with its reason, event, need, arrow and rehearsal of a case is the one that is kept."""
    case = tomllib.loads((TESTS / "cases" / "kuel" / f"{name}.toml").read_text(encoding="utf-8"))
    assert "\n".join(account(case)) == KEPT[name]


def test_lines_are_read_as_they_were() -> None:
    """Of each kept line come the same orders, mistakes with the same facts, and the same talk (chapter 11)."""
    kept = parts((TESTS / "golden" / "kuel-lines.txt").read_text(encoding="utf-8"))
    assert {text: list(reading(text)) for text in kept} == kept
    assert len(kept) > 400


def test_boards_come_to_what_they_came_to() -> None:
    """Every sentence about a faulty board is the one that is kept, and so is each table of a board that is right."""
    assert list(boards()) == (TESTS / "golden" / "kuel-boards.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("bot", ["greedy", "lookahead", "random"])
def test_bots_play_as_they_played(bot: str) -> None:
    """The same positions and dice bring the same orders: what docs/games/kuel-balance.md says can be computed again."""
    assert list(played(bot)) == (TESTS / "golden" / f"kuel-{bot}.txt").read_text(encoding="utf-8").splitlines()
