"""A player that is a program and looks two rounds ahead.

A move is worth what the holding it leads to brings next round, and what the best move after it leads to. Against that
stand the price, the chance that it fails, the civil wars that will come, and the neighbours who may attack; for it
speaks what it takes from others and what it keeps them from. Whole numbers throughout: a point is SCALE.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from league.core.evidence import Evidence, RandomSource
from league.games.kuel import draws, score
from league.games.kuel.board import Board
from league.games.kuel.choices import (
    DEVASTATION,
    MERCENARIES,
    REMEMBERED,
    legal_moves,
    limit_of,
    mask_of,
    points,
    taken,
    text,
)
from league.games.kuel.game import Kuel
from league.games.kuel.orders import Attack, Bid, Devastate, Join, Leave, Move, Order, Pass
from league.games.kuel.state import State

SCALE = 100
HORIZON = 6  # rounds for which a holding is thought to last
TRIED = 8  # first moves that are followed by a second one
SURE = 1000  # chances are in thousandths
HALF, GUARDED = 500, 250  # an attack on an owner, and on one who may demand a rematch (K30, K32)
RIVAL = 120  # how likely a neighbour wants the same free country, or this one of ours
PREY = 3  # what another loses counts a third
WHIM, DOORS = 300, 1500  # moves nearly as good are as good: who reasons alike would meet in one place
COLLAPSE = 90  # what a country costs a round by reconstruction, in SCALE: a chance of 1.5 % of 60 points (K50, K55)
GROUPS = (("eu", 10, 100), ("weu", 7, 34), ("nato", 8, 40), ("ex_warsaw_pact", 6, 60), ("german_speaking", 3, 15))
CHAINS = (("west", "east", 33), ("north", "south", 22))
SEVEN = 7
FRIDAY, ENDINGS = date(2024, 1, 5), 100


@dataclass(frozen=True, slots=True)
class Table:
    """The position as one player sees it."""

    game: Kuel
    state: State
    seat: str
    held: Mapping[str, int]  # each player's countries

    @property
    def mine(self) -> int:
        """The player's own countries."""
        return self.held[self.seat]

    def rivals(self, bit: int) -> Iterator[tuple[str, int]]:
        """Others who border a country and may still grow."""
        near = self.game.board.links[bit.bit_length() - 1]
        for seat, mask in self.held.items():
            if seat != self.seat and mask & near and score.count(mask) < limit_of(self.game, mask):
                yield seat, mask


def lookahead_orders(game: Kuel, state: State, seat: str, dice: RandomSource, lang: str = "en") -> str:
    """The move with the best two rounds ahead, and bids at half of what a country is worth."""
    if seat not in state.scores:
        return text(game, [_door(game, state, seat, dice)], lang)
    table = Table(game, state, seat, {s: mask_of(game, state, s) for s in sorted(state.scores)})
    return text(game, [_best(table, dice), *_bids(table)], lang)


def _best(table: Table, dice: RandomSource) -> Move:
    moves = legal_moves(table.game, table.state, table.seat)
    first = sorted(moves, key=lambda move: -_first_sight(table, move))[:TRIED]
    stay = _after(table, table.mine)
    return max(first, key=lambda move: _value(table, move, stay) + _whim(move, dice))


def _whim(move: Move, dice: RandomSource) -> int:
    return 0 if isinstance(move, Pass) else dice.below(WHIM, f"bot/whim/{move.country}")


def _first_sight(table: Table, move: Move) -> int:
    """What the holding is worth that the move leads to if it works."""
    worth = standing(table.game, _result(table, move)) - standing(table.game, table.mine)
    return worth * _chance(table, move) // SURE - _price(table, move)


def _value(table: Table, move: Move, stay: int) -> int:
    """Two rounds ahead: it works or it doesn't, and the best that follows either way."""
    mask, chance = _result(table, move), _chance(table, move)
    value = (chance * (_after(table, mask) - _price(table, move)) + (SURE - chance) * stay) // SURE
    if isinstance(move, Pass | Leave | Devastate):
        return value
    return value + (_denied(table, move.country) - _threat(table, move.country)) * chance // SURE


