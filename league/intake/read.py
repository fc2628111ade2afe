"""A mail read to the end: its letter, its verdict, its seat, and what the game makes of its text."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from league.core.json import JsonDict
from league.core.orders import Line, Mistake, Parsed
from league.intake.copies import Seen, remember
from league.intake.mailbox import RawMail
from league.intake.message import Letter, open_letter, retrim
from league.intake.mime import LIMITS, Limits
from league.intake.proof import Proof
from league.intake.rules import RULES, WITHOUT_ROSTER, is_person
from league.intake.screen import Place, Roster, Verdict, holder, judge, place_of, proof_of
from league.intake.timelimit import TookTooLong, at_most
from league.intake.trim import trim
from league.language.commands import UNSUBSCRIBE, CommandLine, CommandWords, is_command, peel, read_line


def _orders(_: object) -> str:
    return "orders"


@dataclass(frozen=True, slots=True)
class Reader:
    """What a game lends to intake: its reading of text, how an order and a mistake are written, a cheap test of a line.

    `kind` says of an order what it is to the desk: orders or results. Commands are the desk's own; their lines are
    taken out before the game reads. `others` are those of further games, where nobody knows whose a text is.
    """

    parse: Callable[[str], Parsed[Any]]
    is_order: Callable[[str], bool]
    notation: Callable[[Any], str]
    wording: Callable[[Mistake], str]
    kind: Callable[[Any], str] = _orders
    commands: CommandWords | None = None
    others: tuple["Reader", ...] = ()

    def best(self, text: str) -> "Reader":
        """Whoever understands most of a text; of those who understand as much the first."""
        if not self.others:
            return self
        read = [(one.read(text)[0], one) for one in (self, *self.others)]
        return max(read, key=lambda pair: (len(pair[0].orders), len(pair[0].lines)))[1]

    def counts(self, line: str) -> bool:
        """A line that trimming must not lose: an order, a command, or the head of press, whose text comes below it."""
        if self.is_order(line) or (self.commands is not None and is_command(line, self.commands)):
            return True
        return ":" in line and bool(self.parse(f"{line}\n..." if line.rstrip().endswith(":") else line).press)

    def read(self, text: str) -> tuple[Parsed[Any], tuple[CommandLine, ...]]:
        """What the game makes of a text, and the commands in it."""
        if self.commands is None:
            return self.parse(text), ()
        rest, commands = peel(text, self.commands, self.is_order)
        return self.parse(rest), commands


Readers = Callable[[Place | None], Reader]  # None: the seat isn't known (yet)


@dataclass(frozen=True, slots=True)
class Reading:
    """All that is known of one mail before it is stored."""

    mail: RawMail
    letter: Letter
    verdict: Verdict
    reason: str
    place: Place | None
    parsed: Parsed[Any]
    reader: Reader
    is_answered: bool = False  # a mail that can't be read, of a person who is known
    commands: tuple[CommandLine, ...] = ()
    thread: str = ""  # what the desk knows of another player's message that it answers or quotes

    @property
    def asks(self) -> bool:
        """Whether a command is among its lines."""
        return any(line.command is not None for line in self.commands)

    @property
    def says_something(self) -> bool:
        """Whether anything in it was understood."""
        parsed = self.parsed
        return bool(parsed.orders or parsed.press or parsed.ends_standing or self.asks)

    @property
    def proof(self) -> Proof:
        """By what the author is believed."""
        return self.letter.proof

    @property
    def verified(self) -> bool:
        """Something but the mail's own word says who wrote it."""
        return self.letter.proof.is_proven


NOTHING: Parsed[Any] = Parsed(())


def read_mail(mail: RawMail, readers: Readers, roster: Roster | None, limits: Limits = LIMITS) -> Reading:
    """Judge the mail, then let the game of its seat read it; without a roster no sender is asked for."""
    return read_letter(mail, open_letter(mail, readers(None).counts, limits), readers, roster, limits)


def read_letter(
    mail: RawMail, letter: Letter, readers: Readers, roster: Roster | None, limits: Limits = LIMITS
) -> Reading:
    """As `read_mail`, for a letter that was opened to see whom the roster has to know."""
    place = None
    if roster:
        letter = replace(letter, proof=proof_of(letter, roster))
        place = place_of(letter, roster) or (None if letter.author in roster.places else holder(letter, roster))
    reader = readers(place)
    try:
        with at_most(limits.seconds):
            if place and not letter.problem:
                letter = retrim(letter, reader.counts, limits)
            return _judged(mail, letter, place, reader, roster, limits)
    except TookTooLong:
        letter = replace(letter, problem="took_too_long")
        return _judged(mail, letter, place, reader, roster, limits)


