"""A KUEL league played by mail a week at a time: bots write orders, fighters report, the organizer does the rest."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from league.core.evidence import Evidence
from league.desk import registry
from league.desk.acts.new_league import new_league
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.people.players import NewPlayer, add_players
from league.desk.rounds.enter_result import Battle, enter_result, list_results
from league.games.kuel.bots import greedy_orders
from league.games.kuel.choices import text
from league.games.kuel.game import Kuel
from league.games.kuel.orders import Move
from league.games.kuel.state import State
from league.randomness.dice import Dice
from tests.desk.sites import ROOT, address, drop, letter, make_site, opened, rows, run
from tests.desk.weeks import utc

SLUG = "year"
DAY, WEEK = timedelta(days=1), timedelta(days=7)
HOUR = timedelta(hours=1)
EARLY = tuple(HOUR * hours for hours in (10, 14, 18, 34, 38, 42))  # from Friday on: when fighters report
LATE = tuple(44 * HOUR + HOUR * third / 3 for third in range(5))  # with the figures known already
REPORT = {
    "de": {"lost": "Ergebnis {} verloren", "won": "Ergebnis {} gewonnen", "winner": "Ergebnis {} Sieger {}"},
    "en": {"lost": "result {} lost", "won": "result {} won", "winner": "result {} winner {}"},
    "nl": {"lost": "uitslag {} verloren", "won": "uitslag {} gewonnen", "winner": "uitslag {} winnaar {}"},
}
REMATCH = {"de": "Revanche {}", "en": "rematch {}", "nl": "herkansing {}"}
Said = tuple[str, str]  # a seat, and the text of its mail


def read_figures(name: str) -> list[dict[str, str]]:
    """The weeks of a file of figures, in order."""
    found = tomllib.loads((ROOT / "tests" / "figures" / name).read_text(encoding="utf-8"))["weeks"]
    return [{str(key): str(value) for key, value in week.items()} for week in found]


@dataclass(frozen=True)
class Player:
    """Who sits at a seat, and in what language he writes."""

    seat: str
    name: str
    lang: str


class Season:
    """The league in its site. What a subclass says of `orders` and `reports` makes one season differ from another."""

    def __init__(self, path: Path, names: Sequence[str], start: date, *, prize: str = "", **options: object) -> None:
        """A new site with a league whose first round closes on `start`, a Thursday."""
        self.path = make_site(path, utc(start - 4 * DAY, 9))
        self.players: dict[str, Player] = {}
        self.away: set[str] = set()
        self.mails = 0
        self.quiet: frozenset[int] = frozenset()  # rounds whose runs leave the pages to the next that publish
        site = opened(path, utc(start - 4 * DAY, 9))
        new_league(site, SLUG, game="kuel", start=start, lang="de", prize=prize, options=options)
        site.engine.dispose()
        self.add(names, utc(start - 4 * DAY, 10))

    def add(self, names: Sequence[str], now: datetime) -> None:
        """The organizer adds players: German, English and Dutch in turn."""
        langs = ("de", "en", "nl")
        come = [(name, langs[(len(self.players) + i) % 3]) for i, name in enumerate(names)]
        site = opened(self.path, now)
        places = add_players(site, SLUG, [NewPlayer(name, address(name), lang) for name, lang in come])
        site.engine.dispose()
        self.players |= {p.code: Player(p.code, p.name, lang) for p, (_, lang) in zip(places, come, strict=True)}

    # -------------------------------------------------------------- what bots see

    @property
    def records(self) -> int:
        """How many rounds are sealed."""
        return int(rows(self.path, "SELECT max(round) AS n FROM record WHERE kind = 'round'")[0]["n"])

    def last(self) -> dict[str, Any]:
        """The record of the newest round, as it stands."""
        return self.record(self.records)

    def record(self, number: int) -> dict[str, Any]:
        """A round's record, in the version that stands."""
        asked = "SELECT body FROM record WHERE kind = 'round' AND round = ? ORDER BY version DESC"
        found: dict[str, Any] = json.loads(rows(self.path, asked, number)[0]["body"])
        return found

    @cached_property
    def game(self) -> Kuel:
        """The rules with the league's options."""
        found = registry.load("kuel", self.last()["rules"]["options"])
        assert isinstance(found, Kuel)
        return found

    def state(self) -> State:
        """The position that everybody knows; before the first round nobody has anything (K39)."""
        asked = "SELECT body FROM position WHERE round = ? ORDER BY version DESC"
        found = rows(self.path, asked, self.records + 1) if self.records else []
        return self.game.restore(json.loads(found[0]["body"])) if found else State(1, {}, {})

    def dice(self, number: int, purpose: str) -> Dice:
        """A bot's own dice, which know no figure to come."""
        return Dice.of(SLUG, number, Evidence("simulated", date(2023, 1, 1), purpose))

    def say(self, seat: str, moves: Iterable[Move]) -> str:
        """Orders in a player's language."""
        return text(self.game, list(moves), self.players[seat].lang)

    def report(self, seat: str, battle: Battle, word: str, winner: str = "") -> Said:
        """What a fighter writes of a battle."""
        lang = self.players[seat].lang
        named = self.players[winner].name if winner else ""
        return seat, REPORT[lang][word].format(self.game.label(battle.country, lang), named)

    def rematch(self, seat: str, battle: Battle, winner: str) -> Said:
        """The loser's report, and the demand of a holder of the defence bonus (K32)."""
        lang = self.players[seat].lang
        _, lost = self.lost(battle, winner, seat)
        return seat, f"{lost}\n{REMATCH[lang].format(self.game.label(battle.country, lang))}"

    def lost(self, battle: Battle, winner: str, by: str = "") -> Said:
        """The word of one who lost, else of the first: in a battle of more than two he names the winner (K33)."""
        fighters = [seat for seat, _ in battle.fighters]
        loser = by or next(seat for seat in fighters if seat != winner)
        return self.report(loser, battle, *(("lost",) if len(fighters) == 2 else ("winner", winner)))

    # -------------------------------------------------------------- what a season decides

    def orders(self, state: State, seat: str) -> str:
        """A player's orders; nothing sends no mail."""
        return greedy_orders(self.game, state, seat, self.dice(state.round, seat), self.players[seat].lang)

    def winner(self, number: int, battle: Battle) -> str:
        """Who wins on the players' table."""
        dice = self.dice(number, f"{battle.country}/{battle.attempt}")
        return battle.fighters[dice.below(len(battle.fighters), "wins")][0]

    def reports(self, number: int, battle: Battle) -> Sequence[Said]:
        """Who writes what of a battle that waits."""
        return [self.lost(battle, self.winner(number, battle))]

    def reports_late(self, number: int) -> bool:
        """Whether the fighters report when the figures are known already: two weeks of three."""
        return number % 3 > 0

    # -------------------------------------------------------------- a week

    def week(self, thursday: date, figures: Mapping[str, str]) -> None:
        """Orders, Thursday's run, reports in waves before or after the figures; Sunday's run if something waits."""
        state = self.state()
        pages = state.round not in self.quiet
        seats = [seat for seat in self.players if seat not in self.away]
        turn = state.round % len(seats)
        for minute, seat in enumerate(seats[turn:] + seats[:turn]):
            if orders := self.orders(state, seat):
                self.post(seat, orders, utc(thursday - DAY, 10, minute))
        friday = utc(thursday + DAY)
        run(self.path, friday, pages=pages)
        late = self.reports_late(state.round)
        if late:
            self.enter(friday + 43 * HOUR, figures)
        for after in LATE if late else EARLY:
            said = list(self.answers(state.round, friday + after))
            for minute, (seat, words) in enumerate(said):
                self.post(seat, words, friday + after + timedelta(seconds=minute))
            if not said:
                break
            run(self.path, friday + after + HOUR / 4, pages=pages)
        if not late:
            self.enter(friday + 45 * HOUR, figures)
        for end in (46 * HOUR, 54 * HOUR):  # before and after the waiting ends
            if self.records < state.round:
                run(self.path, friday + end, pages=pages)
        assert self.records == state.round, f"round {state.round} is not sealed"

    def post(self, seat: str, words: str, moment: datetime) -> None:
        """A mail arrives."""
        self.mails += 1
        name, number = self.players[seat].name, self.mails
        raw = letter(name, words, subject=f"KUEL {number}", message_id=f"<{SLUG}.{number}@example.org>")
        drop(self.path, raw, moment, f"{number:05d}.eml")

    def answers(self, number: int, moment: datetime) -> Iterator[Said]:
        """What fighters write now; a dispute that stands the organizer decides (K33)."""
        if self.records >= number:
            return  # nothing waited for figures or battles (K44)
        site = opened(self.path, moment)
        try:
            for battle in list_results(site, SLUG).waiting:
                if battle.disputed:
                    winner = self.players[self.winner(number, battle)].name
                    why = "both were asked for the replay"
                    enter_result(site, SLUG, self.game.label(battle.country, "en"), winner, attempt=None, why=why)
                else:
                    yield from self.reports(number, battle)
        finally:
            site.engine.dispose()

    def enter(self, moment: datetime, figures: Mapping[str, str]) -> None:
        """The organizer enters the week's figures."""
        site = opened(self.path, moment)
        holiday = figures["dax_day"] != figures["friday"]
        table = {name: value for name, value in figures.items() if name != "friday"}
        enter_figures(site, SLUG, Entry(table, "evening paper", "no source is fetched yet", holiday=holiday))
        site.engine.dispose()
