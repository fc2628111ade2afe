"""Mails that come twice, clash, can't be read or come by the hundred: none is lost, and none stops the site."""

from pathlib import Path

from tests.desk.sites import at, drop, letter, mail_run, outbox, rows, run, verdicts

EARLY, WEDNESDAY = at("2024-01-02 10:00"), at("2024-01-03 10:00")
NEXT_WEEK = at("2024-01-10 10:00")
CLOSED = at("2024-01-05 12:00")  # after Thursday's end, before the next window


# ------------------------------------------------------------------ the same message id again


def test_a_late_mail_may_come_again(spring: Path) -> None:
    """A copy with the same Message-ID counts in the open window, though an earlier copy came too late."""
    copy = letter("Anna", "join Iceland", message_id="<one@example.org>")
    drop(spring, copy, CLOSED)
    mail_run(spring, CLOSED)
    drop(spring, b"Resent-From: anna@example.org\r\n" + copy, NEXT_WEEK)
    mail_run(spring, NEXT_WEEK)
    assert [verdict for verdict, _ in verdicts(spring)] == ["late", "accepted"]


def test_a_mail_that_was_asked_about_may_come_again(spring: Path) -> None:
    """In one batch and in two: a mail that wasn't understood doesn't shadow its better copy."""
    for name in ("Anna", "Ben"):
        drop(spring, letter(name, "Hello there", message_id=f"<{name}@example.org>"), EARLY)
    drop(spring, letter("Anna", "join Iceland", message_id="<Anna@example.org>"), EARLY, "later.eml")
    mail_run(spring, EARLY)
    drop(spring, letter("Ben", "join Greece", message_id="<Ben@example.org>"), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    assert [verdict for verdict, _ in verdicts(spring)] == ["ask", "ask", "accepted", "accepted"]


def test_a_copied_message_id_of_another_author_is_no_matter(spring: Path) -> None:
    """Who sends first under somebody else's Message-ID neither holds nor rejects the genuine mail."""
    drop(spring, letter("Ben", "join Greece", message_id="<same@example.org>"), EARLY)
    mail_run(spring, EARLY)
    drop(spring, letter("Anna", "join Iceland", message_id="<same@example.org>"), WEDNESDAY)
    drop(spring, letter("Anna", "join Portugal", message_id="<same@example.org>"), WEDNESDAY, "zz.eml")
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring)[0][0] == "accepted"
    assert sorted(verdicts(spring)[1:]) == [("accepted", "readable"), ("held", "same_id_other_content")]


def bare(name: str, text: str, way: str, *drop_too: bytes) -> bytes:
    """A mail without Message-ID, as the mail server handed it over this time."""
    raw = letter(name, text).split(b"\r\n")
    kept = [line for line in raw if not line.startswith((b"Message-ID", *drop_too))]
    return b"\r\n".join([f"X-Way: {way}".encode(), *kept])


def test_the_same_text_sent_again_is_no_copy(spring: Path) -> None:
    """Without id and date two deliveries within minutes are one mail; a later one counts again, and is answered."""
    sent = [("join Iceland", "10:00"), ("join Iceland", "10:01"), ("join Portugal", "11:00"), ("join Iceland", "12:00")]
    for n, (text, arrived) in enumerate(sent):
        drop(spring, bare("Anna", text, f"way{n}", b"Date"), at(f"2024-01-03 {arrived}"))
        mail_run(spring, at(f"2024-01-03 {arrived}"))
    readable = ("accepted", "readable")
    assert verdicts(spring) == [readable, ("duplicate", "same_mail"), readable, readable]
    assert len(outbox(spring, "receipt", "Anna")) == 3
    assert "Island" in outbox(spring, "receipt", "Anna")[-1].text


def test_a_late_copy_with_a_date_brings_no_old_orders_back(spring: Path) -> None:
    """With a Date the same text is the same mail, whenever its second copy comes."""
    for n, (text, arrived) in enumerate(
        [("join Iceland", "10:00"), ("join Portugal", "11:00"), ("join Iceland", "12:00")]
    ):
        drop(spring, bare("Anna", text, f"way{n}"), at(f"2024-01-03 {arrived}"))
    mail_run(spring, WEDNESDAY)
    assert [verdict for verdict, _ in verdicts(spring)] == ["accepted", "accepted", "duplicate"]


def test_the_rest_of_a_mail_that_was_cut_short(spring: Path) -> None:
    """Half of it came first, under the same id: the whole one counts, is answered, and its copy is a copy."""
    whole = letter("Anna", "join Iceland\ngive Iceland\n", message_id="<one@example.org>")
    for n, raw in enumerate((whole[: whole.index(b"\r\ngive")], whole, b"X-Way: other\r\n" + whole)):
        drop(spring, raw, at(f"2024-01-03 1{n}:00"))
        run(spring, at(f"2024-01-03 1{n}:00"))
    assert verdicts(spring) == [("accepted", "readable"), ("accepted", "readable"), ("duplicate", "same_mail")]
    first, second = outbox(spring, "receipt", "Anna")
    assert "Island" in first.text
    assert "[2] Island abgeben" in second.text


