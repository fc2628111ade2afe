"""What a seat may see of a KUEL round: before the evaluation the position, afterwards everything (K90)."""

from collections.abc import Iterable, Mapping

from league.core.events import Event
from league.core.game import Outcome
from league.core.json import Json
from league.core.view import Arrow, MapView, Region, View
from league.games.kuel.board import Board
from league.games.kuel.events import (
    AuctionWon,
    Battle,
    CivilWarDrawn,
    CollapseDrawn,
    Devastated,
    GaveWay,
    Joined,
    Left,
    PenaltyWaived,
    Points,
    Taken,
)
from league.games.kuel.state import State, position


def view(board: Board, before: State, outcome: Outcome[State] | None, seat: str | None) -> View:
    """The public's view is every player's: nothing in an outcome is secret any more."""
    start = MapView(_regions(board, before, None))
    if outcome is None:
        return View(seat, position(board, before), before=start)
    after = MapView(_regions(board, outcome.state, before), tuple(_arrows(board, before, outcome.events)))
    return View(
        seat,
        position(board, outcome.state),
        before=start,
        after=after,
        items=_items(outcome),
        draws=tuple(_draws(outcome.events)),
    )


def _regions(board: Board, state: State, before: State | None) -> tuple[Region, ...]:
    return tuple(
        Region(
            c.id,
            state.owner.get(c.id),
            _marks(state, c.id),
            before is not None
            and (state.owner.get(c.id), _marks(state, c.id)) != (before.owner.get(c.id), _marks(before, c.id)),
        )
        for c in board.countries
    )


def _marks(state: State, country: str) -> tuple[str, ...]:
    marks = {
        "devastation": state.devastation,
        "civil_war": state.civil_war,
        "collapse": {**state.payments, **state.auctions},
    }
    return tuple(name for name, countries in marks.items() if country in countries)


def _arrows(board: Board, before: State, events: Iterable[Event]) -> Iterable[Arrow]:
    for event in events:
        match event:
            case Taken(country, seat, _):
                yield Arrow(seat, _source(board, before, seat, country), country, "take", True)
            case Joined(country, seat):
                yield Arrow(seat, None, country, "join", True)
            case AuctionWon(country, seat, _, _, _):
                yield Arrow(seat, None, country, "bid", True)
            case GaveWay(country, giver, _):
                yield Arrow(giver, country, country, "give", True)
            case Left(country, seat):
                yield Arrow(seat, country, country, "leave", True)
            case Devastated(country, seat, _):
                yield Arrow(seat, country, country, "devastate", True)
            case Battle(country, owner, fighters, winner, _, _):
                for seat in fighters:
                    if seat != owner:
                        yield Arrow(seat, _source(board, before, seat, country), country, "attack", seat == winner)


def _source(board: Board, before: State, seat: str, country: str) -> str | None:
    return next((n for n in board.neighbours[country] if before.owner.get(n) == seat), None)


def _items(outcome: Outcome[State]) -> dict[str, tuple[Mapping[str, Json], ...]]:
    items: dict[str, list[Mapping[str, Json]]] = {seat: [] for seat in sorted(outcome.state.scores)}
    for event in outcome.events:
        if isinstance(event, (Points, PenaltyWaived)):
            waived = isinstance(event, PenaltyWaived)
            items[event.seat].append({"item": event.item, "points": event.points, "rule": event.rule, "waived": waived})
    return {seat: tuple(rows) for seat, rows in items.items()}


def _draws(events: Iterable[Event]) -> Iterable[Mapping[str, Json]]:
    for event in events:
        if isinstance(event, (CivilWarDrawn, CollapseDrawn)):
            yield {
                "kind": "civil_war" if isinstance(event, CivilWarDrawn) else "collapse",
                "country": event.country,
                "world": isinstance(event, CollapseDrawn) and event.world,
                "steps": list(event.steps),
                "rule": event.rule,
            }
