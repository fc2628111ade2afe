"""Tiles: the board as a grid, with the same signs as the map; and which looks a board may have."""

import json
import re
import tomllib
from typing import Any

import pytest

from league.core.view import Arrow, MapView, Region
from league.desk.leagues.infos import drawing_of
from league.i18n import LANGS
from league.reports import atlas, maps
from league.reports.looks import look_faults
from tests.reports.conftest import BOARD, GEOMETRY, ROOT

EXAMPLE = tomllib.loads((ROOT / "docs/examples/board-archipelago/board.toml").read_text("utf-8"))
RECT = re.compile(r"M(\d+) (\d+)h220v150h-220z")
LINE = re.compile(r'<path d="M(\d+) (\d+)L(\d+) (\d+)"/>')


def corners(drawing: maps.Drawing) -> dict[str, tuple[int, int]]:
    """The upper left corner of every tile."""
    found = {}
    for name, spot in drawing.spots.items():
        match = RECT.fullmatch(spot.path)
        assert match is not None
        found[name] = (int(match[1]), int(match[2]))
    return found


def test_tiles_lie_where_the_geometry_has_them() -> None:
    """KUEL's tiles are made as its geometry file lists them, in the same frame."""
    drawing = maps.tile_drawing(BOARD)
    listed = GEOMETRY["tiles"]
    assert list(drawing.box) == listed["viewBox"]
    assert {name: [*corner, 220, 150] for name, corner in corners(drawing).items()} == listed["rects"]


@pytest.mark.parametrize("board", [BOARD, EXAMPLE], ids=["europe", "archipelago"])
def test_everything_of_a_tile_lies_within_it(board: dict[str, Any]) -> None:
    """Number, owner, markers, name and capital stay inside their tile, in every language; no two tiles overlap."""
    drawing = maps.tile_drawing(board)
    places = corners(drawing)
    assert len(set(places.values())) == len(board["field"])
    for name, spot in drawing.spots.items():
        x, y = places[name]
        assert spot.capital_label is not None
        assert x + 43 <= spot.badge[0] <= spot.marker[0] - 22 - 43  # an owner's badge beside one marker
        assert spot.badge[0] + 21 <= spot.marker[0] - 68  # a number alone beside three
        assert spot.marker[0] + 68 <= x + 220
        for point in (spot.capital, spot.label, spot.badge, spot.marker, spot.capital_label):
            assert x < point[0] < x + 220
            assert y < point[1] < y + 150


def test_a_tile_map_shows_what_a_map_shows() -> None:
    """Owners by fill and symbol, markers by pattern and icon, numbers, names, capitals, arrows."""
    drawing = maps.tile_drawing(BOARD)
    view = MapView(
        (Region("france", "anna", ("collapse",), True), Region("belgium", None, ("civil_war",), False)),
        (Arrow("anna", "france", "belgium", "attack", False),),
    )
    shown = atlas.picture(drawing, view, "de", {"anna": 0}, "Karte", "Wer wo steht")
    look = drawing.look(0)
    assert f'<g class="land new"><use href="#f-france" fill="{look.fill}"/><use href="#f-france"' in shown
    assert 'href="#o-0"' in shown
    assert f'<g id="o-0"><use href="#s-{look.symbol}"' in atlas.shared(drawing, (0,))
    assert 'href="#f-belgium" fill="url(#m-civil_war)"' in shown
    assert 'href="#k-collapse"' in shown
    assert 'href="#k-civil_war"' in shown
    assert ">8</text>" in shown
    assert ">Frankreich</text>" in shown
    assert ">Brüssel</text>" in shown
    assert '<g class="arrow failed" data-from="' in shown
    assert shown.count('class="name') == 2


