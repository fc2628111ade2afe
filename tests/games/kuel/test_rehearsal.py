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
from league.desk.play.adjudicate import _turn
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


AUCTION: dict[str, Any] = {**PLAIN, "markers": {"portugal": {"collapse": {"auction_rounds_left": 2}}}}
WAR: dict[str, Any] = {**PLAIN, "markers": {"france": {"civil_war": True}}}
FEW: dict[str, Any] = {
    **PLAIN,
    "players": {"Anna": {"score": 20, "owns": ["spain"]}, "Ben": {"score": 10, "owns": ["france"]}},
}


def told_of(text: str, position: Any, line: int = 0, **options: Any) -> tuple[Any, ...]:
    """Reason and rule of a line in a mail, and what it hangs on with all facts."""
    game = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, options))
    state = game.restore({"newcomers": [], **position})
    said = game.rehearse(state, "Anna", [OrderMail("Anna", game.parse(state, "Anna", text, {"Ben": "Ben"}))])[line]
    return said.ruling.reason, said.ruling.rule, [(h.code, dict(h.facts)) for h in said.hinges]


@pytest.mark.parametrize(
    ("text", "position", "told"),
    [
        ("take poland", PLAIN, ("own_country", "K23", [("unless_lost", {"country": "poland"})])),
        ("take slovakia", PLAIN, ("done", "K24", [("if_near", {"country": "slovakia"})])),
        ("take germany", PLAIN, ("occupied", "K29", [("unless_left", {"seat": "Ben"})])),
        (
            "attack germany",
            PLAIN,
            ("battle", "K25", [("if_owner_stays", {"seat": "Ben"}), ("if_near", {"country": "germany"})]),
        ),
        ("leave poland", PLAIN, ("done", "K40", [("if_kept", {"country": "poland"})])),
        ("attack france", FEW, ("last_country", "K6", [("unless_second", {"seat": "Ben"})])),
        ("leave spain", FEW, ("last_country", "K6", [])),
        ("take portugal", AUCTION, ("open_auction", "K53", [("unless_awarded", {})])),
        ("bid 3 portugal\ntake portugal", AUCTION, ("own_country", "K23", [("unless_lost", {"country": "portugal"})])),
        (
            "bid 3 portugal\ntake ireland",
            AUCTION,
            ("done", "K24", [("if_unclaimed", {}), ("if_near", {"country": "ireland"})]),
        ),
        (
            "bid 3 portugal\nleave portugal",
            AUCTION,
            ("done", "K40", [("if_kept", {"country": "portugal"}), ("if_another", {})]),
        ),
        ("bid 3 portugal\ntake italy", AUCTION, ("not_neighbour", "K28", [])),
        ("take ireland", AUCTION, ("not_neighbour", "K28", [])),
        ("take france", WAR, ("done", "K24", [])),
        (
            "bid 21 portugal\nleave portugal",
            AUCTION,
            ("not_owner", "K14", [("unless_auction", {"country": "portugal"})]),
        ),
        (
            "bid 21 portugal\ntake ireland",
            AUCTION,
            ("not_neighbour", "K28", [("unless_won_near", {"country": "ireland"})]),
        ),
        ("result germany won", PLAIN, ("reply", "K33", [("if_fought", {"country": "germany"})])),
    ],
)
def test_what_it_hangs_on_is_told_with_its_facts(text: str, position: Any, told: Any) -> None:
    """The country, or whoever it hangs on, is named."""
    line = next(n for n, one in enumerate(text.splitlines()) if not one.startswith("bid"))
    assert told_of(text, position, line) == told


def test_a_rival_needs_twenty_points_in_a_civil_war() -> None:
    """Ben borders France's civil war: with twenty points he may claim it too, with nineteen he can't (K42)."""
    for score, hinges in ((20, ["if_unclaimed"]), (19, [])):
        players = {
            "Anna": {"score": 20, "owns": ["spain", "poland"]},
            "Ben": {"score": score, "owns": ["germany", "denmark"]},
        }
        assert [code for code, _ in told_of("take france", {**WAR, "players": players})[2]] == hinges


SEVEN = ["spain", "france", "belgium", "netherlands", "germany", "denmark", "poland"]


