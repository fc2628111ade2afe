"""`league simulate`: leagues of bots in memory, with made-up figures that are as fair as the real ones.

The same plan gives the same leagues: orders, figures and battles hang on its seed alone. Nothing is read or stored.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from statistics import median
from typing import Any

from league.core.errors import BadInput, Refused
from league.core.events import Event
from league.core.evidence import Evidence, RandomSource
from league.core.game import Game, Meta, Options, Outcome, Seat, Turn
from league.core.json import JsonDict
from league.core.orders import Fate, OrderMail
from league.core.standings import Standings
from league.desk import registry
from league.desk.leagues.turns import dice_of
from league.desk.play.bots import Bot, bot, options_for_bots
from league.randomness.dice import Dice

MONDAY, WEEK, SATURDAY = date(2024, 1, 1), timedelta(weeks=1), timedelta(days=5)
DAY = timedelta(days=1)
HOLIDAYS = 30  # one trading day in so many is an exchange holiday
BALLS, HIGHEST = 6, 49
TIMES = "*"
Watch = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays what for how long. `bots` has a name for each seat, `options` are all of the game's."""

    game: str
    rounds: int
    bots: tuple[str, ...]
    options: Options
    leagues: int = 1
    seed: str = "1"

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats' names, in the order of `bots`."""
        return tuple(f"s{number}" for number in range(1, len(self.bots) + 1))


@dataclass(frozen=True, slots=True)
class Week:
    """A round that was played: the position before it, what was sent, what came of it, and the table then."""

    before: Any
    mails: tuple[OrderMail[Any], ...]
    outcome: Outcome[Any]
    standings: Standings

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened."""
        return self.outcome.events


@dataclass(frozen=True, slots=True)
class League:
    """One league from its first round to its last."""

    number: int
    weeks: tuple[Week, ...]


def make_plan(
    slug: str, rounds: int, bots: str, options: Mapping[str, object] | None = None, leagues: int = 1, seed: str = "1"
) -> Plan:
    """A plan from what a person writes: bots as `greedy*7,random`; `BadInput` says what is wrong."""
    meta = registry.plugin(slug).meta
    names = tuple(_names(bots))
    for name in dict.fromkeys(names):
        bot(slug, name)
    low, high = meta.seats
    if not low <= len(names) <= high:
        raise BadInput(f"{len(names)} bots are named; {slug} seats {low} to {high}")
    unknown = [figure for figure in meta.figures if figure not in FIGURES]
    if unknown:
        raise Refused(f"nobody can make up the figure '{unknown[0]}'; there are {', '.join(FIGURES)}")
    chosen = registry.check_options(meta, {**options_for_bots(slug), **(options or {})}, "option")
    return Plan(slug, rounds, names, chosen, leagues, seed)


def _names(written: str) -> Iterator[str]:
    for part in written.split(","):
        name, sign, times = (piece.strip() for piece in part.partition(TIMES))
        if sign and not (times.isascii() and times.isdigit() and int(times)):
            raise BadInput(f"bots: '{part.strip()}' says how many in a way that isn't read; write it like greedy*3")
        yield from [name] * (int(times) if sign else 1)


def play(plan: Plan, first: int = 1) -> Iterator[League]:
    """The plan's leagues from a number on, each the same whichever were played before."""
    game = registry.load(plan.game, plan.options)
    players = {seat: bot(plan.game, name) for seat, name in zip(plan.seats, plan.bots, strict=True)}
    for number in range(first, plan.leagues + 1):
        yield League(number, tuple(_weeks(plan, game, players, number)))


def _weeks(plan: Plan, game: Game[Any, Any], players: dict[str, Bot], number: int) -> Iterator[Week]:
    match = f"{plan.game}-{plan.seed}-{number}"
    state = game.setup([Seat(seat, seat) for seat in plan.seats], _dice(match, 0, "setup"))
    for count in range(1, plan.rounds + 1):
        if game.phase(state) is None:
            return
        mails = _mails(game, state, players, match, count)
        figures = make_figures(game.meta, _dice(match, count, "figures"), count)
        dice = dice_of(match, count, figures) or _dice(match, count, "dice")
        outcome = game.adjudicate(state, Turn(mails=mails, evidence=figures, dice=dice))
        if outcome.pending:
            raise Refused(f"round {count} waits for {_told(outcome.pending[0])}, which no bot gives{_advice(plan)}")
        yield Week(state, mails, outcome, game.score(outcome.state))
        state = outcome.state


def _told(pending: JsonDict) -> str:
    return " ".join(str(pending[key]) for key in ("kind", "country", "figure") if key in pending)


def _advice(plan: Plan) -> str:
    needed = " ".join(f"--option {name}={value}" for name, value in options_for_bots(plan.game).items())
    return f"; bots need {needed}" if needed else ""


def _dice(match: str, number: int, mood: str) -> Dice:
    """Made-up dice: of no figure, so that bots know nothing of the figures to come."""
    return Dice.of(match, number, Evidence("simulated", MONDAY, mood))


def _mails(
    game: Game[Any, Any], state: Any, players: dict[str, Bot], match: str, number: int
) -> tuple[OrderMail[Any], ...]:
    """Everyone's orders, in an order of arrival that favours nobody."""
    arrival = _dice(match, number, "arrival")
    late = {seat: arrival.number(seat, 0) for seat in players}
    found = []
    for seat in sorted(players, key=lambda name: late[name]):
        text = players[seat](game, state, seat, _dice(match, number, f"bot {seat}"), "en")
        if not text.strip():
            continue  # who has nothing to say sends nothing
        found.append(OrderMail(seat, game.parse(state, seat, text, {name: name for name in players})))
    return tuple(found)


# ------------------------------------------------------------------ figures


