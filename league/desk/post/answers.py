"""Answers to order mails, each in its thread and in the player's language."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from league.core.errors import Broken
from league.core.game import Game
from league.core.json import Json
from league.core.orders import Fate, Line, Parsed, Rehearsed, Ruling
from league.desk.clock import stamp
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.turns import rules_of
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site
from league.desk.trust import composer_key, key_of
from league.intake.message import MADE_ID
from league.intake.mime import LIMITS
from league.intake.read import NOTHING, Reading
from league.intake.screen import Verdict
from league.records import freeze
from league.reports import mails as words
from league.reports.context import (
    CommandReport,
    Evaluation,
    Finals,
    KeptOrders,
    Receipt,
    ReceiptLine,
    Seal,
    Unanswered,
    order_facts,
)
from league.reports.context import Mail as Text
from league.reports.late import TooLate
from league.storage import leagues, outbox
from league.storage.leagues import Membership
from league.storage.mails import Mail
from league.storage.orders import Submission
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

MOST_LINES = 60  # of a mail in its answer
MOST_ALIKE = 5  # requests refused for the same reason


@dataclass(frozen=True, slots=True)
class Booked:
    """An order mail in its round, with what the answer needs."""

    loaded: Loaded
    game: Game[Any, Any]
    submission: Submission
    stands: tuple[ReceiptLine, ...]
    notes: tuple[Ruling | None, ...]  # for each line of the mail, why it doesn't count
    replaced: int
    resend_of: int
    told: tuple[Rehearsed | None, ...]  # for each line of the mail, what would become of it now
    final: Finals | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """What of a mail is a reply: line -> what the rules say to it, with the round that was asked.

    `kept` lines stand for the open round all the same, `booked` ones for the round being evaluated, as `submission`.
    """

    game: Game[Any, Any] | None = None
    loaded: Loaded | None = None
    replies: Mapping[int, Ruling] = field(default_factory=dict)
    kept: frozenset[int] = frozenset()
    booked: frozenset[int] = frozenset()
    submission: Submission | None = None
    pending: tuple[Mapping[str, Json], ...] = ()
    until: datetime | None = None
    settled: bool = False

    def is_gone(self, place: int) -> bool:
        """Whether the line isn't for the open round."""
        return place in self.replies and place not in self.kept

    def for_open(self, parsed: Parsed[Any]) -> Parsed[Any]:
        """The mail without what the open round has no use for."""
        if self.game is None or not self.replies:
            return parsed
        lines = tuple(line for place, line in enumerate(parsed.lines) if not self.is_gone(place))
        text = "\n".join(self.game.notation(None, line.order) for line in lines if line.order is not None)
        names = {seat.code: seat.code for seat in self.loaded.seats} if self.loaded else {}
        replaces = parsed.replaces and self.game.parse(None, "", text, names).replaces
        return Parsed(lines, parsed.press, replaces, parsed.ends_standing, parsed.final)

    def evaluation(self) -> Evaluation | None:
        """For the answer: the round being evaluated and what it waits for."""
        if self.loaded is None or self.until is None:
            return None
        return Evaluation(round_info(self.loaded.round), self.pending, self.until)


def receipt(
    site: Site,
    booked: Booked,
    split: Split,
    member: Membership,
    mail: Mail,
    reading: Reading,
    kept: KeptOrders,
    told: Sequence[CommandReport] = (),
    unanswered: tuple[Unanswered, ...] = (),
) -> OutMail:
    """What was understood line by line, what stands now, and the signed leaf (DESIGN: Freeze)."""
    table, row = booked.loaded, booked.submission
    seal = order_seal(site, table, member, row)
    shown, more = _within(_lines(booked, split, reading.parsed))
    answer = Receipt(
        seat=member.place.code,
        round=round_info(table.round, table),
        received=mail.received_at,
        lines=shown,
        more=more,
        standing=booked.stands,
        commands=bounded(told),
        revision=booked.resend_of or row.revision,
        replaced=booked.replaced,
        quoted=reading.letter.quoted_lines,
        leaf=seal.leaf,
        nonce=seal.nonce,
        signature=seal.signature,
        signed=seal.signed,
        subject=reading.letter.subject,
        evaluation=split.evaluation(),
        kept=kept,
        reply=_reply_seal(site, split, member),
        final=booked.final,
        by_line=booked.game.meta.by_line,
        thread=reading.thread,
        unanswered=unanswered,
    )
    league = league_info(site, table, booked.game)
    key = composer_key(site, table.match_slug, member.place, booked.game)
    text = words.receipt_mail(site_info(site), league, answer, any_order_or_press, key)
    return _answer(site, "receipt", text, table, member, mail, reading, version=row.revision)


