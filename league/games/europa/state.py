"""A position of EUROPA. Nothing in it is secret: what a phase keeps hidden are its orders, and no position has any."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

START, PEACE, PLACE1, PLACE2, VOTE, END = "START", "PEACE", "PLACE1", "PLACE2", "VOTE", "END"
WON, NATIONALISTS, AT_WAR = "won", "nationalists", "war"  # how an election ended, or why there is none
TENSION, WAR = "tension", "war"
PHASES: Final = (START, PEACE, PLACE1, PLACE2, VOTE, END)


@dataclass(frozen=True, slots=True)
class Player:
    """A party and what it has. `pawns` are in hand; `left`: its player is gone, and it is played by the defaults."""

    party: str
    political: int
    victory: int = 0
    pawns: int = 0
    left: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The start of a deadline's phase. Mappings are never changed once the state stands.

    `round` counts deadlines, `epoch` the game's own rounds (0 before the first). `group` is the number of a voting
    group, else 0. `table` are the seats clockwise (R9), `order` the turn order (R13). `track` has the epoch's elections
    (R18), `results` those that are over. `board` maps a country to its pawns by seat, `markers` to tension or war.
    """

    round: int
    epoch: int
    phase: str
    group: int = 0
    newcomers: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    players: Mapping[str, Player] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    track: tuple[str, ...] = ()
    results: Mapping[str, str] = field(default_factory=dict)
    board: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    markers: Mapping[str, str] = field(default_factory=dict)
    president: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The phase as it is called: `PLACE1`, `VOTE2`."""
        return f"{self.phase}{self.group}" if self.group else self.phase

    @property
    def ahead(self) -> tuple[str, ...]:
        """The elections still to be held, in track order (R23)."""
        return tuple(country for country in self.track if country not in self.results)

    @property
    def seats(self) -> dict[str, str]:
        """The seat of each party."""
        return {player.party: seat for seat, player in self.players.items()}


def level_of(resistance: Mapping[str, int], markers: Mapping[str, str]) -> int:
    """The level of conflict (R45): 1 for a tension, twice its resistance for a war."""
    return sum(1 if marker == TENSION else 2 * resistance[country] for country, marker in markers.items())


def group_of(state: State, elections: int) -> tuple[str, ...]:
    """The voting group (8.1): up to the k-th country ahead that holds pawns now; 0 means all that is ahead."""
    ahead = state.ahead
    holding = [place for place, country in enumerate(ahead) if state.board.get(country)]
    if not elections or not holding:
        return ahead
    return ahead[: holding[:elections][-1] + 1]
