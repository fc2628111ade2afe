"""W: the rolls, how war spreads, the level of conflict, what a pool of pawns can end (R40 to R45, R50 to R55)."""

from collections.abc import Sequence

from league.games.europa.events import (
    ConflictEnded,
    ConflictLevel,
    ElectionCancelled,
    PoolLost,
    RiskRolled,
    WarSpread,
)
from league.games.europa.state import AT_WAR, TENSION, WAR, level_of
from league.games.europa.world import World


def roll_risks(world: World) -> None:
    """W1: six rolls of two dice (R40)."""
    for number in range(1, world.board.rolls + 1):
        dice = (world.die(f"risk/{number}/1"), world.die(f"risk/{number}/2"))
        strike(world, number, dice)


def strike(world: World, number: int, dice: tuple[int, int]) -> None:
    """What a roll does to its country (R41 to R43)."""
    country = world.board.risks[sum(dice)]
    if country in world.members:
        world.say(RiskRolled(number, dice, country, "member", "R41"))
    elif world.markers.get(country) == WAR:
        world.say(RiskRolled(number, dice, country, "spread", "R43"))
        _spread(world, country)
    else:
        world.say(RiskRolled(number, dice, country, _worse(world, country), "R42"))


def _worse(world: World, country: str) -> str:
    world.markers[country] = WAR if country in world.markers else TENSION
    return world.markers[country]


def _spread(world: World, source: str) -> None:
    """Over borders alone, never over dashed links; members are immune (R43, R44)."""
    available = world.board.available(world.state.epoch)
    for country in world.board.borders[source]:
        if country in available and country not in world.members and world.markers.get(country) != WAR:
            world.say(WarSpread(source, country, _worse(world, country)))


def level(world: World) -> int:
    """The level of conflict (R45)."""
    return level_of({c.id: c.resistance for c in world.board.countries}, world.markers)


def tell_level(world: World) -> None:
    """W2: the level and what it is made of."""
    world.say(ConflictLevel(level(world), _marked(world, TENSION), _marked(world, WAR)))


def _marked(world: World, marker: str) -> tuple[str, ...]:
    return world.board.sorted([country for country, found in world.markers.items() if found == marker])


def price(world: World, country: str) -> int:
    """What it costs to end a conflict (R50)."""
    return 2 * world.board.by_id[country].resistance if world.markers[country] == WAR else 1


def spend(world: World, pool: int, plan: Sequence[str]) -> None:
    """W4: wars first, as long as one is affordable, then tensions; the rest is lost (R51, R52, M2)."""
    for marker in (WAR, TENSION):
        for country in _in_turn(world, marker, plan):
            cost = price(world, country)
            if cost <= pool:
                pool -= cost
                del world.markers[country]
                world.say(ConflictEnded(country, marker, cost))
    if pool:
        world.say(PoolLost(pool))


def _in_turn(world: World, marker: str, plan: Sequence[str]) -> list[str]:
    """The listed countries in the order listed, then the others in default order (M2)."""
    marked = [country for country, found in world.markers.items() if found == marker]
    listed = [country for country in dict.fromkeys(plan) if country in marked]
    others = [country for country in marked if country not in listed]
    return listed + sorted(others, key=lambda c: (price(world, c), -_open_borders(world, c), c))


def _open_borders(world: World, country: str) -> int:
    return sum(near not in world.members for near in world.board.borders[country])


def cancel_elections(world: World) -> None:
    """W5: no election at war; the numbers of the others stay (R55)."""
    for country in world.ahead:
        if world.markers.get(country) == WAR:
            world.results[country] = AT_WAR
            world.say(ElectionCancelled(country, world.number(country)))
