"""The table of a match."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the table. Equal points share a rank; the next rank is skipped."""

    rank: int
    seat: str
    points: int
    countries: int = 0


Standings = tuple[Place, ...]


def ranked(
    points: Mapping[str, int], holdings: Mapping[str, int], by: Mapping[str, tuple[int, ...]] | None = None
) -> Standings:
    """Seats by points, highest first; among equals by name, so that the same table comes out every time.

    `by` is what ranks them where points alone don't: points, then whatever breaks a tie.
    """
    worth = by if by is not None else {seat: (had,) for seat, had in points.items()}
    order = sorted(points, key=lambda seat: (*(-part for part in worth[seat]), seat))
    values = sorted(worth.values(), reverse=True)
    return tuple(Place(values.index(worth[s]) + 1, s, points[s], holdings.get(s, 0)) for s in order)
