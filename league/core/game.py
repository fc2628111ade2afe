"""The protocol between the rules of a game and everything else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, Protocol, TypeVar

from league.core.events import Event
from league.core.evidence import Evidence, RandomSource
from league.core.json import Json, JsonDict
from league.core.orders import Decision, MailFate, OrderMail, Parsed, Rehearsed, Ruling
from league.core.schedule import MarketDay, Weekly, Window
from league.core.standings import Standings
from league.core.view import View

State = TypeVar("State")
Order = TypeVar("Order")
Value = str | int | bool
Options = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Option:
    """A named ruling or setting a league chooses at its start. Choices empty: a whole number in [low, high]."""

    name: str
    default: Value
    rule: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class Meta:
    """What the shell has to know about a game before it loads the rest.

    `one_by_one`: a round opens with the report of the one before, since only then is it known what it asks for; a
    game whose matches end needs it. Its deadlines may then count from that report: `phases` are the kinds of phase
    (`Phase.kind` without a number at its end, in small letters) that can have hours of their own, and the first of the
    `draws` after a closing decides, each on a day of the week.
    `nmr_action`: what follows from too many missed rounds, unless a league says else: its organizer is told, the seat
    is retired, or offered to players who stand by.
    `open_at_end`: orders stay sealed until the match is over, because they say more than was carried out (conditions,
    untaken branches); until then events alone tell what became of them, and a record holds a commitment to the rest.
    `by_line`: a later mail takes the place of the lines that it repeats; otherwise that of the earlier one as a whole.
    """

    slug: str
    title: Mapping[str, str]
    seats: tuple[int, int]
    versions: tuple[str, ...]  # newest last
    options: tuple[Option, ...]
    presets: Mapping[str, Options]
    figures: tuple[str, ...]
    week: Weekly
    market: MarketDay
    zone: str
    dispensable: tuple[str, ...] = ()  # figures without which a round can go on: their event falls out
    open_at_end: bool = False
    by_line: bool = False
    one_by_one: bool = False
    nmr_action: str = "tell"
    phases: tuple[str, ...] = ()
    draws: tuple[MarketDay, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a match. `name` is what the player is called in mails; records know the id alone."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A reply that a phase waits for, from one seat."""

    seat: str
    kind: str
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Phase:
    """What a round is waiting for now."""

    kind: str
    asks: tuple[Ask, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn(Generic[Order]):
    """Everything known of a round: order mails in order of arrival (a seat without one is an NMR), the world's part.

    `joined` and `left` are seats that came or went since the last round; `over` ends the waiting for replies; `ends` is
    the last day of the evaluation, `next_ends` that of the next round's (None: a week later).
    """

    mails: tuple[OrderMail[Order], ...] = ()
    evidence: tuple[Evidence, ...] = ()
    decisions: tuple[Decision, ...] = ()
    dice: RandomSource | None = None
    window: Window | None = None
    joined: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    over: bool = False
    ends: date | None = None
    next_ends: date | None = None


@dataclass(frozen=True, slots=True)
class Outcome(Generic[State]):
    """A round adjudicated. With anything `pending` it is provisional: shown, never stored as the new state."""

    state: State
    events: tuple[Event, ...]
    fates: tuple[MailFate, ...]  # one for each of the turn's mails
    pending: tuple[JsonDict, ...] = ()


@dataclass(frozen=True, slots=True)
class Amended(Generic[State]):
    """A position into which the difference between a wrong outcome and the right one was put.

    Each change is a table `{kind, from, to, …}`; what could not be put right has a `why` (a code) and a `rule`.
    """

    state: State
    applied: tuple[JsonDict, ...] = ()
    not_applied: tuple[JsonDict, ...] = ()


class Game(Protocol[State, Order]):
    """Rules of one board game, a league's options filled in: no clock, no files, no dice but those handed in."""

    @property
    def meta(self) -> Meta:
        """Slug, seats, options, the figures it needs."""
        ...

    def setup(self, seats: Sequence[Seat], dice: RandomSource | None) -> State:
        """The state before the first round."""
        ...

    def phase(self, state: State, known: Turn[Order] | None = None) -> Phase | None:
        """What the round waits for; None when the match is over."""
        ...

    def parse(self, state: State, seat: str, text: str, names: Mapping[str, str] | None = None) -> Parsed[Order]:
        """A mail's fresh text, line by line. `names`: seat -> display name, for lines that name players."""
        ...

    def counts(self, state: State, mails: Sequence[OrderMail[Order]]) -> tuple[tuple[Ruling | None, ...], ...]:
        """For each line of each of a round's mails None if it counts, else why it doesn't (replaced, superseded)."""
        ...

    def is_reply(self, order: Order) -> bool:
        """Whether the order may also be sent while its round is being evaluated (a battle's result, a rematch)."""
        ...

    def is_report(self, order: Order) -> bool:
        """Whether the order only tells how something ended, so that no round can want it beforehand."""
        ...

    def rehearse(self, state: State, seat: str, mails: Sequence[OrderMail[Order]]) -> tuple[Rehearsed, ...]:
        """What the rules say now to those lines of a seat's own mails that count; nobody else's orders are known."""
        ...

    def notation(self, state: State, order: Order) -> str:
        """The order in English as `parse` reads it back."""
        ...

    def adjudicate(self, state: State, turn: Turn[Order]) -> Outcome[State]:
        """The round's outcome; pure, and given the same turn always the same."""
        ...

    def amend(
        self, current: State, wrong: State, right: State, since: Sequence[Mapping[str, Json]] = ()
    ) -> Amended[State]:
        """Put the difference between a round's wrong outcome and its right one into a later position.

        `since` are the events told in between. With equal outcomes nothing changes; directly after the round (`current`
        is `wrong`) the right outcome results. What can't be put right any more is named, never silently dropped.
        """
        ...

    def score(self, state: State) -> Standings:
        """The table."""
        ...

    def view(self, before: State, outcome: Outcome[State] | None, seat: str | None) -> View:
        """What the seat (None: the public) may see of a round: the state before it and, once done, its outcome."""
        ...

    def position(self, state: State) -> JsonDict:
        """Readable, complete, exact."""
        ...

    def restore(self, position: Json) -> State:
        """The state of a position; `BadPosition` with every fault if no game could be in it."""
        ...

    def read_evidence(self, table: Mapping[str, Json]) -> tuple[Evidence, ...]:
        """Figures as people write them, in canonical form; `BadInput` says which and why."""
        ...

    def explain(self, week: Mapping[str, str]) -> JsonDict:
        """What a week's figures (a row of `draw explain`'s table) make, with the working as coded steps."""
        ...

    def label(self, thing: str, lang: str) -> str:
        """What a thing of the board (a country, a constellation) is called in a language."""
        ...


# config/<game>/*.toml parsed, by file name without ending; with them config/talk.toml and config/exonyms.toml
Tables = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Plugin:
    """What the entry point group `league.games` names.

    `load` takes the tables and a league's options, so that a state stays a pure position and
    `restore(position)` needs nothing else. `package` is where config, templates and locales are read from.
    """

    api: int
    meta: Meta
    load: Callable[[Tables, Options], Game[Any, Any]]
    package: str
