"""What is wrong with a position, fault by fault, and that a position says all of a state."""

from typing import Any

import pytest

from league.core.errors import BadPosition
from league.desk import registry
from league.games.kuel.state import State

GOOD: dict[str, Any] = {"round": 5, "players": {"a": {"score": 1, "owns": ["france"]}}, "markers": {}, "newcomers": []}


def game(**options: Any) -> Any:
    return registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, options))


def faults(change: dict[str, Any], **options: Any) -> list[str]:
    with pytest.raises(BadPosition) as refused:
        game(**options).restore(GOOD | change)
    return list(refused.value.faults)


def marked(country: str, **markers: Any) -> dict[str, Any]:
    return {"markers": {country: markers}}


def owns(*countries: str) -> dict[str, Any]:
    return {"players": {"a": {"score": 1, "owns": list(countries)}}}


def numbers(low: int, high: int) -> str:
    return f"a whole number from {low} to {high} is needed"


BIG = 10**12
KEYS = "round, players, markers, newcomers, month_start"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rond": 1}, f"position: no key 'rond'; there are {KEYS}"),
        ({"round": 0}, f"position.round is 0; {numbers(1, 1000000)}"),
        ({"round": 1000001}, f"position.round is 1000001; {numbers(1, 1000000)}"),
        ({"round": "5"}, f"position.round is '5'; {numbers(1, 1000000)}"),
        ({"round": True}, f"position.round is True; {numbers(1, 1000000)}"),
        ({"players": []}, "position.players is []; a table is needed"),
        ({"players": {"a": 1}}, "position.players.a is 1; a table is needed"),
        ({"players": {"a": {"scor": 1}}}, "position.players.a: no key 'scor'; there are score, owns"),
        ({"players": {"a": {"score": 1.5}}}, f"position.players.a.score is 1.5; {numbers(-BIG, BIG)}"),
        ({"players": {"a": {"score": BIG + 1}}}, f"position.players.a.score is {BIG + 1}; {numbers(-BIG, BIG)}"),
        ({"players": {"a": {"score": -BIG - 1}}}, f"position.players.a.score is {-BIG - 1}; {numbers(-BIG, BIG)}"),
        ({"players": {"a": {"owns": "france"}}}, "position.players.a.owns is 'france'; a list of names is needed"),
        ({"players": {"a": {"owns": [1]}}}, "position.players.a.owns is [1]; a list of names is needed"),
        (owns("frence"), "position.players.a.owns: no country 'frence'; nearest is 'france'"),
        (owns("x"), "position.players.a.owns: no country 'x'"),
        (owns("france", "france"), "position.players.a.owns: france is owned twice, by a and a (K2)"),
        (owns(), "a owns no country; a player owns at least one (K6)"),
        (
            {"players": {str(n): {} for n in range(29)}},
            "position.players has 29 players; on 28 countries there is room for 28",
        ),
        ({"newcomers": "n"}, "position.newcomers is 'n'; a list of names is needed"),
        ({"newcomers": ["a"]}, "a is both a player and a newcomer"),
        ({"newcomers": ["n", "n"]}, "n stands twice among the newcomers"),
        ({"month_start": []}, "position.month_start is []; a table is needed"),
        ({"month_start": {"a": "1"}}, f"position.month_start.a is '1'; {numbers(-BIG, BIG)}"),
        ({"month_start": {"a": BIG + 1}}, f"position.month_start.a is {BIG + 1}; {numbers(-BIG, BIG)}"),
        ({"month_start": {"a": -BIG - 1}}, f"position.month_start.a is {-BIG - 1}; {numbers(-BIG, BIG)}"),
        ({"markers": 1}, "position.markers is 1; a table is needed"),
        ({"markers": {"frence": {}}}, "position.markers: no country 'frence'; nearest is 'france'"),
        ({"markers": {"spain": 1}}, "position.markers.spain is 1; a table is needed"),
        (marked("spain", war=1), "position.markers.spain: no key 'war'; there are devastation, civil_war, collapse"),
        (marked("spain", devastation=0), f"position.markers.spain.devastation is 0; {numbers(1, 3)}"),
        (marked("spain", devastation=4), f"position.markers.spain.devastation is 4; {numbers(1, 3)}"),
        (
            marked("spain", civil_war=1),
            "position.markers.spain.civil_war is 1; with civil_war_rounds = 0 it is true (K43)",
        ),
        (marked("spain", collapse=1), "position.markers.spain.collapse is 1; a table is needed"),
        (
            marked("spain", collapse={"left": 1}),
            "position.markers.spain.collapse: no key 'left'; there are payments_left, auction_rounds_left",
        ),
        (
            marked("spain", collapse={}),
            "position.markers.spain.collapse needs payments_left (owned) or auction_rounds_left (open), one of them",
        ),
        (
            marked("spain", collapse={"payments_left": 1, "auction_rounds_left": 1}),
            "position.markers.spain.collapse needs payments_left (owned) or auction_rounds_left (open), one of them",
        ),
        (
            marked("france", collapse={"payments_left": 4}),
            f"position.markers.france.collapse.payments_left is 4; {numbers(1, 3)}",
        ),
        (
            marked("spain", collapse={"auction_rounds_left": 4}),
            f"position.markers.spain.collapse.auction_rounds_left is 4; {numbers(1, 3)}",
        ),
        (
            marked("spain", collapse={"auction_rounds_left": 0}),
            f"position.markers.spain.collapse.auction_rounds_left is 0; {numbers(1, 3)}",
        ),
        (marked("france", devastation=1), "france is devastated and owned by a (K41)"),
        (marked("france", civil_war=True), "france has civil war and is owned by a (K45)"),
        (marked("france", collapse={"auction_rounds_left": 1}), "france is up for auction and owned by a (K52)"),
        (marked("spain", collapse={"payments_left": 1}), "spain is under reconstruction and owned by nobody (K55)"),
        (
            marked("spain", devastation=1, collapse={"auction_rounds_left": 1}),
            "spain is devastated and up for auction (K54)",
        ),
    ],
)
def test_a_fault_of_a_position(change: dict[str, Any], said: str) -> None:
    """What is wrong is said with its place and what would be right."""
    assert said in faults(change)


