"""Maps as SVG: owners by fill and symbol, markers by pattern and icon, so that colour is never the only sign.

What all maps of a game share (shapes, sea, links) is put into a page once, by `shared`; each map then refers to it by
`<use>`, so that a page with two maps carries the shapes once. The part where fields are small is drawn a second time,
larger, and that is one `<use>` too. Looks stand in attributes, never in `style`: pages forbid that (base.html).

Every field of a map is a link to its row in the table beside it (`c-<id>`); `map.js` answers hover, tap and keys.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from html import escape

from league.core.view import Arrow, MapView, Region
from league.reports.maps import (
    BOLD_FROM,
    ICONS,
    PATTERNS,
    SYMBOLS,
    Drawing,
    Look,
    Marker,
    Point,
    Spot,
    inside,
    text_width,
)

MARKER_STEP = 46
FREE = '<rect x="-21" y="-17" width="42" height="34" rx="17"/>'
ONE, SUM = (
    '<rect x="-4" y="-20" width="72" height="40" rx="9"/>',
    '<rect x="-4" y="-18" width="54" height="36" rx="9"/>',
)
PIECE = (78, 44)  # how far apart the pieces of two seats stand
OWNED = '<rect x="-43" y="-22" width="86" height="44" rx="22"/>'
UNDER = 'paint-order="stroke"'  # an attribute, since the validator of the style sheet knows no such property
NOTHING: Mapping[str, str] = {}


@lru_cache(maxsize=16)
def _shared(
    parts: tuple[tuple[str, str, str], ...],
    backdrop: str,
    links: str,
    markers: tuple[tuple[str, Marker], ...],
    looks: tuple[tuple[int, Look], ...],
    used: tuple[str, ...],
) -> str:
    shapes = "".join(f'<path id="f-{escape(id_)}"{tile} d="{escape(path)}"/>' for id_, path, tile in parts)
    symbols = "".join(f'<path id="s-{name}" d="{path}"/>' for name, path in SYMBOLS.items())
    icons = "".join(f'<path id="i-{_word(name)}" d="{ICONS[name]}"/>' for name in used)
    signs = "".join(f'<g id="o-{index}">{_symbol(look)}</g>' for index, look in looks)
    marks = "".join(f'<g id="k-{escape(name)}" class="icon">{_icon(marker)}</g>' for name, marker in markers)
    fills = "".join(_pattern(name, marker.pattern, marker.colour) for name, marker in markers if marker.pattern)
    head = (
        '<marker id="head" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto">'
        '<path d="M0 0 10 5 0 10 2.5 5z"/></marker>'
    )
    return (
        f'<defs><g id="backdrop">{backdrop}</g><g id="links" class="links">{links}</g>'
        f"{shapes}{symbols}{icons}{signs}{marks}{fills}{head}</defs>"
    )


def _pattern(name: str, kind: str, colour: str) -> str:
    size, path, turn = PATTERNS.get(kind, PATTERNS["stripes"])
    thick = 8 if kind == "dots" else 5 if kind == "stripes" else 3
    return (
        f'<pattern id="m-{escape(name)}" width="{size}" height="{size}" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate({turn})"><path d="{path}" stroke="{escape(colour)}" stroke-width="{thick}"'
        ' stroke-linecap="round" fill="none"/></pattern>'
    )


def shared(drawing: Drawing, looks: Iterable[int] = ()) -> str:
    """The hidden part with all shapes; a page that shows maps carries it once, before the first."""
    return (
        '<svg class="shared" width="0" height="0" aria-hidden="true" focusable="false">'
        f"{definitions(drawing, looks, tiles=drawing.tiled)}</svg>"
    )


def definitions(drawing: Drawing, looks: Iterable[int] = (), *, tiles: bool = False) -> str:
    """All shapes, for maps to refer to, and the signs of the owners with these looks; `tiles`: and where tiles lie."""
    parts = tuple((id_, spot.path, _tile(spot) if tiles else "") for id_, spot in drawing.spots.items())
    owners = tuple((index, drawing.look(index)) for index in sorted(set(looks)))
    icons = {marker.icon for marker in drawing.markers.values()} | ({"pawn"} if _has_pieces(drawing) else set())
    used = tuple(name for name in ICONS if name in icons)
    return _shared(parts, drawing.backdrop, drawing.links, tuple(drawing.markers.items()), owners, used)


def _tile(spot: Spot) -> str:
    column, row = spot.tile or (0, 0)
    return f' data-tile="{column} {row} {escape(spot.code)}"'


def _has_pieces(drawing: Drawing) -> bool:
    return any(spot.pieces is not None for spot in drawing.spots.values())


def picture(
    drawing: Drawing,
    view: MapView,
    lang: str,
    looks: Mapping[str, int],
    title: str,
    text: str,
    name: str = "map",
    told: Mapping[str, str] = NOTHING,
    fought: Collection[str] = (),
) -> str:
    """One map. `looks`: seat -> index; `title` and `text` are what a screen reader says instead; `name` is its id.

    `told` says in words what is to be known of a field: a map with it has links to the fields' rows. `fought` are
    fields that were fought for.
    """
    box = " ".join(str(n) for n in drawing.box)
    frame = "" if drawing.inset is None else _frame(drawing.inset)
    return (
        f'<svg class="map" viewBox="{box}" role="group" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(text)}</desc>'
        f'<g id="{name}-all">{"".join(_layers(drawing, view, lang, looks, told, fought))}</g>{frame}</svg>'
    )


def _layers(
    drawing: Drawing,
    view: MapView,
    lang: str,
    looks: Mapping[str, int],
    told: Mapping[str, str],
    fought: Collection[str],
) -> Iterable[str]:
    shown = [region for region in view.regions if region.id in drawing.spots]
    yield '<use href="#backdrop"/><g class="lands">'
    yield from (_linked(land(drawing, region, looks), region, told) for region in shown)
    yield '</g><use class="halo" href="#none"/><use href="#links"/>'
    rings = "".join(arrow(drawing, move, looks) for move in view.arrows if _is_ring(drawing, move))
    yield f'<g class="arrows">{rings}</g>' if rings else ""  # below the names, which they would cover
    yield '<g class="signs" paint-order="stroke">'
    yield _names(drawing, tuple(region.id for region in shown), lang)
    yield '</g><g class="arrows">'
    yield from (arrow(drawing, move, looks) for move in view.arrows if not _is_ring(drawing, move))
    yield '</g><g class="signs">'
    yield from (_badge(drawing, r, looks, " fought" if r.id in fought else "") for r in shown)
    yield from (_group("icons", drawing, r, drawing.spots[r.id].marker, icons(drawing, r)) for r in shown)
    yield from (
        _group("pieces", drawing, r, at, _pieces(drawing, r, looks))
        for r in shown
        if (at := drawing.spots[r.id].pieces)
    )
    yield "</g>"


def _names(drawing: Drawing, shown: tuple[str, ...], lang: str) -> str:
    """Capitals and labels, which are the same on every map."""
    key = "names", shown, lang
    if key not in drawing.kept:
        spots = [drawing.spots[id_] for id_ in shown]
        drawn = (*(_capital(drawing, spot, lang) for spot in spots), *(_label(drawing, spot, lang) for spot in spots))
        drawing.kept[key] = "".join(drawn)
    return drawing.kept[key]


def _group(kind: str, drawing: Drawing, region: Region, place: Point, drawn: str) -> str:
    """What stands at a place of a field, so that it can be moved as one."""
    kind += _far(drawing, drawing.spots[region.id])
    return f'<g class="{kind}" data-id="{escape(region.id)}" transform="translate({place[0]} {place[1]})">{drawn}</g>'


def _frame(box: tuple[int, int, int, int]) -> str:
    x, y, across, down = box
    return f'<rect class="frame" x="{x}" y="{y}" width="{across}" height="{down}" rx="14"/>'


def inset(drawing: Drawing, view: MapView, title: str, name: str = "map", told: Mapping[str, str] = NOTHING) -> str:
    """The crowded part of a map that stands on the same page under `name`, larger; empty where none is."""
    if drawing.inset is None:
        return ""
    x, y, across, down = drawing.inset
    held = [r for r in view.regions if r.id in told and inside(drawing.spots[r.id].badge, drawing.inset)]
    over = "".join(
        f'<use class="over" data-id="{escape(r.id)}" href="#f-{escape(r.id)}" aria-hidden="true"/>' for r in held
    )
    return (
        f'<svg class="map inset" viewBox="{x} {y} {across} {down}" role="img" aria-label="{escape(title)}">'
        f'<use href="#{name}-all"/>{over}</svg>'
    )


def land(drawing: Drawing, region: Region, looks: Mapping[str, int]) -> str:
    """A field in its owner's fill, with the patterns of its markers."""
    key = "land", region.id, looks.get(region.owner or ""), region.markers, region.changed
    if key not in drawing.kept:
        drawing.kept[key] = _land(drawing, region, looks)
    return drawing.kept[key]


