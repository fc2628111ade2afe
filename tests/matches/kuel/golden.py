"""The golden league as its script tells it: every order, figure and victory is written down."""

import tomllib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from league.desk.acts.change_seats import retire
from league.desk.rounds.enter_result import Battle
from league.games.kuel.state import State
from tests.desk.sites import opened, sealed
from tests.desk.weeks import utc
from tests.matches.kuel.season import DAY, SLUG, WEEK, Said, Season


class Golden(Season):
    """Each week does what its table says."""

    def __init__(self, path: Path, script: Path) -> None:
        """The league on the eve of its first week."""
        written = tomllib.loads(script.read_text(encoding="utf-8"))
        self.first = date.fromisoformat(written["start"])
        self.rounds: list[dict[str, Any]] = written["rounds"]
        self.replied: set[tuple[int, str]] = set()
        super().__init__(path, written["players"], self.first, **written["options"])

    def play(self) -> None:
        """Every round in its week."""
        for number, told in enumerate(self.rounds, 1):
            self.play_round(self.first + WEEK * (number - 1), told)

    def play_round(self, thursday: date, told: dict[str, Any]) -> None:
        """The organizer's acts on Monday, then the week."""
        monday = utc(thursday - 3 * DAY, 12)
        if told.get("join"):
            self.add(told["join"], monday)
        for name in told.get("retire", ()):
            site = opened(self.path, monday)
            retire(site, SLUG, name, why="moves abroad")
            site.engine.dispose()
            self.away.add(self.seat(name))
        friday, saturday = thursday + DAY, thursday + 2 * DAY
        days = {"friday": friday.isoformat(), "dax_day": friday.isoformat(), "lotto_day": saturday.isoformat()}
        self.week(thursday, {**days, **told["figures"]})

    def seat(self, name: str) -> str:
        """The seat of a player."""
        return next(player.seat for player in self.players.values() if player.name == name)

    def told(self, number: int, kind: str) -> Any:
        """What the script says of a round."""
        return self.rounds[number - 1].get(kind, {})

    def orders(self, state: State, seat: str) -> str:
        """As written; who isn't named sends nothing."""
        return str(self.told(state.round, "orders").get(self.players[seat].name, ""))

    def winner(self, number: int, battle: Battle) -> str:
        """As written, else the first in order of execution."""
        name = self.told(number, "second" if battle.attempt == 2 else "winners").get(battle.country)
        return self.seat(name) if name else battle.fighters[0][0]

    def reports(self, number: int, battle: Battle) -> Sequence[Said]:
        """As a rule the loser reports; the script says where it is otherwise."""
        here, winner = (number, battle.country), self.winner(number, battle)
        if here in self.replied and battle.attempt == 1:
            return []
        self.replied.add(here)
        if battle.country in self.told(number, "silent"):
            return []
        if battle.country in self.told(number, "dispute"):
            return [self.report(seat, battle, "won") for seat, _ in battle.fighters]
        if battle.country in self.told(number, "alone"):
            return [self.report(winner, battle, "won")]
        terms = [(self.seat(name), text) for name, text in self.told(number, "terms").get(battle.country, {}).items()]
        if battle.country in self.told(number, "rematch") and battle.attempt == 1:
            return [*terms, self.rematch(battle.fighters[-1][0], battle, winner)]
        return [*terms, self.lost(battle, winner)]

    def records_written(self) -> list[bytes]:
        """The records as published, the opening first."""
        return [record.body for record in sealed(self.path)]
