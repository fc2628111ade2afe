"""A league whose mail comes from a real IMAP server: no order lost or doubled, no round closed too early."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from league import settings
from league.desk.inbox.accept_mail import Accepted, accept_mail
from league.desk.run.freeze_rounds import freeze_rounds
from league.failpoints import KILLED
from tests.desk.forks import Forks
from tests.desk.sites import at, letter, mail_run, opened, outbox, rows, verdicts
from tests.intake.dovecot import HOST, PASSWORD, Dovecot, token_of

WEDNESDAY, FRIDAY = at("2024-01-03 10:00"), at("2024-01-05 00:20")
users = (f"site{number}" for number in count(1))


@pytest.fixture
def user() -> str:
    """A mailbox that no other test knows."""
    return next(users)


@pytest.fixture
def mailed(spring: Path, dovecot: Dovecot, user: str) -> Path:
    """The league spring, with a mailbox on a server beside its Maildir."""
    return connected(spring, dovecot, user)


def connected(path: Path, dovecot: Dovecot, user: str, received_by: str = "", **more: Any) -> Path:
    (path / "secrets" / "imap.password").write_text(PASSWORD + "\n", encoding="utf-8")
    (path / "secrets" / "imap.password").chmod(0o600)
    plain: dict[str, Any] = {"password_file": "secrets/imap.password", "ca_file": str(dovecot.base / "ca.pem")}
    found = settings.load(path / settings.FILE)
    imap = settings.Imap(host="localhost", port=dovecot.imaps, user=user, **{**plain, **more})
    written = replace(found, mail=replace(found.mail, received_by=received_by, imap=imap))
    (path / settings.FILE).write_text(settings.as_toml(written))
    return path


def put(dovecot: Dovecot, user: str, raw: bytes, when: datetime) -> None:
    """A mail that came in at a time of the league's year."""
    dovecot.person(user).append("INBOX", raw, msg_time=when)


# ------------------------------------------------------------------ orders come in


def test_orders_by_imap_are_booked_once(mailed: Path, dovecot: Dovecot, user: str) -> None:
    """They count from the mailbox's time, are answered once, and stand in the ledger; a second run finds nothing."""
    put(dovecot, user, letter("Anna", "join Iceland"), WEDNESDAY)
    put(dovecot, user, letter("Ben", "join Greece"), WEDNESDAY + timedelta(minutes=1))
    mail_run(mailed, WEDNESDAY + timedelta(hours=1))
    done = mail_run(mailed, WEDNESDAY + timedelta(hours=2))
    assert done.accepted.fetched == done.accepted.repeated == 0
    assert verdicts(mailed) == [("accepted", "readable")] * 2
    assert len(outbox(mailed, "receipt")) == 2
    kept = rows(mailed, "SELECT received_at, arrival, source FROM mail ORDER BY id")
    assert [row["received_at"][:19] for row in kept] == ["2024-01-03T10:00:00", "2024-01-03T10:01:00"]
    assert [row["arrival"] for row in kept] == ["mailbox"] * 2
    ledger = rows(mailed, "SELECT account, folder, uid, mail_id, digest, put_away FROM ledger ORDER BY uid")
    assert [(row["account"], row["folder"], row["uid"], row["put_away"]) for row in ledger] == [
        (f"{user}@localhost", "INBOX", 1, ""),
        (f"{user}@localhost", "INBOX", 2, ""),
    ]
    assert [row["digest"] for row in ledger] == [
        row["digest"] for row in rows(mailed, "SELECT digest FROM mail ORDER BY id")
    ]


def test_a_plus_address_chooses_the_league(mailed: Path, dovecot: Dovecot, user: str) -> None:
    """The server keeps the plus part of the address that was written to."""
    dovecot.deliver(f"{user}+spring", letter("Anna", "join Iceland"))
    accept_mail(opened(mailed, WEDNESDAY))
    (row,) = rows(mailed, "SELECT content FROM mail")
    assert f"Delivered-To: {user}+spring@{HOST}".encode() in row["content"]


def test_the_maildir_is_read_as_well(mailed: Path, dovecot: Dovecot, user: str) -> None:
    """What the pipe put into it isn't forgotten."""
    from tests.desk.sites import drop

    drop(mailed, letter("Anna", "join Iceland"), WEDNESDAY)
    put(dovecot, user, letter("Ben", "join Greece"), WEDNESDAY)
    assert mail_run(mailed, WEDNESDAY).accepted.fetched == 2


