"""The verdict on a letter: who may be its author, which league it is for, and the first rule that has an answer."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from league.intake.copies import Seen
from league.intake.message import Letter
from league.intake.proof import Proof, Trust, is_denied, stated
from league.intake.signature import Signed
from league.intake.tokens import plus_slug, plus_tokens


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

    `places`: address (lower case) -> its seats. `seen`: author and message id -> the mails that had them before;
    ids of other authors are no matter, anybody can copy one.
    `sent`: message id of ours -> the seat it went to; an answer to one that is `proving` comes from the seat's player.
    `tokens`: a seat's token -> the seat. `signed`: digest -> what our own check of its signature said. `vouched`:
    digests of mails for whose author the organizer stands. `address` is the league's own, `domain` (with `id_prefix`)
    what our message ids end (and begin) with.
    """

    places: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    seen: Seen = field(default_factory=dict)
    sent: Mapping[str, Place] = field(default_factory=dict)
    address: str = ""
    domain: str = ""
    id_prefix: str = ""
    proving: frozenset[str] = frozenset()
    tokens: Mapping[str, Place] = field(default_factory=dict)
    signed: Mapping[str, Signed] = field(default_factory=dict)
    vouched: frozenset[str] = frozenset()
    trust: Trust = field(default_factory=Trust)


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

    A token decides (MAIL.md, hazard 82). What else the letter says (plus address, the mail it answers, a tag in the
    subject) must agree; if it says nothing, it is the one open seat.
    """
    places = roster.places.get(letter.author, ())
    if (held := {place for place in claimed(letter, roster) if place in places}) and len(held) == 1:
        return next(iter(held))
    named = _named(letter, roster, places) or {place for place in places if place.open} or set(places)
    return next(iter(named)) if len(named) == 1 else None


def _named(letter: Letter, roster: Roster, places: tuple[Place, ...]) -> set[Place]:
    slugs = {slug.strip().lower() for slug in re.findall(r"\[([^\[\]]{1,80})\]", letter.subject[:1000])}
    slugs |= {
        plus_slug(to.partition("@")[0].partition("+")[2])
        for to in letter.recipients
        if base(to) == base(roster.address)
    }
    named = {place for place in places if {place.league.lower(), place.match.lower()} & slugs}
    answered = _answered(letter, roster, places)
    if answered in places and (not named or answered in named):
        return {answered}
    return named | ({answered} if answered in places else set())


def _answered(letter: Letter, roster: Roster, places: tuple[Place, ...]) -> Place | None:
    """The mail of ours to the author that is answered: the nearest one of the thread."""
    return next((roster.sent[one] for one in _thread(letter) if roster.sent.get(one) in places), None)


def _thread(letter: Letter) -> tuple[str, ...]:
    return (*letter.in_reply_to, *reversed(letter.references))


def claimed(letter: Letter, roster: Roster) -> tuple[Place, ...]:
    """The seats whose tokens a letter bears."""
    borne = (*letter.keys, *plus_tokens(letter.recipients, roster.address))
    return tuple(roster.tokens[token] for token in borne if token in roster.tokens)


def holder(letter: Letter, roster: Roster) -> Place | None:
    """Whose token or thread a letter bears, whoever wrote it."""
    by_thread = (roster.sent[one] for one in _thread(letter) if one in roster.proving and one in roster.sent)
    return next(iter((*claimed(letter, roster), *by_thread)), None)


def proof_of(letter: Letter, roster: Roster) -> Proof:
    """By what the author is believed (DESIGN: Mail): the strongest word first, our own check of a signature last.

    That somebody is who he says doesn't make him a player; whether he is one is another rule's question.
    """
    places = roster.places.get(letter.author, ())
    if places and letter.digest in roster.vouched:
        return Proof.ORGANIZER
    if host := stated(letter.trace, letter.author, roster.trust):
        return host
    if any(place in places for place in claimed(letter, roster)):
        return Proof.TOKEN
    if any(one in roster.proving and roster.sent.get(one) in places for one in _thread(letter)):
        return Proof.REPLY
    if roster.signed.get(letter.digest) is Signed.PASS and not is_denied(letter.trace, letter.author, roster.trust):
        return Proof.DKIM
    return Proof.NONE if roster.trust.required or not places else Proof.ADDRESS