@pytest.mark.parametrize("lang", LANGS)
def test_a_name_too_long_for_its_tile_is_squeezed(lang: str) -> None:
    """A name of forty letters gets the tile's width and no more; one that fits is left alone."""
    field = EXAMPLE["field"][0] | {"name": dict.fromkeys(LANGS, "Wolfenbuettel an der Oker und anderen Orten")}
    drawing = maps.tile_drawing({"field": [field]})
    view = MapView((Region("fog_holm", None, (), False),))
    assert 'textLength="204" lengthAdjust="spacingAndGlyphs">Wolf' in atlas.picture(drawing, view, lang, {}, "t", "d")
    assert "textLength" not in atlas.picture(maps.tile_drawing(EXAMPLE), view, lang, {}, "t", "d")


def test_links_join_the_rims_of_neighbours() -> None:
    """On a board of borders each two neighbours are joined once, by land and by sea apart; in tiles nothing is."""
    drawing = maps.tile_drawing(EXAMPLE, links=True)
    kinds = [near["kind"] for field in EXAMPLE["field"] for near in field["neighbours"]]
    places = set(corners(drawing).values())
    land, sea = LINE.findall(drawing.backdrop), LINE.findall(drawing.links)
    assert (len(land), len(sea)) == (kinds.count("land") // 2, kinds.count("sea") // 2)
    for numbers in (*land, *sea):
        a, b, c, d = map(int, numbers)
        for x, y in ((a, b), (c, d)):
            assert any(
                (x in (left, left + 220) and top <= y <= top + 150)
                or (y in (top, top + 150) and left <= x <= left + 220)
                for left, top in places
            )
    assert LINE.findall(maps.tile_drawing(EXAMPLE).backdrop + maps.tile_drawing(EXAMPLE).links) == []


def test_rows_and_columns_before_the_first_take_no_room() -> None:
    """A board whose tiles begin at column 5, row 3 is drawn from the corner."""
    fields = [field | {"tile": {"col": n + 5, "row": 3}} for n, field in enumerate(EXAMPLE["field"])]
    drawing = maps.tile_drawing({"field": fields})
    assert corners(drawing)["fog_holm"] == (12, 12)
    assert drawing.box == (0, 0, 12 + 15 * 232, 174)


def test_the_crowded_part_is_drawn_again_where_there_is_one() -> None:
    """Of Europe the part holds the small countries whole; a board of tiles and one with few fields have none."""
    europe = maps.drawing(GEOMETRY, BOARD)
    assert europe.inset is not None
    small = ("slovenia", "croatia", "bosnia", "austria", "switzerland", "czech_republic", "slovakia", "hungary")
    for land in (*small, "yugoslavia", "macedonia", "bulgaria", "greece"):
        assert maps.inside(europe.spots[land].badge, europe.inset), land
    found = maps.drawing({key: GEOMETRY[key] for key in GEOMETRY if key != "inset"}, BOARD).inset
    assert found is not None
    assert all(maps.inside(europe.spots[land].badge, found) for land in small[1:])
    assert not maps.inside(europe.spots["iceland"].badge, europe.inset)
    assert maps.tile_drawing(BOARD).inset is None
    assert atlas.inset(maps.tile_drawing(BOARD), MapView(()), "t") == ""


@pytest.mark.parametrize("game", ["kuel", "europa"])
@pytest.mark.parametrize("lang", LANGS)
def test_no_name_is_cut_where_the_map_is_drawn_larger(game: str, lang: str) -> None:
    """Names of countries in that part lie in it whole, and of the others nothing is said there."""
    drawing = drawing_of(game)
    assert drawing is not None
    assert drawing.inset is not None
    x, y, across, down = drawing.inset
    for spot in drawing.spots.values():
        name = spot.shorts.get(lang) or spot.names[lang]
        width, (left, foot) = maps.text_width(len(name), spot.size), spot.label
        left -= {"start": 0, "middle": width // 2, "end": width}[spot.anchor]
        if maps.inside(spot.badge, drawing.inset):
            assert x <= left, name
            assert left + width <= x + across, name
            assert y <= foot - maps.LETTERS[spot.size], name
            assert foot <= y + down, name
    view = MapView(tuple(Region(land, None, ()) for land in drawing.spots))
    drawn = atlas.picture(drawing, view, lang, {}, "map", "words")
    classes = dict(zip(drawing.spots, re.findall(r'<text class="name \w+ (in|out)"', drawn), strict=True))
    assert (classes["croatia"], classes["spain"], classes["iceland"]) == ("in", "out", "out")


def test_a_ring_stands_below_the_names() -> None:
    """A move on the spot, such as joining, covers no capital's name; arrows lie above both."""
    drawing = maps.drawing(GEOMETRY, BOARD)
    moves = (Arrow("s1", None, "france", "join", True), Arrow("s1", "france", "spain", "attack", False))
    view = MapView((Region("france", "s1", ()), Region("spain", None, ())), arrows=moves)
    drawn = atlas.picture(drawing, view, "en", {"s1": 0}, "map", "words")
    assert drawn.index("<circle") < drawn.index(">Paris<") < drawn.index('data-from="france"')
    assert drawn.count('class="arrow ') == 2


def test_a_map_of_shapes_can_be_shown_as_tiles_where_every_field_has_one() -> None:
    """KUEL's and EUROPA's maps know each field's tile and code, no two the same; one field without: no tiles."""
    europa = json.loads((ROOT / "config/europa/geometry.json").read_text("utf-8"))
    for drawing in (maps.drawing(GEOMETRY, BOARD), maps.drawing(europa, europa["board"])):
        assert drawing.tiled
        assert len({spot.tile for spot in drawing.spots.values()}) == len(drawing.spots)
        assert len({spot.code for spot in drawing.spots.values()}) == len(drawing.spots)
        assert atlas.shared(drawing).count(" data-tile=") == len(drawing.spots)
    first, *rest = BOARD["field"]
    homeless = {key: first[key] for key in first if key != "tile"}
    drawing = maps.drawing(GEOMETRY, BOARD | {"field": [homeless, *rest]})
    assert not drawing.tiled
    assert "data-tile" not in atlas.shared(drawing)
    assert not maps.tile_drawing(BOARD).tiled


STYLE: dict[str, Any] = {
    "unowned": "#ffffff",
    "owners": [{"fill": "#ebb233", "symbol": "circle"}],
    "markers": {"collapse": {"pattern": "dots", "colour": "#1d3557", "icon": "falling line"}},
}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, []),
        ({"unowned": "red"}, ["style.unowned is no colour"]),
        ({"off_board": "#fff;}"}, ["style.off_board is no colour"]),
        ({"owners": {}}, ["style.owners is no list"]),
        ({"owners": [3]}, ["style.owners[0].fill is no colour", "style.owners[0].symbol is none of"]),
        ({"owners": [{"fill": "#ebb233", "symbol": "skull"}]}, ["style.owners[0].symbol is none of"]),
        ({"markers": []}, ["style.markers is no table"]),
        ({"markers": {"a b": STYLE["markers"]["collapse"]}}, ["style.markers: 'a b' is no marker"]),
        (
            {"markers": {"collapse": {}}},
            [f"style.markers.collapse.{part} is n" for part in ("colour", "pattern", "icon")],
        ),
        ({"font": "x"}, ["style.font is unknown here"]),
    ],
)
def test_a_style_holds_known_signs_and_colours(changed: dict[str, Any], told: list[str]) -> None:
    """Whatever would go into a page as it stands is looked at: colours, symbols, patterns, icons, marker names."""
    found = list(look_faults({"field": [], "style": STYLE | changed}, tiles=False))
    assert len(found) == len(told)
    assert all(fault.startswith(start) for fault, start in zip(found, told, strict=True))


def test_only_a_board_drawn_as_tiles_needs_places() -> None:
    """A field without a tile is a fault where tiles are drawn."""
    assert list(look_faults({"field": [{"id": "a"}]}, tiles=False)) == []
    assert [fault.split()[0] for fault in look_faults({"field": [{"id": "a"}]}, tiles=True)] == ["field[0].tile"]
