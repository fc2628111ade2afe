"""The working copy of a round: ownership while some battles are still open, and the questions rules ask of it.

A battle whose result isn't known leaves its country *open*: any fighter may turn out to own it. Questions are
answered without looking at an open country where they can be; where they can't, `Fork` asks the driver
(adjudicate.py) to go on once for every winner. So the outcome is exact for every way the battles can end,
and battles that don't touch each other cost nothing (K34).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from league.core.errors import BadInput
from league.core.events import Event
from league.core.game import Turn, Value
from league.core.json import JsonDict
from league.core.orders import Fate, OrderMail, Ruling, standing
from league.games.kuel import score
from league.games.kuel.board import Board
from league.games.kuel.events import Joined
from league.games.kuel.orders import (
    Attack,
    Bid,
    Devastate,
    Give,
    Join,
    Leave,
    MapChoice,
    Move,
    Order,
    Pass,
    Play,
    Rematch,
    Result,
    Settings,
    Take,
)
from league.games.kuel.state import AXIS_LIMIT, LIMIT, State
from league.language.conditions import Conditional

WAITS_BATTLE = Ruling(None, "waits_battle", "K34")
REPLIES = (Result, Rematch, MapChoice, Settings, Give)


class Fork(Exception):  # no error: a question that only a battle's result answers
    """What comes next depends on who wins the open battle for `country`."""

    def __init__(self, country: str) -> None:
        self.country = country


@dataclass(frozen=True, slots=True)
class Slot:
    """One order in its place: whose, in which mail, on which line. The mail's index is also the order of arrival."""

    seat: str
    mail: int
    line: int


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle without a result. `fighters` are in order of execution, the owner last (K33).

    `map` and `settings` are what a right names in the place of what is usual (K63, K64); `reports` are winners that
    fighters named and that contradict each other, so that the organizer has to decide.
    """

    country: str
    fighters: tuple[str, ...]
    attempt: int
    map: str = ""
    settings: str = ""
    reports: tuple[tuple[str, str], ...] = ()

    def facts(self) -> JsonDict:
        """The entry in `pending`."""
        entry: JsonDict = {
            "kind": "battle",
            "country": self.country,
            "fighters": list(self.fighters),
            "attempt": self.attempt,
        }
        return entry | {key: value for key, value in (("map", self.map), ("settings", self.settings)) if value}

    def dispute(self) -> JsonDict:
        """The entry in `pending` for a person to decide."""
        return {
            "kind": "decision",
            "question": "battle",
            "country": self.country,
            "attempt": self.attempt,
            "reports": [list(report) for report in self.reports],
        }


@dataclass
class Orders:
    """A turn's standing orders by kind, each with its slot; what was replaced is settled at once (K12)."""

    moves: dict[Slot, Play] = field(default_factory=dict)
    bids: dict[Slot, Bid] = field(default_factory=dict)
    gives: dict[str, tuple[Slot, Give]] = field(default_factory=dict)
    rematches: dict[Slot, Rematch] = field(default_factory=dict)
    reports: dict[Slot, Result] = field(default_factory=dict)  # in order of arrival
    terms: dict[Slot, MapChoice | Settings] = field(default_factory=dict)
    arrival: dict[str, int] = field(default_factory=dict)
    fates: dict[Slot, Ruling] = field(default_factory=dict)
    moved: bool = False


def sort_orders(turn: Turn[Order]) -> Orders:
    """Which orders count, and the rulings on those that don't (K10 to K13)."""
    orders = Orders()
    outside = [_outside(turn, mail) for mail in turn.mails]
    in_time = [index for index, ruling in enumerate(outside) if ruling is None]
    instead = dict(zip(in_time, standing([turn.mails[i] for i in in_time]).values(), strict=True))
    for index, mail in enumerate(turn.mails):  # in order of arrival, replies after the freeze among them
        ruling = outside[index]
        if ruling is None:
            other = instead[index]
            _sort_in_time(orders, index, mail, None if other is None else in_time[other])
        elif ruling.reason == "late":
            _replies_only(orders, index, mail, ruling)
        else:
            _rule_all(orders, index, mail, ruling)
    return orders


