"""What a program that plays may choose: every legal move of a position, and no other."""

from typing import Any

import pytest

from league.desk import registry
from league.games.kuel.choices import legal_moves, points, text
from league.games.kuel.orders import Attack, Bid, Devastate, Join, Leave, Move, Pass, Take
from league.games.kuel.state import State


def game() -> Any:
    return registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, {}))


def moves(owner: dict[str, str], seat: str = "a", *, score: int = 9, **markers: Any) -> list[Move]:
    owner = {"ireland": "z"} | owner  # Portugal's other neighbour, and nobody can attack it
    state = State(5, dict.fromkeys(sorted(set(owner.values())), score), owner, **markers)
    return list(legal_moves(game(), state, seat))


def test_neighbours_that_are_free_are_taken() -> None:
    """From Portugal one comes to Spain alone, and a last country can't be left (K6, K14)."""
    assert moves({"portugal": "a"}) == [Take("spain"), Pass()]


def test_neighbours_that_are_owned_are_attacked() -> None:
    """Who owns two countries or more can be attacked, his last one can't (K6)."""
    assert moves({"portugal": "a", "spain": "b", "italy": "b"}) == [Attack("spain"), Pass()]
    assert moves({"portugal": "a", "spain": "b"}) == [Pass()]


@pytest.mark.parametrize("marker", ["devastation", "auctions"])
def test_closed_countries_are_not_entered(marker: str) -> None:
    """Neither a devastated country nor one at auction is taken (K41, K53)."""
    markers: dict[str, Any] = {marker: {"spain": 2}}
    assert moves({"portugal": "a"}, **markers) == [Pass()]


def test_a_civil_war_needs_twenty_points() -> None:
    """Mercenaries cost twenty points, and exactly twenty are enough (K42)."""
    assert moves({"portugal": "a"}, score=20, civil_war={"spain": 0}) == [Take("spain"), Pass()]
    assert moves({"portugal": "a"}, score=19, civil_war={"spain": 0}) == [Pass()]
    assert moves({"portugal": "a"}, score=20, civil_war={"spain": 0}, devastation={"spain": 1}) == [Pass()]


def test_what_is_left_and_devastated() -> None:
    """Own countries are left in the board's order, devastated by who has ten points, unless they are rebuilt (K55)."""
    own = {"portugal": "a", "spain": "a"}
    both = [Leave("spain"), Leave("portugal"), Pass()]
    assert moves(own)[-3:] == both
    devastating = [Leave("spain"), Devastate("spain"), Leave("portugal"), Devastate("portugal"), Pass()]
    assert moves(own, score=10)[-5:] == devastating
    assert moves(own, payments={"spain": 1})[-2:] == [Leave("portugal"), Pass()]


def conquests(*own: str) -> int:
    return sum(isinstance(move, (Take, Attack)) for move in moves(dict.fromkeys(own, "a")))


def test_the_limits() -> None:
    """Nine may become ten; with Berlin, Vienna and Rome fourteen may become fifteen (K4, K62)."""
    names = [name for name in game().board.by_id if name not in {"germany", "austria", "italy"}]
    axis = ("germany", "austria", "italy")
    assert conquests(*names[:9]) > 0
    assert conquests(*names[:10]) == 0
    assert conquests(*axis, *names[:7]) > 0
    assert conquests(*axis, *names[:11]) > 0
    assert conquests(*axis, *names[:12]) == 0
    assert conquests(*axis[:2], *names[:8]) == 0


@pytest.mark.parametrize("marker", ["devastation", "auctions", "civil_war"])
def test_where_a_newcomer_may_enter(marker: str) -> None:
    """A free edge country without a marker; where there is none, any (K35, K37)."""
    edge = game().board.edge_ids
    markers: dict[str, Any] = {marker: {edge[1]: 1}}
    free = [Join(country) for country in edge[2:]]
    assert moves({edge[0]: "b"}, "n", **markers) == free
    assert moves(dict.fromkeys(edge, "b"), "n") == [Join(country) for country in edge]


def test_what_a_holding_brings() -> None:
    """Points of all items and penalties; with the three German-speaking countries no penalty (K60 to K62, K70)."""
    mask = game().board.mask
    assert points(game(), 0) == 0
    assert points(game(), mask(["germany", "netherlands"])) == 2 - 6
    assert points(game(), mask(["germany", "austria", "switzerland"])) == 3 + 15
    assert points(game(), mask(["switzerland"])) == 1 + 14


def test_orders_in_three_languages() -> None:
    """A line an order, in words that are read back."""
    orders = (
        Take("spain"),
        Attack("italy"),
        Leave("norway"),
        Devastate("spain"),
        Bid("greece", 7),
        Join("spain"),
        Pass(),
    )
    assert text(game(), orders, "de").splitlines() == [
        "nimm Spanien",
        "greife Italien an",
        "verlasse Norwegen",
        "verwüste Spanien",
        "biete 7 auf Griechenland",
        "einsteigen in Spanien",
        "passe",
    ]
    state = State(5, {}, {})
    for lang in ("de", "en", "nl"):
        read = game().parse(state, "a", "\n".join(text(game(), [order], lang) for order in orders))
        assert read.orders == orders
