"""Who wrote it: what proves a mail, what becomes of one that nothing proves, and how little that costs others."""

from pathlib import Path

import dkim
import pytest

from league.desk.acts.change_seats import substitute
from league.desk.acts.keys import renew_token, show_token
from league.desk.people.players import NewPlayer
from league.intake import signature
from tests.desk.sites import (
    add_league,
    address,
    at,
    bodies,
    drop,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    public,
    rows,
    run,
    verdicts,
)
from tests.intake.test_proof import PRIVATE, PUBLIC

TUESDAY, WEDNESDAY, FRIDAY = at("2024-01-02 10:00"), at("2024-01-03 10:00"), at("2024-01-05 08:00")


def key_of(path: Path, name: str = "Anna") -> str:
    site = opened(path, TUESDAY)
    told = show_token(site, "spring", name)
    site.engine.dispose()
    return str(told["key"])


def write(path: Path, text: str = "join Iceland", name: str = "Anna", *, proven: bool = False, **more: object) -> None:
    """A mail that nothing proves, unless `proven` or `more` do."""
    drop(path, letter(name, text, proven=proven, **more), WEDNESDAY)  # type: ignore[arg-type]


def proofs(path: Path) -> list[tuple[str, str, int]]:
    found = rows(path, "SELECT verdict, proof, verified FROM verdict JOIN mail ON mail.id = mail_id ORDER BY id")
    return [(row["verdict"], row["proof"], row["verified"]) for row in found]


# ------------------------------------------------------------------ what proves a mail


def test_the_first_mail_is_there_and_an_answer_to_it_is_proven(spring: Path) -> None:
    """Who was added gets a mail with his key at once; answering it is enough."""
    (first,) = outbox(spring, "welcome", "Anna")
    assert f"# key {key_of(spring)}" in first.text
    assert "Donnerstag, 4. Januar 2024, 24:00" in first.text
    write(spring, headers={"In-Reply-To": str(first.mail["Message-ID"])})
    mail_run(spring, WEDNESDAY)
    assert proofs(spring) == [("accepted", "reply", 1)]


def test_an_answer_to_somebody_elses_mail_proves_nothing(spring: Path) -> None:
    """Ben knows the ids of his own mails, not of Anna's."""
    (first,) = outbox(spring, "welcome", "Ben")
    write(spring, headers={"References": str(first.mail["Message-ID"])})
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("quarantined", "unproven")]


def test_a_key_line_proves_and_is_seen_nowhere(spring: Path) -> None:
    """Not in the receipt, the order book, the record or on a page, and it is no mistake."""
    key = key_of(spring)
    write(spring, f"Key {key.upper()}\njoin Iceland")
    run(spring, WEDNESDAY)
    assert proofs(spring) == [("accepted", "token", 1)]
    (receipt,) = outbox(spring, "receipt")
    assert "not understood" not in receipt.text
    assert "nicht verstanden" not in receipt.text
    run(spring, FRIDAY)
    assert bodies(spring)[1]["orders"][0]["orders"] == ["join Iceland"]
    seen = b"".join(public(spring).values()) + b"".join(out.raw for out in outbox(spring))
    seen += repr(rows(spring, "SELECT lines, text FROM submission")).encode()
    seen += repr(rows(spring, "SELECT arguments, why FROM journal")).encode()
    plain = key.replace("-", "").encode()
    assert plain not in seen.lower().replace(b"-", b"").replace(b"=\r\n", b"")


def test_a_plus_address_proves_and_every_mail_carries_it(tmp_path: Path) -> None:
    """With plus addresses on, an answer goes to an address with the seat's token in it; lower case is no matter."""
    path = make_site(tmp_path / "site", plus_addresses=True)
    add_league(path)
    (first,) = outbox(path, "welcome", "Anna")
    where = str(first.mail["Reply-To"])
    assert where == f"league+spring-1.{key_of(path).replace('-', '')}@play.example"
    raw = letter("Anna", "join Iceland", proven=False).replace(
        b"To: league@play.example", f"To: {where.upper()}".encode()
    )
    drop(path, raw, WEDNESDAY)
    run(path, WEDNESDAY)
    assert proofs(path) == [("accepted", "token", 1)]
    assert outbox(path, "receipt")[0].mail["Reply-To"] == where
    assert where.partition("@")[0].partition(".")[2].encode() not in b"".join(public(path).values())