def _sort_in_time(orders: Orders, index: int, mail: OrderMail[Order], other: int | None) -> None:
    """A mail that came in time, and the one that stands in its place, if any (K12)."""
    if other is None:
        _sort_mail(orders, index, mail)
    else:
        why = "replaced" if other > index else "resend"
        _rule_all(orders, index, mail, Ruling(Fate.LAPSED, why, "K12", {"by": other + 1}))


def _outside(turn: Turn[Order], mail: OrderMail[Order]) -> Ruling | None:
    if turn.window is None or mail.received is None:
        return None
    if mail.received > turn.window.closes:
        return Ruling(Fate.INVALID, "late", "K13", {"deadline": turn.window.deadline.isoformat()})
    # Before this window and after the last one no round was open. Older mail may have named this round.
    if turn.window.before < mail.received < turn.window.opens:
        return Ruling(Fate.INVALID, "early", "K10", {"opens": turn.window.opens.isoformat()})
    return None


def _replies_only(orders: Orders, index: int, mail: OrderMail[Order], outside: Ruling) -> None:
    """A mail after the freeze: its replies count (K32, K33, K35, K63), the rest was never in play (K13)."""
    _rule_all(orders, index, mail, outside)
    replies = [line for line, written in enumerate(mail.parsed.lines) if isinstance(written.order, REPLIES)]
    for line in replies:
        slot = Slot(mail.seat, index, line)
        del orders.fates[slot]
        _enter(orders, slot, mail.parsed.lines[line].order)
    if replies and all(line.order is None or isinstance(line.order, REPLIES) for line in mail.parsed.lines):
        del orders.fates[Slot(mail.seat, index, -1)]


def _rule_all(orders: Orders, index: int, mail: OrderMail[Order], ruling: Ruling) -> None:
    for line, written in enumerate(mail.parsed.lines):
        mistake = written.mistake
        slot = Slot(mail.seat, index, line)
        orders.fates[slot] = (
            Ruling(Fate.INVALID, mistake.reason, mistake.rule, mistake.facts) if mistake is not None else ruling
        )
    orders.fates[Slot(mail.seat, index, -1)] = ruling


def _sort_mail(orders: Orders, index: int, mail: OrderMail[Order]) -> None:
    latest: dict[object, Slot] = {}
    if mail.parsed.replaces:
        orders.arrival[mail.seat] = index
    for line, written in enumerate(mail.parsed.lines):
        slot = Slot(mail.seat, index, line)
        if written.mistake is not None:
            m = written.mistake
            orders.fates[slot] = Ruling(Fate.INVALID, m.reason, m.rule, m.facts)
            continue
        order = written.order
        branches = (order.then, order.otherwise) if isinstance(order, Conditional) else (order,)
        orders.moved |= any(isinstance(one, (Take, Attack, Leave, Devastate)) for one in branches)  # K44
        key = _only_one(order)
        if key is not None and key in latest:
            _drop(orders, latest[key])
        if key is not None:
            latest[key] = slot
        _enter(orders, slot, order)


def _only_one(order: Order | None) -> object | None:
    """What a mail can say only once, so that the last line of it counts (K12)."""
    match order:
        case Take() | Attack() | Leave() | Devastate() | Join() | Pass() | Conditional():
            return "move"
        case Bid(country, _):
            return country
    return None  # of several `give` lines the last one counts as well: _enter sees to it, for two mails too


def _drop(orders: Orders, slot: Slot) -> None:
    orders.moves.pop(slot, None)
    orders.bids.pop(slot, None)
    orders.fates[slot] = Ruling(Fate.LAPSED, "superseded_line", "K12")


