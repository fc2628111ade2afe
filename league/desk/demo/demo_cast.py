"""What a game brings for its demo (config/<game>/demo/): players, real weeks' figures, a script, what is written."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from league import resources
from league.core.errors import Refused
from league.desk import registry
from league.desk.play.bots import Bot, bot

BOT = "greedy"
NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Player:
    """A bot: its mail program, the round it joins in, and which bot it is if not that of most."""

    name: str
    lang: str
    program: str
    joins: int = 1
    bot: str = ""

    @property
    def address(self) -> str:
        """Where its mail goes."""
        return f"{self.name.lower()}@example.org"


@dataclass(frozen=True, slots=True)
class Said:
    """A mail that a fighter sends about a battle, so many hours after the orders closed or the rematch was due."""

    player: str
    hours: int
    text: str
    say: str = ""
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Fought:
    """A battle as the script has it; without `mails` its losers and winners report by themselves."""

    round: int
    country: str
    winner: str = ""
    silent: bool = False
    mails: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """What the organizer does in a round: `absent`, `retire`, or `result`."""

    round: int
    act: str
    player: str
    why: str
    country: str = ""
    until: str = ""
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """What is played; empty for a game whose bots are left to themselves."""

    orders: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    battles: tuple[Fought, ...] = ()
    office: tuple[Act, ...] = ()

    def battle(self, number: int, country: str) -> Fought:
        """The battle of a round, as far as the script knows it."""
        known = (b for b in self.battles if (b.round, b.country) == (number, country))
        return next(known, Fought(number, country))


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
    script: Script = Script()
    prize: str = ""
    battle_week: int = 0

    def bot_of(self, player: Player) -> Bot:
        """What chooses a player's orders."""
        return bot(self.game, player.bot) if player.bot else self.bot

    def friday(self, number: int) -> date:
        """The Friday whose figures decide a round."""
        return date.fromisoformat(self.weeks[number - 1]["friday"])

    def twist(self, number: int, player: str) -> Mapping[str, Any]:
        """What goes wrong for a player in a round; empty if nothing does."""
        return next((t for t in self.twists if (t["round"], t["player"]) == (number, player)), NOTHING)

    def strangers(self, number: int) -> tuple[str, ...]:
        """Who writes in a round without having a seat."""
        names = {p.name for p in self.players}
        found = (str(t["player"]) for t in self.twists if t["round"] == number)
        return tuple(name for name in found if name not in names)

    def acts(self, number: int, *kinds: str) -> tuple[Act, ...]:
        """What the organizer does in a round, of these kinds."""
        return tuple(a for a in self.script.office if a.round == number and a.act in kinds)


def read_cast(slug: str) -> Cast:
    """The demo of a game; `Refused` if it has none."""
    plugin = registry.plugin(slug)
    folder = Path(str(resources.of_game(plugin.package, "config"))) / "demo"
    if not folder.is_dir():
        raise Refused(f"the game '{slug}' brings no demo")
    cast, weeks = _table(folder / "cast.toml"), _table(folder / "weeks.toml")
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
        bot=bot(slug, cast.get("bot", BOT)),
        script=_script(folder / "script.toml"),
        prize=cast.get("prize", ""),
        battle_week=cast.get("battle_week", 0),
    )


def _table(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _script(file: Path) -> Script:
    if not file.is_file():
        return Script()
    table = _table(file)
    return Script(
        orders={int(number): lines for number, lines in table.get("orders", {}).items()},
        battles=tuple(_battle(**row) for row in table.get("battles", ())),
        office=tuple(Act(**{**row, "orders": tuple(row.get("orders", ()))}) for row in table.get("office", ())),
    )


def _battle(mails: tuple[dict[str, Any], ...] = (), **row: Any) -> Fought:
    return Fought(**row, mails=tuple(Said(**mail) for mail in mails))
