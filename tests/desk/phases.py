"""A match of EUROPA whose phases have deadlines of their own: bots write, `league run` does the rest."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from league.core.evidence import Evidence
from league.desk import registry
from league.desk.acts.new_league import new_league
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.people.players import NewPlayer, add_players
from league.desk.run.run_site import Ran
from league.games.europa.bots import diplomat_orders
from league.games.europa.game import Europa
from league.games.europa.phases import asked
from league.games.europa.state import State
from league.randomness.dice import Dice
from league.reports.context import order_facts
from league.reports.words import Say
from tests.desk.sites import LANGS, NAMES, address, drop, letter, mail_run, make_site, opened, rows, run, sealed

SLUG, START = "union", date(2024, 1, 4)
BEGIN = datetime(2023, 12, 31, 9, tzinfo=UTC)
PER_MAIL = 5


@cache
def tellings(line: str) -> tuple[str, ...]:
    """A line of orders as mails and pages may show it: as it stands in the books, and in each language."""
    game = registry.load("europa", {})
    orders = game.parse(None, "", line).orders
    said = (Say(lang, game.label, str, "europa").order(order_facts(order)) for lang in LANGS for order in orders)
    return (line, *said)


@dataclass
class Match:
    """The league in its site; `players` are named by their seats' numbers."""

    path: Path
    players: int = 3
    mails: int = 0
    options: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def begin(cls, path: Path, *every: str, players: int = 3, deadline: str | None = None, **options: Any) -> "Match":
        """Open it; nobody is asked for anything until the seats are drawn."""
        made = cls(make_site(path, BEGIN), players, options=options)
        site = opened(path, BEGIN)
        new_league(site, SLUG, game="europa", start=START, lang="de", every=every, deadline=deadline, options=options)
        chosen = NAMES[:players]
        add_players(site, SLUG, [NewPlayer(name, address(name), LANGS[i % 3]) for i, name in enumerate(chosen)])
        site.engine.dispose()
        return made

    @property
    def game(self) -> Europa:
        found = registry.load("europa", self.options)
        assert isinstance(found, Europa)
        return found

    def state(self) -> State:
        """The position that everybody knows."""
        (found,) = rows(self.path, "SELECT body FROM position ORDER BY round DESC, version DESC LIMIT 1")
        return self.game.restore(json.loads(found["body"]))

    def round(self) -> dict[str, Any]:
        """The newest round as the books have it."""
        return rows(self.path, "SELECT * FROM round ORDER BY number DESC LIMIT 1")[0]

    def time(self, name: str = "deadline_at") -> datetime:
        """A time of the newest round."""
        return datetime.fromisoformat(self.round()[name]).replace(tzinfo=UTC)

    def asked(self) -> list[str]:
        """The players from whom the open round wants something."""
        per_mail = int(self.options.get("elections_per_mail", PER_MAIL))
        return [NAMES[int(seat[1:]) - 1] for seat in asked(self.state(), per_mail)]

    def post(self, name: str, text: str, moment: datetime) -> None:
        """A mail that arrives then."""
        self.mails += 1
        raw = letter(name, text, subject=f"{SLUG} {self.mails}", message_id=f"<{SLUG}.{self.mails}@example.org>")
        drop(self.path, raw, moment, f"{self.mails:05d}.eml")

    def orders(self, name: str) -> str:
        """What a diplomat would order in this place, a line each."""
        dice = Dice.of(SLUG, self.state().round, Evidence("simulated", date(2023, 1, 1), name))
        return diplomat_orders(self.game, self.state(), f"s{NAMES.index(name) + 1}", dice, "en") or ""

    def write(self, moment: datetime, names: Iterable[str] | None = None, *, final: bool = False) -> None:
        """Orders of everybody who is asked (or of these), a minute apart."""
        for place, name in enumerate(self.asked() if names is None else names):
            text = self.orders(name) + ("\nFINAL\n" if final else "\n")
            self.post(name, text, moment + timedelta(minutes=place))

    def draw(self, day: date, *, pages: bool = True) -> Ran:
        """The lottery's numbers of a day, entered in its evening, and a run."""
        evening = datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
        site = opened(self.path, evening)
        numbers = [1 + (n * 7 + day.toordinal() * 11) % 49 for n in range(6)]
        entry = Entry({"lotto": " ".join(map(str, numbers)), "lotto_day": day.isoformat()}, "paper", "test")
        enter_figures(site, SLUG, entry)
        site.engine.dispose()
        return run(self.path, evening, pages=pages)

    def finish(self, *, pages: bool = True) -> None:
        """The open round to its report: a run after its closing, and the draw if it waits for one."""
        run(self.path, self.time("closes_at") + timedelta(hours=1), pages=pages)
        if self.round()["status"] == "frozen":
            self.draw((self.time("ends_at") - timedelta(hours=2)).date(), pages=pages)

    def started(self, *, pages: bool = True) -> "Match":
        """The seats are drawn, and the first placement is open; `pages` of it are published once."""
        mail_run(self.path, datetime(2024, 1, 5, 0, tzinfo=UTC))
        self.draw(date(2024, 1, 6), pages=pages)
        assert self.state().phase == "PLACE1"
        return self

    def told(self) -> list[dict[str, Any]]:
        """The records of its rounds."""
        found = [json.loads(one.body) for one in sealed(self.path)]
        return [body for body in found if body["kind"] == "round"]
