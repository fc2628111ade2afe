"""Positions as people and records write them: writing, reading, and every broken invariant told."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from league.core.errors import BadPosition
from league.core.json import Json, JsonDict
from league.games.europa.board import EPOCHS, FIGURES, Board
from league.games.europa.meta import META
from league.games.europa.state import (
    AT_WAR,
    END,
    NATIONALISTS,
    PEACE,
    PHASES,
    PLACE1,
    START,
    TENSION,
    VOTE,
    WAR,
    WON,
    Player,
    State,
    level_of,
)

KEYS: Final = (
    "round",
    "epoch",
    "phase",
    "players",
    "newcomers",
    "table",
    "order",
    "members",
    "track",
    "results",
    "board",
    "tension",
    "war",
    "president",
)
PLAYER_KEYS: Final = ("party", "political", "victory", "pawns", "left")
RESULTS: Final = (WON, NATIONALISTS, AT_WAR)


def position(state: State) -> JsonDict:
    """The readable form, complete and exact; countries in the order of the cards or of the track."""
    players: JsonDict = {
        seat: {
            "party": player.party,
            "political": player.political,
            "victory": player.victory,
            "pawns": player.pawns,
            **({"left": True} if player.left else {}),
        }
        for seat, player in sorted(state.players.items())
    }
    return {
        "round": state.round,
        "epoch": state.epoch,
        "phase": state.name,
        "players": players,
        "newcomers": list(state.newcomers),
        "table": list(state.table),
        "order": list(state.order),
        "members": list(state.members),
        "track": list(state.track),
        "results": dict(state.results),
        "board": {country: dict(here) for country, here in state.board.items()},
        "tension": [country for country, marker in state.markers.items() if marker == TENSION],
        "war": [country for country, marker in state.markers.items() if marker == WAR],
        "president": list(state.president),
    }


def restore(board: Board, written: Json) -> State:
    """The state of a position; `BadPosition` lists every fault of form or of rule."""
    reader = _Reader(board)
    state = reader.read(written)
    faults = reader.faults or list(problems(board, state))
    if faults:
        raise BadPosition(faults)
    return state


@dataclass
class _Reader:
    board: Board
    faults: list[str] = field(default_factory=list)

    def read(self, written: Json) -> State:
        """The state, with faults gathered instead of raised."""
        table = self.table(written, "position")
        self.known(table, KEYS, "position")
        phase, group = self.phase(table.get("phase", START))
        players = self.players(table.get("players", {}))
        seats = tuple(players)
        markers = {
            **dict.fromkeys(self.countries(table, "tension"), TENSION),
            **dict.fromkeys(self.countries(table, "war"), WAR),
        }
        place = self.board.place
        return State(
            round=self.number(table.get("round", 1), "position.round", 1),
            epoch=self.number(table.get("epoch", 0 if phase == START else 1), "position.epoch", 0, EPOCHS),
            phase=phase,
            group=group,
            newcomers=self.names(table, "newcomers"),
            table=self.names(table, "table") or seats,
            players=players,
            order=self.names(table, "order") or self.names(table, "table") or seats,
            members=tuple(sorted(self.countries(table, "members"), key=place.__getitem__)),
            track=self.countries(table, "track"),
            results=self.results(table.get("results", {})),
            board=self.pawns(table.get("board", {})),
            markers={c: markers[c] for c in sorted(markers, key=place.__getitem__)},
            president=self.names(table, "president"),
        )

    def table(self, written: Json, where: str) -> Mapping[str, Json]:
        if isinstance(written, Mapping):
            return written
        self.faults.append(f"{where} is {written!r}; a table is needed")
        return {}

    def known(self, table: Mapping[str, Json], keys: tuple[str, ...], where: str) -> None:
        self.faults += [f"{where}: no key '{key}'; there are {', '.join(keys)}" for key in table if key not in keys]

    def number(self, written: Json, where: str, low: int, high: int = 100_000) -> int:
        if isinstance(written, int) and not isinstance(written, bool) and low <= written <= high:
            return written
        self.faults.append(f"{where} is {written!r}; a whole number from {low} to {high} is needed")
        return low

    def phase(self, written: Json) -> tuple[str, int]:
        name = str(written)
        if name in PHASES and name != VOTE:
            return name, 0
        group = name.removeprefix(VOTE)
        if name.startswith(VOTE) and group.isascii() and group.isdigit() and group == str(int(group)) != "0":
            return VOTE, int(group)
        self.faults.append(f"position.phase is {written!r}; it is START, PEACE, PLACE1, PLACE2, VOTE1, VOTE2, … or END")
        return START, 0

    def players(self, written: Json) -> dict[str, Player]:
        return {
            seat: self.player(seat, row, self.board.party_ids[min(place, META.seats[1] - 1)])
            for place, (seat, row) in enumerate(self.table(written, "position.players").items())
        }

    def player(self, seat: str, written: Json, party: str) -> Player:
        where = f"position.players.{seat}"
        row = self.table(written, where)
        self.known(row, PLAYER_KEYS, where)
        named, left = row.get("party", party), row.get("left", False)
        if named not in self.board.party_ids:
            self.faults.append(f"{where}.party is {named!r}; there are {', '.join(self.board.party_ids)}")
        if not isinstance(left, bool):
            self.faults.append(f"{where}.left is {left!r}; true or false is needed")
        return Player(
            str(named),
            self.number(row.get("political", 0), f"{where}.political", 0),
            self.number(row.get("victory", 0), f"{where}.victory", 0),
            self.number(row.get("pawns", 0), f"{where}.pawns", 0, FIGURES),
            left is True,
        )

    def names(self, table: Mapping[str, Json], key: str) -> tuple[str, ...]:
        written = table.get(key, ())
        if isinstance(written, (list, tuple)) and all(isinstance(one, str) for one in written):
            found = tuple(str(one) for one in written)
            if len(set(found)) == len(found):
                return found
        self.faults.append(f"position.{key} is {written!r}; a list of names is needed, each once")
        return ()

    def countries(self, table: Mapping[str, Json], key: str) -> tuple[str, ...]:
        return tuple(country for country in self.names(table, key) if self.country(country, f"position.{key}"))

    def country(self, country: str, where: str) -> bool:
        if country in self.board.playable:
            return True
        self.faults.append(f"{where}: no country '{country}' can join; ids are those of countries.toml")
        return False

    def results(self, written: Json) -> dict[str, str]:
        found = {}
        for country, result in self.table(written, "position.results").items():
            if result not in RESULTS:
                self.faults.append(f"position.results.{country} is {result!r}; it is {' or '.join(RESULTS)}")
            elif self.country(country, "position.results"):
                found[country] = str(result)
        return found

    def pawns(self, written: Json) -> dict[str, dict[str, int]]:
        rows = self.table(written, "position.board")
        place = self.board.place
        there = sorted((c for c in rows if self.country(c, "position.board")), key=place.__getitem__)
        return {country: here for country in there if (here := self.here(country, rows[country]))}

    def here(self, country: str, written: Json) -> dict[str, int]:
        where = f"position.board.{country}"
        return {
            seat: self.number(pawns, f"{where}.{seat}", 1, FIGURES)
            for seat, pawns in self.table(written, where).items()
        }


def problems(board: Board, state: State) -> list[str]:
    """Every broken invariant of a state that is well-formed."""
    if state.phase == START:
        return list(_early(state))
    return [*_player_problems(state), *_country_problems(board, state), *_pawn_problems(state), *_late(board, state)]


def _early(state: State) -> Iterator[str]:
    used = (state.players, state.table, state.track, state.members, state.board, state.markers)
    if any(used) or state.epoch:
        yield "position.phase is START, so there are newcomers and nothing else yet"


def _player_problems(state: State) -> Iterator[str]:
    low, high = META.seats
    if not low <= len(state.players) <= high:
        yield f"position.players has {len(state.players)}; {low} to {high} can play (R1)"
    parties = [player.party for player in state.players.values()]
    yield from (
        f"two players have the party {party} (R1)" for party in sorted(set(parties)) if parties.count(party) > 1
    )
    for key, names in (("table", state.table), ("order", state.order)):
        if set(names) != set(state.players):
            yield f"position.{key} must name each player once (R9, R13)"
    yield from (f"{seat} is both a player and a newcomer" for seat in state.newcomers if seat in state.players)
    if not state.epoch:
        yield f"position.epoch is 0, but the phase is {state.name}"
    if state.phase == END and not set(state.president) <= set(state.players):
        yield "position.president must name players (R56)"
    if state.phase != END and state.president:
        yield "position.president is for the end (R56)"


def _country_problems(board: Board, state: State) -> Iterator[str]:
    available = board.available(state.epoch)
    for key, countries in (("members", state.members), ("track", state.track), ("tension or war", state.markers)):
        yield from (
            f"{c} is hidden in epoch {state.epoch}; it can't be in {key} (R8)" for c in countries if c not in available
        )
    for country in state.track:
        if (country in state.members) != (state.results.get(country) == WON):
            yield f"{country} is a member if and only if its election was won (R20, R33)"
    yield from (f"{c} has a result, but no election on the track" for c in state.results if c not in state.track)
    yield from (f"{c} is a member and has a marker (R41, A13)" for c in state.markers if c in state.members)


def _pawn_problems(state: State) -> Iterator[str]:
    on_board = dict.fromkeys(state.players, 0)
    for country, here in state.board.items():
        if country not in state.track or country in state.results:
            yield f"position.board.{country}: pawns stand only where an election is still to come (R20)"
        for seat, pawns in here.items():
            if seat not in state.players:
                yield f"position.board.{country}: nobody is called {seat}"
            else:
                on_board[seat] += pawns
    finished = state.phase == END and bool(state.president)  # where all but one gave up, all is left as it stood (8.9)
    for seat, player in state.players.items():
        if player.pawns + on_board[seat] > FIGURES:
            yield f"{seat} has {player.pawns + on_board[seat]} pawns; a party has {FIGURES} figures (R14)"
        if player.pawns and (state.phase == VOTE or finished):
            yield f"{seat} holds pawns back, but none can be kept after placement (R20)"
    if state.board and (state.phase in (PEACE, PLACE1) or finished):
        yield f"position.board has pawns, but the phase is {state.name}"


def _late(board: Board, state: State) -> Iterator[str]:
    """What the risks of war can and can't have left behind."""
    risky = board.epochs[max(state.epoch, 1) - 1].risks
    if state.markers and not risky:
        yield f"there is tension or war, but no risk in epoch {state.epoch} (R10)"
    if state.phase == PEACE:
        level = level_of({c.id: c.resistance for c in board.countries}, state.markers)
        if not risky or not level:
            yield "position.phase is PEACE, but there is no conflict to end (R46)"
    elif state.phase != END:
        at_war = {country for country, marker in state.markers.items() if marker == WAR and country in state.track}
        cancelled = {country for country, result in state.results.items() if result == AT_WAR}
        for country in sorted(at_war ^ cancelled):
            yield f"{country} has no election if and only if it is at war (R55)"
