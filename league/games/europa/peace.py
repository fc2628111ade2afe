"""W3: the joint intervention with secret commitments, its rewards and penalties (R47 to R50, R53)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from league.core.orders import Fate, Ruling
from league.games.europa import wars
from league.games.europa.book import Book, Slot
from league.games.europa.events import Committed, PeaceFailed, PeaceLed, PeaceMade, Penalised, Rewarded
from league.games.europa.orders import Peace, Plan
from league.games.europa.world import World, ranked_by_dice

Rank = Callable[[str], Any]


def intervene(world: World, book: Book) -> dict[Slot, Ruling]:
    """All reveal together; enough pawns end every conflict, too few are punished and spent by their leader."""
    fates: dict[Slot, Ruling] = {}
    given, had = {}, {seat: world.players[seat].pawns for seat in world.state.table}
    for seat in world.state.table:
        given[seat] = _given(book, seat, had[seat], fates)
        world.change(seat, pawns=-given[seat])
    total, level = sum(given.values()), wars.level(world)
    for entry in (e for seat in given for e in book.of(seat, "plan")):
        fates[entry.slot] = Ruling(Fate.LAPSED, "plan_unused", "M2")
    world.say(Committed(tuple(given.items()), total, level))
    if total >= level:
        _succeed(world, given)
    else:
        _fail(world, book, given, {seat: had[seat] - given[seat] for seat in given}, fates)
    return fates


def _given(book: Book, seat: str, had: int, fates: dict[Slot, Ruling]) -> int:
    """The number ordered, cut to the pawns in hand (M1); 0 without an order (M10)."""
    entry = book.last(seat, "peace")
    if entry is None or not isinstance(entry.order, Peace):
        return 0
    given = min(entry.order.pawns, had)
    cut = given < entry.order.pawns
    fates[entry.slot] = Ruling(Fate.DONE, "peace_cut" if cut else "done", "M1", {"pawns": given} if cut else {})
    return given


def _succeed(world: World, given: Mapping[str, int]) -> None:
    world.say(PeaceMade(world.board.sorted(set(world.markers))))
    world.markers.clear()
    ranked = _first(world, given, len(world.board.rewards), lambda s: (-given[s], world.players[s].political), "reward")
    for place, (seat, points) in enumerate(zip(ranked, world.board.rewards, strict=False), start=1):
        world.change(seat, victory=points)
        world.say(Rewarded(seat, place, points, given[seat]))


def _fail(
    world: World, book: Book, given: Mapping[str, int], held: Mapping[str, int], fates: dict[Slot, Ruling]
) -> None:
    world.say(PeaceFailed(sum(given.values()), wars.level(world)))
    ranked = _first(world, held, len(world.board.penalties), lambda s: (-held[s], given[s]), "penalty")
    for place, (seat, points) in enumerate(zip(ranked, world.board.penalties, strict=False), start=1):
        lost = min(points, world.players[seat].victory)  # A8
        world.change(seat, victory=-lost)
        world.say(Penalised(seat, place, lost, held[seat]))
    pool = sum(given.values())
    if pool:  # R53
        leader = _leader(world, given)
        world.say(PeaceLed(leader, pool))
        wars.spend(world, pool, _plan(book, leader, fates))


def _leader(world: World, given: Mapping[str, int]) -> str:
    """The largest commitment, then fewest political points, then the higher die (R50)."""
    return _first(world, given, 1, lambda s: (-given[s], world.players[s].political), "leader")[0]


def _plan(book: Book, leader: str, fates: dict[Slot, Ruling]) -> Sequence[str]:
    entry = book.last(leader, "plan")
    if entry is None or not isinstance(entry.order, Plan):
        return ()
    fates[entry.slot] = Ruling(Fate.DONE, "plan_used", "M2")
    return entry.order.countries


def _first(world: World, numbers: Mapping[str, int], places: int, rank: Rank, why: str) -> list[str]:
    """The first few of those with any pawns (A9); dice only where a tie reaches into these places."""
    ranked: list[str] = []
    left = sorted((seat for seat in numbers if numbers[seat]), key=rank)  # stable: the table's order
    while left and len(ranked) < places:
        tied = [seat for seat in left if rank(seat) == rank(left[0])]
        if len(tied) > 1:
            tied = ranked_by_dice(world, tied, why, {"reward": "R48", "penalty": "R49"}.get(why, "R50"))
            tied = tied[::-1] if why == "penalty" else tied  # the lower die is punished first (A18)
        ranked += tied
        left = left[len(tied) :]
    return ranked
