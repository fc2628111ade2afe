"""A board made ready for drawing: shapes, places of labels and signs, looks of owners and markers.

A board is drawn from its geometry, or as tiles: where its topology is that (K9), and where it has no geometry.
`atlas.py` makes maps of a `Drawing`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

Point = tuple[int, int]
Box = tuple[int, int, int, int]

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
    "star": "M0-18 5-6 17-5 8 4 11 16 0 9-11 16-8 4-17-5-5-6z",
    "bolt": "M4-18-11 3H-2L-5 18 11-5H2z",
    "bar": "M-15-5h30v10h-30z",
    "pawn": "M0-17a7 7 0 0 1 5 12L10 15h-20L-5-5a7 7 0 0 1 5-12z",
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
    """How one kind of marker is drawn, by pattern, icon or both; `fill` is the ground of a field that nobody owns."""

    pattern: str
    colour: str
    icon: str
    fill: str = ""


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
    near: tuple[str, ...] = ()  # its neighbours
    groups: tuple[str, ...] = ()  # what it counts for
    pieces: Point | None = None  # where the first seat's pieces stand; None: where the badge is
    row: int = 0  # how many seats stand in a row there; 0: no room, their sum stands beside the badge
    tile: Point | None = None  # column and row of its tile, from 0, where the map can also be shown as tiles
    code: str = ""  # what a tile is called where there is no room for a name


@dataclass(frozen=True, slots=True)
class Drawing:
    """A game's map, prepared once a process. `inset`: the part in which fields are so small that it is drawn again.

    `owned`: whether fields can have owners at all.
    """

    box: Box
    spots: Mapping[str, Spot]
    backdrop: str
    links: str
    owners: tuple[tuple[str, str], ...] = OWNERS
    markers: Mapping[str, Marker] = field(default_factory=dict)
    unowned: str = "#f6f1e4"
    inset: Box | None = None
    owned: bool = True
    lands: str = ""  # the path of what lies off the board
    # Pieces of maps that were drawn already, by what they are drawn of: the same ones come again in every round.
    kept: dict[tuple[object, ...], str] = field(init=False, default_factory=dict, compare=False, repr=False)

    @property
    def tiled(self) -> bool:
        """Whether it can be shown as tiles of one size too (map.js)."""
        return bool(self.spots) and all(spot.tile is not None for spot in self.spots.values())

    def look(self, index: int) -> Look:
        """Fill and symbol of the owner with that index: the pair differs for every index, whatever their number."""
        count = len(self.owners)
        ring, place = divmod(index, count)
        return Look(self.owners[place][0], self.owners[(place + 3 * ring) % count][1], ring)


def drawing(geometry: Mapping[str, Any], board: Mapping[str, Any]) -> Drawing:
    """The drawing of a board: shapes from `geometry.json`, names, style and tiles from `board.toml`."""
    fields = {f["id"]: f for f in board["field"]}
    x, y, width, height = geometry["viewBox"]
    tiles = {id_: _place(f["tile"], board["field"]) for id_, f in fields.items() if "tile" in f}
    tiles = tiles if len(tiles) == len(fields) else {}
    drawn = Drawing(
        box=(x, y, width, height),
        spots={id_: _spot(shape, fields[id_], tiles.get(id_)) for id_, shape in geometry["fields"].items()},
        lands="".join(geometry.get("background", {}).values()),
        backdrop=_backdrop(geometry, board.get("style", {}).get("off_board", "#cfcbc2")),
        links="".join(f'<path d="{escape(link["path"])}"/>' for link in geometry.get("sea_links", ())),
    )
    named = geometry.get("inset")
    inset = _box(named) if named else crowded(drawn)
    return _styled(replace(drawn, inset=inset), board.get("style", {}))


def tile_drawing(board: Mapping[str, Any], *, links: bool = False) -> Drawing:
    """The board as tiles, each field at its `tile`. `links`: neighbours are joined by lines."""
    corners = {f["id"]: _corner(f["tile"], board["field"]) for f in board["field"]}
    width, height = (max(corner[axis] for corner in corners.values()) + TILE[axis] + GAP for axis in (0, 1))
    pairs = list(_pairs(board["field"])) if links else []
    bridges = "".join(_join(corners[a], corners[b]) for a, b, kind in pairs if kind == "land")
    drawn = Drawing(
        box=(0, 0, width, height),
        spots={f["id"]: _tile(f, corners[f["id"]]) for f in board["field"]},
        backdrop=f'<g fill="none" stroke="#3b352a" stroke-width="9">{bridges}</g>',
        links="".join(_join(corners[a], corners[b]) for a, b, kind in pairs if kind != "land"),
    )
    return _styled(drawn, board.get("style", {}))


def _styled(drawn: Drawing, style: Mapping[str, Any]) -> Drawing:
    owners = tuple((o["fill"], o["symbol"]) for o in style.get("owners", ())) or OWNERS
    markers = {
        k: Marker(m.get("pattern", ""), m["colour"], m.get("icon", ""), m.get("fill", ""))
        for k, m in style.get("markers", {}).items()
    }
    return replace(
        drawn,
        owners=owners,
        markers=markers,
        unowned=style.get("unowned", drawn.unowned),
        owned=style.get("owned", drawn.owned),
    )


def _corner(tile: Mapping[str, int], fields: Sequence[Mapping[str, Any]]) -> Point:
    """Its upper left corner."""
    column, row = _place(tile, fields)
    return (GAP + column * (TILE[0] + GAP), GAP + row * (TILE[1] + GAP))


def _place(tile: Mapping[str, int], fields: Sequence[Mapping[str, Any]]) -> Point:
    """Its column and row, from 0; empty columns and rows outside the board's own are left out."""
    left, top = (min(f["tile"][axis] for f in fields if "tile" in f) for axis in ("col", "row"))
    return (tile["col"] - left, tile["row"] - top)


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
        size=next((size for size in LETTERS if text_width(longest, size) <= room), "xs"),
        capital_label=(middle, y + 113) if "capital" in board else None,
        capital_anchor="middle",
        badge=(x + 52, y + 30),
        marker=(x + 146, y + 30),
        names=board["name"],
        shorts=board.get("short", {}),
        capitals=board.get("capital", {}),
        room=room,
        near=_near(board),
        groups=tuple(board.get("groups", ())),
    )


