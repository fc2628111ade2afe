"""A batch of judged mails becomes rows: order book, verdicts, press, answers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from league.core.errors import Broken
from league.core.game import Game
from league.core.orders import Fate, Parsed, standing
from league.desk import answers
from league.desk.answers import Booked, Split
from league.desk.aside import set_aside
from league.desk.orderbook import notations, to_lines, to_mails
from league.desk.postpone import postpone, postponed
from league.desk.presence import counted, is_void
from league.desk.rehearse import rehearse
from league.desk.replies import due, evaluated, nothing_asked, settled, still_open, with_replies
from league.desk.site import Site
from league.desk.turns import rules_of, start_of
from league.intake.message import Letter
from league.intake.read import Reading, holds
from league.intake.screen import Verdict
from league.records.freeze import leaf, nonce
from league.records.keys import match_secret
from league.reports.context import ReceiptLine, order_facts
from league.storage import leagues, mails, orders, outbox, rounds
from league.storage.leagues import Membership
from league.storage.mails import Judged, Mail
from league.storage.orders import ORDERS, REPLIES, PressLine, Submission
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

MOST_MAILS = 100  # of one seat for one round


@dataclass
class Book:
    """The open rounds of a batch's matches, and the rows that the batch adds to them."""

    site: Site
    tables: dict[str, tuple[Loaded, ...]]  # by match, the rounds by number
    verdicts: list[Judged] = field(default_factory=list)
    submissions: dict[int, list[Submission]] = field(default_factory=dict)  # by round, with those already stored
    fresh: list[Submission] = field(default_factory=list)
    press: list[PressLine] = field(default_factory=list)
    mails: list[OutMail] = field(default_factory=list)
    moved: list[tuple[Loaded, datetime]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def enter(self, mail: Mail, reading: Reading, member: Membership | None, choices: Sequence[Membership] = ()) -> str:
        """Add what follows from a judged mail; the verdict in the end. `choices`: seats it may be for."""
        verdict, reason = reading.verdict, reading.reason
        if verdict is Verdict.ACCEPTED and member is not None:
            verdict, reason = self._accept(mail, reading, member)
        elif verdict is Verdict.ASK and member is not None:
            self._answer_ask(mail, reading, member)
        elif verdict is Verdict.ASK and choices:
            shown = self.tables[choices[0].match_slug][-1]
            slugs = sorted({choice.league_slug for choice in choices})
            self._answer(mail, lambda: answers.which(self.site, shown, choices[0], mail, reading, slugs))
        self.verdicts.append(_judged(self.site, mail, reading, member, verdict, reason))
        return verdict.value

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
        table, following = self._round_at(member, mail.received_at)
        if self._is_flood(member, table, evaluated(self.tables[member.match_slug], mail.received_at)):
            return Verdict.HELD, "too_many_mails"
        split = self._split(mail, reading, member, table)
        own = split.for_open(reading.parsed)
        if table is None and not split.replies:
            if following is not None:
                self._answer(mail, lambda: answers.late(self.site, following, member, mail, reading))
            return Verdict.LATE, "no_round_open"
        booked = None
        if table is not None and (not split.replies or own.orders or own.press):
            booked = self._book(table, mail, own, member)
        if split.submission is not None:
            self._keep_reply(split, mail)
        if booked is not None:
            self._keep(booked, mail, own)
        self._answer(mail, lambda: self._told(mail, reading, member, booked, split))
        if booked is not None and booked.resend_of and split.submission is None:
            return Verdict.DUPLICATE, "resend"
        lost = table is None and bool(own.orders) and split.submission is None
        return (Verdict.LATE, "no_round_open") if lost else (Verdict.ACCEPTED, reading.reason)

    def _is_flood(self, member: Membership, *asked: Loaded | None) -> bool:
        """More mails than a person writes: a program that answers our answers must not stop the site."""
        own = (sum(s.seat_id == member.place.id for s in self._known(table)) for table in asked if table is not None)
        return any(count >= MOST_MAILS for count in own)

    def _split(self, mail: Mail, reading: Reading, member: Membership, here: Loaded | None) -> Split:
        """What of the mail is for the round being evaluated, and what for the open one."""
        tables = self.tables[member.match_slug]
        if not tables:
            return Split()
        game = rules_of(tables[0])
        lines = reading.parsed.lines
        places = tuple(i for i, line in enumerate(lines) if line.order is not None and game.is_reply(line.order))
        if not places:
            return Split(game=game)
        replies: Parsed[Any] = Parsed(tuple(lines[i] for i in places))
        target = evaluated(tables, mail.received_at)
        if target is None:
            rulings = dict(zip(places, nothing_asked(tables[0], member.place.code, replies), strict=True))
            kept = {i for i in places if here is not None and not game.is_report(lines[i].order)}
            return Split(game, tables[0], {i: rulings[i] for i in places if i not in kept}, frozenset(kept))
        return self._evaluate(target, here is not None, places, replies, mail, member)

    def _evaluate(
        self,
        target: Loaded,
        is_open: bool,
        places: Sequence[int],
        replies: Parsed[Any],
        mail: Mail,
        member: Membership,
    ) -> Split:
        """Ask the rules which of the replies the round has a use for; what it hasn't may stand for the open round."""
        game, known = rules_of(target), self._known(target)
        before = with_replies(target, known)
        trial = _submission(self.site, target, game, before.state, mail, replies, member, known, REPLIES)
        both = replace(target, submissions=tuple(_by_arrival([*known, trial])))
        fate = with_replies(both, both.submissions).outcome().fates[counted(both).index(trial)]
        found = dict(zip(places, fate.lines, strict=True))
        booked = frozenset(i for i in places if found[i].fate in (None, Fate.DONE))
        line_at = dict(zip(places, replies.lines, strict=True))
        kept = frozenset(i for i in places if is_open and i not in booked and not game.is_report(line_at[i].order))
        if not booked:
            return Split(game, target, found, kept, pending=still_open(before), until=due(target))
        used: Parsed[Any] = Parsed(tuple(line_at[i] for i in places if i in booked))
        kept_mail = _submission(self.site, target, game, before.state, mail, used, member, known, REPLIES)
        after = with_replies(target, _by_arrival([*known, kept_mail]))
        pending = still_open(after)
        is_settled = settled(still_open(before), pending)
        return Split(game, target, found, kept, booked, kept_mail, pending, due(target), is_settled)

    def _told(self, mail: Mail, reading: Reading, member: Membership, booked: Booked | None, split: Split) -> OutMail:
        if booked is not None:
            return answers.receipt(self.site, booked, split, member, mail, reading)
        return answers.replied(self.site, split, member, mail, reading)

    def _keep_reply(self, split: Split, mail: Mail) -> None:
        table, kept = split.loaded, split.submission
        if table is None or kept is None:
            return
        self.fresh.append(kept)
        self.submissions[kept.round_id] = _by_arrival([*self._known(table), kept])
        if split.settled:
            self._postpone(table, mail.received_at)

    def _postpone(self, table: Loaded, decided_at: datetime) -> None:
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

    def _round_at(self, member: Membership, arrived: datetime) -> tuple[Loaded | None, Loaded | None]:
        """The open round the mail arrived in, and the one that opens next; a frozen round takes no order."""
        still_open = [t for t in self.tables[member.match_slug] if t.round.status == rounds.OPEN]
        here = next((t for t in still_open if t.round.opens_at <= arrived <= t.round.closes_at), None)
        following = next(
            (t for t in still_open if t.round.closes_at >= arrived), still_open[-1] if still_open else None
        )
        if here is None and following is not None and following.options.get("late") == "next_round":
            here = following  # K13
        return here, following

    def _answer(self, mail: Mail, make: Callable[[], OutMail]) -> None:
        """An answer that can't be made (a template of the site's own, say) costs nobody the order."""
        try:
            self.mails.append(make())
        except Exception as error:  # noqa: BLE001  # the border of a job
            self.troubles.append(set_aside(self.site, f"the answer to mail {mail.digest}", error))

    def _keep(self, booked: Booked, mail: Mail, own: Parsed[Any]) -> None:
        kept = booked.submission
        self.fresh.append(kept)
        self.submissions[kept.round_id] = _by_arrival([*self._known(booked.loaded), kept])
        self.press += [
            PressLine(kept.round_id, kept.seat_id, mail.received_at, press.to, press.text, mail.id)
            for press in own.press
        ]

    def _known(self, table: Loaded) -> list[Submission]:
        return self.submissions.get(table.round.id, list(table.submissions))

    def _book(self, table: Loaded, mail: Mail, parsed: Parsed[Any], member: Membership) -> Booked:
        game = rules_of(table)
        state = start_of(table, game)
        before = self._known(table)
        submission = _submission(self.site, table, game, state, mail, parsed, member, before)
        own = _orders_of(table, member, _by_arrival([*before, submission]))
        return _booked(table, game, state, submission, own)

    def _answer_ask(self, mail: Mail, reading: Reading, member: Membership) -> None:
        table, following = self._round_at(member, mail.received_at)
        shown = table or following
        if shown is not None:
            own = _orders_of(shown, member, self._known(shown))
            self._answer(mail, lambda: answers.ask(self.site, shown, member, mail, reading, _stands(shown, own)))

    def write(self, connection: Connection) -> None:
        """All rows of the batch, in bulk."""
        if orders.store_submissions(connection, self.fresh) != len(self.fresh):
            raise Broken("an order mail could not be put into the book; nothing of this batch was stored")
        orders.store_press(connection, self.press)
        mails.store_verdicts(connection, self.verdicts)
        outbox.queue(connection, self.mails)
        for moved, decided_at in self.moved:
            postpone(self.site, connection, moved, decided_at)
        by_round = {t.round.id: t.league_slug for tables in self.tables.values() for t in tables}
        leagues.mark_unpublished(connection, {by_round[s.round_id] for s in self.fresh}, token_hex(8))


def _by_arrival(submissions: Iterable[Submission]) -> list[Submission]:
    return sorted(submissions, key=lambda s: (s.phase, s.received_at, s.sequence, s.digest))


def _orders_of(table: Loaded, member: Membership, submissions: Iterable[Submission]) -> list[Submission]:
    """The player's order mails; replies are no orders and replace none, nor does a predecessor's mail count."""
    own = [s for s in submissions if s.seat_id == member.place.id and s.phase == ORDERS]
    return [s for s in own if not is_void(table, s)]


def open_book(connection: Connection, site: Site, members: Sequence[Membership]) -> Book:
    """The book with the unresolved rounds of these seats' matches laid open."""
    found = rounds.unresolved(connection, sorted({m.match_id for m in members}))
    ids = [r.id for several in found.values() for r in several]
    tables: dict[str, tuple[Loaded, ...]] = {m.match_slug: () for m in members}
    for loaded in rounds.load_chunk(connection, ids):
        tables[loaded.match_slug] = (*tables.get(loaded.match_slug, ()), loaded)
    return Book(site, {slug: tuple(sorted(t, key=lambda x: x.round.number)) for slug, t in tables.items()})


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
        decided_at=site.now,
        league_id=member.league_id if member else None,
        seat_id=member.place.id if member else None,
    )