def _land(drawing: Drawing, region: Region, looks: Mapping[str, int]) -> str:
    owned = region.owner is not None and region.owner in looks
    known = {name: drawing.markers[name] for name in region.markers if name in drawing.markers}
    ground = next((marker.fill for marker in known.values() if marker.fill), f"var(--free,{drawing.unowned})")
    fill = drawing.look(looks[region.owner]).fill if owned and region.owner is not None else ground
    marks = "".join(f'<use href="#f-{region.id}" fill="url(#m-{name})"/>' for name in known if known[name].pattern)
    changed = " new" if region.changed else ""
    return f'<g class="land{changed}"><use href="#f-{region.id}" fill="{fill}"/>{marks}</g>'


def _linked(drawn: str, region: Region, told: Mapping[str, str]) -> str:
    if region.id not in told:
        return drawn
    return (
        f'<a href="#c-{escape(region.id)}" data-id="{escape(region.id)}" tabindex="-1"'
        f' aria-label="{escape(told[region.id])}">{drawn}</a>'
    )


def _held(drawing: Drawing, spot: Spot) -> str:
    """The class of what is only shown where the crowded part is drawn larger, and of what isn't shown there."""
    return " in" if drawing.inset is not None and inside(spot.badge, drawing.inset) else _far(drawing, spot)