def _result(table: Table, move: Move) -> int:
    if isinstance(move, Pass):
        return table.mine
    bit = table.game.board.bits[move.country]
    return table.mine & ~bit if isinstance(move, Leave | Devastate) else table.mine | bit


def _price(table: Table, move: Move) -> int:
    """What is paid for it (K41, K42)."""
    if isinstance(move, Devastate):
        return DEVASTATION * SCALE
    return 0 if isinstance(move, Pass) or move.country not in table.state.civil_war else MERCENARIES * SCALE


def _chance(table: Table, move: Move) -> int:
    """How likely it works, in thousandths: battles are even, each neighbour may come too."""
    if isinstance(move, Pass | Leave | Devastate):
        return SURE
    bit = table.game.board.bits[move.country]
    others = sum(1 for _ in table.rivals(bit))
    if not isinstance(move, Attack):
        return SURE * SURE // (SURE + RIVAL * others)
    owner = table.held[table.state.owner[move.country]]
    mine, theirs = (score.nato8(table.game.board, mask) for mask in (table.mine, owner))
    return HALF if mine == theirs else (SURE - GUARDED if mine else GUARDED)


def _after(table: Table, mask: int) -> int:
    """The next round's points with a holding, and the best holding that one more move can make of it."""
    game, now = table.game, standing(table.game, mask)
    best = now - _wars(game, mask)
    if score.count(mask) < limit_of(game, mask):
        occupied = taken(game, table.state)
        for country in _around(game.board, mask):
            gain = standing(game, mask | country) - now
            best = max(best, now - _wars(game, mask) + gain * (HALF if country & occupied else SURE - RIVAL) // SURE)
    return points(game, mask) * SCALE + best


def _around(board: Board, mask: int) -> Iterator[int]:
    near = _next_to(board, mask) & ~mask
    while near:
        bit = near & -near
        near ^= bit
        yield bit


def _next_to(board: Board, mask: int) -> int:
    """Every country that borders one of these."""
    near = 0
    while mask:
        low = mask & -mask
        mask ^= low
        near |= board.links[low.bit_length() - 1]
    return near


@lru_cache(maxsize=REMEMBERED)
def standing(game: Kuel, mask: int) -> int:
    """What a holding is worth: its points for some rounds, and how near it comes to what it hasn't yet."""
    return HORIZON * (points(game, mask) * SCALE - score.count(mask) * COLLAPSE) + _promise(game.board, mask)


def _promise(board: Board, mask: int) -> int:
    """Constellations on the way: the nearer, the more they count, and all but nothing at the beginning (K61)."""
    total = 0
    for group, need, worth in GROUPS:
        have = min(score.in_group(board, mask, group), need)
        total += _part(have, need, worth)
    largest = max(map(score.count, score.components(board, mask)))
    total += _part(min(largest, SEVEN), SEVEN, 7)
    return total + sum(_part(have, need, worth) for have, need, worth in _chains(board, mask))


def _part(have: int, need: int, worth: int) -> int:
    return 0 if have >= need else worth * SCALE * HORIZON * have * have // (need * need * 3)


def _chains(board: Board, mask: int) -> Iterator[tuple[int, int, int]]:
    """For each chain how many countries of its shortest way are held already."""
    for start, end, worth in CHAINS:
        missing, length = _steps(board, board.edges[start], board.edges[end], mask), _length(board, start, end)
        yield max(length - missing, 0), length, worth


def _length(board: Board, start: str, end: str) -> int:
    return _steps(board, board.edges[start], board.edges[end], 0)


def _steps(board: Board, source: int, goal: int, mask: int) -> int:
    """How many countries are missing on the best way from one edge to the other; many if there is none."""
    reached, missing = _spread(board, source & mask, mask), 0
    while not reached & goal:
        wider = _spread(board, reached | _next_to(board, reached) | source, mask)
        missing += 1
        if wider == reached:
            return len(board.countries)
        reached = wider
    return missing


def _spread(board: Board, reached: int, mask: int) -> int:
    """All that is reached without another country: through one's own."""
    while grown := _next_to(board, reached) & mask & ~reached:
        reached |= grown
    return reached


@lru_cache(maxsize=REMEMBERED)
def _wars(game: Kuel, mask: int) -> int:
    """What civil wars cost a holding over the rounds it is thought to last (K45), nothing under protection (K49)."""
    if score.moscow_wp3(game.board, mask) or score.count(mask) < 2:  # K7
        return 0
    now, risks = points(game, mask), _risks(game)
    lost = 0
    for country in game.board.countries:
        if mask & country.bit:
            lost += risks[country.number - 1] * max(now - points(game, mask & ~country.bit), 0)
    return lost * SCALE * HORIZON * HORIZON // (2 * SURE)  # it comes at any time: half of the rounds are still ahead


@lru_cache
def _risks(game: Kuel) -> tuple[int, ...]:
    """Each country's chance of a civil war a round, in thousandths: all endings of the close, the rate either way."""
    fields, hits = len(game.board.countries), [0] * len(game.board.countries)
    for rate in ("2", "0.5"):
        for ending in range(ENDINGS):
            close = Evidence("dax_close", FRIDAY, f"{ENDINGS + ending}")
            euro = Evidence("eurusd", FRIDAY, rate)
            found = draws.civil_war(close, euro, FRIDAY, str(game.options["rounding"]), fields).number
            if found is not None:
                hits[found - 1] += 1
    return tuple(hit * SURE // (2 * ENDINGS) for hit in hits)


def _denied(table: Table, country: str) -> int:
    """What others lose by it: the owner what he has there, a neighbour what he would gain."""
    game, bit = table.game, table.game.board.bits[country]
    owner = table.state.owner.get(country)
    if owner is not None:
        mask = table.held[owner]
        return max(points(game, mask) - points(game, mask & ~bit), 0) * SCALE * HORIZON // PREY
    gains = [points(game, mask | bit) - points(game, mask) for _, mask in table.rivals(bit)]
    return max([0, *gains]) * SCALE * HORIZON * RIVAL // SURE


def _threat(table: Table, country: str) -> int:
    """What is lost again if neighbours attack it: half of their attacks succeed (K30)."""
    game, bit = table.game, table.game.board.bits[country]
    gain = max(points(game, table.mine | bit) - points(game, table.mine & ~bit), 0)
    others = min(sum(1 for _ in table.rivals(bit)), 4)
    return gain * SCALE * HORIZON * RIVAL * others // (SURE * 2)


def _door(game: Kuel, state: State, seat: str, dice: RandomSource) -> Order:
    """Where to enter (K35)."""
    return max(legal_moves(game, state, seat), key=lambda move: _welcome(game, state, move, dice))


def _welcome(game: Kuel, state: State, move: Move, dice: RandomSource) -> int:
    """How good a country is to enter: with room around, few neighbours and few civil wars."""
    board, occupied = game.board, taken(game, state)
    country = move.country if isinstance(move, Join) else ""
    bit = board.bits[country]
    near = board.links[bit.bit_length() - 1]
    room = score.count(near & ~occupied) * 3 - score.count(near & occupied) * 2
    risk = _risks(game)[bit.bit_length() - 1]
    further = max(standing(game, bit | other) for other in _around(board, bit))
    return further + room * SCALE - risk * SCALE // 10 + dice.below(DOORS, f"bot/whim/{country}")


def _bids(table: Table) -> Sequence[Order]:
    """Half of what a country would be worth, as long as points last (K52); civil war costs besides (K54)."""
    game, state = table.game, table.state
    left, mine, bids = state.scores[table.seat], table.mine, []
    for country in game.board.sorted(state.auctions):
        if score.count(mine) >= limit_of(game, mine):
            break
        extra = MERCENARIES if country in state.civil_war else 0
        after = mine | game.board.bits[country]
        worth = (_after(table, after) - _after(table, mine)) // (2 * SCALE) - extra
        amount = min(worth, left - extra)
        if amount >= 1:
            bids.append(Bid(country, amount))
            left, mine = left - amount - extra, after
    return bids