def make_figures(meta: Meta, dice: RandomSource, number: int) -> tuple[Evidence, ...]:
    """The figures that a game asks for, of a round's week: each reading as likely as it should be."""
    monday = MONDAY + WEEK * (number - 1)
    return tuple(FIGURES[name](dice, monday, monday + DAY * meta.market.weekday) for name in meta.figures)


def _close(dice: RandomSource, _: date, market: date) -> Evidence:
    """Every ending alike, and now and then the day before's, because of a holiday."""
    day = market - DAY if dice.below(HOLIDAYS, "holiday") == 0 else market
    return Evidence("dax_close", day, f"{15000 + dice.below(1000, 'close')}.50")


def _rate(dice: RandomSource, _: date, market: date) -> Evidence:
    """Above and below the dollar alike."""
    return Evidence("eurusd", market, ("1.1000", "0.9000")[dice.below(2, "rate")])


def _balls(dice: RandomSource, monday: date, _: date) -> Evidence:
    """Six of forty-nine, in the order in which they were drawn."""
    urn = list(range(1, HIGHEST + 1))
    drawn = [urn.pop(dice.below(len(urn), f"ball {place}")) for place in range(1, BALLS + 1)]
    return Evidence("lotto", monday + SATURDAY, " ".join(map(str, drawn)))


FIGURES: dict[str, Callable[[RandomSource, date, date], Evidence]] = {
    "dax_close": _close,
    "eurusd": _rate,
    "lotto": _balls,
}


# ------------------------------------------------------------------ what came of it


@dataclass
class Tally:
    """Leagues counted one after the other, so that none has to be kept."""

    plan: Plan
    leagues: int = 0
    rounds: int = 0
    changes: int = 0
    in_debt: int = 0
    places: int = 0  # seats that stand in the last tables
    first: dict[str, Fraction] = field(default_factory=dict)
    points: dict[str, list[int]] = field(default_factory=dict)
    countries: dict[str, list[int]] = field(default_factory=dict)
    events: Counter[str] = field(default_factory=Counter)
    fates: Counter[str] = field(default_factory=Counter)
    last: Standings = ()

    def add(self, league: League) -> None:
        """Count a league."""
        names = dict(zip(self.plan.seats, self.plan.bots, strict=True))
        table = league.weeks[-1].standings if league.weeks else ()
        self.leagues += 1
        self.rounds += len(league.weeks)
        self.changes += leader_changes(league)
        self.last = table
        leaders = leading(table)
        for seat in leaders:
            self.first[names[seat]] = self.first.get(names[seat], Fraction(0)) + Fraction(1, len(leaders))
        for place in table:
            self.places += 1
            self.in_debt += place.points < 0
            self.points.setdefault(names[place.seat], []).append(place.points)
            self.countries.setdefault(names[place.seat], []).append(place.countries)
        for week in league.weeks:
            self.events.update(event.type() for event in week.events)
            self.fates.update(str(fate.own.fate or "waits") for fate in week.outcome.fates)

    def told(self) -> dict[str, Any]:
        """The figures as plain values; shares and means are rounded to two places."""
        plan = self.plan
        return {
            "game": plan.game,
            "rules": registry.plugin(plan.game).meta.versions[-1],
            "options": dict(plan.options),
            "rounds": plan.rounds,
            "leagues": self.leagues,
            "seed": plan.seed,
            "seats": [{"seat": seat, "bot": name} for seat, name in zip(plan.seats, plan.bots, strict=True)],
            "bots": [self._bot(name) for name in sorted(set(plan.bots))],
            "played": _mean(self.rounds, self.leagues),
            "leader_changes": _mean(self.changes, self.leagues),
            "in_debt": _mean(100 * self.in_debt, self.places),
            "orders": {fate.value: self.fates[fate.value] for fate in Fate},
            "events": {name: self.events[name] for name in sorted(self.events)},
            "standings": [
                {"rank": p.rank, "seat": p.seat, "points": p.points, "countries": p.countries} for p in self.last
            ],
        }

    def _bot(self, name: str) -> dict[str, Any]:
        points = sorted(self.points.get(name, ()))
        return {
            "bot": name,
            "seats": self.plan.bots.count(name),
            "first": _mean(100 * self.first.get(name, Fraction(0)), self.leagues),
            "points": {
                "mean": _mean(sum(points), len(points)),
                "lowest": points[0] if points else 0,
                "median": _mean(median(map(Fraction, points)), 1) if points else 0,
                "highest": points[-1] if points else 0,
            },
            "countries": _mean(sum(self.countries.get(name, ())), len(points)),
        }


def _mean(total: int | Fraction, count: int) -> float:
    return float(round(Fraction(total) / count, 2)) if count else 0.0


def leading(table: Standings) -> tuple[str, ...]:
    """Who shares the first place."""
    return tuple(place.seat for place in table if place.rank == 1)


def leader_changes(league: League) -> int:
    """How often somebody came to lead alone who wasn't the last to do so."""
    alone = [leaders[0] for week in league.weeks if len(leaders := leading(week.standings)) == 1]
    return sum(1 for before, after in pairwise(alone) if before != after)


def streaks(league: League) -> tuple[int, ...]:
    """For how many rounds each leader led alone, one stretch after the other."""
    found: list[int] = []
    before = ""
    for week in league.weeks:
        leaders = leading(week.standings)
        leader = leaders[0] if len(leaders) == 1 else ""
        if leader and leader == before:
            found[-1] += 1
        elif leader:
            found.append(1)
        before = leader
    return tuple(found)


def simulate(plan: Plan, watch: Watch = lambda _: None) -> dict[str, Any]:
    """Play all of a plan's leagues and tell what came of them; `watch` hears of each."""
    tally = Tally(plan)
    for league in play(plan):
        tally.add(league)
        watch(1)
    return tally.told()
