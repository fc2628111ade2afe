"""What a site can be built anew from: persons, raw mails, figures, the journal; and the moments of closing and sealing.

Nothing that the program had worked out is read: no order, no position, no record. Of the rounds only *when* they were
closed and sealed, for that hangs on when somebody ran the program.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import loads
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from league.records.journal import FIELD
from league.storage.tables import (
    EVIDENCE,
    JOURNAL,
    LEAGUE,
    MAIL,
    MATCH,
    OUTBOX,
    PLAYER,
    READING,
    RECORD,
    ROUND,
    SEASON,
    VERDICT,
)

RESTORE = "restore"  # the act of a site that came out of a backup
MADE_ANEW = ("absence", "standing")  # sources of mails that a freeze makes itself
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Raw:
    """The beginnings of a site. `mails` are (moment, id); a moment is when something was fetched or entered."""

    players: Mapping[int, Values]
    mails: tuple[tuple[datetime, int], ...]
    figures: tuple[Values, ...]
    readings: tuple[Values, ...]
    journal: tuple[Values, ...]
    closed: frozenset[datetime]
    sealed: frozenset[tuple[datetime, str]]  # with the league
    counted: Mapping[tuple[str, int], int]  # match and round -> how many acts had been done as it was sealed


def gather(connection: Connection) -> Raw:
    """All but the mails' contents.

    Of a site that was restored also what it did as of another moment than the one at which it came to it: as of when
    mails were judged that it caught up with, and how many acts there were as records were sealed.
    """
    journal = _rows(connection, JOURNAL)
    restored = any(row["act"] == RESTORE for row in journal)
    mails = select(MAIL.c.fetched_at, MAIL.c.id, VERDICT.c.decided_at).join(VERDICT, isouter=True)
    mails = mails.where(MAIL.c.source.not_in(MADE_ANEW))
    sealed = (
        select(RECORD.c.sealed_at, LEAGUE.c.slug)
        .join(MATCH, MATCH.c.id == RECORD.c.match_id)
        .join(SEASON, SEASON.c.id == MATCH.c.season_id)
        .join(LEAGUE, LEAGUE.c.id == SEASON.c.league_id)
        .where(RECORD.c.kind == "round", RECORD.c.round > 0, RECORD.c.version == 1)
    )
    closed = connection.execute(select(ROUND.c.frozen_at).where(ROUND.c.frozen_at.is_not(None))).scalars()
    return Raw(
        players={row["id"]: row for row in _rows(connection, PLAYER)},
        mails=tuple(
            (min(at, judged) if restored and judged else at, key)
            for at, key, judged in connection.execute(mails.order_by(MAIL.c.id))
        ),
        figures=_rows(connection, EVIDENCE),
        readings=_rows(connection, READING),
        journal=journal,
        closed=frozenset(at for at in closed if at is not None),
        sealed=frozenset((at, slug) for at, slug in connection.execute(sealed)),
        counted=_counted(connection) if restored else {},
    )


def _counted(connection: Connection) -> dict[tuple[str, int], int]:
    """Where a site was restored, records caught up with are stored as of another moment than that of their sealing."""
    rows = select(MATCH.c.slug, RECORD.c.round, RECORD.c.body).join(MATCH, MATCH.c.id == RECORD.c.match_id)
    rows = rows.where(RECORD.c.kind == "round", RECORD.c.round > 0, RECORD.c.version == 1)
    told = ((slug, number, loads(body).get(FIELD)) for slug, number, body in connection.execute(rows))
    return {(slug, number): int(found["acts"]) for slug, number, found in told if found}


def _rows(connection: Connection, table: Table) -> tuple[Values, ...]:
    return tuple(dict(row) for row in connection.execute(select(table).order_by(table.c.id)).mappings())


def mail_values(connection: Connection, mail_id: int) -> tuple[dict[str, Any], Values]:
    """A mail's row, and that of its verdict: what became of it, why, and by what its author had been believed."""
    row = connection.execute(select(MAIL).where(MAIL.c.id == mail_id)).mappings().one()
    verdict = connection.execute(select(VERDICT).where(VERDICT.c.mail_id == mail_id)).mappings().first()
    return dict(row), dict(verdict or {})


def lay(connection: Connection, what: str, rows: Sequence[Values]) -> None:
    """Put rows as they are into the new site's book: "mail", "evidence", "reading" or "journal"."""
    tables = {"mail": MAIL, "evidence": EVIDENCE, "reading": READING, "journal": JOURNAL}
    if rows:
        connection.execute(insert(tables[what]), [dict(row) for row in rows])


def absent_figures(connection: Connection, rows: Sequence[Values]) -> tuple[Values, ...]:
    """Those of these entries of the evidence book that it hasn't: acts that were done again have made the others."""
    key = EVIDENCE.c.figure, EVIDENCE.c.day, EVIDENCE.c.revision
    known = {tuple(row) for row in connection.execute(select(*key))}
    return tuple(row for row in rows if (row["figure"], row["day"], row["revision"]) not in known)


def put_away_outbox(connection: Connection, words: str) -> int:
    """What the replay has queued went out long ago: none of it is sent. The number of mails."""
    done = OUTBOX.update().values(state="sent", sent_at=OUTBOX.c.created_at, trouble=words)
    return connection.execute(done).rowcount
