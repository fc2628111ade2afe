"""`look.json`: which program made pages, whether with templates of the site's own, with which style and address.

It is published with each league, and once for the site's own pages. Where it or the names change, all the league's
pages are made anew: none shows an old name or address, none carries an old style sheet within it, and each says that
the league has moved.
"""

from collections.abc import Mapping
from hashlib import sha256
from json import loads
from typing import Any

from league.core.json import Json, JsonDict
from league.desk.leagues.records import TOOL
from league.records.canonical import canonical
from league.reports.context import LeagueInfo, SiteInfo
from league.reports.sheets import style_sheet

KIND, FILE = "league-look-1", "look.json"


def look_of(info: SiteInfo, league: LeagueInfo) -> tuple[str, bytes]:
    """The file of a league; `moved` is where mail goes since it is played elsewhere."""
    addresses: list[Json] = [one for one in dict.fromkeys((league.address, league.moved)) if one]
    moved: JsonDict = {} if league.moved is None else {"moved": league.moved}
    return f"{league.slug}/{FILE}", _written(info, league.slug, league.match, {"addresses": addresses, **moved})


def site_look(info: SiteInfo) -> tuple[str, bytes]:
    """The file of the site's own pages, made anew by every publication."""
    return FILE, _written(info, "", "", {})


def _written(info: SiteInfo, league: str, match: str, more: JsonDict) -> bytes:
    told: JsonDict = {"kind": KIND, "league": league, "match": match, "tool": TOOL, **more}
    style = sha256(style_sheet(info).encode()).hexdigest()
    return canonical({**told, "own_templates": bool(info.templates), "style_sha256": style})


def addresses_of(content: bytes | None) -> tuple[str, ...]:
    """The addresses that a league's pages name; none of an older file, or of anything else."""
    try:
        return tuple(str(one) for one in loads(content or b"")["addresses"])
    except (KeyError, TypeError, ValueError, RecursionError):
        return ()


def is_ours(content: bytes | None) -> bool:
    """Whether the pages are by this version's own templates, so that this program knows what they can hold."""
    try:
        found: Mapping[str, Any] = loads(content or b"")
        return (found["kind"], found["tool"], found["own_templates"]) == (KIND, TOOL, False)
    except (KeyError, TypeError, ValueError, RecursionError):
        return False
