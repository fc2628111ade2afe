"""Auctions, civil war, collapse and what they cost (chapters 5 and 6)."""

from datetime import date, timedelta

from league.core.evidence import Evidence, reading
from league.core.game import Turn
from league.core.orders import Fate
from league.games.kuel import draws, score
from league.games.kuel.battles import MERCENARIES
from league.games.kuel.draws import Draw
from league.games.kuel.events import (
    AuctionEnded,
    AuctionOpen,
    AuctionWon,
    CivilWar,
    CivilWarAverted,
    CivilWarDrawn,
    CivilWarEnded,
    Collapse,
    CollapseAverted,
    CollapseDrawn,
    DevastationEnded,
    NoEvents,
    Reconstruction,
    ReconstructionEnded,
    WorldCollapse,
)
from league.games.kuel.orders import Order
from league.games.kuel.state import AUCTION_ROUNDS, PAYMENTS
from league.games.kuel.world import Slot, World

RECONSTRUCTION = 20  # K55
WORLD_DIVISOR = 40  # K58


def award_auctions(world: World) -> None:
    """Step 1: open auctions by number, each to the highest bid that can be paid and placed (K52 to K54)."""
    for country in world.board.sorted(world.auctions):
        bids = [slot for slot, bid in world.orders.bids.items() if bid.country == country]
        _award(world, country, bids)
    for slot, bid in world.orders.bids.items():
        if slot not in world.fates:
            world.rule(slot, Fate.FAILED, "no_auction", "K52", country=bid.country)


def _award(world: World, country: str, bids: list[Slot]) -> None:
    placed = {slot: rank for rank, slot in enumerate(world.in_order(bids))}
    valid = [slot for slot in bids if _payable(world, slot, country)]
    valid.sort(key=lambda slot: (-_counted(world, slot), placed[slot]))
    listed = sorted(bids, key=lambda slot: (-_counted(world, slot), placed[slot]))
    published = tuple((s.seat, world.orders.bids[s].amount, _counted(world, s)) for s in listed)  # K56
    if not valid:
        return world.say(AuctionOpen(country, world.auctions[country] - 1, published))
    winner, extra = valid[0], MERCENARIES if country in world.civil_war else 0
    named = world.orders.bids[winner].amount
    for slot in valid[1:]:
        world.rule(slot, Fate.FAILED, "outbid", "K52", by=winner.seat, counted=_counted(world, winner))
    world.rule(winner, Fate.DONE, "done", "K52")
    world.scores[winner.seat] -= named + extra
    del world.auctions[country]
    world.civil_war.pop(country, None)
    world.gain(winner.seat, country)
    return world.say(AuctionWon(country, winner.seat, named, extra, published))


def _payable(world: World, slot: Slot, country: str) -> bool:
    fault = bid_fault(world, slot.seat, country, world.orders.bids[slot].amount)
    if fault is None:
        return True
    reason, rule, facts = fault
    world.rule(slot, Fate.FAILED, reason, rule, **facts)
    return False


def bid_fault(world: World, seat: str, country: str, amount: int) -> tuple[str, str, dict[str, str | int]] | None:
    """Why a bid can't be paid or placed now: reason, rule, facts."""
    need = amount + (MERCENARIES if country in world.civil_war else 0)
    if seat not in world.scores:
        return "newcomer_bid", "K52", {}
    if need > world.scores[seat]:
        return "cannot_pay", "K15", {"need": need, "has": world.scores[seat]}
    if world.at_limit(seat):
        return "at_limit", "K4", {"limit": world.limit(seat)}
    return None


def _counted(world: World, slot: Slot) -> int:
    """What a bid counts: double with the currency bonus, held before the round and still now (K69, K71)."""
    seat, amount = slot.seat, world.orders.bids[slot].amount
    holds = score.swiss_alone(world.board, world.held(seat)) and score.swiss_alone(world.board, world.mask(seat))
    return 2 * amount if holds else amount


def friday(turn: Turn[Order]) -> date | None:
    """The Friday whose close counts: the one before the draw's Saturday, else the one the deadline leads to."""
    lotto = balls(turn)
    if lotto is not None:
        return lotto.day - timedelta(1)
    close = reading(turn.evidence, "dax_close")
    return draws.friday_of(close.day) if close else None


def balls(turn: Turn[Order]) -> Evidence | None:
    """The Saturday's draw, in order if that is known (K51)."""
    return reading(turn.evidence, "lotto") or reading(turn.evidence, "lotto_set")