def test_one_id_with_two_texts_is_answered(spring: Path) -> None:
    """What can't be told apart is held for the organizer, and its writer hears of it at once."""
    for text in ("join Greece", "join Iceland"):
        drop(spring, letter("Ben", text, message_id="<same@example.org>"), EARLY, f"{text}.eml")
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring)[-1] == ("held", "same_id_other_content")
    (asked,) = outbox(spring, "ask/", "Ben")
    assert "the same Message-ID as an earlier mail of yours" in " ".join(asked.text.split())
    assert "This stands now for round 1" in asked.text


def test_a_made_up_id_is_told_to_nobody(spring: Path) -> None:
    """The answer to a mail without a Message-ID names no id that no mail program knows."""
    raw = letter("Anna", "join Iceland")
    drop(spring, b"\r\n".join(line for line in raw.split(b"\r\n") if not line.startswith(b"Message-ID")), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    (answer,) = outbox(spring, "receipt")
    assert b"<sha256:" not in answer.raw


def test_a_link_in_the_inbox_is_not_followed(spring: Path, tmp_path: Path) -> None:
    """What a link points to is not read as a mail, and the run says so."""
    elsewhere = tmp_path / "elsewhere.eml"
    elsewhere.write_bytes(letter("Anna", "join Iceland"))
    (spring / "mail" / "in" / "new" / "linked.eml").symlink_to(elsewhere)
    done = mail_run(spring, WEDNESDAY)
    assert done.accepted.fetched == 0
    assert [trouble for trouble in done.accepted.troubles if "linked.eml" in trouble and "link" in trouble]


# ------------------------------------------------------------------ the same bytes again


def test_the_same_bytes_are_counted(spring: Path) -> None:
    """A mail that is delivered twice is one mail, and the run says that it saw it before."""
    drop(spring, letter("Anna", "join Iceland"), EARLY)
    assert mail_run(spring, EARLY).accepted.repeated == 0
    drop(spring, letter("Anna", "join Iceland"), WEDNESDAY)
    done = mail_run(spring, WEDNESDAY)
    assert (done.accepted.fetched, done.accepted.repeated) == (0, 1)
    assert verdicts(spring) == [("accepted", "readable")]


def test_the_same_bytes_are_judged_anew_in_an_open_window(spring: Path) -> None:
    """What came too late and comes again in time gets its own verdict and answer, once."""
    copy = letter("Anna", "join Iceland")
    drop(spring, copy, CLOSED)
    mail_run(spring, CLOSED)
    drop(spring, copy, CLOSED)
    assert mail_run(spring, CLOSED).accepted.repeated == 1
    for _ in range(2):
        drop(spring, copy, NEXT_WEEK)
        mail_run(spring, NEXT_WEEK)
    assert [verdict for verdict, _ in verdicts(spring)] == ["late", "accepted"]
    assert len(outbox(spring, "receipt")) == 1


# ------------------------------------------------------------------ hundreds of mails


def test_a_flood_is_held(spring: Path) -> None:
    """A hundred mails of a seat are booked for a round; those behind them wait for a person. Ten are answered."""
    for number in range(103):
        text = f"join {('Iceland', 'Portugal')[number % 2]}"
        drop(spring, letter("Anna", text, message_id=f"<{number}@example.org>"), WEDNESDAY, f"{number:04d}.eml")
    drop(spring, letter("Ben", "join Greece"), WEDNESDAY, "z.eml")
    mail_run(spring, WEDNESDAY)
    found = verdicts(spring)
    assert found.count(("held", "too_many_mails")) == 3
    assert found[-1] == ("accepted", "readable")
    assert len(outbox(spring, "receipt", "Anna")) == 10


def test_a_mail_too_big_has_a_sender(spring: Path) -> None:
    """Of a mail that can't be read the books name the player all the same."""
    drop(spring, letter("Anna", "join Iceland\n" + "x" * 70 + "\n" * 1_000_000), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("unreadable", "mail_too_big")]
    assert [row["sender"] for row in rows(spring, "SELECT sender FROM verdict")] == ["anna@example.org"]


def test_a_long_mail_gets_a_short_answer(spring: Path) -> None:
    """Of hundreds of lines the answer lists sixty, what was understood first, and sums up the rest."""
    drop(spring, letter("Ben", "\n".join(["take Nowhere"] * 300 + ["join Greece"])), WEDNESDAY)
    mail_run(spring, WEDNESDAY)
    (answer,) = outbox(spring, "receipt", "Ben")
    assert len(answer.text) < 8_000
    assert len(answer.raw) < 40_000  # text, HTML and calendar file
    assert "[1] join Greece" in answer.text.replace("\n    ", " ")
    assert "241 more lines weren't understood." in answer.text
