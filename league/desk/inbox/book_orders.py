"""A batch of judged mails becomes rows: order book, verdicts, press, answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from league.core.orders import Parsed
from league.desk.inbox import press, press_doubt, press_thread
from league.desk.inbox.batch import Batch
from league.desk.inbox.obey import obey
from league.desk.inbox.organizer_mail import Heard
from league.desk.inbox.sort_replies import Asked, sort_replies
from league.desk.inbox.standby_mail import carry_out, is_standby
from league.desk.leagues import finals
from league.desk.leagues.replies import evaluated
from league.desk.leagues.standing_orders import Keeper
from league.desk.leagues.submissions import Came, by_arrival, submission
from league.desk.leagues.turns import rules_of, start_of
from league.desk.people.invite import KIND, accept_seat, as_accepted, says_yes
from league.desk.people.moved import left
from league.desk.people.names import is_taken
from league.desk.people.office import Office
from league.desk.people.standby import STANDBY, standby_mail
from league.desk.post import answers
from league.desk.post.answer_organizer import tell_organizer
from league.desk.post.answers import Booked, Split
from league.desk.post.brake import open_brake
from league.desk.post.masking import masked
from league.desk.post.too_late import READ_LATE, missed, missed_facts, too_late
from league.desk.recovery import put_orders
from league.desk.rounds.closed_round import owed
from league.desk.rounds.stands import booked, orders_of, stands
from league.desk.site import Site
from league.intake.message import MADE_ID, Letter
from league.intake.proof import Proof
from league.intake.read import Reading, holds
from league.intake.rules import same_id_other_content
from league.intake.screen import Verdict
from league.reports.context import CommandReport, KeptOrders
from league.storage import leagues, orders, outbox, rounds, standing
from league.storage.league_rows import MOVED
from league.storage.leagues import Membership
from league.storage.mails import Judged, Mail
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

MOST_MAILS = 100  # of one seat for one round
TO_BE_TOLD = frozenset(
    {Verdict.ACCEPTED, Verdict.ASK, Verdict.HELD, Verdict.QUARANTINED, Verdict.UNREADABLE}
)  # where a league has moved


@dataclass
class Book(Batch):
    """The open rounds of a batch's matches, and what follows for them from each of its mails."""

    def enter(self, mail: Mail, reading: Reading, member: Membership | None, choices: Sequence[Membership] = ()) -> str:
        """Add what follows from a judged mail; the verdict in the end. `choices`: seats it may be for."""
        if member is not None:
            member = self.as_of_now(member)
            reading = self._as_yes(self._as_press(reading, member), member)
        verdict, reason = reading.verdict, reading.reason
        gone = member or next(iter(choices), None)
        if gone is not None and all(one.moved for one in ([member] if member else choices)) and verdict in TO_BE_TOLD:
            verdict, reason, member = Verdict.HELD, MOVED, gone
            self._tell_away(mail, gone)
        elif member is not None and is_standby(member):
            verdict, reason = self._stand_by(mail, reading, member)
        elif verdict is Verdict.ACCEPTED and member is not None:
            verdict, reason = self._accept(mail, reading, member)
        elif member is not None and (verdict is Verdict.ASK or reason == same_id_other_content.__name__):
            self._answer_ask(mail, reading, member)
        elif verdict is Verdict.ASK and choices:
            here = [choice for choice in choices if not choice.moved]
            shown = [(choice, self._shown(choice, mail.received_at)) for choice in here]
            self.answer(mail, here[0], lambda: answers.which(self.site, mail, reading, shown))
            for choice in choices:
                if choice.moved:
                    self._tell_away(mail, choice)
        elif verdict is Verdict.QUARANTINED:
            self._notice(mail, reading, member or next(iter(choices), None))
        elif verdict is Verdict.UNREADABLE and reading.is_answered:
            self._answer_unreadable(mail, reading, member or next(iter(choices), None))
        self.verdicts.append(_judged(self.site, mail, reading, member, verdict, reason))
        return verdict.value

    def _shown(self, member: Membership, arrived: datetime) -> Loaded:
        """The round of a match that takes a mail's orders, or the next to take any."""
        table, following = self.round_at(member, arrived)
        return table or following or self.tables[member.match_slug][-1]

    def _stand_by(self, mail: Mail, reading: Reading, member: Membership) -> tuple[Verdict, str]:
        """A mail of who stands by: no orders, but a seat to be taken. What isn't proven waits."""
        if reading.verdict not in (Verdict.ACCEPTED, Verdict.ASK) or not self.tables[member.match_slug]:
            return reading.verdict, reading.reason
        standing.keep(self.connection, self.keeper.laid_down())  # what the seat's player keeps may end with it
        stood = carry_out(self.site, self.connection, member, mail, reading, self._as_known(member))
        self.obeyed = True
        self.reseat(member)
        if stood.what:
            shown, letter = self.tables[member.match_slug][-1], reading.letter
            thread = [one for one in (*letter.references, letter.message_id) if not one.startswith(MADE_ID)]
            facts = dict(stood.facts or {})
            at = replace(self.site, now=mail.received_at)
            self.answer(mail, member, lambda: standby_mail(at, shown, member.place, stood.what, facts, thread))
        return Verdict.ACCEPTED, STANDBY

    def hear(self, mail: Mail, reading: Reading, heard: Heard) -> str:
        """A mail of the organizer's, which was seen to; the mails behind it find the rounds as it left them."""
        self.obeyed = self.obeyed or heard.verdict is Verdict.ACCEPTED
        self.troubles += heard.troubles
        self.mails += [heard.answer] if heard.answer else []
        for slug in heard.matches:
            ids = [table.round.id for table in self.tables.get(slug, ())]
            fresh = rounds.load_chunk(self.connection, ids) if ids else ()
            self.tables |= {slug: tuple(sorted(fresh, key=lambda table: table.round.number))} if ids else {}
        judged = _judged(self.site, mail, reading, None, heard.verdict, heard.reason)
        self.verdicts.append(replace(judged, holds=("commands",)))
        return heard.verdict.value

    def set_aside(self, mail: Mail, letter: Letter) -> str:
        """A mail over which the program stumbled: kept, and shown to a person."""
        self.verdicts.append(
            Judged(
                mail_id=mail.id,
                verdict=Verdict.HELD.value,
                reason="program_fault",
                rule="program_fault",
                message_id=letter.message_id,
                sender=letter.author,
                holds=(),
                verified=False,
                decided_at=self.site.now,
            )
        )
        return Verdict.HELD.value

    def _accept(self, mail: Mail, reading: Reading, member: Membership) -> tuple[Verdict, str]:
        if member.place.status not in leagues.PRESENT:  # by a mail before this one
            return Verdict.REJECTED, "unknown_sender"
        table, following = self.round_at(member, mail.received_at)
        tables = self.tables[member.match_slug]
        if self._is_flood(member, table, evaluated(tables, mail.received_at)):
            return Verdict.HELD, "too_many_mails"
        if self._is_loop(mail, reading, member):
            self.warn(mail, member)
            if not reading.parsed.orders:
                self.brake.leave(member, mail)
                return Verdict.HELD, "too_many_mails"
            self.troubles.append(
                f"mail {mail.digest[:12]} of {member.place.own_name}: too many mails; its orders count"
            )
            reading = replace(reading, commands=(), parsed=replace(reading.parsed, press=()))
        told = (
            *self._obey(mail, reading, member, table or following),
            *self._take_as_yes(mail, reading, self.as_of_now(member)),
            *self._pass_on(mail, reading, self.as_of_now(member)),
        )
        if told:
            table, following = self.round_at(member, mail.received_at)
            member = self.as_of_now(member)
            gone = member.place.status not in leagues.PRESENT
            if gone or not (reading.parsed.orders or reading.parsed.ends_standing):
                self._answer_obeyed(mail, _without(reading) if gone else reading, member, told)
                return Verdict.ACCEPTED, reading.reason
        split = self._split(mail, reading, member, table)
        own = split.for_open(reading.parsed)
        kept = self._keep_standing(table, following, member, mail, own)
        if table is None and not split.replies:
            return self._late(following, member, mail, reading, kept, told)
        if table is not None and own.ends_standing and not own.lines and not split.replies:
            self._answer_obeyed(mail, reading, member, told, kept)
            return Verdict.ACCEPTED, reading.reason
        entry = None
        if table is not None and (not split.replies or own.orders):
            entry = self._book(table, mail, own, member)
        if split.submission is not None:
            self.keep_reply(split, mail)
        if entry is not None:
            self.keep(entry)
        missing = table is None and bool(own.orders) and self._missed(tables[-1], member, mail)
        self.answer(mail, member, lambda: self._told(mail, reading, member, entry, split, kept, told, missed=missing))
        if entry is not None and entry.resend_of and split.submission is None:
            return Verdict.DUPLICATE, "resend"
        lost = table is None and bool(own.orders) and split.submission is None
        return (Verdict.LATE, READ_LATE if missing else "no_round_open") if lost else (Verdict.ACCEPTED, reading.reason)

    def _is_flood(self, member: Membership, *asked: Loaded | None) -> bool:
        """More mails than a person writes: a program that answers our answers must not stop the site."""
        own = (sum(s.seat_id == member.place.id for s in self.known(table)) for table in asked if table is not None)
        return any(count >= MOST_MAILS for count in own)

    def _is_loop(self, mail: Mail, reading: Reading, member: Membership) -> bool:
        """Commands that can't be answered any more aren't carried out: perhaps two programs talk to each other."""
        if reading.proof is Proof.ORGANIZER:  # a person has looked
            return False
        return bool(reading.commands or reading.parsed.press) and self.brake.is_full(member, mail.received_at)

    def _split(self, mail: Mail, reading: Reading, member: Membership, here: Loaded | None) -> Split:
        """What of the mail is for the round being evaluated, and what for the open one."""
        tables = self.tables[member.match_slug]
        target = evaluated(tables, mail.received_at)
        known = self.known(target) if target is not None else []
        asked = Asked(self.site, member.place, _came(mail), tables, known, here is not None)
        return sort_replies(asked, reading.parsed)

    def _keep_standing(
        self, table: Loaded | None, following: Loaded | None, member: Membership, mail: Mail, own: Parsed[Any]
    ) -> KeptOrders:
        """What the mail keeps for later rounds; while no round is open it can only end it: orders belong to a round."""
        here = table or following
        if here is None:
            return KeptOrders()
        parsed = own if table is not None else Parsed((), ends_standing=own.ends_standing)
        what = self.keeper.take(self.site, self.tables[member.match_slug], here, member.place, mail, parsed)
        return self.keeper.told(here, member.place, what)

    def _late(
        self,
        following: Loaded | None,
        member: Membership,
        mail: Mail,
        reading: Reading,
        kept: KeptOrders,
        told: Sequence[CommandReport],
    ) -> tuple[Verdict, str]:
        """A mail that finds no round open: its orders don't count; that standing orders end does."""
        late, reason = bool(reading.parsed.orders or not kept.what), "no_round_open"
        if following is not None:
            told_too, why = tuple(told), too_late(self.connection, following, mail.received_at, self.site.now)
            if late and reading.parsed.orders and self._missed(following, member, mail):
                reason = READ_LATE
            self.answer(
                mail,
                member,
                lambda: answers.late(self.site, following, why, member, mail, reading, kept, told_too, late=late),
            )
        return (Verdict.LATE, reason) if late else (Verdict.ACCEPTED, reading.reason)

    def _missed(self, shown: Loaded, member: Membership, mail: Mail) -> bool:
        """Whether orders were in time and read after the freeze; then the organizer hears of it."""
        gone = missed(self.connection, shown, mail.received_at)
        if gone is None:
            return False
        facts = missed_facts(gone, member.place, mail.received_at)
        tell_organizer(self.site, self.connection, shown, "missed", facts, date=self.site.now)
        self.troubles.append(
            f"mail {mail.digest[:12]} of {member.place.own_name} arrived {facts['arrived']}, in time for round "
            f"{gone.number} of {member.league_slug}, and was read after that was closed: it doesn't count"
        )
        return True

    def _told(
        self,
        mail: Mail,
        reading: Reading,
        member: Membership,
        entry: Booked | None,
        split: Split,
        kept: KeptOrders,
        told: Sequence[CommandReport],
        *,
        missed: bool,
    ) -> OutMail:
        if entry is not None:
            return answers.receipt(self.site, entry, split, member, mail, reading, kept, told)
        return answers.replied(self.site, split, member, mail, reading, kept, told, missed=missed)

    def _obey(
        self, mail: Mail, reading: Reading, member: Membership, shown: Loaded | None
    ) -> tuple[CommandReport, ...]:
        """Carry out the mail's commands; what they changed about the seats is so for all that follows."""
        if shown is None or not reading.commands:
            return ()
        tables, is_open = self._as_known(member), shown is self.round_at(member, mail.received_at)[0]
        game = rules_of(shown)
        brings = is_open and any(not game.is_reply(order) for order in reading.parsed.orders)
        office = Office(self.site, self.connection, member, mail, shown, tables, self.known(shown), brings)
        standing.keep(self.connection, self.keeper.laid_down())  # a command may end what the batch keeps
        done = obey(office, reading.commands)
        self.obeyed = self.obeyed or reading.asks
        self.troubles += done.troubles
        self.reseat(member)
        return done.reports

    def _take_as_yes(self, mail: Mail, reading: Reading, member: Membership) -> tuple[CommandReport, ...]:
        """Who sends orders himself has accepted the invitation."""
        place = member.place
        if place.status != leagues.INVITED or not reading.parsed.orders or mail.source == put_orders.SOURCE:
            return ()
        if is_taken(place.own_name, leagues.seats(self.connection, [member.match_id]), place.code):
            return (CommandReport(place.own_name, "name_taken", {"written": place.own_name}, done=False),)
        accept_seat(self.connection, place, member.league_slug)
        self.obeyed = True
        self.reseat(member)
        return (CommandReport(place.own_name, "accepted", {"name": place.own_name}),)

    def _pass_on(self, mail: Mail, reading: Reading, member: Membership) -> tuple[CommandReport, ...]:
        """Pass the mail's press on at once, whether a round takes orders or not."""
        table, following = self.round_at(member, mail.received_at)
        shown = table or following
        if shown is None or not reading.parsed.press:
            return ()
        stored = [*orders.press(self.connection, [shown.round.id]), *self.press]
        before = [line for line in stored if (line.round_id, line.seat_id) == (shown.round.id, member.place.id)]
        clean = [replace(one, text=self._masked(shown, one.text)) for one in reading.parsed.press]
        back = press_thread.goes_back(clean)
        seat = member.place.id
        answered = press_thread.in_its_thread(self.connection, reading.letter, seat) if back else press_thread.NOBODY
        done = press.pass_on(self.site, shown, member, mail, clean, before, answered)
        self.press += done.lines
        self.mails += done.mails
        return done.reports

    def _as_known(self, member: Membership) -> tuple[Loaded, ...]:
        """The match's rounds with what the batch has added to their books."""
        return tuple(replace(t, submissions=tuple(self.known(t))) for t in self.tables[member.match_slug])

    def _masked(self, shown: Loaded, text: str) -> str:
        return masked(self.connection, self.site, shown.match_slug, shown.seats, text)

    def _as_press(self, reading: Reading, member: Membership) -> Reading:
        """A reply to a message of another player, if it holds nothing else, is for who wrote that message."""
        reading = press_thread.in_thread(self.connection, reading, member.place.id)
        reading = press_doubt.asked_about(reading)
        is_press = reading.thread == press_thread.ANSWERS and press_thread.is_talk(reading)
        return press_thread.as_reply(reading) if is_press else reading

    def _as_yes(self, reading: Reading, member: Membership) -> Reading:
        """A plain yes in a reply to our invitation accepts it; beside anything else it is only talk."""
        if member.place.status != leagues.INVITED or reading.verdict is not Verdict.ASK or not says_yes(reading):
            return reading
        kind = outbox.kind_of(self.connection, press_thread.answered(reading.letter), member.place.id)
        return as_accepted(reading) if kind.partition("/")[0] == KIND else reading

    def _answer_obeyed(
        self,
        mail: Mail,
        reading: Reading,
        member: Membership,
        told: Sequence[CommandReport],
        kept: KeptOrders | None = None,
    ) -> None:
        """To a mail without orders: what became of its commands, what stands and what is kept."""
        table, following = self.round_at(member, mail.received_at)
        shown = table or following
        if shown is not None:
            now = stands(shown, orders_of(shown, member.place, self.known(shown)))
            kept = kept or self.keeper.told(shown, member.place)
            self.answer(mail, member, lambda: answers.obeyed(self.site, shown, member, mail, reading, now, kept, told))

    def _book(self, table: Loaded, mail: Mail, parsed: Parsed[Any], member: Membership) -> Booked:
        game = rules_of(table)
        state = start_of(table, game)
        before = self.known(table)
        fresh = submission(self.site, table, game, state, member.place, _came(mail), parsed, before)
        now = by_arrival([*before, fresh])
        made = booked(table, game, state, fresh, orders_of(table, member.place, now))
        counting = [line.notation for line in made.stands]
        return replace(made, final=finals.word(table, before, now, member.place.code, counting))

    def _answer_ask(self, mail: Mail, reading: Reading, member: Membership) -> None:
        table, following = self.round_at(member, mail.received_at)
        shown = table or following
        if shown is not None:
            own = stands(shown, orders_of(shown, member.place, self.known(shown)))
            kept = self.keeper.told(shown, member.place)
            closed = owed(self._as_known(member), member.place, mail.received_at)
            due = closed.evaluation() if closed is not None and closed.battles else None
            opens = shown.round.opens_at if table is None and mail.received_at < shown.round.opens_at else None
            self.answer(
                mail, member, lambda: answers.ask(self.site, shown, member, mail, reading, own, kept, due, opens)
            )

    def _notice(self, mail: Mail, reading: Reading, member: Membership | None) -> None:
        """To the address on file alone, one a seat and day: nobody can be flooded through us (DESIGN: Mail)."""
        shown = self.tables.get(member.match_slug, ()) if member is not None else ()
        if member is None or not shown or member.place.id in self.noticed:
            return
        self.noticed.add(member.place.id)
        self.answer(mail, member, lambda: answers.unproven(self.site, shown[-1], member, mail, reading))

    def _tell_away(self, mail: Mail, member: Membership) -> None:
        """To who writes to a league that has moved: where it is now, once a seat and day; the mail itself is kept."""
        shown, going = self.tables.get(member.match_slug, ()), left(self.connection, member.league_slug)
        silent = member.place.id in self.noticed or self.brake.is_full(member, mail.received_at)
        if going is None or not shown or silent:
            return
        self.noticed.add(member.place.id)
        self.answer(mail, member, lambda: answers.away(self.site, shown[-1], member, mail, going.to))

    def _answer_unreadable(self, mail: Mail, reading: Reading, member: Membership | None) -> None:
        shown = self.tables.get(member.match_slug, ()) if member is not None else ()
        if member is not None and shown:
            self.answer(mail, member, lambda: answers.unreadable(self.site, shown[-1], member, mail, reading))


