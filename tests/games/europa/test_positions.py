"""Positions: what is refused, with all its faults."""

from typing import Any

import pytest

from league.core.errors import BadPosition
from tests.games.europa.tables import GAME, position

VOTERS = {name: {"political": 40} for name in ("Anna", "Ben", "Carla")}
HANDS = position()["players"]
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"colour": 1}, "no key 'colour'"),
    ({"round": 0}, "position.round is 0"),
    ({"epoch": 5}, "position.epoch is 5"),
    ({"phase": "VOTE"}, "position.phase is 'VOTE'"),
    ({"phase": "VOTE01"}, "position.phase is 'VOTE01'"),
    ({"phase": "BREAK"}, "position.phase is 'BREAK'"),
    ({"players": []}, "position.players is []; a table is needed"),
    ({"players": {**HANDS, "Anna": {"political": -1}}}, "position.players.Anna.political is -1"),
    ({"players": {**HANDS, "Anna": {"pawns": 21}}}, "position.players.Anna.pawns is 21"),
    ({"players": {**HANDS, "Anna": {"party": "orange"}}}, "position.players.Anna.party is 'orange'"),
    ({"players": {**HANDS, "Anna": {"left": 1}}}, "position.players.Anna.left is 1"),
    ({"players": {**HANDS, "Anna": {"party": "green"}}}, "two players have the party green (R1)"),
    ({"players": {"Anna": {}, "Ben": {}}}, "position.players has 2; 3 to 6 can play (R1)"),
    ({"table": ["Anna", "Anna", "Ben"]}, "position.table is"),
    ({"order": ["Anna", "Ben"]}, "position.order must name each player once"),
    ({"newcomers": ["Anna"]}, "Anna is both a player and a newcomer"),
    ({"members": ["monaco"]}, "position.members: no country 'monaco' can join"),
    ({"members": ["spain"]}, "spain is hidden in epoch 1; it can't be in members (R8)"),
    ({"members": ["germany"]}, "germany is a member if and only if its election was won"),
    ({"results": {"germany": "won"}}, "germany is a member if and only if its election was won"),
    ({"results": {"germany": "lost"}}, "position.results.germany is 'lost'"),
    ({"results": {"austria": "nationalists"}}, "austria has a result, but no election"),
    ({"board": {"germany": {"Anna": 1}}}, "position.board has pawns, but the phase is PLACE1"),
    ({"phase": "PLACE2", "board": {"austria": {"Anna": 1}}}, "position.board.austria: pawns stand only where"),
    ({"phase": "PLACE2", "board": {"germany": {"Dirk": 1}}}, "nobody is called Dirk"),
    ({"phase": "PLACE2", "board": {"germany": {"Anna": 0}}}, "position.board.germany.Anna is 0"),
    ({"phase": "PLACE2", "board": {"germany": {"Anna": 20}}}, "Anna has 26 pawns; a party has 20 figures (R14)"),
    ({"phase": "VOTE1"}, "Anna holds pawns back"),
    ({"tension": ["germany"]}, "there is tension or war, but no risk in epoch 1"),
    ({"phase": "PEACE"}, "position.phase is PEACE, but there is no conflict to end"),
    ({"epoch": 3, "members": ["poland"], "war": ["poland"]}, "poland is a member and has a marker"),
    ({"epoch": 3, "war": ["germany"]}, "germany has no election if and only if it is at war (R55)"),
    ({"epoch": 0}, "position.epoch is 0, but the phase is PLACE1"),
    ({"president": ["Anna"]}, "position.president is for the end"),
    ({"phase": "END", "players": VOTERS, "president": ["Dirk"]}, "position.president must name players"),
    ({"phase": "START"}, "position.phase is START, so there are newcomers and nothing else yet"),
]


@pytest.mark.parametrize(("changes", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_what_no_game_can_be_in_is_refused(changes: dict[str, Any], fault: str) -> None:
    """Every broken invariant is told."""
    with pytest.raises(BadPosition) as refused:
        GAME.restore(position(**changes))
    assert any(fault in told for told in refused.value.faults), refused.value.faults


def test_all_faults_are_told_at_once() -> None:
    """Three things wrong are three sentences; and what is no table is told too."""
    with pytest.raises(BadPosition) as refused:
        GAME.restore(position(round="one", members=["atlantis"], phase="NOON"))
    assert len(refused.value.faults) == 3
    with pytest.raises(BadPosition):
        GAME.restore(None)


def test_what_is_left_out_has_its_default() -> None:
    """Parties by the order of the colours, table and turn order as the players are written."""
    state = GAME.restore(position())
    assert [player.party for player in state.players.values()] == ["blue", "green", "red"]
    assert state.table == state.order == ("Anna", "Ben", "Carla")
    assert GAME.restore({}).phase == "START"
    assert GAME.restore(position(board={"germany": {}})) == state