def test_the_same_mail_in_two_folders_is_one(spring: Path, dovecot: Dovecot, user: str) -> None:
    """It has two places in the ledger, one verdict and one answer."""
    connected(spring, dovecot, user, folders=("INBOX", "Orders"))
    put(dovecot, user, letter("Anna", "join Iceland"), WEDNESDAY)
    person = dovecot.person(user)
    person.create_folder("Orders")
    person.select_folder("INBOX")
    person.copy([1], "Orders")
    done = mail_run(spring, WEDNESDAY)
    assert (done.accepted.fetched, done.accepted.repeated) == (1, 1)
    assert len(outbox(spring, "receipt")) == 1
    assert len(rows(spring, "SELECT DISTINCT mail_id FROM ledger")) == 1


def test_new_uids_double_nothing(mailed: Path, dovecot: Dovecot, user: str) -> None:
    """Everything is seen again under new UIDs and known by its content; a late mail doesn't become a punctual one."""
    put(dovecot, user, letter("Anna", "join Iceland"), WEDNESDAY)
    put(dovecot, user, letter("Ben", "join Greece"), FRIDAY)
    mail_run(mailed, FRIDAY)
    dovecot.change_uids(user)
    done = mail_run(mailed, at("2024-01-10 10:00"))
    assert (done.accepted.fetched, done.accepted.repeated) == (0, 2)
    assert [verdict for verdict, _ in verdicts(mailed)] == ["accepted", "late"]
    assert len(rows(mailed, "SELECT * FROM ledger")) == 4


def test_a_moved_mailbox_with_new_times_is_no_resend(mailed: Path, dovecot: Dovecot, user: str) -> None:
    """A mail that was too late stays so, though a new server states a later time for the very same bytes."""
    late = letter("Ben", "join Greece")
    put(dovecot, user, late, FRIDAY)
    mail_run(mailed, FRIDAY)
    put(dovecot, user, late, at("2024-01-10 09:00"))
    mail_run(mailed, at("2024-01-10 10:00"))
    assert [verdict for verdict, _ in verdicts(mailed)] == ["late"]


def test_a_huge_mail_is_unreadable_and_has_a_sender(mailed: Path, dovecot: Dovecot, user: str) -> None:
    """Its beginning is kept, so that the organizer sees who wrote."""
    put(dovecot, user, letter("Anna", "join Iceland\n" + ("x" * 70 + "\n") * 60_000), WEDNESDAY)
    mail_run(mailed, WEDNESDAY)
    assert verdicts(mailed) == [("unreadable", "mail_too_big")]
    assert rows(mailed, "SELECT size FROM mail") == [{"size": 1_000_001}]
    assert rows(mailed, "SELECT sender FROM verdict") == [{"sender": "anna@example.org"}]


# ------------------------------------------------------------------ moved once judged