def civil_war_draw(world: World) -> Draw | None:
    """What the close says, None while it isn't known (K46)."""
    close, day = reading(world.turn.evidence, "dax_close"), friday(world.turn)
    if close is None or day is None:
        return None
    rate = reading(world.turn.evidence, "eurusd")
    return draws.civil_war(close, rate, day, str(world.options["rounding"]), len(world.board.countries))


def collapse_draw(world: World) -> Draw | None:
    """What the lottery says, None while it isn't known (K50)."""
    lotto = balls(world.turn)
    if lotto is None:
        return None
    return draws.collapse(lotto, str(world.options["lotto_order"]), len(world.board.countries))


def civil_war(world: World) -> None:
    """Step 4 (K45 to K49); falls out in a week without a move (K44)."""
    if not world.orders.moved:
        return world.say(NoEvents())
    draw = civil_war_draw(world)
    if draw is None:
        return None  # can't be: a round without its close is pending
    if draw.number is None:
        return world.say(CivilWarDrawn(None, None, draw.steps))
    country = world.board.numbered(draw.number)
    world.say(CivilWarDrawn(country, draw.number, draw.steps))
    owner = world.owner.get(country)
    if country in world.civil_war:
        return world.say(CivilWarAverted(country, None, "already", "K43"))
    if owner is not None and score.moscow_wp3(world.board, world.mask(owner)):
        return world.say(CivilWarAverted(country, owner, "protected"))
    if owner is not None and score.count(world.mask(owner)) == 1:
        return world.say(CivilWarAverted(country, owner, "last_country", "K7"))
    world.civil_war[country] = int(world.options["civil_war_rounds"])
    world.fresh.add(("civil_war", country))
    world.say(CivilWar(country, owner))
    if owner is not None:
        del world.owner[country]
        _duty_ends(world, country)
    return None


def _duty_ends(world: World, country: str) -> None:
    if world.payments.pop(country, None) is not None:
        world.say(ReconstructionEnded(country))


def drop_duties(world: World) -> None:
    """Reconstruction ends where nobody owns the country any more (K55)."""
    for country in world.board.sorted(c for c in world.payments if c not in world.owner):
        _duty_ends(world, country)


def collapse(world: World) -> None:
    """Step 5 (K50 to K59)."""
    draw = collapse_draw(world)
    if not world.orders.moved or draw is None:
        return None
    country = world.board.numbered(draw.number) if draw.number else None
    world.say(CollapseDrawn(country, draw.number, draw.world, draw.steps))
    if draw.world:
        return _world_collapse(world)
    if country is None:
        return None
    owner = world.owner.get(country)
    if country in world.devastation:
        return world.say(CollapseAverted(country, None, "devastated"))
    if country in world.payments or country in world.auctions:
        return world.say(CollapseAverted(country, owner, "already"))
    if owner is not None and score.weu7(world.board, world.mask(owner)):
        return world.say(CollapseAverted(country, owner, "protected", "K59"))
    marker, rounds = (world.auctions, AUCTION_ROUNDS) if owner is None else (world.payments, PAYMENTS)
    marker[country] = rounds
    world.fresh.add(("collapse", country))
    return world.say(Collapse(country, owner))


def _world_collapse(world: World) -> None:
    for seat in sorted(world.scores):
        before = world.scores[seat]
        world.scores[seat] = before // WORLD_DIVISOR if before > 0 else before
        world.say(WorldCollapse(seat, before, world.scores[seat]))


def reconstruct(world: World) -> None:
    """Step 6: who owns a collapsed country pays for it, from the round after the collapse on (K55)."""
    for country in world.board.sorted(world.payments):
        if ("collapse", country) in world.fresh:
            continue
        seat, due = world.owner[country], RECONSTRUCTION
        if world.options["debt"] == "stop_at_zero":
            due = min(due, max(world.scores[seat], 0))
        world.scores[seat] -= due
        world.payments[country] -= 1
        left = world.payments[country]
        if left == 0:
            del world.payments[country]
        world.say(Reconstruction(country, seat, due, left))


def count_down(world: World) -> None:
    """Step 8: markers that end by themselves lose a round, those placed in this round don't (K72)."""
    for country in _count(world, world.devastation, "devastation"):
        world.say(DevastationEnded(country))
    for country in _count(world, world.auctions, "collapse"):
        world.say(AuctionEnded(country))
    if world.options["civil_war_rounds"]:
        for country in _count(world, world.civil_war, "civil_war"):
            world.say(CivilWarEnded(country))


def _count(world: World, marker: dict[str, int], kind: str) -> list[str]:
    ended = []
    for country in world.board.sorted(marker):
        if (kind, country) in world.fresh:
            continue
        marker[country] -= 1
        if marker[country] == 0:
            del marker[country]
            ended.append(country)
    return ended
