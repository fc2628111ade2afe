"""Battles: who won, by lot, by the fighters' word or the organizer's, and what follows (K24 to K34, K63, K64)."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from league.core.orders import Fate
from league.games.kuel.events import Battle as BattleFought
from league.games.kuel.events import Conquered, Defended, ResultIgnored, Taken, Terms
from league.games.kuel.orders import MapChoice, Result, Settings
from league.games.kuel.score import eu10, eu10_brussels, nato8
from league.games.kuel.world import WAITS_BATTLE, Battle, Slot, World

MERCENARIES = 20  # K42
NOT_DECIDED = ""
Reports = Sequence[tuple[Slot, str]]  # who reported, in order of arrival, and whom he named


def settle(world: World, country: str, slot: Slot) -> None:
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


def fight(world: World, country: str, owner: str | None, fighters: tuple[str, ...], members: list[Slot]) -> None:
    """A battle among these fighters, the owner last: decided, or left open (K34)."""
    terms = _terms(world, country, owner, fighters)
    attempt, winner, how, reports = _decided(world, country, fighters)
    if winner == NOT_DECIDED:
        return _not_decided(world, Battle(country, fighters, attempt, *terms, reports), members)
    world.say(BattleFought(country, owner, fighters, winner, attempt, how, _battle_rule(owner, members)))
    return _won(world, country, owner, winner, members)


def _battle_rule(owner: str | None, members: list[Slot]) -> str:
    if owner is None:
        return "K24"
    return "K25" if len(members) == 1 else "K26"


def _terms(world: World, country: str, owner: str | None, fighters: tuple[str, ...]) -> tuple[str, str]:
    """Map and settings that the attacked owner names by right, empty where everything is as usual (K31, K63, K64)."""
    chosen = {"map": "", "settings": ""}
    for slot, order in world.orders.terms.items():
        if order.country != country:
            continue
        if slot.seat != owner or not _has_right(world, order, owner):
            world.rule(slot, Fate.FAILED, "no_right", _term_rule(order), country=country)
        elif isinstance(order, MapChoice) and world.board.by_id[order.map].seats < len(fighters):
            world.rule(slot, Fate.FAILED, "map_too_small", "K63", map=order.map, fighters=len(fighters))
        else:
            world.rule(slot, Fate.DONE, "chosen", _term_rule(order), country=country)
            chosen["map" if isinstance(order, MapChoice) else "settings"] = (
                order.map if isinstance(order, MapChoice) else order.text
            )
    if owner is not None and any(chosen.values()):
        world.say(Terms(country, owner, chosen["map"], chosen["settings"], "K63" if chosen["map"] else "K64"))
    return chosen["map"], chosen["settings"]


def _has_right(world: World, order: MapChoice | Settings, owner: str) -> bool:
    test = eu10 if isinstance(order, MapChoice) else eu10_brussels
    return test(world.board, world.held(owner))


def _term_rule(order: MapChoice | Settings) -> str:
    return "K63" if isinstance(order, MapChoice) else "K64"


Verdict = tuple[int, str, str, tuple[tuple[str, str], ...]]


def _decided(world: World, country: str, fighters: tuple[str, ...]) -> Verdict:
    """The attempt, its winner (NOT_DECIDED while it waits), how it was decided, and reports in dispute."""
    if world.options["battles"] == "drawn":
        return _drawn(world, country, fighters)
    reports = _reports(world, country, fighters)
    winner, how, dispute, rest = _result(world, country, fighters, 1, reports)
    if winner == NOT_DECIDED or not _rematch(world, country, fighters, winner):
        return 1, winner, how, dispute
    winner, how, dispute, _ = _result(world, country, fighters, 2, rest)
    return 2, winner, how, dispute


def _drawn(world: World, country: str, fighters: tuple[str, ...]) -> Verdict:
    """By lot, with equal chances (K33)."""
    if world.turn.dice is None:
        return 1, NOT_DECIDED, "", ()
    first, second = (fighters[world.turn.dice.below(len(fighters), f"battle/{country}/{n}")] for n in (1, 2))
    if _rematch(world, country, fighters, first):
        return 2, second, "drawn", ()
    return 1, first, "drawn", ()


def _reports(world: World, country: str, fighters: tuple[str, ...]) -> Reports:
    """What fighters reported of this battle; a line that names no winner fails (K33)."""
    found = []
    for slot, order in world.orders.reports.items():
        if order.country != country:
            continue
        winner = _named(order, slot.seat, fighters) if slot.seat in fighters else None
        if slot.seat not in fighters:
            world.rule(slot, Fate.FAILED, "no_fighter", "K33", country=country)
        elif winner is None:
            world.rule(slot, Fate.FAILED, "names_no_winner", "K33", country=country)
        else:
            world.rule(slot, Fate.DONE, "reported", "K33", country=country, winner=winner)
            found.append((slot, winner))
    return found


def _named(order: Result, seat: str, fighters: tuple[str, ...]) -> str | None:
    """Whom a report names; in a battle of more than two only `winner P` names anybody."""
    if order.said == "winner":
        return order.winner if order.winner in fighters else None
    if len(fighters) != 2:
        return None
    return seat if order.said == "won" else next(f for f in fighters if f != seat)


Found = tuple[str, str, tuple[tuple[str, str], ...], Reports]


def _result(world: World, country: str, fighters: tuple[str, ...], attempt: int, reports: Reports) -> Found:
    """Winner, how, reports in dispute, and the reports that are left for a rematch."""
    entered = world.table.results.get((country, attempt))
    if entered is not None:
        world.used.add((country, attempt))
        if entered in fighters:
            return entered, "result", (), _later(world, reports, country, attempt)
        listed = ", ".join(fighters)
        world.faults.append(f"results: '{entered}' did not fight for {country} (attempt {attempt}); fighters: {listed}")
        return NOT_DECIDED, "", (), ()
    said: dict[str, str] = {}
    for place, (slot, winner) in enumerate(reports):
        said[slot.seat] = winner
        if slot.seat != winner:  # a loser says so
            return winner, "report", (), reports[place + 1 :]
    if len(set(said.values())) > 1:
        return NOT_DECIDED, "", tuple(said.items()), ()
    if said and world.turn.over:
        return next(iter(said.values())), "report", (), ()
    return NOT_DECIDED, "", (), ()


def _later(world: World, reports: Reports, country: str, attempt: int) -> Reports:
    """The reports that came after the organizer's word, and so are of the rematch."""
    key = (country, attempt)
    times = [d.at for d in world.turn.decisions if (d.facts.get("country"), d.facts.get("attempt", 1)) == key]
    moment = times[0] if times else None
    if moment is None:
        return ()
    return [(slot, winner) for slot, winner in reports if _received(world, slot, moment) > moment]