def _within(lines: tuple[ReceiptLine, ...]) -> tuple[tuple[ReceiptLine, ...], int]:
    """At most so many lines as a person reads, what was understood first, and how many mistakes are left out."""
    numbered = tuple(replace(line, number=place) for place, line in enumerate(lines, start=1))
    if len(lines) <= MOST_LINES:
        return numbered, 0
    ordered = sorted(numbered, key=lambda line: line.mistake is not None)
    return tuple(ordered[:MOST_LINES]), sum(line.mistake is not None for line in ordered[MOST_LINES:])


def bounded(told: Sequence[CommandReport]) -> tuple[CommandReport, ...]:
    """What was done, and a few of what was refused for each reason; how many more there are, in one line."""
    refused: Counter[str] = Counter()
    shown: list[CommandReport] = []
    for report in told:
        refused[report.code] += not report.done
        if report.done or refused[report.code] <= MOST_ALIKE:
            shown.append(report)
    left = len(told) - len(shown)
    return (*shown, CommandReport("…", "more_refused", {"count": left}, done=False)) if left else tuple(shown)


def order_seal(site: Site, table: Loaded, member: Membership, row: Submission) -> Seal:
    """The seal of what was booked for the open round."""
    names = (table.league_slug, table.match_slug, table.round.number, member.place.code)
    given = freeze.Receipt(*names, row.revision, row.received_at, row.nonce, row.leaf)
    return Seal(row.leaf, row.nonce, freeze.sign(site.signing_seed, given.payload()), _signed(given))


def _reply_seal(site: Site, split: Split, member: Membership) -> Seal | None:
    """The seal of what was booked for the round being evaluated: no freeze has its leaf, the round's record has."""
    table, row = split.loaded, split.submission
    if table is None or row is None:
        return None
    names = (table.league_slug, table.match_slug, table.round.number, member.place.code)
    given = freeze.Receipt(*names, row.revision, row.received_at, row.nonce, row.leaf, freeze.REPLY)
    return Seal(row.leaf, row.nonce, freeze.sign(site.signing_seed, given.payload()), _signed(given))


def _signed(given: freeze.Receipt) -> str:
    """What the player needs besides leaf and nonce to prove the signature to others."""
    named = (given.league, given.match, given.round, given.seat, given.revision, stamp(given.received_at))
    return " ".join(str(fact) for fact in named)


def _lines(booked: Booked, split: Split, parsed: Parsed[Any]) -> tuple[ReceiptLine, ...]:
    """The mail's lines; of those in the open round's book with what became of them there."""
    notes = iter(zip(booked.notes, booked.told, strict=True))
    return tuple(
        _reply_line(booked.game, split, place, line)
        if split.is_gone(place)
        else _line(booked.game, line, *next(notes), split.replies.get(place))
        for place, line in enumerate(parsed.lines)
    )


def _line(
    game: Game[Any, Any],
    line: Line[Any],
    note: Ruling | None,
    told: Rehearsed | None = None,
    reply: Ruling | None = None,
) -> ReceiptLine:
    if line.order is None:
        return ReceiptLine(line.text, mistake=line.mistake)
    known = order_facts(line.order), game.notation(None, line.order)
    return ReceiptLine(line.text, *known, note=note, told=told, reply=reply)


def _reply_line(game: Game[Any, Any], split: Split, place: int, line: Line[Any]) -> ReceiptLine:
    ruling = split.replies[place]
    known = order_facts(line.order), game.notation(None, line.order)
    if place in split.booked:
        return ReceiptLine(line.text, *known, reply=ruling, replied=True)
    return ReceiptLine(line.text, *known, note=ruling)


