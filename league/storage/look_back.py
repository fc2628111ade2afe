"""Sealed rounds looked back at: those whose figures are of a certain day's week."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import Connection, select

from league.storage.tables import LEAGUE, MATCH, ROUND, SEASON

MONDAY_TO_NEXT = timedelta(days=7)
SLACK = timedelta(days=1)  # zones


@dataclass(frozen=True, slots=True)
class Done:
    """A round whose report is out."""

    league: str
    match_id: int
    round: int


def of_week(connection: Connection, day: date) -> tuple[Done, ...]:
    """The resolved rounds of running leagues whose evaluation ended in the week (Monday to Sunday) of a day."""
    monday = datetime.combine(day - timedelta(days=day.weekday()), time(), UTC)
    rows = (
        select(LEAGUE.c.slug, ROUND.c.match_id, ROUND.c.number)
        .join(MATCH, MATCH.c.id == ROUND.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .where(ROUND.c.status == "resolved", LEAGUE.c.status == "running")
        .where(ROUND.c.ends_at > monday + SLACK, ROUND.c.ends_at <= monday + MONDAY_TO_NEXT + SLACK)
        .order_by(LEAGUE.c.slug, ROUND.c.number)
    )
    return tuple(Done(*row) for row in connection.execute(rows))
