"""Step 3: moves and contests (K20 to K29), leaving and devastation (K40, K41)."""

from league.core.orders import Fate
from league.games.kuel.battles import MERCENARIES, fight, leftovers, settle
from league.games.kuel.conditions import choose
from league.games.kuel.events import Devastated, Left
from league.games.kuel.orders import Attack, Devastate, Join, Leave, Take
from league.games.kuel.state import DEVASTATION_ROUNDS
from league.games.kuel.world import Slot, World

DEVASTATION_PRICE = 10  # K41


def moves(world: World) -> None:
    """Every move in order of execution; orders on one country are settled together (K23)."""
    queue = world.in_order(world.orders.moves)
    for slot in queue:
        if slot in world.fates:
            continue
        match choose(world, slot):
            case Leave(country):
                _leave(world, slot, country, price=0)
            case Devastate(country):
                _leave(world, slot, country, price=DEVASTATION_PRICE)
            case Take(country) | Attack(country) | Join(country):
                if _legal(world, slot, country):
                    _contest(world, country, queue)
                    world.note(country)
    leftovers(world)


Fault = tuple[str, str, dict[str, str | int]] | None  # reason, rule, facts


def _leave(world: World, slot: Slot, country: str, price: int) -> None:
    seat = slot.seat
    fault = leave_fault(world, seat, country, price)
    if fault is not None:
        reason, rule, facts = fault
        return world.rule(slot, Fate.FAILED, reason, rule, **facts)
    del world.owner[country]
    world.rule(slot, Fate.DONE, "done", "K41" if price else "K40")
    if price:
        world.scores[seat] -= price
        world.devastation[country] = DEVASTATION_ROUNDS
        world.fresh.add(("devastation", country))
    world.note(country)
    return world.say(Devastated(country, seat, price) if price else Left(country, seat))


def leave_fault(world: World, seat: str, country: str, price: int) -> Fault:
    """Why the seat can't leave the country at this price now (K40, K41)."""
    if seat not in world.scores or world.owner_of(country) != seat:
        return "not_owner", "K14", {"country": country}
    if not world.at_least(seat, 2):
        return "last_country", "K6", {"country": country}
    if country in world.payments:
        return "reconstruction", "K55", {"country": country}
    if price > max(world.scores[seat], 0):
        return "no_points", "K15", {"need": price, "has": world.scores[seat]}
    return None


def _legal(world: World, slot: Slot, country: str) -> bool:
    """Whether the order is legal at this moment; if not, it fails and opens nothing (K23)."""
    order = world.move(slot)
    if isinstance(order, Join):
        fault = join_fault(world, slot.seat, country)
    else:
        fault = claim_fault(world, slot.seat, country, take=isinstance(order, Take))
    if fault is None:
        return True
    reason, rule, facts = fault
    world.rule(slot, Fate.FAILED, reason, rule, **facts)
    return False


def claim_fault(world: World, seat: str, country: str, *, take: bool) -> Fault:
    """Why the seat can't take or attack the country now: one line a reason, in K23's order."""
    if seat not in world.scores:
        return "newcomer_move", "K28", {}
    owner = world.owner_of(country)
    if owner == seat:
        return "own_country", "K23", {"country": country}
    if not world.reaches(seat, country):
        return "not_neighbour", "K28", {"country": country}
    if owner is not None and not world.at_least(owner, 2):
        return "last_country", "K6", {"country": country}
    if country in world.devastation:
        return "devastated", "K41", {"country": country}
    if country in world.auctions:
        return "open_auction", "K53", {"country": country}
    if world.at_limit(seat):
        return "at_limit", "K4", {"limit": world.limit(seat)}
    if country in world.civil_war and world.scores[seat] < MERCENARIES:
        return "no_mercenaries", "K42", {"need": MERCENARIES, "has": world.scores[seat]}
    if owner is not None and take:
        return "occupied", "K29", {"country": country, "owner": owner}
    return None


def join_fault(world: World, seat: str, country: str) -> Fault:
    """Why a newcomer can't enter there now (K35, K37)."""
    if seat not in world.newcomers:
        return "not_newcomer", "K35", {}
    if not world.board.by_id[country].edge:
        return "not_edge", "K35", {"country": country}
    owner = world.owner_of(country)
    if owner is not None:
        return "occupied", "K29", {"country": country, "owner": owner}
    if country in world.devastation or country in world.civil_war or country in world.auctions:
        return "field_marked", "K37", {"country": country}
    if world.full():
        return "full", "K39", {"max_players": int(world.options["max_players"])}
    return None


def _contest(world: World, country: str, queue: list[Slot]) -> None:
    """All orders that name the country, settled at the place of its first legal member (K23 to K27)."""
    world.contested.add(country)
    members = [
        slot
        for slot in queue
        if slot not in world.fates
        and isinstance(order := world.move(slot), (Take, Attack, Join))
        and order.country == country
        and _legal(world, slot, country)
    ]
    owner = world.owner_of(country)
    members = _seated(world, country, members, owner)
    if owner is None and len(members) == 1:
        return settle(world, country, members[0])
    fighters = (*(slot.seat for slot in members), *([owner] if owner else []))
    return fight(world, country, owner, fighters, members)


def _seated(world: World, country: str, members: list[Slot], owner: str | None) -> list[Slot]:
    """Who really takes part: the precedence holder alone (K27), or as many attackers as the map seats (K26)."""
    first = members[0]
    ahead = next((slot for slot in members if world.precedence(slot.seat)), None)
    seats = world.board.by_id[country].seats
    if ahead is not None:
        rest = [slot for slot in members if slot != ahead]
        for slot in rest:
            world.rule(slot, Fate.LAPSED, "precedence", "K27", seat=ahead.seat)
        return [ahead]
    if owner is not None and len(members) + 1 > seats:  # two are seated anywhere
        for slot in members[1:]:
            world.rule(slot, Fate.LAPSED, "map_seats", "K26", seats=seats, seat=first.seat)
        return [first]
    return members
