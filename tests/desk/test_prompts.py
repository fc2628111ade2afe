"""While battles wait: the dispute told to its fighters, and a reminder before the waiting ends (K33)."""

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from league.cli import main
from tests.desk.sites import at, bodies, copy, mail_run, outbox, rows
from tests.desk.test_replies import JOINS, TAKES, begin, finish, flat, mail, week

REMINDED = at("2024-01-13 11:00")  # twelve hours before the waiting ends


@pytest.fixture(scope="module")
def _fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return week(begin(tmp_path_factory.mktemp("prompts") / "site", JOINS), TAKES)


@pytest.fixture
def fought(_fought: Path, tmp_path: Path) -> Path:
    """Round 2 is frozen; Anna and Ben fight for Spain, Dirk and Eva for Norway."""
    return copy(_fought, tmp_path / "site")


def test_a_dispute_is_told_to_its_fighters_once(fought: Path) -> None:
    """Each reads who said what, who decides, and how to give way; nobody else gets the mail, and no run repeats it."""
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail_run(fought, at("2024-01-13 09:05"))
    assert outbox(fought, "dispute") == []
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:10")
    for minute in (15, 20):
        mail_run(fought, at(f"2024-01-13 09:{minute}"))
    told = {out.to.partition("@")[0]: out for out in outbox(fought, "dispute")}
    assert set(told) == {"anna", "ben"}
    assert len(outbox(fought, "dispute")) == 2
    ben = flat(told["ben"].text)
    assert "Spain: the reports of the battle contradict each other; the organizer decides." in ben
    assert "Anna reports that Anna won. - Ben reports that Ben won." in ben
    assert "\n# result Spain lost\n" in told["ben"].text
    assert "Meldung von Ben: Sieg für Ben." in told["anna"].text
    assert told["ben"].mail["Date"].datetime == at("2024-01-13 09:10")


def test_the_same_dispute_is_the_same_mail(fought: Path, tmp_path: Path) -> None:
    """However often and whenever `run` was called in between, the mails are the same bytes."""
    other = copy(fought, tmp_path / "other")
    for path, times in ((fought, ("09:15", "09:40", "10:30")), (other, ("12:00",))):
        mail(path, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
        mail(path, "Ben", "result Spain won", "2024-01-13 09:10")
        for time in times:
            mail_run(path, at(f"2024-01-13 {time}"))
    assert [o.raw for o in outbox(fought, "dispute")] == [o.raw for o in outbox(other, "dispute")]


def test_the_loser_ends_a_dispute_by_answering(fought: Path) -> None:
    """The lines that the mail offers do what it says."""
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:10")
    mail_run(fought, at("2024-01-13 09:15"))
    offered = [line for line in outbox(fought, "dispute", "Ben")[0].text.splitlines() if line.startswith("# result")]
    assert len(offered) == 2
    mail(fought, "Ben", offered[1].removeprefix("# "), "2024-01-13 09:30")
    mail(fought, "Dirk", "uitslag Noorwegen verloren", "2024-01-13 09:40")
    finish(fought)
    assert "spain" in bodies(fought)[2]["position"]["players"]["s1"]["owns"]


def test_who_has_not_reported_is_reminded_once(fought: Path) -> None:
    """Twelve hours before the waiting ends; not who has reported, and not a minute before."""
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail_run(fought, REMINDED - timedelta(minutes=1))
    assert outbox(fought, "reminder") == []
    for moment in (REMINDED, REMINDED + timedelta(hours=3)):
        mail_run(fought, moment)
    told = {out.to.partition("@")[0]: out for out in outbox(fought, "reminder")}
    assert set(told) == {"ben", "dirk", "eva"}
    assert len(outbox(fought, "reminder")) == 3
    ben = told["ben"].text
    assert "Spain: battle between Anna and Ben." in ben
    assert "Norway" not in ben
    assert "2024-01-13 23:00 UTC" in ben
    assert "\n# result Spain won\n" in ben
    assert "Von dir fehlt noch jede Meldung" in told["eva"].text
    assert told["ben"].mail["Date"].datetime == REMINDED


def test_after_the_end_of_waiting_nobody_is_reminded(fought: Path) -> None:
    """Nor is anybody after the organizer has ended it: a reminder would promise what is no longer so."""
    ended = ("round", "resolve", "spring", "--over", "--why", "nobody answers")
    main(["--site", str(fought), "--now", at("2024-01-13 08:00").isoformat(), *ended])
    mail_run(fought, REMINDED)
    assert outbox(fought, "reminder") == []


def test_who_was_asked_a_moment_ago_is_not_reminded(fought: Path) -> None:
    """A battle that has come up just before needs no second mail about it."""
    asked, late = "2024-01-11T23:15:00Z", "2024-01-13T06:00:00Z"
    assert {json.loads(row["facts"])["asked"] for row in rows(fought, "SELECT facts FROM ask")} == {asked}
    with closing(sqlite3.connect(fought / "league.sqlite")) as connection:
        connection.execute("UPDATE ask SET facts = replace(facts, ?, ?)", (asked, late))
        connection.commit()
    mail_run(fought, REMINDED)
    assert outbox(fought, "reminder") == []
