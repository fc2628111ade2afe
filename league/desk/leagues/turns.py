"""From the books to what the rules take, and back from a record to the same turn: nothing is stored here."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from league.core.evidence import NEVER_CAME, Evidence, reading
from league.core.game import Game, Outcome, Phase, Seat, Turn
from league.core.json import Json, JsonDict
from league.core.orders import Decision, OrderMail
from league.core.schedule import Window
from league.desk import registry
from league.desk.leagues import calendar
from league.desk.leagues.late_figures import in_time, never_came
from league.desk.leagues.orderbook import from_lines, to_mails
from league.desk.leagues.presence import counted, has_left, plays
from league.desk.leagues.rhythm import RHYTHM
from league.randomness.dice import Dice
from league.sources import week
from league.storage.evidence import Figure
from league.storage.rounds import Loaded


@dataclass(frozen=True, slots=True)
class Table:
    """A round laid out: the rules with the league's options, the position at its start, and all that is known."""

    game: Game[Any, Any]
    state: Any
    turn: Turn[Any]

    def outcome(self) -> Outcome[Any]:
        """What the rules make of it."""
        return self.game.adjudicate(self.state, self.turn)


def rules_of(loaded: Loaded) -> Game[Any, Any]:
    """The game with the season's options and board."""
    return registry.load(loaded.game, loaded.options, registry.board_of(loaded.sources))


def start_of(loaded: Loaded, game: Game[Any, Any]) -> Any:
    """The round's starting position; before the first freeze the one that would be dealt now (K39)."""
    if loaded.position is not None:
        return game.restore(loaded.position)
    return game.setup([Seat(seat.code, seat.name) for seat in loaded.seats if plays(seat, loaded.round.number)], None)


def asked_of(loaded: Loaded) -> Collection[str]:
    """The seats that the round wants orders of: where rounds open one by one, a phase may ask a few only, or nobody."""
    if not loaded.calendar.get(calendar.ONE_BY_ONE):
        return {seat.code for seat in loaded.seats}
    phase = phase_of(loaded)
    return {ask.seat for ask in phase.asks} if phase is not None else ()


def phase_of(loaded: Loaded) -> Phase | None:
    """What a round wants of whom where rounds open one by one; None elsewhere: there all want the same."""
    if not loaded.calendar.get(calendar.ONE_BY_ONE):
        return None
    game = rules_of(loaded)
    return game.phase(start_of(loaded, game))


def week_of(loaded: Loaded) -> tuple[date, date]:
    """The week (Monday to Sunday) whose figures decide the round; the one day where that is a draw's."""
    return calendar.days_of_figures(loaded.calendar, loaded.round.number, loaded.round.closes_at)


def day_of_figure(loaded: Loaded, figure: str, closed: Collection[date]) -> date | None:
    """The day of which a figure of the round is; None where its week has none."""
    first, last = week_of(loaded)
    return first if first == last else week.day_of(figure, first, closed)


def with_days(
    loaded: Loaded, pending: Iterable[Mapping[str, Json]], closed: Collection[date]
) -> tuple[Mapping[str, Json], ...]:
    """What a round waits for, for people and programs: each figure with the day of which it is waited for."""
    return tuple(dict(item) | _day_of(loaded, item, closed) for item in pending)


def _day_of(loaded: Loaded, item: Mapping[str, Json], closed: Collection[date]) -> JsonDict:
    day = day_of_figure(loaded, str(item["figure"]), closed) if item["kind"] == "evidence" else None
    return {"day": day.isoformat()} if day is not None else {}


def lay_out(loaded: Loaded, figures: Sequence[Figure], *, over: bool = False) -> Table:
    """The round with the figures of its week; replies come after the orders, both in order of arrival."""
    game = rules_of(loaded)
    state = start_of(loaded, game)
    evidence = tuple(figure.evidence for figure in figures_of(loaded, figures))
    mails = counted(loaded)
    joined, left = _moved(loaded, seats_in(game, state), {s.seat_id for s in mails})
    turn: Turn[Any] = Turn(
        mails=to_mails(game, state, mails, loaded.seats),
        evidence=evidence,
        decisions=tuple(Decision(d.kind, d.facts, d.entered_at) for d in loaded.decisions if d.kind == "result"),
        dice=dice_of(loaded.match_slug, loaded.round.number, evidence),
        window=_window(loaded.round.opens_at, loaded.round.deadline_at, loaded.round.closes_at),
        joined=joined,
        left=left,
        over=over or any(d.kind == "over" for d in loaded.decisions),
        ends=calendar.last_evaluation_day(loaded.round.ends_at, loaded.round.zone),
        next_ends=_next_ends(loaded),
    )
    return Table(game, state, turn)