def _far(drawing: Drawing, spot: Spot) -> str:
    return " out" if drawing.inset is not None and not inside(spot.badge, drawing.inset) else ""


def _capital(drawing: Drawing, spot: Spot, lang: str) -> str:
    x, y = spot.capital
    held = _held(drawing, spot)
    if not spot.capitals:
        return ""
    dot = f'<circle class="cap{held}" cx="{x}" cy="{y}" r="6"/>'
    if spot.capital_label is None:
        return dot
    a, b = spot.capital_label
    words = escape(spot.capitals.get(lang, ""))
    return f'{dot}<text class="city{held}" x="{a}" y="{b}" text-anchor="{spot.capital_anchor}">{words}</text>'


def _label(drawing: Drawing, spot: Spot, lang: str) -> str:
    x, y = spot.label
    words = escape(spot.shorts.get(lang) or spot.names.get(lang, ""))
    letters = len(spot.shorts.get(lang) or spot.names.get(lang, ""))
    tight = 0 < spot.room < text_width(letters, spot.size)
    squeeze = f' textLength="{spot.room}" lengthAdjust="spacingAndGlyphs"' if tight else ""
    kind = f"name {spot.size}{_held(drawing, spot)}"
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{spot.anchor}"{squeeze}>{words}</text>'


def _badge(drawing: Drawing, region: Region, looks: Mapping[str, int], kind: str) -> str:
    key = "badge", region.id, looks.get(region.owner or ""), region.sign, kind
    if key not in drawing.kept:
        drawing.kept[key] = _drawn_badge(drawing, region, looks, kind)
    return drawing.kept[key]


def _drawn_badge(drawing: Drawing, region: Region, looks: Mapping[str, int], kind: str) -> str:
    spot = drawing.spots[region.id]
    x, y = spot.badge
    place = f'transform="translate({x} {y})" data-id="{escape(region.id)}"'
    kind += _held(drawing, spot)
    owner, sign = region.owner if region.owner in looks else None, region.sign
    if owner is None:
        hidden, said = " none" if sign == "" else "", spot.number if sign is None else sign
        return f'<g class="badge free{kind}{hidden}" {place}>{FREE}<text y="9" {UNDER}>{said}</text></g>'
    return (
        f'<g class="badge{kind}" {place}>{OWNED}<text x="-18" y="9" {UNDER}>{spot.number}</text>'
        f'<use href="#o-{looks[owner]}" x="19"/></g>'
    )


def _symbol(look: Look) -> str:
    ring = f'<circle r="19" class="ring r{min(look.ring, BOLD_FROM)}"/>' if look.ring else ""
    return f'{ring}<use href="#s-{look.symbol}" class="sym" fill="{look.fill}"/>'


def icons(drawing: Drawing, region: Region) -> str:
    """The signs of a field's markers, side by side about the middle."""
    known = [name for name in region.markers if name in drawing.markers and drawing.markers[name].icon]
    left = -MARKER_STEP * (len(known) - 1) // 2
    return "".join(f'<use href="#k-{escape(name)}" x="{left + i * MARKER_STEP}"/>' for i, name in enumerate(known))


