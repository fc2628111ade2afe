"""A position of KUEL: who owns what, scores and markers; reading, writing and checking it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from league.core.errors import BadPosition
from league.core.json import Json, JsonDict
from league.games.kuel.board import Board

DEVASTATION_ROUNDS = 3  # K41
AUCTION_ROUNDS = 3  # K53
PAYMENTS = 3  # K55
UNTIL_ENDED = 0  # a civil war that only mercenaries end (K43)
LIMIT, AXIS_LIMIT = 10, 15  # K4


@dataclass(frozen=True, slots=True)
class State:
    """The start of round `round`. Mappings are never changed once the state stands.

    `civil_war` maps a country to the rounds still to come, or to UNTIL_ENDED; the other markers likewise.
    """

    round: int
    scores: Mapping[str, int]
    owner: Mapping[str, str]
    devastation: Mapping[str, int] = field(default_factory=dict)
    civil_war: Mapping[str, int] = field(default_factory=dict)
    payments: Mapping[str, int] = field(default_factory=dict)
    auctions: Mapping[str, int] = field(default_factory=dict)
    newcomers: tuple[str, ...] = ()
    month_start: Mapping[str, int] = field(default_factory=dict)  # points at the month's start, where gains count (K80)

    def owned(self, seat: str) -> list[str]:
        """The seat's countries, in no particular order."""
        return [country for country, owner in self.owner.items() if owner == seat]


def position(board: Board, state: State) -> JsonDict:
    """The readable form, complete and exact; countries in the board's order, players by name."""
    players: JsonDict = {
        seat: {"score": state.scores[seat], "owns": list(board.sorted(state.owned(seat)))}
        for seat in sorted(state.scores)
    }
    markers = {c.id: m for c in board.countries if (m := _markers(state, c.id))}
    month: JsonDict = {"month_start": dict(sorted(state.month_start.items()))} if state.month_start else {}
    return {"round": state.round, "players": players, "markers": markers, "newcomers": list(state.newcomers), **month}


def _markers(state: State, country: str) -> JsonDict:
    markers: JsonDict = {}
    if country in state.devastation:
        markers["devastation"] = state.devastation[country]
    if country in state.civil_war:
        markers["civil_war"] = state.civil_war[country] or True
    if country in state.payments:
        markers["collapse"] = {"payments_left": state.payments[country]}
    if country in state.auctions:
        markers["collapse"] = {"auction_rounds_left": state.auctions[country]}
    return markers


def restore(board: Board, civil_war_rounds: int, written: Json) -> State:
    """The state of a position; `BadPosition` lists every fault of form or of rule."""
    reader = _Reader(board, civil_war_rounds)
    state = reader.read(written)
    faults = [*reader.faults, *(problems(board, state) if not reader.faults else ())]
    if faults:
        raise BadPosition(faults)
    return state


def problems(board: Board, state: State) -> list[str]:
    """Every broken invariant of a state that is well-formed."""
    return [*_player_problems(state), *_marker_problems(board, state)]


def _player_problems(state: State) -> Iterable[str]:
    for seat in sorted(state.scores):
        count = len(state.owned(seat))
        if count == 0:
            yield f"{seat} owns no country; a player owns at least one (K6)"
        if count > AXIS_LIMIT:
            yield f"{seat} owns {count} countries; {AXIS_LIMIT} is the most (K4)"
    both = sorted(set(state.newcomers) & set(state.scores))
    yield from (f"{seat} is both a player and a newcomer" for seat in both)
    twice = sorted({s for s in state.newcomers if state.newcomers.count(s) > 1})
    yield from (f"{seat} stands twice among the newcomers" for seat in twice)


def _marker_problems(board: Board, state: State) -> Iterable[str]:
    for country in board.by_id:
        owned = country in state.owner
        if owned and country in state.devastation:
            yield f"{country} is devastated and owned by {state.owner[country]} (K41)"
        if owned and country in state.civil_war:
            yield f"{country} has civil war and is owned by {state.owner[country]} (K45)"
        if owned and country in state.auctions:
            yield f"{country} is up for auction and owned by {state.owner[country]} (K52)"
        if not owned and country in state.payments:
            yield f"{country} is under reconstruction and owned by nobody (K55)"
        if country in state.devastation and country in state.auctions:
            yield f"{country} is devastated and up for auction (K54)"


