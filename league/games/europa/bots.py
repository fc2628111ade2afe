"""Parties that are programs: one that does anything, and one that wants to win. They know what their seat knows.

A function `NAME_orders` is the bot NAME (desk/play/bots.py).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from league.core.evidence import RandomSource
from league.games.europa import coalitions, wars
from league.games.europa.board import LARGEST
from league.games.europa.elections import targets
from league.games.europa.game import Europa
from league.games.europa.placement import legal, quota
from league.games.europa.state import PEACE, PLACE1, PLACE2, VOTE, State, group_of
from league.games.europa.world import World

__all__ = ["diplomat_orders", "random_orders"]

WHIM: Final = 6  # how far a diplomat's taste goes
Words = Mapping[str, str]


def random_orders(game: Europa, state: State, seat: str, dice: RandomSource, lang: str = "en") -> str:
    """Anything that is allowed, and now and then what isn't."""
    say, world = _words(game, lang), World.of(game.board, game.options, None, state)
    match state.phase:
        case "PEACE":
            plan = _shuffled(list(state.markers), dice, "plan")
            given = dice.below(state.players[seat].pawns + 2, "given")
            return f"{say['peace']} {given}\n{say['plan']} {' > '.join(plan)}\n"
        case "PLACE1" | "PLACE2":
            return _random_places(world, seat, say, dice)
        case "VOTE":
            return "".join(_random_ballot(world, country, say, dice) for country in _mine(game, state, seat))
    return ""


def _random_places(world: World, seat: str, say: Words, dice: RandomSource) -> str:
    allowed, items = legal(world), []
    for place in range(quota(world.state.phase, world.players[seat].pawns) if allowed else 0):
        here, there = (allowed[dice.below(len(allowed), f"{which}/{place}")] for which in ("here", "there"))
        if dice.below(3, f"if/{place}"):
            items.append(f"{here} 1")
        else:
            condition = f"{say['if']} {here}.{say['total']} < {here}.{say['need']}"
            items.append(f"{condition} {say['then']} {here} 1 {say['else']} {there} 1")
    return f"{say['place']} {', '.join(items)}\n" if items else ""


def _random_ballot(world: World, country: str, say: Words, dice: RandomSource) -> str:
    present = sorted(world.pawns[country])
    proposed = [_random_coalition(world, present, dice, f"{country}/{n}") for n in range(2)]
    policy = ("policy_all", "policy_mine", "policy_none")[dice.below(3, f"policy/{country}")]
    near = targets(world, country)
    move = f"{say['move']} {near[dice.below(len(near), f'move/{country}')]}" if near else say["stay"]
    clauses = [
        f"{say['propose']} {' > '.join(proposed)}",
        f"{say['yes']} {proposed[1]}",
        f"{say['policy']} {say[policy]}",
        move,
    ]
    return f"{say['election']} {country}: {'; '.join(clauses)}\n"


def _random_coalition(world: World, present: Sequence[str], dice: RandomSource, purpose: str) -> str:
    several = _shuffled(present, dice, f"who/{purpose}")[: 1 + dice.below(LARGEST, f"many/{purpose}")]
    return "+".join(world.players[seat].party for seat in several)


def diplomat_orders(game: Europa, state: State, seat: str, dice: RandomSource, lang: str = "en") -> str:
    """Gives its part for peace, places where a coalition is in reach, and proposes what brings it most."""
    say, world = _words(game, lang), World.of(game.board, game.options, None, state)
    if state.phase == PEACE:
        return _part(world, seat, say, dice)
    if state.phase in (PLACE1, PLACE2):
        return _best_places(world, seat, say, dice)
    if state.phase == VOTE:
        return "".join(_best_ballot(world, seat, country, say) for country in _mine(game, state, seat))
    return ""


def _part(world: World, seat: str, say: Words, dice: RandomSource) -> str:
    """A fair share of the level where all can reach it; else only so much as keeps others from holding back less."""
    had, level = world.players[seat].pawns, wars.level(world)
    everybody = sum(player.pawns for player in world.players.values())
    fair = -(-level * had // max(everybody, 1))
    given = min(had, fair + dice.below(2, "zeal")) if 2 * level <= everybody else had // 3
    return f"{say['peace']} {given}\n"


def _best_places(world: World, seat: str, say: Words, dice: RandomSource) -> str:
    """Pawn by pawn where it is worth most now."""
    allowed, placed = legal(world), dict[str, int]()
    taste = {country: dice.below(WHIM * 12, f"taste/{country}") for country in allowed}
    for _ in range(quota(world.state.phase, world.players[seat].pawns) if allowed else 0):
        best = max(allowed, key=lambda country: _worth(world, seat, country) + taste[country])
        world.put(best, seat, 1)
        placed[best] = placed.get(best, 0) + 1
    items = [f"{country} {pawns}" for country, pawns in placed.items()]
    return f"{say['place']} {', '.join(items)}\n" if items else ""


def _worth(world: World, seat: str, country: str) -> int:
    """Value for the pawns still lacking; where there are enough, what another pawn adds to the own weight."""
    value, need = world.board.by_id[country].political, world.need(country)
    present, own = world.present(country), world.pawns.get(country, {}).get(seat, 0)
    lacking = max(need - present, 1)
    worth = 12 * value // (lacking + own + 1)
    return worth // 2 if own >= need else worth


def _best_ballot(world: World, seat: str, country: str, say: Words) -> str:
    """The coalitions with itself that a majority of pawns carries, those with the largest share first."""
    here, need = world.pawns[country], world.need(country)
    value, majority = world.board.by_id[country].political, world.present(country)
    others = sorted(set(here) - {seat})
    found = [
        (seat, *partners)
        for many in range(LARGEST)
        for partners in combinations(others, many)
        if coalitions.valid((seat, *partners), here, need) and 2 * sum(here[s] for s in (seat, *partners)) > majority
    ]
    found.sort(key=lambda c: (-coalitions.share(value, len(c)), sum(world.players[s].political for s in c)))
    if not found:
        return ""
    proposed = " > ".join("+".join(world.players[s].party for s in coalition) for coalition in found)
    return f"{say['election']} {country}: {say['propose']} {proposed}; {say['policy']} {say['policy_mine']}\n"


def _mine(game: Europa, state: State, seat: str) -> list[str]:
    """The elections of the group in which the seat has pawns now."""
    group = group_of(state, int(game.options["elections_per_mail"]))
    return [country for country in group if seat in state.board.get(country, {})]


def _shuffled(things: Sequence[str], dice: RandomSource, purpose: str) -> list[str]:
    left, found = list(things), []
    while left:
        found.append(left.pop(dice.below(len(left), f"{purpose}/{len(left)}")))
    return found


@cache
def _words(game: Europa, lang: str) -> Words:
    """The order words of a language, the first form of each."""
    tables = {**game.keywords["verbs"], **game.keywords["words"]}
    return {name: forms[lang][0] for name, forms in tables.items()}