def auction(anna: tuple[int, list[str]], ben: tuple[int, list[str]], **markers: Any) -> dict[str, Any]:
    """Portugal and Greece are up for auction."""
    players = {"Anna": {"score": anna[0], "owns": anna[1]}, "Ben": {"score": ben[0], "owns": ben[1]}}
    open_to_all = {
        "portugal": {"collapse": {"auction_rounds_left": 2}},
        "greece": {"collapse": {"auction_rounds_left": 2}},
    }
    for country, marker in markers.items():
        open_to_all[country] = {**open_to_all.get(country, {}), **marker}
    return {"round": 5, "players": players, "markers": open_to_all}


HOME, SWISS, BENS = ["spain", "poland"], ["switzerland", "ireland"], ["norway", "sweden"]
WAR_THERE = {"civil_war": True}


@pytest.mark.parametrize(
    ("text", "position", "hinges"),
    [
        ("bid 10 greece", auction((50, HOME), (9, BENS)), []),
        ("bid 10 greece", auction((50, HOME), (10, BENS)), ["if_highest"]),
        ("bid 10 greece", auction((50, HOME), (5, SWISS)), ["if_highest"]),
        ("bid 11 greece", auction((50, HOME), (5, SWISS)), []),
        ("bid 10 greece", auction((50, SWISS), (19, BENS)), []),
        ("bid 10 greece", auction((50, SWISS), (20, BENS)), ["if_highest"]),
        ("bid 10 greece\nbid 1 portugal", auction((50, SWISS), (15, BENS)), ["if_highest"]),
        ("bid 10 greece", auction((50, HOME), (29, BENS), greece=WAR_THERE), []),
        ("bid 10 greece", auction((50, HOME), (30, BENS), greece=WAR_THERE), ["if_highest"]),
        ("bid 10 greece", auction((50, HOME), (30, BENS), portugal=WAR_THERE), ["if_highest"]),
        ("bid 30 greece\nbid 21 portugal", auction((50, HOME), (1, BENS)), ["unless_outbid"]),
        ("bid 50 greece", auction((50, HOME), (1, BENS)), []),
        ("bid 51 greece", auction((50, HOME), (1, BENS)), []),
        ("bid 31 greece", auction((50, HOME), (1, BENS), greece=WAR_THERE), []),
        ("bid 50 greece\nbid 1 portugal", auction((50, HOME), (1, BENS)), ["unless_outbid"]),
        ("bid 5 greece\nbid 5 portugal", auction((50, [*SEVEN, "slovakia"]), (1, BENS)), ["if_room"]),
        ("bid 5 greece", auction((50, [*SEVEN, "slovakia", "hungary"]), (1, BENS)), []),
        ("bid 5 greece\nbid 5 portugal", auction((50, [*SEVEN, "slovakia", "hungary"]), (1, BENS)), ["unless_outbid"]),
        ("bid 5 greece", auction((50, [*SEVEN, "slovakia", "hungary", "austria"]), (1, BENS)), []),
    ],
)
def test_what_a_bid_hangs_on(text: str, position: Any, hinges: list[str]) -> None:
    """Who else has the points for as much (K15, K52, K54), the currency bonus (K69), the limit (K4)."""
    assert [code for code, _ in told_of(text, position)[2]] == hinges


@pytest.mark.parametrize(
    ("text", "position", "told"),
    [
        ("bid 51 greece\nleave spain", auction((50, ["spain"]), (1, BENS)), ("last_country", ["unless_won_any"])),
        ("bid 3 greece\ndevastate spain", auction((12, HOME), (1, BENS)), ("no_points", ["unless_outbid"])),
        ("bid 3 greece\ndevastate spain", auction((9, HOME), (1, BENS)), ("no_points", [])),
        ("bid 3 greece\ndevastate spain", auction((10, HOME), (1, BENS)), ("no_points", ["unless_outbid"])),
        ("bid 3 greece\ndevastate spain", auction((13, HOME), (1, BENS)), ("done", ["if_kept", "if_another"])),
        (
            "bid 51 greece\ndevastate spain",
            auction((50, HOME), (1, BENS)),
            ("done", ["if_kept", "if_another", "if_points"]),
        ),
        ("bid 51 greece\nleave spain", auction((50, HOME), (1, BENS)), ("done", ["if_kept", "if_another"])),
        (
            "bid 3 greece\ntake france",
            auction((20, HOME), (1, BENS), france=WAR_THERE),
            ("no_mercenaries", ["unless_outbid"]),
        ),
        ("bid 3 greece\ntake france", auction((19, HOME), (1, BENS), france=WAR_THERE), ("no_mercenaries", [])),
        (
            "bid 51 greece\ntake france",
            auction((50, HOME), (1, BENS), france=WAR_THERE),
            ("done", ["if_near", "if_points"]),
        ),
        ("bid 51 greece\ntake france", auction((71, HOME), (1, BENS), france=WAR_THERE), ("done", ["if_near"])),
        (
            "pass\nleave spain",
            auction((5, HOME), (1, ["france", "norway"]), spain={"collapse": {"payments_left": 1}}),
            ("reconstruction", []),
        ),
    ],
)
def test_what_a_move_beside_a_bid_hangs_on(text: str, position: Any, told: tuple[str, list[str]]) -> None:
    """A bid may cost the points that the move needs, and may bring the country that it hangs on."""
    reason, _, hinges = told_of(text, position, -1)
    assert (reason, [code for code, _ in hinges]) == told


