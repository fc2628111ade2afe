"""The loop brake: so many answers to one address in an hour, then silence and a line for the organizer.

Two programs that answer each other's answers end here, whatever their headers say (MAIL.md, hazard 47), and so does
whoever makes us write to somebody. Time is that of the mails' arrival, so a run that was cut short counts the same.
One mail an hour says so to whom it concerns: what of his mails counts meanwhile, and what doesn't.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
UNANSWERED = "unanswered/"  # a fact of the site for each seat: until when, and which mails of it got no answer
MOST_KEPT = 50  # of them; so many are no person's
MORE_THAN = "more than "  # how the line for the organizer begins
NOTICE = "brake"  # the kind of mail that says so


@dataclass(frozen=True, slots=True)
class Silenced:
    """A seat whose mails got no answer: since when, and how many."""

    league: str
    seat: str
    at: datetime
    count: int


def silenced_since(connection: Connection, since: datetime) -> tuple[Silenced, ...]:
    """Whom the brake silenced since then."""
    found = []
    for where, value in leagues.facts(connection, SILENCED).items():
        (league, _, seat), (at, _, count) = where.partition("/"), value.partition(" ")
        found.append(Silenced(league, seat, datetime.fromisoformat(at), int(count or 1)))
    return tuple(one for one in found if one.at >= since)


@dataclass
class Brake:
    """How many answers each address got, and whom nothing is written to any more for now."""

    limit: int
    answered: dict[str, list[datetime]] = field(default_factory=dict)
    silenced: dict[int, Silenced] = field(default_factory=dict)  # by seat
    left: dict[int, tuple[datetime, list[int]]] = field(default_factory=dict)  # seat -> until when, and its mails
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
            return False
        self.answered.setdefault(leagues.fold(member.place.address), []).append(at)
        return True

    def leave(self, member: Membership, mail: Mail) -> None:
        """The mail is answered together with the others of its seat when the silence is over."""
        place, at = member.place, mail.received_at
        before = self.silenced.get(place.id) or Silenced(member.league_slug, place.code, at, 0)
        self.silenced[place.id] = replace(before, count=before.count + 1)
        mails = self.left[place.id][1] if place.id in self.left else []
        self.left[place.id] = self._given(member, at)[-self.limit] + HOUR, [*mails, mail.id]

    def told(self) -> list[str]:
        """The lines for the organizer."""
        return [
            f"{MORE_THAN}{self.limit} answers within an hour to {one.league}/{one.seat} ({stamp(one.at)}): "
            f"none for now to {one.count} more"
            for one in sorted(self.silenced.values(), key=lambda one: (one.league, one.seat))
        ]

    def write(self, connection: Connection) -> None:
        """Keep for the status who was silenced, and for later runs what is to be answered then."""
        if not self.left:
            return
        owed, earlier = leagues.facts(connection, UNANSWERED), leagues.facts(connection, SILENCED)
        for seat_id, (until, fresh) in self.left.items():
            before = owed.get(str(seat_id), "").split()[1:]  # of the same silence, from runs before this one
            ids = [*map(int, before), *fresh][-MOST_KEPT:]
            leagues.set_fact(connection, f"{UNANSWERED}{seat_id}", " ".join([stamp(until), *map(str, ids)]))
            one = self.silenced[seat_id]
            where = f"{one.league}/{one.seat}"
            at, _, count = earlier.get(where, "").partition(" ")
            known = f"{at} {int(count or 1) + one.count}" if before and at else f"{stamp(one.at)} {one.count}"
            leagues.set_fact(connection, f"{SILENCED}{where}", known)


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
