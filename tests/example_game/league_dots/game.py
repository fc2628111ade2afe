"""The rules of Dots.

D1 There is a row of dots. D2 Each round everybody may claim one; who claims a free dot alone has it. D3 If several
claim the same, nobody has it. D4 A later mail replaces the earlier one; of several lines the last counts. The match
is over when no dot is free; who has most has won.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from league.core.errors import BadInput, BadPosition
from league.core.evidence import Evidence, RandomSource
from league.core.game import Amended, Ask, Meta, Options, Outcome, Phase, Seat, Tables, Turn
from league.core.json import Json, JsonDict
from league.core.orders import Fate, Hinge, Line, MailFate, Mistake, OrderMail, Parsed, Rehearsed, Ruling, standing
from league.core.standings import Standings, ranked
from league.core.view import MapView, Region, View
from league_dots.events import Claimed, Clash
from league_dots.meta import META

NUMBER = re.compile(r"([a-z]+)\s+([0-9]{1,2})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Claim:
    """The one order there is."""

    dot: int


@dataclass(frozen=True, slots=True)
class State:
    """Who has which dot at the start of a round."""

    round: int
    seats: tuple[str, ...]
    owner: Mapping[int, str]


class Dots:
    """The rules with a league's options; holds nothing that changes."""

    def __init__(self, tables: Tables, options: Options) -> None:
        self.options: Options = {o.name: o.default for o in META.options} | dict(options)
        self.words = frozenset(word for words in tables["keywords"]["claim"].values() for word in words)
        self.names: Mapping[str, str] = tables["keywords"]["dot"]

    @property
    def meta(self) -> Meta:
        """The game's facts."""
        return META

    @property
    def dots(self) -> range:
        """All dots."""
        return range(1, int(self.options["dots"]) + 1)

    def setup(self, seats: Sequence[Seat], dice: RandomSource | None = None) -> State:  # noqa: ARG002  # no chance here
        """Nobody has anything."""
        return State(1, tuple(seat.id for seat in seats), {})

    def phase(self, state: State, known: Turn[Claim] | None = None) -> Phase | None:
        """Orders are all that a round needs."""
        if len(state.owner) == len(self.dots):
            return None
        return Phase("orders" if known is None else "evaluation", tuple(Ask(seat, "orders") for seat in state.seats))

    def parse(self, state: State, seat: str, text: str, names: Mapping[str, str] | None = None) -> Parsed[Claim]:  # noqa: ARG002  # the same words mean the same to everyone
        """Lines with an order word and a number; what doesn't begin with an order word is talk."""
        lines = tuple(self._line(line) for row in text.splitlines() if (line := row.strip()) and self._meant(line))
        return Parsed(lines, replaces=any(line.order for line in lines))

    def _meant(self, line: str) -> bool:
        return line.split(maxsplit=1)[0].casefold() in self.words

    def _line(self, line: str) -> Line[Claim]:
        found = NUMBER.fullmatch(line)
        if found is None or int(found[2]) not in self.dots:
            return Line(line, mistake=Mistake("which_dot", "D1", {"dots": len(self.dots)}))
        return Line(line, order=Claim(int(found[2])))

    def counts(self, state: State, mails: Sequence[OrderMail[Claim]]) -> tuple[tuple[Ruling | None, ...], ...]:  # noqa: ARG002  # D4 looks at mails alone
        """What D4 leaves."""
        instead = standing(mails)
        return tuple(self._counting(mail, instead[index] is None) for index, mail in enumerate(mails))

    def _counting(self, mail: OrderMail[Claim], stands: bool) -> tuple[Ruling | None, ...]:
        last = max((i for i, line in enumerate(mail.parsed.lines) if line.order), default=-1)
        overtaken = Ruling(Fate.LAPSED, "replaced", "D4")
        return tuple(
            _mistaken(line) if line.order is None else None if stands and place == last else overtaken
            for place, line in enumerate(mail.parsed.lines)
        )

    def is_reply(self, order: Claim) -> bool:  # noqa: ARG002  # a round is over with its orders
        """Nothing is asked of anybody after the freeze."""
        return False

    def is_report(self, order: Claim) -> bool:  # noqa: ARG002  # nor is anything told
        """Nothing is played outside."""
        return False

    def rehearse(self, state: State, seat: str, mails: Sequence[OrderMail[Claim]]) -> tuple[Rehearsed, ...]:  # noqa: ARG002  # all seats are alike
        """A dot that somebody has stays his; a free one hangs on the others (D2, D3)."""
        fates = self.adjudicate(state, Turn(mails=tuple(mails))).fates
        return tuple(
            Rehearsed(at, place, fates[at].lines[place], taken, () if taken else (Hinge("alone"),))
            for at, rulings in enumerate(self.counts(state, mails))
            for place, out in enumerate(rulings)
            if out is None
            for taken in (fates[at].lines[place].fate is Fate.FAILED,)
        )

    def notation(self, state: State, order: Claim) -> str:  # noqa: ARG002  # needs no position
        """The order in English."""
        return f"claim {order.dot}"

    def adjudicate(self, state: State, turn: Turn[Claim]) -> Outcome[State]:
        """Everybody at once."""
        counts = self.counts(state, turn.mails)
        wanted: dict[int, list[str]] = {}
        for mail, rulings in zip(turn.mails, counts, strict=True):
            for line, ruling in zip(mail.parsed.lines, rulings, strict=True):
                if ruling is None and line.order is not None:
                    wanted.setdefault(line.order.dot, []).append(mail.seat)
        events: list[Claimed | Clash] = []
        owner = dict(state.owner)
        for dot, claimants in sorted(wanted.items()):
            if dot not in owner and len(claimants) == 1:
                owner[dot] = claimants[0]
                events.append(Claimed(dot, claimants[0]))
            elif dot not in owner:
                events.append(Clash(dot, tuple(sorted(claimants))))
        seats = (*state.seats, *(seat for seat in turn.joined if seat not in state.seats))
        fates = tuple(self._fate(m, r, state, wanted) for m, r in zip(turn.mails, counts, strict=True))
        return Outcome(State(state.round + 1, seats, owner), tuple(events), fates)

    def _fate(
        self,
        mail: OrderMail[Claim],
        rulings: Sequence[Ruling | None],
        state: State,
        wanted: Mapping[int, Sequence[str]],
    ) -> MailFate:
        lines = tuple(
            ruling or _ruled(line.order, state, wanted) for line, ruling in zip(mail.parsed.lines, rulings, strict=True)
        )
        own = next((r for r, out in zip(lines, rulings, strict=True) if out is None), None)
        return MailFate(own or (lines[-1] if lines else Ruling(Fate.INVALID, "no_orders", "D2")), lines)

    def amend(
        self,
        current: State,
        wrong: State,
        right: State,
        since: Sequence[Mapping[str, Json]] = (),  # noqa: ARG002  # nothing told hangs on who has a dot
    ) -> Amended[State]:
        """A dot goes right where it is still as the wrong outcome left it."""
        owner = dict(current.owner)
        applied: list[JsonDict] = []
        kept: list[JsonDict] = []
        for dot in self.dots:
            was, should = wrong.owner.get(dot), right.owner.get(dot)
            if was == should:
                continue
            change: JsonDict = {"kind": "owner", "country": str(dot), "from": was, "to": should}
            if current.owner.get(dot) != was:
                kept.append({**change, "why": "moved_on", "rule": "D2"})
                continue
            applied.append(change)
            if should is None:
                owner.pop(dot, None)
            else:
                owner[dot] = should
        seats = (*current.seats, *(seat for seat in right.seats if seat not in current.seats))
        return Amended(State(current.round, seats, owner), tuple(applied), tuple(kept))

    def score(self, state: State) -> Standings:
        """Who has most."""
        counts = {seat: sum(owner == seat for owner in state.owner.values()) for seat in state.seats}
        return ranked(counts, counts)

    def view(self, before: State, outcome: Outcome[State] | None, seat: str | None) -> View:
        """Nothing is secret once the round is evaluated."""
        if outcome is None:
            return View(seat, self.position(before), before=self._map(before))
        after = outcome.state
        return View(seat, self.position(after), before=self._map(before), after=self._map(after))

    def _map(self, state: State) -> MapView:
        return MapView(tuple(Region(str(dot), state.owner.get(dot)) for dot in self.dots))

    def position(self, state: State) -> JsonDict:
        """`players` by seat with the dots they have."""
        players: JsonDict = {
            seat: {"owns": sorted(dot for dot, owner in state.owner.items() if owner == seat)} for seat in state.seats
        }
        return {"round": state.round, "players": players, "newcomers": []}

    def restore(self, position: Json) -> State:
        """And back, every fault listed."""
        faults: list[str] = []
        table = position if isinstance(position, Mapping) else {}
        players = table.get("players")
        number = table.get("round")
        if not isinstance(players, Mapping) or not isinstance(number, int):
            raise BadPosition(["position needs round, a whole number, and players, a table"])
        owner: dict[int, str] = {}
        for seat, row in players.items():
            owns = row.get("owns", []) if isinstance(row, Mapping) else None
            for dot in owns if isinstance(owns, list | tuple) else [None]:
                if dot not in self.dots:
                    faults.append(f"position.players.{seat}.owns: no dot {dot!r}")
                elif dot in owner:
                    faults.append(f"dot {dot} is owned twice, by {owner[dot]} and {seat} (D2)")
                else:
                    owner[int(str(dot))] = seat
        if faults:
            raise BadPosition(faults)
        return State(number, tuple(players), owner)

    def read_evidence(self, table: Mapping[str, Json]) -> tuple[Evidence, ...]:
        """The game needs no figures."""
        if table:
            raise BadInput(f"evidence: this game reads no figures, not even {', '.join(table)}")
        return ()

    def explain(self, week: Mapping[str, str]) -> JsonDict:
        """The game draws nothing."""
        return {"friday": week.get("friday", ""), "steps": []}

    def label(self, thing: str, lang: str) -> str:
        """What a dot is called."""
        return f"{self.names[lang]} {thing}"


def _mistaken(line: Line[Claim]) -> Ruling:
    mistake = line.mistake or Mistake("which_dot", "D1")
    return Ruling(Fate.INVALID, mistake.reason, mistake.rule, mistake.facts)


def _ruled(order: Claim | None, state: State, wanted: Mapping[int, Sequence[str]]) -> Ruling:
    if order is None:
        return Ruling(Fate.INVALID, "which_dot", "D1")
    if order.dot in state.owner:
        return Ruling(Fate.FAILED, "taken", "D2", {"dot": order.dot, "by": state.owner[order.dot]})
    if len(wanted[order.dot]) > 1:
        return Ruling(Fate.FAILED, "clash", "D3", {"dot": order.dot})
    return Ruling(Fate.DONE, "done", "D2")