def _received(world: World, slot: Slot, otherwise: datetime) -> datetime:
    return world.turn.mails[slot.mail].received or otherwise


def _rematch(world: World, country: str, fighters: tuple[str, ...], winner: str) -> bool:
    """Whether a loser holds the defence bonus and wants the battle again (K32); judged before the country goes over."""
    asked = [slot for slot, order in world.orders.rematches.items() if order.country == country]
    always = world.options["battles"] == "drawn" or (country, 2) in world.table.results
    for seat in fighters:
        own = [slot for slot in asked if slot.seat == seat]
        wanted = always or bool(own)
        if seat != winner and wanted and nato8(world.board, world.held(seat)) and world.nato_eight(seat):
            for slot in own:
                world.rule(slot, Fate.DONE, "rematch_granted", "K32", country=country)
            return True
    return False


def _not_decided(world: World, battle: Battle, members: list[Slot]) -> None:
    country, fighters = battle.country, battle.fighters
    over = world.turn.over and world.options["battles"] == "reported"
    if over and not battle.reports:  # a dispute is the organizer's to decide (K33)
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


def leftovers(world: World) -> None:
    """Results, reports, choices and rematches of battles that don't happen (K32, K33)."""
    drawn = world.options["battles"] == "drawn"
    for (country, attempt), winner in sorted(world.table.results.items()):
        if drawn or (country, attempt) not in world.used:
            world.say(ResultIgnored(country, winner, attempt))
    for slot, rule in _unruled(world):
        if world.pending:
            world.rule(slot, None, "waits_battle", rule)
        else:
            world.rule(slot, Fate.FAILED, "no_rematch" if rule == "K32" else "no_battle", rule)


def _unruled(world: World) -> Iterator[tuple[Slot, str]]:
    asked = [(slot, "K32") for slot in world.orders.rematches]
    said = [(slot, "K33") for slot in world.orders.reports]
    named = [(slot, _term_rule(order)) for slot, order in world.orders.terms.items()]
    return ((slot, rule) for slot, rule in (*asked, *said, *named) if slot not in world.fates)
