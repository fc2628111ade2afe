"""What a program that plays may choose, what a holding brings it, and how it says a move in three languages."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from league.games.kuel import score
from league.games.kuel.game import Kuel
from league.games.kuel.orders import Attack, Bid, Devastate, Join, Leave, Move, Order, Pass, Take
from league.games.kuel.state import AXIS_LIMIT, LIMIT, State

MERCENARIES, DEVASTATION = 20, 10  # K42, K41
REMEMBERED = 1 << 16

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


def legal_moves(game: Kuel, state: State, seat: str) -> tuple[Move, ...]:
    """Every move that is legal in the position as it stands (K14); a newcomer's where he may enter (K35)."""
    if seat not in state.scores:
        return _entries(game, state)
    return (*_conquests(game, state, seat), *_retreats(game, state, seat), Pass())


def _entries(game: Kuel, state: State) -> tuple[Move, ...]:
    edge = game.board.edge_ids
    free = [country for country in edge if country not in state.owner and not marked(state, country)]
    return tuple(Join(country) for country in free or edge)  # with none free he gets what is given


def marked(state: State, country: str) -> bool:
    """Whether a newcomer can't enter there (K37)."""
    return any(country in marker for marker in (state.devastation, state.civil_war, state.auctions))


def _conquests(game: Kuel, state: State, seat: str) -> Iterable[Move]:
    mask = mask_of(game, state, seat)
    if score.count(mask) >= limit_of(game, mask):
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


@lru_cache(maxsize=REMEMBERED)
def points(game: Kuel, mask: int) -> int:
    """What a holding brings a round (K61, K62)."""
    lost = 0 if score.german3(game.board, mask) else sum(item.points for item in score.penalties(game.board, mask))
    return sum(item.points for item in score.gains(game.board, mask)) + lost


def mask_of(game: Kuel, state: State, seat: str) -> int:
    """The seat's countries."""
    return game.board.mask(state.owned(seat))


def taken(game: Kuel, state: State) -> int:
    """Every country that has an owner."""
    return game.board.mask(state.owner)


def limit_of(game: Kuel, mask: int) -> int:
    """How many countries a holding may grow to."""
    return AXIS_LIMIT if score.axis(game.board, mask) else LIMIT  # K4


def text(game: Kuel, orders: Sequence[Order], lang: str) -> str:
    """An order a line, in words that `parse` reads back."""
    return "\n".join(_line(game, order, lang) for order in orders)


def _line(game: Kuel, order: Order, lang: str) -> str:
    country, amount = getattr(order, "country", ""), getattr(order, "amount", 0)
    return PHRASES[lang][type(order)].format(game.label(country, lang), amount)
