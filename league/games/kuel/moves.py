"""Step 3: moves and battles (K20 to K34), leaving and devastation (K40, K41)."""

from league.core.orders import Fate
from league.games.kuel.events import (
    Battle as BattleFought,
)
from league.games.kuel.events import (
    Conquered,
    Defended,
    Devastated,
    Left,
    ResultIgnored,
    Taken,
)
from league.games.kuel.orders import Attack, Devastate, Join, Leave, Take
from league.games.kuel.score import nato8
from league.games.kuel.state import DEVASTATION_ROUNDS
from league.games.kuel.world import WAITS_BATTLE, Battle, Slot, World

DEVASTATION_PRICE = 10  # K41
MERCENARIES = 20  # K42
NOT_DECIDED = ""


def moves(world: World) -> None:
    """Every move in order of execution; orders on one country are settled together (K23)."""
    queue = world.in_order(world.orders.moves)
    for slot in queue:
        if slot in world.fates:
            continue
        match world.orders.moves[slot]:
            case Leave(country):
                _leave(world, slot, country, price=0)
            case Devastate(country):
                _leave(world, slot, country, price=DEVASTATION_PRICE)
            case Take(country) | Attack(country) | Join(country):
                if _legal(world, slot, country):
                    _contest(world, country, queue)
                    world.note(country)
    _unused(world)


def _leave(world: World, slot: Slot, country: str, price: int) -> None:
    seat = slot.seat
    if seat not in world.scores or world.owner_of(country) != seat:
        return world.rule(slot, Fate.FAILED, "not_owner", "K14", country=country)
    if not world.at_least(seat, 2):
        return world.rule(slot, Fate.FAILED, "last_country", "K6", country=country)
    if country in world.payments:
        return world.rule(slot, Fate.FAILED, "reconstruction", "K55", country=country)
    if price > max(world.scores[seat], 0):
        return world.rule(slot, Fate.FAILED, "no_points", "K15", need=price, has=world.scores[seat])
    del world.owner[country]
    world.rule(slot, Fate.DONE, "done", "K41" if price else "K40")
    if price:
        world.scores[seat] -= price
        world.devastation[country] = DEVASTATION_ROUNDS
        world.fresh.add(("devastation", country))
    world.note(country)
    return world.say(Devastated(country, seat, price) if price else Left(country, seat))


def _legal(world: World, slot: Slot, country: str) -> bool:
    """Whether the order is legal at this moment; if not, it fails and opens nothing (K23)."""
    order = world.orders.moves[slot]
    fault = _join_fault(world, slot.seat, country) if isinstance(order, Join) else _fault(world, slot, country)
    if fault is None:
        return True
    reason, rule, facts = fault
    world.rule(slot, Fate.FAILED, reason, rule, **facts)
    return False


Fault = tuple[str, str, dict[str, str | int]] | None


def _fault(world: World, slot: Slot, country: str) -> Fault:  # one line a reason, in K23's order
    seat, order = slot.seat, world.orders.moves[slot]
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
    if owner is not None and isinstance(order, Take):
        return "occupied", "K29", {"country": country, "owner": owner}
    return None


def _join_fault(world: World, seat: str, country: str) -> Fault:
    if seat in world.scores:
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
    members = [
        slot
        for slot in queue
        if slot not in world.fates
        and isinstance(order := world.orders.moves[slot], (Take, Attack, Join))
        and order.country == country
        and _legal(world, slot, country)
    ]
    owner = world.owner_of(country)
    members = _seated(world, country, members, owner)
    if owner is None and len(members) == 1:
        return _settle(world, country, members[0])
    fighters = (*(slot.seat for slot in members), *([owner] if owner else []))
    return _fight(world, country, owner, fighters, members)


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
    if owner is not None and len(members) > 1 and len(members) + 1 > seats:
        for slot in members[1:]:
            world.rule(slot, Fate.LAPSED, "map_seats", "K26", seats=seats, seat=first.seat)
        return [first]
    return members


def _settle(world: World, country: str, slot: Slot) -> None:
    """An unoccupied country with one claimant is his (K24)."""
    paid = _mercenaries(world, slot.seat, country)
    world.rule(slot, Fate.DONE, "done", "K24")
    entering = slot.seat not in world.scores
    world.gain(slot.seat, country)
    if not entering:
        world.say(Taken(country, slot.seat, paid))


def _mercenaries(world: World, seat: str, country: str) -> int:
    """The price of ending a civil war, paid only by who gets the country (K42)."""
    if country not in world.civil_war:
        return 0
    del world.civil_war[country]
    world.scores[seat] -= MERCENARIES
    return MERCENARIES


