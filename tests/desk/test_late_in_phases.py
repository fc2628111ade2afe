"""A mail that comes after orders have closed, where the next round opens with a report: nobody knows yet when."""

from datetime import timedelta
from pathlib import Path

import pytest

from league.desk.acts.enter_orders import enter_orders
from league.desk.proof.verify import verify
from league.desk.rebuild import rebuild
from tests.desk.phases import SLUG, Match
from tests.desk.sites import copy, mail_run, opened, outbox, verdicts

SECOND, HALF, HOUR = timedelta(seconds=1), timedelta(seconds=30), timedelta(hours=1)
DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
OPENS = "The next round opens with the report of this one. Please send your orders again then."


@pytest.fixture(scope="module", params=[("72h",), ()], ids=["by hours", "by weeks"])
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A match that waits for its first placement."""
    return Match.begin(tmp_path_factory.mktemp("late") / "site", *request.param).started()


@pytest.fixture
def match(begun: Match, tmp_path: Path) -> Match:
    return Match(copy(begun.path, tmp_path / "site"), options=begun.options)


def answered(match: Match, name: str = "ben") -> str:
    """What a late mail was told, in one line."""
    return " ".join(outbox(match.path, "late/", name)[-1].text.split())


def test_it_is_late_while_its_round_still_waits_for_the_run(match: Match, tmp_path: Path) -> None:
    """A second after the grace, read by a run that can't close yet: told so like any other; all comes out anew."""
    match.write(match.time() - DAY)
    closes = match.time("closes_at")
    match.post("Ben", "PLACE france 1\n", closes + SECOND)
    match.post("Anna", "status\nstanding: PLACE france 1\n", closes + SECOND)
    done = mail_run(match.path, closes + HALF)
    assert done.troubles == []
    assert match.round()["status"] == "open"
    assert ("late", "no_round_open") in verdicts(match.path)
    assert not [one for one in verdicts(match.path) if "program_fault" in one]
    assert "after orders for round 2 had closed" in answered(match)
    assert OPENS in answered(match)
    match.finish()
    assert len(match.told()) == 2
    assert verify(str(match.path)).holds
    again = rebuild(tmp_path / "new", copy(match.path, tmp_path / "copied"), match.time() - HOUR)
    assert (again.troubles, again.is_same) == ((), True), again.matches


def test_it_is_late_after_a_weeks_outage(match: Match) -> None:
    """The run that closes its round reads it first, however long the closing is ago."""
    match.write(match.time() - DAY)
    closes = match.time("closes_at")
    match.post("Ben", "PLACE france 1\n", closes + 2 * DAY)
    mail_run(match.path, closes + WEEK)
    assert "program_fault" not in str(verdicts(match.path))
    assert OPENS in answered(match)
    assert match.round()["status"] != "open" or match.round()["number"] == 3


def test_by_hand_it_is_late_as_well(match: Match) -> None:
    """Orders that the organizer enters with a time of arrival behind the closing are no fault of the program."""
    closes = match.time("closes_at")
    site = opened(match.path, closes + HALF)
    entered = enter_orders(site, SLUG, "Ben", "PLACE france 1\n", why="by phone", received_at=None)
    site.engine.dispose()
    assert entered.troubles == []
    assert verdicts(match.path)[-1] == ("late", "no_round_open")


def test_the_first_round_has_no_report_before_it(tmp_path: Path) -> None:
    """Behind the start, whose time is over, and before it: both answered, neither with a time that nobody knows."""
    match = Match.begin(tmp_path / "site", "72h")
    closes = match.time("closes_at")
    match.post("Ben", "PLACE france 1\n", closes + SECOND)
    mail_run(match.path, closes + HALF)
    assert verdicts(match.path) == [("late", "no_round_open")]
    assert "after orders for round 1 had closed" in answered(match)
    assert OPENS in answered(match)
    match.post("Ben", "PLACE france 2\n", match.time("opens_at") - DAY)
    assert mail_run(match.path, closes + HOUR).troubles == []
    assert "before round 1 takes orders" in answered(match)
