"""What one seat, or the public, may see of a match: the only thing reports are made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from league.core.json import Json
from league.core.orders import NO_FACTS


@dataclass(frozen=True, slots=True)
class Region:
    """One field of a map. `owner` is a seat; `markers` are names that the game's look knows; `changed`: this round.

    `counts` are pieces by seat; `sign` stands in the field's badge instead of its number (empty: no badge).
    """

    id: str
    owner: str | None
    markers: tuple[str, ...] = ()
    changed: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    sign: str | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move on the map: who, from where (None: from nowhere near), to where, what kind, and whether it succeeded."""

    seat: str
    source: str | None
    target: str
    kind: str
    done: bool | None


@dataclass(frozen=True, slots=True)
class MapView:
    """A map before or after a round."""

    regions: tuple[Region, ...]
    arrows: tuple[Arrow, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All that a page or mail for this seat is made from; `seat` None is the public.

    `before` and `after` are maps (None for a game without one), `items` a list per seat of
    `{item, points}`, `draws` the working of each draw step by step, `extra` what only this game's templates read.
    `columns` are numbers by seat that the table shows beside the points, under names that the game has words for;
    without them it shows countries.
    """

    seat: str | None
    position: Mapping[str, Json]
    before: MapView | None = None
    after: MapView | None = None
    items: Mapping[str, tuple[Mapping[str, Json], ...]] = field(default_factory=dict)
    draws: tuple[Mapping[str, Json], ...] = ()
    extra: Mapping[str, Json] = field(default=NO_FACTS)
    columns: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
