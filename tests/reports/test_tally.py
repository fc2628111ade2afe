"""What rounds add up to for players: points by item, battles, luck, form, and why one stands above another."""

import re
from dataclasses import replace

from league.core.json import Json
from league.core.standings import Place
from league.reports import charts
from league.reports.chronicle import Chronicle, Moment, Start
from league.reports.context import LeaguePage, SiteInfo
from league.reports.render import luck, players_page
from league.reports.tally import Ahead, Loss, Tally, tally
from league.reports.words import Say
from tests.reports.conftest import label
from tests.reports.test_pages import check


def _points(seat: str, item: str, points: int) -> dict[str, Json]:
    return {"type": "points", "rule": "K60", "seat": seat, "item": item, "points": points}


def _fight(winner: str | None, *fighters: str) -> dict[str, Json]:
    return {"type": "battle", "rule": "K25", "country": fighters[0], "fighters": list(fighters), "winner": winner}


MOMENTS = (
    Moment(0, None, (), (Place(1, "anna", 0, 1), Place(1, "ben", 0, 1))),
    Moment(
        1,
        None,
        (),
        (Place(1, "ben", 5, 1), Place(2, "anna", 3, 2)),
        (
            _points("ben", "countries", 5),
            _points("anna", "countries", 3),
            _fight("anna", "ben", "anna", "cara"),
            _fight(None, "cara", "ben"),
        ),
    ),
    Moment(
        2,
        None,
        (),
        (Place(1, "anna", 23, 2), Place(2, "ben", 3, 1), Place(2, "cara", 3, 1)),
        (
            _points("anna", "eu10", 20),
            {"type": "reconstruction", "rule": "K55", "country": "spain", "seat": "ben", "paid": 2, "rounds_left": 0},
            {"type": "civil_war", "rule": "K43", "country": "italy", "loser": "ben"},
            {"type": "world_collapse", "rule": "K57", "seat": "cara", "before": 6, "after": 3},
            {"type": "month_leader", "rule": "K80", "month": "2024-01", "seats": ["anna"], "points": 23},
        ),
    ),
)
SUMS = tally(Chronicle(MOMENTS), luck(Say("en", label, str)))


def test_points_are_summed_by_item_with_what_was_paid() -> None:
    """Each item's sum by player; what was paid and lost stands among them, what brought most comes first."""
    assert list(SUMS.items) == ["eu10", "countries", "reconstruction", "world_collapse"]
    assert SUMS.items["countries"] == {"ben": 5, "anna": 3}
    assert SUMS.items["reconstruction"] == {"ben": -2}
    assert sum(row.get("ben", 0) for row in SUMS.items.values()) == 3


def test_battles_are_counted_for_every_beaten_fighter() -> None:
    """Who wins against two has beaten both; where nobody won nobody was beaten."""
    assert SUMS.duels == {"anna": {"ben": 1, "cara": 1}}
    assert (SUMS.won("anna"), SUMS.lost("anna"), SUMS.lost("ben"), SUMS.won("cara")) == (2, 0, 1, 0)


def test_what_chance_took() -> None:
    """A civil war a country, a reconstruction what was paid, a world collapse the difference."""
    assert SUMS.losses == {"anna": Loss(), "ben": Loss(1, 2), "cara": Loss(0, 3)}
    assert [facts["month"] for facts in SUMS.months] == ["2024-01"]


def test_why_one_stands_above_the_other() -> None:
    """By how much, and which item makes most of it; who is level is level."""
    assert SUMS.ahead == (Ahead("anna", "ben", 20, "eu10", 20), Ahead("ben", "cara", 0))


def test_equal_points_with_another_rank_are_not_level() -> None:
    """Where a game compares more than points (EUROPA: R57), who comes first by that is named."""
    places = (Place(1, "anna", 3, 1), Place(2, "ben", 3, 2))
    (why,) = tally(Chronicle((*MOMENTS[:2], replace(MOMENTS[2], standings=places))), luck(Say("en", label, str))).ahead
    assert why == Ahead("anna", "ben", 0, first=True)


def test_form_is_what_the_last_rounds_brought() -> None:
    """The newest last; a player who came later has no gain for the first round, and none is no form."""
    assert SUMS.gains("anna") == (3, 20)
    assert SUMS.gains("cara") == ()
    assert SUMS.points["cara"] == (None, None, 3)
    assert tally(Chronicle()) == Tally()
    assert tally(Chronicle(MOMENTS[:1])) == Tally()


def test_a_round_is_counted_from_its_own_start() -> None:
    """Where a correction lies between, it is a step with its place; it counts as no gain, and sums tell it apart."""
    put = Start(2, (), (Place(1, "ben", 7, 1), Place(2, "anna", 3, 2)), corrects=(1,))
    after = Start(3, (), (Place(1, "anna", 21, 2), Place(2, "ben", 4, 1), Place(3, "cara", 3, 1)), corrects=(1, 2))
    found = tally(Chronicle((*MOMENTS[:2], replace(MOMENTS[2], start=put)), after), luck(Say("en", label, str)))
    assert found.rounds == (0, 1, 1, 2, 2)
    assert found.starts == {2: put, 4: after}
    assert found.points["ben"] == (0, 5, 7, 3, 4)
    assert (found.gains("ben"), found.gains("anna")) == ((5, -4), (3, 20))
    assert found.corrections == {"anna": -2, "ben": 3}
    assert found.ahead[0] == Ahead("anna", "ben", 17, "eu10", 20)
    assert not SUMS.starts
    assert not SUMS.corrections


def test_a_correction_is_an_upright_step_in_the_chart() -> None:
    """At the round behind which it lies: the axis has each round once, and one round alone is still no line."""
    drawn = charts.chart(None, (0, 1, 1, 2), [("Anna", 0, (0, 4, 6, 8))], "Points", "0, 4, 6, 8")
    (line,) = re.findall(r'class="of" d="([^"]*)"', drawn)
    xs = [at for at, _ in re.findall(r"[ML](\d+) (\d+)", line)]
    assert (len(xs), xs[1], len(set(xs))) == (4, xs[2], 3)
    assert re.findall(r'class="x">(\d+)<', drawn) == ["0", "1", "2"]
    alone = charts.chart(None, (0, 1, 1), [("Anna", 0, (None, 4, 6))], "Points", "4, 6")
    assert 'class="stem"' in alone


def test_bars_show_gains_above_and_losses_below_the_line() -> None:
    """The largest fills its half, a loss hangs down, nothing is still seen."""
    drawn = charts.bars([10, -5, 0])
    assert 'class="plus" x="0" width="14" y="0" height="18"' in drawn
    assert 'class="minus" x="20" width="14" y="18" height="9"' in drawn
    assert 'class="plus" x="40" width="14" y="17" height="1"' in drawn
    assert "<rect" not in charts.bars([])


def test_a_player_who_left_is_still_told(site: SiteInfo, front: LeaguePage) -> None:
    """Without a place in the table, and as retired."""
    seats = tuple(replace(seat, left=seat.id == "femke") for seat in front.league.seats)
    gone = replace(front, league=replace(front.league, seats=seats), standings=front.standings[:-1])
    page = players_page(site, gone, "en")
    check(page)
    own = page.split('id="femke"')[1]
    assert "retired" in own
    assert "Place" not in own
