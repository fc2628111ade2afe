"""The rows of a league from another site, laid into this one's tables within one transaction.

Values are checked as they are read (`storage/league_read.py`). Here every number must name a row of the file, and what
another league of this site has already stays as it is. Numbers are given anew, in the same order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from pathlib import Path

from sqlalchemy import (
    Connection,
    Table,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DataError, IntegrityError

from league.core.errors import BadInput, Refused
from league.storage.engine import insert_new
from league.storage.league_read import read_rows
from league.storage.league_rows import TABLES, Values, file_of
from league.storage.tables import (
    ANNOUNCEMENT,
    EVIDENCE,
    LEAGUE,
    MAIL,
    MAIL_PART,
    MATCH,
    OUTBOX,
    READING,
    SUBMISSION,
    VERDICT,
)

CHUNK, CHUNK_BYTES = 100, 8_000_000  # rows laid in at a time
AT_ONCE = frozenset({EVIDENCE.name, READING.name})  # small, and held against each other
Ids = dict[str, dict[int, int]]


@dataclass
class Laid:
    """What was laid in: of each table the new number of each old one, and how many rows were there already."""

    ids: Ids = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)

    def new(self, table: Table, old: int) -> int:
        """The number that a row has here."""
        return self.ids[table.name][old]


def lay_in(connection: Connection, folder: Path) -> Laid:
    """Every table of an unpacked export; `BadInput` names file, line and column of what is wrong."""
    laid = Laid()
    for table in TABLES:
        path = folder / file_of(table)
        laid.ids[table.name] = {}
        try:
            _lay(connection, table, read_rows(path, table), laid)
        except (IntegrityError, DataError) as error:
            raise BadInput(
                f"its rows can't stand together, or not with what is here: one of {table.name} says what "
                f"none may, or two say what only one may",
                path.name,
            ) from error
    return laid


# ------------------------------------------------------------------ laying it in


def _lay(connection: Connection, table: Table, rows: Iterable[Values], laid: Laid) -> None:
    fits = SPECIAL.get(table.name, _all)
    incoming = iter(rows)
    while some := list(incoming if table.name in AT_ONCE else _some(incoming)):
        placed = [_placed(table, row, laid) for row in some]
        _insert(connection, table, list(fits(connection, placed, laid)), laid)


def _some(incoming: Iterator[Values]) -> Iterator[Values]:
    """The next few rows, few enough to be held in memory whatever mails weigh."""
    held = 0
    for row in islice(incoming, CHUNK):
        yield row
        held += sum(len(value) for value in row.values() if isinstance(value, bytes))
        if held > CHUNK_BYTES:
            return


def _placed(table: Table, row: Values, laid: Laid) -> Values:
    """With the new numbers of the rows that it names."""
    made = dict(row)
    for column in table.columns:
        for foreign in column.foreign_keys:
            target, old = foreign.column.table, row[column.name]
            if old is None or target is MAIL_PART:
                continue
            if old not in laid.ids[target.name]:
                raise BadInput(f"{table.name}.{column.name} names row {old} of {target.name}, which isn't in it")
            made[column.name] = laid.new(target, old)
    return made


def _insert(connection: Connection, table: Table, rows: Sequence[Values], laid: Laid) -> None:
    if not rows:
        return
    if "id" not in table.columns:
        connection.execute(insert(table), list(rows))
        return
    own = [{key: value for key, value in row.items() if key != "id"} for row in rows]
    made = connection.execute(insert(table).returning(table.c.id, sort_by_parameter_order=True), own).scalars().all()
    for row, key in zip(rows, made, strict=True):
        if row["id"] is None or row["id"] in laid.ids[table.name]:
            raise BadInput(f"two rows of {table.name} have the number {row['id']}")
        laid.ids[table.name][row["id"]] = key


def _all(_: Connection, rows: Sequence[Values], __: Laid) -> Iterable[Values]:
    return rows


def _slugs(connection: Connection, rows: Sequence[Values], laid: Laid) -> Iterable[Values]:
    """Names by which a league and its matches are called on the whole site."""
    table = MATCH if laid.ids[LEAGUE.name] else LEAGUE
    if table is LEAGUE and len(rows) != 1:
        raise BadInput(f"it holds {len(rows)} leagues; an export holds one")
    for row in rows:
        if connection.execute(select(table.c.id).where(table.c.slug == row["slug"])).first() is not None:
            raise Refused(
                f"a {table.name} named {row['slug']} is here already; a league is imported into a site that hasn't it"
            )
    return rows


def _mails(connection: Connection, rows: Sequence[Values], laid: Laid) -> Iterable[Values]:
    """A mail that came here too is one mail; who judged it here took its author for a stranger."""
    digests = [row["digest"] for row in rows]
    known = dict(connection.execute(select(MAIL.c.digest, MAIL.c.id).where(MAIL.c.digest.in_(digests))).all())
    for row in rows:
        if row["digest"] not in known:
            yield row
            continue
        key = known[row["digest"]]
        laid.ids[MAIL.name][row["id"]] = key
        laid.known[MAIL.name] = laid.known.get(MAIL.name, 0) + 1
        own = update(MAIL).where(MAIL.c.id == key)
        connection.execute(own.values(received_at=row["received_at"], arrival=row["arrival"], vouched=row["vouched"]))
        connection.execute(own.where(MAIL.c.content.is_(None)).values(content=row["content"]))


def _verdicts(connection: Connection, rows: Sequence[Values], _: Laid) -> Iterable[Values]:
    ids = [row["mail_id"] for row in rows]
    of_others = select(VERDICT.c.mail_id).where(VERDICT.c.mail_id.in_(ids), VERDICT.c.league_id.is_not(None))
    if (other := connection.execute(of_others).scalar()) is not None:
        raise Refused(
            f"mail {other} of this site belongs to a league here and to the one in the file; a person has to look: "
            f"league mail quarantine show {other}"
        )
    connection.execute(delete(VERDICT).where(VERDICT.c.mail_id.in_(ids)))
    return rows


def _submissions(_: Connection, rows: Sequence[Values], laid: Laid) -> Iterable[Values]:
    """What came in the same second stands in the order of the mails."""
    back = {new: old for old, new in laid.ids[MAIL.name].items()}
    for row in rows:
        same = row["mail_id"] is not None and back.get(row["mail_id"]) == row["sequence"]
        yield {**row, "sequence": row["mail_id"]} if same else row


def _evidence(connection: Connection, rows: Sequence[Values], laid: Laid) -> Iterable[Values]:
    """Figures belong to no league: what stands here stays, and must be what the league went by."""
    for (figure, day), several in _by_day(rows).items():
        here = select(EVIDENCE.c.value).where(EVIDENCE.c.figure == figure, EVIDENCE.c.day == day)
        found = connection.execute(here.order_by(EVIDENCE.c.revision)).scalars().all()
        if not found:
            yield from several
            continue
        last = max(several, key=lambda row: row["revision"])
        if found[-1] != last["value"]:
            raise Refused(
                f"{figure} of {day} is {found[-1] or 'taken back'} here and {last['value'] or 'taken back'} in the "
                f"file: put right what is wrong (league draw correct, at either site) and begin again"
            )
        laid.known[EVIDENCE.name] = laid.known.get(EVIDENCE.name, 0) + 1


def _by_day(rows: Sequence[Values]) -> dict[tuple[str, date], list[Values]]:
    found: dict[tuple[str, date], list[Values]] = {}
    for row in rows:
        found.setdefault((row["figure"], row["day"]), []).append(row)
    return found


def _readings(connection: Connection, rows: Sequence[Values], laid: Laid) -> Iterable[Values]:
    names = ("source", "figure", "day", "value", "read_at")
    days = {row["day"] for row in rows}
    here = connection.execute(select(*(READING.c[name] for name in names)).where(READING.c.day.in_(days)))
    known = {tuple(row) for row in here}
    for row in rows:
        if tuple(row[name] for name in names) in known:
            laid.known[READING.name] = laid.known.get(READING.name, 0) + 1
        else:
            yield row


def _parts(connection: Connection, rows: Sequence[Values], _: Laid) -> Iterable[Values]:
    insert_new(connection, MAIL_PART, rows)
    return ()


def _outbox(_: Connection, rows: Sequence[Values], __: Laid) -> Iterable[Values]:
    """What was being handed over when the other site stopped may have gone."""
    for row in rows:
        sending = {"state": "in_doubt", "claim": None} if row["state"] == "sending" else {"claim": None}
        yield {**row, **sending}


def _announcements(_: Connection, rows: Sequence[Values], __: Laid) -> Iterable[Values]:
    for row in rows:
        yield {**row, "state": "queued"} if row["state"] == "sending" else row


Fits = Callable[[Connection, Sequence[Values], Laid], Iterable[Values]]
SPECIAL: Mapping[str, Fits] = {
    LEAGUE.name: _slugs,
    MATCH.name: _slugs,
    MAIL.name: _mails,
    VERDICT.name: _verdicts,
    SUBMISSION.name: _submissions,
    EVIDENCE.name: _evidence,
    READING.name: _readings,
    MAIL_PART.name: _parts,
    OUTBOX.name: _outbox,
    ANNOUNCEMENT.name: _announcements,
}