def _submission(
    site: Site,
    table: Loaded,
    game: Game[Any, Any],
    state: Any,
    mail: Mail,
    parsed: Parsed[Any],
    member: Membership,
    before: Sequence[Submission],
    phase: int = ORDERS,
) -> Submission:
    lines = to_lines(game, state, parsed)
    earlier = (s.revision for s in before if s.seat_id == member.place.id and s.phase == phase)
    revision = 1 + max(earlier, default=0)
    salt = nonce(match_secret(site.key, table.match_slug), mail.digest)
    return Submission(
        round_id=table.round.id,
        seat_id=member.place.id,
        revision=revision,
        digest=mail.digest,
        received_at=mail.received_at,
        sequence=mail.id,
        text="",  # the words lie in the raw mail; the book keeps what was understood
        lines=lines,
        replaces=parsed.replaces,
        nonce=salt,
        leaf=leaf(
            table.league_slug,
            table.match_slug,
            table.round.number,
            member.place.code,
            revision,
            mail.received_at,
            notations(lines),
            salt,
        ),
        mail_id=mail.id,
        phase=phase,
    )


def _stands(table: Loaded, own: Sequence[Submission]) -> tuple[ReceiptLine, ...]:
    """The orders that count for the seat as the book is now."""
    game = rules_of(table)
    mails_ = to_mails(game, start_of(table, game), own, table.seats)
    counts = game.counts(start_of(table, game), mails_)
    return tuple(
        ReceiptLine(line.text, order_facts(line.order), game.notation(None, line.order))
        for mail, rulings in zip(mails_, counts, strict=True)
        for line, ruling in zip(mail.parsed.lines, rulings, strict=True)
        if ruling is None and line.order is not None
    )


def _booked(
    table: Loaded, game: Game[Any, Any], state: Any, submission: Submission, own: Sequence[Submission]
) -> Booked:
    """What stands for the seat once this mail is in the book (K12)."""
    mails_ = to_mails(game, state, own, table.seats)
    instead = standing(mails_)
    place = own.index(submission)
    other = instead[place]
    taken = [i for i, by in instead.items() if by == place and i < place]
    told = rehearse(table, game, mails_[place].seat, mails_)
    return Booked(
        loaded=table,
        game=game,
        submission=submission,
        stands=_stands(table, own),
        notes=game.counts(state, mails_)[place],
        replaced=own[taken[-1]].revision if taken else 0,
        resend_of=own[other].revision if other is not None and other < place else 0,
        told=tuple(told.get((place, line)) for line in range(len(submission.lines))),
    )
