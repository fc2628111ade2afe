"""The rounds of a league as the replay reads them: short, since a page carries all of them.

A data block, which no browser executes: pages forbid scripts within them, and from a folder on a disk nothing else
could be read. `history.json` beside the page says the same at length.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from league.core.view import MapView
from league.reports.chronicle import Moment, Start, battles
from league.reports.context import LeagueInfo
from league.reports.maps import Drawing

LEAST = 2  # the start and one round


def replay(
    league: LeagueInfo, moments: Sequence[Moment], now: MapView | None, following: Start | None = None
) -> Markup:
    """The data block's text; empty where there is nothing to play. `now` is what the page shows, and so the end of it.

    `o` has for each field the place of its owner among the seats or -1, `m` the markers by field, `s` for each seat in
    the order of the table its place among the seats, rank, points and countries, `f` the fields that were fought for.
    Where a game has them, `g` are the signs that stand in badges, by field, `c` the pieces (seat's place, how many) and
    `k` what the table shows beside the points, in the order of `s`. `b` are the owners with which a round starts, where
    the one before it ended with others. `p` marks a step that is no round: what corrections put into a start.
    """
    drawing = league.drawing
    if drawing is None or now is None or len(moments) < LEAST:
        return Markup("")
    shown = list(moments)
    if following is not None:
        shown.append(
            Moment(following.round - 1, None, following.regions, following.standings, columns=following.columns)
        )
    shown[-1] = replace(shown[-1], regions=now.regions)
    lands = [region.id for region in moments[0].regions if region.id in drawing.spots]
    data: dict[str, Any] = {
        "lands": lands,
        "seats": [{"id": seat.id, "fill": drawing.look(seat.look).fill, "look": seat.look} for seat in league.seats],
        "free": drawing.unowned,
        "rounds": [_round(drawing, league, lands, moment) for moment in shown],
    }
    if following is not None:
        data["rounds"][-1]["p"] = 1
    fills = {name: marker.fill for name, marker in drawing.markers.items() if marker.fill}
    spots = [drawing.spots[land] for land in lands]
    if fills:
        data["fills"] = fills
    if any(spot.pieces for spot in spots):
        data["pieces"] = [spot.row for spot in spots]
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704  # JSON, and no tag can begin in it


def _round(drawing: Drawing, league: LeagueInfo, lands: Sequence[str], moment: Moment) -> dict[str, Any]:
    seats = {seat.id: at for at, seat in enumerate(league.seats)}
    regions = {region.id: region for region in moment.regions}
    shown = [regions[land] for land in lands if land in regions]
    marked = {region.id: [m for m in region.markers if m in drawing.markers] for region in shown}
    signs = {region.id: region.sign for region in shown if region.sign is not None}
    pieces = {
        region.id: [[seats[seat], count] for seat, count in region.counts.items() if seat in seats]
        for region in shown
        if region.counts
    }
    began = moment.start.owners if moment.start is not None else {}
    beside = [[row.get(p.seat, 0) for row in moment.columns.values()] for p in moment.standings if p.seat in seats]
    owners = [seats.get(began.get(region.id) or "", -1) for region in shown] if began else []
    own = ("g", signs), ("c", pieces), ("k", moment.columns and beside), ("b", owners)
    return {
        "n": moment.round,
        "o": [seats.get(region.owner or "", -1) for region in shown],
        "m": {land: markers for land, markers in marked.items() if markers},
        "s": [[seats[p.seat], p.rank, p.points, p.countries] for p in moment.standings if p.seat in seats],
        "f": sorted(battles([moment])),
    } | {name: told for name, told in own if told}
