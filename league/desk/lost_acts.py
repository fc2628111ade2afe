"""Acts that a published journal has and a backup hasn't: a restored site's journal is never shorter than it was.

They come back as they were published, in front of what was written since the restore. What isn't public of them (names,
addresses, orders) is gone; their seals stay, so records that count them still hold.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.desk import registry
from league.desk.clock import stamp
from league.desk.public_journal import FILE, ORGANIZER, SEAL, seals
from league.desk.site import CALENDAR, Site
from league.storage import journal, leagues
from league.storage.journal import Act

Rows = Sequence[dict[str, Any]]


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
