"""The rows that a batch of judged mails adds to the books, gathered and written together."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import token_hex

from sqlalchemy import Connection

from league.core.errors import Broken
from league.desk.aside import set_aside
from league.desk.leagues.standing_orders import Keeper
from league.desk.leagues.submissions import by_arrival
from league.desk.post.answers import Booked, Split
from league.desk.post.brake import Brake
from league.desk.post.postpone import postpone, postponed
from league.desk.post.silenced import silence
from league.desk.site import Site
from league.reports.environment import mended
from league.storage import leagues, mails, orders, outbox, rounds, standing
from league.storage.leagues import Membership
from league.storage.mails import Judged, Mail
from league.storage.orders import PressLine, Submission
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded


@dataclass
class Batch:
    """The open rounds of a batch's matches as the mails so far have left them, and the rows to be written."""

    site: Site
    connection: Connection
    tables: dict[str, tuple[Loaded, ...]]  # by match, the rounds by number
    verdicts: list[Judged] = field(default_factory=list)
    submissions: dict[int, list[Submission]] = field(default_factory=dict)  # by round, with those already stored
    fresh: list[Submission] = field(default_factory=list)
    press: list[PressLine] = field(default_factory=list)
    mails: list[OutMail] = field(default_factory=list)
    moved: list[tuple[Loaded, datetime]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    keeper: Keeper = field(default_factory=Keeper)
    obeyed: bool = False  # a command was carried out, which can't be done twice
    brake: Brake = field(default_factory=lambda: Brake(1))
    noticed: set[int] = field(default_factory=set)  # seats

    def reseat(self, member: Membership) -> None:
        """Who sits where may have changed, for all that follows."""
        seats = leagues.seats(self.connection, [member.match_id])
        self.keeper.forget({seat.id for seat in seats if seat.status not in leagues.PRESENT})
        tables = self.tables[member.match_slug]
        self.tables[member.match_slug] = tuple(replace(table, seats=seats) for table in tables)

    def as_of_now(self, member: Membership) -> Membership:
        """The seat as the mails before this one have left it."""
        seats = next((table.seats for table in self.tables[member.match_slug]), ())
        return replace(member, place=next((seat for seat in seats if seat.id == member.place.id), member.place))

    def keep_reply(self, split: Split, mail: Mail) -> None:
        """What of a mail is for the round being evaluated goes into that one's book."""
        table, kept = split.loaded, split.submission
        if table is None or kept is None:
            return
        self.fresh.append(kept)
        self.submissions[kept.round_id] = by_arrival([*self.known(table), kept])
        if split.settled:
            self.postpone(table, mail.received_at)

    def postpone(self, table: Loaded, decided_at: datetime) -> None:
        """A result that comes late moves the next deadline; the mails behind it in the batch find it moved."""
        tables = self.tables[table.match_slug]
        following = next((t for t in tables if t.round.number == table.round.number + 1), None)
        moved = postponed(following, decided_at) if following is not None else None
        if moved is not None:
            self.moved.append((moved, decided_at))
            calendar = moved.calendar
            self.tables[table.match_slug] = tuple(
                moved if t.round.id == moved.round.id else replace(t, calendar=calendar) for t in tables
            )

    def round_at(self, member: Membership, arrived: datetime) -> tuple[Loaded | None, Loaded | None]:
        """The open round the mail arrived in, and the one that opens next; a frozen round takes no order.

        Where rounds open one by one and none is open, the newest one stands for the next.
        """
        still_open = [t for t in self.tables[member.match_slug] if t.round.status == rounds.OPEN]
        here = next((t for t in still_open if t.round.opens_at <= arrived <= t.round.closes_at), None)
        following = next(
            (t for t in still_open if t.round.closes_at >= arrived), still_open[-1] if still_open else None
        )
        is_to_come = following is not None and following.round.closes_at >= arrived
        if here is None and following is not None and is_to_come and following.options.get("late") == "next_round":
            here = following  # K13
        return here, following or next(reversed(self.tables[member.match_slug]), None)

    def answer(self, mail: Mail, to: Membership, make: Callable[[], OutMail]) -> None:
        """An answer that can't be made costs nobody the order; what a template of its own breaks is in our words."""
        if not self.brake.admits(to, mail.received_at):
            self.brake.leave(to, mail)
            self.warn(mail, to)
            return
        try:
            self.mails.append(mended(make))
        except Exception as error:  # noqa: BLE001  # the border of a job
            self.troubles.append(set_aside(self.site, f"the answer to mail {mail.digest}", error))

    def warn(self, mail: Mail, to: Membership) -> None:
        """Whose mails aren't answered any more is told so, once an hour."""
        until, shown = self.brake.warns(to, mail.received_at), self.tables[to.match_slug]
        if until is not None and shown:
            self.mails.append(silence(self.site, shown[-1], to, mail, until))

    def keep(self, entry: Booked) -> None:
        """An order mail goes into its round's book."""
        kept = entry.submission
        self.fresh.append(kept)
        self.submissions[kept.round_id] = by_arrival([*self.known(entry.loaded), kept])

    def known(self, table: Loaded) -> list[Submission]:
        """What is in the book for a round, with what the batch adds."""
        return self.submissions.get(table.round.id, list(table.submissions))

    def write(self, connection: Connection) -> None:
        """All rows of the batch, in bulk."""
        if orders.store_submissions(connection, self.fresh) != len(self.fresh):
            raise Broken("an order mail could not be put into the book; nothing of this batch was stored")
        orders.store_press(connection, self.press)
        standing.keep(connection, self.keeper.fresh)
        if mails.store_verdicts(connection, self.verdicts) != len(self.verdicts) and self.obeyed:
            raise Broken("another command judged one of these mails meanwhile; nothing of this batch was stored")
        outbox.queue(connection, self.mails)
        self.brake.write(connection)
        self.troubles += self.brake.told()
        for moved, decided_at in self.moved:
            postpone(self.site, connection, moved, decided_at)
        by_round = {t.round.id: t.league_slug for tables in self.tables.values() for t in tables}
        leagues.mark_unpublished(connection, {by_round[s.round_id] for s in self.fresh}, token_hex(8))