def test_a_position_is_a_table() -> None:
    """What is no table at all is refused as such."""
    with pytest.raises(BadPosition) as refused:
        game().restore([])
    assert refused.value.faults[0] == "position is []; a table is needed"


def test_a_player_for_each_country() -> None:
    """There may be as many players as countries (K6)."""
    players = {name: {"score": 1, "owns": [name]} for name in game().board.by_id}
    assert len(game().restore({"players": players}).scores) == 28


def test_a_player_without_a_list_owns_nothing() -> None:
    """What is left out is empty, and no fault of form."""
    assert faults({"players": {"a": {}}}) == ["a owns no country; a player owns at least one (K6)"]


def test_every_marker_is_looked_at() -> None:
    """A country that doesn't exist doesn't hide what is wrong with the next."""
    told = faults({"markers": {"frence": {}, "spain": {"devastation": 9}, "x": {}}})
    assert told == [
        "position.markers: no country 'frence'; nearest is 'france'",
        f"position.markers.spain.devastation is 9; {numbers(1, 3)}",
        "position.markers: no country 'x'",
    ]


def test_faults_of_form_come_alone() -> None:
    """While the form is wrong nothing is said of the rules; every fault of form is."""
    told = faults({"round": 0, "newcomers": ["a"], **marked("spain", devastation=9)})
    assert told == [
        f"position.round is 0; {numbers(1, 1000000)}",
        f"position.markers.spain.devastation is 9; {numbers(1, 3)}",
    ]


def test_every_fault_of_rule_is_told() -> None:
    """All players' and countries' faults are listed, in the order of names and of the board."""
    players = {"b": {"owns": []}, "a": {"owns": []}, "c": {"owns": ["france", "spain"]}}
    markers = {"spain": {"devastation": 1}, "france": {"civil_war": True, "devastation": 1}}
    assert faults({"players": players, "markers": markers, "newcomers": ["c", "a", "a", "c"]}) == [
        "a owns no country; a player owns at least one (K6)",
        "b owns no country; a player owns at least one (K6)",
        "a is both a player and a newcomer",
        "c is both a player and a newcomer",
        "a stands twice among the newcomers",
        "c stands twice among the newcomers",
        "spain is devastated and owned by c (K41)",
        "france is devastated and owned by c (K41)",
        "france has civil war and is owned by c (K45)",
    ]


def test_fifteen_countries_are_the_most() -> None:
    """A position with sixteen is none, one with fifteen is (K4)."""
    names = list(game().board.by_id)
    assert "a owns 16 countries; 15 is the most (K4)" in faults(owns(*names[:16]))
    assert len(game().restore(GOOD | owns(*names[:15])).owner) == 15


def test_the_rounds_of_a_civil_war() -> None:
    """Where civil wars end by themselves, a marker says in how many rounds, and no more than the league's (K43)."""
    for wrong in (True, 0, 7):
        said = f"position.markers.spain.civil_war is {wrong!r}; {numbers(1, 6)}"
        assert faults(marked("spain", civil_war=wrong), civil_war_rounds=6) == [said]
    assert game(civil_war_rounds=6).restore(GOOD | marked("spain", civil_war=6)).civil_war == {"spain": 6}
    assert game().restore(GOOD | marked("spain", civil_war=True)).civil_war == {"spain": 0}


def test_what_a_position_leaves_out() -> None:
    """Round, players, markers and newcomers may be left out, so may a player's score and countries' list be empty."""
    assert game().restore({}) == State(1, {}, {})
    assert game().restore({"players": {"a": {"owns": ["spain"]}}}) == State(1, {"a": 0}, {"spain": "a"})


def test_a_position_says_all_of_a_state() -> None:
    """Players by name, countries and markers in the board's order, and back again."""
    state = State(
        7,
        {"b": -3, "a": 10**12},
        {"spain": "b", "iceland": "b", "france": "a"},
        devastation={"portugal": 3},
        civil_war={"portugal": 0, "greece": 0},
        payments={"spain": 1},
        auctions={"greece": 3},
        newcomers=("z", "n"),
        month_start={"b": 2, "a": -1},
    )
    written = game().position(state)
    assert written == {
        "round": 7,
        "players": {
            "a": {"score": 10**12, "owns": ["france"]},
            "b": {"score": -3, "owns": ["iceland", "spain"]},
        },
        "markers": {
            "spain": {"collapse": {"payments_left": 1}},
            "portugal": {"devastation": 3, "civil_war": True},
            "greece": {"civil_war": True, "collapse": {"auction_rounds_left": 3}},
        },
        "newcomers": ["z", "n"],
        "month_start": {"a": -1, "b": 2},
    }
    assert list(written["players"]) == ["a", "b"]
    assert list(written["month_start"]) == ["a", "b"]
    assert [game().board.by_id[c].number for c in written["markers"]] == sorted(
        game().board.by_id[c].number for c in written["markers"]
    )
    assert game().restore(written) == state