def _enter(orders: Orders, slot: Slot, order: Order | None) -> None:
    match order:
        case Take() | Attack() | Leave() | Devastate() | Join() | Pass() | Conditional():
            orders.moves[slot] = order
            if isinstance(order, Pass):
                orders.fates[slot] = Ruling(Fate.DONE, "pass", "K14")
        case Bid():
            orders.bids[slot] = order
        case Give():
            if slot.seat in orders.gives:
                orders.fates[orders.gives[slot.seat][0]] = Ruling(Fate.LAPSED, "superseded_line", "K12")
            orders.gives[slot.seat] = (slot, order)
        case Rematch():
            orders.rematches[slot] = order
        case Result():
            orders.reports[slot] = order
        case MapChoice() | Settings():
            orders.terms[slot] = order


@dataclass(frozen=True, slots=True)
class Table:
    """What doesn't change during a round: the board, the options, the state at its start, and all that is known."""

    board: Board
    options: Mapping[str, Value]
    start: State
    turn: Turn[Order]
    orders: Orders
    results: Mapping[tuple[str, int], str]
    held: Mapping[str, int]  # each seat's countries at the end of the round before, as a mask (K71)


def results_of(board: Board, turn: Turn[Order]) -> dict[tuple[str, int], str]:
    """Battle results given so far, by country and attempt (K33)."""
    results: dict[tuple[str, int], str] = {}
    for decision in turn.decisions:
        if decision.kind == "result":
            country, winner = str(decision.facts["country"]), str(decision.facts["winner"])
            attempt = decision.facts.get("attempt", 1)
            if country not in board.by_id:
                raise BadInput(f"results: no country '{country}'")
            if attempt not in (1, 2):
                raise BadInput(f"results: attempt is {attempt!r} for {country}; 1 or 2 is needed (K32)")
            key = (country, int(str(attempt)))
            if results.setdefault(key, winner) != winner:
                raise BadInput(f"results: {country} (attempt {attempt}) is won by {results[key]} and by {winner}")
    return results


def holdings(board: Board, state: State) -> dict[str, int]:
    """Each seat's countries as a mask."""
    held = dict.fromkeys(state.scores, 0)
    for country, seat in state.owner.items():
        held[seat] |= board.bits[country]
    return held


Known = tuple[str | None, int | None, int | None]  # owner, civil war, devastation
Past = Known | None  # None: it hangs on an open battle