class _Reader:
    """Reads a position and collects what is wrong with its form."""

    def __init__(self, board: Board, civil_war_rounds: int) -> None:
        self.board = board
        self.civil_war_rounds = civil_war_rounds
        self.faults: list[str] = []

    def read(self, written: Json) -> State:
        table = self._table(written, "position")
        self._known(table, ("round", "players", "markers", "newcomers", "month_start"), "position")
        number = self._whole(table.get("round", 1), 1, 10**6, "position.round")
        scores: dict[str, int] = {}
        owner: dict[str, str] = {}
        players = self._table(table.get("players", {}), "position.players")
        most = len(self.board.countries)
        if len(players) > most:
            self.faults.append(
                f"position.players has {len(players)} players; on {most} countries there is room for {most}"
            )
            players = {}
        for seat, row in players.items():
            self._player(seat, row, scores, owner)
        markers = self._markers(table.get("markers", {}))
        newcomers = tuple(self._names(table.get("newcomers", []), "position.newcomers"))
        month = self._table(table.get("month_start", {}), "position.month_start")
        start = {
            seat: self._whole(points, -(10**12), 10**12, f"position.month_start.{seat}")
            for seat, points in month.items()
        }
        return State(number, scores, owner, *markers, newcomers, start)

    def _player(self, seat: str, written: Json, scores: dict[str, int], owner: dict[str, str]) -> None:
        where = f"position.players.{seat}"
        row = self._table(written, where)
        self._known(row, ("score", "owns"), where)
        scores[seat] = self._whole(row.get("score", 0), -(10**12), 10**12, f"{where}.score")
        for country in self._names(row.get("owns", []), f"{where}.owns"):
            if country not in self.board.by_id:
                self.faults.append(f"{where}.owns: no country '{country}'{self._near(country)}")
            elif country in owner:
                self.faults.append(f"{where}.owns: {country} is owned twice, by {owner[country]} and {seat} (K2)")
            else:
                owner[country] = seat

    def _markers(self, written: Json) -> tuple[dict[str, int], dict[str, int], dict[str, int], dict[str, int]]:
        devastation: dict[str, int] = {}
        civil_war: dict[str, int] = {}
        payments: dict[str, int] = {}
        auctions: dict[str, int] = {}
        for country, marks in self._table(written, "position.markers").items():
            where = f"position.markers.{country}"
            if country not in self.board.by_id:
                self.faults.append(f"position.markers: no country '{country}'{self._near(country)}")
                continue
            row = self._table(marks, where)
            self._known(row, ("devastation", "civil_war", "collapse"), where)
            if "devastation" in row:
                devastation[country] = self._whole(row["devastation"], 1, DEVASTATION_ROUNDS, f"{where}.devastation")
            if "civil_war" in row:
                civil_war[country] = self._civil_war(row["civil_war"], f"{where}.civil_war")
            if "collapse" in row:
                self._collapse(country, row["collapse"], f"{where}.collapse", payments, auctions)
        return devastation, civil_war, payments, auctions

    def _civil_war(self, written: Json, where: str) -> int:
        if self.civil_war_rounds == UNTIL_ENDED:
            if written is not True:
                self.faults.append(f"{where} is {written!r}; with civil_war_rounds = 0 it is true (K43)")
            return UNTIL_ENDED
        return self._whole(written, 1, self.civil_war_rounds, where)

    def _collapse(self, country: str, written: Json, where: str, owned: dict[str, int], free: dict[str, int]) -> None:
        row = self._table(written, where)
        self._known(row, ("payments_left", "auction_rounds_left"), where)
        if len(row) != 1:
            self.faults.append(f"{where} needs payments_left (owned) or auction_rounds_left (open), one of them")
        if "payments_left" in row:
            owned[country] = self._whole(row["payments_left"], 1, PAYMENTS, f"{where}.payments_left")
        if "auction_rounds_left" in row:
            free[country] = self._whole(row["auction_rounds_left"], 1, AUCTION_ROUNDS, f"{where}.auction_rounds_left")

    def _table(self, written: Json, where: str) -> Mapping[str, Json]:
        if isinstance(written, Mapping):
            return written
        self.faults.append(f"{where} is {written!r}; a table is needed")
        return {}

    def _known(self, table: Mapping[str, Json], keys: tuple[str, ...], where: str) -> None:
        self.faults += [f"{where}: no key '{key}'; there are {', '.join(keys)}" for key in table if key not in keys]

    def _whole(self, written: Json, low: int, high: int, where: str) -> int:
        if isinstance(written, int) and not isinstance(written, bool) and low <= written <= high:
            return written
        self.faults.append(f"{where} is {written!r}; a whole number from {low} to {high} is needed")
        return low

    def _names(self, written: Json, where: str) -> list[str]:
        if isinstance(written, (list, tuple)) and all(isinstance(name, str) for name in written):
            return [str(name) for name in written]
        self.faults.append(f"{where} is {written!r}; a list of names is needed")
        return []

    def _near(self, written: str) -> str:
        from difflib import get_close_matches  # only where something is wrong

        near = get_close_matches(written, self.board.by_id)
        return f"; nearest is '{near[0]}'" if near else ""
