"""A league that has left its site: on hold there from the moment of the export, until that is taken back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection

from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.leagues.silence import OFFERS
from league.desk.post.brake import UNANSWERED
from league.storage import leagues, mails, outbox
from league.storage.league_rows import MOVED
from league.storage.leagues import League

LEFT = "moved.out/"  # how the facts begin that say of a league when and where it went
EXPORT, UNDO, SENT_ON = "export", "export --undo", "export --to"


@dataclass(frozen=True, slots=True)
class Leaving:
    """When a league left, where mail for it goes now (empty: nobody said), and what of it stood in facts of the site.

    `offers`: seats that are offered. `unanswered`: of each seat (by row) until when it is silent, and its mails.
    """

    at: datetime
    to: str = ""
    offers: Mapping[str, str] = field(default_factory=dict)
    unanswered: tuple[tuple[int, str, tuple[int, ...]], ...] = ()


def left(connection: Connection, slug: str) -> Leaving | None:
    """How the league left; None if it didn't."""
    written = leagues.fact(connection, LEFT + slug)
    if written is None:
        return None
    told = json.loads(written)
    rows = tuple((int(seat), str(until), tuple(map(int, ids))) for seat, until, ids in told["unanswered"])
    return Leaving(datetime.fromisoformat(told["at"]), told["to"], told["offers"], rows)


def moved_to(connection: Connection, slug: str) -> str | None:
    """To which address mail for the league goes now (empty: nobody said); None if it is played here."""
    leaving = left(connection, slug)
    return leaving.to if leaving is not None else None


def beside(connection: Connection, league: League, now: datetime, to: str = "") -> Leaving:
    """What stands of the league in facts of the site."""
    offers = leagues.facts(connection, f"{OFFERS}{league.slug}/")
    seats = {seat.id for seat in _seats(connection, league)}
    found = leagues.facts(connection, UNANSWERED)
    kept = [(int(seat), value.split()) for seat, value in found.items() if int(seat) in seats]
    return Leaving(now, to, offers, tuple((seat, until, tuple(map(int, ids))) for seat, (until, *ids) in kept))


def leave(connection: Connection, league: League, leaving: Leaving) -> None:
    """From now on the league is on hold here: nothing is closed, resolved, entered or sent."""
    leagues.set_league_status(connection, league.id, leagues.MOVED)
    outbox.leave(connection, _matches(connection, league))
    for code in leaving.offers:
        leagues.drop_fact(connection, f"{OFFERS}{league.slug}/{code}")
    for seat, _, _ in leaving.unanswered:
        leagues.drop_fact(connection, f"{UNANSWERED}{seat}")
    _keep(connection, league, leaving)


def send_on(connection: Connection, league: League, leaving: Leaving, to: str) -> Leaving:
    """Mail for a league that has left goes to another address from now on; who writes is told that one."""
    other = replace(leaving, to=to)
    _keep(connection, league, other)
    return other


def _keep(connection: Connection, league: League, leaving: Leaving) -> None:
    told: JsonDict = {
        "at": stamp(leaving.at),
        "to": leaving.to,
        "offers": dict(leaving.offers),
        "unanswered": [list(row) for row in leaving.unanswered],
    }
    leagues.set_fact(connection, LEFT + league.slug, json.dumps(told))


def come_back(connection: Connection, league: League, leaving: Leaving) -> None:
    """The hold ends, what was put away with it is there again, and mails that came meanwhile are judged anew."""
    leagues.set_league_status(connection, league.id, leagues.RUNNING)
    outbox.stay(connection, _matches(connection, league))
    for code, value in leaving.offers.items():
        leagues.set_fact(connection, f"{OFFERS}{league.slug}/{code}", value)
    for seat, until, ids in leaving.unanswered:
        leagues.set_fact(connection, f"{UNANSWERED}{seat}", " ".join([until, *map(str, ids)]))
    mails.judge_anew(connection, league.id, MOVED)
    leagues.drop_fact(connection, LEFT + league.slug)


def _matches(connection: Connection, league: League) -> Sequence[int]:
    seasons = [season.id for season in leagues.seasons(connection, league.id)]
    return [match.id for match in leagues.matches(connection, seasons)]


def _seats(connection: Connection, league: League) -> list[leagues.Place]:
    matches = _matches(connection, league)
    return [*leagues.seats(connection, matches), *(one for m in matches for one in leagues.benches(connection, m))]


def all_places(connection: Connection, league: League) -> dict[str, list[leagues.Place]]:
    """The seats of each of a league's matches, those who stand by among them."""
    slugs = {
        match.id: match.slug
        for match in leagues.matches(connection, [s.id for s in leagues.seasons(connection, league.id)])
    }
    found: dict[str, list[leagues.Place]] = {slug: [] for slug in slugs.values()}
    for place in _seats(connection, league):
        found[slugs[place.match_id]].append(place)
    return found
