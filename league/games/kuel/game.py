"""KUEL behind the protocol that every game keeps (core/game.py)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from league.core.composing import Composing
from league.core.errors import BadInput
from league.core.evidence import Evidence, RandomSource
from league.core.game import Amended, Ask, Meta, Options, Outcome, Phase, Seat, Tables, Turn
from league.core.json import Json, JsonDict
from league.core.orders import Fate, OrderMail, Parsed, Rehearsed, Ruling
from league.core.standings import Standings, ranked
from league.core.view import View
from league.games.kuel import draws, view
from league.games.kuel.adjudicate import adjudicate
from league.games.kuel.amend import amend
from league.games.kuel.board import make_board
from league.games.kuel.composing import composing
from league.games.kuel.meta import META
from league.games.kuel.orders import Order, Result
from league.games.kuel.reader import make_reader
from league.games.kuel.rehearsal import rehearse
from league.games.kuel.state import State, position, restore
from league.games.kuel.world import REPLIES, Slot, sort_orders


class Kuel:
    """The rules with a league's options; holds nothing that changes."""

    def __init__(self, tables: Tables, options: Options) -> None:
        self.options: Options = {o.name: o.default for o in META.options} | dict(options)
        self.board = make_board(tables["board"], str(self.options["topology"]))
        self._reader = make_reader(
            tables["board"],
            tables["keywords"],
            exonyms=tables.get("exonyms"),
            conditions=self.options["conditions"] == "on",
            standing=self.options["standing"] == "on",
        )
        self._names = {field["id"]: field for field in tables["board"]["field"]}

    @property
    def meta(self) -> Meta:
        """KUEL's facts for the shell."""
        return META

    def setup(self, seats: Sequence[Seat], dice: RandomSource | None = None) -> State:  # noqa: ARG002  # KUEL starts without dice
        """Newcomers only, or the board's start list with the rest as newcomers (K39)."""
        ids = [seat.id for seat in seats]
        if self.options["start"] == "join":
            return State(1, {}, {}, newcomers=tuple(ids))
        placed = dict(zip(self.board.start, ids, strict=False))
        rest = tuple(ids[len(self.board.start) :])
        return State(1, dict.fromkeys(placed.values(), 0), placed, newcomers=rest)

    def phase(self, state: State, known: Turn[Order] | None = None) -> Phase | None:
        """Orders first; then, for each battle that can be fought, a result from each fighter. KUEL has no end."""
        if known is None:
            return Phase("orders", tuple(Ask(seat, "orders") for seat in (*sorted(state.scores), *state.newcomers)))
        reported = self.options["battles"] == "reported"
        pending = self.adjudicate(state, known).pending if reported else ()
        asks = [
            Ask(str(seat), "result", {key: value for key, value in item.items() if key != "kind"})
            for item in pending
            if item["kind"] == "battle" and isinstance(item["fighters"], list)
            for seat in item["fighters"]
        ]
        return Phase("battles" if asks else "evaluation", tuple(asks))

    def parse(self, state: State, seat: str, text: str, names: Mapping[str, str] | None = None) -> Parsed[Order]:  # noqa: ARG002  # the same words mean the same to everyone
        """A mail's fresh text, line by line (chapter 11)."""
        return self._reader.parse(text, names or {})

    def counts(self, state: State, mails: Sequence[OrderMail[Order]]) -> tuple[tuple[Ruling | None, ...], ...]:  # noqa: ARG002  # K12 looks at mails alone
        """What K12 leaves of a round's mails."""
        fates = sort_orders(Turn(mails=tuple(mails))).fates
        rulings = [
            [fates.get(Slot(mail.seat, index, line)) for line in range(len(mail.parsed.lines))]
            for index, mail in enumerate(mails)
        ]
        out = (Fate.LAPSED, Fate.INVALID)
        return tuple(tuple(r if r is not None and r.fate in out else None for r in row) for row in rulings)

    def is_reply(self, order: Order) -> bool:
        """What counts after the freeze as well (K32, K33, K35, K63, K64)."""
        return isinstance(order, REPLIES)

    def is_report(self, order: Order) -> bool:
        """A battle's result (K33)."""
        return isinstance(order, Result)

    def rehearse(self, state: State, seat: str, mails: Sequence[OrderMail[Order]]) -> tuple[Rehearsed, ...]:
        """What the rules say now to the seat's orders, certain or not."""
        return rehearse(self.board, self.options, state, seat, mails)

    def composing(self, state: State, seat: str, known: Turn[Order] | None = None) -> Composing:
        """What the seat may write with this position; `known`: of a round that waits, for its replies."""
        return composing(self.board, self.options, self.label, state, seat, known)

    def notation(self, state: State, order: Order) -> str:  # noqa: ARG002  # KUEL's notation needs no position
        """The order in English."""
        return self._reader.notation(order)

    def adjudicate(self, state: State, turn: Turn[Order]) -> Outcome[State]:
        """The round's outcome (K72)."""
        return adjudicate(self.board, self.options, state, turn)

    def amend(
        self, current: State, wrong: State, right: State, since: Sequence[Mapping[str, Json]] = ()
    ) -> Amended[State]:
        """What a correction puts into a later position."""
        return amend(self.board, self.options, current, wrong, right, since)

    def score(self, state: State) -> Standings:
        """The table by points."""
        return ranked(dict(state.scores), {seat: len(state.owned(seat)) for seat in state.scores})

    def view(self, before: State, outcome: Outcome[State] | None, seat: str | None) -> View:
        """What the seat may see (K90)."""
        return view.view(self.board, before, outcome, seat)

    def position(self, state: State) -> JsonDict:
        """The readable form described in docs/games/kuel.md."""
        return position(self.board, state)

    def restore(self, position: Json) -> State:
        """The state of a position; every fault listed."""
        return restore(self.board, int(self.options["civil_war_rounds"]), position)

    def read_evidence(self, table: Mapping[str, Json]) -> tuple[Evidence, ...]:
        """DAX close, ECB rate and lottery draw in canonical form."""
        return draws.read_evidence(table)

    def label(self, thing: str, lang: str) -> str:
        """A country's name in a language; of `country/map` the name of the battle map printed there (K31)."""
        country, _, printed = thing.partition("/")
        field = self._names.get(country)
        if field is None or printed not in ("", "map"):
            return thing
        names = field.get("battle_map", field["name"]) if printed else field["name"]
        return str(names[lang])

    def explain(self, week: Mapping[str, str]) -> JsonDict:
        """What civil war and collapse a week's figures make: `{friday, civil_war, collapse, steps}` (K46, K50)."""
        friday, saturday = week.get("friday", ""), week.get("saturday", "")
        table = {key: week[key] for key in ("dax_close", "dax_day", "eurusd", "lotto") if week.get(key)}
        evidence = {e.figure: e for e in draws.read_evidence(table | ({"lotto_day": saturday} if saturday else {}))}
        missing = [name for name in ("dax_close", "lotto") if name not in evidence]
        if missing:
            raise BadInput(f"{missing[0]} is empty; an empty answer is never a holiday")
        day = evidence["lotto"].day - timedelta(1)
        if friday and friday != day.isoformat():
            raise BadInput(f"friday is {friday}; the Friday before the draw of {evidence['lotto'].day} is {day}")
        fields = len(self.board.countries)
        rounding, order = str(self.options["rounding"]), str(self.options["lotto_order"])
        war = draws.civil_war(evidence["dax_close"], evidence.get("eurusd"), day, rounding, fields)
        if war.needs:
            raise BadInput("eurusd is empty, and the halving leaves a fraction to be rounded by it (K46)")
        fall = draws.collapse(evidence["lotto"], order, fields)
        return {
            "friday": day.isoformat(),
            "civil_war": war.number,
            "collapse": "world" if fall.world else fall.number,
            "steps": [*war.steps, *fall.steps],
        }
