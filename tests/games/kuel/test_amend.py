"""What a correction puts into a later position of KUEL, and what stays as it is and why."""

from dataclasses import replace
from typing import Any

import pytest

from league.core.game import Amended
from league.core.json import JsonDict
from league.desk import registry
from league.games.kuel.game import Kuel
from league.games.kuel.state import State, problems

# Two rounds after round 4 was evaluated: its wrong outcome gave Spain to Anna, the right one gives it to Ben.
WRONG = State(5, {"anna": 20, "ben": 10}, {"france": "anna", "spain": "anna", "portugal": "ben"})
RIGHT = replace(WRONG, scores={"anna": 15, "ben": 17}, owner={"france": "anna", "spain": "ben", "portugal": "ben"})
LATER = replace(WRONG, round=7, scores={"anna": 30, "ben": 12})


def game(**options: Any) -> Kuel:
    found = registry.load("kuel", options)
    assert isinstance(found, Kuel)
    return found


def amended(current: State, wrong: State = WRONG, right: State = RIGHT, **options: Any) -> Amended[State]:
    rules = game(**options)
    made = rules.amend(current, wrong, right)
    assert problems(rules.board, made.state) == []
    return made


def kept(made: Amended[State]) -> dict[str, str]:
    """What stays wrong: which thing, and why."""
    return {
        str(c.get("country", c.get("seat"))) + "/" + str(c.get("marker", c["kind"])): str(c["why"])
        for c in made.not_applied
    }


def test_points_are_added_and_a_country_changes_hands() -> None:
    """What came since stays: Ben's two points of the rounds between, and Anna's ten."""
    made = amended(LATER)
    assert made.state.scores == {"anna": 25, "ben": 19}
    assert made.state.owner["spain"] == "ben"
    assert made.state.round == 7
    assert made.not_applied == ()
    assert list(made.applied) == [
        {"kind": "points", "seat": "anna", "from": 30, "to": 25},
        {"kind": "points", "seat": "ben", "from": 12, "to": 19},
        {"kind": "owner", "country": "spain", "from": "anna", "to": "ben"},
    ]


@pytest.mark.parametrize("owner", ["carla", None])
def test_a_country_that_has_gone_on_stays_where_it_is(owner: str | None) -> None:
    """It isn't Anna's any more, so nobody takes it from who has it now; the points go right all the same."""
    owners = {"france": "anna", "portugal": "ben", "italy": "carla"} | ({"spain": owner} if owner else {})
    made = amended(replace(LATER, scores={**LATER.scores, "carla": 3}, owner=owners))
    assert made.state.owner == owners
    assert kept(made) == {"spain/owner": "moved_on"}
    assert made.state.scores["ben"] == 19


def test_nobody_loses_his_last_country() -> None:
    """Anna has nothing but Spain by now (K6)."""
    made = amended(replace(LATER, owner={"spain": "anna", "portugal": "ben", "france": "ben"}))
    assert made.state.owner["spain"] == "anna"
    assert kept(made) == {"spain/owner": "last_country"}


def test_two_countries_that_change_places_leave_nobody_without() -> None:
    """Who loses his only country and gets another by the same correction has one."""
    wrong = State(5, {"anna": 1, "ben": 1}, {"france": "anna", "spain": "ben"})
    right = replace(wrong, owner={"france": "ben", "spain": "anna"})
    made = amended(replace(wrong, round=6), wrong, right)
    assert made.state.owner == right.owner
    assert made.not_applied == ()


def test_nobody_gets_more_than_fifteen() -> None:
    """Ben has fifteen countries by now; the sixteenth isn't given to him (K4)."""
    many = [c.id for c in game().board.countries if c.id not in ("spain", "france")][:15]
    made = amended(replace(LATER, owner={"spain": "anna", "france": "anna", **dict.fromkeys(many, "ben")}))
    assert made.state.owner["spain"] == "anna"
    assert kept(made) == {"spain/owner": "limit"}


def test_who_has_left_gets_and_loses_nothing() -> None:
    """Ben retired since: neither his country nor his points come back (K38)."""
    gone = replace(LATER, scores={"anna": 30}, owner={"france": "anna", "spain": "anna"})
    made = amended(gone)
    assert made.state.owner == gone.owner
    assert made.state.scores == {"anna": 25}
    assert kept(made) == {"ben/points": "away", "spain/owner": "away"}


def test_debt_stops_at_zero_where_the_league_says_so() -> None:
    """Five points less of three: zero in a gentle league, and two stay undone; two below zero elsewhere (K55)."""
    poor = replace(LATER, scores={"anna": 3, "ben": 12})
    gentle = amended(poor, debt="stop_at_zero")
    assert gentle.state.scores["anna"] == 0
    assert kept(gentle) == {"anna/points": "no_debt"}
    assert amended(poor).state.scores["anna"] == -2
    below = amended(replace(LATER, scores={"anna": -4, "ben": 12}), debt="stop_at_zero")
    assert below.state.scores["anna"] == -4


