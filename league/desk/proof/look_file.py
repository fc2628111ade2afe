"""`look.json`: which program made a league's pages, whether with templates of the site's own, and with which style.

It is published with the league. Where it or the names change, all the league's pages are made anew: none shows an old
name, none carries an old style sheet within it, and each says that the league has moved.
"""

from collections.abc import Mapping
from hashlib import sha256
from json import loads
from typing import Any

from league.core.json import JsonDict
from league.desk.leagues.records import TOOL
from league.records.canonical import canonical
from league.reports.context import LeagueInfo, SiteInfo
from league.reports.sheets import style_sheet

KIND, FILE = "league-look-1", "look.json"


def look_of(info: SiteInfo, league: LeagueInfo) -> tuple[str, bytes]:
    """The file of a league."""
    told: JsonDict = {"kind": KIND, "league": league.slug, "match": league.match, "tool": TOOL}
    told |= {} if league.moved is None else {"moved": league.moved}
    style = sha256(style_sheet(info).encode()).hexdigest()
    return f"{league.slug}/{FILE}", canonical({**told, "own_templates": bool(info.templates), "style_sha256": style})


def is_ours(content: bytes | None) -> bool:
    """Whether the pages are by this version's own templates, so that this program knows what they can hold."""
    try:
        found: Mapping[str, Any] = loads(content or b"")
        return (found["kind"], found["tool"], found["own_templates"]) == (KIND, TOOL, False)
    except (KeyError, TypeError, ValueError, RecursionError):
        return False
