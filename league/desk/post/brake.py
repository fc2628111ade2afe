"""The loop brake: so many answers to one address in an hour, then silence and a line for the organizer.

Two programs that answer each other's answers end here, whatever their headers say (MAIL.md, hazard 47), and so does
whoever makes us write to somebody. Time is that of the mails' arrival, so a run that was cut short counts the same.
One mail an hour says so to whom it concerns: what of his mails counts meanwhile, and what doesn't.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from league.desk.clock import stamp
from league.desk.site import Site
from league.storage import leagues, outbox
from league.storage.leagues import Membership
from league.storage.mails import Mail

HOUR = timedelta(hours=1)
ANSWERS = frozenset({"receipt", "replies", "ask", "late", "standing", "which", "commands", "unproven", "unreadable"})
SILENCED = "silenced/"
UNANSWERED = "unanswered/"  # a fact of the site for each seat: until when, and which mail of it came last
NOTICE = "brake"  # the kind of mail that says so


@dataclass
class Brake:
    """How many answers each address got, and whom nothing is written to any more for now."""

    limit: int
    answered: dict[str, list[datetime]] = field(default_factory=dict)
    silenced: dict[str, datetime] = field(default_factory=dict)  # "league/seat" -> when
    left: dict[int, tuple[datetime, int]] = field(default_factory=dict)  # seat -> until when, and its last mail
    told_at: dict[str, list[datetime]] = field(default_factory=dict)  # when each address was told of its silence

    def _given(self, member: Membership, at: datetime) -> list[datetime]:
        given = self.answered.get(leagues.fold(member.place.address), ())
        return sorted(before for before in given if at - HOUR < before <= at)

    def is_full(self, member: Membership, at: datetime) -> bool:
        """Whether the address had as many answers as it may have by then."""
        return len(self._given(member, at)) >= self.limit

    def warns(self, member: Membership, at: datetime) -> datetime | None:
        """Until when the address gets no answer, if it is to be told that now."""
        told = self.told_at.setdefault(leagues.fold(member.place.address), [])
        if not self.is_full(member, at) or any(at - HOUR < before <= at for before in told):
            return None
        told.append(at)
        return self._given(member, at)[-self.limit] + HOUR

    def admits(self, member: Membership, at: datetime) -> bool:
        """Whether the mail that arrived then is answered; an answer counts from here on."""
        if self.is_full(member, at):
            self.silenced.setdefault(f"{member.league_slug}/{member.place.code}", at)
            return False
        self.answered.setdefault(leagues.fold(member.place.address), []).append(at)
        return True

    def leave(self, member: Membership, mail: Mail) -> None:
        """The mail gets its answer when the silence is over, if it is the seat's last by then."""
        given = self._given(member, mail.received_at)
        self.left[member.place.id] = given[-self.limit] + HOUR, mail.id

    def told(self) -> list[str]:
        """The lines for the organizer."""
        return [
            f"more than {self.limit} answers within an hour to {where} ({stamp(at)}): the others were not written"
            for where, at in sorted(self.silenced.items())
        ]

    def write(self, connection: Connection) -> None:
        """Keep for the status who was silenced, and for later runs what is to be answered then."""
        for where, at in self.silenced.items():
            leagues.set_fact(connection, f"{SILENCED}{where}", stamp(at))
        for seat_id, (until, mail_id) in self.left.items():
            leagues.set_fact(connection, f"{UNANSWERED}{seat_id}", f"{stamp(until)} {mail_id}")


def open_brake(connection: Connection, site: Site, members: Sequence[Membership], first: datetime) -> Brake:
    """The brake for a batch of mails of which the first arrived then."""
    brake = Brake(site.settings.mail.answers_per_hour)
    found = outbox.written_since(connection, [m.place.id for m in members], first - HOUR) if members else ()
    for recipient, kind, at in found:
        name = kind.partition("/")[0]
        if name in ANSWERS or name == NOTICE:
            times = brake.answered if name in ANSWERS else brake.told_at
            times.setdefault(leagues.fold(recipient), []).append(at)
    return brake