def _icon(marker: Marker) -> str:
    if not marker.icon:
        return ""
    return f'<circle r="22" stroke="{marker.colour}"/><use href="#i-{_word(marker.icon)}" fill="{marker.colour}"/>'


def _pieces(drawing: Drawing, region: Region, looks: Mapping[str, int]) -> str:
    """Pieces by seat, each with the owner's sign; where there is no room for that, their sum."""
    spot = drawing.spots[region.id]
    here = sorted((looks[seat], count) for seat, count in region.counts.items() if seat in looks and count)
    held = _held(drawing, spot)
    if not spot.row and here:
        total = sum(count for _, count in here)
        return (
            f'<g class="piece sum{held}" transform="translate(26)">{SUM}'
            f'<use href="#i-pawn" x="12"/><text x="34" y="9">{total}</text></g>'
        )
    places = [(PIECE[0] * (i % spot.row), PIECE[1] * (i // spot.row)) for i in range(len(here))]
    return "".join(
        f'<g class="piece{held}" transform="translate({left} {top})">{ONE}<use href="#o-{look}" x="18"/>'
        f'<text x="50" y="9">{count}</text></g>'
        for (left, top), (look, count) in zip(places, here, strict=True)
    )


def _word(icon: str) -> str:
    return escape(icon.replace(" ", "-"))


def arrow(drawing: Drawing, move: Arrow, looks: Mapping[str, int]) -> str:
    """A move from field to field; a ring where it comes from nowhere, with paper in it, so that no coast is seen."""
    target = drawing.spots.get(move.target)
    if target is None or move.seat not in looks:
        return ""
    state = {True: "done", False: "failed", None: "open"}[move.done]
    fill = drawing.look(looks[move.seat]).fill
    source = drawing.spots.get(move.source or "")
    if source is None or _is_ring(drawing, move):
        x, y = target.capital
        ring = f'cx="{x}" cy="{y}" r="26"'
        return (
            f'<g class="arrow {state}" data-to="{escape(move.target)}"><circle class="under" {ring}/>'
            f'<circle {ring} stroke="{fill}"/></g>'
        )
    path = _curve(source.capital, target.capital)
    ends = f'data-from="{escape(move.source or "")}" data-to="{escape(move.target)}"'
    return (
        f'<g class="arrow {state}" {ends}><path class="under" d="{path}" marker-end="url(#head)"/>'
        f'<path d="{path}" stroke="{fill}"/></g>'
    )


def _is_ring(drawing: Drawing, move: Arrow) -> bool:
    return move.source not in drawing.spots or move.source == move.target


def _curve(start: Point, end: Point) -> str:
    """A bow from start to end that leaves a little room at both, in whole units: the same bytes everywhere."""
    (a, b), (c, d) = start, end
    x, y = c - a, d - b
    length = max(abs(x), abs(y), 1)
    gap = min(26, length // 4)
    a, b = a + x * gap // length, b + y * gap // length
    c, d = c - x * gap // length, d - y * gap // length
    return f"M{a} {b}Q{(a + c) // 2 - y // 7} {(b + d) // 2 + x // 7} {c} {d}"


def swatch(drawing: Drawing, index: int) -> str:
    """The small sign that stands for an owner beside the name: fill and symbol."""
    return sign(drawing.look(index))


def sign(look: Look) -> str:
    """The same of a look."""
    symbol = f'<path d="{SYMBOLS[look.symbol]}" class="sym" fill="{escape(look.fill)}"/>'
    ring = f'<circle r="20" class="ring r{min(look.ring, BOLD_FROM)}"/>' if look.ring else ""
    return f'<svg class="swatch" viewBox="-22 -22 44 44" aria-hidden="true" focusable="false">{ring}{symbol}</svg>'


def marker_sign(drawing: Drawing, name: str) -> str:
    """The small sign that stands for a marker in the legend."""
    marker = drawing.markers[name]
    over = (
        f'<rect x="-25" y="-25" width="50" height="50" rx="8" fill="url(#m-{escape(name)})"/>' if marker.pattern else ""
    )
    return (
        '<svg class="swatch" viewBox="-26 -26 52 52" aria-hidden="true" focusable="false">'
        f'<rect x="-25" y="-25" width="50" height="50" rx="8" fill="{marker.fill or drawing.unowned}"/>{over}'
        f'<g class="icon" transform="scale(.66)">{_icon(marker)}</g></svg>'
    )
