"""Golden leagues: what a rules version came to once, it comes to for ever (DESIGN: Rules versions)."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from league.desk import registry
from league.desk.leagues.recompute import recompute
from league.desk.leagues.turns import from_record
from league.games.kuel.meta import META
from league.records.canonical import canonical
from league.records.chain import check_chain
from tests.desk.sites import ROOT

GOLDEN = ROOT / "tests" / "golden"
RECORDS = sorted(file for version in META.versions for file in (GOLDEN / version).glob("*.json"))
ROUNDS = [file for file in RECORDS if file.stem != "0000"]
TOUCHED = {
    *("auction_ended", "auction_open", "auction_won", "battle", "civil_war", "civil_war_averted", "civil_war_drawn"),
    *("collapse", "collapse_averted", "collapse_drawn", "conquered", "defended", "devastated", "devastation_ended"),
    *("gave_way", "joined", "left", "month_leader", "no_events", "penalty_waived", "points", "reconstruction"),
    *("reconstruction_ended", "retired", "taken", "terms", "world_collapse"),
}


def read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_bytes())
    return found


@pytest.mark.parametrize("file", ROUNDS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_golden_round_recomputes(file: Path) -> None:
    """From the record's position, orders, figures and decisions come its events, fates, position and standings."""
    body = read(file)
    assert body["rules"]["rules"] == file.parent.name
    assert canonical({**body, **recompute(body)}) == file.read_bytes()


@pytest.mark.parametrize("version", META.versions)
def test_every_rules_version_has_a_golden_league(version: str) -> None:
    """Its records are a chain from the opening on, each round beginning where the one before ended."""
    files = [file for file in RECORDS if file.parent.name == version]
    assert [file.stem for file in files] == [f"{number:04}" for number in range(len(files))]
    assert len(files) > 12
    assert check_chain([file.read_bytes() for file in files]) == ()
    rounds = [read(file) for file in files[1:]]
    assert all(before["position"] == after["start"] for before, after in pairwise(rounds))


def test_the_golden_league_touches_nearly_every_rule() -> None:
    """Every kind of event that one league can show, every way a battle is decided, and a rematch won and lost (K32)."""
    events = [event for file in ROUNDS for event in read(file)["events"]]
    assert {event["type"] for event in events} == TOUCHED
    battles = [event for event in events if event["type"] == "battle"]
    assert {battle["how"] for battle in battles} == {"report", "result", "status_quo"}
    assert {battle["rule"] for battle in battles} == {"K24", "K25", "K26", "K33"}
    again = [battle for battle in battles if battle["attempt"] == 2]
    assert {battle["winner"] == battle["owner"] for battle in again} == {True, False}
    rulings = {row["own"]["rule"] for file in ROUNDS for row in read(file)["fates"]}
    assert {"K6", "K23", "K27", "K28", "K29", "K30", "K33", "K41", "K42", "K55"} <= rulings


def test_a_changed_golden_record_is_seen() -> None:
    """One point more in a position, and the bytes differ: the comparison is worth something."""
    body = read(ROUNDS[-1])
    seat, player = next(iter(body["start"]["players"].items()))
    body["start"]["players"][seat] = {**player, "score": player["score"] + 1}
    table = from_record(body, body["rules"]["options"], body["game"])
    assert table.game.position(table.outcome().state) != body["position"]


def test_golden_options_are_those_of_the_game() -> None:
    """Each option that the records carry is still one, with a value that is still allowed."""
    given = read(RECORDS[0])["rules"]["options"]
    assert given.items() <= registry.check_options(META, given).items()
