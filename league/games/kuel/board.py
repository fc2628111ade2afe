"""The board as frozen tables, made from a board.toml; sets of countries are bit masks (bit = number - 1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from league.core.errors import BadInput
from league.games.kuel.board_faults import EDGES, GROUPS, LANGUAGES, SPECIAL, board_faults, cut_off, neighbour_ids

PAIR_POINTS = {
    "germany_netherlands": -6,
    "yugoslavia_croatia": -8,
    "great_britain_ireland": -16,
    "czech_republic_slovakia": -16,
}


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


@dataclass(frozen=True, slots=True)
class Penalty:
    """Two countries that cost points together (K62). `item` is `pair|a|b` for a pair that only an own board has."""

    item: str
    mask: int
    points: int


@dataclass(frozen=True)
class Board:
    """The countries by number, who neighbours whom, and the groups that constellations count (K61, K62).

    `special` are the single countries that rules name, as masks; what a board leaves out is 0, which nobody can own.
    """

    countries: tuple[Country, ...]
    neighbours: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, int]
    edges: Mapping[str, int]
    special: Mapping[str, int]
    penalties: tuple[Penalty, ...]
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
    def swiss_neighbours(self) -> int:
        """The neighbours of the country that stands for Switzerland (K62, K69)."""
        swiss = self.special["switzerland"]
        return self.links[swiss.bit_length() - 1] if swiss else 0

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
    faults = board_faults(table, topology)
    if faults:
        raise BadInput.several(faults)
    fields: Sequence[Mapping[str, Any]] = _tiled(table["field"]) if topology == "tiles" else table["field"]
    islands = list(cut_off(fields, "tile")) if topology == "tiles" else []
    if islands:
        raise BadInput.several(islands)
    fields = sorted(fields, key=lambda f: int(f["number"]))
    bits = {f["id"]: 1 << (f["number"] - 1) for f in fields}
    groups, special, start = table.get("groups", {}), table.get("special", {}), table.get("start", {})
    return Board(
        countries=tuple(_country(f) for f in fields),
        neighbours={f["id"]: neighbour_ids(f) for f in fields},
        groups={name: sum(bits[c] for c in groups.get(name, ())) for name in GROUPS},
        edges={edge: sum(bits[f["id"]] for f in fields if edge in f.get("edges", ())) for edge in EDGES},
        special={name: bits.get(special.get(name, ""), 0) for name in SPECIAL},
        penalties=tuple(_penalty(pair, bits) for pair in special.get("penalty_pairs", ())),
        start=tuple(start.get("players", start.get("six_players", ()))),
    )


def _country(field: Mapping[str, Any]) -> Country:
    names = {lang: field["name"][lang] for lang in LANGUAGES}
    return Country(field["number"], field["id"], names, field["max_players"], field.get("rand", False))


def _penalty(written: Any, bits: Mapping[str, int]) -> Penalty:
    """A pair as `[a, b]` with the points of K62, or as a table with points of its own."""
    table: Mapping[str, Any] = written if isinstance(written, Mapping) else {"pair": written}
    a, b = table["pair"]
    known = next((name for name in (f"{a}_{b}", f"{b}_{a}") if name in PAIR_POINTS), "")
    points = int(table["points"]) if "points" in table else PAIR_POINTS[known]
    return Penalty(known or f"pair|{a}|{b}", bits[a] | bits[b], points)


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
