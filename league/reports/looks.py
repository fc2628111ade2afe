"""What can be wrong with the look of a board that a league brings itself: it goes into pages, so nothing else gets in.

Faults begin with their place, as those of the board itself.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from league.reports.maps import ICONS, LETTERS, PATTERNS, SYMBOLS

TOP: Final = (
    "viewBox", "inset", "projection", "source", "fields", "background", "inner_borders", "graticule", "sea_links",
    "tiles",
)  # fmt: skip
SHAPE: Final = (
    "path", "capital_xy", "label_xy", "label_anchor", "label_size", "capital_label_xy", "capital_label_anchor",
    "badge_xy", "marker_xy",
)  # fmt: skip
POINTS: Final = ("capital_xy", "label_xy", "badge_xy", "marker_xy")
ANCHORS: Final = ("start", "middle", "end")
MARKER: Final = {"pattern": tuple(PATTERNS), "icon": tuple(ICONS)}
FARTHEST: Final = 100_000
_COLOUR, _PATH = re.compile(r"#[0-9a-fA-F]{6}"), re.compile(r"[Mm][MmLlHhVvCcSsQqTtAaZz0-9 .,+-]*")
_WORD = re.compile(r"[a-z][a-z_]{0,39}")

Table = Mapping[str, Any]
Faults = Iterator[str]


def look_faults(board: Table, *, tiles: bool) -> Faults:
    """Faults of a board's colours and signs, and, where it is drawn as tiles, of fields without a place."""
    style = board.get("style", {})
    style = style if isinstance(style, Mapping) else {}
    for name in style:
        if name not in ("unowned", "off_board", "owners", "markers"):
            yield f"style.{name} is unknown here, known are unowned, off_board, owners, markers"
    for name in ("unowned", "off_board"):
        yield from _colour(style.get(name, "#000000"), f"style.{name}")
    yield from _owners(style.get("owners", []))
    yield from _markers(style.get("markers", {}))
    for place, field in enumerate(board["field"] if tiles else ()):
        if "tile" not in field:
            yield f"field[{place}].tile is missing, the board has no geometry.json and is drawn as tiles"


def _colour(written: Any, where: str) -> Faults:
    if not (isinstance(written, str) and _COLOUR.fullmatch(written)):
        yield f"{where} is no colour, write it like #ebb233"


def _owners(written: Any) -> Faults:
    if not isinstance(written, list):
        yield "style.owners is no list"
        return
    for place, owner in enumerate(written):
        row = owner if isinstance(owner, Mapping) else {}
        yield from _colour(row.get("fill"), f"style.owners[{place}].fill")
        if row.get("symbol") not in SYMBOLS:
            yield f"style.owners[{place}].symbol is none of {', '.join(SYMBOLS)}"


def _markers(written: Any) -> Faults:
    if not isinstance(written, Mapping):
        yield "style.markers is no table"
        return
    for name, marker in written.items():
        row = marker if isinstance(marker, Mapping) else {}
        if not _WORD.fullmatch(name):
            yield f"style.markers: {name!r} is no marker, a-z and _ make its name"
        yield from _colour(row.get("colour"), f"style.markers.{name}.colour")
        for part, known in MARKER.items():
            if row.get(part) not in known:
                yield f"style.markers.{name}.{part} is none of {', '.join(known)}"


def geometry_faults(geometry: Table, board: Table) -> Faults:
    """Faults of a geometry: anything but known keys, numbers and the strings of paths is one."""
    yield from _unknown(geometry, TOP, "")
    for name in ("viewBox", *(key for key in ("inset",) if key in geometry)):
        if not _numbers(geometry.get(name), 4) or min(geometry[name][2:]) <= 0:
            yield f"{name} is no list of four whole numbers, the last two above 0"
    yield from _fields(geometry.get("fields"), [f.get("id") for f in board["field"]])
    yield from _table_of_paths(geometry.get("background", {}))
    for name in ("inner_borders", "graticule"):
        yield from _path(geometry.get(name, "M"), name)
    links = geometry.get("sea_links", [])
    if not isinstance(links, list):
        yield "sea_links is no list"
        return
    for place, link in enumerate(links):
        row = link if isinstance(link, Mapping) else {}
        yield from _unknown(row, ("between", "path"), f"sea_links[{place}].")
        yield from _path(row.get("path"), f"sea_links[{place}].path")


def _fields(written: Any, ids: list[Any]) -> Faults:
    if not isinstance(written, Mapping):
        yield "fields is missing, it holds a shape for each field"
        return
    yield from (f"fields.{one} is missing, each field needs a shape" for one in ids if one not in written)
    for name, shape in written.items():
        where = f"fields.{name}"
        if name not in ids:
            yield f"{where} is not on the board"
        elif not isinstance(shape, Mapping):
            yield f"{where} is no table"
        else:
            yield from _unknown(shape, SHAPE, f"{where}.")
            yield from _shape(shape, where)


def _shape(shape: Table, where: str) -> Faults:
    yield from _path(shape.get("path"), f"{where}.path")
    for key in POINTS:
        if not _numbers(shape.get(key), 2):
            yield f"{where}.{key} is no pair of whole numbers"
    if shape.get("label_anchor") not in ANCHORS:
        yield f"{where}.label_anchor is none of {', '.join(ANCHORS)}"
    if shape.get("label_size") not in LETTERS:
        yield f"{where}.label_size is none of {', '.join(LETTERS)}"
    if shape.get("capital_label_xy") is not None and not _numbers(shape["capital_label_xy"], 2):
        yield f"{where}.capital_label_xy is neither a pair of whole numbers nor null"
    if shape.get("capital_label_anchor") not in (*ANCHORS, None):
        yield f"{where}.capital_label_anchor is none of {', '.join(ANCHORS)}, null"


def _table_of_paths(written: Any) -> Faults:
    if not isinstance(written, Mapping):
        yield "background is no table of paths"
        return
    for name, path in written.items():
        yield from _path(path, f"background.{name}")


def _path(written: Any, where: str) -> Faults:
    if not (isinstance(written, str) and _PATH.fullmatch(written)):
        yield f"{where} is no path: it begins with M and holds path letters and numbers, nothing else"


def _unknown(table: Table, known: tuple[str, ...], where: str) -> Faults:
    yield from (f"{where}{key} is unknown here, known are {', '.join(known)}" for key in table if key not in known)


def _numbers(written: Any, count: int) -> bool:
    return (
        isinstance(written, list)
        and len(written) == count
        and all(isinstance(n, int) and not isinstance(n, bool) and -FARTHEST <= n <= FARTHEST for n in written)
    )
