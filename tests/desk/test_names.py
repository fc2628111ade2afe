"""Nobody new is called what a line of an order mail could mean as well."""

from pathlib import Path

import pytest
from sqlalchemy import text

from league.core.errors import BadInput
from league.desk.acts.change_seats import substitute
from league.desk.people.players import NewPlayer, add_players
from league.desk.people.standby import add_standby
from league.storage import engine as database
from tests.desk.sites import at, opened

TUESDAY = at("2024-01-02 09:00")
OF_A_COUNTRY = "is what a country of the board is called"
OF_A_LINE = "is what an order, a message or a command begins with"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Spain", OF_A_COUNTRY),
        ("Spanien", OF_A_COUNTRY),
        ("spanje", OF_A_COUNTRY),
        ("OESTERREICH", OF_A_COUNTRY),
        ("press to all", OF_A_LINE),
        ("take Norway", OF_A_LINE),
        ("Bericht nochmal", OF_A_LINE),
    ],
)
def test_a_country_or_a_command_is_no_name(spring: Path, name: str, says: str) -> None:
    """In each of the three languages, for a new seat, for one that is taken over and for who stands by."""
    site, fresh = opened(spring, TUESDAY), NewPlayer(name, "new@example.org")
    for act in (
        lambda: add_players(site, "spring", [fresh]),
        lambda: substitute(site, "spring", "s2", fresh, why="busy"),
        lambda: add_standby(site, "spring", fresh),
    ):
        with pytest.raises(BadInput, match=f"name '{name}' {says}"):
            act()
    site.engine.dispose()


def test_a_name_that_only_holds_a_country_is_one(spring: Path) -> None:
    """It can't be mistaken: an order with it names more than a country."""
    site = opened(spring, TUESDAY)
    names = ("Anna from Spain", "Will", "Press", "Max")
    fresh = [NewPlayer(name, f"p{place}@example.org") for place, name in enumerate(names)]
    assert tuple(place.own_name for place in add_players(site, "spring", fresh)) == names
    site.engine.dispose()


def test_who_has_such_a_name_keeps_it(spring: Path) -> None:
    """A league that began with one goes on: others come, its seat is found by it, and who has it may come back."""
    site = opened(spring, TUESDAY)
    with database.write(site.engine) as connection:
        connection.execute(text("UPDATE player SET name = 'Spain' WHERE name = 'Ben'"))
    assert len(add_players(site, "spring", [NewPlayer("Dora", "dora@example.org")])) == 1
    assert substitute(site, "spring", "Spain", NewPlayer("Edgar", "edgar@example.org"), why="busy")[0].code == "s2"
    assert substitute(site, "spring", "Edgar", NewPlayer("Spain", "ben@example.org"), why="back")[0].code == "s2"
    site.engine.dispose()
