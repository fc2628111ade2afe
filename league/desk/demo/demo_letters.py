"""Mails as people's mail programs write them: quotes, signatures, character sets, HTML. The same in, the same bytes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape

from league.desk.demo.demo_cast import Player

Words = Mapping[str, str]
ARROW = "> "


@dataclass(frozen=True, slots=True)
class Got:
    """A mail that lies in a bot's mailbox, one of ours or one of its own."""

    message_id: str
    references: str
    sender: str
    subject: str
    sent: datetime
    text: str
    reply_to: str = ""  # where an answer goes


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail about to be written; `text` is what the bot types itself."""

    player: Player
    to: str
    sent: datetime
    name: str  # the left side of its Message-ID
    subject: str
    text: str
    words: Words
    answers: Got | None = None
    headers: tuple[tuple[str, str], ...] = ()


def write(draft: Draft) -> bytes:
    """The message as the league's mail server hands it over."""
    mail = EmailMessage()
    mail["Received"] = f"from out.example.org by mx.play.example with ESMTPS; {format_datetime(draft.sent)}"
    mail["From"] = f"{draft.player.name} <{draft.player.address}>"
    mail["To"] = (draft.answers and draft.answers.reply_to) or draft.to
    mail["Subject"] = subject_of(draft)
    mail["Date"] = format_datetime(draft.sent)
    mail["Message-ID"] = f"<{draft.name}@example.org>"
    if draft.answers:
        mail["In-Reply-To"] = draft.answers.message_id
        mail["References"] = f"{draft.answers.references} {draft.answers.message_id}".strip()
    for name, value in draft.headers:
        mail[name] = value
    PROGRAMS[draft.player.program](draft, mail)
    return mail.as_bytes()


def sent_again(raw: bytes, at: datetime) -> bytes:
    """The very mail once more, as a server delivers it that got no answer the first time."""
    line = f"Received: from retry.example.org by mx.play.example with ESMTPS; {format_datetime(at)}\n"
    return line.encode() + raw


def subject_of(draft: Draft) -> str:
    """The subject, that of the answered mail with one sign before it."""
    if not draft.answers:
        return draft.subject
    before = draft.answers.subject
    return before if before.lower().startswith(("re:", "aw:")) else f"Re: {before}"


def _wrote(draft: Draft, got: Got) -> str:
    sent = got.sent.astimezone(draft.sent.tzinfo)
    return draft.words["wrote"].format(day=f"{sent:%d.%m.%Y}", time=f"{sent:%H:%M}", who=got.sender)


def _quoted(got: Got) -> str:
    return "\n".join((ARROW + line).rstrip() for line in got.text.splitlines())


def _below(draft: Draft) -> str:
    """What a program puts under the text when it answers."""
    return f"\n\n{_wrote(draft, draft.answers)}\n{_quoted(draft.answers)}\n" if draft.answers else "\n"


def _original(draft: Draft) -> str:
    """The same without signs at the lines, under a block of headers."""
    got, words = draft.answers, draft.words
    if got is None:
        return "\n"
    sent = got.sent.astimezone(draft.sent.tzinfo)
    head = [words["original"], f"{words['from']}: {got.sender}", f"{words['sent']}: {sent:%d.%m.%Y %H:%M}"]
    head += [f"{words['to']}: {draft.player.name}", f"{words['about']}: {got.subject}"]
    return "\n\n" + "\n".join(head) + f"\n\n{got.text}\n"


def _page(draft: Draft, quote: str) -> str:
    lines = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in draft.text.splitlines())
    return f"<html><body>{lines}{quote}</body></html>\n"


def _block(draft: Draft) -> str:
    got = draft.answers
    if got is None:
        return ""
    body = "<br>\n".join(escape(line) for line in got.text.splitlines())
    attribution = f'<div class="gmail_attr">{escape(_wrote(draft, got))}<br></div>'
    return f'<div class="gmail_quote">{attribution}<blockquote type="cite">{body}</blockquote></div>'


def _thunderbird(draft: Draft, mail: EmailMessage) -> None:
    signature = f"\n-- \n{draft.player.name}\nhttps://example.org/~{draft.player.name.lower()}\n"
    mail["User-Agent"] = "Mozilla Thunderbird"
    mail.set_content(draft.text + _below(draft) + signature, charset="utf-8", cte="quoted-printable")


def _iphone(draft: Draft, mail: EmailMessage) -> None:
    mail["X-Mailer"] = "iPhone Mail"
    mail.set_content(f"{draft.text}\n\n{draft.words['device']}{_below(draft)}", charset="utf-8", cte="8bit")


def _gmail(draft: Draft, mail: EmailMessage) -> None:
    mail.set_content(draft.text + _below(draft), charset="utf-8", cte="quoted-printable")
    mail.add_alternative(_page(draft, _block(draft)), subtype="html", charset="utf-8", cte="quoted-printable")
    mail.set_boundary(f"0000000000-{draft.name}")


def _outlook(draft: Draft, mail: EmailMessage) -> None:
    text = (draft.text + _original(draft)).encode("windows-1252", "replace").decode("windows-1252")
    mail["X-Mailer"] = "Microsoft Outlook"
    mail.set_content(text, charset="windows-1252", cte="quoted-printable")


def _web(draft: Draft, mail: EmailMessage) -> None:
    mail.set_content(_page(draft, _block(draft)), subtype="html", charset="utf-8", cte="quoted-printable")


def _samsung(draft: Draft, mail: EmailMessage) -> None:
    mail.set_content(f"{draft.text}\n\n{draft.words['device']}{_original(draft)}", charset="utf-8", cte="base64")


PROGRAMS: Mapping[str, Callable[[Draft, EmailMessage], None]] = {
    "thunderbird": _thunderbird,
    "iphone": _iphone,
    "gmail": _gmail,
    "outlook": _outlook,
    "web": _web,
    "samsung": _samsung,
}
