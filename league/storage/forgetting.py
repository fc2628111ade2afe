"""What has to go where a person is forgotten: rows are emptied or reworded, never the records that seats stand in.

The journal is append-only by triggers. They are taken off for this one transaction and put back in it: what an
act was, when and why stays, the person's name in it doesn't.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Table, delete, func, or_, select, text, update
from sqlalchemy.sql import ColumnElement

from league.storage.engine import batches
from league.storage.guard import unlocked
from league.storage.tables import (
    ABSENCE,
    ASK,
    DECISION,
    JOURNAL,
    MAIL,
    MAIL_PART,
    MAIL_TROUBLE,
    OUTBOX,
    PHASE,
    PRESS,
    ROUND,
    SEAT,
    STANDING,
    SUBMISSION,
    VERDICT,
)

Reword = Callable[[str], str]
Keep = Sequence[Mapping[str, str]]
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Ground:
    """The league in which a person is forgotten, and the seats that were his."""

    league_id: int
    match_ids: tuple[int, ...]
    seat_ids: tuple[int, ...]
    address_key: str

    @property
    def rounds(self) -> Any:
        """Ids of the league's rounds."""
        return select(ROUND.c.id).where(ROUND.c.match_id.in_(self.match_ids))

    @property
    def seats(self) -> Any:
        """Ids of the league's seats."""
        return select(SEAT.c.id).where(SEAT.c.match_id.in_(self.match_ids))

    @property
    def of_league(self) -> ColumnElement[bool]:
        """Verdicts on mails of this league, and of none."""
        return or_(VERDICT.c.league_id == self.league_id, VERDICT.c.league_id.is_(None))


def own_mails(connection: Connection, ground: Ground) -> tuple[tuple[int, str], ...]:
    """Number and digest of the person's mails in this league, and of those that belong to none."""
    rows = select(MAIL.c.id, MAIL.c.digest).join(VERDICT, VERDICT.c.mail_id == MAIL.c.id)
    rows = rows.where(VERDICT.c.sender == ground.address_key, ground.of_league).order_by(MAIL.c.id)
    return tuple((key, digest) for key, digest in connection.execute(rows))


def kept_mails(connection: Connection, ground: Ground) -> Iterator[tuple[int, str, bytes]]:
    """Number, digest and bytes of every mail of the league, and of those that belong to none, one at a time."""
    rows = select(MAIL.c.id).join(VERDICT, VERDICT.c.mail_id == MAIL.c.id)
    ids = connection.execute(rows.where(ground.of_league, MAIL.c.content.is_not(None)).order_by(MAIL.c.id)).scalars()
    for key in ids.all():
        digest, content = connection.execute(select(MAIL.c.digest, MAIL.c.content).where(MAIL.c.id == key)).one()
        yield key, digest, content


def sent_mails(connection: Connection, ground: Ground) -> Iterator[tuple[int, str, str, str, bytes]]:
    """Number, Message-ID, recipient, state and bytes of every mail of ours in the league, and of those of none."""
    ours = or_(OUTBOX.c.match_id.in_(ground.match_ids), OUTBOX.c.match_id.is_(None))
    ids = connection.execute(select(OUTBOX.c.id).where(ours).order_by(OUTBOX.c.id)).scalars()
    names = ("id", "message_id", "recipient", "state", "raw")
    for key in ids.all():
        row = connection.execute(select(*(OUTBOX.c[name] for name in names)).where(OUTBOX.c.id == key)).one()
        yield row[0], row[1], row[2], row[3], row[4]


def empty_mails(connection: Connection, own: Sequence[int], others: Sequence[int]) -> None:
    """Bytes go; of the person's own mails also who and what they say they are. Digests and verdicts stay."""
    for ids in batches([*own, *others]):
        connection.execute(update(MAIL).where(MAIL.c.id.in_(ids)).values(content=None))
    for ids in batches(own):
        connection.execute(update(VERDICT).where(VERDICT.c.mail_id.in_(ids)).values(sender="", message_id=""))
        connection.execute(delete(PRESS).where(PRESS.c.mail_id.in_(ids)))


