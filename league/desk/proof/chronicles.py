"""A league's rounds as its pages tell them in a row: read from the records, nothing evaluated again.

Whoever publishes and whoever verifies call the same functions, each with the records as it has them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from league.core.game import Game
from league.core.json import Json, JsonDict
from league.core.standings import Standings
from league.core.view import Region
from league.desk.leagues.versions import makes_start
from league.records.audit import ADJUSTMENT, ROUND
from league.records.canonical import canonical
from league.reports.chronicle import Chronicle, Moment, Start, history, start

KIND = "league-history-1"
HISTORY = "history.json"
Body = Mapping[str, Any]
Record = tuple[str, str, Body]  # kind, SHA-256, what it says


@dataclass(frozen=True, slots=True)
class PutRight:
    """What adjustments made of a round's start: what it was before them, what it is, which rounds were corrected."""

    before: JsonDict
    after: JsonDict
    corrects: tuple[int, ...]


def put_right(records: Iterable[Record]) -> dict[int, PutRight]:
    """By round the adjustments that are in its start: those sealed after it was last made anew (a recomputed round)."""
    numbers: dict[str, int] = {}
    found: dict[int, list[Body]] = {}
    for kind, sha256, body in records:
        if kind == ROUND:
            numbers[sha256] = int(body["round"])
            if makes_start(body):
                found.pop(int(body["round"]) + 1, None)
        elif kind == ADJUSTMENT:
            found.setdefault(int(body["round"]), []).append(body)
    return {number: _put_right(several, numbers) for number, several in found.items()}


def _put_right(several: Sequence[Body], numbers: Mapping[str, int]) -> PutRight:
    corrects = {numbers[one["of"][1]] for one in several}
    return PutRight(several[0]["from"], several[-1]["to"], tuple(sorted(corrects)))


def chronicle(game: Game[Any, Any], bodies: Sequence[Body], right: Mapping[int, PutRight] | None = None) -> Chronicle:
    """How things stood at the start and after each round, by the records that stand; `right` by their adjustments."""
    if not bodies:
        return Chronicle()
    first, last, known = bodies[0], bodies[-1], right or {}
    regions, standings, columns = _standing(game, first["start"])
    begin = Moment(int(first["round"]) - 1, None, regions, standings, columns=columns)
    behind = (_start(game, before, int(body["round"]), body["start"], known) for before, body in pairwise(bodies))
    moments = (_moment(game, body, own) for body, own in zip(bodies, (None, *behind), strict=True))
    number = int(last["round"]) + 1
    then = known[number].after if number in known else last["position"]
    return Chronicle((begin, *moments), _start(game, last, number, then, known))


def _start(
    game: Game[Any, Any], before: Body, number: int, position: Json, right: Mapping[int, PutRight]
) -> Start | None:
    """A round's start, if it isn't the position that the round before it ends with."""
    ended, found = before["position"], right.get(number)
    if position == ended:
        return None
    regions, standings, columns = _standing(game, position)
    late = ended != (found.before if found else position)
    return Start(number, regions, standings, found.corrects if found else (), late, columns)


def _moment(game: Game[Any, Any], body: Body, own: Start | None) -> Moment:
    regions, standings, columns = _standing(game, body["position"])
    return Moment(
        int(body["round"]),
        datetime.fromisoformat(str(body["deadline"])),
        regions,
        standings,
        tuple(body["events"]),
        datetime.fromisoformat(str(body.get("correction", {}).get("at", body["evaluated"]))),
        int(body["version"]),
        columns,
        own,
    )


def _standing(
    game: Game[Any, Any], position: Json
) -> tuple[tuple[Region, ...], Standings, Mapping[str, Mapping[str, int]]]:
    state = game.restore(position)
    seen = game.view(state, None, None)
    return seen.before.regions if seen.before else (), game.score(state), seen.columns


def history_file(league: str, match: str, told: Chronicle) -> bytes:
    """The same for programs; `next` where the next round doesn't start with what the last one ended with."""
    after = {"next": start(told.following)} if told.following is not None else {}
    return canonical({"kind": KIND, "league": league, "match": match, "rounds": history(told.moments), **after})