def _fight(world: World, country: str, owner: str | None, fighters: tuple[str, ...], members: list[Slot]) -> None:
    attempt, winner, how = _decided(world, country, fighters)
    if winner == NOT_DECIDED:
        return _not_decided(world, Battle(country, fighters, attempt), members)
    world.say(BattleFought(country, owner, fighters, winner, attempt, how, _battle_rule(owner, members)))
    return _won(world, country, owner, winner, members)


def _battle_rule(owner: str | None, members: list[Slot]) -> str:
    if owner is None:
        return "K24"
    return "K25" if len(members) == 1 else "K26"


def _decided(world: World, country: str, fighters: tuple[str, ...]) -> tuple[int, str, str]:
    """The battle's attempt, its winner (NOT_DECIDED while it waits), and how it was decided."""
    winner, how = _result(world, country, fighters, 1)
    if winner == NOT_DECIDED or not _rematch(world, country, fighters, winner):
        return 1, winner, how
    winner, how = _result(world, country, fighters, 2)
    return 2, winner, how


def _result(world: World, country: str, fighters: tuple[str, ...], attempt: int) -> tuple[str, str]:
    if world.options["battles"] == "drawn":
        if world.turn.dice is None:
            return NOT_DECIDED, ""
        return fighters[world.turn.dice.below(len(fighters), f"battle/{country}/{attempt}")], "drawn"
    winner = world.table.results.get((country, attempt))
    if winner is None:
        return NOT_DECIDED, ""
    world.used.add((country, attempt))
    if winner not in fighters:
        world.faults.append(
            f"results: '{winner}' did not fight for {country} (attempt {attempt}); fighters: {', '.join(fighters)}"
        )
        return NOT_DECIDED, ""
    return winner, "result"


def _rematch(world: World, country: str, fighters: tuple[str, ...], winner: str) -> bool:
    """Whether a loser holds the defence bonus and wants the battle again (K32); judged before the country goes over."""
    asked = {slot.seat: slot for slot, order in world.orders.rematches.items() if order.country == country}
    always = world.options["battles"] == "drawn" or (country, 2) in world.table.results
    for seat in fighters:
        wanted = always or seat in asked
        if seat != winner and wanted and nato8(world.board, world.held(seat)) and world.nato_eight(seat):
            if seat in asked:
                world.rule(asked[seat], Fate.DONE, "rematch_granted", "K32", country=country)
            return True
    return False


def _not_decided(world: World, battle: Battle, members: list[Slot]) -> None:
    country, fighters = battle.country, battle.fighters
    over = world.turn.over and world.options["battles"] == "reported"
    if over:
        return _status_quo(world, battle, members)
    world.pending.append(battle)
    world.used |= {(country, 1), (country, 2)}
    for slot in members:
        world.fates[slot] = WAITS_BATTLE
    if country in world.assumed:
        return _hand_over(world, country, world.assumed[country])
    world.open[country] = fighters
    return None


def _status_quo(world: World, battle: Battle, members: list[Slot]) -> None:
    """No result by the end of the evaluation: everything stays as it was (K33)."""
    owner = world.owner.get(battle.country)
    world.say(BattleFought(battle.country, owner, battle.fighters, owner, battle.attempt, "status_quo", "K33"))
    for slot in members:
        world.rule(slot, Fate.FAILED, "unreported", "K33", country=battle.country)


def _won(world: World, country: str, owner: str | None, winner: str, members: list[Slot]) -> None:
    for slot in members:
        if slot.seat == winner:
            world.rule(slot, Fate.DONE, "won_battle", "K30", country=country)
        else:
            world.rule(slot, Fate.FAILED, "lost_battle", "K30", country=country, winner=winner)
    if winner == owner:
        return world.say(Defended(country, winner))
    entering = winner not in world.scores
    paid = _mercenaries(world, winner, country)
    world.gain(winner, country)
    if not entering:
        world.say(Conquered(country, winner, owner, paid))
    return None


def _hand_over(world: World, country: str, winner: str | None) -> None:
    """An assumed winner owns the country for what follows; nothing is said, since nothing is known."""
    if winner is not None and winner != world.owner.get(country):
        _mercenaries(world, winner, country)
        world.gain(winner, country)


def _unused(world: World) -> None:
    """Results of battles that don't happen, and rematches nobody can have (K32, K33)."""
    drawn = world.options["battles"] == "drawn"
    for (country, attempt), winner in sorted(world.table.results.items()):
        if drawn or (country, attempt) not in world.used:
            world.say(ResultIgnored(country, winner, attempt))
    for slot in world.orders.rematches:
        if slot not in world.fates:
            if world.open or world.pending:
                world.rule(slot, None, "waits_battle", "K32")
            else:
                world.rule(slot, Fate.FAILED, "no_rematch", "K32")
