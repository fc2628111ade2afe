"""Conditional orders (chapter 11, option `conditions`): which of the two orders it is, judged at the order's own place.

Until then such an order takes part in no contest: nobody knows yet what it names. A country that a contest was
about already in this round can't be contested a second time (K22).
"""

from league.core.orders import Fate
from league.games.kuel.orders import Attack, Condition, Pass, Play, Take
from league.games.kuel.world import Slot, World
from league.language.conditions import Conditional


def choose(world: World, slot: Slot) -> Play:
    """The order in a slot whose place is reached; `Pass` where nothing is left to be carried out."""
    order = world.orders.moves[slot]
    if not isinstance(order, Conditional):
        return order
    move = order.then if holds(world, slot.seat, order.condition) else order.otherwise
    if move is None:
        world.rule(slot, Fate.LAPSED, "condition_false", "11")
    elif isinstance(move, Pass):
        world.rule(slot, Fate.DONE, "pass", "K14")
    elif isinstance(move, (Take, Attack)) and move.country in world.contested:
        world.rule(slot, Fate.FAILED, "contested", "K22", country=move.country)
    else:
        world.chosen[slot] = move
        return move
    return Pass()


def holds(world: World, seat: str, condition: Condition) -> bool:
    """Whether the condition is true at this moment; an open battle's country is asked for through the world (K34)."""
    country = condition.country
    if condition.kind == "points":
        return world.scores.get(seat, 0) >= condition.points  # a seat's only cost before its move are its bids
    owner = world.owner_of(country)
    match condition.kind:
        case "free":
            return owner is None
        case "mine":
            return owner == seat
        case "owned":
            return owner == condition.player
        case "devastated":
            return country in world.devastation
        case _:
            return country in world.civil_war
