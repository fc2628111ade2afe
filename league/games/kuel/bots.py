"""Players that are programs: legal orders as text in a player's language.

They see what a player sees before the deadline, the position; their dice are handed in. A bot is called by its
function's name without `_orders`.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from league.core.evidence import RandomSource
from league.core.game import Value
from league.games.kuel import score
from league.games.kuel.choices import MERCENARIES, legal_moves, mask_of, points, taken, text
from league.games.kuel.game import Kuel
from league.games.kuel.lookahead import lookahead_orders
from league.games.kuel.orders import Attack, Bid, Devastate, Leave, Move, Order, Pass
from league.games.kuel.state import State

__all__ = ["OPTIONS", "greedy_orders", "lookahead_orders", "random_orders"]

OPTIONS: Final[Mapping[str, Value]] = {"battles": "drawn"}  # they fight no battles and report none
POINT, NEW_EDGE, RAGE, MOODS, WHIM = 4, 3, 24, 4, 5  # how a greedy bot weighs a move


def random_orders(game: Kuel, state: State, seat: str, dice: RandomSource, lang: str = "en") -> str:
    """Any legal move, each equally likely, and bids on what is up for auction."""
    choice = legal_moves(game, state, seat)
    move = choice[dice.below(len(choice), "bot/move")]
    return text(game, [move, *_bids(game, state, seat, dice)], lang)


def greedy_orders(game: Kuel, state: State, seat: str, dice: RandomSource, lang: str = "en") -> str:
    """The move that brings most points in sight, with a whim, now and then in a rage."""
    if seat not in state.scores:
        return random_orders(game, state, seat, dice, lang)  # who reasons alike would meet in one place
    in_rage = dice.below(MOODS, "bot/mood") == 0
    move = max(legal_moves(game, state, seat), key=lambda m: _worth(game, state, seat, m, dice, in_rage=in_rage))
    return text(game, [move, *_bids(game, state, seat, dice)], lang)


def _worth(game: Kuel, state: State, seat: str, move: Move, dice: RandomSource, *, in_rage: bool) -> int:
    """Points of the position that the move leads to, and how much it opens up."""
    if isinstance(move, Pass):
        return 0
    board, mask, bit = game.board, mask_of(game, state, seat), game.board.bits[move.country]
    whim = dice.below(WHIM, f"bot/whim/{move.country}")
    if isinstance(move, Leave | Devastate):
        return POINT * (points(game, mask & ~bit) - points(game, mask)) - whim
    reached = sum(bool((mask | bit) & edge) for edge in board.edges.values())
    room = score.count(board.links[board.number(move.country) - 1] & ~mask & ~taken(game, state))
    worth = POINT * (points(game, mask | bit) - points(game, mask)) + NEW_EDGE * reached + room + whim
    if isinstance(move, Attack):
        return worth // 2 + (RAGE if in_rage else 0)  # half of them fail, and cost nothing (K30)
    return worth - (POINT * MERCENARIES // 2 if move.country in state.civil_war else 0)  # they pay off in time


def _bids(game: Kuel, state: State, seat: str, dice: RandomSource) -> Sequence[Order]:
    """A bid on each open auction that can still be paid (K52)."""
    left, bids = state.scores.get(seat, 0), []
    for country in game.board.sorted(state.auctions):
        if left > 0:
            amount = 1 + dice.below(left, f"bot/bid/{country}")
            bids.append(Bid(country, amount))
            left -= amount
    return bids
