"""The engine and the witness agree on random leagues. LEAGUE_SOAK=1 plays a hundred times as many."""

import os
from typing import Any

import pytest

from league.desk.play.adjudicate import adjudicate_document
from tests.naive.kuel import Document, evaluate
from tests.naive.leagues import leagues, sure

SOAK = os.environ.get("LEAGUE_SOAK") == "1"
LEAGUES = 40 * (100 if SOAK else 1)
REACHED = {  # what the leagues have to reach, or they would show nothing: fates with their rules
    ("done", "K24 K30 K32 K33 K35 K40 K41 K52 K63 K64"),
    ("failed", "K4 K6 K14 K15 K22 K23 K28 K29 K30 K32 K33 K35 K37 K39 K41 K42 K52 K53 K55 K63 K64"),
    ("lapsed", "11 K12 K26 K27 K35"),
    ("invalid", "11 K10 K13"),
    (None, "K34"),
}
WAITED_FOR = {"evidence dax_close", "evidence eurusd", "evidence lotto", "battle 1", "battle 2", "decision 1"}
WAITED_FOR |= {"battle 1 map", "battle 1 settings"}


def ruled(orders: list[Document], *, waiting: bool) -> list[tuple[Any, ...]]:
    """Every order's fate with its rule, the mail's own first.

    A `rematch` counts once nothing is pending: what it is while battles are open, the contract leaves open, as it does
    under which rule a reply waits.
    """
    fates: list[tuple[Any, ...]] = []
    for order in orders:
        fates.append((order["seat"], "own", order["fate"], order["rule"]))
        lines = [line for line in order["lines"] if not (waiting and line["line"].startswith("rematch"))]
        fates += [(order["seat"], line["line"], line["fate"], line["fate"] and line["rule"]) for line in lines]
    return fates


def plain(answer: Document) -> Document:
    """What both have to agree on."""
    orders = ruled(answer["orders"], waiting=bool(answer["pending"]))
    return {"position": answer["position"], "orders": orders, "pending": answer["pending"]}


@pytest.mark.parametrize("seed", range(LEAGUES))
def test_engine_and_witness_agree(seed: int) -> None:
    """On every round of a random league both come to the same position, the same fates and the same needs.

    About a third of the leagues have orders under conditions, a third lines that are marked as standing.
    """
    for document in leagues(seed, rounds=1 + seed % 20):
        if sure(document):
            assert plain(adjudicate_document(document)) == plain(evaluate(document))


def test_the_random_leagues_reach_the_rules() -> None:
    """Among the fates in the random leagues are all those that the rules of chapters 1 to 9 can give.

    So are all things that can be waited for: battles with terms and without, disputes, figures.
    """
    missing = {(fate, rule) for fate, rules in REACHED for rule in rules.split()}
    reached: set[str] = set()
    for seed in range(LEAGUES):
        for document in leagues(seed, rounds=1 + seed % 20):
            answer = evaluate(document)
            missing -= {(o["fate"], o["rule"]) for mail in answer["orders"] for o in [mail, *mail["lines"]]}
            for need in answer["pending"]:
                terms = "".join(f" {name}" for name in ("map", "settings") if name in need)
                reached.add(f"{need['kind']} {need.get('attempt', need.get('figure'))}{terms}")
        if not missing and reached >= WAITED_FOR:
            break
    assert missing == set()
    assert reached >= WAITED_FOR
