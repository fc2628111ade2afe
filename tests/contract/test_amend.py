"""What every registered game does when a round that came out wrongly is put right later (DESIGN: Corrections)."""

import json
from itertools import islice
from typing import Any

import pytest

from league.core.game import Game
from league.records.canonical import canonical
from tests.contract.test_contract import GAMES, game_of, installed, match

__all__ = ["installed"]  # the fixture that brings the example's wheel


def states(slug: str) -> tuple[Game[Any, Any], list[Any]]:
    """The rules, and the states of a match from round to round."""
    _, game = game_of(slug)
    played = list(match(slug))
    return game, [played[0][0], *(outcome.state for _, _, outcome in played)]


def pairs(slug: str) -> tuple[Game[Any, Any], list[tuple[Any, Any, Any]]]:
    """The rules, and for each round its state, two outcomes of it: that of all mails, and that of the first alone."""
    _, game = game_of(slug)
    found = []
    for state, turn, outcome in islice(match(slug), 5):
        other = game.adjudicate(state, type(turn)(turn.mails[:1], turn.evidence, dice=turn.dice, over=True))
        found.append((state, outcome.state, other.state))
    return game, found


@pytest.mark.parametrize("slug", GAMES)
def test_equal_outcomes_change_nothing(slug: str) -> None:
    """A correction that comes to the same leaves every later position as it is."""
    game, found = states(slug)
    for number, outcome in enumerate(found):
        for later in found[number:]:
            made = game.amend(later, outcome, outcome)
            assert (game.position(made.state), made.applied, made.not_applied) == (game.position(later), (), ())


@pytest.mark.parametrize("slug", GAMES)
def test_directly_after_the_round_the_right_outcome_results(slug: str) -> None:
    """While nothing was built on it, a wrong outcome is simply replaced, and nothing stays undone."""
    game, found = pairs(slug)
    assert any(game.position(one) != game.position(other) for _, one, other in found)
    for _, one, other in found:
        for wrong, right in ((one, other), (other, one)):
            made = game.amend(wrong, wrong, right)
            assert game.position(made.state) == game.position(right)
            assert made.not_applied == ()
            assert bool(made.applied) == (game.position(wrong) != game.position(right))


@pytest.mark.parametrize("slug", GAMES)
def test_an_amended_position_is_one(slug: str) -> None:
    """Whatever was played since, the position with the difference in it can be played on, and is JSON throughout."""
    game, found = pairs(slug)
    _, later = states(slug)
    for number, (_, one, other) in enumerate(found, 1):
        for current in later[number:]:
            made = game.amend(current, one, other)
            game.restore(json.loads(canonical(game.position(made.state))))
            canonical([list(made.applied), list(made.not_applied)])
            assert all({"kind", "why", "rule"} <= change.keys() for change in made.not_applied)


@pytest.mark.parametrize("slug", GAMES)
def test_every_part_of_the_difference_is_told(slug: str) -> None:
    """What differs between the two outcomes is put right or named, whatever was played since."""
    game, found = pairs(slug)
    _, later = states(slug)
    for number, (_, one, other) in enumerate(found, 1):
        wanted = [key_of(change) for change in game.amend(one, one, other).applied]
        for current in later[number:]:
            made = game.amend(current, one, other)
            told = {key_of(change) for change in (*made.applied, *made.not_applied)}
            assert [key for key in wanted if key not in told] == []


def key_of(change: Any) -> tuple[str, str, str]:
    return change["kind"], str(change.get("seat", change.get("country"))), str(change.get("marker"))
