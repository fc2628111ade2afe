"""What a game brings for its demo: players, figures of real weeks, and what they write (config/<game>/demo/)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from league import resources
from league.core.errors import Refused
from league.desk import registry
from league.desk.bots import Bot, bot

BOT = "greedy"
EVERY = 4  # the twists come again after so many rounds


@dataclass(frozen=True, slots=True)
class Player:
    """A bot: its mail program, and the round it joins in."""

    name: str
    lang: str
    program: str
    joins: int = 1

    @property
    def address(self) -> str:
        """Where its mail goes."""
        return f"{self.name.lower()}@example.org"


@dataclass(frozen=True, slots=True)
class Cast:
    """A game's demo as data."""

    game: str
    key: str
    options: Mapping[str, Any]
    titles: Mapping[str, str]
    players: tuple[Player, ...]
    twists: tuple[Mapping[str, Any], ...]
    words: Mapping[str, Mapping[str, str]]
    sources: tuple[Mapping[str, Any], ...]
    weeks: tuple[Mapping[str, str], ...]
    bot: Bot

    def friday(self, number: int) -> date:
        """The Friday whose figures decide a round."""
        return date.fromisoformat(self.weeks[number - 1]["friday"])

    def twist(self, number: int, player: str) -> str:
        """What goes wrong for a player in a round; empty if nothing does."""
        week = (number - 1) % EVERY + 1
        return next((str(t["kind"]) for t in self.twists if t["week"] == week and t["player"] == player), "")

    def strangers(self, number: int) -> tuple[str, ...]:
        """Who writes in a round without having a seat."""
        names = {p.name for p in self.players}
        found = (str(t["player"]) for t in self.twists if t["week"] == (number - 1) % EVERY + 1)
        return tuple(name for name in found if name not in names)


def read_cast(slug: str) -> Cast:
    """The demo of a game; `Refused` if it has none."""
    plugin = registry.plugin(slug)
    folder = resources.of_game(plugin.package, "config") / "demo"
    if not folder.is_dir():
        raise Refused(f"the game '{slug}' brings no demo")
    cast, weeks = (tomllib.loads((folder / f"{n}.toml").read_text(encoding="utf-8")) for n in ("cast", "weeks"))
    return Cast(
        game=slug,
        key=cast["key"],
        options=cast["options"],
        titles=cast["titles"],
        players=tuple(Player(**player) for player in cast["players"]),
        twists=tuple(cast["twists"]),
        words=cast["words"],
        sources=tuple(weeks["sources"]),
        weeks=tuple(weeks["weeks"]),
        bot=bot(slug, BOT),
    )
