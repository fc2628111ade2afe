"""The data of the board, against what is known of it (chapter 6), and what the rules say of the start (chapter 2)."""

from league.games.europa.board import EPOCHS
from league.resources import tables
from tests.games.europa.tables import GAME

BOARD = GAME.board
SETUP = tables("league.games.europa")["setup"]
ENTERED = {number: [c.id for c in BOARD.countries if c.round == number] for number in range(EPOCHS + 1)}


def reached(countries: list[str]) -> set[str]:
    """What can be reached from the first of some countries without leaving them."""
    found, edge = {countries[0]}, [countries[0]]
    while edge:
        fresh = (set(BOARD.links[edge.pop()]) & set(countries)) - found
        found |= fresh
        edge += fresh
    return found


def test_thirty_eight_countries_in_three_portions() -> None:
    """15, 4 and 19 cards, none in the last epoch, four for information; the open map hangs together (R6, R60)."""
    assert [len(ENTERED[number]) for number in range(EPOCHS + 1)] == [4, 15, 4, 19, 0]
    assert len(BOARD.playable) == 38
    assert reached(ENTERED[1]) == set(ENTERED[1])
    assert reached(ENTERED[1] + ENTERED[2]) == set(ENTERED[1] + ENTERED[2])


def test_four_cards_are_for_information() -> None:
    """Andorra, Liechtenstein, Monaco and San Marino never enter play and have no neighbour (R5)."""
    assert ENTERED[0] == ["andorra", "liechtenstein", "monaco", "san_marino"]
    assert len(BOARD.countries) == 42
    assert all(BOARD.links[country] == () for country in ENTERED[0])


def test_values_and_resistances() -> None:
    """Every political value is 2, 4 or a multiple of 6, every resistance 1 to 6 (R61)."""
    cards = [c for c in BOARD.countries if c.round]
    assert all(card.political in (2, 4) or card.political % 6 == 0 for card in cards)
    assert {card.resistance for card in cards} == {1, 2, 3, 4, 5, 6}


def test_neighbours_that_are_known() -> None:
    """Yugoslavia has seven neighbours, Macedonia four; links hold both ways, and a border is a link (R62)."""
    assert len(BOARD.borders["yugoslavia"]) == 7
    assert set(BOARD.borders["macedonia"]) == {"albania", "bulgaria", "greece", "yugoslavia"}
    for country, near in BOARD.links.items():
        assert all(country in BOARD.links[other] for other in near)
        assert set(BOARD.borders[country]) <= set(near)


def test_the_risk_table_is_one_to_one() -> None:
    """The sums 2 to 20 name the 19 countries of epoch 3 once each; the likeliest, 11, is Yugoslavia (R63)."""
    assert sorted(BOARD.risks) == list(range(2, 21))
    assert sorted(BOARD.risks.values()) == sorted(ENTERED[3])
    assert BOARD.risks[11] == "yugoslavia"


def test_overlays_hide_what_enters_later() -> None:
    """Four overlays, two a time, hide the 23 countries of epochs 2 and 3 (R7)."""
    hidden = {
        number: sorted(c for o in BOARD.epochs[number - 1].overlays for c in BOARD.overlays[o]) for number in (2, 3)
    }
    assert hidden == {2: sorted(ENTERED[2]), 3: sorted(ENTERED[3])}
    assert [len(epoch.overlays) for epoch in BOARD.epochs] == [0, 2, 2, 0]
    assert SETUP["name_plate"]["covers"] in BOARD.overlays["soviet_union"]


def test_start_values_agree_with_the_pawns_they_yield() -> None:
    """The pawns printed beside the start values are what a tenth of the political points gives (R3, R14)."""
    assert {row["players"]: (row["political"], row["pawns"]) for row in SETUP["start"]} == {
        players: (political, political // 10) for players, political in BOARD.start.items()
    }
    assert sorted(BOARD.start) == [3, 4, 5, 6]


def test_four_epochs_two_of_them_with_risks() -> None:
    """Exactly four rounds (R2); risks of war in the last two (R10)."""
    assert [epoch.number for epoch in BOARD.epochs] == [1, 2, 3, 4]
    assert [epoch.risks for epoch in BOARD.epochs] == [False, False, True, True]


def test_constants_of_the_files_are_those_of_the_rules() -> None:
    """What stands both in the code and in the file's components is the same."""
    from league.games.europa import board

    scoring, parts = SETUP["scoring"], SETUP["components"]
    assert (scoring["max_coalition"], scoring["pawn_divisor"]) == (board.LARGEST, board.DIVISOR)
    assert parts["pawns_per_party"] == board.FIGURES
    assert parts["country_cards"] == len(BOARD.countries)
    assert SETUP["meta"]["rounds"] == EPOCHS
    assert (SETUP["meta"]["players_min"], SETUP["meta"]["players_max"]) == GAME.meta.seats
