"""The mails that the league sent, as the bots find them: in the site's outgoing Maildir."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import compat32, default
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from league.desk.demo.demo_cast import Player
from league.desk.demo.demo_letters import Got

SUMS = b"# root\r\n"


@dataclass(frozen=True, slots=True)
class Seen:
    """What the list of a mailbox shows of a mail."""

    sent: datetime
    has_sums: bool  # check sums: of two mails of one moment the other is answered
    message_id: str
    file: Path


@dataclass(frozen=True, slots=True)
class Postbox:
    """Looks at each mail once, whatever a mail program did with it meanwhile; opens the one that is answered."""

    path: Path
    seen: dict[str, dict[str, Seen]] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    def newest(self, player: Player, before: datetime) -> Got | None:
        """The mail a player answers: the last one that was sent before the moment."""
        self._look()
        own = [one for one in self.seen.get(player.address, {}).values() if one.sent < before]
        found = max(own, key=lambda one: (one.sent, not one.has_sums, one.message_id), default=None)
        return _open(found.file) if found is not None else None

    def _look(self) -> None:
        for folder in ("new", "cur"):
            for file in (self.path / folder).iterdir():
                name = file.name.partition(":")[0]
                if name not in self.known:
                    self.known.add(name)
                    self._list(name, file)

    def _list(self, name: str, file: Path) -> None:
        header, _, body = file.read_bytes().partition(b"\r\n\r\n")
        head = BytesHeaderParser(policy=compat32).parsebytes(header)
        sent = parsedate_to_datetime(str(head["Date"])).astimezone(UTC)
        address = parseaddr(str(head["To"]))[1]
        self.seen.setdefault(address, {})[name] = Seen(sent, SUMS in body, str(head["Message-ID"]), file)


def _open(file: Path) -> Got:
    """The mail, wherever a mail program has put it meanwhile."""
    moved = file if file.exists() else next(file.parent.parent.glob(f"*/{file.name.partition(':')[0]}*"))
    mail = message_from_bytes(moved.read_bytes(), _class=EmailMessage, policy=default)
    body = mail.get_body(("plain",))
    return Got(
        message_id=str(mail["Message-ID"]),
        references=str(mail["References"] or ""),
        sender=parseaddr(str(mail["From"]))[0],
        subject=str(mail["Subject"]),
        sent=mail["Date"].datetime,
        text=str(body.get_content()) if body else "",
        reply_to=parseaddr(str(mail["Reply-To"] or mail["From"]))[1],
    )
