"""Mails that no round takes: told as it was, and the organizer hears of one that was in time and read too late."""

import json
from pathlib import Path

import pytest

from tests.desk.sites import at, drop, league, letter, mail_run, outbox, rows, verdicts
from tests.desk.test_reminders import configure

FRIDAY = at("2024-01-05 00:00")  # round 1 closed on Thursday at 23:15


def told(path: Path, arrived: str, read: str, text: str = "join Portugal") -> str:
    """What Ben is told of a mail that arrived then and was read then."""
    drop(path, letter("Ben", text), at(arrived))
    mail_run(path, at(read))
    return " ".join(outbox(path, "late/", "Ben")[-1].text.split())


def test_what_is_told_of_the_time_is_true(spring: Path) -> None:
    """The deadline with its grace, on the player's own clock."""
    mail_run(spring, FRIDAY)
    said = told(spring, "2024-01-05 12:00", "2024-01-05 12:00")
    assert (
        "Your mail arrived Friday, 5 January 2024, 13:00 (Europe/Berlin), after orders for round 1 had closed." in said
    )
    assert "They were due Thursday, 4 January 2024, 24:00 (Europe/Berlin); with 15 minutes of grace" in said
    assert "mails counted that arrived until Friday, 5 January 2024, 00:15 (Europe/Berlin)." in said


@pytest.mark.parametrize(
    ("read", "next_window"),
    [
        ("2024-01-05 12:00", "The next window opens: Sunday, 7 January 2024"),
        ("2024-01-09 12:00", "Round 2 takes orders now. Please send yours again."),
    ],
)
def test_a_late_mail_in_the_run_that_closes_its_round(read: str, next_window: str, spring: Path) -> None:
    """Nothing was run since before the closing: the mail missed round 1 all the same, and is told what comes now."""
    said = told(spring, "2024-01-05 12:00", read)
    assert "after orders for round 1 had closed" in said
    assert next_window in said


def test_a_mail_in_time_that_is_read_after_the_freeze(spring: Path) -> None:
    """It can't count any more; its player is told that it was in time, and the organizer hears of it three ways."""
    configure(spring, organizer="boss@example.org")
    mail_run(spring, FRIDAY)
    drop(spring, letter("Ben", "join Portugal"), at("2024-01-04 23:10"))
    done = mail_run(spring, at("2024-01-05 12:00"))
    assert verdicts(spring)[-1] == ("late", "read_after_freeze")
    (out,) = outbox(spring, "late/", "Ben")
    said = " ".join(out.text.split())
    assert "Your mail arrived Friday, 5 January 2024, 00:10 (Europe/Berlin), in time for round 1." in said
    assert "read only after orders had been closed" in said
    (trouble,) = [one for one in done.accepted.troubles if "in time for round 1 of spring" in one]
    assert "Ben" in trouble
    (mail,) = outbox(spring, "organizer/missed")
    assert (mail.to, "Ben" in str(mail.mail["Subject"])) == ("boss@example.org", True)
    assert rows(spring, "SELECT round_id FROM submission") == []
    found = json.loads(league(spring, at("2024-01-05 12:30"), "status", "--json").stdout)
    assert "missed" in [item["what"] for item in found["todo"]]


def test_a_mail_without_orders_misses_nothing(spring: Path) -> None:
    """A greeting that is read after the freeze is no order that was lost."""
    mail_run(spring, FRIDAY)
    drop(spring, letter("Ben", "status"), at("2024-01-04 23:10"))
    assert mail_run(spring, at("2024-01-05 12:00")).accepted.troubles == []
