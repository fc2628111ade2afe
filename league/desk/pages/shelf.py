"""A league with all that its pages are made of, read once for a publication."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection

from league.core.game import Game
from league.desk import registry
from league.desk.figures.second_looks import Doubt
from league.desk.leagues.calendar import ONE_BY_ONE, is_last, round_of
from league.desk.leagues.infos import league_info, next_round_info, round_info
from league.desk.leagues.turns import rules_of
from league.desk.leagues.versions import Versions
from league.desk.people.moved import moved_to
from league.desk.site import Site
from league.reports.context import (
    LeagueInfo,
    RoundInfo,
)
from league.reports.front import Seasons
from league.storage import leagues, records, rounds
from league.storage.rounds import Loaded, Round


@dataclass(frozen=True, slots=True)
class Shelf:
    """A league with its rounds and records, ready to be put on pages."""

    league: LeagueInfo
    game: Game[Any, Any]
    loaded: Loaded  # the newest round
    rounds: tuple[Round, ...]
    versions: Versions
    board: str
    doubts: Sequence[Doubt]
    seasons: Seasons = field(default_factory=Seasons)
    pictures: dict[int, str] = field(default_factory=dict)  # of the rounds that were put on pages by now

    @property
    def over(self) -> bool:
        """Whether no round comes any more."""
        can_end = self.loaded.calendar.get(ONE_BY_ONE) or is_last(self.loaded.calendar, self.loaded.round.number)
        return bool(can_end) and self.loaded.round.status == rounds.RESOLVED

    def following(self, found: Round) -> RoundInfo | None:
        """The round after this one; None where that isn't open yet, or never will be here."""
        if self.league.moved is not None or is_last(self.loaded.calendar, found.number):
            return None
        if not self.loaded.calendar.get(ONE_BY_ONE):
            return next_round_info(round_of(self.loaded.calendar, found.match_id, found.number + 1))
        return next((round_info(one) for one in self.rounds if one.number == found.number + 1), None)


def shelf_of(site: Site, connection: Connection, slug: str, doubted: Sequence[Doubt] = ()) -> Shelf | None:
    """A league with what its pages are made of; None if there is no such league."""
    found = leagues.league(connection, slug)
    if found is None:
        return None
    season = leagues.seasons(connection, found.id)[-1]
    match = leagues.matches(connection, [season.id])[-1]
    all_rounds = rounds.rounds(connection, match.id)
    (loaded,) = rounds.load_chunk(connection, [all_rounds[-1].id])
    game = rules_of(loaded)
    versions = Versions.of(records.chain(connection, match.id))
    league = replace(league_info(site, loaded, game), moved=moved_to(connection, slug))
    board = registry.board_of(loaded.sources)
    return Shelf(league, game, loaded, all_rounds, versions, board, doubted)
