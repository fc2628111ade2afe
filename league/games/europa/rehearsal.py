"""What the rules say now to a seat's own orders; nobody else's are looked at (8.6)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from league.core.game import Options
from league.core.orders import Fate, Hinge, OrderMail, Rehearsed, Ruling
from league.games.europa.board import Board
from league.games.europa.book import CHAPTER, Book, Entry, sort_mails
from league.games.europa.orders import Ballot, Item, Order, Peace, Place, Plan
from league.games.europa.placement import legal, quota
from league.games.europa.state import State
from league.games.europa.world import World

COMMITTED: Final = "committed"  # words of `rehearsal.jinja` for what nobody can promise
COMMITTED_CUT: Final = "committed_cut"
BALLOT: Final = "ballot"
USED: Final = "ballot_used"
READY: Final = "ready"
FINAL: Final = Ruling(None, READY, CHAPTER)


def rehearse(
    board: Board, options: Options, state: State, seat: str, mails: Sequence[OrderMail[Order]]
) -> tuple[Rehearsed, ...]:
    """For each line that counts what would become of it."""
    if seat not in state.players:
        return ()
    book = sort_mails(state, mails, int(options["elections_per_mail"]))
    world = World.of(board, options, None, state)
    return tuple(sorted(_all(world, seat, book), key=lambda told: (told.mail, told.line)))


def _all(world: World, seat: str, book: Book) -> Iterator[Rehearsed]:
    left = quota(world.state.phase, world.players[seat].pawns)
    sure = True
    for entry in (e for several in book.entries.get(seat, {}).values() for e in several):
        match entry.order:
            case Peace(pawns):
                yield _told(entry, commitment(pawns, world.players[seat].pawns))
            case Plan():
                yield _told(entry, Ruling(Fate.DONE, "plan_used", "M2"), "if_leader")
            case Place():
                told, left, sure = _placing(world, entry, entry.order, left, sure=sure)
                yield told
            case Ballot():
                yield _told(entry, *ballot(entry.order.country, world.pawns, seat))
            case _:
                yield _told(entry, FINAL)


def _told(entry: Entry, ruling: Ruling, *hinges: str) -> Rehearsed:
    certain = ruling.fate is not None and not hinges
    return Rehearsed(*entry.slot, ruling, certain, tuple(Hinge(code) for code in hinges))


def _placing(world: World, entry: Entry, order: Place, left: int, *, sure: bool) -> tuple[Rehearsed, int, bool]:
    """Which countries are legal can't change while pawns are placed (R22); what a condition finds can."""
    allowed, placed = legal(world), 0
    for item in order.items:
        if not isinstance(item, Item):
            sure = False
        elif item.country in allowed:
            pawns = min(item.pawns, left - placed)
            placed += pawns
    reason = "nothing_placed" if left else "nothing_left"
    ruling = Ruling(Fate.DONE, "placed", "M3", {"pawns": placed}) if placed else Ruling(Fate.FAILED, reason, "M3")
    told = _told(entry, ruling) if sure else _told(entry, ruling, "if_condition")
    return told, left - placed, sure


def commitment(pawns: int, held: int) -> Ruling:
    """Whether pawns for peace are enough is up to everybody: of one's own no more is known than how many count (M1)."""
    if pawns > held:
        return Ruling(None, COMMITTED_CUT, "M1", {"pawns": held})
    return Ruling(None, COMMITTED, "M1")


def ballot(country: str, pawns: Mapping[str, Mapping[str, int]], seat: str) -> tuple[Ruling, *tuple[str, ...]]:
    """What a ballot brings is up to everybody, and it is only used where its party has pawns when the election begins.

    Those there now stay there.
    """
    if country and pawns.get(country, {}).get(seat):
        return (Ruling(None, BALLOT, "M6"),)
    return Ruling(None, USED, "M6"), "if_present"
