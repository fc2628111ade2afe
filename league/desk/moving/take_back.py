"""`league export --undo`: the file was imported nowhere, the league goes on here, and its players are told so."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from league.core.errors import Refused
from league.desk.clock import stamp
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.turns import rules_of
from league.desk.people.moved import UNDO, Leaving, come_back, left
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site, find_league
from league.reports import mails as words
from league.storage import engine as database
from league.storage import leagues, outbox, rounds
from league.storage.leagues import League
from league.storage.lock import run_lock
from league.storage.outbox import OutMail

LOCK_SECONDS = 120.0
KIND = "back"


def take_back(site: Site, slug: str, why: str) -> None:
    """The league goes on here as if it had never left; mails that came meanwhile count from when they came."""
    site.open_words(why)
    with (
        run_lock(site.path, f"league {UNDO} of {site.who}", LOCK_SECONDS, site.engine),
        database.write(site.engine) as connection,
    ):
        league = find_league(connection, slug)
        leaving = left(connection, slug)
        if league.status != leagues.MOVED or leaving is None:
            raise Refused(f"{slug} hasn't moved: there is nothing to take back")
        come_back(connection, league, leaving)
        site.write_down(connection, UNDO, why, league.id)
        outbox.queue(connection, list(_mails(site, connection, league, leaving)))


def _mails(site: Site, connection: Connection, league: League, leaving: Leaving) -> Iterable[OutMail]:
    seasons = [season.id for season in leagues.seasons(connection, league.id)]
    newest = rounds.current(connection, [match.id for match in leagues.matches(connection, seasons)])
    info = site_info(site)
    for loaded in rounds.load_chunk(connection, sorted(found.id for found in newest.values())):
        about, shown = league_info(site, loaded, rules_of(loaded)), round_info(loaded.round, loaded)
        for place in loaded.seats:
            if place.status in leagues.PRESENT and place.address:
                text = words.back_mail(info, about, place.code, shown, leaving.at, leaving.to, any_order_or_press)
                yield outgoing(
                    site, _kind(site.now), text, place, loaded.match_slug, loaded.round.number, date=site.now
                )


def _kind(now: datetime) -> str:
    """A league can leave and come back more than once, and each time is told."""
    return f"{KIND}/{stamp(now)}"
