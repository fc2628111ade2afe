"""What the rules say to a seat's own orders before the deadline, and what of it others can still change.

The orders are carried out as if nobody else had sent any; then each fate is looked at by its reason. `certain` is
said only of what holds for every set of orders, reports, newcomers and retirements of others: a player makes one
move a round (K12), all orders on a country are judged at the same moment (K23), scores only fall before a move.
Nothing but the public position and the seat's own orders is looked at (K90).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from league.core.game import Turn, Value
from league.core.json import Json
from league.core.orders import Fate, Hinge, OrderMail, Rehearsed, Ruling
from league.games.kuel import score
from league.games.kuel.adjudicate import adjudicate
from league.games.kuel.battles import MERCENARIES
from league.games.kuel.board import Board
from league.games.kuel.moves import DEVASTATION_PRICE
from league.games.kuel.orders import (
    Attack,
    Bid,
    Devastate,
    Give,
    Join,
    Leave,
    MapChoice,
    Order,
    Pass,
    Rematch,
    Result,
    Settings,
    Take,
)
from league.games.kuel.state import AXIS_LIMIT, LIMIT, State
from league.games.kuel.world import Orders, Slot, sort_orders
from league.language.conditions import Conditional


@dataclass(frozen=True)
class Prospect:
    """What a seat can know of a round to come: bounds on what it and the others will own at the seat's move."""

    board: Board
    state: State
    seat: str
    orders: Orders

    @property
    def plays(self) -> bool:
        """Whether the seat is in the game already."""
        return self.seat in self.state.scores

    @cached_property
    def score(self) -> int:
        """The points at the start; they can only get fewer until the moves are over."""
        return self.state.scores.get(self.seat, 0)

    @cached_property
    def owned(self) -> frozenset[str]:
        """The seat's countries at the start."""
        return frozenset(self.state.owned(self.seat))

    @cached_property
    def auctions(self) -> Mapping[str, int]:
        """The seat's bids on what is up for auction, with what each would cost in all (K54)."""
        war = self.state.civil_war
        return {
            bid.country: bid.amount + (MERCENARIES if bid.country in war else 0)
            for bid in self.orders.bids.values()
            if bid.country in self.state.auctions
        }

    @cached_property
    def may_own(self) -> frozenset[str]:
        """All that the seat can own when its move comes: nothing but an auction adds to it."""
        return self.owned | frozenset(self.auctions)

    @cached_property
    def least_points(self) -> int:
        """The points when the move comes, every bid won."""
        return self.score - sum(self.auctions.values())

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The other players."""
        return tuple(s for s in self.state.scores if s != self.seat)

    def holds(self, seat: str, test: Callable[[Board, int], bool]) -> bool:
        """Whether a seat holds a constellation's right in this round (K71)."""
        return test(self.board, self.board.mask(self.state.owned(seat)))

    @cached_property
    def ahead(self) -> bool:
        """Whether the seat has the right of precedence (K65)."""
        return self.holds(self.seat, score.wp6)

    @cached_property
    def first(self) -> bool:
        """Whether no other player's move can come before the seat's (K20); newcomers take nothing from anybody."""
        if self.ahead:
            return True
        scores = self.state.scores
        return all(self.score < scores[s] and not self.holds(s, score.wp6) for s in self.others)

    @cached_property
    def gifts(self) -> bool:
        """Whether an edge country may have to be given up (K35): one that is free now stays so until then."""
        s = self.state
        markers = (s.owner, s.devastation, s.civil_war, s.auctions, s.payments)
        return all(any(c in marker for marker in markers) for c in self.board.edge_ids)

    def near(self, country: str, seat: str) -> bool:
        """Whether a player can own a neighbour of the country when his move comes."""
        owner, auctions = self.state.owner, self.state.auctions
        return any(owner.get(n) == seat or n in auctions for n in self.board.neighbours[country])

    def keeps(self, country: str) -> bool:
        """Whether the country is the seat's when its move comes, whatever the others do."""
        if country not in self.owned:
            return False
        if len(self.may_own) == 1:
            return True  # K6
        if self.gifts and self.board.by_id[country].edge and country not in self.state.payments:
            return False
        return self.first or not any(self.near(country, other) for other in self.others)

    @cached_property
    def sure(self) -> frozenset[str]:
        """The countries that it keeps."""
        return frozenset(c for c in self.owned if self.keeps(c))

    def reaches(self, country: str) -> bool:
        """Whether the seat surely owns a neighbour when its move comes (K28)."""
        return any(n in self.sure for n in self.board.neighbours[country])

    @cached_property
    def room(self) -> bool:
        """Whether the seat is surely below its limit (K4)."""
        return len(self.may_own) < LIMIT

    @cached_property
    def most(self) -> int:
        """The highest limit it can have (K62)."""
        axis = self.board.groups["axis"]
        return AXIS_LIMIT if axis and self.board.mask(self.may_own) & axis == axis else LIMIT

    def rivals(self, country: str) -> bool:
        """Whether anybody else can claim or attack the country."""
        state = self.state
        war = country in state.civil_war
        able = (s for s in self.others if s != state.owner.get(country) and (not war or state.scores[s] >= MERCENARIES))
        if any(self.near(country, s) for s in able):
            return True
        return self.board.by_id[country].edge and not war and country not in state.owner  # newcomers (K37)


