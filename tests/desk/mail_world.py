"""The mail of a whole league in small: an exchange that takes what the site sends, mailboxes, and people who answer.

The site's own mail exchange (`MX`) writes its Received line with the time of the league's year and, for some senders,
its word on who they are; then it hands mail on to a real Dovecot by LMTP, as it does with mail to the players.
"""

# ruff: noqa: N802  # names of the hooks are aiosmtpd's

import smtplib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime

from aiosmtpd.smtp import Envelope, Session

from tests.delivery.post_office import Line, Post
from tests.desk.sites import OUR_HOST, address, hash_of
from tests.intake.dovecot import Dovecot

QUOTING = {
    "de": "Am Montag schrieb die Liga:",
    "en": "On Monday the league wrote:",
    "nl": "Op maandag schreef de competitie:",
}


@dataclass
class Exchange(Post):
    """A mail server that puts what it takes into its recipient's mailbox before it says yes."""

    dovecot: Dovecot | None = None

    async def handle_DATA(self, server: Line, session: Session, envelope: Envelope) -> str:
        """All in one go: a client that dies meanwhile changes nothing about a mail that is whole."""
        (recipient,) = envelope.rcpt_tos
        assert self.dovecot is not None
        try:
            self.dovecot.deliver(recipient.partition("@")[0], envelope.original_content or b"")
        except (OSError, smtplib.SMTPException):
            return "451 4.3.0 the mailbox is away"
        return await super().handle_DATA(server, session, envelope)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as the site's exchange hands it on, to which address, and when it had come."""

    to: str
    at: datetime
    raw: bytes


@dataclass(frozen=True)
class Person:
    """A player with a mailbox. `vouched`: the exchange can tell who wrote; else the key in the address has to."""

    name: str
    lang: str
    vouched: bool

    @property
    def user(self) -> str:
        """The mailbox."""
        return self.name.lower()

    def mailbox(self, dovecot: Dovecot) -> list[bytes]:
        """All mails that came, the newest last."""
        client = dovecot.person(self.user)
        client.select_folder("INBOX")
        found = client.fetch(client.search(), ["BODY.PEEK[]"])
        client.logout()
        dovecot.persons.remove(client)
        return [found[uid][b"BODY[]"] for uid in sorted(found)]

    def write(self, text: str, last: bytes, when: datetime, league: str, note: str = "") -> Letter:
        """A letter with the last mail quoted: an answer to it, or from who is vouched for a fresh one."""
        got = message_from_bytes(last, policy=policy.default)
        assert isinstance(got, EmailMessage)
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = f"{self.name} <{address(self.name)}>"
        mail["To"] = league if self.vouched else str(got["Reply-To"])
        mail["Subject"] = f"Re: {got['Subject']}"
        mail["Date"] = format_datetime(when)
        mail["Message-ID"] = f"<{hash_of(self.name, text, note, str(when)):x}@example.org>"
        if not self.vouched:
            mail["In-Reply-To"] = mail["References"] = str(got["Message-ID"])
        body = got.get_body(("plain",))
        assert body is not None
        quoted = "".join(f"> {line}\n" for line in str(body.get_content()).splitlines())
        mail.set_content(f"{text}\n\n{QUOTING[self.lang]}\n\n{quoted}")
        return Letter(str(mail["To"]), when, self._stamped(mail.as_bytes(), when))

    def _stamped(self, raw: bytes, when: datetime) -> bytes:
        word = f"Authentication-Results: {OUR_HOST}; dmarc=pass header.from=example.org\r\n" if self.vouched else ""
        line = f"Received: from mail.example.org by {OUR_HOST} with ESMTPS; {format_datetime(when)}\r\n"
        return f"{word}{line}".encode() + raw


@dataclass
class Windows:
    """Mails of which a kill left unknown whether they went out: the server has them, and our books don't say so."""

    counted: Counter[str] = field(default_factory=Counter)

    def note(self, sending: Sequence[str], before: Counter[str], after: Counter[str]) -> int:
        """After a kill: how many mails it left so."""
        found = Counter({name: after[name] - before[name] for name in sending if after[name] > before[name]})
        self.counted += found
        return found.total()
