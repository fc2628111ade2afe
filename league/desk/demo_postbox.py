"""The mails that the league sent, as the bots find them: in the site's outgoing Maildir."""

from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from pathlib import Path

from league.desk.demo_cast import Player
from league.desk.demo_letters import Got


@dataclass(frozen=True, slots=True)
class Postbox:
    """Reads each mail once, whatever a mail program did with it meanwhile."""

    path: Path
    read: dict[str, tuple[str, Got]] = field(default_factory=dict)

    def newest(self, player: Player, before: datetime) -> Got | None:
        """The mail a player answers: the last one that was sent before the moment."""
        self._look()
        own = [got for address, got in self.read.values() if address == player.address and got.sent < before]
        return max(own, key=lambda got: (got.sent, got.message_id), default=None)

    def _look(self) -> None:
        for folder in ("new", "cur"):
            for file in (self.path / folder).iterdir():
                name = file.name.partition(":")[0]
                if name not in self.read:
                    self.read[name] = _open(file.read_bytes())


def _open(raw: bytes) -> tuple[str, Got]:
    mail = message_from_bytes(raw, _class=EmailMessage, policy=default)
    body = mail.get_body(("plain",))
    got = Got(
        message_id=str(mail["Message-ID"]),
        references=str(mail["References"] or ""),
        sender=parseaddr(str(mail["From"]))[0],
        subject=str(mail["Subject"]),
        sent=mail["Date"].datetime,
        text=str(body.get_content()) if body else "",
    )
    return parseaddr(str(mail["To"]))[1], got