Verdict = tuple[Ruling, bool, tuple[Hinge, ...]]
SURE: Final = ()


def rehearse(
    board: Board, options: Mapping[str, Value], state: State, seat: str, mails: Sequence[OrderMail[Order]]
) -> tuple[Rehearsed, ...]:
    """Each line that counts with what would become of it (K90: from the seat's own orders alone)."""
    known = seat in state.scores or seat in state.newcomers
    turn = Turn(mails=tuple(m for m in mails if m.seat == seat), joined=() if known else (seat,))
    orders = sort_orders(turn)
    fates = adjudicate(board, options, state, turn).fates
    prospect = Prospect(board, state, seat, orders)
    told = []
    for at, mail in enumerate(turn.mails):
        for line, written in enumerate(mail.parsed.lines):
            out = orders.fates.get(Slot(seat, at, line))
            if written.order is not None and (out is None or out.fate is Fate.DONE):
                verdict = judge(prospect, written.order, fates[at].lines[line])
                told.append(Rehearsed(at, line, *verdict))
    return tuple(told)


def judge(p: Prospect, order: Order, ruling: Ruling) -> Verdict:
    """What may be said of an order's fate before the deadline: it, whether it is certain, what it hangs on."""
    match order:
        case Pass():
            return ruling, True, SURE
        case Take(country) | Attack(country):
            return _claim(p, country, ruling)
        case Leave(country):
            return _leave(p, country, 0, ruling)
        case Devastate(country):
            return _leave(p, country, DEVASTATION_PRICE, ruling)
        case Join(country):
            return _join(p, country, ruling)
        case Bid():
            return _bid(p, order, ruling)
        case Conditional():  # what it names isn't known before its place
            return _hangs(ruling if ruling.fate is not None else Ruling(None, "reply", "11"), Hinge("if_condition"))
        case Give():
            return (ruling, True, SURE) if not p.gifts else (ruling, False, (Hinge("unless_needed"),))
        case _:
            return _reply(p, order)


def _hangs(ruling: Ruling, *hinges: Hinge | None) -> Verdict:
    """Certain where nothing is left that it hangs on."""
    left = tuple(hinge for hinge in hinges if hinge is not None)
    return ruling, not left, left


def _unless(ruling: Ruling, sure: bool, code: str, **facts: Json) -> Verdict:
    return _hangs(ruling, None if sure else Hinge(code, facts))


def _claim(p: Prospect, country: str, ruling: Ruling) -> Verdict:  # one line a reason, in K23's order
    state = p.state
    match ruling.reason:
        case "newcomer_move" | "devastated":  # nothing ends devastation before its time
            return ruling, True, SURE
        case "own_country":
            return _unless(ruling, p.keeps(country), "unless_lost", country=country)
        case "not_neighbour":
            sure = p.may_own.isdisjoint(p.board.neighbours[country])
            return _unless(ruling, sure, "unless_won_near", country=country)
        case "last_country":
            return _hangs(ruling, Hinge("unless_second", {"seat": state.owner[country]}))
        case "open_auction":
            return _hangs(ruling, Hinge("unless_awarded"))
        case "at_limit":
            return _unless(ruling, len(p.sure) >= p.most, "unless_fewer")
        case "no_mercenaries":
            return _unless(ruling, p.score < MERCENARIES, "unless_outbid")
        case "occupied":
            return _hangs(ruling, Hinge("unless_left", {"seat": state.owner[country]}))
    return _claimed(p, country, ruling)


