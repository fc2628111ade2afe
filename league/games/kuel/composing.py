"""What a seat may write with a position, order by order, and what the rules say to each (chapter 11, K14).

Each order is judged alone, by the functions that judge it in a round. What isn't listed at all nobody would want:
a country of others can't be left, and a player can't join.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from league.core.composing import Choice, Composing, Pick, Sentence
from league.core.game import Turn, Value
from league.core.orders import Fate, Line, OrderMail, Parsed, Rehearsed, Ruling
from league.games.kuel import score
from league.games.kuel.adjudicate import adjudicate
from league.games.kuel.battles import MERCENARIES
from league.games.kuel.board import Board
from league.games.kuel.economy import bid_fault
from league.games.kuel.moves import DEVASTATION_PRICE, claim_fault, join_fault, leave_fault
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
from league.games.kuel.phases import BEFORE_MOVES
from league.games.kuel.rehearsal import Prospect, Verdict, judge
from league.games.kuel.state import State
from league.games.kuel.world import Orders, Slot, Table, World, holdings

Label = Callable[[str, str], str]
Fault = tuple[str, str, dict[str, str | int]] | None
LANGS: Final = ("de", "en", "nl")
MOVE = "move"  # of which a mail has one (K12)


KEPT: Final = ("take", "attack", "join", "bid", "leave", "devastate", "give", "pass")  # in standing orders
KEEP: Final = {"de": "dauernd: {line}", "en": "standing: {line}", "nl": "blijvend: {line}"}


def _said(kind: str, group: str, de: str, en: str, nl: str) -> Sentence:
    return Sentence(kind, {"de": de, "en": en, "nl": nl}, group, keeps=kind in KEPT)


SENTENCES: Final = (
    _said("take", MOVE, "nimm {land}", "take {land}", "neem {land}"),
    _said("attack", MOVE, "greife {land} an", "attack {land}", "val {land} aan"),
    _said("join", MOVE, "einsteigen in {land}", "join {land}", "doe mee in {land}"),
    _said("bid", "bid {land}", "biete {number} auf {land}", "bid {number} on {land}", "bied {number} op {land}"),
    _said("leave", MOVE, "verlasse {land}", "leave {land}", "verlaat {land}"),
    _said("devastate", MOVE, "verwüste {land}", "devastate {land}", "verwoest {land}"),
    _said("give", "give", "gib ab {land}", "give {land}", "geef {land}"),
    _said("rematch", "rematch {land}", "Revanche {land}", "rematch {land}", "herkansing {land}"),
    _said("map", "map {land}", "Karte {land}: {pick}", "map {land}: {pick}", "kaart {land}: {pick}"),
    _said(
        "settings",
        "settings {land}",
        "Einstellungen {land}: {text}",
        "settings {land}: {text}",
        "instellingen {land}: {text}",
    ),
    _said("pass", MOVE, "passe", "pass", "pas"),
)
REPLIES: Final = (
    _said("result", "result {land}", "Ergebnis {land} {pick}", "result {land} {pick}", "uitslag {land} {pick}"),
    *(Sentence(s.kind, s.text, s.group) for s in SENTENCES if s.kind in ("rematch", "map", "settings")),
)
WON: Final = Pick({"de": "gewonnen", "en": "won", "nl": "gewonnen"})
LOST: Final = Pick({"de": "verloren", "en": "lost", "nl": "verloren"})
WINNER: Final = {"de": "Sieger {seat}", "en": "winner {seat}", "nl": "winnaar {seat}"}
DUEL: Final = 2


def composing(
    board: Board, options: Mapping[str, Value], label: Label, state: State, seat: str, known: Turn[Order] | None = None
) -> Composing:
    """All that the seat may write; with a round that waits its replies alone."""
    desk = _Desk(board, options, label, state, seat)
    if known is not None:
        return Composing(REPLIES, tuple(desk.replies(known)))
    purse = state.scores.get(seat)
    keep = KEEP if options["standing"] == "on" else None
    return Composing(SENTENCES, tuple(desk.orders()), None if purse is None else max(purse, 0), keep)


@dataclass(frozen=True)
class _Desk:
    """One seat's choices in the making."""

    board: Board
    options: Mapping[str, Value]
    label: Label
    state: State
    seat: str

    @cached_property
    def world(self) -> World:
        """The moment before the first move, if nobody has ordered anything."""
        start = Table(
            self.board, self.options, self.state, self._turn(), Orders(), {}, holdings(self.board, self.state)
        )
        world = World(start, {})
        for step in BEFORE_MOVES:
            step(world)
        return world

    def _turn(self, *orders: Order) -> Turn[Order]:
        known = self.seat in self.state.scores or self.seat in self.state.newcomers
        mail: OrderMail[Order] = OrderMail(self.seat, Parsed(tuple(Line("", one) for one in orders)))
        return Turn(mails=(mail,) if orders else (), joined=() if known else (self.seat,))

    def _prospect(self, *bids: Bid) -> Prospect:
        orders = Orders(bids={Slot(self.seat, 0, line): bid for line, bid in enumerate(bids)})
        return Prospect(self.board, self.state, self.seat, orders)

    @cached_property
    def alone(self) -> Prospect:
        """What the seat can know if it bids for nothing."""
        return self._prospect()

    @cached_property
    def bidding(self) -> Prospect:
        """The same if it bids wherever it can: what fails may go through for who wins an auction first."""
        return self._prospect(*(Bid(country, 1) for country in self.board.sorted(self.state.auctions)))

    def orders(self) -> Iterator[Choice]:
        """In the order of the table in chapter 11."""
        if self.alone.plays:
            for country in (c.id for c in self.board.countries):
                yield from self._leaving(country) if country in self.alone.owned else self._claims(country)
            yield from self._bids()
            yield from self._gifts()
            yield from self._rights(self.alone.owned, claims=True)
        else:
            yield from self._entries()
        yield self._done("pass", Pass(), "", "K14")

    def _claims(self, country: str) -> Iterator[Choice]:
        war = country in self.state.civil_war
        for kind, order in (("take", Take(country)), ("attack", Attack(country))):
            fault = claim_fault(self.world, self.seat, country, take=kind == "take")
            yield self._judged(kind, order, country, fault, "K24", cost=MERCENARIES if war else 0)

    def _leaving(self, country: str) -> Iterator[Choice]:
        for kind, order, price, rule in (
            ("leave", Leave(country), 0, "K40"),
            ("devastate", Devastate(country), DEVASTATION_PRICE, "K41"),
        ):
            fault = leave_fault(self.world, self.seat, country, price)
            yield self._judged(kind, order, country, fault, rule, cost=price)

    def _bids(self) -> Iterator[Choice]:
        for country in self.board.sorted(self.state.auctions):
            extra = MERCENARIES if country in self.state.civil_war else 0  # K54
            high = self.alone.score - extra
            bid, fault = Bid(country, 1), bid_fault(self.world, self.seat, country, 1)
            prospect = self._prospect(bid) if fault is None else self.bidding
            yield self._choice("bid", judge(prospect, bid, _ruling(fault, "K52")), country, 1, high, extra)

    def _gifts(self) -> Iterator[Choice]:
        """An edge country to be given up should a newcomer find none free (K35)."""
        if not self.alone.gifts or len(self.alone.owned) == 1:
            return
        for country in self.board.edge_ids:
            if country in self.alone.owned and country not in self.state.payments:
                lapses = Ruling(Fate.LAPSED, "give_not_needed", "K35")
                ruling, certain, hinges = judge(self.alone, Give(country), lapses)
                yield Choice("give", Rehearsed(0, 0, ruling, certain, hinges), True, country)

    def _rights(self, countries: frozenset[str], *, claims: bool) -> Iterator[Choice]:
        """What rights allow who holds them, where battles are fought by people (K32, K63, K64)."""
        if self.options["battles"] != "reported":
            return
        near = {n for c in countries for n in self.board.neighbours[c]} if claims else set()
        if self.alone.holds(self.seat, score.nato8):
            for country in self.board.sorted(countries | near):
                yield self._done("rematch", Rematch(country), country, "K32")
        for country in self.board.sorted(countries & self.alone.owned):
            if self.alone.holds(self.seat, score.eu10):
                yield self._done("map", MapChoice(country, country), country, "K63", self._maps)
            if self.alone.holds(self.seat, score.eu10_brussels):
                yield self._done("settings", Settings(country, "-"), country, "K64")

    @cached_property
    def _maps(self) -> tuple[Pick, ...]:
        return tuple(Pick({lang: self.label(c.id, lang) for lang in LANGS}) for c in self.board.countries)

    def _entries(self) -> Iterator[Choice]:
        if self.alone.gifts:  # he gets what is given, whatever he names (K35)
            first = self.board.edge_ids[0]
            ruling = adjudicate(self.board, self.options, self.state, self._turn(Join(first))).fates[0].own
            for country in self.board.edge_ids:
                yield self._choice("join", judge(self.alone, Join(country), ruling), country)
            return
        for country in (c.id for c in self.board.countries):
            yield self._judged("join", Join(country), country, join_fault(self.world, self.seat, country), "K37")

    def replies(self, known: Turn[Order]) -> Iterator[Choice]:
        """Reports of battles that wait for a result, and what rights say of them (K32, K33)."""
        if self.options["battles"] != "reported":
            return
        mine: dict[str, Sequence[str]] = {}
        for item in adjudicate(self.board, self.options, self.state, known).pending:
            fighters = item.get("fighters")
            if item["kind"] == "battle" and isinstance(fighters, list) and self.seat in fighters:
                mine[str(item["country"])] = [str(one) for one in fighters]
        for country, fighters in mine.items():
            picks = (WON, LOST) if len(fighters) == DUEL else tuple(Pick(WINNER, one) for one in fighters)
            yield self._done("result", Result(country, "won"), country, "K33", picks)
        yield from self._rights(frozenset(mine), claims=False)

    def _judged(self, kind: str, order: Order, country: str, fault: Fault, rule: str, cost: int = 0) -> Choice:
        prospect = self.alone if fault is None else self.bidding
        return self._choice(kind, judge(prospect, order, _ruling(fault, rule)), country, cost=cost)

    def _done(self, kind: str, order: Order, country: str, rule: str, picks: tuple[Pick, ...] = ()) -> Choice:
        ruling, certain, hinges = judge(self.alone, order, Ruling(Fate.DONE, "done", rule))
        return Choice(kind, Rehearsed(0, 0, ruling, certain, hinges), True, country, picks=(picks,) if picks else ())

    def _choice(
        self,
        kind: str,
        verdict: Verdict,
        country: str,
        low: int = 0,
        high: int = 0,
        cost: int = 0,
    ) -> Choice:
        ruling, certain, hinges = verdict
        is_open = ruling.fate in (Fate.DONE, None)
        return Choice(
            kind, Rehearsed(0, 0, ruling, certain, hinges), is_open, country, low, high, cost=cost, spends=kind == "bid"
        )


def _ruling(fault: Fault, rule: str) -> Ruling:
    """What the rules say to an order that nobody crosses."""
    if fault is None:
        return Ruling(Fate.DONE, "done", rule)
    reason, broken, facts = fault
    return Ruling(Fate.FAILED, reason, broken, facts)
