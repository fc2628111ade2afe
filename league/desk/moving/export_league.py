"""`league export`: one league in one file, and on hold here from then on.

First the hold is stored, then the file is written: a crash in between leaves a league that nobody plays, and the same
command writes the file. The other way round two sites could play it.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain as chained
from pathlib import Path
from shutil import rmtree
from typing import Any

from sqlalchemy import Connection, Engine, Table

from league import __version__
from league.core.errors import BadInput, Refused
from league.core.json import Json, JsonDict
from league.desk import registry
from league.desk.clock import stamp
from league.desk.inbox.accept_mail import accept_mail
from league.desk.leagues.public_journal import named, sealed_apart
from league.desk.moving import handover
from league.desk.people import moved
from league.desk.people.moved import Leaving
from league.desk.people.players import is_address
from league.desk.recovery import restored
from league.desk.recovery.back_up import make_room
from league.desk.site import Site, find_league
from league.failpoints import reach
from league.records.freeze import public_key, sign
from league.storage import engine as database
from league.storage import journal, league_rows, leagues, mails, outbox, records
from league.storage.archive import Sort, pack, require_new
from league.storage.leagues import League
from league.storage.lock import SEND_LOCK_NAME, run_lock
from league.storage.tables import JOURNAL, LEAGUE, OUTBOX, RECORD

FACTS = "facts.json"
NAMES = frozenset({FACTS, handover.FILE, *(league_rows.file_of(table) for table in league_rows.TABLES)})
MOST_BYTES = 8 << 30
SORT = Sort(
    "league-export-1",
    "league's export",
    "league export",
    lambda: reach("export.before_switch"),
    NAMES.__contains__,
    len(NAMES),
    MOST_BYTES,
)
LOCK_SECONDS = 120.0
BEFORE = timedelta(days=14)  # figures of so many days before the season began are looked at
CHANGES = frozenset({"player forget", "key rotate", moved.SENT_ON})  # what a league's file has otherwise since
COPIED = "it went out, or will, from the site that this is a copy of"


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: of which matches, with how many records up to which, and the rows of each table.

    `changed`: acts since the league left, for which a file that is written once more isn't the same as the first.
    """

    file: Path
    size: int
    league: str
    made_at: str
    copy: bool
    again: bool
    matches: tuple[JsonDict, ...]
    rows: Mapping[str, int]
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """How a league is to be exported: as a `copy` it goes on here; `to` is where mail for it goes from now on."""

    copy: bool = False
    to: str = ""
    why: str = ""


def export_league(site: Site, slug: str, target: Path, wish: Wish) -> Exported:
    """Write the league into a new file; unless that is only a copy, it is on hold here from now on."""
    require_new(target, SORT)
    if not target.parent.is_dir():
        raise Refused(f"there is no folder {target.parent}")
    if wish.to and not is_address(wish.to):
        raise BadInput(f"--to {wish.to!r} is not a mail address like leagues@example.org")
    site.open_words(wish.why)
    site.require_key()
    who = f"league export of {site.who}"
    with (
        run_lock(site.path, who, LOCK_SECONDS, site.engine),
        run_lock(site.path, who, LOCK_SECONDS, site.engine, SEND_LOCK_NAME),
    ):
        leaving, again = _leave(site, slug, target, wish)
        room = make_room(site)
        try:
            return _write(site, slug, target, leaving, room, copy=wish.copy, again=again)
        finally:
            rmtree(room)


# ------------------------------------------------------------------ the hold


def _leave(site: Site, slug: str, target: Path, wish: Wish) -> tuple[Leaving, bool]:
    """Put the league on hold; one that is already is written once more, as of when it left."""
    with database.read(site.engine) as connection:
        before = moved.left(connection, slug)
        status = find_league(connection, slug).status
    if status == leagues.MOVED and before is not None:
        if wish.copy:
            raise Refused(f"{slug} has left on {stamp(before.at)}; without --copy its file is written once more")
        return _sent_on(site, slug, before, wish), True
    if not wish.copy:
        _read_all_mail(site)
    with database.write(site.engine, "export") as connection:
        league = find_league(connection, slug)
        _require_quiet(site, connection, league)
        leaving = moved.beside(connection, league, site.now.replace(microsecond=0), wish.to)
        named: dict[str, Json] = {"file": target.name, "copied": int(wish.copy), "to": wish.to}
        site.write_down(connection, "export", wish.why, league.id, **named)
        if not wish.copy:
            moved.leave(connection, league, leaving)
    return leaving, False


def _sent_on(site: Site, slug: str, before: Leaving, wish: Wish) -> Leaving:
    """The mail of a league that has left goes to another address from now on; without one it stays where it goes."""
    if not wish.to or wish.to == before.to:
        return before
    with database.write(site.engine) as connection:
        league = find_league(connection, slug)
        site.write_down(connection, moved.SENT_ON, wish.why, league.id, to=wish.to)
        return moved.send_on(connection, league, before, wish.to)


def _changed(connection: Connection, league: League, leaving: Leaving) -> tuple[str, ...]:
    """What was done here since the league left: its file isn't the one that was written then."""
    since = [*journal.of_scope(connection, league.id), *journal.of_scope(connection, None)]
    names = [(act.at, named(act.act)) for act in since if act.at > leaving.at]
    return tuple(f"{name} ({stamp(at)})" for at, name in sorted(names) if name in CHANGES)


def _read_all_mail(site: Site) -> None:
    """What players have written until now goes along."""
    if restored.mails_wait(site):
        return  # refused below, in words of its own
    done = accept_mail(site)
    if not done.complete:
        raise Refused(
            f"not every mail in the inbox could be read, and what lies there would stay behind: "
            f"{'; '.join(done.troubles) or 'mend that'}; then export again"
        )