def test_our_own_check_of_a_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no server of ours states anything, the signature is checked here; without its key the token is needed."""
    path = make_site(tmp_path / "site", authserv_id="")
    add_league(path)
    asked: list[str] = []

    def answer(name: str, _: float) -> bytes | None:
        asked.append(name)
        if name.startswith("away."):
            raise TimeoutError
        return PUBLIC

    monkeypatch.setattr(signature, "ask_dns", answer)
    for name, selector in (("Anna", b"one"), ("Ben", b"away"), ("Gero", b"one")):
        raw = letter(name, "join Iceland")
        drop(path, bytes(dkim.sign(raw, selector, b"example.org", PRIVATE)) + raw, WEDNESDAY)
    mail_run(path, WEDNESDAY)
    assert verdicts(path) == [
        ("accepted", "readable"),
        ("quarantined", "key_not_fetched"),
        ("rejected", "unknown_sender"),
    ]
    assert proofs(path)[0] == ("accepted", "dkim", 1)
    assert asked == ["one._domainkey.example.org.", "away._domainkey.example.org."]


def test_no_name_server_is_asked_where_our_host_states_it(spring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `authserv_id` set, our own check is off."""

    def answer(_: str, __: float) -> bytes | None:
        raise AssertionError

    monkeypatch.setattr(signature, "ask_dns", answer)
    raw = letter("Anna", "join Iceland", proven=False)
    drop(spring, bytes(dkim.sign(raw, b"one", b"example.org", PRIVATE)) + raw, WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("quarantined", "unproven")]


def test_a_closed_network_may_believe_addresses(tmp_path: Path) -> None:
    """With proof = address everything counts as before; rows, pages and mails say that nothing was proven."""
    path = make_site(tmp_path / "site", proof="address")
    add_league(path)
    write(path)
    run(path, WEDNESDAY)
    assert proofs(path) == [("accepted", "address", 0)]
    assert "eine eingetragene Adresse" in outbox(path, "receipt")[0].text.replace("\n# ", " ")
    assert b"eine eingetragene Adresse" in public(path)["spring/index.html"]


# ------------------------------------------------------------------ what nothing proves


def test_an_unproven_mail_counts_for_nothing(spring: Path) -> None:
    """It is kept and set aside; neither book nor record nor page knows of it, and no receipt goes out."""
    write(spring, "join Iceland\n\npress to all: Ha!")
    run(spring, FRIDAY)
    assert verdicts(spring) == [("quarantined", "unproven")]
    assert rows(spring, "SELECT * FROM submission") + rows(spring, "SELECT * FROM press") == []
    assert bodies(spring)[1]["orders"] == []
    assert {out.kind.partition("/")[0] for out in outbox(spring)} == {"unproven", "freeze", "report"}


def test_nobody_is_flooded_through_us(spring: Path) -> None:
    """A hundred forged mails in several runs: one notice a seat and day, to the address on file, and no order in it."""
    for number in range(100):
        write(spring, subject=f"flood {number}", headers={"Reply-To": "victim@example.net"})
        if number % 25 == 24:
            mail_run(spring, at(f"2024-01-03 {10 + number // 25}:30"))
    assert [out.to for out in outbox(spring, "unproven")] == [address("Anna")]
    write(spring, subject="the day after")
    mail_run(spring, at("2024-01-04 10:00"))
    first, second = outbox(spring, "unproven")
    assert (first.to, second.to) == (address("Anna"), address("Anna"))
    assert first.mail["Auto-Submitted"] == "auto-generated"
    assert first.mail["In-Reply-To"] is None
    assert "Eine Mail wurde zurückgelegt" in str(first.mail["Subject"])
    assert b"victim" not in first.raw + second.raw


def test_the_notice_can_be_answered(spring: Path) -> None:
    """It says what to do, and doing it works."""
    write(spring)
    mail_run(spring, WEDNESDAY)
    (notice,) = outbox(spring, "unproven")
    drop(
        spring,
        letter(
            "Anna",
            "join Iceland",
            proven=False,
            headers={"In-Reply-To": str(notice.mail["Message-ID"])},
            subject="again",
        ),
        WEDNESDAY,
    )
    mail_run(spring, WEDNESDAY)
    assert sorted(verdicts(spring)) == [("accepted", "readable"), ("quarantined", "unproven")]


def test_a_key_from_a_strange_address(spring: Path) -> None:
    """A leaked key, or a second address: set aside, the address on file is asked, the stranger hears nothing."""
    write(spring, f"key {key_of(spring)}\njoin Iceland", sender="anna@example.net", proven=True)
    (first,) = outbox(spring, "welcome", "Ben")
    write(spring, name="Ben", sender="ben@example.net", headers={"In-Reply-To": str(first.mail["Message-ID"])})
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("quarantined", "token_alone")] * 2
    assert [out.to for out in outbox(spring, "unproven")] == [address("Anna"), address("Ben")]
    assert "ben@example.net" in outbox(spring, "unproven", "Ben")[0].text


