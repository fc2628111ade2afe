"""The board as frozen tables, made from config/kuel/board.toml; sets of countries are bit masks (bit = number - 1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from league.core.errors import BadInput

LANGUAGES = ("de", "en", "nl")
EDGES = ("west", "east", "north", "south")


@dataclass(frozen=True, slots=True)
class Country:
    """One field of the board (K1). `seats`: how many the printed battle map holds (K26)."""

    number: int
    id: str
    names: Mapping[str, str]
    seats: int
    edge: bool

    @property
    def bit(self) -> int:
        """The country as a mask."""
        return 1 << (self.number - 1)


@dataclass(frozen=True)
class Board:
    """The countries by number, who neighbours whom, and the groups that constellations count (K61, K62)."""

    countries: tuple[Country, ...]
    neighbours: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, int]
    edges: Mapping[str, int]
    special: Mapping[str, str]
    penalty_pairs: tuple[tuple[str, str], ...]
    start: tuple[str, ...]

    @cached_property
    def by_id(self) -> dict[str, Country]:
        """Countries by id."""
        return {c.id: c for c in self.countries}

    @cached_property
    def links(self) -> tuple[int, ...]:
        """For each country, by number, the mask of its neighbours."""
        return tuple(self.mask(self.neighbours[c.id]) for c in self.countries)

    @cached_property
    def bits(self) -> dict[str, int]:
        """Each country's mask."""
        return {c.id: c.bit for c in self.countries}

    @cached_property
    def edge_ids(self) -> tuple[str, ...]:
        """Countries a newcomer may pick (K35), by number."""
        return tuple(c.id for c in self.countries if c.edge)

    def mask(self, ids: Iterable[str]) -> int:
        """The mask of several countries."""
        total = 0
        for country in ids:
            total |= self.bits[country]
        return total

    def number(self, country: str) -> int:
        """The country's number (K1)."""
        return self.by_id[country].number

    def sorted(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Countries in the board's order."""
        return tuple(sorted(ids, key=self.number))

    def numbered(self, number: int) -> str:
        """The id of the country with this number."""
        return self.countries[number - 1].id


def make_board(table: Mapping[str, Any], topology: str = "borders") -> Board:
    """The board of a table in the form of board.toml, in a topology (K9); `BadInput` lists every fault."""
    fields: Sequence[Mapping[str, Any]] = sorted(table["field"], key=lambda f: int(f["number"]))
    faults = list(_faults(fields))
    if faults:
        raise BadInput("; ".join(faults), "board.toml")
    if topology == "tiles":
        fields = _tiled(fields)
    countries = tuple(
        Country(f["number"], f["id"], {lang: f["name"][lang] for lang in LANGUAGES}, f["max_players"], f["rand"])
        for f in fields
    )
    bits = {c.id: c.bit for c in countries}
    return Board(
        countries=countries,
        neighbours={f["id"]: tuple(n["id"] for n in f["neighbours"]) for f in fields},
        groups={name: sum(bits[c] for c in ids) for name, ids in table["groups"].items() if name != "provenance"},
        edges={edge: sum(bits[f["id"]] for f in fields if edge in f["edges"]) for edge in EDGES},
        special=dict(table["special"], penalty_pairs=""),
        penalty_pairs=tuple((a, b) for a, b in table["special"]["penalty_pairs"]),
        start=tuple(table["start"]["six_players"]),
    )


def _tiled(fields: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The fields with the four tiles beside each as neighbours, the outer rows and columns as edges (K9)."""
    places = {(f["tile"]["col"], f["tile"]["row"]): f["id"] for f in fields}
    columns, rows = ({place[axis] for place in places} for axis in (0, 1))
    outer = (("west", 0, min(columns)), ("east", 0, max(columns)), ("north", 1, min(rows)), ("south", 1, max(rows)))
    tiled: list[Mapping[str, Any]] = []
    for field in fields:
        col, row = field["tile"]["col"], field["tile"]["row"]
        beside = ((col, row - 1), (col - 1, row), (col + 1, row), (col, row + 1))
        edges = [edge for edge, axis, end in outer if (col, row)[axis] == end]
        near = [{"id": places[place]} for place in beside if place in places]
        tiled.append({**field, "neighbours": near, "edges": edges, "rand": bool(edges)})
    return tiled


def _faults(fields: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    ids = [f["id"] for f in fields]
    if [f["number"] for f in fields] != list(range(1, len(fields) + 1)):
        yield "the fields' numbers must run from 1 upwards without a gap"
    yield from (f"{i} stands twice" for i in sorted(set(ids)) if ids.count(i) > 1)
    links = {(f["id"], n["id"]) for f in fields for n in f["neighbours"]}
    yield from (f"{a} names {b} as neighbour, not the other way round" for a, b in sorted(links) if (b, a) not in links)
    yield from (f"{a} neighbours {b}, which is not on the board" for a, b in sorted(links) if b not in ids)
