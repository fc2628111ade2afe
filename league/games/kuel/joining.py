"""Retirement and newcomers whose country is given up (chapter 7)."""

from league.core.orders import Fate
from league.games.kuel.events import GaveWay, Retired, Waits
from league.games.kuel.orders import Join
from league.games.kuel.world import Slot, World


def retire(world: World) -> None:
    """Step 0: who left the league leaves all his countries; what was being rebuilt is no longer (K38)."""
    for seat in sorted(world.turn.left):
        if seat in world.scores:
            countries = world.board.sorted(c for c, owner in world.owner.items() if owner == seat)
            for country in countries:
                del world.owner[country]
            del world.scores[seat]
            world.month_start.pop(seat, None)
            world.say(Retired(seat, countries))
        elif seat in world.newcomers:
            world.newcomers.remove(seat)


def admit_by_gift(world: World) -> None:
    """Step 2: with no edge country free, each newcomer gets one that its owner gives up (K35)."""
    joins = [slot for slot, move in world.orders.moves.items() if isinstance(move, Join)]
    waiting = [slot for slot in joins if slot.seat in world.newcomers]
    if not waiting or any(_free(world, country) for country in world.board.edge_ids):
        return
    for slot in world.in_order(waiting):
        _admit(world, slot)


def _free(world: World, country: str) -> bool:
    markers = (world.devastation, world.civil_war, world.auctions, world.payments)
    return country not in world.owner and not any(country in marker for marker in markers)


def _admit(world: World, slot: Slot) -> None:
    giver = _giver(world)
    if world.full() or giver is None:
        rule = "K39" if world.full() else "K35"
        world.rule(slot, Fate.FAILED, "full" if rule == "K39" else "nobody_gives", rule)
        return world.say(Waits(slot.seat, rule))
    country = _gift(world, giver)
    world.owner.pop(country)
    world.gain(slot.seat, country)
    world.rule(slot, Fate.DONE, "given", "K35", country=country, giver=giver)
    return world.say(GaveWay(country, giver, slot.seat))


def _edges(world: World, seat: str) -> list[str]:
    return [country for country in world.board.edge_ids if world.owner.get(country) == seat]


def _giver(world: World) -> str | None:
    """Most edge countries, then the higher score, then the later mail, none being latest."""
    last = len(world.turn.mails)

    def key(seat: str) -> tuple[int, int, int, str]:
        return (len(_edges(world, seat)), world.scores[seat], world.orders.arrival.get(seat, last), seat)

    able = [
        seat
        for seat in world.scores
        if world.at_least(seat, 2) and any(c not in world.payments for c in _edges(world, seat))
    ]
    return max(able, key=key, default=None)


def _gift(world: World, giver: str) -> str:
    able = [country for country in _edges(world, giver) if country not in world.payments]
    slot, give = world.orders.gives.get(giver, (None, None))
    if slot is not None and give is not None and slot not in world.fates:
        if give.country in able:
            world.rule(slot, Fate.DONE, "done", "K35")
            return give.country
        world.rule(slot, Fate.FAILED, "give_not_possible", "K35", country=give.country)
    return able[-1]


def unused_gives(world: World) -> None:
    """A `give` nobody needed lapses (K35)."""
    for slot, _ in world.orders.gives.values():
        if slot not in world.fates:
            world.rule(slot, Fate.LAPSED, "give_not_needed", "K35")
