"""Players that are programs: legal orders as text in a player's language, chosen at random or for points.

They see what a player sees before the deadline, the position; their dice are handed in.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from league.core.evidence import RandomSource
from league.games.kuel import score
from league.games.kuel.game import Kuel
from league.games.kuel.orders import Attack, Bid, Devastate, Join, Leave, Move, Order, Pass, Take
from league.games.kuel.state import AXIS_LIMIT, LIMIT, State

MERCENARIES, DEVASTATION = 20, 10  # K42, K41
POINT, NEW_EDGE, RAGE, MOODS, WHIM = 4, 3, 24, 4, 5  # how a greedy bot weighs a move

PHRASES: Final = {
    "de": {
        Take: "nimm {0}",
        Attack: "greife {0} an",
        Leave: "verlasse {0}",
        Devastate: "verwüste {0}",
        Bid: "biete {1} auf {0}",
        Join: "einsteigen in {0}",
        Pass: "passe",
    },
    "en": {
        Take: "take {0}",
        Attack: "attack {0}",
        Leave: "leave {0}",
        Devastate: "devastate {0}",
        Bid: "bid {1} on {0}",
        Join: "join {0}",
        Pass: "pass",
    },
    "nl": {
        Take: "neem {0}",
        Attack: "val {0} aan",
        Leave: "verlaat {0}",
        Devastate: "verwoest {0}",
        Bid: "bied {1} op {0}",
        Join: "doe mee in {0}",
        Pass: "pas",
    },
}


def random_orders(game: Kuel, state: State, seat: str, dice: RandomSource, lang: str = "en") -> str:
    """Any legal move, each equally likely, and bids on what is up for auction."""
    choice = legal_moves(game, state, seat)
    move = choice[dice.below(len(choice), "bot/move")]
    return _text(game, [move, *_bids(game, state, seat, dice)], lang)


def greedy_orders(game: Kuel, state: State, seat: str, dice: RandomSource, lang: str = "en") -> str:
    """The move that brings most points in sight, with a whim, now and then in a rage."""
    if seat not in state.scores:
        return random_orders(game, state, seat, dice, lang)  # who reasons alike would meet in one place
    in_rage = dice.below(MOODS, "bot/mood") == 0
    move = max(legal_moves(game, state, seat), key=lambda m: _worth(game, state, seat, m, dice, in_rage=in_rage))
    return _text(game, [move, *_bids(game, state, seat, dice)], lang)


def legal_moves(game: Kuel, state: State, seat: str) -> tuple[Move, ...]:
    """Every move that is legal in the position as it stands (K14); a newcomer's where he may enter (K35)."""
    if seat not in state.scores:
        return _entries(game, state)
    return (*_conquests(game, state, seat), *_retreats(game, state, seat), Pass())


def _entries(game: Kuel, state: State) -> tuple[Move, ...]:
    edge = game.board.edge_ids
    free = [country for country in edge if country not in state.owner and not _marked(state, country)]
    return tuple(Join(country) for country in free or edge)  # with none free he gets what is given


def _marked(state: State, country: str) -> bool:
    return any(country in marker for marker in (state.devastation, state.civil_war, state.auctions))


def _conquests(game: Kuel, state: State, seat: str) -> Iterable[Move]:
    mask = _mask(game, state, seat)
    if score.count(mask) >= _limit(game, mask):
        return
    for country in game.board.countries:
        if mask & country.bit or not game.board.links[country.number - 1] & mask:
            continue
        owner = state.owner.get(country.id)
        if owner is not None and len(state.owned(owner)) > 1:  # K6
            yield Attack(country.id)
        elif owner is None and _can_take(state, seat, country.id):
            yield Take(country.id)


def _can_take(state: State, seat: str, country: str) -> bool:
    closed = country in state.devastation or country in state.auctions  # K41, K53
    return not closed and (country not in state.civil_war or state.scores[seat] >= MERCENARIES)


def _retreats(game: Kuel, state: State, seat: str) -> Iterable[Move]:
    own = game.board.sorted(state.owned(seat))
    if len(own) == 1:
        return
    for country in own:
        if country not in state.payments:  # K55
            yield Leave(country)
            if state.scores[seat] >= DEVASTATION:
                yield Devastate(country)


def _worth(game: Kuel, state: State, seat: str, move: Move, dice: RandomSource, *, in_rage: bool) -> int:
    """Points of the position that the move leads to, and how much it opens up."""
    if isinstance(move, Pass):
        return 0
    board, mask, bit = game.board, _mask(game, state, seat), game.board.bits[move.country]
    whim = dice.below(WHIM, f"bot/whim/{move.country}")
    if isinstance(move, Leave | Devastate):
        return POINT * (_points(game, mask & ~bit) - _points(game, mask)) - whim
    reached = sum(bool((mask | bit) & edge) for edge in board.edges.values())
    room = score.count(board.links[board.number(move.country) - 1] & ~mask & ~_taken(game, state))
    worth = POINT * (_points(game, mask | bit) - _points(game, mask)) + NEW_EDGE * reached + room + whim
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


def _points(game: Kuel, mask: int) -> int:
    """What a holding brings a round (K61, K62)."""
    lost = 0 if score.german3(game.board, mask) else sum(item.points for item in score.penalties(game.board, mask))
    return sum(item.points for item in score.gains(game.board, mask)) + lost


def _mask(game: Kuel, state: State, seat: str) -> int:
    return game.board.mask(state.owned(seat))


def _taken(game: Kuel, state: State) -> int:
    return game.board.mask(state.owner)


def _limit(game: Kuel, mask: int) -> int:
    return AXIS_LIMIT if score.axis(game.board, mask) else LIMIT  # K4


def _text(game: Kuel, orders: Sequence[Order], lang: str) -> str:
    """An order a line, in words that `parse` reads back."""
    return "\n".join(_line(game, order, lang) for order in orders)


def _line(game: Kuel, order: Order, lang: str) -> str:
    country, amount = getattr(order, "country", ""), getattr(order, "amount", 0)
    return PHRASES[lang][type(order)].format(game.label(country, lang), amount)
