"""What a league's rounds add up to: who held which field since when, who fought for it, who gained.

Made from positions and events as records have them, so the pages, the published history and the replay say the same.
An event is read by its type and facts (`battle`: country, fighters, winner); a game without such events has no battles.

A round doesn't always start where the one before it ended: a correction "from now" lets later rounds stand and puts its
difference into the start of the next one (DESIGN: Corrections). So a round's gain is counted from its own start, and
what changed between an end and the start behind it is told as a step of its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise

from league.core.json import Json, JsonDict
from league.core.standings import Standings
from league.core.view import Region

Facts = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Start:
    """With what a round starts where that isn't what the round before it ended with.

    `corrects` are the rounds whose corrections went into it; `late`: the round before it was corrected only later.
    """

    round: int
    regions: tuple[Region, ...]
    standings: Standings
    corrects: tuple[int, ...] = ()
    late: bool = False
    columns: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def owners(self) -> dict[str, str | None]:
        """Who holds what."""
        return {region.id: region.owner for region in self.regions}


@dataclass(frozen=True, slots=True)
class Moment:
    """How things stood after a round; round 0 is the start. `events` are what led there, `told` when it was told."""

    round: int
    deadline: datetime | None
    regions: tuple[Region, ...]
    standings: Standings
    events: tuple[Facts, ...] = ()
    told: datetime | None = None
    version: int = 1
    columns: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # as the game's view has them
    start: Start | None = None  # None: where the moment before it ended

    @property
    def owners(self) -> dict[str, str | None]:
        """Who holds what."""
        return {region.id: region.owner for region in self.regions}


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle for a field: who fought, who won (None: nobody)."""

    round: int
    fighters: tuple[str, ...]
    winner: str | None


@dataclass(frozen=True, slots=True)
class Past:
    """What became of a field so far: its owner since which round (0: the start), how often it changed, its battles."""

    owner: str | None
    since: int
    changes: int
    fights: tuple[Fight, ...] = ()


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A league's moments, the start first; `following`: with what the next round starts, if it was put right."""

    moments: tuple[Moment, ...] = ()
    following: Start | None = None
    _pasts: dict[str, Past] = field(default_factory=dict, compare=False)

    @property
    def fought(self) -> tuple[str, ...]:
        """Fields that the last round fought for."""
        return tuple(sorted(battles(self.moments[-1:])))

    def shown(self, regions: Sequence[Region]) -> tuple[Region, ...]:
        """The position as it is now, with what the last round changed marked."""
        before = begun(self.moments)[-1].owners if len(self.moments) > 1 else {}
        return tuple(replace(r, changed=bool(before) and before.get(r.id) != r.owner) for r in regions)

    def past(self, land: str) -> Past | None:
        """A field's story; None for one that no moment knows."""
        if not self._pasts:
            self._pasts.update(pasts(self.moments, self.following))
        return self._pasts.get(land)


def begun(moments: Sequence[Moment]) -> list[Moment | Start]:
    """With what each round starts, the first moment left out: a start of its own, or how the one before it ended."""
    return [after.start or before for before, after in pairwise(moments)]


def steps(moments: Sequence[Moment], following: Start | None) -> Iterator[Moment | Start]:
    """All that the pages show in a row: how each round ended, and before it its start, where that is another thing."""
    for moment in moments:
        if moment.start is not None:
            yield moment.start
        yield moment
    if following is not None:
        yield following


def pasts(moments: Sequence[Moment], following: Start | None = None) -> dict[str, Past]:
    """Every field's story. What a correction does to a field is no change of hands: the corrected round has it."""
    if not moments:
        return {}
    owner, fights = moments[0].owners, battles(moments)
    since, changes = dict.fromkeys(owner, moments[0].round), dict.fromkeys(owner, 0)
    for step in steps(moments[1:], following):
        fought = isinstance(step, Moment)
        for land, now in step.owners.items():
            if now != owner.get(land):
                since[land] = step.round if fought else step.round - 1
                changes[land] = changes.get(land, 0) + fought
            owner[land] = now
    return {land: Past(owner[land], since[land], changes[land], tuple(fights.get(land, ()))) for land in owner}


def battles(moments: Iterable[Moment]) -> dict[str, list[Fight]]:
    """The battles for each field, the first attempts among them only where no rematch followed in the same round."""
    found: dict[str, list[Fight]] = {}
    for moment in moments:
        last: dict[str, Fight] = {}
        for event in moment.events:
            fighters, land = event.get("fighters"), event.get("country")
            if event.get("type") == "battle" and isinstance(fighters, list) and isinstance(land, str):
                winner = event.get("winner")
                seats = tuple(str(seat) for seat in fighters)
                last[land] = Fight(moment.round, seats, winner if isinstance(winner, str) else None)
        for land, fight in last.items():
            found.setdefault(land, []).append(fight)
    return found


def history(moments: Sequence[Moment]) -> list[JsonDict]:
    """The moments for programs: fields with owner or markers, the table, where was fought."""
    return [
        {
            "round": moment.round,
            "deadline": moment.deadline.isoformat() if moment.deadline else None,
            **_stand(moment),
            "battles": sorted(battles([moment])),
        }
        | ({"start": start(moment.start)} if moment.start is not None else {})
        for moment in moments
    ]


def start(one: Start) -> JsonDict:
    """A round's own start for programs."""
    return {"round": one.round, "corrects": list(one.corrects), **_stand(one)}


def _stand(one: Moment | Start) -> JsonDict:
    return {
        "fields": {
            region.id: {"owner": region.owner, "markers": list(region.markers)}
            for region in one.regions
            if region.owner is not None or region.markers
        },
        "standings": [
            {"rank": place.rank, "seat": place.seat, "points": place.points, "countries": place.countries}
            for place in one.standings
        ],
    }
