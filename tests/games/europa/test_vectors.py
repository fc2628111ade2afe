"""The worked examples of vectors.toml, from the rules and the public translation, computed by the engine."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from league.games.europa import coalitions, elections, epochs, peace, placement, victory, wars
from league.games.europa.book import sort_mails
from league.games.europa.orders import Ballot
from league.games.europa.world import World
from tests.games.europa.tables import GAME, mail, world

VECTORS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "vectors.toml").read_text(encoding="utf-8"))
SUMS = {country: number for number, country in GAME.board.risks.items()}


def rows(name: str) -> list[Any]:
    return [pytest.param(row, id=row.get("name", str(n))) for n, row in enumerate(VECTORS[name])]


def test_every_kind_of_vector_is_computed() -> None:
    """No kind of example in the file is left out."""
    computed = {"pawns", "waves", "share", "election", "risk", "intervention", "president", "final_level"}
    assert set(VECTORS) == computed | {"meta"}


@pytest.mark.parametrize("row", rows("pawns"))
def test_pawns_from_political_points(row: dict[str, Any]) -> None:
    """A tenth, rounded down, and at most the 20 figures of a party (R14)."""
    assert epochs.pawns_for(row["political"]) == row["pawns"]


@pytest.mark.parametrize("row", rows("waves"))
def test_the_first_wave_is_half_rounded_up(row: dict[str, Any]) -> None:
    """What is left after it is the second wave (R19)."""
    first = placement.quota("PLACE1", row["pawns"])
    assert (first, placement.quota("PLACE2", row["pawns"] - first)) == (row["first"], row["second"])


@pytest.mark.parametrize("row", rows("share"))
def test_shares_of_political_points(row: dict[str, Any]) -> None:
    """Equal shares; for three 2 counts as 3 and 4 as 6 (R35)."""
    assert coalitions.share(row["value"], row["partners"]) == row["each"]


def test_a_fraction_is_rounded_down_for_each_partner() -> None:
    """With other data than ours 5 shared by two would be 2 each (A19)."""
    assert coalitions.share(5, 2) == 2
    assert all(card.political % n == 0 for card in GAME.board.countries for n in (1, 2) if card.round)


def seats(row: dict[str, Any]) -> dict[str, Any]:
    """Players called as their parties, in the order in which the example names them; white only makes up the number."""
    strongest = row.get("proposal_order") or list(row["pawns"])
    strength = {party: 100 - place for place, party in enumerate(strongest)}
    return {party: {"party": party, "political": strength.get(party, 10)} for party in (*row["pawns"], "white")}


@pytest.mark.parametrize("row", rows("election"))
def test_elections(row: dict[str, Any]) -> None:
    """Need, majority, order of proposals, votes and shares (R24 to R35)."""
    country, tension = row["country"], row["tension"]
    table = world(
        epoch=3 if tension else 1,
        phase="VOTE1",
        players=seats(row),
        track=[country, "norway"],
        board={country: row["pawns"]},
        tension=[country] if tension else [],
    )
    ballots = {}
    for proposer, coalition in zip(row["proposers"], row["proposals"], strict=True):
        ballots[proposer] = Ballot(country, propose=(tuple(coalition),))
    for party in row["pawns"]:
        votes = [vote[party] for vote in row["votes"]]
        yes, no = (
            [tuple(c) for c, v in zip(row["proposals"], votes, strict=True) if v == way] for way in ("yes", "no")
        )
        ballots[party] = Ballot(
            country, ballots[party].propose if party in ballots else (), tuple(yes), tuple(no), "none", 0, ()
        )
    before = {party: player.political for party, player in table.players.items()}
    elections.hold(table, country, ballots)
    opened, *_ = table.events
    voted = [event.facts() for event in table.events if event.type() == "voted"]
    assert opened.facts()["need"] == row["need"]
    assert opened.facts()["total"] // 2 + 1 == row["majority"]  # type: ignore[operator]
    if row["proposal_order"]:
        assert [party for party, _ in opened.facts()["present"]] == row["proposal_order"]  # type: ignore[union-attr, misc]
    assert [event["pawns"] for event in voted] == row["yes_pawns"]
    won: list[Any] = [event.facts()["coalition"] for event in table.events if event.type() == "joined"]
    assert [sorted(coalition) for coalition in won] == ([sorted(row["winner"])] if row["winner"] else [])
    for party, player in table.players.items():
        wins = party in row["winner"]
        assert player.political - before[party] == (row["political_each"] if wins else 0)
        assert player.victory == (row["victory_each"] if wins else 0)


@pytest.mark.parametrize("row", rows("risk"))
def test_risks_of_war(row: dict[str, Any]) -> None:
    """What the rolls leave on the board, and the level of conflict (R41 to R45)."""
    at_war = [country for country, marker in row["before"].items() if marker == "war"]
    table = world(
        epoch=4,
        members=row["eu"],
        tension=[country for country, marker in row["before"].items() if marker == "tension"],
        war=at_war,
        track=["norway"],
    )
    for number, country in enumerate(row["rolls"], start=1):
        first = max(1, SUMS[country] - 10)
        wars.strike(table, number, (first, SUMS[country] - first))
    assert sorted(c for c, marker in table.markers.items() if marker == "tension") == sorted(row["tension"])
    assert sorted(c for c, marker in table.markers.items() if marker == "war") == sorted(row["war"])
    assert wars.level(table) == row["conflict_level"]


def conflict(level: int) -> dict[str, Any]:
    """Markers that make a level of conflict."""
    calm = [c for c in GAME.board.available(3) if c not in ("norway", "russia")]
    return {"war": ["russia"], "tension": calm[: level - 12]} if level >= 12 else {"tension": calm[:level]}


@pytest.mark.parametrize("row", [row for row in rows("intervention") if "committed" in row.values[0]])
def test_joint_interventions(row: dict[str, Any]) -> None:
    """Success, rewards, penalties and who leads (R48 to R50)."""
    given = row["committed"]
    players = {p: {"political": row["political"][p], "pawns": row["available"][p], "victory": 9} for p in given}
    table = world(
        epoch=3,
        phase="PEACE",
        players={p: {"party": p, **players[p]} for p in given},
        track=["norway"],
        **conflict(row["level"]),
    )
    assert wars.level(table) == row["level"]
    orders = sort_mails(table.state, [mail(party, f"PEACE {pawns}") for party, pawns in given.items()], 5)
    peace.intervene(table, orders)
    assert {p: player.victory - 9 for p, player in table.players.items()} == row["victory_change"]
    kinds = [event.type() for event in table.events]
    assert ("peace_made" in kinds) is row["success"]
    assert [str(e.facts()["seat"]) for e in table.events if e.type() == "peace_led"] == (
        [row["leader"]] if row["leader"] else []
    )
    if "held_back" in row:
        assert {p: player.pawns for p, player in table.players.items()} == row["held_back"]


@pytest.mark.parametrize("row", [row for row in rows("intervention") if "plan" in row.values[0]])
def test_plans(row: dict[str, Any]) -> None:
    """What a pool ends in the order of a plan (R51)."""
    table = world(epoch=3, members=["greece"], track=["norway"], war=list(row["wars"]), tension=row["tensions"])
    assert wars.level(table) == row["level"]
    assert {country: wars.price(table, country) for country in row["wars"]} == row["wars"]
    wars.spend(table, row["pool"], row["plan"])
    assert [e.facts()["country"] for e in table.events if e.type() == "conflict_ended"] == row["cleared"]
    assert sorted(table.markers) == sorted(row["left"])


@pytest.mark.parametrize("row", rows("president"))
def test_presidents(row: dict[str, Any]) -> None:
    """3 victory points, or 2 for each of several (R56)."""
    players = {party: {"party": party, "political": points} for party, points in row["political"].items()}
    table: World = world(epoch=4, phase="VOTE1", players=players, track=[])
    victory.finish(table)
    assert {party: player.victory for party, player in table.players.items()} == row["victory_gain"]


@pytest.mark.parametrize("row", rows("final_level"))
def test_final_levels(row: dict[str, Any]) -> None:
    """The quality of the victory (R58)."""
    assert GAME.board.quality(row["points"]) == row["id"]