def test_a_newcomer_whose_entry_was_right_enters() -> None:
    """By the wrong outcome Carla didn't get Italy; it is free still, so she enters with what it would have brought."""
    wrong = replace(WRONG, newcomers=("carla", "dora"))
    right = replace(
        WRONG, scores={**WRONG.scores, "carla": 4}, owner={**WRONG.owner, "italy": "carla"}, newcomers=("dora",)
    )
    made = amended(replace(wrong, round=6), wrong, right)
    assert made.state.scores["carla"] == 4
    assert made.state.owner["italy"] == "carla"
    assert made.state.newcomers == ("dora",)


def test_a_newcomer_who_entered_wrongly_waits_again() -> None:
    """As long as nothing else is hers; with another country she stays, and that is said."""
    wrong = replace(WRONG, scores={**WRONG.scores, "carla": 4}, owner={**WRONG.owner, "italy": "carla"})
    right = replace(WRONG, newcomers=("carla",))
    made = amended(replace(wrong, round=6), wrong, right)
    assert made.state.newcomers == ("carla",)
    assert "carla" not in made.state.scores
    settled = replace(wrong, round=6, owner={**wrong.owner, "austria": "carla"})
    stays = amended(settled, wrong, right)
    assert stays.state.owner["austria"] == "carla"
    assert "italy" not in stays.state.owner
    assert kept(stays) == {"carla/seat": "moved_on"}


# ------------------------------------------------------------------ markers


def war(country: str, left: int = 0) -> State:
    """After round 4, with civil war in a country that nobody owns."""
    return replace(WRONG, civil_war={country: left})


def test_a_civil_war_moves_to_the_right_country() -> None:
    """One that only mercenaries end goes from where it broke out wrongly to where it should have (K43)."""
    made = amended(replace(war("italy"), round=7), war("italy"), war("greece"))
    assert made.state.civil_war == {"greece": 0}
    assert {c["country"]: (c["from"], c["to"]) for c in made.applied} == {"italy": (True, None), "greece": (None, True)}


def test_a_civil_war_that_has_ended_is_over() -> None:
    """Of three rounds two have passed and one is left; of two none (K43)."""
    rules = {"civil_war_rounds": 6}
    made = amended(replace(WRONG, round=7), WRONG, war("italy", 3), **rules)
    assert made.state.civil_war == {"italy": 1}
    over = amended(replace(WRONG, round=7), WRONG, war("italy", 2), **rules)
    assert over.state.civil_war == {}
    assert kept(over) == {"italy/civil_war": "time_over"}


def test_a_civil_war_in_a_country_that_is_owned_by_now_is_not_placed() -> None:
    """Carla has taken Italy since (K45)."""
    taken = replace(WRONG, round=7, scores={**WRONG.scores, "carla": 2}, owner={**WRONG.owner, "italy": "carla"})
    made = amended(taken, WRONG, war("italy"))
    assert made.state == taken
    assert kept(made) == {"italy/civil_war": "not_legal"}


def test_a_marker_that_something_has_happened_to_stays() -> None:
    """Mercenaries ended the wrong civil war already: there is nothing to take away."""
    made = amended(replace(WRONG, round=7), war("italy"), WRONG)
    assert made.state.civil_war == {}
    assert kept(made) == {"italy/civil_war": "moved_on"}


def test_a_reconstruction_begins_when_it_is_placed() -> None:
    """Three payments are asked for from now on, however long ago the collapse should have been (K55)."""
    made = amended(replace(WRONG, round=7), WRONG, replace(WRONG, payments={"france": 3}))
    assert made.state.payments == {"france": 3}


def test_what_was_paid_for_a_wrong_collapse_stays_paid() -> None:
    """The duty ends, and the payments that were made since are named."""
    wrong = replace(WRONG, payments={"france": 3})
    made = amended(replace(wrong, round=7, payments={"france": 1}), wrong, WRONG)
    assert made.state.payments == {}
    assert [(c["kind"], c["rounds"]) for c in made.not_applied] == [("payments", 2)]


def test_a_collapse_without_an_owner_is_auctioned_in_full() -> None:
    """Nobody could bid so far, so all three rounds are given (K53)."""
    made = amended(replace(WRONG, round=7), WRONG, replace(WRONG, auctions={"italy": 3}))
    assert made.state.auctions == {"italy": 3}


# ------------------------------------------------------------------ the month


def test_points_of_a_month_are_shifted_with_it() -> None:
    """What is put right now wasn't won in the month that has begun since (K80)."""
    made = amended(replace(LATER, month_start={"anna": 22, "ben": 11}), award="gained")
    assert made.state.month_start == {"anna": 17, "ben": 18}
    same = amended(replace(LATER, month_start={}), award="gained")
    assert same.state.month_start == {}


def test_an_award_that_was_given_stays() -> None:
    """Each month that ended between is named, if points differ."""
    events: list[JsonDict] = [{"type": "points"}, {"type": "month_leader", "month": "2024-01", "seats": ["anna"]}]
    made = game().amend(LATER, WRONG, RIGHT, events)
    assert [(c["kind"], c["month"], c["why"]) for c in made.not_applied] == [("award", "2024-01", "told")]
    assert game().amend(LATER, WRONG, WRONG, events).not_applied == ()