def _moved(loaded: Loaded, known: set[str], heard: set[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Seats that the position doesn't have yet, and those it has whose players left (K38)."""
    number = loaded.round.number
    came = [s for s in loaded.seats if s.code not in known and (plays(s, number) or s.id in heard)]
    went = [s for s in loaded.seats if s.code in known and has_left(s, number)]
    return tuple(s.code for s in came), tuple(s.code for s in went)


def _next_ends(loaded: Loaded) -> date | None:
    if RHYTHM in loaded.calendar:
        return None
    following = calendar.round_of(loaded.calendar, loaded.round.match_id, loaded.round.number + 1)
    return calendar.last_evaluation_day(following.ends_at, following.zone)


def _window(opens: datetime, deadline: datetime, closes: datetime) -> Window:
    """What tells replies from orders. No mail was booked before its round's opening, so nothing lies before it."""
    return Window(opens, opens, deadline, closes)


def figures_of(loaded: Loaded, figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Those of the round's week, of each figure the latest day; and those that aren't waited for any more."""
    first, last = week_of(loaded)
    newest: dict[str, Figure] = {figure.figure: figure for figure in never_came(loaded)}
    for figure in sorted(in_time(loaded, figures), key=lambda f: f.day):
        if first <= figure.day <= last:
            newest[figure.figure] = figure
    return tuple(newest[name] for name in sorted(newest))


def dice_of(match: str, number: int, evidence: Sequence[Evidence]) -> Dice | None:
    """Dice hang on the lottery's drawn order alone (DESIGN: Chance)."""
    lotto = reading(evidence, "lotto")
    return Dice.of(match, number, lotto) if lotto and lotto.value != NEVER_CAME else None


def seats_in(game: Game[Any, Any], state: Any) -> set[str]:
    """The seats that a position has, players and newcomers."""
    position = game.position(state)
    found: set[str] = set()
    for key in ("players", "newcomers"):
        names = position.get(key)
        found |= {str(name) for name in names} if isinstance(names, (Mapping, Sequence)) else set()
    return found


def from_record(body: Mapping[str, Any], options: Mapping[str, Any], game_slug: str, board: str = "") -> Table:
    """The turn that a record tells of, for anyone who recomputes it; `board` is the text of the league's own board."""
    game = registry.load(game_slug, options, board)
    state = game.restore(body["start"])
    seats = sorted({str(row["seat"]) for row in body["orders"]} | seats_in(game, state) | set(body["joined"]))
    mails = tuple(_mail(game, state, row, seats) for row in body["orders"])
    evidence = tuple(
        Evidence(str(e["figure"]), date.fromisoformat(str(e["day"])), str(e["value"])) for e in body["evidence"]
    )
    turn: Turn[Any] = Turn(
        mails=mails,
        evidence=evidence,
        decisions=tuple(_decision(d) for d in body["decisions"] if d["kind"] == "result"),
        dice=dice_of(str(body["match"]), int(body["round"]), evidence),
        window=_window(*(datetime.fromisoformat(str(body[key])) for key in ("opens", "deadline", "closes"))),
        joined=tuple(str(seat) for seat in body["joined"]),
        left=tuple(str(seat) for seat in body.get("left", ())),
        over=bool(body["over"]),
        ends=_day(body, "ends"),
        next_ends=_day(body, "next_ends"),
    )
    return Table(game, state, turn)


def _day(body: Mapping[str, Any], key: str) -> date | None:
    return date.fromisoformat(str(body[key])) if body.get(key) else None


def _decision(row: Mapping[str, Any]) -> Decision:
    at = datetime.fromisoformat(str(row["at"])) if "at" in row else None
    return Decision(str(row["kind"]), row["facts"], at)


def _mail(game: Game[Any, Any], state: Any, row: Mapping[str, Any], seats: Sequence[str]) -> OrderMail[Any]:
    lines = [{"order": order} for order in row["orders"]]
    parsed = from_lines(game, state, lines, replaces=bool(row["replaces"]), seats=seats)
    return OrderMail(str(row["seat"]), parsed, datetime.fromisoformat(str(row["received_at"])))