@pytest.mark.parametrize(
    ("text", "markers", "told"),
    [
        ("join Germany", {}, ("not_edge", True, [])),
        ("join Greece", {"greece": {"devastation": 1}}, ("field_marked", True, [])),
        ("join Greece", {"greece": WAR_THERE}, ("field_marked", True, [])),
        (
            "join Greece",
            {"greece": {"collapse": {"auction_rounds_left": 1}}},
            ("field_marked", False, ["unless_cleared"]),
        ),
        (
            "join Greece",
            {"greece": {**WAR_THERE, "collapse": {"auction_rounds_left": 1}}},
            ("field_marked", False, ["unless_cleared"]),
        ),
        ("join Spain", {}, ("occupied", False, ["unless_left"])),
        ("join Italy", {}, ("done", False, ["if_unclaimed", "if_place"])),
        ("take Italy", {}, ("newcomer_move", True, [])),
        ("bid 1 greece", {"greece": {"collapse": {"auction_rounds_left": 1}}}, ("newcomer_bid", True, [])),
    ],
)
def test_what_a_newcomer_s_choice_hangs_on(text: str, markers: Any, told: Any) -> None:
    """A marker that lasts is certain, one that an auction may take away isn't (K35, K37)."""
    said = rehearsed(text, "Nora", {**PLAIN, "markers": markers, "newcomers": ["Nora"]})
    assert (said.ruling.reason, said.certain, [h.code for h in said.hinges]) == told


EDGES = [
    "iceland",
    "ireland",
    "portugal",
    "great_britain",
    "france",
    "norway",
    "italy",
    "sweden",
    "finland",
    "bulgaria",
]


def test_what_a_newcomer_hangs_on_where_no_edge_is_free() -> None:
    """Who gives, and whether anybody can, may change till then (K35, K39)."""
    players = {"Anna": {"score": 1, "owns": EDGES}, "Ben": {"score": 1, "owns": ["spain", "soviet_union", "greece"]}}
    full = {"round": 5, "players": players, "newcomers": ["Nora"]}
    given = rehearsed("join Greece", "Nora", full)
    assert (given.ruling.reason, [h.code for h in given.hinges]) == ("given", ["if_no_edge"])
    place = rehearsed("join Greece", "Nora", full, max_players=2)
    assert (place.ruling.reason, [h.code for h in place.hinges]) == ("full", ["unless_place"])
    alone = {name: {"score": 1, "owns": [name]} for name in (*EDGES, "spain", "soviet_union", "greece")}
    waits = rehearsed("join Greece", "Nora", {"round": 5, "players": alone, "newcomers": ["Nora"]})
    assert (waits.ruling.reason, [h.code for h in waits.hinges]) == ("nobody_gives", ["unless_giver"])


def test_a_condition_hangs_on_itself() -> None:
    """Which of the two orders it is nobody knows before its place; what is known by now is told with it."""
    on: Any = {"conditions": "on"}
    hinge: Any = [("if_condition", {})]
    assert told_of("if Portugal is devastated take France", PLAIN, **on) == ("done", "K24", hinge)
    assert told_of("if Germany is free take France", PLAIN, **on) == ("condition_false", "11", hinge)
    assert told_of("if Germany belongs to Ben attack Germany", PLAIN, **on) == ("reply", "11", hinge)


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
