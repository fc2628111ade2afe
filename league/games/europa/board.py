"""The board as frozen tables, made from config/europa/*.toml: countries, links, risks, start values, levels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from league.core.game import Tables

EPOCHS: Final = 4  # R2
FIGURES: Final = 20  # R14: pawns of a party
LARGEST: Final = 3  # R27: parties of a coalition
DIVISOR: Final = 10  # R14: political points for one pawn


@dataclass(frozen=True, slots=True)
class Country:
    """A country card (R5, R6). `round` is the epoch in which it enters, 0 for information only."""

    id: str
    names: Mapping[str, str]
    round: int
    political: int
    resistance: int
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Epoch:
    """One of the four rounds of the game: its years, the overlays that go, and whether there are risks of war."""

    number: int
    years: str
    overlays: tuple[str, ...]
    risks: bool


@dataclass(frozen=True, slots=True)
class Party:
    """A colour that somebody plays (R1)."""

    id: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Level:
    """A quality of the victory (R58), from so many points of conflict on."""

    id: str
    least: int


@dataclass(frozen=True)
class Board:
    """Everything that is printed: cards, borders, tables. `order` of `countries` is that of the cards' file."""

    countries: tuple[Country, ...]
    borders: Mapping[str, tuple[str, ...]]
    links: Mapping[str, tuple[str, ...]]  # borders and dashed links
    risks: Mapping[int, str]
    start: Mapping[int, int]  # players -> political points (R3)
    epochs: tuple[Epoch, ...]
    overlays: Mapping[str, tuple[str, ...]]  # overlay -> countries below it (R7)
    overlay_names: Mapping[str, Mapping[str, str]]
    parties: tuple[Party, ...]
    levels: tuple[Level, ...]
    rewards: tuple[int, ...]
    penalties: tuple[int, ...]
    rolls: int
    president: int
    shared_president: int

    @cached_property
    def by_id(self) -> dict[str, Country]:
        """Countries by id, those for information only among them."""
        return {c.id: c for c in self.countries}

    @cached_property
    def playable(self) -> tuple[str, ...]:
        """The countries that can join, in the order of the cards."""
        return tuple(c.id for c in self.countries if c.round)

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each country in the order of the cards, for sorting."""
        return {c.id: place for place, c in enumerate(self.countries)}

    @cached_property
    def party_ids(self) -> tuple[str, ...]:
        """The parties in the order in which colours are given out."""
        return tuple(party.id for party in self.parties)

    def sorted(self, countries: Sequence[str] | set[str] | frozenset[str]) -> tuple[str, ...]:
        """Countries in the order of the cards."""
        return tuple(sorted(countries, key=self.place.__getitem__))

    def available(self, epoch: int) -> tuple[str, ...]:
        """The countries that no overlay hides in an epoch (R7, R8)."""
        return tuple(c.id for c in self.countries if 0 < c.round <= epoch)

    def quality(self, level: int) -> str:
        """What a level of conflict at the end makes of the victory (R58)."""
        return next(found.id for found in reversed(self.levels) if level >= found.least)


def make_board(tables: Tables) -> Board:
    """The board of the config's tables."""
    cards, setup = tables["countries"]["country"], tables["setup"]
    countries = tuple(_country(row) for row in cards)
    links = tables["borders"]["link"]
    scoring = setup["scoring"]
    return Board(
        countries=countries,
        borders=_neighbours(countries, [row for row in links if row["kind"] == "border"]),
        links=_neighbours(countries, links),
        risks={row["sum"]: row["country"] for row in tables["risks"]["risk"]},
        start={row["players"]: row["political"] for row in setup["start"]},
        epochs=tuple(_epoch(row) for row in setup["period"]),
        overlays={row["id"]: tuple(row["countries"]) for row in setup["overlay"]},
        overlay_names={row["id"]: row["name"] for row in setup["overlay"]},
        parties=tuple(Party(row["id"], row["name"]) for row in setup["party"]),
        levels=tuple(Level(row["id"], row["from"]) for row in setup["peace_level"]),
        rewards=tuple(scoring["peace_rewards"]),
        penalties=tuple(scoring["peace_penalties"]),
        rolls=scoring["risk_rolls"],
        president=scoring["president_points"],
        shared_president=scoring["president_tie_points"],
    )


def _country(row: Mapping[str, Any]) -> Country:
    local = [part.strip() for part in row["name"]["local"].split("/")]
    names = {lang: row["name"][lang] for lang in ("de", "en", "nl")}
    spellings = (row["id"].replace("_", " "), *names.values(), *local, row["code"], *row["aliases"])
    playable = row["playable"]
    return Country(
        row["id"],
        names,
        row["round"] if playable else 0,
        row["political"] if playable else 0,
        row["resistance"] if playable else 0,
        tuple(dict.fromkeys(spelling.replace("_", " ") for spelling in spellings)),
    )


def _neighbours(countries: Sequence[Country], links: Sequence[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    place = {c.id: n for n, c in enumerate(countries)}
    found: dict[str, set[str]] = {c.id: set() for c in countries}
    for link in links:
        found[link["a"]].add(link["b"])
        found[link["b"]].add(link["a"])
    return {country: tuple(sorted(near, key=place.__getitem__)) for country, near in found.items()}


def _epoch(row: Mapping[str, Any]) -> Epoch:
    return Epoch(row["round"], row["years"], tuple(row["removes"]), row["risk_phase"])
