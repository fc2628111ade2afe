"""What a league's rounds add up to for each player: where points come from, battles, luck, form.

Read from events by their facts: `points` (seat, item, points), `battle` (fighters, winner), and for luck what the
game's `story.jinja` lists as `LUCK`: which fact of which event names who lost, and which how many points. A game
without events `points` lists as `BRINGS` which fact of which event names who got points, and which how many.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from league.core.json import Json
from league.reports.accounts import spent
from league.reports.chronicle import Chronicle, Moment, Start, battles, begun, pasts, steps

Facts = Mapping[str, Json]
FORM = 5  # so many rounds make up the form


@dataclass(frozen=True, slots=True)
class Loss:
    """What chance cost a player: countries, and points."""

    lands: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Ahead:
    """Why a player stands above the next: by how many points, and the item that makes most of it (or none).

    `first`: with equal points, by what the rules compare next.
    """

    above: str
    below: str
    points: int
    item: str = ""
    more: int = 0
    first: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """All of it. `items`: item, seat, points; `duels`: winner, loser, battles; `changed`: field, how often.

    `points` and `lands` have a value for each of `rounds`. Where a round starts with another position than the one
    before it ended with, that number stands there twice, and `starts` has by its place what the second value is.
    `corrections` are the points that lie between such ends and starts: with `items` they add up to the table.
    """

    rounds: tuple[int, ...] = ()
    starts: Mapping[int, Start] = field(default_factory=dict)
    gained: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # in each round, from its own start
    corrections: Mapping[str, int] = field(default_factory=dict)
    points: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)
    lands: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)
    items: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    duels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    losses: Mapping[str, Loss] = field(default_factory=dict)
    changed: tuple[tuple[str, int], ...] = ()
    months: tuple[Facts, ...] = ()
    ahead: tuple[Ahead, ...] = ()

    def gains(self, seat: str) -> tuple[int, ...]:
        """What the last rounds brought a player, the newest last."""
        return self.gained.get(seat, ())[-FORM:]

    def won(self, seat: str) -> int:
        """How many fighters a player has beaten."""
        return sum(self.duels.get(seat, {}).values())

    def lost(self, seat: str) -> int:
        """How often a player was beaten."""
        return sum(row.get(seat, 0) for row in self.duels.values())


def tally(told: Chronicle, luck: Sequence[Mapping[str, Any]] = (), brings: Sequence[Mapping[str, Any]] = ()) -> Tally:
    """What the moments add up to; `luck` is the game's list, and so is `brings`: events that bring points."""
    moments = told.moments
    if len(moments) < 2:  # the start and a round
        return Tally()
    course = tuple(steps(moments, told.following))
    seats = sorted({place.seat for step in course for place in step.standings})
    events = [event for moment in moments for event in moment.events]
    items = _items(events, brings)
    changes = {land: past.changes for land, past in pasts(moments, told.following).items() if past.changes}
    return Tally(
        rounds=tuple(step.round if isinstance(step, Moment) else step.round - 1 for step in course),
        starts={place: step for place, step in enumerate(course) if isinstance(step, Start)},
        gained={seat: tuple(_gains(moments, seat)) for seat in seats},
        corrections=_corrections(course, seats),
        points={seat: tuple(_place(step, seat, "points") for step in course) for seat in seats},
        lands={seat: tuple(_place(step, seat, "countries") for step in course) for seat in seats},
        items=items,
        duels=_duels(moments),
        losses={seat: _loss(seat, events, luck) for seat in seats},
        changed=tuple(sorted(changes.items(), key=lambda row: (-row[1], row[0]))),
        months=tuple(event for event in events if event.get("type") == "month_leader"),
        ahead=tuple(_ahead(course[-1], items)),
    )


def _place(step: Moment | Start, seat: str, what: str) -> int | None:
    return next((int(getattr(place, what)) for place in step.standings if place.seat == seat), None)


def _gains(moments: Sequence[Moment], seat: str) -> Iterable[int]:
    """A round's position minus the one that it started from; none of a round that a player wasn't in from the start."""
    for before, after in zip(begun(moments), moments[1:], strict=True):
        had, has = _place(before, seat, "points"), _place(after, seat, "points")
        if had is not None and has is not None:
            yield has - had


def _corrections(course: Sequence[Moment | Start], seats: Iterable[str]) -> dict[str, int]:
    """What each start of its own has more than the end before it; those without a difference left out."""
    found = {
        seat: sum(
            (_place(after, seat, "points") or 0) - (_place(before, seat, "points") or 0)
            for before, after in pairwise(course)
            if isinstance(after, Start)
        )
        for seat in seats
    }
    return {seat: points for seat, points in found.items() if points}


def _items(events: Sequence[Facts], brings: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Item -> seat -> points, what was paid among them; the items that brought most come first."""
    found: dict[str, dict[str, int]] = {}
    for event in events:
        points = event.get("points")
        if event.get("type") == "points" and isinstance(points, int):
            row = found.setdefault(str(event["item"]), {})
            row[str(event["seat"])] = row.get(str(event["seat"]), 0) + points
    for one in brings:
        for event in (event for event in events if event.get("type") == one["type"]):
            who, points = event[str(one["who"])], event[str(one["points"])]
            for seat in map(str, who if isinstance(who, list) else [who]):
                row = found.setdefault(str(one["type"]), {})
                row[seat] = row.get(seat, 0) + int(one.get("sign", 1)) * int(str(points))
    for seat, entry in spent(events):
        row = found.setdefault(entry.item, {})
        row[seat] = row.get(seat, 0) + entry.points
    return dict(sorted(found.items(), key=lambda item: (-sum(item[1].values()), item[0])))


def _duels(moments: Sequence[Moment]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for fights in battles(moments).values():
        for fight in fights:
            for loser in fight.fighters:
                if fight.winner is not None and loser != fight.winner:
                    row = found.setdefault(fight.winner, {})
                    row[loser] = row.get(loser, 0) + 1
    return found


def _loss(seat: str, events: Iterable[Facts], luck: Sequence[Mapping[str, Any]]) -> Loss:
    lands = points = 0
    for event in events:
        for rule in luck:
            if event.get("type") == rule["type"] and event.get(rule["who"]) == seat:
                lands += int(rule.get("lands", 0))
                points += _whole(event.get(rule.get("points", ""))) - _whole(event.get(rule.get("less", "")))
    return Loss(lands, points)


def _whole(value: Json) -> int:
    return value if isinstance(value, int) else 0


def _ahead(step: Moment | Start, items: Mapping[str, Mapping[str, int]]) -> Iterable[Ahead]:
    for above, below in pairwise(step.standings):
        gap = above.points - below.points
        more = {item: row.get(above.seat, 0) - row.get(below.seat, 0) for item, row in items.items()}
        item = max(more, key=lambda name: (more[name], name)) if more else ""
        known = gap > 0 and bool(item) and more[item] > 0
        first = not gap and above.rank < below.rank
        yield Ahead(above.seat, below.seat, gap, item if known else "", more[item] if known else 0, first=first)
