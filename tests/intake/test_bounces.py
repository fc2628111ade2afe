from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.intake.bounces import Kind, read_bounce

OURS = "<league.abc@play.example>"
TOKEN = "b-1z-abcdefghijklmnop"


def dsn(action: str, status: str, diagnostic: str = "", more: str = "") -> bytes:
    """A delivery status as RFC 3464 has it."""
    said = f"Diagnostic-Code: smtp; {diagnostic}\n" if diagnostic else ""
    return f"""Return-Path: <>
From: MAILER-DAEMON@mx.example.com
To: league+{TOKEN}@play.example
Message-ID: <report@mx.example.com>
Content-Type: multipart/report; report-type=delivery-status; boundary=b1

--b1
Content-Type: text/plain

This is the mail system. 550 is only a number here.
--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; anna@example.com
Action: {action}
Status: {status}
{said}
--b1
Content-Type: text/rfc822-headers

From: league@play.example
Message-ID: {OURS}
Subject: Status: 5.1.1 Action: failed
{more}
--b1--
""".replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    ("action", "status", "kind"),
    [
        ("failed", "5.1.1", Kind.HARD),
        ("failed", "5.2.2", Kind.HARD),
        ("Failed (address unknown)", "5.1.1 (unknown)", Kind.HARD),
        ("failed", "5.7.1", Kind.RETURNED),
        ("failed", "5.3.4", Kind.RETURNED),
        ("failed", "4.4.7", Kind.RETURNED),
        ("delayed", "4.4.1", Kind.DELAYED),
        ("delayed", "5.0.0", Kind.DELAYED),
        ("delivered", "2.0.0", Kind.NOTHING),
        ("relayed", "2.1.9", Kind.NOTHING),
        ("", "5.1.1", Kind.HARD),
        ("", "4.2.2", Kind.DELAYED),
        ("", "", Kind.UNCLEAR),
    ],
)
def test_a_delivery_status_says_what_became_of_the_mail(action: str, status: str, kind: Kind) -> None:
    """The action decides, the status says for how long; 5.7 and the like are no word about the address."""
    found = read_bounce(dsn(action, status))
    assert found.kind is kind
    assert found.tokens == (TOKEN,)
    assert found.message_ids == (OURS,)


def test_the_words_are_those_of_the_server() -> None:
    """One line, however it was folded, without what stands before it."""
    found = read_bounce(dsn("failed", "5.1.1", "550 5.1.1 <anna@example.com>:\n    no such user\n    here"))
    assert found.words == "550 5.1.1 <anna@example.com>: no such user here"
    assert read_bounce(dsn("failed", "5.1.1", "unknown")).words == "5.1.1 unknown"


def test_a_feedback_report_is_a_complaint() -> None:
    """A click on "spam" comes as RFC 5965; that something is not spam comes the same way and is nothing to us."""

    def report(kind: str) -> bytes:
        return f"""Content-Type: multipart/report; report-type=feedback-report; boundary=b1

--b1
Content-Type: message/feedback-report

Feedback-Type: {kind}
Original-Mail-From: <league+{TOKEN.upper()}@play.example>

--b1
Content-Type: message/rfc822

message-id:
 {OURS}

the report
--b1--
""".encode()

    found = read_bounce(report("abuse"))
    assert (found.kind, found.words) == (Kind.COMPLAINT, "abuse report")
    assert (found.tokens, found.message_ids) == ((TOKEN,), (OURS,))
    assert read_bounce(report("not-spam")).kind is Kind.NOTHING


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (
            "Hi. This is qmail.\n<anna@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n",
            "hard",
            "(#5.1.1)",
        ),
        ("anna@example.org\n  host mx said: 550 unknown user\n", "hard", "550 unknown user"),
        ("Der Empfänger hat ein volles Postfach: 452 4.2.2 over quota", "delayed", "452 4.2.2 over quota"),
        ("I am on holiday until 5.1.2026", "unclear", ""),
        ("Version 15.1.1.0 of our server greets you", "unclear", ""),
        ("", "unclear", ""),
    ],
)
def test_free_text_is_read_for_its_code(text: str, kind: str, words: str) -> None:
    """Servers without a standard still give a code; without one nothing is concluded."""
    found = read_bounce(f"Subject: failure notice\n\n{text}\n--- the mail:\nMessage-ID: {OURS}\n\n550 5.1.1\n".encode())
    assert (found.kind.value, found.message_ids) == (kind, (OURS,))
    assert words in found.words


def test_failed_recipients_in_the_header_are_for_good() -> None:
    """Exim says so in a header, and in words without any code."""
    assert read_bounce(b"X-Failed-Recipients: a@b.example\n\nUnrouteable address\n").kind is Kind.HARD


def test_the_header_of_the_bounce_itself_is_no_mail_of_ours() -> None:
    """Only ids of what came back count, not the id of the report and not ids that a thread names."""
    raw = f"Message-ID: {OURS}\nReferences: {OURS}\n\nIn-Reply-To: {OURS}\n".encode()
    assert read_bounce(raw).message_ids == ()


@given(
    st.binary(max_size=2000)
    | st.text(alphabet="\r\n <>:;-=+@.5b1message-iddeliverystatusfeedbackreport", max_size=600).map(str.encode)
)
def test_no_bytes_make_it_stumble(raw: bytes) -> None:
    """Whatever comes, there is a meaning, in one line."""
    found = read_bounce(raw)
    assert isinstance(found.kind, Kind)
    assert "\n" not in found.words
    assert len(found.words) <= 200


def test_hostile_sizes_cost_little() -> None:
    """Endless headers, fields and ids are cut off."""
    import time

    begin = time.process_time()
    for raw in (
        b"\n\n" + b"message-id: " * 30_000,
        b"\n\nmessage/delivery-status\n" + b"status: 5\n " * 90_000,
        b"\n\n" + b"5.1." * 200_000,
        b"a+b-" * 200_000,
        b"\n\n" + b"> \t" * 200_000,
    ):
        read_bounce(raw)
    assert time.process_time() - begin < 1.0


@pytest.mark.parametrize("name", ["en-bounce-dsn.eml", "de-bounce-free-text.eml"])
def test_the_bounces_among_the_letters_are_read(name: str) -> None:
    """They name no mail that we could know, and that is all."""
    found = read_bounce((Path(__file__).parent.parent / "letters" / name).read_bytes())
    assert found.tokens == ()
    assert found.kind in (Kind.HARD, Kind.UNCLEAR)
