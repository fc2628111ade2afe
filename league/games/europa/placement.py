"""D: placement in two waves, in turn order, by conditional orders (R19 to R22, M3, M4, M9)."""

from collections.abc import Sequence

from league.core.orders import Fate, Ruling
from league.games.europa.book import Book, Slot
from league.games.europa.events import PawnsLost, Placed
from league.games.europa.orders import ME, NEED, TOTAL, Comparison, Item, Operand, Place, Placing
from league.games.europa.state import PLACE1
from league.games.europa.world import World


def quota(phase: str, pawns: int) -> int:
    """How many of the pawns in hand are placed in this wave: half of them, rounded up, then the rest (R19)."""
    return (pawns + 1) // 2 if phase == PLACE1 else pawns


def legal(world: World) -> list[str]:
    """Countries in which a pawn may be placed, in track order (R20, R21, A11, A20)."""
    links, members = world.board.links, world.members
    free = world.state.epoch == 1 or not members
    return [c for c in world.ahead if c not in members and (free or not members.isdisjoint(links[c]))]


def place(world: World, book: Book) -> dict[Slot, Ruling]:
    """A wave: everyone in turn order, who sees what those before him have placed (8.2)."""
    fates: dict[Slot, Ruling] = {}
    allowed = legal(world)
    for seat in world.state.order:
        left = quota(world.state.phase, world.players[seat].pawns)
        for entry in book.of(seat, "place"):
            if isinstance(entry.order, Place):
                had = left
                left = _work_off(world, seat, entry.order, left, allowed)
                fates[entry.slot] = _ruling(had, had - left)
        if left:
            _fill(world, seat, left, allowed)
    return fates


def _ruling(had: int, placed: int) -> Ruling:
    if placed:
        return Ruling(Fate.DONE, "placed", "M3", {"pawns": placed})
    return Ruling(Fate.FAILED, "nothing_placed" if had else "nothing_left", "M3")


def _work_off(world: World, seat: str, order: Place, left: int, allowed: Sequence[str]) -> int:
    """Items from left to right until the wave's pawns are used (M3); how many are left."""
    for placing in order.items:
        item = _chosen(world, seat, placing)
        if item is None or item.country not in allowed or not left:
            continue
        pawns = min(item.pawns, left)
        left -= pawns
        _put(world, seat, item.country, pawns, default=False)
    return left


def _put(world: World, seat: str, country: str, pawns: int, *, default: bool) -> None:
    world.change(seat, pawns=-pawns)
    world.put(country, seat, pawns)
    world.say(Placed(seat, country, pawns, default, "M9" if default else "R19"))


def _chosen(world: World, seat: str, placing: Placing) -> Item | None:
    """The item that the conditions lead to, as the board is at this moment (8.2)."""
    found: Placing | None = placing
    while found is not None and not isinstance(found, Item):
        holds = all(compared(world, seat, one) for one in found.condition)
        found = found.then if holds else found.otherwise
    return found


def compared(world: World, seat: str, one: Comparison) -> bool:
    """Whether a comparison holds now."""
    left = _value(world, seat, one.left)
    right = one.right if isinstance(one.right, int) else _value(world, seat, one.right)
    match one.sign:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case "=":
            return left == right
        case ">=":
            return left >= right
    return left > right


def _value(world: World, seat: str, operand: Operand) -> int:
    """Pawns of a party, of all, or needed (M4)."""
    if operand.of == TOTAL:
        return world.present(operand.country)
    if operand.of == NEED:
        return world.need(operand.country)
    of = seat if operand.of == ME else world.state.seats.get(operand.of, "")
    return world.pawns.get(operand.country, {}).get(of, 0)


def _fill(world: World, seat: str, left: int, allowed: Sequence[str]) -> None:
    """Pawns that no order placed (M9); where there is no country for them they are lost (A12)."""
    if not allowed:
        world.change(seat, pawns=-left)
        world.say(PawnsLost(seat, left))
        return
    placed: dict[str, int] = {}
    for _ in range(left):
        country = default_country(world, allowed)
        world.put(country, seat, 1)
        placed[country] = placed.get(country, 0) + 1
    for country, pawns in placed.items():
        world.change(seat, pawns=-pawns)
        world.say(Placed(seat, country, pawns, default=True, rule="M9"))


def default_country(world: World, allowed: Sequence[str]) -> str:
    """The legal country of most value that still lacks pawns, else the earliest; ties: the earliest (M9)."""
    cards = world.board.by_id
    short = [country for country in allowed if world.present(country) < world.need(country)]
    return max(short, key=lambda c: cards[c].political) if short else allowed[0]
