"""A round that came out wrongly is put right in a later position: what the correction of a record means in KUEL.

Points are added, countries and markers go right where they still are as the wrong outcome left them. What was built on
the wrong outcome since stays: it is named and never silently dropped.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, get_args

from league.core.game import Amended, Value
from league.core.json import Json, JsonDict
from league.games.kuel.board import Board
from league.games.kuel.state import AXIS_LIMIT, UNTIL_ENDED, State, problems

Part = Literal["devastation", "civil_war", "payments", "auctions"]
PARTS: tuple[Part, ...] = get_args(Part)
MARKER: Mapping[Part, str] = {"payments": "collapse", "auctions": "collapse"}
RULES: Mapping[Part, str] = {"devastation": "K41", "civil_war": "K43", "payments": "K55", "auctions": "K52"}
FULL: tuple[Part, ...] = ("payments", "auctions")  # they wait for acts, so that they begin when they are placed
T = TypeVar("T")


@dataclass
class _Draft:
    """The position in the making, and why a part of the difference stays out of it, by country or seat."""

    board: Board
    current: State
    wrong: State
    right: State
    scores: dict[str, int] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    markers: dict[Part, dict[str, int]] = field(default_factory=dict)
    newcomers: list[str] = field(default_factory=list)
    month_start: dict[str, int] = field(default_factory=dict)
    kept: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)  # what, of which: why, by which rule
    unpaid: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scores, self.owner = dict(self.current.scores), dict(self.current.owner)
        self.markers = {part: dict(getattr(self.current, part)) for part in PARTS}
        self.newcomers, self.month_start = list(self.current.newcomers), dict(self.current.month_start)

    @property
    def elapsed(self) -> int:
        """Rounds since the one that is corrected."""
        return self.current.round - self.right.round

    def state(self) -> State:
        """The position as it stands now."""
        return replace(
            self.current,
            scores=self.scores,
            owner=self.owner,
            newcomers=tuple(self.newcomers),
            month_start=self.month_start,
            devastation=self.markers["devastation"],
            civil_war=self.markers["civil_war"],
            payments=self.markers["payments"],
            auctions=self.markers["auctions"],
        )

    def touched(self) -> list[str]:
        """The countries of which this position differs from the current one."""
        return [c for c in self.board.by_id if _holding(self.state(), c) != _holding(self.current, c)]

    def undo(self, country: str, why: str, rule: str) -> None:
        """Leave a country as it is."""
        _put(self.owner, country, self.current.owner.get(country))
        for part in PARTS:
            _put(self.markers[part], country, getattr(self.current, part).get(country))
            if getattr(self.wrong, part).get(country) != getattr(self.right, part).get(country):
                self.kept[part, country] = why, rule
        if self.wrong.owner.get(country) != self.right.owner.get(country):
            self.kept["owner", country] = why, rule


def amend(
    board: Board,
    options: Mapping[str, Value],
    current: State,
    wrong: State,
    right: State,
    since: Sequence[Mapping[str, Json]] = (),
) -> Amended[State]:
    """The position with the difference in it."""
    stops = options["debt"] == "stop_at_zero"
    draft = _Draft(board, current, wrong, right)
    for country in board.by_id:
        _put_right(draft, country)
    _seat(draft)
    _add_points(draft, stops_at_zero=stops)
    if problems(board, draft.state()):  # a position that no game could be in: then points alone go right
        draft = _Draft(board, current, wrong, right)
        for country in board.by_id:
            draft.undo(country, "not_legal", "K2")
        _add_points(draft, stops_at_zero=stops)
    made = draft.state()
    return Amended(made, tuple(_changes(board, current, made)), tuple(_left(draft, made, since)))


def _holding(state: State, country: str) -> tuple[object, ...]:
    return (state.owner.get(country), *(getattr(state, part).get(country) for part in PARTS))


def _put(table: dict[str, T], key: str, value: T | None) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


def _put_right(draft: _Draft, country: str) -> None:
    """Owner and markers, each where it is still as the wrong outcome made it."""
    was, should = draft.wrong.owner.get(country), draft.right.owner.get(country)
    if was != should:
        if draft.current.owner.get(country) == was:
            _put(draft.owner, country, should)
        else:
            draft.kept["owner", country] = "moved_on", "K2"
    for part in PARTS:
        _put_marker_right(draft, country, part)
    if _clashes(draft, country):
        draft.undo(country, "not_legal", "K2")


def _put_marker_right(draft: _Draft, country: str, part: Part) -> None:
    was, should = (getattr(state, part).get(country) for state in (draft.wrong, draft.right))
    if was == should:
        return
    if getattr(draft.current, part).get(country) != _aged(was, draft.elapsed):
        draft.kept[part, country] = "moved_on", RULES[part]
        return
    now = should if part in FULL else _aged(should, draft.elapsed)
    _put(draft.markers[part], country, now)
    if should is not None and now is None:
        draft.kept[part, country] = "time_over", RULES[part]
    if part == "payments" and was is not None and should is None and draft.elapsed:
        draft.unpaid[country] = min(was, draft.elapsed)


def _aged(left: int | None, rounds: int) -> int | None:
    """What is left of a marker after so many rounds."""
    if left is None or left == UNTIL_ENDED:
        return left
    return left - rounds if left > rounds else None


def _clashes(draft: _Draft, country: str) -> bool:
    has = {part for part in PARTS if country in draft.markers[part]}
    if country in draft.owner:
        return bool(has - {"payments"})  # K41, K45, K52
    return "payments" in has or {"devastation", "auctions"} <= has  # K54, K55


def _seat(draft: _Draft) -> None:
    """Who has countries plays; nobody is left without one (K6), and nobody who is away gets one (K38)."""
    while True:
        wrong_seats = [
            *((seat, "away", "K38") for seat in set(draft.owner.values()) if not _is_here(draft, seat)),
            *((seat, "limit", "K4") for seat in draft.scores if _count(draft, seat) > _most(draft, seat)),
            *((seat, "last_country", "K6") for seat in draft.scores if _is_lost(draft, seat)),
        ]
        if not wrong_seats:
            break
        seat, why, rule = min(wrong_seats)
        for country in draft.touched():
            if seat in (draft.owner.get(country), draft.current.owner.get(country)):
                draft.undo(country, why, rule)
    owners = set(draft.owner.values())
    for seat in sorted(owners - set(draft.scores)):
        draft.scores[seat] = 0
        draft.newcomers.remove(seat)
    for seat in sorted(set(draft.scores) - owners):
        del draft.scores[seat]
        draft.newcomers.append(seat)
    if set(draft.newcomers) == set(draft.right.newcomers):
        draft.newcomers = list(draft.right.newcomers)


def _is_here(draft: _Draft, seat: str) -> bool:
    return seat in draft.scores or seat in draft.newcomers


def _count(draft: _Draft, seat: str) -> int:
    return sum(1 for owner in draft.owner.values() if owner == seat)


def _most(draft: _Draft, seat: str) -> int:
    return max(AXIS_LIMIT, len(draft.current.owned(seat)))


def _is_lost(draft: _Draft, seat: str) -> bool:
    """Without a country, though the right outcome doesn't make a newcomer of him again."""
    return _count(draft, seat) == 0 and not (seat in draft.right.newcomers and seat in draft.wrong.scores)