def test_judged_mails_move(spring: Path, dovecot: Dovecot, user: str) -> None:
    """What counted to one folder, what didn't to the other, and the ledger knows where."""
    connected(spring, dovecot, user, processed="Processed", rejected="Rejected")
    put(dovecot, user, letter("Anna", "join Iceland"), WEDNESDAY)
    put(dovecot, user, letter("Gero", "take Paris"), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    person = dovecot.person(user)
    assert person.folder_status("INBOX", ["MESSAGES"])[b"MESSAGES"] == 0
    assert [row["put_away"] for row in rows(spring, "SELECT put_away FROM ledger ORDER BY uid")] == [
        "Processed",
        "Rejected",
    ]
    assert mail_run(spring, WEDNESDAY).accepted.repeated == 0


def test_a_folder_that_cant_be_made_is_a_note(spring: Path, dovecot: Dovecot, user: str) -> None:
    """The orders count; the mails stay where they are, and the run says so without failing."""
    connected(spring, dovecot, user, processed="no/such.separator/here")
    put(dovecot, user, letter("Anna", "join Iceland"), WEDNESDAY)
    done = mail_run(spring, WEDNESDAY)
    assert done.accepted.complete
    assert any("judged mails stay in the inbox" in note for note in done.accepted.notes)
    assert verdicts(spring) == [("accepted", "readable")]


@pytest.mark.parametrize(
    "place",
    ["fetch.before_commit", "fetch.after_commit", "intake.before_commit", "intake.after_commit", "intake.settled"],
)
def test_a_kill_anywhere_loses_and_doubles_nothing(
    spring: Path, dovecot: Dovecot, user: str, place: str, processes: Forks
) -> None:
    """Whatever was done when the program died, the next run ends as if nothing had happened."""
    connected(spring, dovecot, user, processed="Processed")
    put(dovecot, user, letter("Anna", "join Iceland"), WEDNESDAY)
    put(dovecot, user, letter("Ben", "join Greece"), WEDNESDAY)
    assert processes.league(spring, WEDNESDAY, "run", LEAGUE_FAILPOINT=place).code == KILLED
    assert processes.league(spring, WEDNESDAY, "run").code == 0
    assert verdicts(spring) == [("accepted", "readable")] * 2
    assert len(rows(spring, "SELECT * FROM submission")) == len(outbox(spring, "receipt")) == 2
    assert [row["put_away"] for row in rows(spring, "SELECT put_away FROM ledger")] == ["Processed"] * 2
    assert dovecot.person(user).folder_status("Processed", ["MESSAGES"])[b"MESSAGES"] == 2


# ------------------------------------------------------------------ no round closes too early


def test_no_round_closes_while_the_server_is_away(
    mailed: Path, dovecot: Dovecot, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The round stays open and the run says so; when the server is back, what lay there counts, and it closes."""
    monkeypatch.setattr("league.intake.imap.box.PAUSES", ())
    put(dovecot, user, letter("Anna", "join Iceland"), WEDNESDAY)
    dovecot.forget_persons()
    dovecot.stop()
    done = mail_run(mailed, FRIDAY)
    assert done.frozen.rounds == []
    assert "stay open" in done.frozen.troubles[0]
    assert f"localhost:{dovecot.imaps}: Connection refused" in done.accepted.troubles[0]
    dovecot.start()
    assert mail_run(mailed, FRIDAY).frozen.rounds == [("spring", 1)]
    assert len(rows(mailed, "SELECT * FROM submission")) == 1


def test_the_marker_is_put_down_when_a_round_is_due(mailed: Path, dovecot: Dovecot, user: str) -> None:
    """Not before; then the server's clock is known, and nothing is left lying in its folder."""
    assert mail_run(mailed, WEDNESDAY).accepted.clocks == []
    assert not dovecot.person(user).folder_exists("League-Marker")
    done = mail_run(mailed, FRIDAY)
    assert len(done.accepted.clocks) == 1
    assert dovecot.person(user).folder_status("League-Marker", ["MESSAGES"])[b"MESSAGES"] == 0
    assert any("the mail server's clock says" in note for note in done.accepted.notes)  # it lives in another year
    assert done.frozen.rounds == [("spring", 1)]


def test_no_round_closes_where_no_marker_can_be_put(spring: Path, dovecot: Dovecot, user: str) -> None:
    """Without proof that the server is up to date the fetch isn't complete; an empty setting does without proof."""
    connected(spring, dovecot, user, marker="no/such.separator/here")
    done = mail_run(spring, FRIDAY)
    assert done.frozen.rounds == []
    assert len(done.accepted.troubles) == 1
    connected(spring, dovecot, user, marker="")
    assert mail_run(spring, FRIDAY).frozen.rounds == [("spring", 1)]


@pytest.mark.parametrize(("behind", "closes", "said"), [(2, False, 0), (20, False, 1), (0, True, 0), (-60, True, 0)])
def test_a_round_closes_by_the_servers_clock_too(spring: Path, behind: int, closes: bool, said: int) -> None:
    """A server that is behind may still give out times before the deadline; far behind, it is told."""
    now = at("2024-01-04 23:15")  # the very moment of closing
    site = opened(spring, now)
    done = freeze_rounds(site, Accepted(clocks=[now - timedelta(minutes=behind)]))
    assert (done.rounds == [("spring", 1)]) is closes
    assert len(done.troubles) == said


# ------------------------------------------------------------------ when it came


def test_our_own_hosts_line_counts(spring: Path, dovecot: Dovecot, user: str) -> None:
    """Of a mail that our host took in the Received line is the time; one laid in by hand is flagged.

    Neither bears our host's word on who wrote it above that line, so neither counts by it.
    """
    connected(spring, dovecot, user, received_by=HOST)
    line = f"Received: from a.example by {HOST} with ESMTP id 1; Thu, 04 Jan 2024 21:00:00 +0000\r\n"
    put(dovecot, user, line.encode() + letter("Anna", "join Iceland"), at("2024-01-04 21:30"))
    put(dovecot, user, letter("Ben", "join Greece"), WEDNESDAY)
    done = mail_run(spring, FRIDAY)
    found = rows(spring, "SELECT arrival, received_at FROM mail ORDER BY id")
    assert [(row["arrival"], row["received_at"][:16]) for row in found] == [
        ("received", "2024-01-04T21:00"),
        ("mailbox, no_own_line", "2024-01-03T10:00"),
    ]
    (note,) = [note for note in done.accepted.notes if "Received line" in note]
    assert note == (
        f"1 mail has no Received line of {HOST} ([mail] received_by): it may have been put there by a person "
        f"(imap:{user}@localhost/INBOX;UID=2)"
    )
    assert verdicts(spring) == [("quarantined", "unproven")] * 2


def test_an_older_date_doesnt_make_a_mail_punctual(mailed: Path, dovecot: Dovecot, user: str) -> None:
    """Date says Wednesday, the server Friday: late (hazard 53)."""
    put(dovecot, user, letter("Anna", "join Iceland"), FRIDAY)
    mail_run(mailed, FRIDAY)
    assert [verdict for verdict, _ in verdicts(mailed)] == ["late"]


# ------------------------------------------------------------------ the command


def test_the_command_says_what_is_wrong(mailed: Path, user: str, processes: Forks) -> None:
    """A wrong password ends with 1 and one sentence; neither it nor the right one is in anything that is printed."""
    assert processes.league(mailed, WEDNESDAY, "mail", "fetch").code == 0
    (mailed / "secrets" / "imap.password").write_text("wrong-secret\n")
    done = processes.league(mailed, WEDNESDAY, "mail", "fetch", "-v")
    assert done.code == 1
    assert re.search(rf"{user}@localhost: user {user} isn't let in .* check user and the password", done.err)
    assert "wrong-secret" not in done.out + done.err
    assert "Traceback" not in done.err
    assert list(mailed.glob("*fault*")) == []


def test_passwords_from_elsewhere(mailed: Path, dovecot: Dovecot, user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the environment; from a command that prints a token; and what is missing is named, never shown."""
    monkeypatch.setenv("LEAGUE_TEST_PASSWORD", PASSWORD)
    connected(mailed, dovecot, user, password_file="", password_env="LEAGUE_TEST_PASSWORD")
    assert mail_run(mailed, WEDNESDAY).accepted.complete
    token = mailed / "token.sh"
    token.write_text(f"#!/bin/sh\necho {token_of(user)}\n")
    token.chmod(0o700)
    connected(mailed, dovecot, user, password_file="", token_command=(str(token), "two words; rm -rf $HOME"))
    assert mail_run(mailed, WEDNESDAY).accepted.complete


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"password_file": "secrets/none"}, "secrets/none, which should hold a password, can't be read: No such file"),
        ({"password_file": "", "password_env": "LEAGUE_X"}, "LEAGUE_X, which should hold a password, isn't set"),
        ({"password_file": "", "token_command": ("/nowhere/oama",)}, "/nowhere/oama, which should print a token,"),
        ({"password_file": "", "token_command": ("false",)}, "ended with 1; run it by hand to see what it says"),
    ],
)
def test_what_is_missing_is_named(spring: Path, dovecot: Dovecot, user: str, more: dict[str, Any], said: str) -> None:
    """No connection is made; the run says what is missing, and no round closes."""
    done = mail_run(connected(spring, dovecot, user, **more), FRIDAY)
    assert said in done.accepted.troubles[0]
    assert done.frozen.rounds == []


def test_a_password_others_can_read_is_refused(mailed: Path) -> None:
    """The sentence says how to mend it; nothing is fetched and no round closes."""
    (mailed / "secrets" / "imap.password").chmod(0o644)
    done = mail_run(mailed, FRIDAY)
    assert "imap.password can be read by others; run: chmod 600" in done.accepted.troubles[0]
    assert done.frozen.rounds == []
