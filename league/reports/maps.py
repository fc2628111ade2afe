"""The map as SVG: owners by fill and symbol, markers by pattern and icon, so that colour is never the only sign.

What all maps of a game share (shapes, sea, links) is prepared once in a `Drawing` and put into a page once, by
`shared`; each map then refers to it by `<use>`, so that a page with two maps carries the shapes once.

A board is drawn from its geometry, or as tiles: where its topology is that (K9), and where it has no geometry.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from typing import Any

from league.core.view import Arrow, MapView, Region

Point = tuple[int, int]
Name = Callable[[str], str]

MARKER_STEP = 46
BOLD_FROM = 4  # a ring of the second kind marks owners beyond fills times symbols
SYMBOLS = {
    "circle": "M0-15a15 15 0 1 1 0 30a15 15 0 1 1 0-30z",
    "square": "M-13-13h26v26h-26z",
    "triangle": "M0-16 16 13h-32z",
    "diamond": "M0-18 15 0 0 18-15 0z",
    "star": "M0-18 5-6 17-5 8 4 11 16 0 9-11 16-8 4-17-5-5-6z",
    "cross": "M-5-15h10v10h10v10h-10v10h-10v-10h-10v-10h10z",
    "hexagon": "M-8-15h16l9 15-9 15h-16l-9-15z",
    "pentagon": "M0-17 17-4 10 15h-20l-7-19z",
}
ICONS = {
    "flame": (
        "M-3 15C-16 9-11-3-5-8c1 4 3 5 4 5C-3-9 2-14 5-17 5-10 13-4 12 5 11 11 7 14 3 15 7 10 3 6 1 3 0 8-6 9-3 15z"
    ),
    "crossed swords": (
        "M-15-15l5 1L5 1l3-3 3 3-3 3 6 6-3 3-6-6-3 3-3-3 3-3L-13-10z"
        "M15-15l-5 1L-5 1l-3-3-3 3 3 3-6 6 3 3 6-6 3 3 3-3-3-3L13-10z"
    ),
    "falling line": "M-16-13l4-3 8 9 5-5 11 13v-7h5v16h-16v-5h7L1-5l-5 5z",
}
PATTERNS = {
    "crosshatch": (18, "M0 9H18M9 0V18", 45),
    "stripes": (16, "M8 0V16", 45),
    "dots": (18, "M9 9h.1", 0),
}
OWNERS = (  # for a game whose board names no style of its own
    ("#ebb233", "circle"), ("#85d6f1", "square"), ("#f18592", "triangle"), ("#a04e77", "diamond"),
    ("#adad5c", "star"), ("#6992bb", "cross"), ("#6f65b1", "hexagon"), ("#956e4b", "pentagon"),
)  # fmt: skip
TILE, GAP = (220, 150), 12
LETTERS = {"l": 36, "m": 29, "s": 23, "xs": 20}  # the height of each size of label


@dataclass(frozen=True, slots=True)
class Look:
    """How one owner is drawn. `ring` counts the rounds through the fills: 0 for the first."""

    fill: str
    symbol: str
    ring: int


@dataclass(frozen=True, slots=True)
class Marker:
    """How one kind of marker is drawn."""

    pattern: str
    colour: str
    icon: str


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the parts of one field's labelling go; `capital_label` None: no room."""

    number: int
    path: str
    capital: Point
    label: Point
    anchor: str
    size: str
    capital_label: Point | None
    capital_anchor: str
    badge: Point
    marker: Point
    names: Mapping[str, str]
    shorts: Mapping[str, str]
    capitals: Mapping[str, str]
    room: int = 0  # how wide a label may be; 0: as wide as it gets


@dataclass(frozen=True, slots=True)
class Drawing:
    """A game's map, prepared once a process."""

    box: tuple[int, int, int, int]
    spots: Mapping[str, Spot]
    backdrop: str
    links: str
    owners: tuple[tuple[str, str], ...] = OWNERS
    markers: Mapping[str, Marker] = field(default_factory=dict)
    unowned: str = "#f6f1e4"

    def look(self, index: int) -> Look:
        """Fill and symbol of the owner with that index: the pair differs for every index, whatever their number."""
        count = len(self.owners)
        ring, place = divmod(index, count)
        return Look(self.owners[place][0], self.owners[(place + 3 * ring) % count][1], ring)


