"""The working copy of a position while a deadline is being resolved; only this package sees it change."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from league.core.events import Event
from league.core.evidence import RandomSource
from league.core.game import Value
from league.games.europa.board import Board
from league.games.europa.events import DiceRolled
from league.games.europa.state import TENSION, Player, State

DIE_FACES = 10


class NoDraw(Exception):  # never leaves this package: the round waits for the lottery
    """Something is left to chance, and the draw is not known yet (8.7)."""


@dataclass
class World:
    """A state that changes, the events so far, and where chance comes from."""

    board: Board
    options: Mapping[str, Value]
    chance: RandomSource | None
    state: State
    players: dict[str, Player]
    members: set[str]
    results: dict[str, str]
    pawns: dict[str, dict[str, int]]
    markers: dict[str, str]
    events: list[Event] = field(default_factory=list)

    @classmethod
    def of(cls, board: Board, options: Mapping[str, Value], chance: RandomSource | None, state: State) -> "World":
        """A copy to work on."""
        pawns = {country: dict(here) for country, here in state.board.items()}
        return cls(
            board,
            options,
            chance,
            state,
            dict(state.players),
            set(state.members),
            dict(state.results),
            pawns,
            dict(state.markers),
        )

    def frozen(self) -> State:
        """The state as it is now."""
        place = self.board.place
        return replace(
            self.state,
            players=self.players,
            members=self.board.sorted(self.members),
            results=self.results,
            board={c: here for c in sorted(self.pawns, key=place.__getitem__) if (here := self.pawns[c])},
            markers={c: self.markers[c] for c in sorted(self.markers, key=place.__getitem__)},
        )

    def say(self, event: Event) -> None:
        """Something happened."""
        self.events.append(event)

    def turn(self, **changes: Any) -> None:
        """Change what stands in the state itself: phase, order, track."""
        self.state = replace(self.state, **changes)

    def draw(self, bound: int, purpose: str) -> int:
        """A number from 0 to bound - 1."""
        if self.chance is None:
            raise NoDraw
        return self.chance.below(bound, purpose)

    def die(self, purpose: str) -> int:
        """One of the two dice of the game, 1 to 10."""
        return self.draw(DIE_FACES, purpose) + 1

    def shuffled(self, things: Sequence[str], purpose: str) -> tuple[str, ...]:
        """The things in a fair order: for each place one of those left."""
        left = list(things)
        return tuple(left.pop(self.draw(len(left), f"{purpose}/{place}")) for place in range(1, len(things) + 1))

    def change(self, seat: str, *, political: int = 0, victory: int = 0, pawns: int = 0) -> None:
        """Add to what a player has; victory points never fall below 0 (A8)."""
        had = self.players[seat]
        self.players[seat] = replace(
            had,
            political=had.political + political,
            victory=max(0, had.victory + victory),
            pawns=had.pawns + pawns,
        )

    @property
    def ahead(self) -> tuple[str, ...]:
        """The elections still to be held, in track order (R23)."""
        return tuple(country for country in self.state.track if country not in self.results)

    def need(self, country: str) -> int:
        """How many pawns an election needs (R24)."""
        return self.board.by_id[country].resistance + (self.markers.get(country) == TENSION)

    def present(self, country: str) -> int:
        """All pawns in a country (R24)."""
        return sum(self.pawns.get(country, {}).values())

    def put(self, country: str, seat: str, pawns: int) -> None:
        """Pawns onto the board."""
        here = self.pawns.setdefault(country, {})
        here[seat] = here.get(seat, 0) + pawns

    def number(self, country: str) -> int:
        """The number of an election on the track (R16)."""
        return self.state.track.index(country) + 1

    def strongest(self, seats: Iterable[str]) -> list[str]:
        """Descending political points, ties by turn order (R28)."""
        order = {seat: place for place, seat in enumerate(self.state.order)}
        return sorted(seats, key=lambda seat: (-self.players[seat].political, order[seat]))


def ranked_by_dice(world: World, tied: Sequence[str], why: str, rule: str) -> list[str]:
    """Tied players roll, the highest comes first, and who is still tied rolls again (R12, R48)."""
    found: list[str] = []
    waiting: list[tuple[list[str], int]] = [(list(tied), 1)]
    while waiting:
        group, throw = waiting.pop(0)
        if len(group) == 1:
            found += group
            continue
        dice = {seat: world.die(f"{why}/{seat}/{throw}") for seat in group}
        world.say(DiceRolled(why, throw, tuple(dice.items()), rule))
        faces = sorted(set(dice.values()), reverse=True)
        waiting = [([seat for seat in group if dice[seat] == face], throw + 1) for face in faces] + waiting
    return found
