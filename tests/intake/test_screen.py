"""Verdicts: which rule answers first, and for which seat a letter is."""

from dataclasses import replace

import pytest

from league.core.orders import Parsed
from league.intake.message import Letter, open_letter
from league.intake.proof import Proof
from league.intake.read import dry_run, dry_run_line
from league.intake.rules import RULES
from league.intake.screen import Roster, Verdict, judge, place_of
from tests.intake.standin import ANNA, CARLA_AUTUMN, CARLA_SPRING, READER, ROSTER, is_order, mail


def letter(extra: str = "", *, author: str = "anna@example.com", text: str = "take Paris") -> Letter:
    return replace(
        open_letter(mail(f"From: {author}\nMessage-ID: <m@example.com>\n{extra}\n{text}\n"), is_order),
        proof=Proof.TOKEN,
    )


def test_the_first_rule_decides() -> None:
    """The first rule with an answer decides, and its name is the reason; without any answer a person looks."""

    def never(_letter: Letter, _roster: Roster) -> Verdict | None:
        return None

    def always(_letter: Letter, _roster: Roster) -> Verdict | None:
        return Verdict.LATE

    assert judge(letter(), ROSTER, [never, always]) == (Verdict.LATE, "always")
    assert judge(letter(), ROSTER, [never]) == (Verdict.HELD, "no_rule")


def test_the_list_of_verdicts_is_closed() -> None:
    """There are ten verdicts, as the contracts name them."""
    names = "accepted ask late duplicate held quarantined rejected ignored bounce unreadable"
    assert [verdict.value for verdict in Verdict] == names.split()


@pytest.mark.parametrize(
    ("extra", "place"),
    [
        ("Subject: [spring] x\n", CARLA_SPRING),
        ("Subject: Re: [Autumn] x\n", CARLA_AUTUMN),
        ("Subject: [winter] x\n", None),
        ("To: League+Autumn@example.org\n", CARLA_AUTUMN),
        ("Delivered-To: league+spring@example.org\nTo: x@example.net\n", CARLA_SPRING),
        ("In-Reply-To: <r3.carla.11@mail.league.example.org>\n", CARLA_AUTUMN),
        ("References: <r3.carla.11@mail.league.example.org> <x@y>\nSubject: Re: [autumn]\n", CARLA_AUTUMN),
        ("Subject: [spring]\nTo: league+autumn@example.org\n", None),
        ("Subject: [spring]\nIn-Reply-To: <r3.carla.11@mail.league.example.org>\n", None),
        ("", None),
    ],
)
def test_which_league(extra: str, place: object) -> None:
    """All that a letter says of its league must agree; a player of two leagues who says nothing is asked."""
    found = letter(extra, author="carla@example.net")
    assert place_of(found, ROSTER) == place
    wanted = (Verdict.ACCEPTED, "readable") if place else (Verdict.ASK, "which_league")
    assert judge(found, ROSTER, RULES) == wanted


def test_the_one_open_league_is_meant() -> None:
    """Who plays in one open league needn't name it, and of closed ones an only one is meant."""
    closed = replace(CARLA_AUTUMN, open=False)
    roster = replace(
        ROSTER, places={"carla@example.net": (CARLA_SPRING, closed), "anna@example.com": (replace(ANNA, open=False),)}
    )
    assert place_of(letter(author="carla@example.net"), roster) == CARLA_SPRING
    assert place_of(letter(), roster) == ANNA


def test_an_answer_to_somebody_elses_mail_names_no_seat() -> None:
    """A forwarded report doesn't make its reader the player it went to."""
    found = letter("In-Reply-To: <r3.carla.11@mail.league.example.org>\n")
    assert place_of(found, ROSTER) == ANNA


def test_own_ids_need_their_prefix() -> None:
    """A player at the league's own domain is not taken for the league."""
    roster = replace(ROSTER, domain="example.com", id_prefix="league.")
    assert judge(letter(), roster, RULES)[0] is Verdict.ACCEPTED
    assert judge(letter(), replace(roster, id_prefix=""), RULES) == (Verdict.IGNORED, "own_mail")


def test_own_address_with_a_plus_part_is_own() -> None:
    """Our own sender address in any of its forms is ours."""
    assert judge(letter(author="league+spring@example.org"), ROSTER, RULES) == (Verdict.IGNORED, "own_mail")


@pytest.mark.parametrize(
    "subject", ["Automatic reply: R3", "Abwesenheitsnotiz", "Gelezen: R3", "Undeliverable: R3", "Recall: x"]
)
def test_a_subject_never_outweighs_an_order(subject: str) -> None:
    """A machine's subject alone silences a mail only if no line of it is an order."""
    assert judge(letter(f"Subject: {subject}\n"), ROSTER, RULES)[0] is Verdict.ACCEPTED
    assert judge(letter(f"Subject: {subject}\n", text="Hello"), ROSTER, RULES)[0] in {Verdict.IGNORED, Verdict.BOUNCE}


def test_without_a_roster_no_sender_is_asked_for() -> None:
    """A mail can be looked at where there is no site; doubles among the mails are still seen."""
    raw = mail("From: stranger@example.net\nMessage-ID: <s@example.net>\n\ntake Paris\ntkae Rom\n")
    first, second = dry_run([raw, raw], lambda _: READER, None)
    shown = dry_run_line(first)
    assert shown == {
        "source": "test",
        "message_id": "<s@example.net>",
        "from": "stranger@example.net",
        "verdict": "accepted",
        "holds": ["orders"],
        "league": None,
        "seat": None,
        "orders": [
            {"line": "take Paris", "status": "understood", "order": "take paris", "reason": None},
            {"line": "tkae Rom", "status": "mistake", "order": None, "reason": "no_verb"},
        ],
        "text": "take Paris\ntkae Rom",
        "reason": "readable",
    }
    assert (second.verdict, second.reason) == (Verdict.DUPLICATE, "same_mail")


def test_kinds_of_orders() -> None:
    """The game says what is an order and what a result; press is told beside them, in a fixed order."""
    reader = replace(READER, kind=lambda order: "results" if "rom" in order else "orders")
    raw = mail("From: anna@example.com\n\ntake Rom\ntake Paris\npress to all: hi\n")
    (reading,) = dry_run([raw], lambda _: reader, ROSTER)
    assert dry_run_line(reading)["holds"] == ["orders", "press", "results"]


def test_a_mail_that_is_not_read_is_not_parsed() -> None:
    """What a machine or a stranger sent never meets the game."""

    def refuse(_: str) -> Parsed[str]:
        raise AssertionError

    raw = mail("From: mallory@example.net\n\ntake Paris\n")
    (reading,) = dry_run([raw], lambda _: replace(READER, parse=refuse), ROSTER)
    assert (reading.verdict, reading.parsed.lines) == (Verdict.REJECTED, ())
