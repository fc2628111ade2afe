"""Cases expect what their rule is about; the accounts hold all the rest that the engine says, word for word of facts.

`python tools/golden_kuel.py` writes them anew. A case that has no account yet is checked by its own file alone.
"""

import tomllib
from pathlib import Path

import pytest

from tests.games.kuel.account import account, played, sections

TESTS = Path(__file__).parents[2]
KEPT = sections((TESTS / "golden" / "kuel-cases.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KEPT)
def test_the_engine_says_of_a_case_what_it_said(name: str) -> None:
    """Each ruling with its reason, event, need, arrow and rehearsal of a case is the one that is kept."""
    case = tomllib.loads((TESTS / "cases" / "kuel" / f"{name}.toml").read_text(encoding="utf-8"))
    assert "\n".join(account(case)) == KEPT[name]


@pytest.mark.parametrize("bot", ["greedy", "lookahead", "random"])
def test_bots_play_as_they_played(bot: str) -> None:
    """The same positions and dice bring the same orders: what docs/games/kuel-balance.md says can be computed again."""
    assert list(played(bot)) == (TESTS / "golden" / f"kuel-{bot}.txt").read_text(encoding="utf-8").splitlines()