class World:
    """One way the round can go: `assumed` names winners of open battles that some rule had to know."""

    def __init__(self, table: Table, assumed: Mapping[str, str | None]) -> None:
        start = table.start
        self.table, self.board, self.start, self.turn = table, table.board, start, table.turn
        self.orders, self.options, self.assumed = table.orders, table.options, assumed
        self.scores = dict(start.scores)
        self.owner = dict(start.owner)
        self.devastation = dict(start.devastation)
        self.civil_war = dict(start.civil_war)
        self.payments = dict(start.payments)
        self.auctions = dict(start.auctions)
        self.month_start = dict(start.month_start)
        self.newcomers = [*start.newcomers, *table.turn.joined]
        self.fresh: set[tuple[str, str]] = set()  # markers placed this round aren't counted down in it
        self.events: list[Event] = []
        self.fates = dict(table.orders.fates)
        self.pending: list[Battle] = []
        self.open: dict[str, tuple[str, ...]] = {}
        self.used: set[tuple[str, int]] = set()
        self.chosen: dict[Slot, Move] = {}  # what conditional orders came to
        self.contested: set[str] = set()  # countries whose contest is over (K22)
        self.past: dict[str, list[Past]] = {}  # of each country that changed in step 3, how it was after each change
        self.faults: list[str] = []

    # Questions about ownership

    def owner_of(self, country: str) -> str | None:
        """The owner at this moment, None where there is none."""
        if country in self.open:
            raise Fork(country)
        return self.owner.get(country)

    def reaches(self, seat: str, country: str) -> bool:
        """Whether the seat owns a neighbour of the country (K28)."""
        unsure = None
        for near in self.board.neighbours[country]:
            if near in self.open:
                unsure = near if seat in self.open[near] else unsure
            elif self.owner.get(near) == seat:
                return True
        if unsure is not None:
            raise Fork(unsure)
        return False

    def at_least(self, seat: str, number: int) -> bool:
        """Whether the seat owns so many countries or more."""
        return self._reached(seat, number, self.board.bits)

    def _reached(self, seat: str, number: int, among: Iterable[str]) -> bool:
        sure, unsure = 0, []
        for country in among:
            if country in self.open:
                if seat in self.open[country]:
                    unsure.append(country)
            elif self.owner.get(country) == seat:
                sure += 1
        if sure >= number:
            return True
        if sure + len(unsure) < number:
            return False
        raise Fork(unsure[0])

    def at_limit(self, seat: str) -> bool:
        """Whether the seat may gain no further country (K4, K5, K62)."""
        if not self.at_least(seat, LIMIT):
            return False
        three = self._members("axis")
        limit = AXIS_LIMIT if three and self._reached(seat, len(three), three) else LIMIT
        return self.at_least(seat, limit)

    def move(self, slot: Slot) -> Play:
        """The order in a slot; a conditional one as it was chosen, once its place was reached."""
        return self.chosen.get(slot) or self.orders.moves[slot]

    def limit(self, seat: str) -> int:
        """The seat's limit as far as it is sure, for messages."""
        return AXIS_LIMIT if score.axis(self.board, self.mask(seat)) else LIMIT

    def nato_eight(self, seat: str) -> bool:
        """Whether the constellation of the defence bonus still stands (K32)."""
        return self._reached(seat, 8, self._members("nato"))

    def _members(self, group: str) -> list[str]:
        mask = self.board.groups[group]
        return [c.id for c in self.board.countries if c.bit & mask]

    def full(self) -> bool:
        """Whether no further player can enter (K39)."""
        most = int(self.options["max_players"])
        unsure = [c for c, fighters in self.open.items() if any(f not in self.scores for f in fighters)]
        if len(self.scores) >= most:
            return True
        if len(self.scores) + len(unsure) < most:
            return False
        raise Fork(unsure[0])

    def mask(self, seat: str) -> int:
        """The seat's countries as a mask; open ones count for their owner before the battle."""
        bits = self.board.bits
        return sum(bits[c] for c, owner in self.owner.items() if owner == seat)

    def held(self, seat: str) -> int:
        """The seat's countries at the end of the round before (K71)."""
        return 0 if seat in self.turn.left else self.table.held.get(seat, 0)

    # Changes

    def note(self, country: str) -> None:
        """Keep how the country is now, for what can be said while battles are open."""
        self.past.setdefault(country, []).append(None if country in self.open else self.snapshot(country))

    def snapshot(self, country: str) -> Known:
        """What may change of a country in step 3."""
        return self.owner.get(country), self.civil_war.get(country), self.devastation.get(country)

    def gain(self, seat: str, country: str) -> None:
        """The country goes to the seat; a newcomer enters with it (K37)."""
        if seat not in self.scores:
            self.scores[seat] = 0
            self.newcomers.remove(seat)
            self.events.append(Joined(country, seat))
        self.owner[country] = seat

    def say(self, event: Event) -> None:
        """Something happened."""
        self.events.append(event)

    def rule(self, slot: Slot, fate: Fate | None, reason: str, rule: str, **facts: str | int) -> None:
        """What became of the order in a slot."""
        self.fates[slot] = Ruling(fate, reason, rule, facts)

    def in_order(self, slots: Iterable[Slot]) -> list[Slot]:
        """Slots in order of execution (K20, K21): precedence, then the lower score at the start, then arrival."""

        def key(slot: Slot) -> tuple[bool, int, int]:
            ahead = not score.wp6(self.board, self.held(slot.seat))
            return ahead, self.start.scores.get(slot.seat, 0), slot.mail

        return sorted(slots, key=key)

    def precedence(self, seat: str) -> bool:
        """Whether the seat holds the precedence bonus in this round (K65)."""
        return score.wp6(self.board, self.held(seat))

    def state(self, number: int) -> State:
        """The state this world has come to."""
        return State(
            number,
            self.scores,
            self.owner,
            self.devastation,
            self.civil_war,
            self.payments,
            self.auctions,
            tuple(self.newcomers),
            self.month_start,
        )
