"""What holds in every match, whatever anybody orders. LEAGUE_SOAK=1 plays 10,000 matches."""

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from league.core.json import JsonDict
from league.games.europa.epochs import pawns_for
from league.records.canonical import canonical
from tests.games.europa.tables import GAME, Match, Step, europa

SOAK = os.environ.get("LEAGUE_SOAK") == "1"
SEEDS = range(10_000 if SOAK else 40)
KINDS = ("random", "diplomat", "diplomat", "silent")
VALUE = {card.id: card.political for card in GAME.board.countries}
SMALL = {2: 3, 4: 6}


def match(seed: int) -> Match:
    """Three to six players of every kind, in turn with other options."""
    bots = [KINDS[(seed + place * (1 + seed // 4)) % len(KINDS)] for place in range(3 + seed % 4)]
    scope = ("adjacent", "eu_border")[seed // 2 % 2]
    game = europa(elections_per_mail=(5, 1, 0, 8)[seed % 4], move_scope=scope)
    return Match(f"property {seed}", bots, game, ("en", "de", "nl")[seed % 3])


class Ledger:
    """What events alone say that everybody has: a second way to count."""

    def __init__(self) -> None:
        self.political: dict[str, int] = {}
        self.victory: dict[str, int] = {}
        self.hand: dict[str, int] = {}
        self.board: dict[tuple[str, str], int] = {}
        self.members: set[str] = set()

    def note(self, event: JsonDict) -> None:
        facts: Mapping[str, Any] = event
        match facts["type"]:
            case "seated":
                self.political = {seat: facts["political"] for seat, _ in facts["table"]}
                self.victory = dict.fromkeys(self.political, 0)
            case "pawns_given":
                assert not self.board
                assert dict(facts["pawns"]) == {seat: pawns_for(points) for seat, points in self.political.items()}
                self.hand = dict(facts["pawns"])
            case "committed":
                for seat, pawns in facts["pawns"]:
                    self.take(seat, pawns)
                assert facts["total"] == sum(pawns for _, pawns in facts["pawns"])
            case "placed":
                self.take(facts["seat"], facts["pawns"])
                self.put(facts["country"], facts["seat"], facts["pawns"])
            case "pawns_lost":
                self.take(facts["seat"], facts["pawns"])
            case "election_opened":
                assert dict(facts["present"]) == self.here(facts["country"])
            case "joined" | "nationalists_won":
                self.over(facts)
            case "pawn_moved":
                self.put(facts["target"], facts["seat"], 1)
            case "shared":
                self.political[facts["seat"]] += facts["political"]
                self.victory[facts["seat"]] += facts["victory"]
            case "rewarded":
                self.victory[facts["seat"]] += facts["victory"]
            case "penalised":
                self.victory[facts["seat"]] -= facts["victory"]
            case "president":
                for seat in facts["seats"]:
                    self.victory[seat] += facts["victory"]

    def over(self, facts: Mapping[str, Any]) -> None:
        country = facts["country"]
        assert country not in self.members
        if facts["type"] == "joined":
            self.members.add(country)
            assert all(self.board.get((country, seat)) for seat in facts["coalition"])
        self.board = {key: pawns for key, pawns in self.board.items() if key[0] != country}

    def here(self, country: str) -> dict[str, int]:
        return {seat: pawns for (there, seat), pawns in self.board.items() if there == country}

    def take(self, seat: str, pawns: int) -> None:
        self.hand[seat] -= pawns
        assert self.hand[seat] >= 0

    def put(self, country: str, seat: str, pawns: int) -> None:
        self.board[country, seat] = self.board.get((country, seat), 0) + pawns


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_adds_up_to_what_the_events_say(seed: int) -> None:
    """Points, pawns in hand, pawns on the board and members are, after each deadline, what the events make of them."""
    ledger = Ledger()
    for step in match(seed).play():
        for event in step.outcome.events:
            ledger.note(event.facts())
        state = step.outcome.state
        assert {seat: player.political for seat, player in state.players.items()} == ledger.political
        assert {seat: player.victory for seat, player in state.players.items()} == ledger.victory
        assert {seat: player.pawns for seat, player in state.players.items()} == ledger.hand
        board = {(c, seat): pawns for c, here in state.board.items() for seat, pawns in here.items()}
        assert board == ledger.board
        assert set(state.members) == ledger.members
        follows_the_rules(step)


def follows_the_rules(step: Step) -> None:
    """Elections, track and markers of one deadline."""
    state = step.outcome.state
    assert set(state.track) | set(state.members) == set(GAME.board.available(state.epoch))
    assert not set(state.markers) & set(state.members)
    assert step.outcome.pending == ()
    events = [event.facts() for event in step.outcome.events]
    for vote in votes(events):
        assert vote["carried"] == (2 * vote["pawns"] > vote["total"] and not set(vote["no"]) & set(vote["coalition"]))
        assert len(vote["yes"]) + len(vote["no"]) == len(set(vote["yes"]) | set(vote["no"]))
    for country in [str(event["country"]) for event in events if event["type"] == "joined"]:
        shared = [int(str(e["political"])) for e in events if e["type"] == "shared" and e["country"] == country]
        value = VALUE[country]
        assert sum(shared) == (SMALL.get(value, value) if len(shared) == 3 else value)
        assert len(set(shared)) == 1


def votes(events: list[JsonDict]) -> Iterator[dict[str, Any]]:
    yield from (dict(event) for event in events if event["type"] == "voted")


@pytest.mark.parametrize("seed", SEEDS[: len(SEEDS) // 4])
def test_a_match_ends_and_every_position_is_one(seed: int) -> None:
    """Within 80 deadlines the match is over; each position is read back as it was, and a deadline is the same twice."""
    steps = list(match(seed).play())
    assert len(steps) < 80
    last = steps[-1].outcome.state
    assert (last.phase, last.epoch) == ("END", 4)
    for step in steps:
        state = step.outcome.state
        assert GAME.restore(json.loads(canonical(GAME.position(state)))) == state
    again = [step.outcome for step in match(seed).play()]
    assert again == [step.outcome for step in steps]


@pytest.mark.parametrize("seed", SEEDS[: len(SEEDS) // 4])
def test_the_dice_are_asked_for_only_where_something_is_left_to_chance(seed: int) -> None:
    """Without the draw a deadline either comes out the same or waits for the lottery, and nothing else."""
    from dataclasses import replace

    played = match(seed)
    for step in played.play():
        dry = played.game.adjudicate(step.before, replace(step.turn, dice=None))
        if dry.pending:
            assert dry.pending == ({"kind": "evidence", "figure": "lotto"},)
            assert dry.state == step.before
            assert dry.events == step.outcome.events[: len(dry.events)]
        else:
            assert dry == step.outcome