def text_width(letters: int, size: str) -> int:
    """About how wide a label is."""
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


def _spot(shape: Mapping[str, Any], board: Mapping[str, Any], tile: Point | None) -> Spot:
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
        near=_near(board),
        groups=tuple(board.get("groups", ())),
        pieces=_point(shape["pieces_xy"]) if "pieces_xy" in shape else None,
        row=shape.get("pieces_row", 0),
        tile=tile,
        code=str(board.get("code", "")),
    )


def _near(board: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(one["id"]) for one in board.get("neighbours", ()))


def _point(pair: Sequence[int]) -> Point:
    return (int(pair[0]), int(pair[1]))


def _box(numbers: Sequence[int]) -> Box:
    left, top, across, down = (int(number) for number in numbers)
    return (left, top, across, down)


def _backdrop(geometry: Mapping[str, Any], colour: str) -> str:
    lands = "".join(escape(path) for path in geometry.get("background", {}).values())
    return (
        f'<path class="grid" d="{escape(geometry.get("graticule", ""))}"/>'
        f'<path class="off" d="{lands}" fill="var(--off,{escape(colour)})"/>'
    )


# ---------------------------------------------------------------- the part that is drawn again, larger

INSET = (44, 38)  # its width and height, in hundredths of the map's, where the geometry doesn't name it
CLOSE = 8  # fields whose signs are nearer to each other, in hundredths of the map's width, crowd each other
LEAST = 3  # so many crowded fields are worth a second drawing
TRIES = 25  # where it may begin, each way


def crowded(drawn: Drawing) -> Box | None:
    """The part of a map in which most fields crowd each other and fewest names are cut; None where they have room."""
    x, y, across, down = drawn.box
    size = across * INSET[0] // 100, down * INSET[1] // 100
    signs = [spot.badge for spot in drawn.spots.values()]
    tight = [one for one in signs if any(_is_close(one, other, across) for other in signs if other != one)]
    if len(tight) < LEAST:
        return None
    boxes = [
        (x + (across - size[0]) * i // TRIES, y + (down - size[1]) * k // TRIES, *size)
        for i in range(TRIES + 1)
        for k in range(TRIES + 1)
    ]
    names = [_extent(spot) for spot in drawn.spots.values()]
    return max(boxes, key=lambda box: 3 * sum(inside(one, box) for one in tight) - sum(_is_cut(n, box) for n in names))


def _extent(spot: Spot) -> Box:
    """Where a field's longest name and its sign lie: left, top, right, bottom."""
    long = max(map(len, (*spot.shorts.values(), *spot.names.values())), default=0)
    half = text_width(min(long, max(map(len, spot.shorts.values()), default=long)), spot.size) // 2
    x, y = spot.label
    middle = {"start": x + half, "end": x - half}.get(spot.anchor, x)
    a, b = spot.badge
    return min(middle - half, a - 43), min(y - LETTERS[spot.size], b - 22), max(middle + half, a + 43), max(y, b + 22)


def _is_cut(extent: Box, box: Box) -> bool:
    """Whether a part of it is shown and a part isn't."""
    left, top, right, bottom = extent
    x, y, across, down = box
    is_out = right <= x or left >= x + across or bottom <= y or top >= y + down
    return not is_out and not (x <= left and right <= x + across and y <= top and bottom <= y + down)


def _is_close(one: Point, other: Point, across: int) -> bool:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 < (across * CLOSE // 100) ** 2


def inside(point: Point, box: Box) -> bool:
    """Whether a point lies in a part of the map, not at its very rim."""
    x, y, across, down = box
    rim = across // 24
    return x + rim <= point[0] <= x + across - rim and y + rim <= point[1] <= y + down - rim
