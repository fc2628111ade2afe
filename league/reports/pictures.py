"""The map as a picture for mail: mail programs show no SVG, so it goes out as a PNG.

One picture serves every language and every player of a round: it holds numbers and signs, no names, so nothing that a
player wrote can get into it. Numbers and signs are so large that they are read on a phone 360 pixels wide; the table
below the picture says which country a number is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import as_file, files
from io import BytesIO

from league.core.errors import Broken
from league.core.view import MapView, Region
from league.reports import atlas, maps
from league.reports.maps import Drawing

SHOWN, TALLEST = 480, 700  # pixels of a mail; the file has twice as many each way
SHARP = 2
COLOURS = 48
FAMILY = "DejaVu Sans"
FONT = "DejaVuSans-Bold.ttf"
SEA, INK, PAPER = "#dce8ec", "#211d16", "#fffdf8"
DRAWN_FOR = 2000  # the width that sizes below are meant for
NOTHING = bytes.fromhex(  # one pixel of sea, where a picture couldn't be drawn
    "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
    "53de0000000c49444154789c63b8f3e20d00055402b1f9e58fef0000000049454e44ae426082"
)
STYLE = f"""
.grid{{fill:none;stroke:#c8d8de;stroke-width:2}}.off{{stroke:none}}
.land>use:first-child{{stroke:#3b352a;stroke-width:3;stroke-linejoin:round}}
.land.new>use:first-child{{stroke-width:9}}
.links path{{fill:none;stroke:#3b352a;stroke-width:4;stroke-dasharray:3 11;stroke-linecap:round}}
.no{{font-family:"{FAMILY}";font-weight:700;font-size:54px;text-anchor:middle;fill:{INK};stroke:{PAPER};
stroke-width:13;stroke-linejoin:round;paint-order:stroke}}
.sym{{stroke:{INK};stroke-width:3;stroke-linejoin:round}}
.ring{{fill:{PAPER};stroke:{INK};stroke-width:2}}.ring.r2{{stroke-dasharray:5 4}}.ring.r3{{stroke-width:5}}
.ring.r4{{stroke-width:5;stroke-dasharray:5 4}}
.icon circle{{fill:{PAPER};stroke-width:3.5}}
.arrow path,.arrow circle{{fill:none;stroke-width:12;stroke-linecap:round}}
.arrow .under{{stroke:#1a1711;stroke-width:19}}
.arrow.failed>*{{stroke-dasharray:24 22}}.arrow.open>*{{stroke-dasharray:1 26}}
#head path{{fill:#1a1711;stroke:none}}
"""
GLYPHS = {
    "circle": "●", "square": "■", "triangle": "▲", "diamond": "◆", "star": "★", "cross": "✚", "hexagon": "⬢",
    "pentagon": "⬟",
}  # fmt: skip
# What could make the drawing program read a file, run something or call out; our own maps hold none of it.
FORBIDDEN = re.compile(
    r"<\s*(?:image|script|foreignObject|a|feImage|!|\?)\b|<!|<\?|@import|href\s*=\s*(?!\"#)|url\((?!#)|\bon\w+\s*=",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"var\(--[a-z]+,(#[0-9a-fA-F]{3,8})\)")


@dataclass(frozen=True, slots=True)
class Sketch:
    """A picture that is still to be drawn, named by the digest of what will be drawn."""

    svg: str
    width: int  # as shown
    height: int
    digest: str

    @property
    def content_id(self) -> str:
        """What the HTML calls it by: the same map has the same name everywhere."""
        return f"{self.digest[:32]}@league"


def sketch(drawing: Drawing, view: MapView, looks: Mapping[str, int]) -> Sketch:
    """The map as one SVG that needs nothing beside it."""
    shown = [region for region in view.regions if region.id in drawing.spots]
    x, y, width, height = drawing.box
    frame = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    size = width / DRAWN_FOR
    layers = (
        atlas.definitions(drawing),
        '<use href="#backdrop"/>',
        *(atlas.land(drawing, region, looks) for region in shown),
        '<use href="#links"/>',
        *(atlas.arrow(drawing, one, looks) for one in view.arrows),
        *(_icons(drawing, region, size) for region in shown),
        *(_sign(drawing, region, looks, size) for region in shown),
    )
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" width="{width}" '
        f'height="{height}"><style>{STYLE}</style><rect {frame} fill="{SEA}"/>{"".join(layers)}</svg>'
    )
    shown_width = min(SHOWN, TALLEST * width // height)
    svg = _VARIABLE.sub(r"\1", text)
    return Sketch(svg, shown_width, shown_width * height // width, sha256(svg.encode()).hexdigest())


def _sign(drawing: Drawing, region: Region, looks: Mapping[str, int], size: float) -> str:
    """Number and, where it has one, the owner's symbol beside it."""
    spot = drawing.spots[region.id]
    x, y = spot.badge
    place = f'<g transform="translate({x} {y}) scale({size:.3f})">'
    if region.owner is None or region.owner not in looks:
        return f'{place}<text class="no" y="19">{spot.number if region.sign is None else region.sign}</text></g>'
    look = drawing.look(looks[region.owner])
    ring = f'<circle r="19" class="ring r{min(look.ring, maps.BOLD_FROM)}"/>' if look.ring else ""
    symbol = f'<use href="#s-{escape(look.symbol)}" class="sym" fill="{look.fill}"/>'
    left = -22 if spot.number < 10 else -36
    return (
        f'{place}<g transform="translate(36 0) scale(1.75)"><circle r="21" fill="{PAPER}"/>{ring}{symbol}</g>'
        f'<text class="no" x="{left}" y="19">{spot.number}</text></g>'
    )


def _icons(drawing: Drawing, region: Region, size: float) -> str:
    drawn = atlas.icons(drawing, region)
    if not drawn:
        return ""
    x, y = drawing.spots[region.id].marker
    return f'<g transform="translate({x} {y}) scale({1.4 * size:.3f})">{drawn}</g>'


@dataclass(frozen=True, slots=True)
class Sign:
    """An owner's sign as a letter on a ground, for text beside the picture."""

    glyph: str
    fill: str
    ink: str


def sign_of(drawing: Drawing, index: int) -> Sign:
    """The sign of the owner with that index, as the picture draws it; its ink is the one that stands out."""
    look = drawing.look(index)
    red, green, blue = (int(look.fill[at : at + 2], 16) for at in (1, 3, 5))
    dark = 299 * red + 587 * green + 114 * blue < 128_000
    return Sign(GLYPHS[look.symbol], look.fill, "#ffffff" if dark else INK)


def checked(svg: str) -> str:
    """The same, if nothing in it can make the drawing program look beyond it: it follows paths of an image (MAIL)."""
    found = FORBIDDEN.search(svg)
    if found:
        raise Broken(f"a map may not hold {found[0]!r}")
    return svg


def draw(svg: str, width: int) -> bytes:
    """The PNG: opaque, few colours, the same bytes on every machine since no font of the system is asked."""
    import resvg_py
    from PIL import Image

    with as_file(files("league.reports") / "fonts" / FONT) as font:
        drawn = resvg_py.svg_to_bytes(
            svg_string=checked(svg),
            width=width * SHARP,
            background=SEA,
            skip_system_fonts=True,
            font_files=[str(font)],
            font_family=FAMILY,
        )
    with Image.open(BytesIO(bytes(drawn))) as picture:
        few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    made = BytesIO()
    few.save(made, "PNG", compress_level=6)
    return made.getvalue()