def empty_outbox(connection: Connection, ids: Sequence[int], ground: Ground, words: str) -> None:
    """Our mails that tell of the person: their bytes go, and what wasn't sent yet never is."""
    mine = func.lower(OUTBOX.c.recipient) == ground.address_key
    for keys in batches(ids):
        waits = OUTBOX.c.id.in_(keys), OUTBOX.c.state.not_in(("sent", "failed"))
        connection.execute(update(OUTBOX).where(*waits).values(state="failed"))
        gone = {"raw": b"", "part": None, "part_at": None, "trouble": words}
        connection.execute(update(OUTBOX).where(OUTBOX.c.id.in_(keys)).values(**gone))
        connection.execute(update(OUTBOX).where(OUTBOX.c.id.in_(keys), mine).values(recipient="", domain=""))
    used = select(OUTBOX.c.part).where(OUTBOX.c.part.is_not(None))
    connection.execute(delete(MAIL_PART).where(MAIL_PART.c.digest.not_in(used)))
    connection.execute(delete(MAIL_TROUBLE).where(MAIL_TROUBLE.c.address_key == ground.address_key))


def reword(connection: Connection, ground: Ground, change: Reword, keep: Keep) -> None:
    """Put another word for the person wherever the league's books name him.

    `keep` says what an act of the journal holds beside its new words: the seal that stands in records.
    """
    own = SUBMISSION.c.seat_id.in_(ground.seat_ids)
    _rewrite(connection, SUBMISSION, own, {"text": lambda _: "", "lines": _by_notation})
    _rewrite(connection, STANDING, STANDING.c.seat_id.in_(ground.seat_ids), {"lines": _by_notation})
    deep = _deep(change)
    for table, columns in ((SUBMISSION, ("text", "lines")), (DECISION, ("facts", "source"))):
        _rewrite(connection, table, table.c.round_id.in_(ground.rounds), dict.fromkeys(columns, deep))
    _rewrite(connection, PRESS, PRESS.c.round_id.in_(ground.rounds), {"text": deep}, {"salt": ""})
    for table, column in ((STANDING, "lines"), (ABSENCE, "texts")):
        _rewrite(connection, table, table.c.seat_id.in_(ground.seats), {column: deep})
    phases = select(PHASE.c.id).where(PHASE.c.round_id.in_(ground.rounds))
    _rewrite(connection, ASK, ASK.c.phase_id.in_(phases), {"facts": deep})
    _rewrite(connection, MAIL_TROUBLE, MAIL_TROUBLE.c.words != "", {"words": deep})
    with unlocked(connection, JOURNAL):
        of_league = or_(JOURNAL.c.league_id == ground.league_id, JOURNAL.c.league_id.is_(None))
        _seal(connection, ground.league_id, keep)
        _rewrite(connection, JOURNAL, of_league, {"why": deep, "arguments": deep})


def _seal(connection: Connection, league_id: int, keep: Keep) -> None:
    """Every act of the league keeps its seal before any of its words goes."""
    rows = select(JOURNAL.c.id, JOURNAL.c.arguments).where(JOURNAL.c.league_id == league_id).order_by(JOURNAL.c.id)
    for (key, arguments), kept in zip(connection.execute(rows).all(), keep, strict=True):
        sealed = {**arguments, **kept}
        if sealed != arguments:
            connection.execute(update(JOURNAL).where(JOURNAL.c.id == key).values(arguments=sealed))


def _by_notation(lines: Any) -> Any:
    """Lines without the person's own words: the order as the program writes it, or nothing."""
    return [{**line, "text": line.get("order", "")} if isinstance(line, dict) else line for line in lines]


def _deep(change: Reword) -> Callable[[Any], Any]:
    def deep(value: Any) -> Any:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, list):
            return [deep(one) for one in value]
        if isinstance(value, dict):
            return {key: deep(one) for key, one in value.items()}
        return value

    return deep


def _rewrite(
    connection: Connection,
    table: Table,
    where: ColumnElement[bool],
    columns: dict[str, Callable[[Any], Any]],
    along: Mapping[str, str] = NOTHING,
) -> None:
    """Change these columns of these rows; a row that is changed gets `along` as well."""
    rows = connection.execute(select(table.c.id, *(table.c[name] for name in columns)).where(where)).mappings().all()
    for row in rows:
        changed = {name: change(row[name]) for name, change in columns.items()}
        if changed != {name: row[name] for name in columns}:
            connection.execute(update(table).where(table.c.id == row["id"]).values(**changed, **along))


def compact(engine: Engine) -> None:
    """Write the whole database anew, so that nothing of what went stays in free pages or in the log."""
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM FULL"))
        return
    engine.dispose()
    with closing(sqlite3.connect(engine.url.database or "", isolation_level=None)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
