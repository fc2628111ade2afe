"""Mail that comes back: the address is stopped, the organizer told, and no forged bounce silences anybody."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from league import settings
from league.desk.inbox.bounces import lift_proven
from league.desk.post import verp
from league.desk.site import open_site
from league.storage import engine as database
from league.storage import outbox as book
from tests.desk.sites import add_league, at, drop, letter, mail_run, make_site, opened, outbox, rows, verdicts
from tests.desk.sites import league as command

JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}
BEFORE = at("2024-01-04 08:00")
AFTER = at("2024-01-04 09:00")
ORGANIZER = "host@play.example"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Anna, Ben and Carla have had their receipts; the organizer has an address."""
    path = make_site(tmp_path / "site", smtp=settings.Smtp(verp="on"))
    chosen = settings.load(path / settings.FILE)
    told = replace(chosen, site=replace(chosen.site, organizer=ORGANIZER, lang="de"))
    (path / settings.FILE).write_text(settings.as_toml(told))
    add_league(path)
    for name, text in JOINS.items():
        drop(path, letter(name, text), at("2024-01-03 10:00"))
    mail_run(path, BEFORE)
    return path


def envelope(path: Path, name: str) -> str:
    """The address that bounces of this player's receipt come to."""
    opened_ = opened(path, BEFORE)
    try:
        with database.read(opened_.engine) as connection:
            (line,) = [
                x for x in book.listing(connection) if x.recipient.startswith(name.lower()) and x.kind != "welcome"
            ]
        return verp.envelope(opened_, line)  # type: ignore[arg-type]  # a line has all that is asked of it
    finally:
        opened_.engine.dispose()


def bounce(
    to: str,
    *,
    action: str = "failed",
    status: str = "5.1.1",
    returned: str = "<x@y.example>",
    words: str = "no such user",
) -> bytes:
    return f"""Return-Path: <>
From: MAILER-DAEMON@mx.example.com
To: {to}
Message-ID: <{action}{status}{to}{returned[1:9]}@mx.example.com>
Content-Type: multipart/report; report-type=delivery-status; boundary=b1

--b1
Content-Type: message/delivery-status

Final-Recipient: rfc822; somebody@example.com
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {words}

--b1
Content-Type: text/rfc822-headers

Message-ID: {returned}

--b1--
""".encode()


def come(path: Path, raw: bytes, moment: datetime = AFTER) -> None:
    drop(path, raw, moment)
    mail_run(path, moment)


def troubles(path: Path) -> list[tuple[str, str]]:
    return [
        (row["kind"], row["address_key"])
        for row in rows(path, "SELECT kind, address_key FROM mail_trouble ORDER BY id")
    ]


def state(path: Path, name: str) -> list[tuple[str, str]]:
    """The player's mails but the first, which everybody gets."""
    asked = "SELECT kind, state FROM outbox WHERE recipient LIKE ? AND kind <> 'welcome' ORDER BY id"
    found = rows(path, asked, f"{name.lower()}%")
    return [(row["kind"].partition("/")[0], row["state"]) for row in found]


def test_a_bounce_stops_the_address_and_nobody_elses(site: Path) -> None:
    """The mail has failed, the next ones to this address are held, the other players get theirs."""
    come(site, bounce(envelope(site, "Anna"), words="550 5.1.1 no such user"))
    mail_run(site, at("2024-01-05 08:00"))
    assert state(site, "Anna") == [("receipt", "failed"), ("freeze", "held"), ("report", "held")]
    assert state(site, "Ben") == [("receipt", "sent"), ("freeze", "sent"), ("report", "sent")]
    held = rows(site, "SELECT trouble FROM outbox WHERE state = 'held'")
    assert {row["trouble"] for row in held} == {"mail to this address is stopped: 550 5.1.1 no such user"}


def test_the_organizer_is_told_once_and_sees_it_everywhere(site: Path) -> None:
    """One mail in the site's language; status, the list of players, the outbox and the doctor show it as well."""
    come(site, bounce(envelope(site, "Anna"), words="550 5.1.1 take Paris"))
    come(site, bounce(envelope(site, "Anna"), status="5.2.1"), AFTER + timedelta(hours=1))
    (notice,) = outbox(site, "trouble")
    assert notice.to == ORGANIZER
    assert notice.mail["Subject"] == "[Demo] Post, die nicht angekommen ist"
    assert "- Anna (spring), anna@example.org" in notice.text
    assert "| 550 5.1.1 take Paris" in notice.text
    moment = AFTER + timedelta(hours=2)
    assert "no mail goes to Anna: 550 5.1.1 take Paris" in command(site, moment, "status").stdout
    assert (
        "no mail: bounce 2024-01-04: 550 5.1.1 take Paris" in command(site, moment, "player", "list", "spring").stdout
    )
    assert "came back: 550 5.1.1 take Paris" in command(site, moment, "mail", "outbox", "--state", "failed").stdout
    doctor = command(site, moment, "doctor")
    assert (doctor.returncode, "1 addresses get no mail" in doctor.stdout) == (1, True)


