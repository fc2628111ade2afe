"""A small league on a real database file."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from league.storage import leagues, orders, rounds

NOW = datetime(2026, 11, 6, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def league_of(
    connection: Connection, slug: str = "spring", names: tuple[str, ...] = ("Anna", "Ben")
) -> tuple[int, int]:
    """A running league with a match and its first round open; the match's and the round's id."""
    league = leagues.add_league(
        connection, slug=slug, game="kuel", title="Spring", lang="en", zone="Europe/Berlin", now=NOW
    )
    season = leagues.add_season(
        connection, league, number=1, rules="kuel-1", options={"a": 1}, sources={}, calendar={}, now=NOW
    )
    match = leagues.add_match(connection, season, slug=f"{slug}-1")
    for number, name in enumerate(names, 1):
        player = leagues.add_player(
            connection, league, name=name, address=f"{name}@example.org", lang="de", zone="Europe/Berlin", now=NOW
        )
        leagues.add_seat(connection, match, code=f"s{number}", player_id=player, position=number, joined_round=1)
    rounds.open_rounds(connection, [new_round(match, 1)])
    return match, rounds.rounds(connection, match)[0].id


def new_round(match: int, number: int) -> rounds.NewRound:
    return rounds.NewRound(match, number, NOW - 3 * DAY, NOW, NOW + DAY / 96, NOW + DAY, "Europe/Berlin")


def submission(round_id: int, seat_id: int, revision: int = 1, minute: int = 0, sequence: int = 1) -> orders.Submission:
    return orders.Submission(
        round_id=round_id,
        seat_id=seat_id,
        revision=revision,
        digest=f"d{seat_id}-{revision}",
        received_at=NOW - DAY + timedelta(minutes=minute),
        sequence=sequence,
        text="take Paris",
        lines=({"line": "take Paris"},),
        replaces=False,
        nonce="0" * 32,
        leaf="f" * 64,
    )
