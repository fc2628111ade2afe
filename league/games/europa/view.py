"""What a seat may see of a deadline (8.6, 8.8): positions and events are public, orders are nobody else's."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from league.core.events import Event
from league.core.game import Outcome
from league.core.json import Json
from league.core.view import Arrow, MapView, Region, View
from league.games.europa import victory
from league.games.europa.board import Board
from league.games.europa.events import (
    DiceRolled,
    ElectionCancelled,
    EpochBegan,
    GivenUp,
    Joined,
    NationalistsWon,
    PawnMoved,
    Penalised,
    President,
    Rewarded,
    RiskRolled,
    Shared,
    Won,
)
from league.games.europa.positions import position
from league.games.europa.state import AT_WAR, END, NATIONALISTS, TENSION, WON, State, level_of


def view(board: Board, before: State, outcome: Outcome[State] | None, seat: str | None) -> View:
    """The same for every seat and the public: what a phase hides are its orders, and no view is made of those."""
    start = MapView(_regions(board, before, None))
    if outcome is None:
        return View(seat, position(before), before=start, extra=_extra(board, before), columns=_columns(before))
    after = MapView(_regions(board, outcome.state, before), tuple(_arrows(outcome.events)))
    return View(
        seat,
        position(outcome.state),
        before=start,
        after=after,
        items=_items(outcome),
        draws=tuple(_draws(outcome.events)),
        extra=_extra(board, before, outcome),
        columns=_columns(outcome.state),
    )


def _columns(state: State) -> Mapping[str, Mapping[str, int]]:
    """What the table shows beside the victory points (R4, R14)."""
    return {
        "political": {seat: player.political for seat, player in state.players.items()},
        "pawns": {seat: player.pawns for seat, player in state.players.items()},
    }


def _extra(board: Board, before: State, outcome: Outcome[State] | None = None) -> Mapping[str, Json]:
    """Phase and track of the deadline, the track of an epoch that began with it, and where everything stands then."""
    state, events = (outcome.state, outcome.events) if outcome is not None else (before, ())
    level = level_of({c.id: c.resistance for c in board.countries}, state.markers)
    shown = [_track(board, before, events)] if before.epoch else []
    if state.epoch != before.epoch:
        shown.append(_track(board, state, ()))
    return {
        "phase": before.phase,
        "group": before.group,
        "over": state.phase == END,
        "tracks": list[Json](shown),
        "parties": {seat: player.party for seat, player in state.players.items()},
        "members": list[Json](state.members),
        "tensions": [country for country, marker in state.markers.items() if marker == TENSION],
        "wars": [country for country, marker in state.markers.items() if marker != TENSION],
        "level": level,
        "quality": board.quality(level),
        "ended": [event.facts() for event in _ended(board, state)],
    }


def _ended(board: Board, state: State) -> Iterable[Event]:
    """Who has won, and who presides, as the events of the last deadline told it (R56, R57)."""
    if state.phase != END:
        return
    if not state.president:
        yield from (GivenUp(seat) for seat, player in state.players.items() if not player.left)
        return
    first = [place.seat for place in victory.score(state) if place.rank == 1]
    best, chosen = state.players[first[0]], state.president
    yield Won(tuple(first), best.victory, best.political)
    points = board.president if len(chosen) == 1 else board.shared_president
    yield President(chosen, state.players[chosen[0]].political, points)


def _track(board: Board, state: State, events: Sequence[Event]) -> dict[str, Json]:
    """The elections of an epoch in order (R18), with how they ended so far, those of these events among them."""
    results = dict(state.results)
    for event in takewhile(lambda event: not isinstance(event, EpochBegan), events):
        if isinstance(event, Joined):
            results[event.country] = WON
        elif isinstance(event, NationalistsWon):
            results[event.country] = NATIONALISTS
        elif isinstance(event, ElectionCancelled):
            results[event.country] = AT_WAR
    years = next((epoch.years for epoch in board.epochs if epoch.number == state.epoch), "")
    rows: list[Json] = [
        {
            "number": number,
            "country": country,
            "value": board.by_id[country].political,
            "need": board.by_id[country].resistance,
            "result": results.get(country, ""),
            "is_new": country in results and country not in state.results,
        }
        for number, country in enumerate(state.track, 1)
    ]
    return {"epoch": state.epoch, "years": years, "elections": rows}


def _regions(board: Board, state: State, before: State | None) -> tuple[Region, ...]:
    return tuple(
        Region(
            country,
            None,
            _marks(board, state, country),
            before is not None and _look(board, state, country) != _look(board, before, country),
            state.board.get(country, {}),
            _number(state, country),
        )
        for country in board.playable
    )


def _number(state: State, country: str) -> str:
    """Its number on the track while its election is to come (R18)."""
    return str(state.track.index(country) + 1) if country in state.ahead else ""


def _look(board: Board, state: State, country: str) -> tuple[tuple[str, ...], Mapping[str, int]]:
    return _marks(board, state, country), state.board.get(country, {})


def _marks(board: Board, state: State, country: str) -> tuple[str, ...]:
    marks = {
        "hidden": board.by_id[country].round > max(state.epoch, 1),
        "member": country in state.members,
        state.markers.get(country, "tension"): country in state.markers,
        "refused": state.results.get(country) == NATIONALISTS,
    }
    return tuple(name for name, there in marks.items() if there)


def _arrows(events: Iterable[Event]) -> Iterable[Arrow]:
    for event in events:
        if isinstance(event, PawnMoved):
            yield Arrow(event.seat, event.source, event.target, "move", done=True)


def _items(outcome: Outcome[State]) -> dict[str, tuple[Mapping[str, Json], ...]]:
    """What brought or cost victory points."""
    items: dict[str, list[Mapping[str, Json]]] = {seat: [] for seat in outcome.state.table}
    for event in outcome.events:
        if isinstance(event, President):
            for seat in event.seats:
                items[seat].append(_item(event, event.victory))
        elif isinstance(event, (Rewarded, Penalised, Shared)):
            sign = -1 if isinstance(event, Penalised) else 1
            items[event.seat].append(_item(event, sign * event.victory))
    return {seat: tuple(rows) for seat, rows in items.items()}


def _item(event: Event, points: int) -> Mapping[str, Json]:
    return {"item": event.type(), "points": points, "rule": event.rule}


def _draws(events: Sequence[Event]) -> Iterable[Mapping[str, Json]]:
    """All dice, one after the other."""
    for event in events:
        if isinstance(event, DiceRolled):
            steps = [f"rolled|{seat}|{die}" for seat, die in event.dice]
            yield {"kind": event.why, "country": None, "steps": steps, "rule": event.rule}
        elif isinstance(event, RiskRolled):
            one, two = event.dice
            steps = [f"risk|{one}|{two}|{one + two}"]
            yield {"kind": "risk", "country": event.country, "steps": steps, "rule": event.rule}
