"""One dataclass per thing that can happen in EUROPA; countries are board ids, players are seats.

Only what the table of secrets (chapter 8.6) lets everybody see at the deadline is ever an event.
"""

from dataclasses import dataclass

from league.core.events import Event

Pawns = tuple[tuple[str, int], ...]  # [seat, pawns]


@dataclass(frozen=True, slots=True)
class TooFew(Event):
    """Fewer than three players have come: the match waits for more (R1)."""

    players: int
    rule: str = "R1"


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """The seats around the table, clockwise, with each player's party: `[seat, party]` (R9)."""

    table: tuple[tuple[str, str], ...]
    political: int
    rule: str = "R9"


@dataclass(frozen=True, slots=True)
class DiceRolled(Event):
    """Players rolled: `[seat, die]`. `why` is start, order, reward, penalty or leader; `throw` counts repetitions."""

    why: str
    throw: int
    dice: Pawns
    rule: str


@dataclass(frozen=True, slots=True)
class EpochBegan(Event):
    """A new epoch with its years; `overlays` were removed and `countries` came to light (R7)."""

    epoch: int
    years: str
    overlays: tuple[str, ...]
    countries: tuple[str, ...]
    rule: str = "R7"


@dataclass(frozen=True, slots=True)
class TurnOrder(Event):
    """The turn order of the epoch (R11 in the first, then R12)."""

    epoch: int
    order: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class PawnsGiven(Event):
    """The pawns of each player for this epoch: `[seat, pawns]` (R14)."""

    pawns: Pawns
    rule: str = "R14"


@dataclass(frozen=True, slots=True)
class TrackLaid(Event):
    """The epoch's elections in order; the first is number 1 (R16 in the first epoch, then R17)."""

    countries: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class RiskRolled(Event):
    """One of the six rolls. `became` is tension, war, spread, or member, where nothing happens (R41, R42, R43)."""

    number: int
    dice: tuple[int, int]
    country: str
    became: str
    rule: str


@dataclass(frozen=True, slots=True)
class WarSpread(Event):
    """A war spread over a border: the neighbour is now in tension or at war (R43)."""

    source: str
    country: str
    became: str
    rule: str = "R43"


@dataclass(frozen=True, slots=True)
class ConflictLevel(Event):
    """The level of conflict, with what it is made of (R45)."""

    level: int
    tensions: tuple[str, ...]
    wars: tuple[str, ...]
    rule: str = "R45"


@dataclass(frozen=True, slots=True)
class Committed(Event):
    """What everyone gave for peace, revealed together: `[seat, pawns]` (R47)."""

    pawns: Pawns
    total: int
    level: int
    rule: str = "R47"


@dataclass(frozen=True, slots=True)
class PeaceMade(Event):
    """The pawns were enough: all markers are gone from these countries (R48)."""

    countries: tuple[str, ...]
    rule: str = "R48"


@dataclass(frozen=True, slots=True)
class Rewarded(Event):
    """Victory points for the first, second and third of those who gave pawns (R48)."""

    seat: str
    place: int
    victory: int
    pawns: int
    rule: str = "R48"


@dataclass(frozen=True, slots=True)
class PeaceFailed(Event):
    """The pawns were not enough (R49)."""

    total: int
    level: int
    rule: str = "R49"


@dataclass(frozen=True, slots=True)
class Penalised(Event):
    """Victory points lost by the first, second and third of those who held pawns back; never below 0 (R49)."""

    seat: str
    place: int
    victory: int
    held_back: int
    rule: str = "R49"


@dataclass(frozen=True, slots=True)
class PeaceLed(Event):
    """Who spends the pooled pawns after a failure (R50)."""

    seat: str
    pool: int
    rule: str = "R50"


@dataclass(frozen=True, slots=True)
class ConflictEnded(Event):
    """A tension or war bought off from the pool (R51)."""

    country: str
    was: str
    pawns: int
    rule: str = "R51"


@dataclass(frozen=True, slots=True)
class PoolLost(Event):
    """Pawns of the pool that could end nothing more (R52)."""

    pawns: int
    rule: str = "R52"


@dataclass(frozen=True, slots=True)
class ElectionCancelled(Event):
    """No election in a country at war; its card goes to the next epoch (R55)."""

    country: str
    number: int
    rule: str = "R55"


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """Pawns placed in a country, in one go; `default` says that no order named it (R19, M9)."""

    seat: str
    country: str
    pawns: int
    default: bool
    rule: str


@dataclass(frozen=True, slots=True)
class PawnsLost(Event):
    """There was no country in which these pawns could be placed (A12)."""

    seat: str
    pawns: int
    rule: str = "A12"


@dataclass(frozen=True, slots=True)
class ElectionOpened(Event):
    """An election begins: how many pawns it needs, and who has how many there: `[seat, pawns]` (R24)."""

    country: str
    number: int
    need: int
    present: Pawns
    total: int
    rule: str = "R24"


@dataclass(frozen=True, slots=True)
class Proposed(Event):
    """A proposal for a coalition, whether or not it came to a vote (R27)."""

    country: str
    seat: str
    coalition: tuple[str, ...]
    rule: str = "R27"


@dataclass(frozen=True, slots=True)
class Voted(Event):
    """A proposal was voted on: who said yes and no, and how many pawns the yes had of all (R29, R30)."""

    country: str
    seat: str
    coalition: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    pawns: int
    total: int
    carried: bool
    rule: str = "R30"


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """A country is a member for ever (R33)."""

    country: str
    number: int
    coalition: tuple[str, ...]
    rule: str = "R33"


@dataclass(frozen=True, slots=True)
class Shared(Event):
    """What a party of the coalition gets: political points (R35) and victory points (R34)."""

    country: str
    seat: str
    political: int
    victory: int
    rule: str = "R35"


@dataclass(frozen=True, slots=True)
class PawnMoved(Event):
    """A pawn of the coalition moved to an election still to come (R36)."""

    seat: str
    source: str
    target: str
    rule: str = "R36"


@dataclass(frozen=True, slots=True)
class NationalistsWon(Event):
    """The country stays out. `why`: too_few (R25), no_coalition (R26), no_proposal or no_majority (R32)."""

    country: str
    number: int
    why: str
    rule: str


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player gave the game up; the defaults play on for the party (8.9)."""

    seat: str
    rule: str = "8"


@dataclass(frozen=True, slots=True)
class GivenUp(Event):
    """All but one have given up: that one has won (8.9)."""

    seat: str
    rule: str = "8"


@dataclass(frozen=True, slots=True)
class President(Event):
    """Who has most political points at the end, and the victory points each of them gets (R56)."""

    seats: tuple[str, ...]
    political: int
    victory: int
    rule: str = "R56"


@dataclass(frozen=True, slots=True)
class Won(Event):
    """Who has won; several share the win (R57)."""

    seats: tuple[str, ...]
    victory: int
    political: int
    rule: str = "R57"


@dataclass(frozen=True, slots=True)
class FinalLevel(Event):
    """The level of conflict at the end and the quality of the victory (R58)."""

    level: int
    quality: str
    rule: str = "R58"


@dataclass(frozen=True, slots=True)
class Compared(Event):
    """The value of each player for tables over several games: `[seat, value]` (R59)."""

    values: Pawns
    rule: str = "R59"
