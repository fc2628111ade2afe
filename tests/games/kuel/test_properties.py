"""What holds in every KUEL round, whatever anybody orders."""

import json
import os
import random  # noqa: TID251  # seeded: the same rounds in every run
import subprocess
import sys
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput
from league.core.json import Json
from league.desk import registry
from league.desk.play.adjudicate import adjudicate_document
from tests.naive.kuel import GRACE, GROUPS, Document, deadline, moment
from tests.naive.leagues import leagues

ROOT = Path(__file__).parents[3]
SOAK = os.environ.get("LEAGUE_SOAK") == "1"
SEEDS = range(10_000, 10_000 + (1_000 if SOAK else 10))
COSTS = {"auction_won": ("paid", "mercenaries"), "taken": ("paid",), "conquered": ("paid",)}
COSTS |= {"devastated": ("paid",), "reconstruction": ("paid",)}
PROGRAM = """
import hashlib, json, sys
from league.desk.play.adjudicate import adjudicate_document
for line in sys.stdin:
    answer = json.dumps(adjudicate_document(json.loads(line)), default=str)
    print(hashlib.sha256(answer.encode()).hexdigest())
"""


def rounds(seed: int) -> list[Document]:
    """The rounds of a random league, each three times: twice with less known, then whole."""
    return list(leagues(seed, rounds=6))


def whole(seed: int) -> list[Document]:
    """Those rounds in which nothing is missing."""
    return rounds(seed)[2::3]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_country_has_one_owner_and_a_player_a_country(seed: int) -> None:
    """After every round no country has two owners, and whoever was in the game still owns one."""
    for document in rounds(seed):
        after = adjudicate_document(document)["position"]["players"]
        owned = [c for player in after.values() for c in player["owns"]]
        assert len(owned) == len(set(owned))
        assert all(player["owns"] for player in after.values())
        assert set(document["position"]["players"]) - set(document.get("retired", [])) <= set(after)


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_grows_past_his_limit(seed: int) -> None:
    """Who owns more countries than before owns at most ten, or fifteen with Berlin, Vienna and Rome (K4, K62)."""
    for document in rounds(seed):
        before = document["position"]["players"]
        for seat, player in adjudicate_document(document)["position"]["players"].items():
            held = before.get(seat, {"owns": []})["owns"]
            if len(player["owns"]) > len(held):
                axis = GROUPS["axis"] <= {*player["owns"], *held}
                assert len(player["owns"]) <= (15 if axis else 10)


@pytest.mark.parametrize("seed", SEEDS)
def test_points_add_up_to_what_the_events_say(seed: int) -> None:
    """From the score before, event by event, one comes exactly to the score after."""
    for document in whole(seed):
        answer = adjudicate_document(document)
        score = {seat: player["score"] for seat, player in document["position"]["players"].items()}
        for event in answer["events"]:
            count(score, event)
        assert score == {seat: player["score"] for seat, player in answer["position"]["players"].items()}


def count(score: dict[str, int], event: dict[str, Any]) -> None:
    """What one event does to the scores."""
    seat, kind = event.get("seat"), event["type"]
    if kind in {"joined", "gave_way"}:
        score[event["seat"]] = 0
    elif kind == "retired":
        score.pop(event["seat"], None)
    elif kind == "points":
        score[event["seat"]] += event["points"]
    elif kind == "world_collapse":
        assert score[event["seat"]] == event["before"]
        score[event["seat"]] = event["after"]
    elif kind in COSTS and seat in score:
        score[seat] -= sum(event[name] for name in COSTS[kind])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_in_which_mails_are_stored_does_not_matter(seed: int) -> None:
    """Where no two mails came in the same second, shuffling the file changes no outcome, no event and no refusal."""
    dice = random.Random(seed)
    for document in rounds(seed):
        timed = with_times_of_their_own(dice, document)
        shuffled = deepcopy(timed)
        dice.shuffle(shuffled["orders"])
        first, second = answered(timed), answered(shuffled)
        for answer in (first, second):
            answer["orders"].sort(key=lambda order: order["received"])
        assert first == second


def answered(document: Document) -> Document:
    """The outcome, or why there is none: at its new times a mail may keep a winner out of the battle that he won."""
    try:
        return adjudicate_document(document)
    except BadInput as refused:
        return {"orders": [], "refused": str(refused)}


def with_times_of_their_own(dice: random.Random, document: Document) -> Document:
    """The same mails, each at another second of the window, or after the freeze if that is where it came."""
    end = deadline(document)
    assert end is not None
    timed = deepcopy(document)
    seconds = dice.sample(range(1, 90 * 3600), len(timed["orders"]))
    for mail, away in zip(timed["orders"], seconds, strict=True):
        late = "received" in mail and moment(mail["received"]) > end + GRACE
        moved = GRACE + timedelta(seconds=away) if late else -timedelta(seconds=away)
        mail["received"] = (end + moved).isoformat()
    return timed


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_a_positions_tables_does_not_matter(seed: int) -> None:
    """A position is its facts: written down with its players and markers the other way round, it plays the same."""
    for document in rounds(seed):
        turned = deepcopy(document)
        for table in ("players", "markers"):
            turned["position"][table] = dict(reversed(list(document["position"][table].items())))
        first, second = adjudicate_document(document), adjudicate_document(turned)
        assert first["position"] == second["position"]
        assert [first["orders"], first["pending"]] == [second["orders"], second["pending"]]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_position_read_back_is_the_same(seed: int) -> None:
    """A position, restored and written down again, is the position."""
    for document in rounds(seed):
        answer = adjudicate_document(document)
        options = registry.check_options(registry.plugin("kuel").meta, document["options"])
        rules = registry.load("kuel", options)
        position: Json = json.loads(json.dumps(answer["position"]))
        assert rules.position(rules.restore(position)) == position


@pytest.mark.parametrize("seed", SEEDS)
def test_results_one_by_one_equal_results_at_once(seed: int) -> None:
    """Entering each battle's result as soon as it is asked for ends where all results together end."""
    dice = random.Random(seed)
    for document in whole(seed):
        step = {**document, "results": []}
        answer = adjudicate_document(step)
        while answer["pending"]:
            assert answer["position"]["round"] == document["position"]["round"]
            need = dice.choice([need for need in answer["pending"] if need["kind"] == "battle"])
            winner = dice.choice(need["fighters"])
            result = {"country": need["country"], "winner": winner, "attempt": need["attempt"]}
            step = {**step, "results": [*step["results"], result]}
            answer = adjudicate_document(step)
        together = {**step, "results": dice.sample(step["results"], len(step["results"]))}
        assert adjudicate_document(together) == answer


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_sure_stays(seed: int) -> None:
    """What a provisional outcome says of an order's fate no later result takes back."""
    for document in whole(seed):
        early = adjudicate_document({**document, "results": document.get("results", [])[:1]})
        final = adjudicate_document(document)
        for before, after in zip(early["orders"], final["orders"], strict=True):
            assert before["fate"] in {None, after["fate"]}


def test_the_same_under_two_hash_seeds() -> None:
    """However Python orders its sets, the same rounds give the same bytes."""
    lines = "".join(f"{json.dumps(document)}\n" for seed in SEEDS[:10] for document in rounds(seed))
    answers = []
    for hash_seed in ("1", "4242"):
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=lines,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        answers.append(run.stdout)
    assert answers[0] == answers[1]
    assert len(set(answers[0].split())) > 100