def drawing(geometry: Mapping[str, Any], board: Mapping[str, Any]) -> Drawing:
    """The drawing of a board: shapes from `geometry.json`, names and style from `board.toml`."""
    fields = {f["id"]: f for f in board["field"]}
    x, y, width, height = geometry["viewBox"]
    drawn = Drawing(
        box=(x, y, width, height),
        spots={id_: _spot(shape, fields[id_]) for id_, shape in geometry["fields"].items()},
        backdrop=_backdrop(geometry, board.get("style", {}).get("off_board", "#cfcbc2")),
        links="".join(f'<path d="{escape(link["path"])}"/>' for link in geometry.get("sea_links", ())),
    )
    return _styled(drawn, board.get("style", {}))


def tile_drawing(board: Mapping[str, Any], *, links: bool = False) -> Drawing:
    """The board as tiles, each field at its `tile`. `links`: neighbours are joined by lines."""
    corners = {f["id"]: _corner(f["tile"], board["field"]) for f in board["field"]}
    width, height = (max(corner[axis] for corner in corners.values()) + TILE[axis] + GAP for axis in (0, 1))
    pairs = list(_pairs(board["field"])) if links else []
    bridges = "".join(_join(corners[a], corners[b]) for a, b, kind in pairs if kind == "land")
    drawn = Drawing(
        box=(0, 0, width, height),
        spots={f["id"]: _tile(f, corners[f["id"]]) for f in board["field"]},
        backdrop=f'<g style="fill:none;stroke:#3b352a;stroke-width:9">{bridges}</g>',
        links="".join(_join(corners[a], corners[b]) for a, b, kind in pairs if kind != "land"),
    )
    return _styled(drawn, board.get("style", {}))


def _styled(drawn: Drawing, style: Mapping[str, Any]) -> Drawing:
    owners = tuple((o["fill"], o["symbol"]) for o in style.get("owners", ())) or OWNERS
    markers = {k: Marker(m["pattern"], m["colour"], m["icon"]) for k, m in style.get("markers", {}).items()}
    return replace(drawn, owners=owners, markers=markers, unowned=style.get("unowned", drawn.unowned))


def _corner(tile: Mapping[str, int], fields: Sequence[Mapping[str, Any]]) -> Point:
    """Its upper left corner; empty columns and rows outside the board's own are left out."""
    left, top = (min(f["tile"][axis] for f in fields) for axis in ("col", "row"))
    return (GAP + (tile["col"] - left) * (TILE[0] + GAP), GAP + (tile["row"] - top) * (TILE[1] + GAP))


def _tile(board: Mapping[str, Any], corner: Point) -> Spot:
    """A tile: number and owner top left, markers top right, the name across, the capital below it."""
    (x, y), (width, height), middle = corner, TILE, corner[0] + TILE[0] // 2
    shown = {lang: board.get("short", {}).get(lang) or name for lang, name in board["name"].items()}
    room, longest = width - 16, max(map(len, shown.values()))
    return Spot(
        number=board["number"],
        path=f"M{x} {y}h{width}v{height}h-{width}z",
        capital=(middle, y + 132),
        label=(middle, y + 86),
        anchor="middle",
        size=next((size for size in LETTERS if _width(longest, size) <= room), "xs"),
        capital_label=(middle, y + 113) if "capital" in board else None,
        capital_anchor="middle",
        badge=(x + 52, y + 30),
        marker=(x + 146, y + 30),
        names=board["name"],
        shorts=board.get("short", {}),
        capitals=board.get("capital", {}),
        room=room,
    )


def _width(letters: int, size: str) -> int:
    return letters * LETTERS[size] * 2 // 3


