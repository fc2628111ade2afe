"""The map as a picture for mails: small, opaque, readable, and never a way into the machine that draws it."""

import re
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from league.core.errors import Broken
from league.core.view import MapView
from league.reports import pictures
from league.reports.context import LeagueInfo, RoundReport
from league.reports.maps import Drawing
from league.reports.pictures import NOTHING, SHARP, SHOWN, TALLEST, Sketch, checked, draw, sign_of, sketch


@pytest.fixture(scope="module")
def drawing(league: LeagueInfo) -> Drawing:
    assert league.drawing is not None
    return league.drawing


@pytest.fixture(scope="module")
def looks(league: LeagueInfo) -> dict[str, int]:
    return {seat.id: seat.look for seat in league.seats}


@pytest.fixture(scope="module")
def after(report: RoundReport) -> MapView:
    assert report.view.after is not None
    return report.view.after


@pytest.fixture(scope="module")
def drawn(drawing: Drawing, after: MapView, looks: dict[str, int]) -> tuple[Sketch, bytes]:
    made = sketch(drawing, after, looks)
    return made, draw(made.svg, made.width)


def picture(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


def test_the_picture_is_small_opaque_and_sharp(drawn: tuple[Sketch, bytes]) -> None:
    """Under 80 kB, a palette without transparency, twice as many pixels as are shown."""
    made, content = drawn
    seen = picture(content)
    assert len(content) < 80_000
    assert seen.mode == "P"
    assert "transparency" not in seen.info
    assert seen.width == SHARP * made.width == SHARP * SHOWN
    assert abs(seen.height - SHARP * made.height) <= SHARP


def test_the_picture_has_the_same_bytes_again(drawn: tuple[Sketch, bytes]) -> None:
    """Drawn twice it is the same file, since no font of the system is asked."""
    made, content = drawn
    assert draw(made.svg, made.width) == content


def test_the_numbers_are_in_the_picture(drawn: tuple[Sketch, bytes], drawing: Drawing) -> None:
    """Without its text the picture differs, at every country's number: a font that isn't found draws nothing."""
    made, content = drawn
    bare = draw(re.sub(r"<text.*?</text>", "", made.svg), made.width)
    changed = ImageChops.difference(picture(content).convert("RGB"), picture(bare).convert("RGB"))
    scale = picture(content).width / drawing.box[2]
    for spot in drawing.spots.values():
        x, y = (int(part * scale) for part in spot.badge)
        around = changed.crop((x - 50, y - 25, x + 30, y + 25)).convert("L").point(lambda value: 255 * (value > 60))
        assert around.getbbox() is not None, spot.number


def test_owners_are_told_apart_without_colour(drawn: tuple[Sketch, bytes]) -> None:
    """Beside each number that belongs to somebody stands the owner's symbol."""
    made, _ = drawn
    assert {"circle", "square", "triangle", "diamond", "star", "cross"} <= set(re.findall(r'href="#s-(\w+)"', made.svg))


def test_one_picture_serves_every_language_and_holds_no_name(
    drawing: Drawing, after: MapView, drawn: tuple[Sketch, bytes]
) -> None:
    """Nothing that a player wrote gets into what is drawn, whatever the seats are called."""
    evil = '"><image href="/etc/passwd"/>'
    again = sketch(drawing, after, {evil: 0, "anna": 0, "ben": 1, "carla": 2, "dirk": 3, "elena": 4, "femke": 5})
    assert again == drawn[0]
    assert not re.search(r"France|Frankreich|Anna", again.svg)


@pytest.mark.parametrize(
    "inner",
    [
        '<image href="/etc/hostname" width="9" height="9"/>',
        '<IMAGE xlink:href="a.png"/>',
        '<use href="file.svg#x"/>',
        "<use href='#x'/>",
        '<use xlink:href="https://example.org/a#b"/>',
        '<path fill="url(https://example.org/a)"/>',
        "<script>1</script>",
        "<foreignObject/>",
        '<feImage href="#a"/>',
        '<a href="#x"/>',
        '<g onload="x()"/>',
        "<style>@import 'a.css';</style>",
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "/etc/passwd">]>',
        '<?xml-stylesheet href="a.css"?>',
    ],
)
def test_what_looks_beyond_the_map_is_refused(inner: str) -> None:
    """A path of a file or an address is never drawn, however it is written (MAIL: the drawing program follows some)."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inner}</svg>'
    with pytest.raises(Broken, match="may not hold"):
        draw(svg, 9)


def test_our_own_map_passes(drawn: tuple[Sketch, bytes]) -> None:
    """What is refused stands in none of our maps."""
    assert checked(drawn[0].svg) == drawn[0].svg
    assert "var(" not in drawn[0].svg


def test_a_tall_board_is_made_narrower(drawing: Drawing, after: MapView, looks: dict[str, int]) -> None:
    """No picture is taller than a phone's screen can show by a turn of the thumb."""
    made = sketch(replace(drawing, box=(0, 0, 500, 2000)), after, looks)
    assert made.height <= TALLEST
    assert made.width == TALLEST // 4


def test_signs_beside_names_stand_out(drawing: Drawing) -> None:
    """Every owner's sign is read on its ground: contrast 3:1 and more, as for graphics."""
    for index in range(len(drawing.owners)):
        sign = sign_of(drawing, index)
        assert contrast(sign.fill, sign.ink) >= 3, sign


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""
    lights = sorted((_light(one), _light(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _light(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_empty_picture_is_one() -> None:
    """Where a picture can't be drawn, a pixel takes its place."""
    assert picture(NOTHING).size == (1, 1)


def test_drawing_libraries_are_not_loaded_by_reports() -> None:
    """They cost every command its start; only drawing loads them."""
    assert not {"resvg_py", "PIL"} & set(vars(pictures))
