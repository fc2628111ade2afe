"""What a site's front page tells of a league, in a small file beside the league's own pages.

The site's page shows every league, and a run touches few: of the others it reads what was published, so that no other
league is opened. A small map lies beside it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from html import escape
from typing import Any

from league.core.view import MapView
from league.records.canonical import canonical, stamp
from league.reports.context import LeaguePage, SiteInfo
from league.reports.front import Podium, Teaser
from league.reports.maps import SYMBOLS, Drawing, Look
from league.reports.page import saying
from league.reports.story import headline
from league.reports.texts import clean

KIND, FILE, THUMBNAIL = "league-teaser-1", "teaser.json", "map.svg"
SHOWN = 3
STYLE = (
    "<style>.s{fill:#dce8ec}.o{fill:#cfcbc2}.l{stroke:#3b352a;stroke-width:4;stroke-linejoin:round}"
    "@media (prefers-color-scheme:dark){.s{fill:#22313a}.o{fill:#54524d}.f{fill:#cdc6b4}}</style>"
)


def files(site: SiteInfo, page: LeaguePage) -> Iterable[tuple[str, bytes]]:
    """The file and the map, by their paths."""
    league, moments = page.league, page.chronicle.moments
    heads = {lang: headline(saying(site, league, lang), moments[-1].events) for lang in site.langs if moments}
    yield f"{league.slug}/{FILE}", written(teaser(page, heads))
    if league.drawing is not None and page.map is not None:
        looks = {seat.id: seat.look for seat in league.seats}
        yield f"{league.slug}/{THUMBNAIL}", thumbnail(league.drawing, page.map, looks)


def teaser(page: LeaguePage, heads: Mapping[str, str]) -> Teaser:
    """What the site's page tells of a league; `heads` is the newest headline in every language."""
    done = [link for link in page.rounds if link.status == "done"]
    newest = max(done, key=lambda link: link.number, default=None)
    return Teaser(
        slug=page.league.slug,
        round=newest.number if newest else 0,
        deadline=newest.deadline if newest else None,
        over=page.over,
        leaders=tuple(_podium(page)) if newest else (),
        heads=heads,
        map=page.league.drawing.box[2:] if page.map is not None and page.league.drawing is not None else (),
    )


def _podium(page: LeaguePage) -> list[Podium]:
    """The best few; all of the first rank, once the match is over."""
    drawing = page.league.drawing
    first = [place for place in page.standings if place.rank == 1]
    found = []
    for place in first if page.over else page.standings[:SHOWN]:
        seat = page.league.seat(place.seat)
        look = drawing.look(seat.look) if drawing is not None and seat is not None else Look("", "", 0)
        name = seat.name if seat is not None else place.seat
        found.append(Podium(clean(name), place.rank, place.points, look.fill, look.symbol, look.ring))
    return found


def written(told: Teaser) -> bytes:
    """The file."""
    body = asdict(told) | {"kind": KIND, "deadline": stamp(told.deadline) if told.deadline else None}
    body["map"] = list(told.map)
    return canonical(body | {"leaders": [asdict(one) for one in told.leaders], "heads": dict(told.heads)})


def read(content: bytes) -> Teaser | None:
    """What such a file says; None for one of another kind."""
    try:
        found: dict[str, Any] = json.loads(content)
        if found.pop("kind") != KIND:
            return None
        leaders = tuple(Podium(**one) for one in found.pop("leaders"))
        when, size = found.pop("deadline"), tuple(int(side) for side in found.pop("map"))
        told = Teaser(**found, leaders=leaders, map=size, deadline=datetime.fromisoformat(when) if when else None)
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    return told if all(one.symbol in SYMBOLS or not one.symbol for one in leaders) else None


def thumbnail(drawing: Drawing, view: MapView, looks: Mapping[str, int]) -> bytes:
    """A map without a word, for beside words: it follows the reader's light or dark by its own style."""
    x, y, width, height = drawing.box
    lands = []
    for region in view.regions:
        spot = drawing.spots.get(region.id)
        if spot is None:
            continue
        marked = [drawing.markers[name].fill for name in region.markers if name in drawing.markers]
        owned = drawing.look(looks[region.owner]).fill if region.owner in looks and region.owner else ""
        ground = owned or next(filter(None, marked), "")
        free = f'fill="{ground}"' if ground else f'class="f" fill="{escape(drawing.unowned)}"'
        lands.append(f'<path d="{escape(spot.path)}" {free}/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" width="{width}" height="{height}">'
        f'{STYLE}<rect class="s" x="{x}" y="{y}" width="{width}" height="{height}"/>'
        f'<path class="o" d="{escape(drawing.lands)}"/><g class="l">{"".join(lands)}</g></svg>'
    ).encode()