def _pairs(fields: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Every two neighbours once, with the kind of their link."""
    numbers = {f["id"]: f["number"] for f in fields}
    for one in fields:
        for near in one.get("neighbours", ()):
            if numbers[one["id"]] < numbers[near["id"]]:
                yield one["id"], near["id"], near.get("kind", "land")


def _join(one: Point, other: Point) -> str:
    """A line from the rim of one tile to the rim of another."""
    (a, b), (c, d) = _rim(one, other), _rim(other, one)
    return f'<path d="M{a} {b}L{c} {d}"/>'


def _rim(corner: Point, towards: Point) -> Point:
    """Where the line between two tiles' centres leaves the first."""
    x, y = towards[0] - corner[0], towards[1] - corner[1]
    across, down = TILE[0] // 2, TILE[1] // 2
    if abs(x) * down >= abs(y) * across:  # through a side
        step = (across if x > 0 else -across, y * across // abs(x))
    else:
        step = (x * down // abs(y), down if y > 0 else -down)
    return (corner[0] + across + step[0], corner[1] + down + step[1])


def _spot(shape: Mapping[str, Any], board: Mapping[str, Any]) -> Spot:
    return Spot(
        number=board["number"],
        path=shape["path"],
        capital=_point(shape["capital_xy"]),
        label=_point(shape["label_xy"]),
        anchor=shape["label_anchor"],
        size=shape["label_size"],
        capital_label=_point(shape["capital_label_xy"]) if shape["capital_label_xy"] else None,
        capital_anchor=shape["capital_label_anchor"] or "start",
        badge=_point(shape["badge_xy"]),
        marker=_point(shape["marker_xy"]),
        names=board["name"],
        shorts=board.get("short", {}),
        capitals=board.get("capital", {}),
    )


def _point(pair: Sequence[int]) -> Point:
    return (int(pair[0]), int(pair[1]))


def _backdrop(geometry: Mapping[str, Any], colour: str) -> str:
    lands = "".join(escape(path) for path in geometry.get("background", {}).values())
    return (
        f'<path class="grid" d="{escape(geometry.get("graticule", ""))}"/>'
        f'<path class="off" d="{lands}" style="fill:var(--off,{escape(colour)})"/>'
    )


@lru_cache(maxsize=16)
def _shared(
    parts: tuple[tuple[str, str], ...], backdrop: str, links: str, markers: tuple[tuple[str, str, str], ...]
) -> str:
    shapes = "".join(f'<path id="f-{escape(id_)}" d="{escape(path)}"/>' for id_, path in parts)
    symbols = "".join(f'<path id="s-{name}" d="{path}"/>' for name, path in SYMBOLS.items())
    icons = "".join(f'<path id="i-{_word(name)}" d="{path}"/>' for name, path in ICONS.items())
    fills = "".join(_pattern(*marker) for marker in markers)
    head = (
        '<marker id="head" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto">'
        '<path d="M0 0 10 5 0 10 2.5 5z"/></marker>'
    )
    return (
        f'<defs><g id="backdrop">{backdrop}</g><g id="links" class="links">{links}</g>'
        f"{shapes}{symbols}{icons}{fills}{head}</defs>"
    )


def _pattern(name: str, kind: str, colour: str) -> str:
    size, path, turn = PATTERNS.get(kind, PATTERNS["stripes"])
    width = 8 if kind == "dots" else 5 if kind == "stripes" else 3
    return (
        f'<pattern id="m-{escape(name)}" width="{size}" height="{size}" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate({turn})"><path d="{path}" stroke="{escape(colour)}" stroke-width="{width}"'
        ' stroke-linecap="round" fill="none"/></pattern>'
    )


def shared(drawing_: Drawing) -> str:
    """The hidden part with all shapes; a page that shows maps carries it once, before the first."""
    return (
        f'<svg class="shared" width="0" height="0" aria-hidden="true" focusable="false">{definitions(drawing_)}</svg>'
    )


def definitions(drawing_: Drawing) -> str:
    """All shapes, for maps to refer to."""
    parts = tuple((id_, spot.path) for id_, spot in drawing_.spots.items())
    markers = tuple((name, m.pattern, m.colour) for name, m in drawing_.markers.items())
    return _shared(parts, drawing_.backdrop, drawing_.links, markers)


def picture(
    drawing_: Drawing, view: MapView, lang: str, looks: Mapping[str, int], title: str, text: str, name: str = "map"
) -> str:
    """One map. `looks`: seat -> index; `title` and `text` are what a screen reader says instead; `name` is its id."""
    shown = [region for region in view.regions if region.id in drawing_.spots]
    layers = (
        '<use href="#backdrop"/>',
        "".join(land(drawing_, region, looks) for region in shown),
        '<use href="#links"/>',
        "".join(arrow(drawing_, move, looks) for move in view.arrows),
        "".join(_capital(drawing_.spots[r.id], lang) for r in shown),
        "".join(_label(drawing_.spots[r.id], lang) for r in shown),
        "".join(_badge(drawing_, r, looks) for r in shown),
        "".join(icons(drawing_, r) for r in shown),
    )
    box = " ".join(str(n) for n in drawing_.box)
    return (
        f'<svg class="map" viewBox="{box}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(text)}</desc>{"".join(layers)}</svg>'
    )


def land(drawing_: Drawing, region: Region, looks: Mapping[str, int]) -> str:
    """A field in its owner's fill, with the patterns of its markers."""
    owned = region.owner is not None and region.owner in looks
    free = f"var(--free,{drawing_.unowned})"
    fill = drawing_.look(looks[region.owner]).fill if owned and region.owner is not None else free
    marks = "".join(f'<use href="#f-{region.id}" fill="url(#m-{m})"/>' for m in region.markers if m in drawing_.markers)
    changed = " new" if region.changed else ""
    return f'<g class="land{changed}"><use href="#f-{region.id}" style="fill:{fill}"/>{marks}</g>'


def _capital(spot: Spot, lang: str) -> str:
    x, y = spot.capital
    dot = f'<circle class="cap" cx="{x}" cy="{y}" r="6"/>'
    if spot.capital_label is None:
        return dot
    a, b = spot.capital_label
    words = escape(spot.capitals.get(lang, ""))
    return f'{dot}<text class="city" x="{a}" y="{b}" text-anchor="{spot.capital_anchor}">{words}</text>'


def _label(spot: Spot, lang: str) -> str:
    x, y = spot.label
    words = escape(spot.shorts.get(lang) or spot.names.get(lang, ""))
    letters = len(spot.shorts.get(lang) or spot.names.get(lang, ""))
    tight = 0 < spot.room < _width(letters, spot.size)
    squeeze = f' textLength="{spot.room}" lengthAdjust="spacingAndGlyphs"' if tight else ""
    return f'<text class="name {spot.size}" x="{x}" y="{y}" text-anchor="{spot.anchor}"{squeeze}>{words}</text>'


def _badge(drawing_: Drawing, region: Region, looks: Mapping[str, int]) -> str:
    spot = drawing_.spots[region.id]
    x, y = spot.badge
    owner = region.owner if region.owner in looks else None
    if owner is None:
        return (
            f'<g class="badge free" transform="translate({x} {y})">'
            '<rect x="-21" y="-17" width="42" height="34" rx="17"/>'
            f'<text y="9">{spot.number}</text></g>'
        )
    return (
        f'<g class="badge" transform="translate({x} {y})"><rect x="-43" y="-22" width="86" height="44" rx="22"/>'
        f'<text x="-18" y="9">{spot.number}</text>{_symbol(drawing_.look(looks[owner]), 19)}</g>'
    )


def _symbol(look: Look, x: int = 0) -> str:
    ring = f'<circle cx="{x}" r="19" class="ring r{min(look.ring, BOLD_FROM)}"/>' if look.ring else ""
    return f'{ring}<use href="#s-{look.symbol}" x="{x}" class="sym" style="fill:{look.fill}"/>'


def icons(drawing_: Drawing, region: Region) -> str:
    """The signs of a field's markers, side by side."""
    x, y = drawing_.spots[region.id].marker
    known = [drawing_.markers[m] for m in region.markers if m in drawing_.markers]
    left = x - MARKER_STEP * (len(known) - 1) // 2
    return "".join(_icon(marker, left + i * MARKER_STEP, y) for i, marker in enumerate(known))


def _icon(marker: Marker, x: int, y: int) -> str:
    return (
        f'<g class="icon" transform="translate({x} {y})"><circle r="22" style="stroke:{marker.colour}"/>'
        f'<use href="#i-{_word(marker.icon)}" style="fill:{marker.colour}"/></g>'
    )


def _word(icon: str) -> str:
    return escape(icon.replace(" ", "-"))


def arrow(drawing_: Drawing, move: Arrow, looks: Mapping[str, int]) -> str:
    """A move from field to field; a ring where it comes from nowhere."""
    target = drawing_.spots.get(move.target)
    if target is None or move.seat not in looks:
        return ""
    state = {True: "done", False: "failed", None: "open"}[move.done]
    fill = drawing_.look(looks[move.seat]).fill
    source = drawing_.spots.get(move.source or "")
    if source is None or source is target:
        x, y = target.capital
        ring = f'cx="{x}" cy="{y}" r="30"'
        return f'<g class="arrow {state}"><circle class="under" {ring}/><circle {ring} style="stroke:{fill}"/></g>'
    path = _curve(source.capital, target.capital)
    return (
        f'<g class="arrow {state}"><path class="under" d="{path}" marker-end="url(#head)"/>'
        f'<path d="{path}" style="stroke:{fill}"/></g>'
    )


def _curve(start: Point, end: Point) -> str:
    """A bow from start to end that leaves a little room at both, in whole units: the same bytes everywhere."""
    (a, b), (c, d) = start, end
    x, y = c - a, d - b
    length = max(abs(x), abs(y), 1)
    gap = min(26, length // 4)
    a, b = a + x * gap // length, b + y * gap // length
    c, d = c - x * gap // length, d - y * gap // length
    return f"M{a} {b}Q{(a + c) // 2 - y // 7} {(b + d) // 2 + x // 7} {c} {d}"


def swatch(drawing_: Drawing, index: int) -> str:
    """The small sign that stands for an owner beside the name: fill and symbol."""
    look = drawing_.look(index)
    symbol = f'<path d="{SYMBOLS[look.symbol]}" class="sym" style="fill:{look.fill}"/>'
    ring = f'<circle r="20" class="ring r{min(look.ring, BOLD_FROM)}"/>' if look.ring else ""
    return f'<svg class="swatch" viewBox="-22 -22 44 44" aria-hidden="true" focusable="false">{ring}{symbol}</svg>'


def marker_sign(drawing_: Drawing, name: str) -> str:
    """The small sign that stands for a marker in the legend."""
    marker = drawing_.markers[name]
    return (
        '<svg class="swatch" viewBox="-26 -26 52 52" aria-hidden="true" focusable="false">'
        f'<rect x="-25" y="-25" width="50" height="50" rx="8" style="fill:{drawing_.unowned}"/>'
        f'<rect x="-25" y="-25" width="50" height="50" rx="8" fill="url(#m-{escape(name)})"/>'
        f'<g transform="scale(.66)">{_icon(marker, 0, 0)}</g></svg>'
    )


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 320, 60, 160, 14, 40


Series = tuple[str, int, Sequence[int | None]]  # name, look, points a round; None before the player joined


def chart(drawing_: Drawing | None, rounds: Sequence[int], rows: Sequence[Series], title: str, text: str) -> str:
    """Points over the rounds as lines that end in the owners' symbols."""
    rows = [row for row in rows if row[2] and row[2][-1] is not None]
    values = [v for _, _, points in rows for v in points if v is not None]
    if not rounds or not values:
        return ""
    low, high = min(0, *values), max(1, *values)
    step = _step(high - low)
    low, high = low // step * step, -(-high // step) * step
    xs = [LEFT + (WIDTH - LEFT - RIGHT) * i // max(1, len(rounds) - 1) for i in range(len(rounds))]

    def at(value: int) -> int:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) // (high - low)

    grid = "".join(
        f'<path class="line" d="M{LEFT} {at(v)}H{WIDTH - RIGHT}"/>'
        f'<text x="{LEFT - 8}" y="{at(v) + 4}" class="y">{v}</text>'
        for v in range(low, high + 1, step)
    )
    every = max(1, len(rounds) // 12)
    marked = list(zip(xs, rounds, strict=True))[::every]
    marks = "".join(f'<text x="{x}" y="{HEIGHT - 10}" class="x">{n}</text>' for x, n in marked)
    paths = [[(x, at(v)) for x, v in zip(xs, points, strict=True) if v is not None] for _, _, points in rows]
    ends = _spread([path[-1][1] for path in paths])
    lines = "".join(_series(drawing_, row, path, end) for row, path, end in zip(rows, paths, ends, strict=True))
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="chart-t chart-d">'
        f'<title id="chart-t">{escape(title)}</title><desc id="chart-d">{escape(text)}</desc>{grid}{marks}{lines}</svg>'
    )


def _series(drawing_: Drawing | None, row: Series, points: Sequence[Point], end: int) -> str:
    name, index, _ = row
    look = (drawing_ or Drawing((0, 0, 0, 0), {}, "", "")).look(index)
    path = "M" + "L".join(f"{x} {y}" for x, y in points)
    short = name if len(name) <= 12 else f"{name[:11]}…"
    x = points[-1][0]
    return (
        f'<g class="series"><path class="under" d="{path}"/><path d="{path}" style="stroke:{look.fill}"/>'
        f'<g transform="translate({x + 10} {end}) scale(.55)">'
        f'<path d="{SYMBOLS[look.symbol]}" class="sym" style="fill:{look.fill}"/></g>'
        f'<text x="{x + 24}" y="{end + 4}">{escape(short)}</text></g>'
    )


def _step(span: int) -> int:
    """A round distance between grid lines that gives at most six of them."""
    for power in (1, 10, 100, 1000, 10000, 100000):
        for first in (1, 2, 5):
            if span <= first * power * 6:
                return first * power
    return span


def _spread(heights: Sequence[int]) -> list[int]:
    """The same heights, moved apart so that the names at the lines' ends don't cover each other."""
    room = min(20, (HEIGHT - TOP - BOTTOM) // max(1, len(heights)))
    order = sorted(range(len(heights)), key=lambda i: (heights[i], i))
    placed: list[int] = []
    for i in order:
        placed.append(max(heights[i], placed[-1] + room) if placed else heights[i])
    limit = HEIGHT - BOTTOM
    for k in reversed(range(len(placed))):
        placed[k] = min(placed[k], limit)
        limit = placed[k] - room
    back = dict(zip(order, placed, strict=True))
    return [back[i] for i in range(len(heights))]
