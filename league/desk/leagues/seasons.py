"""Leagues that are played for several seasons: each is a league of its own that names the one it follows.

So every address, record, key and mail of an earlier season stays as it is. The one before is named by its short name
and by the hash of its opening record: on a site to which a league was brought, another one may have that name.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.json import JsonDict
from league.desk.site import find_league
from league.storage import leagues, records, seasons

FIELD = "season"  # what an opening record, and a season's sources, call it
NAME, HASH, MOST = re.compile(r"[a-z0-9][a-z0-9-]{0,39}"), re.compile(r"[0-9a-f]{64}"), 999


@dataclass(frozen=True, slots=True)
class Follows:
    """What a season says of itself: its number, which league it goes on from, and that one's opening record."""

    league: str
    season: int
    opening: str

    def facts(self) -> JsonDict:
        """As records have it."""
        return {"league": self.league, "season": self.season, "opening": self.opening}


def follows(told: Mapping[str, Any] | None) -> Follows | None:
    """What these sources, or this opening record, say of the season before; None for a first season."""
    found = (told or {}).get(FIELD)
    if not isinstance(found, Mapping):
        return None
    league, season, opening = (found.get(name) for name in ("league", "season", "opening"))
    if not (isinstance(league, str) and isinstance(season, int) and isinstance(opening, str)):
        return None
    sound = NAME.fullmatch(league) and HASH.fullmatch(opening) and 1 < season <= MOST
    return Follows(league, season, opening) if sound else None


@dataclass(frozen=True, slots=True)
class Before:
    """A season before another one; `here`: it is a league of this site."""

    league: str
    number: int
    here: bool


class Lines:
    """The seasons of all leagues of a site that have more than one."""

    def __init__(self, told: Mapping[str, Follows], openings: Mapping[str, str]) -> None:
        """`told`: later season -> what it follows; `openings`: league -> the hash of its opening record."""
        self._told = dict(told)
        self._here = {slug for slug, found in told.items() if openings.get(found.league) == found.opening}

    @property
    def any(self) -> bool:
        """Whether any league has a second season."""
        return bool(self._told)

    def number(self, slug: str) -> int:
        """Which season of its line a league is."""
        return self._told[slug].season if slug in self._told else 1

    def before(self, slug: str) -> Before | None:
        """The season before this one."""
        found = self._told.get(slug)
        return Before(found.league, found.season - 1, slug in self._here) if found else None

    def earlier(self, slug: str) -> Iterator[Before]:
        """The seasons before this one, the newest first; one that isn't here ends the list, as nobody knows more."""
        found = self.before(slug)
        while found is not None:
            yield found
            found = self.before(found.league) if found.here else None

    def after(self, slug: str) -> str:
        """The season that follows this one; empty if there is none."""
        return next((other for other in self._told if other in self._here and self._told[other].league == slug), "")

    def later(self, slug: str) -> tuple[str, ...]:
        """All that come after this one, whose pages tell of it."""
        own = [other for other in self._told if other in self._here and self._told[other].league == slug]
        return tuple(one for other in own for one in (other, *self.later(other)))

    def first(self, slug: str) -> str:
        """The earliest league of the line that is here: what all its seasons have in common."""
        return next((one.league for one in reversed([*self.earlier(slug)]) if one.here), slug)

    def is_known(self, slug: str) -> bool:
        """Whether there is anything to tell of other seasons."""
        return slug in self._told or bool(self.after(slug))


def lines(connection: Connection) -> Lines:
    """The lines of the site, in two statements; in one where no league has a second season."""
    told = {one.slug: found for one in seasons.later_seasons(connection) if (found := follows({FIELD: one.follows}))}
    return Lines(told, seasons.opening_hashes(connection, {one.league for one in told.values()}) if told else {})


def season_before(connection: Connection, slug: str) -> leagues.League | None:
    """The league from which this one goes on, if that is on this site."""
    found = lines(connection).before(slug)
    return leagues.league(connection, found.league) if found and found.here else None


def require_here(connection: Connection, slug: str) -> leagues.League:
    """The league of this name, for who wants to go on from it; `Refused` where that isn't played here."""
    league = find_league(connection, slug)
    if league.status == leagues.MOVED:
        raise Refused(
            f"{slug} has moved to another site and is on hold here: open its next season there. If it didn't arrive "
            f"there, league export {slug} --undo takes it back"
        )
    return league


def follow(connection: Connection, slug: str) -> Follows:
    """What the next season of a league says of itself; `Refused` if there is one already, or if none can be."""
    league = require_here(connection, slug)
    seasons.hold(connection, league.id)
    known = lines(connection)
    if other := known.after(slug):
        raise Refused(
            f"{slug} has a next season already: {other} (season {known.number(other)}); to go on from that one say "
            f"--after {other}"
        )
    season = leagues.seasons(connection, league.id)[-1]
    match = leagues.matches(connection, [season.id])[-1]
    opening, *_ = records.of_round(connection, match.id, 0)
    return Follows(slug, season.number + 1, opening.sha256)
