"""One dataclass per thing that can happen in a KUEL round; countries are board ids, players are seats."""

from dataclasses import dataclass

from league.core.events import Event


@dataclass(frozen=True, slots=True)
class Retired(Event):
    """A player left the league and with it his countries (K38)."""

    seat: str
    countries: tuple[str, ...]
    rule: str = "K38"


@dataclass(frozen=True, slots=True)
class AuctionWon(Event):
    """An open auction found its winner. `paid` is what he named, `mercenaries` what civil war cost on top (K54).

    `bids` are all bids on the country: `[seat, named, counted]`, highest first.
    """

    country: str
    seat: str
    paid: int
    mercenaries: int
    bids: tuple[tuple[str, int, int], ...]
    rule: str = "K52"


@dataclass(frozen=True, slots=True)
class AuctionOpen(Event):
    """No valid bid: the country stays open for `rounds_left` rounds more (K53)."""

    country: str
    rounds_left: int
    bids: tuple[tuple[str, int, int], ...]
    rule: str = "K53"


@dataclass(frozen=True, slots=True)
class AuctionEnded(Event):
    """Three rounds without a valid bid: the marker is gone (K53)."""

    country: str
    rule: str = "K53"


@dataclass(frozen=True, slots=True)
class GaveWay(Event):
    """No edge country was free, so `giver` gave one to the newcomer (K35)."""

    country: str
    giver: str
    seat: str
    rule: str = "K35"


@dataclass(frozen=True, slots=True)
class Waits(Event):
    """A newcomer found no country this round (K35, K39)."""

    seat: str
    rule: str = "K35"


@dataclass(frozen=True, slots=True)
class Taken(Event):
    """An unoccupied country changed hands without a battle. `paid` is for mercenaries (K42)."""

    country: str
    seat: str
    paid: int
    rule: str = "K24"


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """A newcomer entered with his first country (K37)."""

    country: str
    seat: str
    rule: str = "K37"


@dataclass(frozen=True, slots=True)
class Battle(Event):
    """A battle was decided. `owner` is None for an unoccupied country; `how` is drawn, result, report or status_quo.

    `fighters` are in order of execution, the owner last; `winner` None: nobody won an unoccupied country (K33).
    """

    country: str
    owner: str | None
    fighters: tuple[str, ...]
    winner: str | None
    attempt: int
    how: str
    rule: str = "K25"


@dataclass(frozen=True, slots=True)
class Terms(Event):
    """The attacked owner named by right what is fought on (K63) or how (K64); empty is as usual.

    `map` is the country whose printed map is played.
    """

    country: str
    seat: str
    map: str
    settings: str
    rule: str = "K63"


@dataclass(frozen=True, slots=True)
class MonthLeader(Event):
    """The month's last evaluation, and who leads it (K80). `points` are those that the award counts."""

    month: str
    seats: tuple[str, ...]
    points: int
    rule: str = "K80"


@dataclass(frozen=True, slots=True)
class Conquered(Event):
    """A country went to the winner of a battle. `paid` is for mercenaries (K42)."""

    country: str
    seat: str
    loser: str | None
    paid: int
    rule: str = "K30"


@dataclass(frozen=True, slots=True)
class Defended(Event):
    """The owner kept his country (K30)."""

    country: str
    seat: str
    rule: str = "K30"


@dataclass(frozen=True, slots=True)
class Left(Event):
    """A country was left without devastation (K40)."""

    country: str
    seat: str
    rule: str = "K40"


@dataclass(frozen=True, slots=True)
class Devastated(Event):
    """A country was left devastated for three rounds (K41)."""

    country: str
    seat: str
    paid: int
    rule: str = "K41"


@dataclass(frozen=True, slots=True)
class ResultIgnored(Event):
    """A result was given for a battle that does not happen."""

    country: str
    winner: str
    attempt: int
    rule: str = "K33"


@dataclass(frozen=True, slots=True)
class NoEvents(Event):
    """No move was submitted this week, so no figures were needed (K44)."""

    rule: str = "K44"


@dataclass(frozen=True, slots=True)
class CivilWarDrawn(Event):
    """What the DAX close said. `country` None: no civil war; `steps` is the working, codes with numbers."""

    country: str | None
    number: int | None
    steps: tuple[str, ...]
    rule: str = "K46"


@dataclass(frozen=True, slots=True)
class CivilWar(Event):
    """Civil war broke out; `loser` lost the country at once (K45)."""

    country: str
    loser: str | None
    rule: str = "K45"


@dataclass(frozen=True, slots=True)
class CivilWarAverted(Event):
    """No civil war after all: `why` is protected (K49), last_country (K7) or already (K43)."""

    country: str
    seat: str | None
    why: str
    rule: str = "K49"


@dataclass(frozen=True, slots=True)
class CivilWarEnded(Event):
    """A civil war ended by itself (K43)."""

    country: str
    rule: str = "K43"


@dataclass(frozen=True, slots=True)
class CollapseDrawn(Event):
    """What the lottery said. `country` None: no collapse, unless `world`."""

    country: str | None
    number: int | None
    world: bool
    steps: tuple[str, ...]
    rule: str = "K50"


@dataclass(frozen=True, slots=True)
class Collapse(Event):
    """An economy collapsed. With an owner he pays for three rounds (K55), without one an auction opens (K52)."""

    country: str
    seat: str | None
    rule: str = "K50"


@dataclass(frozen=True, slots=True)
class CollapseAverted(Event):
    """No collapse after all: `why` is protected (K59), devastated (K54) or already (K54)."""

    country: str
    seat: str | None
    why: str
    rule: str = "K54"


@dataclass(frozen=True, slots=True)
class WorldCollapse(Event):
    """The world economy collapsed: `before` and `after` of one player (K58)."""

    seat: str
    before: int
    after: int
    rule: str = "K58"


@dataclass(frozen=True, slots=True)
class Reconstruction(Event):
    """An owner paid for a collapsed country; `rounds_left` payments remain (K55)."""

    country: str
    seat: str
    paid: int
    rounds_left: int
    rule: str = "K55"


@dataclass(frozen=True, slots=True)
class ReconstructionEnded(Event):
    """The duty to pay ended because nobody owns the country any more (K55)."""

    country: str
    rule: str = "K55"


@dataclass(frozen=True, slots=True)
class Points(Event):
    """One item of a player's score this round.

    `item` is "countries", a constellation's id (K61), or a penalty's id (K62: axis, germany_netherlands,
    yugoslavia_croatia, great_britain_ireland, czech_republic_slovakia, swiss_neighbours).
    """

    seat: str
    item: str
    points: int
    rule: str = "K60"


@dataclass(frozen=True, slots=True)
class PenaltyWaived(Event):
    """A penalty that the German-speaking three protect from (K70)."""

    seat: str
    item: str
    points: int
    rule: str = "K70"


@dataclass(frozen=True, slots=True)
class DevastationEnded(Event):
    """A devastated country can be entered again from the next round on (K41)."""

    country: str
    rule: str = "K41"
