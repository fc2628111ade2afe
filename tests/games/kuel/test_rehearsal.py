"""What a seat is told before the deadline, from its own orders alone (K90), holds where it is called certain."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from league.core.game import Turn
from league.core.orders import Fate, OrderMail, Rehearsed
from league.desk import registry
from league.desk.adjudicate import _turn
from league.desk.words import say
from tests.naive.kuel import Document
from tests.naive.leagues import leagues

SOAK = os.environ.get("LEAGUE_SOAK") == "1"
LEAGUES = 40 * (50 if SOAK else 1)


def game_of(document: Document) -> Any:
    options = registry.check_options(registry.plugin("kuel").meta, document.get("options", {}))
    return registry.load("kuel", options)


def in_time(turn: Turn[Any]) -> Turn[Any]:
    """The turn without what came outside the window, and without the orders of who left."""

    def inside(received: datetime | None) -> bool:
        return received is None or turn.window is None or turn.window.opens <= received <= turn.window.closes

    mails = tuple(m for m in turn.mails if inside(m.received) and m.seat not in turn.left)
    return replace(turn, mails=mails, over=True)


def told(seed: int) -> Iterator[tuple[Rehearsed, Fate | None, str]]:
    """Every rehearsed line of a random league with what became of it in the end."""
    for document in list(leagues(seed, rounds=1 + seed % 8))[2::3]:
        game = game_of(document)
        state = game.restore(document["position"])
        turn = in_time(_turn(document, game, state))
        fates = game.adjudicate(state, turn).fates
        for seat in sorted({m.seat for m in turn.mails}):
            places = [place for place, mail in enumerate(turn.mails) if mail.seat == seat]
            for said in game.rehearse(state, seat, [turn.mails[place] for place in places]):
                ruling = fates[places[said.mail]].lines[said.line]
                yield said, ruling.fate, ruling.reason


@pytest.mark.parametrize("seed", range(LEAGUES))
def test_nothing_that_others_do_contradicts_what_is_certain(seed: int) -> None:
    """Whatever the others order and report, whoever retires or joins: a certain fate comes true."""
    for said, fate, reason in told(seed):
        if said.certain and fate is not None:
            assert fate == said.ruling.fate, (said, fate, reason)


def test_every_reason_is_rehearsed_and_no_reason_is_always_doubted_in_vain() -> None:
    """The random leagues reach certain and uncertain fates for the reasons that can be both."""
    sure: Counter[str] = Counter()
    doubted: Counter[str] = Counter()
    for seed in range(LEAGUES):
        for said, _, _ in told(seed):
            (sure if said.certain else doubted)[said.ruling.reason] += 1
            assert said.certain == (not said.hinges)
    both = {"done", "not_neighbour", "own_country", "at_limit", "cannot_pay", "not_owner", "give_not_needed"}
    assert both <= set(sure), both - set(sure)
    assert {"battle", "done", "own_country", "occupied", "open_auction", "last_country"} <= set(doubted)


PLAIN: dict[str, Any] = {
    "round": 5,
    "players": {
        "Anna": {"score": 20, "owns": ["spain", "poland"]},
        "Ben": {"score": 10, "owns": ["germany", "denmark"]},
    },
    "markers": {"portugal": {"devastation": 2}, "iceland": {"civil_war": True}},
}


def rehearsed(text: str, seat: str = "Anna", position: Any = PLAIN, **options: Any) -> Rehearsed:
    game = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, options))
    state = game.restore({"newcomers": [], **position})
    (said,) = game.rehearse(state, seat, [OrderMail(seat, game.parse(state, seat, text, {"Ben": "Ben"}))])
    return said


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("take italy", "not_neighbour"),
        ("take portugal", "devastated"),
        ("take spain", "own_country"),
        ("leave spain", "not_owner"),
        ("bid 3 on italy", "no_auction"),
        ("give spain", "give_not_needed"),
        ("join ireland", "not_newcomer"),
        ("rematch spain", "no_rematch"),
        ("map spain: france", "no_right"),
        ("settings spain: slow", "no_right"),
        ("pass", "pass"),
    ],
)
def test_what_others_can_t_change_is_certain(text: str, reason: str) -> None:
    """Anna's orders that hang on nobody."""
    position = PLAIN
    if text.startswith("leave"):
        position = {**PLAIN, "players": {**PLAIN["players"], "Anna": {"score": 20, "owns": ["poland"]}}}
    said = rehearsed(text, position=position)
    assert (said.certain, said.ruling.reason, said.hinges) == (True, reason, ())


@pytest.mark.parametrize(
    ("text", "hinges"),
    [
        ("take france", ["if_unclaimed"]),
        ("take slovakia", ["if_near"]),
        ("take czech republic", ["if_unclaimed", "if_near"]),
        ("take germany", ["unless_left"]),
        ("attack germany", ["if_owner_stays", "if_near"]),
        ("take poland", ["unless_lost"]),
        ("leave poland", ["if_kept"]),
        ("result germany won", ["if_fought"]),
    ],
)
def test_what_hangs_on_others_says_on_what(text: str, hinges: list[str]) -> None:
    """Ben could attack Poland or be first; a newcomer could join where Anna claims."""
    said = rehearsed(text)
    assert (said.certain, [h.code for h in said.hinges]) == (False, hinges)


def test_who_moves_first_knows_more() -> None:
    """With the lowest score nobody can take a neighbour away before, and where no other reaches the claim is sure."""
    players = {**PLAIN["players"], "Anna": {"score": 5, "owns": ["spain", "poland"]}}
    said = rehearsed("take slovakia", position={**PLAIN, "players": players})
    assert (said.certain, said.ruling.fate) == (True, Fate.DONE)


def test_only_the_seat_s_own_mails_are_looked_at() -> None:
    """Another seat's mail handed in by mistake changes nothing (K90)."""
    game = registry.load("kuel", {})
    state = game.restore({"newcomers": [], **PLAIN})
    own = OrderMail("Anna", game.parse(state, "Anna", "take france"))
    foreign = OrderMail("Ben", game.parse(state, "Ben", "leave germany"))
    assert game.rehearse(state, "Anna", [foreign, own]) == game.rehearse(state, "Anna", [own])


def test_all_that_is_told_has_words_in_every_language() -> None:
    """No hinge and no reason of the random leagues is left without a clause."""
    game = registry.load("kuel", {})
    words = {lang: say(game, lang) for lang in ("de", "en", "nl")}
    kinds = {(r.ruling.reason, r.certain, tuple(h.code for h in r.hinges)): r for s in range(10) for r, _, _ in told(s)}
    for said in kinds.values():
        for lang, spoken in words.items():
            assert all(spoken._say("rehearsal", hinge.code, hinge.facts) for hinge in said.hinges), (lang, said)
            assert "See the rule" not in words["en"].rehearsed(said), said
