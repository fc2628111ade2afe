"""EUROPA without a site."""

from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput
from league.desk import registry
from league.desk.play.adjudicate import adjudicate_document
from league.desk.play.simulate import make_plan, play, simulate
from league.desk.post.roster import stranger

ROOT = Path(__file__).parent.parent.parent
START: dict[str, Any] = {"game": "europa", "position": {"newcomers": ["Anna", "Ben", "Carla"]}}
LOTTO = {"lotto": [3, 9, 17, 25, 31, 48], "lotto_day": "2024-01-13"}


def test_whole_matches_are_simulated() -> None:
    """Leagues of bots end by themselves before the rounds that were asked for, and nothing is left pending."""
    plan = make_plan("europa", 60, "diplomat*2,random*2", leagues=2)
    for league in play(plan):
        assert len(league.weeks) < 60
        assert league.weeks[-1].outcome.state.phase == "END"
    told = simulate(plan)
    assert told["played"] < told["rounds"] == 60
    assert told["events"]["won"] == told["leagues"] == 2
    assert told["orders"]["invalid"] == 0
    with pytest.raises(BadInput, match="europa seats 3 to 6"):
        make_plan("europa", 60, "random*2")


def test_known_dice_go_before_the_lottery() -> None:
    """A document's `dice` are numbers by purpose, from 0; what isn't named is made of the draw."""
    seats = {"seats/1": 2, "seats/2": 1, "seats/3": 0}
    both = adjudicate_document({**START, "dice": seats, "evidence": LOTTO}, game="europa")
    assert both["position"]["table"] == ["Carla", "Ben", "Anna"]
    assert adjudicate_document({**START, "evidence": LOTTO}, game="europa")["pending"] == []
    with pytest.raises(BadInput, match="there is no number for 'start/Carla/1', and no lottery draw"):
        adjudicate_document({**START, "dice": seats}, game="europa")
    with pytest.raises(BadInput, match=r"dice\.seats/1 is 3; a whole number from 0 to 2 is needed"):
        adjudicate_document({**START, "dice": {"seats/1": 3}}, game="europa")
    with pytest.raises(BadInput, match=r"dice\.seats/1 is 'two'"):
        adjudicate_document({**START, "dice": {"seats/1": "two"}}, game="europa")


def test_a_mail_of_nobody_known_is_read_by_the_game_that_it_was_written_for() -> None:
    """Of several games whoever understands most of a text reads it, its mistakes included."""
    reader = stranger()
    texts = {"kuel": "take Oslo\ntake Atlantis", "europa": "PLACE germany 2\nPLACE atlantis 1\nPEACE 3"}
    for slug, text in texts.items():
        best = reader.best(text)
        parsed, _ = best.read(text)
        assert [line.mistake is None for line in parsed.lines] == [True, False, True][: len(parsed.lines)]
        own = registry.load(slug, {}).parse(None, "", text)
        assert parsed == own
        assert [best.notation(order) for order in parsed.orders]


def test_without_a_draw_the_start_waits() -> None:
    """The lottery is pending, and the round stays what it is."""
    answer = adjudicate_document(START, game="europa")
    assert answer["pending"] == [{"kind": "evidence", "figure": "lotto"}]
    assert answer["position"]["round"] == 1