def test_a_bounce_may_name_the_mail_that_came_back_instead(site: Path) -> None:
    """Where the server allows no address of its own for each mail, the Message-ID in the returned headers counts."""
    (receipt,) = outbox(site, "receipt", "Ben")
    come(site, bounce("league@play.example", returned=str(receipt.mail["Message-ID"])))
    assert troubles(site) == [("bounce", "ben@example.org")]


def forged(path: Path) -> Iterator[bytes]:
    """Everything that somebody who knows our addresses can write."""
    real = envelope(path, "Anna")
    local, _, domain = real.partition("@")
    yield bounce(f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}")
    yield bounce(f"league+b-1-{'a' * 16}@{domain}")
    yield bounce(f"league+b-zzzzzzzzz-{'a' * 16}@{domain}")
    yield bounce("league@play.example", returned="<league.aaaaaaaaaaaaaaaaaaaaaaaaaa@play.example>")
    yield bounce("anna@example.org", returned="<anna@example.org>")
    swapped = envelope(path, "Ben").partition("@")[0].rpartition("-")[2]
    yield bounce(f"{local.rpartition('-')[0]}-{swapped}@{domain}")


def test_no_forged_bounce_silences_a_player(site: Path) -> None:
    """Only who has seen the address or the id of a mail of ours can say that it came back."""
    for number, raw in enumerate(forged(site)):
        come(site, raw, AFTER + timedelta(minutes=number))
    assert [verdict for verdict, _ in verdicts(site)].count("bounce") == 6
    assert troubles(site) == []
    assert state(site, "Anna") == [("receipt", "sent")]


def test_a_bounce_that_comes_weeks_later_is_none(site: Path) -> None:
    """Mail servers give up after days; an old address found somewhere is no weapon."""
    come(site, bounce(envelope(site, "Anna")), BEFORE + timedelta(days=14, hours=1))
    assert troubles(site) == []


def test_a_player_who_quotes_a_bounce_is_still_a_player(site: Path) -> None:
    """A person's mail is never taken for a bounce, whatever it holds."""
    text = f"join Irland\n\nFwd: {envelope(site, 'Ben')} said 550 5.1.1\n"
    come(site, letter("Anna", text, subject="mine"))
    assert troubles(site) == []


@pytest.mark.parametrize(
    ("told", "kind", "is_held"),
    [
        ({"action": "failed", "status": "5.7.1"}, "returned", False),
        ({"action": "failed", "status": "4.4.7"}, "returned", False),
        ({"action": "failed", "status": "5.2.2"}, "bounce", True),
    ],
)
def test_what_concerns_the_mail_alone_stops_no_address(site: Path, told: Any, kind: str, is_held: bool) -> None:
    """A policy, a content or a time that ran out: this mail has failed, the next is sent all the same."""
    come(site, bounce(envelope(site, "Anna"), **told))
    mail_run(site, at("2024-01-05 08:00"))
    assert troubles(site) == [(kind, "anna@example.org")]
    assert state(site, "Anna")[0] == ("receipt", "failed")
    assert state(site, "Anna")[1] == ("freeze", "held" if is_held else "sent")
    assert len(outbox(site, "trouble")) == 1


def test_a_delay_is_told_after_three_days_and_only_if_nothing_else_came(site: Path) -> None:
    """Warnings of a mail server are no failure; what they end in is told once."""
    for hours in (0, 4, 8):
        late = bounce(envelope(site, "Anna"), action="delayed", status="4.4.1", returned=f"<{hours}@y.example>")
        come(site, late, AFTER + timedelta(hours=hours))
    come(site, bounce(envelope(site, "Ben"), action="delayed", status="4.4.1"), AFTER)
    assert troubles(site) == [("delayed", "anna@example.org"), ("delayed", "ben@example.org")]
    assert state(site, "Anna")[0] == ("receipt", "sent")
    assert outbox(site, "trouble") == []
    come(site, bounce(envelope(site, "Ben")), AFTER + timedelta(days=2))
    mail_run(site, AFTER + timedelta(days=3, hours=1))
    mail_run(site, AFTER + timedelta(days=4))
    first, second = outbox(site, "trouble")
    assert ("Ben" in first.text, "Anna" in first.text) == (True, False)
    assert ("Ben" in second.text, "Anna" in second.text) == (False, True)


def test_a_complaint_stops_the_address(site: Path) -> None:
    """Who clicks "spam" gets nothing more until somebody has asked him."""
    complaint = f"""From: fbl@provider.example
To: league@play.example
Message-ID: <fbl@provider.example>
Content-Type: multipart/report; report-type=feedback-report; boundary=b1

--b1
Content-Type: message/feedback-report

Feedback-Type: abuse
Original-Mail-From: <{envelope(site, "Carla")}>

--b1--
""".encode()
    come(site, complaint)
    assert ("bounce", "bounce") in verdicts(site)
    assert troubles(site) == [("complaint", "carla@example.org")]


