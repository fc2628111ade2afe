from base64 import b64decode
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

from hypothesis import given
from hypothesis import strategies as st

from league.delivery.mail import Headers, compose, split_at_picture
from league.delivery.multipart import Attachment, Body, Picture, base64_lines, encode, encode_shared

HEADERS = Headers(
    sender="league@example.org",
    recipient="anna@example.org",
    subject="Round 3",
    date=datetime(2026, 11, 6, 0, 15, tzinfo=UTC),
    message_id="<abc@example.org>",
    lang="de",
)
PICTURE = Picture("0a1b@league", "map.png")
FILE = Attachment("spring-3.ics", 'text/calendar; charset="utf-8"; method=PUBLISH', b"BEGIN:VCALENDAR\r\n")
PNG = bytes(range(256)) * 5
TEXT, HTML = "Grüße,\n--=_x\n", "<p>Grüße</p>\n"
lines = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=120).map(lambda text: f"{text}\n")


def read(content: bytes) -> EmailMessage:
    """The mail as a mail program would read it."""
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not [defect for part in message.walk() for defect in part.defects]
    return message


def full(text: str = TEXT, html: str = HTML) -> bytes:
    body = Body(encode(text), encode(html), PICTURE, (FILE,))
    return compose(HEADERS, body, base64_lines(PNG))


def types(message: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in message.walk()]


def test_a_whole_mail_has_the_parts_that_mail_programs_look_for() -> None:
    """Mixed(alternative(text, related(html, picture by its id)), file), and each part arrives as it was."""
    message = read(full())
    assert types(message) == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
        "text/calendar",
    ]  # fmt: skip
    _, _, plain, related, html, picture, file = message.walk()
    assert related.get_param("type") == "text/html"
    assert plain.get_payload(decode=True) == TEXT.replace("\n", "\r\n").encode()
    assert html.get_payload(decode=True) == HTML.replace("\n", "\r\n").encode()
    assert (picture["Content-ID"], picture.get_content_disposition()) == ("<0a1b@league>", "inline")
    assert picture.get_payload(decode=True) == PNG
    assert (file.get_filename(), file.get_param("method")) == ("spring-3.ics", "PUBLISH")
    assert file.get_content_disposition() == "attachment"
    assert file.get_payload(decode=True) == FILE.content
    assert message["Content-Language"] == "de"


def test_what_is_not_there_makes_no_part() -> None:
    """Text alone is text; HTML without a picture stands beside it; a file goes along with either."""
    text, html = encode(TEXT), encode(HTML)
    assert types(read(compose(HEADERS, Body(text)))) == ["text/plain"]
    assert types(read(compose(HEADERS, Body(text, html)))) == ["multipart/alternative", "text/plain", "text/html"]
    assert types(read(compose(HEADERS, Body(text, attachments=(FILE,))))) == [
        "multipart/mixed", "text/plain", "text/calendar",
    ]  # fmt: skip


@given(lines, lines)
def test_no_text_breaks_out_of_its_part(text: str, html: str) -> None:
    """Whatever is written, there are as many parts as we made, in lines that every server takes."""
    content = full(text, html)
    message = read(content)
    assert len(types(message)) == 7
    plain = message.get_body(("plain",))
    assert plain is not None
    assert plain.get_payload(decode=True) == text.replace("\n", "\r\n").encode()
    assert content.isascii()
    assert not any(b"\r" in line or b"\n" in line or len(line) > 998 for line in content.split(b"\r\n"))


def test_the_same_mail_has_the_same_bytes_and_another_has_other_boundaries() -> None:
    """Boundaries follow from the Message-ID, so that a second run makes the same mail."""
    assert full() == full()
    other = compose(replace(HEADERS, message_id="<def@example.org>"), Body(encode(TEXT), encode(HTML)))
    assert read(other).get_boundary() != read(full()).get_boundary()


def test_a_picture_can_be_put_in_later() -> None:
    """What stands before and behind the picture's place is the rest of the mail."""
    before, behind = split_at_picture(HEADERS, Body(encode(TEXT), encode(HTML), PICTURE, (FILE,)))
    assert before + base64_lines(PNG) + behind == full()
    assert b64decode(base64_lines(PNG)) == PNG


def test_shared_text_is_encoded_once() -> None:
    """The same text gives the same bytes object."""
    assert encode_shared("Grüße\n") is encode_shared("Grüße\n")
    assert encode_shared("Grüße\n") == encode("Grüße\n")


def test_the_way_out_of_reports_is_one_plain_line() -> None:
    """List-Unsubscribe is a mailto with a subject, never folded and never encoded, and only where it is asked for."""
    content = compose(replace(HEADERS, unsubscribe="unsubscribe [frühling]\r\nBcc: x"), TEXT)
    wanted = b"List-Unsubscribe: <mailto:league@example.org?subject=unsubscribe%20%5Bfr%C3%BChling%5D%20Bcc%3A%20x>\r\n"
    assert wanted in content
    assert b"List-Unsubscribe" not in compose(HEADERS, TEXT)
