"""Which of the mailed lines count in a phase (M8), and what each seat has ordered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from league.core.orders import Fate, MailFate, Mistake, OrderMail, Ruling
from league.games.europa.orders import Ballot, Order, Peace, Place, Plan, Ready
from league.games.europa.state import PEACE, PLACE1, PLACE2, START, VOTE, State, group_of

CHAPTER: Final = "8"  # where no statement has a number
Slot = tuple[int, int]  # mail, line
Key = tuple[str, str]  # keyword, country
_PHASES: Final[Mapping[type, tuple[str, ...]]] = {
    Peace: (PEACE,),
    Plan: (PEACE,),
    Place: (PLACE1, PLACE2),
    Ballot: (VOTE,),
}
FINAL: Final = ("final", "")
_KEYWORDS: Final = {Peace: "peace", Plan: "plan", Place: "place", Ballot: "election"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that counts, and where it stands."""

    slot: Slot
    order: Order


@dataclass
class Book:
    """The lines of a phase that count, by seat and keyword, and the fates of those that don't."""

    entries: dict[str, dict[Key, list[Entry]]] = field(default_factory=dict)
    fates: dict[Slot, Ruling] = field(default_factory=dict)

    def of(self, seat: str, keyword: str, country: str = "") -> list[Entry]:
        """What counts of a seat's lines with this keyword."""
        return self.entries.get(seat, {}).get((keyword, country), [])

    def last(self, seat: str, keyword: str, country: str = "") -> Entry | None:
        """The one line that counts."""
        found = self.of(seat, keyword, country)
        return found[-1] if found else None


def sort_mails(state: State, mails: Sequence[OrderMail[Order]], elections: int) -> Book:
    """Line by line in order of arrival: a later mail replaces the lines it repeats."""
    book = Book()
    group = group_of(state, elections) if state.phase == VOTE else ()
    for number, mail in enumerate(mails):
        mine = book.entries.setdefault(mail.seat, {})
        fresh: set[Key] = set()
        _take_back(book, mine, mail)
        for row, line in enumerate(mail.parsed.lines):
            slot = (number, row)
            if line.order is None:
                book.fates[slot] = _mistaken(line.mistake)
                continue
            out = _out_of_place(state, mail.seat, line.order, group)
            if out is not None:
                book.fates[slot] = out
                continue
            _enter(book, mine, fresh, Entry(slot, line.order))
    return book


def _take_back(book: Book, mine: dict[Key, list[Entry]], mail: OrderMail[Order]) -> None:
    """Orders stop being final with the next mail that brings any (8.5)."""
    if mail.parsed.orders:
        for old in mine.pop(FINAL, []):
            book.fates[old.slot] = Ruling(Fate.LAPSED, "replaced", CHAPTER)


def _enter(book: Book, mine: dict[Key, list[Entry]], fresh: set[Key], entry: Entry) -> None:
    key = _key(entry.order)
    several = isinstance(entry.order, Place) and key in fresh  # the lines of one mail are worked off one by one (M3)
    if not several:
        reason = "superseded_line" if key in fresh else "replaced"
        for old in mine.get(key, []):
            book.fates[old.slot] = Ruling(Fate.LAPSED, reason, "M8")
        mine[key] = []
    fresh.add(key)
    mine[key].append(entry)


def _key(order: Order) -> Key:
    """Only an election's line names a country of its own."""
    if isinstance(order, Ready):
        return FINAL
    return _KEYWORDS[type(order)], order.country if isinstance(order, Ballot) else ""


def _mistaken(mistake: Mistake | None) -> Ruling:
    known = mistake or Mistake("not_understood")
    return Ruling(Fate.INVALID, known.reason, known.rule or CHAPTER, known.facts)


def _out_of_place(state: State, seat: str, order: Order, group: Sequence[str]) -> Ruling | None:
    """Why an order has no place in this phase, whatever others do."""
    if seat not in state.players:
        return Ruling(Fate.INVALID, "not_begun" if state.phase == START else "not_playing", CHAPTER)
    wanted = _PHASES.get(type(order))
    if wanted is not None and state.phase not in wanted:
        return Ruling(Fate.INVALID, "wrong_phase", CHAPTER, {"phase": state.name})
    if isinstance(order, Ballot) and order.country and order.country not in group:
        return Ruling(Fate.INVALID, "no_election", CHAPTER, {"country": order.country})
    return None


def told(book: Book, mails: Sequence[OrderMail[Order]], fates: Mapping[Slot, Ruling]) -> tuple[MailFate, ...]:
    """The fate of every mail and line; `fates` are those of the lines that counted."""
    known = {**book.fates, **fates}
    return tuple(_told(number, mail, known) for number, mail in enumerate(mails))


def _told(number: int, mail: OrderMail[Order], known: Mapping[Slot, Ruling]) -> MailFate:
    lines = tuple(known[number, row] for row in range(len(mail.parsed.lines)))
    understood = [r for r, line in zip(lines, mail.parsed.lines, strict=True) if line.order is not None]
    if not understood:
        return MailFate(Ruling(Fate.INVALID, "no_orders", CHAPTER), lines)
    done = next((r for r in understood if r.fate is Fate.DONE), None)
    if done is not None:
        return MailFate(Ruling(Fate.DONE, "done", "M8"), lines)
    return MailFate(understood[-1], lines)
