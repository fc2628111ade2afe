"""EUROPA behind the protocol that every game keeps (core/game.py)."""

from collections.abc import Mapping, Sequence

from league.core.amends import all_or_nothing
from league.core.composing import Composing
from league.core.errors import BadInput
from league.core.evidence import Evidence, RandomSource
from league.core.game import Amended, Ask, Meta, Options, Outcome, Phase, Seat, Tables, Turn
from league.core.json import Json, JsonDict
from league.core.orders import OrderMail, Parsed, Rehearsed, Ruling
from league.core.standings import Standings
from league.core.view import View
from league.games.europa import draws, phases, positions, rehearsal, victory, view
from league.games.europa.board import make_board
from league.games.europa.book import sort_mails
from league.games.europa.composing import composing
from league.games.europa.meta import META
from league.games.europa.orders import Order, notation
from league.games.europa.reader import make_reader
from league.games.europa.state import END, START, State


class Europa:
    """The rules with a league's options; holds nothing that changes."""

    def __init__(self, tables: Tables, options: Options) -> None:
        self.options: Options = {o.name: o.default for o in META.options} | dict(options)
        self.board = make_board(tables)
        self.keywords = tables["keywords"]
        self._reader = make_reader(self.board, self.keywords, tables.get("talk", {}), tables.get("exonyms"))
        parties = {party.id: party.names for party in self.board.parties}
        self._names = {c.id: c.names for c in self.board.countries} | parties | dict(self.board.overlay_names)

    @property
    def meta(self) -> Meta:
        """EUROPA's facts for the shell."""
        return META

    @property
    def _per_mail(self) -> int:
        return int(self.options["elections_per_mail"])

    def setup(self, seats: Sequence[Seat], dice: RandomSource | None = None) -> State:
        """Who has come; with dice the first epoch begins at once, else at the first deadline (8.7)."""
        state = State(1, 0, START, newcomers=tuple(seat.id for seat in seats))
        if dice is None or len(seats) < META.seats[0]:
            return state
        begun = self.adjudicate(state, Turn(dice=dice)).state
        return self.restore({**self.position(begun), "round": 1})

    def phase(self, state: State, known: Turn[Order] | None = None) -> Phase | None:
        """Whose orders the deadline waits for; afterwards at most for the lottery."""
        if state.phase == END:
            return None
        if known is not None:
            return Phase("evaluation")
        seats = phases.asked(state, self._per_mail)
        return Phase(
            state.name, tuple(Ask(seat, "orders", phases.facts(state, seat, self._per_mail)) for seat in seats)
        )

    def parse(self, state: State, seat: str, text: str, names: Mapping[str, str] | None = None) -> Parsed[Order]:  # noqa: ARG002  # the same words mean the same to everyone
        """A mail's fresh text, line by line (8.3)."""
        return self._reader.parse(text)

    def counts(self, state: State, mails: Sequence[OrderMail[Order]]) -> tuple[tuple[Ruling | None, ...], ...]:
        """What M8 and the phase leave of a deadline's mails."""
        fates = sort_mails(state, mails, self._per_mail).fates
        return tuple(
            tuple(fates.get((number, row)) for row in range(len(mail.parsed.lines)))
            for number, mail in enumerate(mails)
        )

    def is_reply(self, order: Order) -> bool:  # noqa: ARG002  # nothing is asked after a deadline
        """No order counts after its deadline."""
        return False

    def is_report(self, order: Order) -> bool:  # noqa: ARG002  # nothing is fought
        """No order tells how something ended."""
        return False

    def rehearse(self, state: State, seat: str, mails: Sequence[OrderMail[Order]]) -> tuple[Rehearsed, ...]:
        """What the rules say now to the seat's orders, certain or not."""
        return rehearsal.rehearse(self.board, self.options, state, seat, mails)

    def composing(self, state: State, seat: str, known: Turn[Order] | None = None) -> Composing:
        """What the seat may write in this phase; nothing is replied to one that is over."""
        return Composing() if known is not None else composing(self.board, self.options, self.keywords, state, seat)

    def notation(self, state: State, order: Order) -> str:  # noqa: ARG002  # EUROPA's notation needs no position
        """The order in English."""
        return notation(order)

    def adjudicate(self, state: State, turn: Turn[Order]) -> Outcome[State]:
        """The deadline's outcome."""
        return phases.adjudicate(self.board, self.options, state, turn)

    def amend(
        self,
        current: State,
        wrong: State,
        right: State,
        since: Sequence[Mapping[str, Json]] = (),  # noqa: ARG002  # nothing is put right behind the next phase
    ) -> Amended[State]:
        """Phases, pawns and elections hang on each other: a wrong outcome is replaced, or recomputed (never mixed)."""
        return all_or_nothing(self, current, wrong, right)

    def score(self, state: State) -> Standings:
        """By victory points, then political points (R57)."""
        return victory.score(state)

    def view(self, before: State, outcome: Outcome[State] | None, seat: str | None) -> View:
        """What the seat may see (8.6)."""
        return view.view(self.board, before, outcome, seat)

    def position(self, state: State) -> JsonDict:
        """The readable form described in docs/games/europa.md."""
        return positions.position(state)

    def restore(self, position: Json) -> State:
        """The state of a position; every fault listed."""
        return positions.restore(self.board, position)

    def read_evidence(self, table: Mapping[str, Json]) -> tuple[Evidence, ...]:
        """The lottery's draw in canonical form."""
        return draws.read_evidence(table)

    def label(self, thing: str, lang: str) -> str:
        """What a country, a party or an overlay is called."""
        names = self._names.get(thing)
        return str(names[lang]) if names is not None else thing

    def explain(self, week: Mapping[str, str]) -> JsonDict:
        """The draw itself: which dice it makes hangs on match, round and purpose."""
        table = {key: week[key] for key in draws.KEYS if week.get(key)}
        if "saturday" in week:
            table.setdefault("lotto_day", week["saturday"])
        found = draws.read_evidence(table)
        if not found:
            raise BadInput("lotto is empty; an empty answer is never a draw")
        return {"friday": week.get("friday", ""), "steps": [f"numbers|{found[0].value}|{found[0].day}"]}