def replied(
    site: Site,
    split: Split,
    member: Membership,
    mail: Mail,
    reading: Reading,
    kept: KeptOrders,
    told: Sequence[CommandReport] = (),
    *,
    missed: bool = False,
    unanswered: tuple[Unanswered, ...] = (),
) -> OutMail:
    """The answer to a mail of replies alone, or whose orders came while no round is open.

    `missed`: those came in time and were read after the freeze.
    """
    table, game = split.loaded, split.game
    if table is None or game is None:
        raise Broken("an answer to replies needs the round they are for")
    late = Ruling(Fate.INVALID, "read_late" if missed else "late", "", {"deadline": stamp(table.round.deadline_at)})
    lines = tuple(
        _reply_line(game, split, place, line) if split.is_gone(place) else _line(game, line, late)
        for place, line in enumerate(reading.parsed.lines)
    )
    shown, more = _within(lines)
    answer = Receipt(
        seat=member.place.code,
        round=round_info(table.round, table),
        received=mail.received_at,
        lines=shown,
        more=more,
        quoted=reading.letter.quoted_lines,
        subject=reading.letter.subject,
        evaluation=split.evaluation(),
        kept=kept,
        commands=bounded(told),
        reply=_reply_seal(site, split, member),
        thread=reading.thread,
        unanswered=unanswered,
    )
    text = words.replies_mail(site_info(site), league_info(site, table, game), answer, any_order_or_press)
    return _answer(site, f"replies/{mail.digest}", text, table, member, mail, reading)


def ask(
    site: Site,
    table: Loaded,
    member: Membership,
    mail: Mail,
    reading: Reading,
    stands: tuple[ReceiptLine, ...],
    kept: KeptOrders,
    evaluation: Evaluation | None = None,
    opens: datetime | None = None,
    unanswered: tuple[Unanswered, ...] = (),
) -> OutMail:
    """Nothing usable: how orders are written, and what stands meanwhile.

    `evaluation`: a closed round with a battle to report; `opens`: when orders are taken, while none are.
    """
    if reading.verdict is Verdict.HELD:  # nothing in it is wrong, and nothing is used
        reading = replace(reading, parsed=NOTHING, commands=())
    answer = replace(
        _without_orders(table, member, mail, reading, stands, kept, ()),
        evaluation=evaluation,
        opens=opens,
        invited=member.place.own_name if member.place.status == leagues.INVITED else "",
        unanswered=unanswered,
    )
    game = rules_of(table)
    league, key = league_info(site, table, game), composer_key(site, table.match_slug, member.place, game)
    text = words.ask_mail(site_info(site), league, answer, any_order_or_press, key)
    return _answer(site, f"ask/{mail.digest}", text, table, member, mail, reading)


def obeyed(
    site: Site,
    table: Loaded,
    member: Membership,
    mail: Mail,
    reading: Reading,
    stands: tuple[ReceiptLine, ...],
    kept: KeptOrders,
    told: Sequence[CommandReport],
    unanswered: tuple[Unanswered, ...] = (),
) -> OutMail:
    """What became of a mail's commands, where it holds nothing else."""
    answer = replace(_without_orders(table, member, mail, reading, stands, kept, told), unanswered=unanswered)
    league = league_info(site, table, rules_of(table))
    text = words.commands_mail(site_info(site), league, answer, any_order_or_press)
    return _answer(site, f"commands/{mail.digest}", text, table, member, mail, reading)


def _without_orders(
    table: Loaded,
    member: Membership,
    mail: Mail,
    reading: Reading,
    stands: tuple[ReceiptLine, ...],
    kept: KeptOrders,
    told: Sequence[CommandReport],
) -> Receipt:
    lines = tuple(ReceiptLine(written=line.text, mistake=line.mistake) for line in reading.parsed.lines)
    mistakes = told or (
        CommandReport(line.text, line.mistake.reason, line.mistake.facts, done=False)
        for line in reading.commands
        if line.mistake is not None
    )
    shown, more = _within(lines)
    return Receipt(
        seat=member.place.code,
        round=round_info(table.round, table),
        received=mail.received_at,
        lines=shown,
        more=more,
        standing=stands,
        quoted=reading.letter.quoted_lines,
        subject=reading.letter.subject,
        why=reading.reason,
        kept=kept,
        commands=bounded(tuple(mistakes)),
        thread=reading.thread,
    )