def test_somebody_elses_key_is_a_conflict(spring: Path) -> None:
    """Proven as Ben or not: with Anna's key the mail is set aside, and Ben is told."""
    write(spring, f"key {key_of(spring)}\njoin Iceland", "Ben", proven=True)
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("quarantined", "token_of_another_seat")]
    assert [out.to for out in outbox(spring, "unproven")] == [address("Ben")]


def test_a_forged_mail_shadows_no_genuine_one(spring: Path) -> None:
    """The same Message-ID, first from a forger, then from the player: the player's counts."""
    write(spring, "join Greece", message_id="<same@example.org>")
    mail_run(spring, TUESDAY)
    write(spring, "join Iceland", proven=True, message_id="<same@example.org>")
    mail_run(spring, WEDNESDAY)
    assert sorted(verdicts(spring)) == [("accepted", "readable"), ("quarantined", "unproven")]


# ------------------------------------------------------------------ keys change hands


def test_a_new_key_ends_the_old_one(spring: Path) -> None:
    """Neither the old key nor answers to older mails prove anything; the mail that brings the new one does."""
    old, (first,) = key_of(spring), outbox(spring, "welcome", "Anna")
    site = opened(spring, TUESDAY)
    told = renew_token(site, "spring", "Anna", why="it leaked")
    assert told["key"] != old
    site.engine.dispose()
    (brought,) = outbox(spring, "new_key", "Anna")
    assert str(told["key"]) in brought.text
    write(spring, f"key {old}\njoin Iceland")
    write(spring, subject="two", headers={"In-Reply-To": str(first.mail["Message-ID"])})
    write(spring, subject="three", headers={"In-Reply-To": str(brought.mail["Message-ID"])})
    mail_run(spring, WEDNESDAY)
    assert [verdict for verdict, _ in verdicts(spring)] == ["quarantined", "quarantined", "accepted"]
    (act,) = rows(spring, "SELECT why, arguments FROM journal WHERE act = 'player token --renew'")
    assert act["why"] == "it leaked"
    assert str(told["key"]) not in act["arguments"]


def test_a_substitute_has_a_key_of_her_own(spring: Path) -> None:
    """Who had the seat before can't write in the name of who has it now."""
    old, (first,) = key_of(spring), outbox(spring, "welcome", "Anna")
    site = opened(spring, TUESDAY)
    substitute(site, "spring", "Anna", NewPlayer("Dora", address("Dora")), why="away")
    site.engine.dispose()
    write(spring, f"key {old}\njoin Iceland", "Dora")
    write(spring, name="Dora", subject="two", headers={"In-Reply-To": str(first.mail["Message-ID"])})
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("quarantined", "unproven")] * 2
    (brought,) = outbox(spring, "takes_over", "Dora")
    assert f"# key {key_of(spring, 'Dora')}" in brought.text


# ------------------------------------------------------------------ the brake, and mails that can't be read


def test_answers_have_a_brake(spring: Path) -> None:
    """Two programs that answer each other: ten answers in an hour, then silence, and the organizer is told."""
    for number in range(15):
        write(spring, f"Thank you for mail {number}", subject=f"Re: {number}", proven=True)
        done = mail_run(spring, WEDNESDAY)
    assert len(outbox(spring, "ask", "Anna")) == 10
    assert [line for line in done.accepted.troubles if "more than 10 answers within an hour to spring/s1" in line]
    assert len(outbox(spring, "brake", "Anna")) == 1
    drop(spring, letter("Anna", "join Iceland"), at("2024-01-03 11:30"))
    mail_run(spring, at("2024-01-03 11:30"))
    assert len(outbox(spring, "receipt", "Anna")) == 1


def test_silence_costs_no_order(spring: Path) -> None:
    """Who is no longer answered is still heard."""
    for number in range(12):
        write(spring, f"join {('Iceland', 'Portugal')[number % 2]}\n# {number}", subject=f"{number}", proven=True)
    mail_run(spring, WEDNESDAY)
    assert len(outbox(spring, "receipt", "Anna")) == 10
    assert len(rows(spring, "SELECT * FROM submission")) == 12


def test_a_known_players_unreadable_mail_is_answered(spring: Path) -> None:
    """Too big, or no mail at all: its author is told what would be right, once it is known who that is."""
    write(spring, "join Iceland\n" + "x" * 1_100_000, proven=True)
    write(spring, "join Iceland\n" + "x" * 1_100_000, "Ben")
    drop(spring, b"Auto-Submitted: auto-replied\r\n" + letter("Carla", "x" * 1_100_000), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("unreadable", "mail_too_big")] * 3
    (answer,) = outbox(spring, "unreadable")
    assert answer.to == address("Anna")
    assert "zu groß: Wir lesen Mails bis 1000 kB" in answer.text.replace("\n", " ")
    assert answer.mail["Auto-Submitted"] == "auto-replied"
