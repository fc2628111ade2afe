"""A league's rounds as its pages tell them in a row: read from the records, nothing evaluated again."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from league.core.game import Game
from league.core.json import Json
from league.core.standings import Standings
from league.core.view import Region
from league.records.canonical import canonical
from league.reports.chronicle import Chronicle, Moment, history

KIND = "league-history-1"
HISTORY = "history.json"


def chronicle(game: Game[Any, Any], bodies: Sequence[Mapping[str, Any]]) -> Chronicle:
    """How things stood at the start and after each round, by the records that stand."""
    if not bodies:
        return Chronicle()
    first = bodies[0]
    regions, standings, columns = _standing(game, first["start"])
    start = Moment(int(first["round"]) - 1, None, regions, standings, columns=columns)
    return Chronicle((start, *(_moment(game, body) for body in bodies)))


def _moment(game: Game[Any, Any], body: Mapping[str, Any]) -> Moment:
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
    )


def _standing(
    game: Game[Any, Any], position: Json
) -> tuple[tuple[Region, ...], Standings, Mapping[str, Mapping[str, int]]]:
    state = game.restore(position)
    seen = game.view(state, None, None)
    return seen.before.regions if seen.before else (), game.score(state), seen.columns


def history_file(league: str, match: str, told: Chronicle) -> bytes:
    """The same for programs."""
    return canonical({"kind": KIND, "league": league, "match": match, "rounds": history(told.moments)})
