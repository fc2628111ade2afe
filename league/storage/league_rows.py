"""The rows of one league, in a form that hangs on no database: what `league export` writes and `league import` reads.

A table is a file of JSON Lines, in the order in which the rows were made. Numbers of rows stand in them only so that
other rows of the file can name them: the other site gives its own. Times are ISO in UTC, bytes are base64.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Table, or_, select
from sqlalchemy.sql import ColumnElement

from league.storage.engine import batches
from league.storage.leagues import league, matches, seasons
from league.storage.tables import (
    ABSENCE,
    ANNOUNCEMENT,
    ASK,
    DECISION,
    EVIDENCE,
    JOURNAL,
    LEAGUE,
    MAIL,
    MAIL_PART,
    MAIL_TROUBLE,
    MATCH,
    OUTBOX,
    PHASE,
    PLAYER,
    POSITION,
    PRESS,
    READING,
    RECORD,
    ROUND,
    SEASON,
    SEAT,
    STANDING,
    SUBMISSION,
    VERDICT,
)

# Each behind those that it names.
TABLES = (
    LEAGUE, SEASON, MATCH, PLAYER, SEAT, ROUND, PHASE, ASK, POSITION, MAIL, VERDICT, ABSENCE, STANDING, SUBMISSION,
    PRESS, EVIDENCE, READING, DECISION, RECORD, MAIL_PART, OUTBOX, MAIL_TROUBLE, ANNOUNCEMENT, JOURNAL,
)  # fmt: skip
MOVED = "moved_league"  # the reason of a verdict on a mail that came when the league had left
CHUNK = 50  # rows with their bytes held at a time
Values = dict[str, Any]


def file_of(table: Table) -> str:
    """What a table's file is called."""
    return f"{table.name}.jsonl"


def rows_of(
    connection: Connection, slug: str, figures: Sequence[str], since: date
) -> Iterator[tuple[Table, Iterator[Values]]]:
    """Every table with the league's rows; of the public figures those named, of days from `since` on."""
    wanted = _wanted(connection, slug, figures, since)
    for table in TABLES:
        yield table, _rows(connection, table, wanted[table.name])


def _wanted(
    connection: Connection, slug: str, figures: Sequence[str], since: date
) -> Mapping[str, ColumnElement[bool]]:
    found = league(connection, slug)
    assert found is not None  # noqa: S101  # the desk has looked
    season_ids = [season.id for season in seasons(connection, found.id)]
    match_ids = [match.id for match in matches(connection, season_ids)]
    players = select(PLAYER.c.id).where(PLAYER.c.league_id == found.id)
    keys = select(PLAYER.c.address_key).where(PLAYER.c.league_id == found.id, PLAYER.c.address_key.is_not(None))
    seat_ids = select(SEAT.c.id).where(SEAT.c.match_id.in_(match_ids))
    round_ids = select(ROUND.c.id).where(ROUND.c.match_id.in_(match_ids))
    judged = select(VERDICT.c.mail_id).where(VERDICT.c.league_id == found.id, VERDICT.c.reason != MOVED)
    used = [
        select(table.c.mail_id).where(where, table.c.mail_id.is_not(None))
        for table, where in (
            (SUBMISSION, SUBMISSION.c.round_id.in_(round_ids)),
            (PRESS, PRESS.c.round_id.in_(round_ids)),
            (STANDING, STANDING.c.seat_id.in_(seat_ids)),
        )
    ]
    mails = or_(*(MAIL.c.id.in_(ids) for ids in (judged, *used)))
    ours = OUTBOX.c.match_id.in_(match_ids)
    return {
        LEAGUE.name: LEAGUE.c.id == found.id,
        SEASON.name: SEASON.c.league_id == found.id,
        MATCH.name: MATCH.c.id.in_(match_ids),
        PLAYER.name: PLAYER.c.id.in_(players),
        SEAT.name: SEAT.c.id.in_(seat_ids),
        ROUND.name: ROUND.c.id.in_(round_ids),
        PHASE.name: PHASE.c.round_id.in_(round_ids),
        ASK.name: ASK.c.phase_id.in_(select(PHASE.c.id).where(PHASE.c.round_id.in_(round_ids))),
        POSITION.name: POSITION.c.match_id.in_(match_ids),
        MAIL.name: mails,
        VERDICT.name: VERDICT.c.mail_id.in_(select(MAIL.c.id).where(mails)),
        ABSENCE.name: ABSENCE.c.seat_id.in_(seat_ids),
        STANDING.name: STANDING.c.seat_id.in_(seat_ids),
        SUBMISSION.name: SUBMISSION.c.round_id.in_(round_ids),
        PRESS.name: PRESS.c.round_id.in_(round_ids),
        EVIDENCE.name: EVIDENCE.c.figure.in_(figures) & (EVIDENCE.c.day >= since),
        READING.name: READING.c.figure.in_(figures) & (READING.c.day >= since),
        DECISION.name: DECISION.c.round_id.in_(round_ids),
        RECORD.name: RECORD.c.match_id.in_(match_ids),
        MAIL_PART.name: MAIL_PART.c.digest.in_(select(OUTBOX.c.part).where(ours, OUTBOX.c.part.is_not(None))),
        OUTBOX.name: ours,
        MAIL_TROUBLE.name: or_(
            MAIL_TROUBLE.c.outbox_id.in_(select(OUTBOX.c.id).where(ours)), MAIL_TROUBLE.c.address_key.in_(keys)
        ),
        ANNOUNCEMENT.name: ANNOUNCEMENT.c.match_id.in_(match_ids),
        JOURNAL.name: JOURNAL.c.league_id == found.id,
    }


def _rows(connection: Connection, table: Table, where: ColumnElement[bool]) -> Iterator[Values]:
    """In the order in which they were made, a few at a time: mails have their bytes with them."""
    first, *rest = table.primary_key
    if rest:
        yield from (
            dict(row) for row in connection.execute(select(table).where(where).order_by(first, *rest)).mappings()
        )
        return
    keys = connection.execute(select(first).where(where).order_by(first)).scalars().all()
    for ids in batches(keys, CHUNK):
        yield from (
            dict(row) for row in connection.execute(select(table).where(first.in_(ids)).order_by(first)).mappings()
        )


def line_of(row: Mapping[str, Any]) -> bytes:
    """A row as a line of its file."""
    told = {name: _plain(value) for name, value in row.items()}
    return json.dumps(told, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return b64encode(bytes(value)).decode()
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value
