"""The verdict on a letter: who may be its author, which league it is for, and the first rule that has an answer."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from league.intake.message import Letter


class Verdict(StrEnum):
    """What a mail is; the list is closed."""

    ACCEPTED = "accepted"
    ASK = "ask"
    LATE = "late"
    DUPLICATE = "duplicate"
    HELD = "held"
    QUARANTINED = "quarantined"
    REJECTED = "rejected"
    IGNORED = "ignored"
    BOUNCE = "bounce"
    UNREADABLE = "unreadable"

    @property
    def is_read(self) -> bool:
        """The text of such a mail is looked at for orders."""
        return self in {Verdict.ACCEPTED, Verdict.ASK, Verdict.LATE, Verdict.HELD, Verdict.DUPLICATE}

    @property
    def is_final(self) -> bool:
        """Another copy of such a mail adds nothing; one that came too late or wasn't understood may come again."""
        return self.is_read and self not in {Verdict.LATE, Verdict.ASK}


@dataclass(frozen=True, slots=True)
class Place:
    """A seat that an address may write for."""

    league: str
    match: str
    seat: str
    open: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Roster:
    """What the site knows when it judges: addresses, mails that came, mails that went.

    `places`: address (lower case) -> its seats. `seen`: author and message id -> content key of the mail that
    had them first; ids of other authors are no matter, anybody can copy one.
    `sent`: message id of ours -> the seat it went to. `address` is the league's own, `domain` (with `id_prefix`)
    what our message ids end (and begin) with.
    """

    places: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    seen: Mapping[tuple[str, str], str] = field(default_factory=dict)
    sent: Mapping[str, Place] = field(default_factory=dict)
    address: str = ""
    domain: str = ""
    id_prefix: str = ""


Rule = Callable[[Letter, Roster], Verdict | None]


def judge(letter: Letter, roster: Roster, rules: Sequence[Rule]) -> tuple[Verdict, str]:
    """The first rule with an answer decides; its name goes into the row that says why."""
    answers = ((verdict, rule.__name__) for rule in rules if (verdict := rule(letter, roster)))
    return next(answers, (Verdict.HELD, "no_rule"))


def base(address: str) -> str:
    """An address without its plus part."""
    local, _, domain = address.partition("@")
    return f"{local.partition('+')[0]}@{domain}"


def place_of(letter: Letter, roster: Roster) -> Place | None:
    """The seat a letter is for; None if its author has none, or several and doesn't say which.

    What the letter says (plus address, the mail it answers, a tag in the subject) must agree; else the one open seat.
    """
    places = roster.places.get(letter.author, ())
    named = _named(letter, roster, places) or {place for place in places if place.open} or set(places)
    return next(iter(named)) if len(named) == 1 else None


def _named(letter: Letter, roster: Roster, places: tuple[Place, ...]) -> set[Place]:
    slugs = {slug.strip().lower() for slug in re.findall(r"\[([^\[\]]{1,80})\]", letter.subject[:1000])}
    slugs |= {to.partition("@")[0].partition("+")[2] for to in letter.recipients if base(to) == base(roster.address)}
    named = {place for place in places if place.league.lower() in slugs}
    answered = _answered(letter, roster)
    if answered in places and (not named or answered in named):
        return {answered}
    return named | ({answered} if answered in places else set())


def _answered(letter: Letter, roster: Roster) -> Place | None:
    """The mail of ours that is answered: the nearest one of the thread."""
    thread = (*letter.in_reply_to, *reversed(letter.references))
    return next((roster.sent[one] for one in thread if one in roster.sent), None)
