"""Acts that a published journal has and a backup hasn't: a restored site's journal is never shorter than it was.

They come back as they were published, in front of what was written since the restore. What isn't public of them (names,
addresses, orders) is gone; their seals stay, so records that count them still hold.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.desk import registry
from league.desk.clock import stamp
from league.desk.leagues.public_journal import BY_MAIL, ENTER, FILE, ORGANIZER, SEAL, seals
from league.desk.recovery.restored import CATCH_UP, Unsure
from league.desk.site import CALENDAR, Site
from league.storage import engine as database
from league.storage import journal, leagues
from league.storage.journal import Act

Rows = Sequence[dict[str, Any]]
# What nobody can do again from what is public: names, addresses, orders and mails aren't.
BY_HAND = {
    "player add": "bring the player back with league player add, before the next run",
    "player standby": "put the player who stands by on the list again with league player add --standby",
    "player substitute": "hand the seat over again with league player substitute, before the next run",
    "player absent": "enter the same list again with league player absent, before the next run",
    "mail quarantine release": "release the same mail again with league mail quarantine release, after the next run",
    "player forget": "forget the player again with league player forget",
    "round reopen": "look whether the round has to be corrected again",
    "draw correct": "look whether the figure has to be corrected again",
}
ENTERED = "bring them back with league orders enter LEAGUE PLAYER - --received-at TIME"


def take_back(site: Site, connection: Connection, public: Path, slugs: Iterable[str]) -> tuple[Act, ...]:
    """Put back what the copy of the pages has more of these leagues' journals, and of the site's own; what that was."""
    first = journal.newest(connection, "restore")
    found = [*_lost(site, connection, public / FILE, "", first)]
    for slug in slugs:
        found += _lost(site, connection, public / slug / FILE, slug, first)
    lost = tuple(sorted(found, key=lambda act: act.at))
    journal.put_before(connection, first, lost)
    return lost


def _lost(site: Site, connection: Connection, file: Path, slug: str, first: int) -> Iterable[Act]:
    league = leagues.league(connection, slug) if slug else None
    known = journal.of_scope(connection, league.id if league else None, first)
    figures = registry.plugin(league.game).meta.figures if league else ()
    rows = _read(file)
    ours = zip(known, seals(known, figures, site.key), rows, strict=False)
    for act, seal, row in ours:
        if row.get("seal", seal) != seal or row["at"] != stamp(act.at):
            raise Refused(
                f"{file} isn't the journal that the backup has: there an act of {row['at']} is '{row['act']}', here it "
                f"is '{act.act}' of {stamp(act.at)}. Give the newest copy of this site's own pages"
            )
    return [_act(row, league.id if league else None) for row in rows[len(known) :]]


def _read(file: Path) -> Rows:
    """The acts of a published journal; none where there is no such file."""
    if not file.is_file():
        return ()
    try:
        rows = json.loads(file.read_bytes())["acts"]
        for row in rows:
            datetime.fromisoformat(row["at"])
            _ = {**row["arguments"], "act": row["act"] + row["why"] + row["who"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(
            f"it can't be read as a published journal ({type(error).__name__}: {error})", str(file)
        ) from error
    return tuple(rows)


def _act(row: dict[str, Any], league_id: int | None) -> Act:
    who = row["who"] if row["who"] in (ORGANIZER, CALENDAR) else f"{row['who']} by mail"
    kept = {SEAL: row["seal"]} if "seal" in row else {}
    return Act(datetime.fromisoformat(row["at"]), who, row["act"], row["why"], {**row["arguments"], **kept}, league_id)


def lost_acts(connection: Connection, since: datetime) -> list[Act]:
    """The acts since then that were put back, in order of time."""
    first = journal.newest(connection, "restore")
    scopes = [None, *(league.id for league in leagues.leagues(connection))]
    found = (act for scope in scopes for act in journal.of_scope(connection, scope, first))
    return sorted((act for act in found if SEAL in act.arguments and act.at >= since), key=lambda act: act.at)


def _undone(connection: Connection) -> list[Act]:
    """The lost acts that nobody has done again yet."""
    since = leagues.fact(connection, CATCH_UP)
    lost = lost_acts(connection, datetime.fromisoformat(since)) if since else []
    done = {
        (act.league_id, act.act, act.at)
        for league_id in {act.league_id for act in lost}
        for act in journal.of_scope(connection, league_id)
        if SEAL not in act.arguments
    }
    return [act for act in lost if (act.league_id, act.act, act.at) not in done and not BY_MAIL.fullmatch(act.who)]


def at_its_time(site: Site, slug: str, name: str) -> Site:
    """The site at the moment of the first lost act of this name that nobody has done again; else as it is."""
    with database.read(site.engine) as connection:
        league = leagues.league(connection, slug)
        undone = [act.at for act in _undone(connection) if league and (act.league_id, act.act) == (league.id, name)]
    return replace(site, now=undone[0]) if undone else site


def by_hand(connection: Connection) -> tuple[str, ...]:
    """What a person has to do again, each in a sentence."""
    told = []
    for act in _undone(connection):
        slug = (leagues.slug_of(connection, act.league_id) if act.league_id is not None else "") or "the site"
        whose = f" ({act.arguments['seat']})" if "seat" in act.arguments else ""
        words = ENTERED if act.act == ENTER and not whose else BY_HAND.get(act.act, "")
        if words:
            told.append(f"{slug}: '{act.act}'{whose} of {stamp(act.at)} came after the backup: {words}")
    return tuple(told)


def entered(act: Act, waiting: Iterable[Unsure], slug: str) -> dict[str, Any] | None:
    """The order mail of a published record that an act of the organizer's put there."""
    own = {"seat": act.arguments.get("seat"), "received_at": act.arguments.get("received")}
    bodies = [json.loads(body) for found in waiting for body in found.to_come]
    told = [body for body in bodies if body["kind"] == "round" and body["league"] == slug]
    rows = [row for body in told for row in body.get("orders", ())]  # none where orders are sealed until the end
    return next((row for row in rows if own.items() <= row.items()), None)
