"""How far two colours lie apart, for eyes of four kinds (Machado, Oliveira and Fernandes 2009; OKLab by Ottosson)."""

from collections.abc import Sequence
from math import atan2, degrees, dist

Colour = tuple[float, float, float]
Matrix = tuple[Colour, Colour, Colour]

EYES: dict[str, Matrix] = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def apart(one: str, other: str, eyes: str = "all") -> float:
    """How different they look; black and white are 1 apart."""
    return dist(seen(one, eyes), seen(other, eyes))


def hue(colour: str) -> float:
    """Its place in the circle of colours, in degrees."""
    _, across, up = seen(colour)
    return degrees(atan2(up, across)) % 360


def seen(colour: str, eyes: str = "all") -> Colour:
    """Lightness and two axes of colour."""
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(colour)]
    cones = [max(0.0, part) ** (1 / 3) for part in _times(CONES, [max(0.0, p) for p in _times(EYES[eyes], light)])]
    return _times(LAB, cones)


def _parts(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def _times(matrix: Matrix, parts: Sequence[float]) -> Colour:
    first, second, third = (sum(a * b for a, b in zip(row, parts, strict=True)) for row in matrix)
    return first, second, third