def open_book(connection: Connection, site: Site, members: Sequence[Membership], first: datetime) -> Book:
    """The book with the unresolved rounds of these seats' matches laid open, of one that is over its last.

    `first`: when the oldest mail arrived.
    """
    found = rounds.unresolved(connection, sorted({m.match_id for m in members}))
    ended = rounds.current(connection, sorted({m.match_id for m in members} - found.keys()))
    ids = [r.id for several in (*found.values(), tuple(ended.values())) for r in several]
    tables: dict[str, tuple[Loaded, ...]] = {m.match_slug: () for m in members}
    for loaded in rounds.load_chunk(connection, ids):
        tables[loaded.match_slug] = (*tables.get(loaded.match_slug, ()), loaded)
    by_number = {slug: tuple(sorted(t, key=lambda x: x.round.number)) for slug, t in tables.items()}
    brake = open_brake(connection, site, members, first)
    return Book(site, connection, by_number, keeper=Keeper(standing.kept_at(connection, ids)), brake=brake)


def _judged(
    site: Site, mail: Mail, reading: Reading, member: Membership | None, verdict: Verdict, reason: str
) -> Judged:
    return Judged(
        mail_id=mail.id,
        verdict=verdict.value,
        reason=reason,
        rule=reading.reason,
        message_id=reading.letter.message_id,
        sender=reading.letter.author,
        holds=holds(reading),
        verified=reading.verified,
        proof=reading.proof.value,
        decided_at=site.now,
        league_id=member.league_id if member else None,
        seat_id=member.place.id if member else None,
    )


def _without(reading: Reading) -> Reading:
    """The mail of somebody who has left with it: there is no order in it that could count."""
    lines = tuple(line for line in reading.parsed.lines if line.order is None)
    return replace(reading, parsed=replace(reading.parsed, lines=lines))


def _came(mail: Mail) -> Came:
    return Came(mail.digest, mail.received_at, mail.id)