def _add_points(draft: _Draft, *, stops_at_zero: bool) -> None:
    """The difference in points; where debt stops at zero (K55) nobody is put below it by a correction."""
    added: dict[str, int] = {}
    for seat in sorted(draft.wrong.scores.keys() | draft.right.scores.keys()):
        difference = draft.right.scores.get(seat, 0) - draft.wrong.scores.get(seat, 0)
        if seat not in draft.scores:
            if difference and seat not in draft.newcomers:
                draft.kept["points", seat] = "away", "K38"
            continue
        before = draft.scores[seat]
        floor = min(before, 0, draft.right.scores.get(seat, 0)) if stops_at_zero else before + difference
        draft.scores[seat] = max(before + difference, floor) if difference < 0 else before + difference
        added[seat] = draft.scores[seat] - before
        if added[seat] != difference:
            draft.kept["points", seat] = "no_debt", "K55"
    if dict(draft.current.month_start) == dict(draft.wrong.month_start):
        draft.month_start = dict(draft.right.month_start)
    else:  # a month has begun since: what is put right now wasn't won in it (K80)
        draft.month_start = {seat: points + added.get(seat, 0) for seat, points in draft.month_start.items()}


def _changes(board: Board, before: State, after: State) -> Iterator[JsonDict]:
    """What differs between two positions, seat by seat and country by country."""
    for seat in sorted(before.scores.keys() | after.scores.keys() | set(before.newcomers) | set(after.newcomers)):
        roles: list[Json] = [_role(state, seat) for state in (before, after)]
        if roles[0] != roles[1]:
            yield {"kind": "seat", "seat": seat, "from": roles[0], "to": roles[1]}
        points = [state.scores.get(seat, 0) for state in (before, after)]
        if points[0] != points[1]:
            yield {"kind": "points", "seat": seat, "from": points[0], "to": points[1]}
    for country in board.by_id:
        owners: list[Json] = [state.owner.get(country) for state in (before, after)]
        if owners[0] != owners[1]:
            yield {"kind": "owner", "country": country, "from": owners[0], "to": owners[1]}
        for part in PARTS:
            left = [_told(getattr(state, part).get(country)) for state in (before, after)]
            if left[0] != left[1]:
                yield {"kind": "marker", "country": country, "marker": part, "from": left[0], "to": left[1]}


def _role(state: State, seat: str) -> str | None:
    return "player" if seat in state.scores else "newcomer" if seat in state.newcomers else None


def _told(left: int | None) -> Json:
    """As positions have it: a civil war that only mercenaries end is `true`."""
    return True if left == UNTIL_ENDED else left


def _left(draft: _Draft, made: State, since: Sequence[Mapping[str, Json]]) -> Iterator[JsonDict]:
    """What of the difference is not in the position, and why."""
    for change in _changes(draft.board, draft.wrong, draft.right):
        of = str(change.get("seat", change.get("country")))
        part = str(change.get("marker", change["kind"]))
        if (part, of) in draft.kept:
            why, rule = draft.kept[part, of]
            yield {**change, "why": why, "rule": rule}
    for country, rounds in draft.unpaid.items():
        yield {"kind": "payments", "country": country, "rounds": rounds, "why": "paid", "rule": "K55"}
    if dict(draft.wrong.scores) != dict(draft.right.scores):
        for event in since:
            if event.get("type") == "month_leader":
                yield {"kind": "award", "month": event["month"], "why": "told", "rule": "K80"}
    yield from _unseated(draft, made)


def _unseated(draft: _Draft, made: State) -> Iterator[JsonDict]:
    """Seats that the right outcome would have made players or newcomers, and that aren't what it says."""
    for change in _changes(draft.board, draft.wrong, draft.right):
        seat = str(change.get("seat", ""))
        if change["kind"] == "seat" and _role(made, seat) != change["to"]:
            yield {**change, "why": "moved_on", "rule": "K35"}
