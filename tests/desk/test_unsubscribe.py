"""Who wants no reports by mail: one word in a subject or a line, three languages, and nothing else stops."""

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from league.cli import main
from league.intake.headers import addresses
from tests.desk.sites import (
    add_league,
    address,
    at,
    drop,
    figures,
    letter,
    mail_run,
    make_site,
    outbox,
    parsed,
    public,
    rows,
    run,
    verdicts,
)

WEDNESDAY, FRIDAY, NEXT = at("2024-01-03 12:00"), at("2024-01-05 08:00"), at("2024-01-14 08:00")
EMPTY = b"From: %s\r\nTo: %s\r\nMessage-ID: <button@example.org>\r\nSubject: %s\r\n\r\n\r\n"


def wanted(path: Path) -> dict[str, bool]:
    found = rows(path, "SELECT name, reports FROM seat JOIN player ON player.id = player_id")
    return {row["name"]: bool(row["reports"]) for row in found}


def stop(path: Path, name: str, subject: str, text: str = "") -> str:
    """The one answer to a mail with this subject, in one line."""
    before = len(outbox(path, "", name))
    drop(path, letter(name, text, subject=subject), at("2024-01-03 10:00"))
    mail_run(path, WEDNESDAY)
    (told,) = outbox(path, "", name)[before:]
    return " ".join(told.text.split())


@pytest.mark.parametrize(
    ("name", "subject", "text", "said"),
    [
        ("Ben", "unsubscribe [spring]", "", "Reports of this league don't come to you by mail any more."),
        ("Anna", "abbestellen", "", "Berichte dieser Liga kommen nicht mehr per Mail zu dir."),
        ("Carla", "Re: [spring] afmelden", "", "Verslagen van deze competitie komen niet meer per mail naar je toe."),
        ("Ben", "unsubscribe [spring]", "This mail was written by a button.", "Reports of this league don't come"),
        ("Ben", "Hello", "report off", "Reports of this league don't come"),
        ("Anna", "Hallo", "Berichte aus", "Berichte dieser Liga kommen nicht mehr"),
        ("Carla", "Hoi", "verslag uit", "Verslagen van deze competitie komen niet meer"),
    ],
)
def test_one_word_stops_reports(spring: Path, name: str, subject: str, text: str, said: str) -> None:
    """In a subject or in a line; it is answered in the player's language, and says what brings them back."""
    told = stop(spring, name, subject, text)
    assert said in told
    assert wanted(spring) == {other: other != name for other in ("Anna", "Ben", "Carla")}
    assert [verdict for verdict, _ in verdicts(spring)] == ["accepted"]


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("unsubscribe [spring]", "join Portugal"),  # who orders something means what he orders
        ("unsubscribe from what?", ""),
        ("resign", ""),  # no other command is read in a subject
        ("report on", ""),
    ],
)
def test_a_subject_says_nothing_else(spring: Path, subject: str, text: str) -> None:
    """Orders in the mail go before its subject, and a subject carries no other command."""
    stop(spring, "Ben", subject, text)
    assert wanted(spring)["Ben"]
    assert {row["status"] for row in rows(spring, "SELECT status FROM seat")} == {"active"}


def test_everything_else_still_comes(spring: Path) -> None:
    """Receipts and check sums as before; no report until `report on`; pages and records know nothing of it."""
    stop(spring, "Ben", "unsubscribe [spring]")
    drop(spring, letter("Ben", "join Portugal"), at("2024-01-03 13:00"))
    run(spring, FRIDAY)
    assert [out.to for out in outbox(spring, "report")] == [address("Anna"), address("Carla")]
    assert len(outbox(spring, "receipt", "Ben")) == len(outbox(spring, "freeze", "Ben")) == 1
    assert b"unsubscribe" not in b"".join(public(spring).values())
    drop(spring, letter("Ben", "report on\ntake Spain"), at("2024-01-10 10:00"))
    figures(spring, at("2024-01-13 21:00"))
    run(spring, NEXT)
    assert wanted(spring)["Ben"]
    assert [out.to for out in outbox(spring, "report", "Ben")] == [address("Ben")]


def test_the_button_of_a_mail_program_works(tmp_path: Path) -> None:
    """What the header of a report names, sent to the letter with an empty body, is proven by the key in the address."""
    path = make_site(tmp_path / "site", plus_addresses=True)
    add_league(path)
    mail_run(path, FRIDAY)
    (report,) = outbox(path, "report", "Ben")
    to, _, subject = report.mail["List-Unsubscribe"].strip("<>").removeprefix("mailto:").partition("?subject=")
    assert report.mail["List-Unsubscribe-Post"] is None  # one click without a mail needs a web server (RFC 8058)
    (recipient,) = addresses(unquote(to))
    assert "+" in recipient
    drop(path, EMPTY % (b"ben@example.org", recipient.encode(), unquote(subject).encode()), at("2024-01-06 10:00"))
    mail_run(path, at("2024-01-06 11:00"))
    assert wanted(path) == {"Anna": True, "Ben": False, "Carla": True}
    assert verdicts(path) == [("accepted", "by_subject")]


def test_nobody_unsubscribes_another(spring: Path) -> None:
    """A mail that isn't proven stops nothing; the player hears of it as of any other in his name."""
    drop(spring, letter("Ben", "", subject="unsubscribe [spring]", proven=False), at("2024-01-03 10:00"))
    mail_run(spring, WEDNESDAY)
    assert wanted(spring)["Ben"]
    assert verdicts(spring) == [("quarantined", "unproven")]


def test_the_organizer_sees_it(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the list of players, for programs as well, and in the journal; asking twice is written down once."""
    stop(spring, "Ben", "unsubscribe [spring]")
    stop(spring, "Ben", "Re: unsubscribe")
    place = ["--site", str(spring), "--now", WEDNESDAY.isoformat()]
    assert main([*place, "player", "list", "spring"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "wants no reports" in line]
    assert [line.split()[1] for line in lines] == ["Ben"]
    assert main([*place, "player", "list", "spring", "--json"]) == 0
    assert [one["reports"] for one in json.loads(capsys.readouterr().out)] == [True, False, True]
    (act,) = rows(spring, "SELECT who, arguments FROM journal WHERE act = 'player reports'")
    assert act["who"] == "s2 by mail"
    assert json.loads(act["arguments"])["reports"] is False


def test_the_answer_is_no_command(spring: Path) -> None:
    """Sent back as it is, quoted or not, it changes nothing."""
    stop(spring, "Ben", "unsubscribe [spring]")
    (answer,) = outbox(spring, "commands", "Ben")
    back = parsed(answer.raw).get_body(("plain",))
    assert back is not None
    drop(spring, letter("Ben", str(back.get_content()), subject="Re: x"), at("2024-01-03 11:00"))
    mail_run(spring, WEDNESDAY)
    assert not wanted(spring)["Ben"]