def _claimed(p: Prospect, country: str, ruling: Ruling) -> Verdict:
    """A claim or attack that goes ahead: what it takes for that."""
    owner = p.state.owner.get(country)
    common = (
        None if p.reaches(country) else Hinge("if_near", {"country": country}),
        None if p.room else Hinge("if_room"),
        None if country not in p.state.civil_war or p.least_points >= MERCENARIES else Hinge("if_points"),
    )
    if owner is not None:
        battle = Ruling(None, "battle", "K25", {"country": country, "seat": owner})
        passed = None if p.ahead or not p.rivals(country) else Hinge("if_not_passed")
        return _hangs(battle, Hinge("if_owner_stays", {"seat": owner}), *common, passed)
    alone = None if p.ahead or not p.rivals(country) else Hinge("if_unclaimed")
    return _hangs(ruling, alone, *common)


def _leave(p: Prospect, country: str, price: int, ruling: Ruling) -> Verdict:
    match ruling.reason:
        case "not_owner":
            return _unless(ruling, country not in p.may_own, "unless_auction", country=country)
        case "last_country":
            return _unless(ruling, len(p.may_own) == 1, "unless_won_any")
        case "reconstruction":
            return ruling, True, SURE  # it ends only with ownership, and then the country can't be left either
        case "no_points":
            return _unless(ruling, price > p.score, "unless_outbid")
    return _hangs(
        ruling,
        None if country in p.sure else Hinge("if_kept", {"country": country}),
        None if len(p.sure - {country}) > 0 else Hinge("if_another"),
        None if not price or price <= p.least_points else Hinge("if_points"),
    )


def _join(p: Prospect, country: str, ruling: Ruling) -> Verdict:
    state = p.state
    match ruling.reason:
        case "not_newcomer" | "not_edge":  # without a free edge country he would be given one
            return ruling, True, SURE
        case "field_marked":
            lasts = country in state.devastation or (country in state.civil_war and country not in state.auctions)
            return _unless(ruling, lasts, "unless_cleared")
        case "occupied":
            return _hangs(ruling, Hinge("unless_left", {"seat": state.owner[country]}))
        case "full":
            return _hangs(ruling, Hinge("unless_place"))
        case "given":
            return _hangs(ruling, Hinge("if_no_edge"))
        case "nobody_gives":
            return _hangs(ruling, Hinge("unless_giver"))
    return _hangs(ruling, Hinge("if_unclaimed"), Hinge("if_place"))


def _bid(p: Prospect, bid: Bid, ruling: Ruling) -> Verdict:
    need = bid.amount + (MERCENARIES if bid.country in p.state.civil_war else 0)
    match ruling.reason:
        case "no_auction" | "newcomer_bid":
            return ruling, True, SURE
        case "cannot_pay":
            return _unless(ruling, p.score < need, "unless_outbid")
        case "at_limit":
            return _unless(ruling, len(p.owned) >= p.most, "unless_outbid")
    return _hangs(
        ruling,
        None if _highest(p, bid) else Hinge("if_highest"),
        None if p.least_points >= 0 else Hinge("if_points"),
        None if p.room or len(p.auctions) == 1 else Hinge("if_room"),
    )


def _highest(p: Prospect, bid: Bid) -> bool:
    """Whether nobody else has the points to bid as much (K15, K69); what counts is reckoned against the seat."""
    doubled = len(p.auctions) == 1 and p.holds(p.seat, score.swiss_alone)
    counted = 2 * bid.amount if doubled else bid.amount
    extra = MERCENARIES if bid.country in p.state.civil_war else 0
    return all(counted > (p.state.scores[s] - extra) * (2 if p.holds(s, score.swiss_alone) else 1) for s in p.others)


def _reply(p: Prospect, order: Rematch | MapChoice | Settings | Result) -> Verdict:
    """What is said of a battle counts if there is one, and rights are those held now (K71)."""
    match order:
        case Rematch():
            if not p.holds(p.seat, score.nato8):
                return Ruling(Fate.FAILED, "no_rematch", "K32"), True, SURE
            return _hangs(Ruling(None, "reply", "K32"), Hinge("if_lost_battle", {"country": order.country}))
        case MapChoice(country, _) | Settings(country, _):
            rule = "K63" if isinstance(order, MapChoice) else "K64"
            right = p.holds(p.seat, score.eu10 if isinstance(order, MapChoice) else score.eu10_brussels)
            if not right or country not in p.may_own:
                return Ruling(Fate.FAILED, "no_right", rule, {"country": country}), True, SURE
            return _hangs(Ruling(None, "reply", rule), Hinge("if_attacked", {"country": country}))
        case Result(country, _, _):
            return _hangs(Ruling(None, "reply", "K33"), Hinge("if_fought", {"country": country}))