def late(
    site: Site,
    following: Loaded,
    why: TooLate,
    member: Membership,
    mail: Mail,
    reading: Reading,
    kept: KeptOrders,
    told: Sequence[CommandReport] = (),
    *,
    late: bool = True,
) -> OutMail:
    """Not counted; when the next window opens (K13). Not `late`: it only ended standing orders, at any time."""
    league = league_info(site, following, rules_of(following))
    text = words.late_mail(
        site_info(site),
        league,
        member.place.code,
        why,
        mail.received_at,
        any_order_or_press,
        kept,
        bounded(told),
        late=late,
        thread=reading.thread,
    )
    return _answer(site, f"{'late' if late else 'standing'}/{mail.digest}", text, following, member, mail, reading)


def which(site: Site, mail: Mail, reading: Reading, choices: Sequence[tuple[Membership, Loaded]]) -> OutMail:
    """Not for one league certainly: which ones there are, by their names, and what each asks now."""
    member, table = choices[0]
    rows = {
        own.league_slug: (league_info(site, open_, rules_of(open_)), own.place.code, round_info(open_.round, open_))
        for own, open_ in choices
    }
    league, listed = rows[member.league_slug][0], [rows[slug] for slug in sorted(rows)]
    text = words.which_mail(site_info(site), league, member.place.code, listed, any_order_or_press)
    return _answer(site, f"which/{mail.digest}", text, table, member, mail, reading)


def unproven(site: Site, table: Loaded, member: Membership, mail: Mail, reading: Reading) -> OutMail:
    """To the address on file: somebody wrote in the player's name, or with his key, and nothing of it counts.

    It is no answer to that mail, whoever wrote it; its id is one a seat and day, so that there is one such mail a day.
    """
    league = league_info(site, table, rules_of(table))
    text = words.unproven_mail(
        site_info(site),
        league,
        member.place.code,
        reading.reason,
        mail.received_at,
        reading.letter.author,
        key_of(site, table.match_slug, member.place),
        any_order_or_press,
    )
    kind = f"unproven/{site.now:%Y-%m-%d}"
    return outgoing(site, kind, text, member.place, table.match_slug, None, date=mail.received_at)


def away(site: Site, table: Loaded, member: Membership, mail: Mail, to: str) -> OutMail:
    """To the address on file: the league is played elsewhere, and what was written here doesn't count there."""
    league = league_info(site, table, rules_of(table))
    text = words.away_mail(site_info(site), league, member.place.code, mail.received_at, to, any_order_or_press)
    kind = f"{outbox.AWAY}/{site.now:%Y-%m-%d}"
    return outgoing(site, kind, text, member.place, table.match_slug, None, date=mail.received_at)


def unreadable(site: Site, table: Loaded, member: Membership, mail: Mail, reading: Reading) -> OutMail:
    """A known player's mail is past a limit, or no mail at all: nothing of it counts, and plain text would."""
    league = league_info(site, table, rules_of(table))
    limit = site.settings.mail.max_bytes
    problem = reading.letter.problem
    text = words.unreadable_mail(
        site_info(site),
        league,
        member.place.code,
        round_info(table.round, table),
        mail.received_at,
        problem,
        limit,
        (LIMITS.lines, LIMITS.text),
        any_order_or_press,
    )
    return _answer(site, f"unreadable/{mail.digest}", text, table, member, mail, reading)


def _answer(
    site: Site,
    kind: str,
    text: Text,
    table: Loaded,
    member: Membership,
    mail: Mail,
    reading: Reading,
    version: int = 1,
) -> OutMail:
    letter = reading.letter
    above = letter.references or letter.in_reply_to[:1]  # RFC 5322, 3.6.4
    return outgoing(
        site,
        kind,
        text,
        member.place,
        table.match_slug,
        table.round.number,
        date=mail.received_at,
        version=version,
        answers=tuple(one for one in (*above, letter.message_id) if not one.startswith(MADE_ID)),
    )
