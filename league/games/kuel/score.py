"""Constellations and penalties (chapter 8): what a set of countries counts for, and which rights it gives."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from league.games.kuel.board import Board

Test = Callable[[Board, int], bool]


@dataclass(frozen=True, slots=True)
class Item:
    """Points that a set of countries brings or costs each round."""

    id: str
    points: int
    rule: str


def count(mask: int) -> int:
    """How many countries a mask holds."""
    return mask.bit_count()


def in_group(board: Board, mask: int, group: str) -> int:
    """How many countries of a group a mask holds."""
    return (mask & board.groups[group]).bit_count()


def components(board: Board, mask: int) -> Iterable[int]:
    """The connected parts of a mask, by land and sea links alike (K61)."""
    links = board.links
    while mask:
        part = frontier = mask & -mask
        while frontier:
            low = frontier & -frontier
            frontier ^= low
            fresh = links[low.bit_length() - 1] & mask & ~part
            part |= fresh
            frontier |= fresh
        mask &= ~part
        yield part


def seven_connected(board: Board, mask: int) -> bool:
    """Seven connected countries."""
    return count(mask) >= 7 and any(count(part) >= 7 for part in components(board, mask))  # K61


def eu10(board: Board, mask: int) -> bool:
    """Ten EU countries: the map override (K63)."""
    return in_group(board, mask, "eu") >= 10  # K61


def eu10_brussels(board: Board, mask: int) -> bool:
    """Ten EU countries with Brussels among them: the settings override besides (K64)."""
    return eu10(board, mask) and bool(mask & board.special["brussels"])


def weu7(board: Board, mask: int) -> bool:
    """Seven WEU countries: protection from economic collapse (K59)."""
    return in_group(board, mask, "weu") >= 7  # K61


def nato8(board: Board, mask: int) -> bool:
    """Eight NATO countries: the defence bonus (K32)."""
    return in_group(board, mask, "nato") >= 8  # K61


def moscow_wp3(board: Board, mask: int) -> bool:
    """Moscow and three other ex-Warsaw-Pact countries: protection from civil war (K49)."""
    return (
        bool(mask & board.special["moscow"]) and in_group(board, mask, "ex_warsaw_pact") >= 4
    )  # Moscow is one of them


def wp6(board: Board, mask: int) -> bool:
    """All ex-Warsaw-Pact countries: precedence (K65)."""
    return _whole_group(board, mask, "ex_warsaw_pact")


def german3(board: Board, mask: int) -> bool:
    """All German-speaking countries: penalty protection (K70)."""
    return _whole_group(board, mask, "german_speaking")


def axis(board: Board, mask: int) -> bool:
    """Berlin, Wien and Rom: the limit of 15 (K62)."""
    return _whole_group(board, mask, "axis")


def _whole_group(board: Board, mask: int, group: str) -> bool:
    whole = board.groups[group]
    return whole != 0 and mask & whole == whole  # an own board may leave a group empty


def west_east(board: Board, mask: int) -> bool:
    """A connected chain from the western to the eastern edge."""
    return _chain(board, mask, "west", "east")


def north_south(board: Board, mask: int) -> bool:
    """A connected chain from the northern to the southern edge."""
    return _chain(board, mask, "north", "south")


def _chain(board: Board, mask: int, start: str, end: str) -> bool:
    if not (mask & board.edges[start] and mask & board.edges[end]):
        return False
    return any(part & board.edges[start] and part & board.edges[end] for part in components(board, mask))


def swiss_alone(board: Board, mask: int) -> bool:
    """Switzerland and none of its neighbours: the currency bonus (K69)."""
    return bool(mask & board.special["switzerland"]) and not mask & board.swiss_neighbours


CONSTELLATIONS: tuple[tuple[str, int, Test], ...] = (
    ("seven_connected", 7, seven_connected),
    ("eu10", 60, lambda board, mask: eu10(board, mask) and not eu10_brussels(board, mask)),
    ("eu10_brussels", 100, eu10_brussels),
    ("weu7", 34, weu7),
    ("nato8", 40, nato8),
    ("moscow_wp3", 20, moscow_wp3),
    ("wp6", 40, wp6),
    ("german3", 15, german3),
    ("west_east", 33, west_east),
    ("north_south", 22, north_south),
    ("swiss_alone", 14, swiss_alone),
)
AXIS_POINTS = -20


def gains(board: Board, mask: int) -> list[Item]:
    """What a holding brings (K60, K61), before any penalty."""
    items = [Item("countries", count(mask), "K60")] if mask else []
    return items + [Item(name, points, "K61") for name, points, test in CONSTELLATIONS if test(board, mask)]


def penalties(board: Board, mask: int) -> list[Item]:
    """What a holding costs (K62), whether or not a right protects from it (K70)."""
    items = [Item("axis", AXIS_POINTS, "K62")] if axis(board, mask) else []
    items += [Item(pair.item, pair.points, "K62") for pair in board.penalties if mask & pair.mask == pair.mask]
    neighbours = count(mask & board.swiss_neighbours)
    if neighbours and mask & board.special["switzerland"]:
        items.append(Item("swiss_neighbours", -neighbours, "K62"))
    return items
