from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.errors import BadInput, Broken
from league.delivery.mail import Headers, collapsed, compose, encode

PLAIN = Headers(
    sender="league@example.org",
    sender_name="Spring League",
    recipient="anna@example.org",
    recipient_name="Anna",
    subject="Round 3",
    date=datetime(2026, 11, 6, 0, 15, tzinfo=UTC),
    message_id="<abc@example.org>",
)
words = st.text(max_size=200)


def read(content: bytes) -> EmailMessage:
    """The mail as a mail program would read it."""
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert message.defects == []
    return message


def test_a_mail_reads_back_as_written() -> None:
    """Subject, names, ids, date and text arrive as they were meant, umlauts and all."""
    headers = replace(
        PLAIN,
        subject="Frühling: Runde 3 – Ergebnis 🎲 " + "sehr lang " * 20 + "Ende",
        recipient_name='Jürgen "J." Übel, Köln',
        sender_name="League, the (first)",
        in_reply_to="<q1@mail.example.org>",
        references=("<q0@mail.example.org>", "<q1@mail.example.org>"),
        auto="auto-replied",
        lang="de",
    )
    text = "Hallo Jürgen,\n\n  Zeile mit = und Leerzeichen am Ende   \n" + "ö" * 300 + "\n.\nFrom here\n"
    message = read(compose(headers, text))
    assert message["Subject"] == headers.subject
    assert message["To"].addresses[0].display_name == headers.recipient_name
    assert message["To"].addresses[0].addr_spec == "anna@example.org"
    assert message["From"].addresses[0].display_name == "League, the (first)"
    assert message["In-Reply-To"] == "<q1@mail.example.org>"
    assert message["References"].split() == ["<q0@mail.example.org>", "<q1@mail.example.org>"]
    assert message["Date"].datetime == headers.date
    assert message["Message-ID"] == "<abc@example.org>"
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["Content-Language"] == "de"
    assert message.get_content().replace("\r\n", "\n") == text


def test_the_bytes_are_known() -> None:
    """A plain mail is exactly this, in every run and every version."""
    assert compose(PLAIN, "Grüße\n") == (
        b"From: Spring League <league@example.org>\r\n"
        b"To: Anna <anna@example.org>\r\n"
        b"Subject: Round 3\r\n"
        b"Date: Fri, 06 Nov 2026 00:15:00 +0000\r\n"
        b"Message-ID: <abc@example.org>\r\n"
        b"Auto-Submitted: auto-generated\r\n"
        b"X-Auto-Response-Suppress: All\r\n"
        b"X-Loop: league@example.org\r\n"
        b"MIME-Version: 1.0\r\n"
        b'Content-Type: text/plain; charset="utf-8"\r\n'
        b"Content-Transfer-Encoding: quoted-printable\r\n"
        b"\r\n"
        b"Gr=C3=BC=C3=9Fe\r\n"
    )


@given(words, words, words, words)
def test_no_text_makes_a_header_or_damages_one(subject: str, name: str, value: str, text: str) -> None:
    """Whatever players write, there are as many headers as we wrote, and each says what it should."""
    content = compose(replace(PLAIN, subject=subject, recipient_name=name, more=(("X-League", value),)), text)
    message = read(content)
    assert message.keys() == [
        "From",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "Auto-Submitted",
        "X-Auto-Response-Suppress",
        "X-Loop",
        "X-League",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
    ]
    assert message["Subject"] == collapsed(subject)
    assert message["X-League"] == collapsed(value)
    assert message["To"].addresses[0].addr_spec == "anna@example.org"
    assert len(message["To"].addresses) == 1


@given(words, words)
def test_lines_are_short_ascii_and_end_as_mail_does(subject: str, text: str) -> None:
    """Every byte is ASCII, every line ends with CRLF and none is longer than a server takes."""
    content = compose(replace(PLAIN, subject=subject * 10), text * 10)
    assert content.isascii()
    lines = content.split(b"\r\n")
    assert lines[-1] == b""
    assert not any(b"\r" in line or b"\n" in line or len(line) > 998 for line in lines)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\r"), max_size=300))
def test_text_arrives_whole(text: str) -> None:
    """The text comes out as it went in, with a line's end at its end."""
    wanted = text if text.endswith("\n") or not text else f"{text}\n"
    assert message_from_bytes(compose(PLAIN, text)).get_payload(decode=True) == wanted.replace("\n", "\r\n").encode()


@given(words, words)
def test_encoded_pieces_can_be_joined(first: str, second: str) -> None:
    """What many mails share can be encoded once and joined to what is a player's own."""
    message = message_from_bytes(compose(PLAIN, encode(first) + encode(second)))
    ends = [f"{text}\n" if text and text[-1] not in "\r\n" else text for text in (first, second)]
    wanted = "".join(end.replace("\r\n", "\n").replace("\r", "\n") for end in ends).replace("\n", "\r\n")
    assert message.get_payload(decode=True) == wanted.encode()


def test_injected_lines_stay_in_their_header() -> None:
    """A line break in a subject or name is a space."""
    headers = replace(PLAIN, subject="Hi\r\nBcc: ben@example.org", recipient_name="Anna\nBcc: x")
    message = read(compose(headers, ""))
    assert message["Bcc"] is None
    assert message["Subject"] == "Hi Bcc: ben@example.org"


def test_an_encoded_word_in_a_subject_is_just_text() -> None:
    """A subject that looks encoded arrives as the letters that it was."""
    message = read(compose(replace(PLAIN, subject="=?utf-8?b?QmNj?="), ""))
    assert message["Subject"] == "=?utf-8?b?QmNj?="


def test_ids_of_other_programs_are_sifted() -> None:
    """What is no id is left out, and of an endless thread the two ends are kept."""
    thread = tuple(f"<{n}@example.org>" for n in range(50))
    headers = replace(
        PLAIN, in_reply_to="nonsense\r\nBcc: x", references=("<a b>", "<x", *thread, "<" + "y" * 999 + ">")
    )
    message = read(compose(headers, ""))
    assert message["In-Reply-To"] is None
    assert message["References"].split() == [*thread[:10], *thread[-10:]]


@pytest.mark.parametrize(
    "address", ["", "anna", "anna@", "a b@example.org", "a@example.org\nBcc: x", "ä@example.org", "a@b@c"]
)
def test_a_bad_address_is_refused(address: str) -> None:
    """No mail is made for what isn't an address."""
    with pytest.raises(BadInput, match="no mail address"):
        compose(replace(PLAIN, recipient=address), "")


def test_broken_calls_are_errors() -> None:
    """An id or header's name that we made wrongly, or a time without a zone, is a program error."""
    for wrong in ({"message_id": "abc"}, {"more": (("X League", "x"),)}, {"date": datetime(2026, 1, 1)}):  # noqa: DTZ001
        with pytest.raises(Broken):
            compose(replace(PLAIN, **wrong), "")


def test_the_date_is_utc_whatever_zone_it_came_in() -> None:
    """The same instant makes the same bytes."""
    elsewhere = PLAIN.date.astimezone(timezone(timedelta(hours=9)))
    assert compose(replace(PLAIN, date=elsewhere), "") == compose(PLAIN, "")


def test_reports_are_bulk_and_answers_have_a_way_back() -> None:
    """Precedence and Reply-To stand only where they are asked for."""
    message = read(compose(replace(PLAIN, bulk=True, reply_to="orders@example.org"), ""))
    assert (message["Precedence"], message["Reply-To"]) == ("bulk", "orders@example.org")
    assert read(compose(PLAIN, ""))["Precedence"] is None