def test_an_address_is_released_by_hand(site: Path) -> None:
    """What was held goes out; the act is in the journal, and an address that isn't stopped can't be released."""
    come(site, bounce(envelope(site, "Anna")))
    mail_run(site, at("2024-01-05 08:00"))
    moment = at("2024-01-05 09:00")
    assert "--unblock anna@example.org" in command(site, moment, "mail", "outbox", "--resend", "1").stderr
    told = command(site, moment, "mail", "outbox", "--unblock", "Anna@example.org", "--why", "asked her")
    assert told.stdout == "Mail goes to Anna@example.org again; 2 waiting.\n"
    assert command(site, moment, "mail", "send").stdout.startswith("2 mails went out")
    assert "asked her" in command(site, moment, "log").stdout
    again = command(site, moment, "mail", "outbox", "--unblock", "anna@example.org")
    assert (again.returncode, "isn't stopped" in again.stderr) == (1, True)


def test_a_proven_mail_releases_the_address(site: Path) -> None:
    """Who can be shown to write from an address has it; what was held for him goes out with the next run."""
    come(site, bounce(envelope(site, "Anna")))
    mail_run(site, at("2024-01-05 08:00"))
    there = open_site(site, at("2024-01-05 09:00"))
    with database.write(there.engine) as connection:
        lift_proven(there, connection, ["ANNA@example.org", "ben@example.org"])
    there.engine.dispose()
    mail_run(site, at("2024-01-05 09:00"))
    assert state(site, "Anna")[1:] == [("freeze", "sent"), ("report", "sent")]


def test_a_mail_that_is_not_proven_releases_nothing(site: Path) -> None:
    """Anybody can write an address into From."""
    come(site, bounce(envelope(site, "Anna")))
    come(site, letter("Anna", "join Irland", subject="again", proven=False), AFTER + timedelta(minutes=1))
    assert rows(site, "SELECT lifted_at FROM mail_trouble") == [{"lifted_at": None}]


def test_hold_resend_and_show(site: Path) -> None:
    """On hold nothing goes out; a mail that is sent again has its old id and bytes."""
    assert command(site, AFTER, "mail", "outbox", "--hold", "--why", "moving").stdout.startswith("Nothing goes out")
    drop(site, letter("Ben", "join Polen", subject="again"), AFTER)
    held = command(site, AFTER, "run")
    assert (held.returncode, "the outbox is on hold: moving" in held.stderr) == (0, True)
    assert state(site, "Ben") == [("receipt", "sent"), ("receipt", "queued")]
    assert "On hold: moving" in command(site, AFTER, "mail", "send", "--dry-run").stdout
    assert "mail is on hold: moving" in command(site, AFTER, "status").stdout
    assert command(site, AFTER, "mail", "outbox", "--release").stdout == "Mail goes out again; 1 waiting.\n"
    assert command(site, AFTER, "mail", "outbox", "--release").returncode == 1
    assert command(site, AFTER, "mail", "send").stdout == "1 mails went out, 0 failed.\n"
    before = rows(site, "SELECT message_id, raw FROM outbox ORDER BY id")
    listed = command(site, AFTER, "mail", "outbox", "--seat", "spring/ben", "--resend", "last").stdout
    assert str(before[-1]["message_id"]) in listed
    assert (
        command(site, AFTER, "mail", "outbox", "--seat", "spring/s1", "--resend", "last", "--resend", "5").returncode
        == 0
    )
    assert [row["state"] for row in rows(site, "SELECT state FROM outbox WHERE kind <> 'welcome' ORDER BY id")] == [
        "queued",
        "queued",
        "sent",
        "queued",
    ]
    assert rows(site, "SELECT message_id, raw FROM outbox ORDER BY id") == before
    shown = command(site, AFTER, "mail", "outbox", "--show", "1").stdout
    assert shown.replace("\r\n", "\n") == before[0]["raw"].decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--resend", "99"), "there is no mail 99"),
        (("--resend", "last"), "--seat LEAGUE/SEAT"),
        (("--seat", "spring/Zoe"), "no seat 'spring/Zoe'; there are: spring/s1 (Anna)"),
        (("--seat", "spring"), "no seat 'spring'"),
        (("--unblock", "x"), "mail to x isn't stopped; stopped: none is"),
    ],
)
def test_a_wrong_name_is_told_with_the_right_ones(site: Path, words: tuple[str, ...], said: str) -> None:
    """Nothing is guessed about which mail is meant."""
    told = command(site, AFTER, "mail", "outbox", *words)
    assert told.returncode == 1
    assert said in told.stderr
