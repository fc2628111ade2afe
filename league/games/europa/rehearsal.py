"""What the rules say now to a seat's own orders; nobody else's are looked at (8.6)."""

from collections.abc import Iterator, Sequence

from league.core.game import Options
from league.core.orders import Fate, Hinge, OrderMail, Rehearsed, Ruling
from league.games.europa.board import Board
from league.games.europa.book import Book, Entry, sort_mails
from league.games.europa.orders import Ballot, Item, Order, Peace, Place, Plan
from league.games.europa.placement import legal, quota
from league.games.europa.state import State
from league.games.europa.world import World


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
                given = min(pawns, world.players[seat].pawns)
                cut = given < pawns
                ruling = Ruling(Fate.DONE, "peace_cut" if cut else "done", "M1", {"pawns": given} if cut else {})
                yield _told(entry, ruling)
            case Plan():
                yield _told(entry, Ruling(Fate.DONE, "plan_used", "M2"), "if_leader")
            case Place():
                told, left, sure = _placing(world, entry, entry.order, left, sure=sure)
                yield told
            case Ballot():
                yield _told(entry, Ruling(Fate.DONE, "voted", "M6"), *_doubt(world, seat, entry.order))
            case _:
                yield _told(entry, Ruling(Fate.DONE, "final", "8"))


def _told(entry: Entry, ruling: Ruling, *hinges: str) -> Rehearsed:
    return Rehearsed(*entry.slot, ruling, not hinges, tuple(Hinge(code) for code in hinges))


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


def _doubt(world: World, seat: str, ballot: Ballot) -> tuple[str, ...]:
    """A ballot is only used where its party has pawns when the election begins; those there now stay there."""
    there = ballot.country and world.pawns.get(ballot.country, {}).get(seat)
    return () if there else ("if_present",)
