"""The year: eight bots, two newcomers, a retirement and a return, and each kind of trouble once or more."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final

from league.desk.acts.absence import instruct
from league.desk.acts.change_seats import come_back, retire
from league.desk.acts.pause_rounds import pause_rounds
from league.desk.correcting.correct_figure import correct_figures
from league.desk.correcting.correct_round import Act
from league.desk.figures.enter_figure import Entry
from league.desk.rounds.enter_result import Battle, enter_result
from league.desk.site import Site
from league.games.kuel import score
from league.games.kuel.bots import greedy_orders, lookahead_orders, random_orders
from league.games.kuel.choices import legal_moves, limit_of, mask_of
from league.games.kuel.orders import Attack, Join, Leave, Move, Pass, Take
from league.games.kuel.state import State
from tests.desk.sites import opened
from tests.desk.weeks import utc
from tests.matches.kuel.season import DAY, SLUG, WEEK, Said, Season, read_figures

EIGHT: Final = ("Anna", "Ben", "Carla", "Dirk", "Eva", "Finn", "Gerda", "Hugo")
FIRST: Final = date(2023, 4, 6)  # the first Thursday
HOLIDAY: Final = date(2023, 12, 28)
COLLECTOR: Final = "s1"  # Anna gathers NATO countries for the defence bonus and wins her battles (K32)
TROUBLES: Final = {"dispute": 5, "unreported": 8, "winner alone": 12, "correction": 18}  # from which round on
ENOUGH: Final = 4  # rematches a year
BOTS: Final = (lookahead_orders, greedy_orders, greedy_orders, random_orders)


@dataclass(frozen=True)
class Plan:
    """What happens in which round; the seed makes another year of the same."""

    rounds: int = 52
    seed: str = "1"
    ida: int = 9
    jan: int = 17
    retires: int = 22
    returns: int = 30
    absent: int = 26  # and the next two
    silent: int = 20
    mends: int = 47  # a figure of two rounds before is put right, from now on
    recomputes: int = 52  # another, and the rounds after it are evaluated again


class Year(Season):
    """Fifty-two rounds from April to April over one week of holidays."""

    def __init__(self, path: Path, plan: Plan = Plan()) -> None:
        """The league on the eve of its first week."""
        super().__init__(path, EIGHT, FIRST, prize="a box of tea", battles="reported", preset="gentle")
        self.plan = plan
        told = {*range(4, plan.rounds, 4), plan.mends, plan.recomputes, plan.rounds}  # in the end all is on the pages
        self.quiet = frozenset(range(1, plan.rounds)) - told
        self.rematches: list[tuple[int, str]] = []  # in which round, about what
        self.troubles: dict[str, tuple[int, str]] = {}  # of which kind, in which round, about what
        self.slip: tuple[str, str] | None = None  # a country, and who won there though he wrote that he lost

    def play(self) -> None:
        """Every round in its week."""
        weeks = {date.fromisoformat(week["friday"]) - DAY: week for week in read_figures("year-2023.toml")}
        thursday = FIRST
        for number in range(1, self.plan.rounds + 1):
            thursday += WEEK * (thursday == HOLIDAY)
            self.acts(number, thursday)
            self.week(thursday, weeks[thursday])
            thursday += WEEK

    def acts(self, number: int, thursday: date) -> None:
        """What the organizer does on Monday."""
        monday, plan = utc(thursday - 3 * DAY, 12), self.plan
        for name, when in (("Ida", plan.ida), ("Jan", plan.jan)):
            if number == when:
                self.add([name], monday)
        site = opened(self.path, monday)
        if number == plan.retires:
            retire(site, SLUG, "Dirk", why="moves abroad")
            self.away.add("s4")
        if number == plan.returns:
            come_back(site, SLUG, "Dirk", why="is back")
            self.away.remove("s4")
        if number == plan.absent:
            instruct(site, SLUG, "Gerda", until=str(number + 2), texts=("passe",), why="on a journey")
        for when, mode in ((plan.mends, "from_now"), (plan.recomputes, "recompute")):
            if number == when:
                self.mend(site, number - 2, mode)
        if thursday == HOLIDAY - WEEK:
            pause_rounds(site, SLUG, date(2023, 12, 25), date(2023, 12, 31), why="holidays")
        site.engine.dispose()

    def mend(self, site: Site, number: int, mode: str) -> None:
        """A close was entered wrongly, and its round's report is out."""
        (row,) = (row for row in self.record(number)["evidence"] if row["figure"] == "dax_close")
        right = f"{int(row['value'].partition('.')[0]) + 3}.00"
        entry = Entry({"dax_close": right, "dax_day": row["day"]}, "the exchange's page", "a misprint")
        correct_figures(site, SLUG, entry, Act("draw correct", "a misprint", mode))

    # -------------------------------------------------------------- orders

    def orders(self, state: State, seat: str) -> str:
        """Anna collects, one neighbour attacks her once she has the bonus, the others are bots of three kinds."""
        number, plan = state.round, self.plan
        silent = seat == "s8" and number == plan.silent
        if silent or (seat == "s7" and plan.absent <= number <= plan.absent + 2):
            return ""
        if seat == COLLECTOR:
            return self.say(seat, [self.collected(state, seat)])
        prey = self.prey(state)
        if prey and prey[0] == seat:
            return self.say(seat, [prey[1]])
        bot = BOTS[int(seat[1:]) % len(BOTS)]
        return bot(self.game, state, seat, self.dice(number, f"{plan.seed}/{seat}"), self.players[seat].lang)

    def collected(self, state: State, seat: str) -> Move:
        """One more NATO country if there is a way, else one on the way, else room for one."""
        board = self.game.board
        nato, mine = board.groups["nato"], mask_of(self.game, state, seat)
        moves = legal_moves(self.game, state, seat)
        if seat not in state.scores:
            return Join("portugal") if Join("portugal") in moves else moves[0]
        full = score.count(mine) >= limit_of(self.game, mine)

        def rank(move: Move) -> int:
            if isinstance(move, Pass):
                return 2
            wanted = bool(board.bits[move.country] & nato)
            if isinstance(move, Take | Attack):
                return (6 if wanted else 3) + isinstance(move, Take)
            return 5 if isinstance(move, Leave) and full and not wanted else 0

        return max(moves, key=rank)

    def prey(self, state: State) -> tuple[str, Attack] | None:
        """Who attacks Anna where while she holds the bonus, so that she can use it."""
        if len(self.rematches) >= ENOUGH or not self.holds_bonus(state, COLLECTOR):
            return None
        for seat in sorted(state.scores, key=lambda code: int(code[1:])):
            for move in legal_moves(self.game, state, seat) if seat not in self.away else ():
                if isinstance(move, Attack) and state.owner[move.country] == COLLECTOR:
                    return seat, move
        return None

    def holds_bonus(self, state: State, seat: str) -> bool:
        """Eight NATO countries at the end of the round before (K32, K71)."""
        return score.nato8(self.game.board, mask_of(self.game, state, seat))

    # -------------------------------------------------------------- battles

    def winner(self, number: int, battle: Battle) -> str:
        """Anna wins, but for first attempts where she may demand a second, and for every other second one."""
        fighters = [seat for seat, _ in battle.fighters]
        if COLLECTOR in fighters:
            loses = len(self.rematches) % 2 == 1 if battle.attempt == 2 else self.has_right(battle)
            return next(seat for seat in fighters if (seat == COLLECTOR) is not loses)
        dice = self.dice(number, f"{self.plan.seed}/{battle.country}/{battle.attempt}")
        return fighters[dice.below(len(fighters), "wins")]

    def has_right(self, battle: Battle) -> bool:
        """Whether Anna may demand a rematch there, and has not had her share of them."""
        return (
            len(self.rematches) < ENOUGH
            and battle.fighters[-1][0] == COLLECTOR
            and self.holds_bonus(self.state(), COLLECTOR)
        )

    def answers(self, number: int, moment: datetime) -> Iterator[Said]:
        """The organizer puts a wrong report right before the round is sealed (K33)."""
        if self.slip:
            country, winner = self.slip
            site = opened(self.path, moment)
            named = self.game.label(country, "en")
            enter_result(site, SLUG, named, self.players[winner].name, attempt=None, why="he meant won, not lost")
            site.engine.dispose()
            self.slip = None
        yield from super().answers(number, moment)

    def reports(self, number: int, battle: Battle) -> Sequence[Said]:
        """As a rule the loser reports; once both claim it, once nobody writes, once the winner alone, once in error."""
        winner, fighters = self.winner(number, battle), [seat for seat, _ in battle.fighters]
        here = (number, battle.country)
        if COLLECTOR in fighters:
            if battle.attempt == 2:
                self.rematches.append(here)
            again = battle.attempt == 1 and self.has_right(battle)
            return [self.rematch(COLLECTOR, battle, winner) if again else self.lost(battle, winner)]
        if here in self.troubles.values():
            return []  # all is said; the end of the waiting comes by itself (K33)
        kind = next((kind for kind, first in TROUBLES.items() if kind not in self.troubles and number >= first), "")
        if kind == "correction" and self.reports_late(number):
            kind = ""  # with the figures known the report would go out before the organizer hears of the slip
        if not kind or len(fighters) > 2:
            return [self.lost(battle, winner)]
        self.troubles[kind] = here
        if kind == "correction":
            self.slip = (battle.country, winner)
            return [self.report(winner, battle, "lost")]
        said = {"dispute": fighters, "unreported": [], "winner alone": [winner]}[kind]
        return [self.report(seat, battle, "won") for seat in said]
