"""A result that comes shortly before the next deadline moves that deadline by a week, for everyone."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from secrets import token_hex

from sqlalchemy import Connection

from league.desk.leagues.calendar import MOVED, round_of, without_extension
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.turns import rules_of
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site
from league.reports import mails as words
from league.storage import leagues, outbox, rounds
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

NOTICE = timedelta(hours=72)  # less is too short to move by a position that has just become known


def postponed(following: Loaded, decided_at: datetime) -> Loaded | None:
    """The round after the one whose battle was decided then, with its new times; None if it stays."""
    known = following.round
    if known.status != rounds.OPEN or not known.deadline_at - NOTICE < decided_at <= known.closes_at:
        return None
    moved = [*following.calendar.get("moved", ()), known.number]
    calendar = without_extension({**following.calendar, "moved": moved}, known.number)
    new = round_of(calendar, known.match_id, known.number)
    times = replace(known, deadline_at=new.deadline_at, closes_at=new.closes_at, ends_at=new.ends_at)
    return replace(following, round=times, calendar=calendar)


def postpone(site: Site, connection: Connection, moved: Loaded, decided_at: datetime) -> None:
    """Store the new times and tell everyone."""
    new = moved.round
    times = {"deadline_at": new.deadline_at, "closes_at": new.closes_at, "ends_at": new.ends_at}
    if not rounds.reschedule(connection, new.id, **times):
        return
    rounds.store_calendar(connection, moved.season_id, moved.calendar)
    site.write_down(connection, MOVED, "a result came late", moved.league_id, round=new.number)
    leagues.mark_unpublished(connection, (moved.league_slug, f"{moved.league_slug}/{new.number - 1}"), token_hex(8))
    outbox.queue(connection, list(_mails(site, moved, decided_at)))


def _mails(site: Site, moved: Loaded, decided_at: datetime) -> Iterable[OutMail]:
    league, shown, info = league_info(site, moved, rules_of(moved)), round_info(moved.round, moved), site_info(site)
    version = list(moved.calendar["moved"]).count(moved.round.number)
    for place in moved.seats:
        if place.status in leagues.PRESENT and place.address:
            text = words.moved_mail(info, league, place.code, shown, any_order_or_press)
            number = moved.round.number
            yield outgoing(site, "moved", text, place, moved.match_slug, number, date=decided_at, version=version)
