"""A round closes before its deadline once everybody's orders are final, where the league allows it.

It closes as of the moment up to which all mail is known to have been read, and no order may have come after that: a
mail that takes the word back keeps the round open as long as orders aren't closed (DESIGN: Freeze).
"""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from league.core.errors import Refused
from league.desk import registry
from league.desk.leagues.calendar import round_of, with_early
from league.desk.leagues.finals import is_allowed, is_ready, waited_for
from league.desk.recovery import restored
from league.desk.site import CALENDAR, Site
from league.intake.screen import Verdict
from league.records.canonical import stamp
from league.storage import rounds
from league.storage.glance import last_mails
from league.storage.rounds import Loaded

MOST = 500  # rounds that are looked at at once
EARLY = "round early"  # the act of the journal
WHY = "everybody's orders are final"


def candidates(connection: Connection, now: datetime) -> list[int]:
    """The open rounds that may close early, before anybody's orders are looked at."""
    found = rounds.open_with_options(connection, now, registry.one_by_one())
    return [round_id for round_id, options, calendar in found if is_allowed(calendar, options)]


def is_any_ready(connection: Connection, now: datetime) -> bool:
    """Whether a round could be closed as soon as it is proven that all mail has been read."""
    return any(is_ready(loaded) for loaded in rounds.load_chunk(connection, candidates(connection, now)[:MOST]))


def close_early(site: Site, connection: Connection, loaded: Loaded, until: datetime) -> Loaded | None:
    """The round closed as of `until`, if everything was final by then; else None, and it stays open."""
    closes = until.replace(microsecond=0)
    in_time = all(one.received_at <= closes for one in loaded.submissions)
    is_between = loaded.round.opens_at < closes < loaded.round.deadline_at
    if loaded.round.status != rounds.OPEN or not (in_time and is_between and is_ready(loaded)):
        return None
    if _is_asked_back(connection, loaded):
        return None
    if restored.unsure(connection).get(loaded.match_slug) is not None:  # its published records say when it closed
        return None
    return shut(site, connection, loaded, closes)


def _is_asked_back(connection: Connection, loaded: Loaded) -> bool:
    """Whether somebody's newest mail wasn't understood: perhaps it was to change what was final."""
    ids = {seat.id for seat in loaded.seats if seat.code in waited_for(loaded)}
    newest = {one.seat_id: one.received_at for one in loaded.submissions if one.seat_id in ids}
    found = last_mails(connection, sorted(ids), loaded.round.opens_at)
    return any(one.verdict == Verdict.ASK.value and one.received_at > newest[key] for key, one in found.items())


def shut(site: Site, connection: Connection, loaded: Loaded, closes: datetime) -> Loaded:
    """Store the earlier closing, and write down that the season's rules made it."""
    number = loaded.round.number
    calendar = with_early(loaded.calendar, number, closes)
    new = round_of(calendar, loaded.round.match_id, number)
    moved = replace(loaded.round, closes_at=new.closes_at, ends_at=new.ends_at)
    times = {"deadline_at": moved.deadline_at, "closes_at": moved.closes_at, "ends_at": moved.ends_at}
    if not rounds.reschedule(connection, loaded.round.id, **times):
        raise Refused(f"round {number} isn't open any more").named("round_closed", round=number)
    rounds.store_calendar(connection, loaded.season_id, calendar)
    acting = replace(site, who=CALENDAR)
    acting.write_down(connection, EARLY, WHY, loaded.league_id, round=number, closes=stamp(closes))
    return replace(loaded, round=moved, calendar=calendar)
