"""What stands between a slip of the hand, or of the clock, and a league."""

from pathlib import Path

import pytest

from league.core.errors import BadInput, Refused
from league.desk.acts.enter_orders import enter_orders
from league.desk.inbox.read_mail import boxes
from league.desk.people.players import NewPlayer, add_players
from league.desk.rounds.look import preview, show_orders
from league.desk.run.run_site import run_site
from league.desk.site import open_site
from tests.desk.sites import at, drop, letter, mail_run, opened, rows, run

WEDNESDAY, FRIDAY = at("2024-01-03 10:00"), at("2024-01-05 00:20")


def test_a_clock_that_jumps_closes_nothing(spring: Path) -> None:
    """Weeks after a deadline nothing is closed until a person has said that the time is right."""
    late = opened(spring, at("2024-02-20 10:00"))
    with pytest.raises(Refused, match="clock has jumped, or nothing was run for weeks"):
        run_site(late)
    assert rows(spring, "SELECT * FROM round WHERE status <> 'open'") == []
    assert len(run_site(late, go_on=True).frozen.rounds) > 5


def test_no_command_is_earlier_than_a_freeze(spring: Path) -> None:
    """A freeze is no act of the organizer, and yet the clock can't be set back behind it."""
    mail_run(spring, FRIDAY)
    with pytest.raises(Refused, match="the last freeze is of 2024-01-05"):
        open_site(spring, at("2024-01-04 10:00"))


@pytest.mark.parametrize("name", ["s1", "S2", "Ａnna", "Anna ", "all", "Iedereen", "# root", "[1]", "a, b", "x:y"])
def test_names_that_mean_something_else_are_refused(name: str, spring: Path) -> None:
    """A seat's code, everybody, a look-alike of a name that is there, signs with a meaning in mails."""
    with pytest.raises(BadInput, match="name"):
        add_players(opened(spring, WEDNESDAY), "spring", [NewPlayer(name, "new@example.org")])


def test_entering_orders_is_an_act_of_its_own_every_time(spring: Path) -> None:
    """The same text again within a second, after another one, is the newest order."""
    site = opened(spring, WEDNESDAY)
    for text in ("take Norway", "take Finland", "take Norway"):
        done = enter_orders(site, "spring", "Anna", text, why="by phone", received_at=None)
        assert sum(done.verdicts.values()) == 1
    assert len(rows(spring, "SELECT * FROM submission")) == 3


def test_orders_stay_sealed_until_the_report(spring: Path) -> None:
    """Between freeze and report a look needs `reveal` too; without it a round tells only what it waits for."""
    for name in ("Anna", "Ben"):
        drop(spring, letter(name, "join Iceland"), WEDNESDAY)
    mail_run(spring, FRIDAY)
    site = opened(spring, FRIDAY)
    with pytest.raises(Refused, match="sealed until the report"):
        show_orders(site, "spring", "Anna", reveal=False)
    assert preview(site, "spring", "en", reveal=False)["events"] == []
    assert rows(spring, "SELECT * FROM decision WHERE kind = 'revealed'") == []
    assert show_orders(site, "spring", "Anna", reveal=True)
    assert len(rows(spring, "SELECT * FROM decision WHERE kind = 'revealed'")) > 0


def test_a_time_of_arrival_yet_to_come_is_refused(tmp_path: Path) -> None:
    """One digit typed wrong must not cost an order."""
    with pytest.raises(BadInput, match="is yet to come"):
        boxes([str(tmp_path)], WEDNESDAY, FRIDAY, 1000)


def test_no_round_closes_while_mail_lies_unread(spring: Path) -> None:
    """A mail that is there and can't be read keeps the round open; once it can be, it counts, and the round closes."""
    drop(spring, letter("Anna", "join Iceland"), WEDNESDAY)
    (path,) = [p for p in (spring / "mail" / "in" / "new").iterdir() if p.is_file()]
    path.rename(spring / "elsewhere.eml")
    path.symlink_to(spring / "elsewhere.eml")  # a link is skipped: something lies there that isn't read
    done = run(spring, FRIDAY)
    assert done.frozen.rounds == []
    assert "stay open" in done.frozen.troubles[0]
    path.unlink()
    (spring / "elsewhere.eml").rename(path)
    done = run(spring, FRIDAY)
    assert done.frozen.rounds == [("spring", 1)]
    assert len(rows(spring, "SELECT * FROM submission")) == 1
