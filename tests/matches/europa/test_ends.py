"""Whole matches of bots, played to every way in which EUROPA can end."""

from dataclasses import replace
from typing import Any

import pytest

from league.core.game import Turn
from tests.games.europa.tables import GAME, Match

TRIO = ("random", "random", "random")
DIPLOMATS = ("diplomat", "diplomat", "diplomat")
MIXED = ("random", "diplomat", "diplomat", "random")
ENDS = [
    # match, bots, quality, presidents, winners, what decided
    pytest.param(0, DIPLOMATS, "exceptional", 1, 1, "victory", id="exceptional"),
    pytest.param(18, MIXED, "great", 1, 1, "victory", id="great"),
    pytest.param(0, TRIO, "fragile", 1, 1, "victory", id="fragile"),
    pytest.param(1, TRIO, "pyrrhic", 1, 1, "victory", id="pyrrhic"),
    pytest.param(8, TRIO, "fragile", 2, 1, "victory", id="two presidents"),
    pytest.param(17, TRIO, "fragile", 1, 1, "political", id="a tie that political points decide"),
    pytest.param(0, ("silent",) * 3, "pyrrhic", 3, 3, "shared", id="a win shared by all"),
    pytest.param(19, ("silent", "silent", "random"), "fragile", 2, 2, "shared", id="a win shared by two"),
]


def facts(events: Any, kind: str) -> dict[str, Any]:
    (found,) = (event.facts() for event in events if event.type() == kind)
    return dict(found)


@pytest.mark.parametrize(("number", "bots", "quality", "presidents", "winners", "decided"), ENDS)
def test_a_match_ends_like_this(
    number: int, bots: tuple[str, ...], quality: str, presidents: int, winners: int, decided: str
) -> None:
    """The last report names president, winner and quality, and the table agrees (R56, R57, R58)."""
    *_, last = Match(f"end {number}", bots).play()
    events, state = last.outcome.events, last.outcome.state
    assert facts(events, "final_level")["quality"] == quality
    assert len(facts(events, "president")["seats"]) == len(state.president) == presidents
    won = facts(events, "won")
    first = [place.seat for place in GAME.score(state) if place.rank == 1]
    assert sorted(first) == sorted(won["seats"])
    assert len(first) == winners
    tied = [player for player in state.players.values() if player.victory == won["victory"]]
    assert decided == ("shared" if winners > 1 else "political" if len(tied) > 1 else "victory")
    assert GAME.phase(state) is None


def test_a_match_is_given_up_in_its_middle() -> None:
    """Two of three leave in different epochs; the third has won, and no order counts any more (8.9)."""
    steps = list(Match("given up", DIPLOMATS).play())
    early = next(step for step in steps if step.before.epoch == 2)
    state = GAME.adjudicate(early.before, replace(early.turn, left=("s1",))).state
    assert GAME.phase(state) is not None
    while state.epoch < 3:
        state = GAME.adjudicate(state, Turn(dice=early.turn.dice)).state
    outcome = GAME.adjudicate(state, Turn(left=("s3",)))
    assert GAME.phase(outcome.state) is None
    assert facts(outcome.events, "given_up")["seat"] == "s2"
    assert GAME.score(outcome.state)[0].seat == "s2"


def test_a_match_has_about_twenty_mails() -> None:
    """With five elections a mail a match of six takes between 14 and 30 deadlines (8.1)."""
    for number in range(6):
        played = list(Match(f"length {number}", ["diplomat", "random"] * 3).play())
        assert 14 <= len(played) <= 30