def _judged(
    mail: RawMail, letter: Letter, place: Place | None, reader: Reader, roster: Roster | None, limits: Limits
) -> Reading:
    verdict, reason = judge(letter, roster or Roster(), RULES if roster else WITHOUT_ROSTER)
    if verdict is Verdict.UNREADABLE:
        is_answered = roster is not None and letter.proof is not Proof.NONE and is_person(letter, roster)
        return Reading(mail, letter, verdict, letter.problem, place, NOTHING, reader, is_answered)
    if not verdict.is_read:
        return Reading(mail, letter, verdict, reason, place, NOTHING, reader)
    reader = reader.best(letter.fresh)
    parsed, commands = reader.read(letter.fresh)
    reading = Reading(mail, letter, verdict, reason, place, parsed, reader, commands=commands)
    if not reading.says_something and reason in _SILENT and (asked := _by_subject(letter.subject, reader)):
        return replace(reading, verdict=Verdict.ACCEPTED, reason="by_subject", commands=(asked,))
    if verdict is Verdict.ACCEPTED and _is_two_faced(letter, reading, reader, limits):
        return replace(reading, verdict=Verdict.ASK, reason="two_faced", parsed=NOTHING, commands=())
    if verdict is Verdict.ACCEPTED and not reading.says_something:
        return replace(reading, verdict=Verdict.ASK, reason="no_orders")
    return reading


_SILENT = frozenset({"readable", "empty", "only_quotes", "only_attachments"})  # reasons of mails that may say nothing
_TAGS = re.compile(r"\[[^\]]*\]")
_PREFIX = re.compile(r"^\s*(?:(?:re|aw|antw|fwd?|wg)\s*:\s*)*", re.IGNORECASE)


def _by_subject(subject: str, reader: Reader) -> CommandLine | None:
    """The one command that a subject may hold: what a mail program's button writes for who wants no more reports."""
    if reader.commands is None:
        return None
    line = read_line(_PREFIX.sub("", _TAGS.sub(" ", subject)).strip(), reader.commands)
    return line if line is not None and line.command is not None and line.command.id == UNSUBSCRIBE else None


def _is_two_faced(letter: Letter, reading: Reading, reader: Reader, limits: Limits) -> bool:
    """Plain text and HTML hold different orders: which the sender saw, nobody knows (MAIL.md, hazard 17)."""
    if not letter.other:
        return False
    shown = trim(letter.other, reader.counts, limits.lines, limits.text).text
    if shown.split() == letter.fresh.split():
        return False
    return _said(*reader.read(shown), reader) != _said(reading.parsed, reading.commands, reader)


def _said(
    parsed: Parsed[Any], commands: tuple[CommandLine, ...], reader: Reader
) -> tuple[list[tuple[str, bool]], bool, list[str]]:
    """The orders, which of them are to be kept, whether what was kept is to end, and the commands."""
    orders = [(reader.notation(line.order), line.standing) for line in parsed.lines if line.order is not None]
    return orders, parsed.ends_standing, [line.text for line in commands if line.command]


def dry_run(
    mails: Iterable[RawMail], readers: Readers, roster: Roster | None, limits: Limits = LIMITS
) -> Iterator[Reading]:
    """Read mails as if they came one after another, doubles among them included; nothing is stored."""
    seen = dict(roster.seen) if roster else {}
    for mail in mails:
        known = replace(roster, seen=seen) if roster else None
        reading = read_mail(mail, readers, known, limits)
        if known is None and reading.letter.key in seen and reading.verdict.is_read:
            reading = _judged_again(reading, seen)
        if reading.verdict.is_final:
            remember(seen, reading.letter)
        yield reading


def _judged_again(reading: Reading, seen: Seen) -> Reading:
    verdict, reason = judge(reading.letter, Roster(seen=seen), WITHOUT_ROSTER)
    return replace(reading, verdict=verdict, reason=reason)


def dry_run_line(reading: Reading) -> JsonDict:
    """The object that `league mail read --dry-run --json-lines` prints for a message."""
    letter, place, is_read = reading.letter, reading.place, reading.verdict.is_read
    return {
        "source": reading.mail.source,
        "message_id": letter.message_id,
        "from": letter.author or None,
        "verdict": reading.verdict.value,
        "holds": list(holds(reading)),
        "league": place.league if place else None,
        "seat": place.seat if place else None,
        "orders": [_line(line, reading.reader) for line in reading.parsed.lines],
        "text": letter.fresh if is_read else "",
        "reason": reading.reason,
    }


def holds(reading: Reading) -> tuple[str, ...]:
    """What a mail holds, any number of: orders, press, results, commands."""
    kinds = {reading.reader.kind(order) for order in reading.parsed.orders}
    kinds |= {"press"} if reading.parsed.press else set()
    kinds |= {"commands"} if reading.parsed.ends_standing or reading.asks else set()
    return tuple(kind for kind in ("orders", "press", "results", "commands") if kind in kinds)


def _line(line: Line[Any], reader: Reader) -> JsonDict:
    understood = line.order is not None
    return {
        "line": line.text,
        "status": "understood" if understood else "mistake",
        "order": reader.notation(line.order) if understood else None,
        "reason": reader.wording(line.mistake) if line.mistake else None,
    }
