"""Names of countries in other languages are never understood, and always lead to the country."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from league import resources
from league.desk import registry
from league.games.kuel.orders import Take
from league.language.exonyms import Exonyms

KUEL, EUROPA = registry.load("kuel", {}), registry.load("europa", {})
BOARD = tomllib.loads(Path("config/kuel/board.toml").read_text("utf-8"))
FIELDS = [field["id"] for field in BOARD["field"]]
NAMES = resources.exonyms()["names"]


def told(game: Any, line: str) -> tuple[str, tuple[str, ...]]:
    """Why a line wasn't understood, and which countries the answer names."""
    (read,) = game.parse(None, "", line).lines
    facts = read.mistake.facts
    named = [facts.get(key, ()) for key in ("countries", "suggestions", "candidates")]
    named.append([facts["country"]] if facts.get("country") else [])  # `Macedonia del Nord`: only the rest is too much
    return read.mistake.reason, next((tuple(some) for some in named if some), ())


def test_every_country_of_the_board_is_there() -> None:
    """All 28 of KUEL, each with names in many languages."""
    assert min(len(NAMES[country]) for country in FIELDS) >= 15


@pytest.mark.parametrize("country", FIELDS)
def test_every_name_leads_to_its_country(country: str) -> None:
    """Whatever it is called: the order is that country's own, or is asked about with its name; never another's."""
    for name in NAMES[country]:
        (read,) = KUEL.parse(None, "", f"take {name}").lines
        if read.order is not None:  # a name of the board as well
            assert read.order == Take(country), name
        else:
            assert country in told(KUEL, f"take {name}")[1], (name, read)


@pytest.mark.parametrize(
    ("written", "country"),
    [
        ("take Allemagne", "germany"),
        ("nimm l'Allemagne", "germany"),
        ("take la Suède", "sweden"),
        ("neem Szwecja", "sweden"),
        ("take Francję", "france"),
        ("take Niemcami", "germany"),
        ("attack Россию", "soviet_union"),
        ("bid 45 on Polska", "poland"),
        ("take Royaume-Uni", "great_britain"),
        ("take Reino Unido", "great_britain"),
        ("leave Países Bajos", "netherlands"),
        ("take Lontoo", "great_britain"),
        ("take Jugosławia", "yugoslavia"),
    ],
)
def test_an_order_with_a_foreign_name_is_asked_about(written: str, country: str) -> None:
    """Articles, endings and other scripts are no hindrance."""
    assert told(KUEL, written) == ("unknown_country", (country,))


def test_a_line_in_another_language_is_no_talk() -> None:
    """Beside other orders it would be lost in silence."""
    assert told(KUEL, "prendre Allemagne") == ("unknown_verb", ("germany",))
    assert [line.order for line in KUEL.parse(None, "", "take Paris\nprendi la Svezia").lines] == [Take("france"), None]
    assert KUEL.parse(None, "", "on the rim of a vine").lines == ()


def test_europa_asks_too() -> None:
    """The same names, for its own countries."""
    assert told(EUROPA, "place Turquie 1") == ("unknown_country", ("turkey",))
    assert told(EUROPA, "plan Polonia > France") == ("unknown_country", ("poland",))
    assert told(EUROPA, "place République tchèque 2") == ("unknown_country", ("czech_republic",))


def test_a_league_may_let_a_name_count() -> None:
    """As an alias of its own board."""
    board = Path("config/kuel/board.toml").read_text("utf-8").replace('aliases = ["BRD"]', 'aliases = ["Allemagne"]')
    own = registry.load("kuel", {}, board)
    assert own.parse(None, "", "take Allemagne").orders == (Take("germany"),)


def test_without_a_table_nothing_is_meant() -> None:
    """A game that brings no names of its own gets no suggestion from another's."""
    names = Exonyms({"names": {"a": ["Alpha"]}})
    assert not names.named(["alpha"])
    assert names.meant(["alpha"]) == names.exact(["alpha"]) == ()


def test_names_in_the_table_are_written_once() -> None:
    """A country names each of its names once, and each leads somewhere."""
    for country, names in NAMES.items():
        assert len(set(names)) == len(names), country
    assert not [country for country, names in NAMES.items() if not all(map(str.strip, names))]