def _require_quiet(site: Site, connection: Connection, league: League) -> None:
    """Nothing of the league is under way: no restore that waits for a word, no mail that waits for its verdict."""
    waiting = restored.unsure(connection)
    slugs = {chain.match for chain in handover.chains_of(connection, league)}
    if restored.mails_wait(site) or slugs & waiting.keys():
        raise Refused(
            f"this site was restored, and it isn't certain yet that it knows the newest record of {league.slug}: "
            f"say so first (league restore --head, --public or --accept-head), and run league run"
        )
    if mails.unjudged(connection, 1):
        raise Refused("mails are kept that have no verdict yet, and they may be for this league; run league run first")


# ------------------------------------------------------------------ the file


def _write(site: Site, slug: str, target: Path, leaving: Leaving, room: Path, *, copy: bool, again: bool) -> Exported:
    with database.read(_one_moment(site.engine)) as connection:
        league = find_league(connection, slug)
        given = handover.hand_over(site, connection, league, leaving.at)
        rows = _tables(site, connection, league, given, leaving, room, copy=copy)
        chains = handover.chains_of(connection, league)
        sizes = {one.match_id: len(records.chain(connection, one.match_id)) for one in chains}
        season = leagues.seasons(connection, league.id)[-1]
        changed = _changed(connection, league, leaving) if again else ()
    (room / FACTS).write_text(json.dumps(_facts(leaving)))
    (room / handover.FILE).write_text(handover.written(given))
    matches: list[JsonDict] = [{"match": one.match, "records": sizes[one.match_id], "head": one.head} for one in chains]
    about: JsonDict = {
        "tool": f"league {__version__}",
        "made_at": stamp(leaving.at),
        "revision": database.HEAD,
        "league": slug,
        "title": league.title,
        "game": league.game,
        "rules": season.rules,
        "copy": copy,
        "matches": list(matches),
        "public_key": public_key(site.signing_seed),
    }
    files = [(name, room / name) for name in sorted(NAMES)]
    for _, path in files:  # the same league makes the same file, whenever that is
        os.utime(path, (int(leaving.at.timestamp()),) * 2)
    seed = site.signing_seed
    pack(target, files, about, SORT, lambda payload: sign(seed, payload))
    made = stamp(leaving.at)
    return Exported(target, target.stat().st_size, slug, made, copy, again, tuple(matches), rows, changed)


def _one_moment(engine: Engine) -> Engine:
    """All tables as they are at one moment, while others go on writing; SQLite reads so anyway."""
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ")


def _tables(
    site: Site,
    connection: Connection,
    league: League,
    given: handover.HandedOver,
    leaving: Leaving,
    room: Path,
    *,
    copy: bool,
) -> dict[str, int]:
    """A file for each table; how many rows each has."""
    first = leagues.seasons(connection, league.id)[0].opened_at.date() - BEFORE
    figures = registry.plugin(league.game).meta.figures
    found: dict[str, int] = {}
    for table, rows in league_rows.rows_of(connection, league.slug, figures, first):
        told = _as_told(site, connection, league, table, rows, copy=copy)
        if table is RECORD:
            told = chained(told, _handed_on(site, connection, league, given, leaving))
        found[table.name] = _put(room / league_rows.file_of(table), told)
    return found


def _put(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    count = 0
    with path.open("wb") as file:
        for row in rows:
            file.write(league_rows.line_of(row))
            count += 1
    return count


def _as_told(
    site: Site, connection: Connection, league: League, table: Table, rows: Iterator[dict[str, Any]], *, copy: bool
) -> Iterable[dict[str, Any]]:
    """Rows as the other site is to have them."""
    if table is LEAGUE:
        return ({**row, "status": leagues.RUNNING} for row in rows)
    if table is OUTBOX:
        change: Callable[[dict[str, Any]], dict[str, Any]] = _copied if copy else _waiting
        return (change(row) for row in rows if row["kind"].partition("/")[0] != outbox.AWAY)
    if table is JOURNAL:
        figures = registry.plugin(league.game).meta.figures
        apart = sealed_apart(journal.of_scope(connection, league.id), figures, site.key)
        return ({**row, "arguments": own} for row, own in zip(rows, apart, strict=True))
    return rows


def _waiting(row: dict[str, Any]) -> dict[str, Any]:
    """A mail with the state that it had before the hold."""
    if not str(row["trouble"]).startswith(outbox.LEFT):
        return row
    return {**row, "state": row["trouble"].removeprefix(outbox.LEFT), "trouble": "", "claim": None}


def _copied(row: dict[str, Any]) -> dict[str, Any]:
    """In a copy no mail waits: nobody gets it twice."""
    if row["state"] in ("sent", "failed"):
        return row
    return {**row, "state": "sent", "sent_at": row["created_at"], "trouble": COPIED, "claim": None}


def _handed_on(
    site: Site, connection: Connection, league: League, given: handover.HandedOver, leaving: Leaving
) -> Iterator[dict[str, Any]]:
    """The record that hands each chain on. It goes along and isn't stored: here nobody signs with that key."""
    number = records.newest(connection)
    for place, chain in enumerate(handover.chains_of(connection, league), start=1):
        made = handover.key_record(site, connection, league, chain, (site.signing_seed, given.seed), leaving.at)
        yield {"id": number + place, **database.plain(made)}


def _facts(leaving: Leaving) -> JsonDict:
    return {"offers": dict(leaving.offers), "unanswered": [list(row) for row in leaving.unanswered]}
