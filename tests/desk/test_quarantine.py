"""`league mail quarantine`: what waits, a safe look at it, and the organizer's word."""

import json
from pathlib import Path
from typing import Any

import pytest

from league.cli import main
from league.desk.inbox.quarantine import visible
from league.intake.lookalike import looks_like
from tests.desk.sites import at, bodies, drop, letter, mail_run, opened, outbox, rows, run, verdicts

WEDNESDAY, THURSDAY, FRIDAY = at("2024-01-03 10:00"), at("2024-01-04 18:00"), at("2024-01-05 08:00")
NASTY = "join Iceland\n\x1b[2J\x1b]0;owned\x07\u202eevil\u200b"


@pytest.fixture
def forged(spring: Path) -> Path:
    """The league with two mails in Anna's name that nothing proves; the second one is nasty."""
    drop(spring, letter("Anna", "join Iceland", proven=False), WEDNESDAY)
    drop(spring, letter("Anna", NASTY, subject="two \x1b[31m", proven=False), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    return spring


class Asking:
    """The command line, with its output."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path, self.capsys = path, capsys

    def __call__(self, *args: str, now: str = "2024-01-04T18:00:00Z") -> tuple[int, str]:
        code = main(["--site", str(self.path), "--now", now, "mail", "quarantine", *args])
        out, err = self.capsys.readouterr()
        return code, out + err

    def json(self, *args: str) -> Any:
        return json.loads(self(*args, "--json")[1])


@pytest.fixture
def ask(forged: Path, capsys: pytest.CaptureFixture[str]) -> Asking:
    return Asking(forged, capsys)


def test_the_list_says_what_waits(ask: Asking) -> None:
    """A line a mail with its number, from whom it says it is, for whom, and why it waits; nothing of what it says."""
    code, told = ask("list")
    assert code == 0
    assert "1  2024-01-03T10:00:00Z  quarantined (unproven) from anna@example.org  for Anna (spring, s1)" in told
    assert "Iceland" not in told
    assert [row["id"] for row in ask.json("list", "--league", "spring")] == [1, 2]
    assert ask.json("list", "--league", "autumn") == []


def test_a_look_is_safe(ask: Asking) -> None:
    """No escape, bidi or invisible sign of a mail reaches the terminal; each is shown by its number."""
    _, told = ask("show", "2", "--reveal")
    assert "join Iceland" in told
    assert "<U+001B>[2J" in told
    assert "<U+202E>evil<U+200B>" in told
    assert not {"\x1b", "\x07", "\u202e", "\u200b"} & set(told)
    assert visible("a\tb\nc\r\u2028\ud800") == "a\tb\nc<U+000D><U+2028><U+D800>"


def test_a_look_shows_the_way_of_the_mail(ask: Asking, forged: Path) -> None:
    """Each host as its own line says, the last first, with its time; for programs as well."""
    line = b"Received: from a.example by %s with ESMTPS; %s\r\n"
    top = line % (b"mx.play.example", b"Wed, 3 Jan 2024 11:00:00 +0100")
    raw = top + line % (b"out.example.net", b"once") + letter("Anna", "join Iceland", subject="hops", proven=False)
    drop(forged, raw, at("2024-01-03 10:00"))
    mail_run(forged, at("2024-01-03 12:00"))
    *_, last = ask.json("list")
    hops = ask.json("show", str(last["id"]))["hops"]
    assert hops[:2] == [
        {"by": "mx.play.example", "at": "2024-01-03T10:00:00Z"},
        {"by": "out.example.net", "at": None},
    ]
    _, told = ask("show", str(last["id"]))
    assert "came through mx.play.example at 2024-01-03T10:00:00Z" in told
    assert "came through out.example.net at a time that is not readable" in told


def test_a_look_at_the_text_is_written_down(ask: Asking, forged: Path) -> None:
    """Without --reveal no text is shown; with it the journal, the round's record and its report tell it."""
    _, told = ask("show", "1")
    assert "Iceland" not in told
    assert "--reveal" in told
    assert ask.json("show", "1")["text"] is None
    assert rows(forged, "SELECT * FROM decision") == []
    assert "join Iceland" in ask.json("show", "1", "--reveal")["text"]
    assert [row["act"] for row in rows(forged, "SELECT act FROM journal")][-1] == "mail quarantine show 1 --reveal"
    mail_run(forged, FRIDAY)
    assert [one["kind"] for one in bodies(forged)[1]["decisions"]] == ["revealed"]


def test_a_released_mail_counts_from_when_it_came(ask: Asking, forged: Path) -> None:
    """The organizer stands for it: booked with its time of arrival, answered, written down with the reason."""
    code, told = ask("release", "1", "--why", "she rang me up")
    assert (code, told) == (0, "Mail 1 was released: accepted (readable).\n")
    assert verdicts(forged) == [("accepted", "readable"), ("quarantined", "unproven")]
    (row,) = rows(forged, "SELECT proof, verified FROM verdict WHERE verdict = 'accepted'")
    assert (row["proof"], row["verified"]) == ("organizer", 1)
    (receipt,) = outbox(forged, "receipt", "Anna")
    assert "2024-01-03 10:00 UTC" in receipt.text
    (act,) = rows(forged, "SELECT why, who, arguments FROM journal WHERE act = 'mail quarantine release'")
    assert act["why"] == "she rang me up"
    assert json.loads(act["arguments"])["mail"] == 1
    assert ask("release", "1", "--why", "again")[0] == 1


def test_nothing_is_released_after_the_freeze(ask: Asking, forged: Path) -> None:
    """No order enters after a freeze: refused, with the round and what would be right."""
    mail_run(forged, FRIDAY)
    code, told = ask("release", "1", "--why", "too late", now="2024-01-05T09:00:00Z")
    assert code == 1
    assert "it came for round 1, which is closed since 2024-01-05T08:00:00Z; no order enters after a freeze" in told
    assert rows(forged, "SELECT * FROM submission") == []
    assert verdicts(forged)[0] == ("quarantined", "unproven")


def test_a_rejected_mail_is_off_the_list(ask: Asking, forged: Path) -> None:
    """Kept, counted for nothing, with who and why."""
    assert ask("reject", "1", "--why", "she did not write it") == (0, "Mail 1 was rejected.\n")
    assert verdicts(forged)[0] == ("rejected", "organizer")
    assert [row["id"] for row in ask.json("list")] == [2]
    assert ask("reject", "1", "--why", "again")[0] == 1
    assert len(rows(forged, "SELECT * FROM journal WHERE act = 'mail quarantine reject'")) == 1


@pytest.mark.parametrize("act", ["release", "reject"])
def test_a_reason_is_needed(ask: Asking, act: str) -> None:
    """No word of the organizer without a reason; and of a mail that isn't there it is said."""
    assert ask(act, "1")[0] == 2
    assert ask(act, "1", "--why", " ") == (1, "Error: say why with --why: it is written down\n")
    code, told = ask(act, "99", "--why", "x")
    assert code == 1
    assert "there is no mail 99" in told


def test_a_strangers_mail_is_not_released(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a key from an address that looks like Anna's: the list warns, and there is nobody to stand for."""
    site = opened(spring, WEDNESDAY)
    site.engine.dispose()
    (first,) = outbox(spring, "welcome", "Anna")
    thread = {"In-Reply-To": str(first.mail["Message-ID"])}
    drop(spring, letter("Anna", "join Iceland", sender="anna@examp1e.org", headers=thread), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    ask = Asking(spring, capsys)
    assert "token_alone) from anna@examp1e.org  LOOKS LIKE anna@example.org" in ask("list")[1]
    assert "the address looks like anna@example.org and is another one" in ask("show", "1")[1]
    code, told = ask("release", "1", "--why", "x")
    assert code == 1
    assert "anna@examp1e.org is nobody's registered address" in told


def test_held_mails_can_be_settled_too(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One Message-ID with two texts: the organizer says which one counts as well."""
    for text in ("join Iceland", "join Portugal"):
        drop(spring, letter("Anna", text, message_id="<same@example.org>"), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    ask = Asking(spring, capsys)
    (row,) = ask.json("list")
    assert row["reason"] == "same_id_other_content"
    assert ask("release", str(row["id"]), "--why", "she meant this one")[0] == 0
    assert ask.json("list") == []


@pytest.mark.parametrize(
    ("address", "alike"),
    [
        ("anna@ex\u0430mple.org", "anna@example.org"),
        ("anna@xn--exmple-4nf.org", "anna@example.org"),
        ("anna@exarnple.org", "anna@example.org"),
        ("anna@examp1e.org", "anna@example.org"),
        ("anna@exämple.org", "anna@example.org"),
        ("anna@example.org", ""),
        ("ANNA@example.org", ""),
        ("berta@example.org", ""),
        ("anna@example.com", ""),
    ],
)
def test_addresses_that_look_alike(address: str, alike: str) -> None:
    """Letters of other scripts, figures for letters, accents, pairs that read as one letter."""
    assert looks_like(address, ["ben@example.org", "anna@example.org"]) == alike


MARKS = [
    ({"Precedence": "bulk"}, "ignored", "automatic_with_orders", "marked as sent by a program"),
    ({"Auto-Submitted": "auto-generated"}, "ignored", "automatic_with_orders", "marked as sent by a program"),
    ({"Auto-Submitted": "auto-replied (rule)"}, "ignored", "automatic_with_orders", "marked as sent by a program"),
    ({"X-Autoreply": "yes"}, "ignored", "automatic_with_orders", "marked as sent by a program"),
    ({"Precedence": "list"}, "rejected", "list_with_orders", "came through a mailing list"),
    ({"List-Id": "<games.example.net>"}, "rejected", "list_with_orders", "came through a mailing list"),
]


@pytest.mark.parametrize(("headers", "verdict", "reason", "why"), MARKS)
def test_orders_with_a_mark_of_a_program_are_shown(
    spring: Path, capsys: pytest.CaptureFixture[str], headers: dict[str, str], verdict: str, reason: str, why: str
) -> None:
    """They don't count and aren't answered; the status says whose and why, and the organizer lets them count."""
    drop(spring, letter("Anna", "join Iceland", headers=headers), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [(verdict, reason)]
    assert rows(spring, "SELECT id FROM submission") == []
    assert outbox(spring, "receipt", "Anna") == []
    assert main(["--site", str(spring), "--now", "2024-01-03T12:00:00Z", "status"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert (
        f"! A mail from anna@example.org holds orders and wasn't counted: it {'is ' * why.startswith('m')}{why}" in told
    )
    asking = Asking(spring, capsys)
    (row,) = asking.json("list")
    assert (row["name"], row["verdict"], row["reason"]) == ("Anna", verdict, reason)
    assert asking("release", "1", "--why", "a filter of hers")[0] == 0
    assert verdicts(spring) == [("accepted", "readable")]
    assert len(outbox(spring, "receipt", "Anna")) == 1
    assert asking.json("list") == []


def test_only_a_players_uncounted_orders_are_worth_a_look(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not an absence note, an unproven mail, a stranger's, or a copy of what counts; a rejected one is off the list."""
    bulk = {"Precedence": "bulk"}
    drop(spring, letter("Anna", "I am away until Monday.", headers=bulk), WEDNESDAY)
    drop(spring, letter("Ben", "join Iceland", headers=bulk, proven=False), WEDNESDAY)
    drop(spring, letter("Eve", "join Iceland", headers=bulk, sender="eve@example.net"), WEDNESDAY)
    drop(spring, letter("Carla", "join Iceland"), WEDNESDAY)
    drop(spring, letter("Carla", "join Iceland", headers={"List-Id": "<games.example.net>"}), WEDNESDAY)
    run(spring, WEDNESDAY)
    asking = Asking(spring, capsys)
    assert asking.json("list") == []
    assert sorted(verdicts(spring)) == [
        ("accepted", "readable"),
        *[("ignored", "automatic")] * 3,
        ("rejected", "mailing_list"),
    ]
    drop(spring, letter("Ben", "join Iceland", headers=bulk), WEDNESDAY)
    run(spring, WEDNESDAY)
    (row,) = asking.json("list")
    assert asking("reject", str(row["id"]), "--why", "he sent it by hand since")[0] == 0
    assert asking.json("list") == []
