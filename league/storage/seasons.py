"""The book of seasons: which leagues go on from another one, and by which opening record each is known."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, select

from league.storage.engine import batches
from league.storage.records import ROUND
from league.storage.tables import LEAGUE, MATCH, RECORD, SEASON


@dataclass(frozen=True, slots=True)
class Later:
    """A league that is not the first season of its line; `follows` is what its season keeps of the one before."""

    slug: str
    number: int
    follows: Mapping[str, Any] | None


def later_seasons(connection: Connection) -> tuple[Later, ...]:
    """Every league that follows another one, in one statement and without reading what else seasons keep."""
    rows = (
        select(LEAGUE.c.slug, SEASON.c.number, SEASON.c.sources["season"])
        .join(SEASON, SEASON.c.league_id == LEAGUE.c.id)
        .where(SEASON.c.number > 1)
        .order_by(SEASON.c.number, LEAGUE.c.slug)
    )
    return tuple(Later(*row) for row in connection.execute(rows))


def opening_hashes(connection: Connection, slugs: Collection[str]) -> dict[str, str]:
    """The hash of the record with which each of these leagues opened, of those that are here."""
    found: dict[str, str] = {}
    for names in batches(sorted(slugs)):
        opened: Select[Any] = (
            select(LEAGUE.c.slug, RECORD.c.sha256)
            .join(SEASON, SEASON.c.league_id == LEAGUE.c.id)
            .join(MATCH, MATCH.c.season_id == SEASON.c.id)
            .join(RECORD, RECORD.c.match_id == MATCH.c.id)
            .where(LEAGUE.c.slug.in_(names), RECORD.c.round == 0, RECORD.c.kind == ROUND)
            .order_by(MATCH.c.id)
        )
        found |= {row.slug: row.sha256 for row in connection.execute(opened)}
    return found


def hold(connection: Connection, league_id: int) -> None:
    """Whoever else wants to follow this league waits for the end of this transaction, and then finds who does."""
    connection.execute(select(LEAGUE.c.id).where(LEAGUE.c.id == league_id).with_for_update())
