"""The table of a match."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the table. Equal points share a rank; the next rank is skipped."""

    rank: int
    seat: str
    points: int
    countries: int = 0


Standings = tuple[Place, ...]


def ranked(points: dict[str, int], holdings: dict[str, int]) -> Standings:
    """Seats by points, highest first; among equals by name, so that the same table comes out every time."""
    order = sorted(points, key=lambda seat: (-points[seat], seat))
    values = sorted(points.values(), reverse=True)
    return tuple(Place(values.index(points[s]) + 1, s, points[s], holdings.get(s, 0)) for s in order)
