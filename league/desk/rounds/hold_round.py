"""`league round hold` and `release`: a round waits for the organizer's look, and goes on by itself after that.

Where the league has `hold_hours`, every round waits so long from the moment that it has all it needs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.json import Json
from league.desk.clock import stamp
from league.desk.leagues.calendar import next_moment, round_of
from league.desk.leagues.held import HOLD, RELEASE
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.rhythm import RHYTHM
from league.desk.leagues.turns import rules_of
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.rounds.extend_round import Extended, move_deadline, need_why
from league.desk.site import Running, Site
from league.reports import mails as words
from league.storage import decisions, leagues, outbox, rounds
from league.storage.decisions import Entered
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

USUAL, MOST = 24, 24 * 14  # hours
FAIR = timedelta(hours=48)  # what everyone has at least after an outage


@dataclass(frozen=True, slots=True)
class Held:
    """A round that waits, and until when."""

    round: int
    until: datetime


@dataclass(frozen=True, slots=True)
class Released:
    """What goes on: a held round, or (`extended`) one whose deadline passed while nothing was run."""

    round: int
    extended: Extended | None = None


def hold(site: Site, connection: Connection, running: Running, hours: int, why: str) -> Held:
    """The round being evaluated, or the open one once it has all it needs, waits so many hours from now."""
    need_why(why)
    site.open_words(why)
    if not 1 <= hours <= MOST:
        raise BadInput(f"a round can be held for 1 to {MOST} hours, not {hours}").named("hold_hours", most=MOST)
    loaded = _current(connection, running)
    _supersede(site, connection, loaded, HOLD, RELEASE)
    until = site.now + timedelta(hours=hours)
    decisions.decide(connection, [Entered(loaded.round.id, HOLD, {"until": stamp(until)}, "organizer", site.now)])
    site.write_down(connection, "round hold", why, running.league.id, round=loaded.round.number, until=stamp(until))
    _mark(connection, loaded)
    outbox.queue(connection, list(_mails(site, loaded, why, until)))
    return Held(loaded.round.number, until)


def release(site: Site, connection: Connection, running: Running, why: str) -> Released:
    """Let a held round go on, or one that closed long ago while nothing was run, with a fair extension for everyone."""
    need_why(why)
    site.open_words(why)
    overdue = _overdue(site, connection, running)
    if overdue is not None:
        until = _fair(running, overdue, site.now)
        found = next(r for r in rounds.rounds(connection, running.match.id) if r.id == overdue.round.id)
        moved = move_deadline(site, connection, running, found, until, why, act="round release")
        return Released(found.number, moved)
    loaded = _current(connection, running)
    kinds = {d.kind for d in loaded.decisions}
    if HOLD not in kinds and (not loaded.calendar.get("hold_hours") or RELEASE in kinds):
        slug = running.league.slug
        why_not = f"league round status {slug} says what it waits for"
        raise Refused(f"round {loaded.round.number} of {slug} is not held; {why_not}").named(
            "not_held", round=loaded.round.number
        )
    _supersede(site, connection, loaded, HOLD)
    decisions.decide(connection, [Entered(loaded.round.id, RELEASE, {}, "organizer", site.now)])
    site.write_down(connection, "round release", why, running.league.id, round=loaded.round.number)
    _mark(connection, loaded)
    return Released(loaded.round.number)


def _current(connection: Connection, running: Running) -> Loaded:
    """The oldest round that isn't done."""
    found = rounds.unresolved(connection, [running.match.id]).get(running.match.id, ())
    if not found:
        raise Refused(f"{running.league.slug} has no round that could wait").named("nothing_to_hold")
    (loaded,) = rounds.load_chunk(connection, [found[0].id])
    return loaded


def _overdue(site: Site, connection: Connection, running: Running) -> Loaded | None:
    """An open round that `run` refuses to close, as it should have been closed too long ago (DESIGN: Outage)."""
    found = rounds.unresolved(connection, [running.match.id]).get(running.match.id, ())
    long_ago = site.now - timedelta(hours=site.settings.site.outage_hours)
    late = next((r for r in found if r.status == rounds.OPEN and r.closes_at < long_ago), None)
    return rounds.load_chunk(connection, [late.id])[0] if late is not None else None


def _fair(running: Running, overdue: Loaded, now: datetime) -> datetime:
    """The first deadline of the league's own rhythm that leaves everyone time to move."""
    if RHYTHM in running.season.calendar:
        return next_moment(running.season.calendar, now + FAIR)
    calendar, number = dict(running.season.calendar), overdue.round.number
    moved = list(calendar.get("moved", ()))
    calendar = {**calendar, "moved": moved, "extended": {}}
    while round_of(calendar, overdue.round.match_id, number).deadline_at < now + FAIR:
        moved.append(number)
    return round_of(calendar, overdue.round.match_id, number).deadline_at


def _supersede(site: Site, connection: Connection, loaded: Loaded, *kinds: str) -> None:
    for decision in loaded.decisions:
        if decision.kind in kinds:
            decisions.supersede(connection, decision.id, site.now)


def _mark(connection: Connection, loaded: Loaded) -> None:
    places = (loaded.league_slug, f"{loaded.league_slug}/{loaded.round.number}")
    leagues.mark_unpublished(connection, places, token_hex(8))


def _mails(site: Site, loaded: Loaded, why: str, until: datetime) -> Iterable[OutMail]:
    league, info, shown = league_info(site, loaded, rules_of(loaded)), site_info(site), round_info(loaded.round, loaded)
    for place in loaded.seats:
        if place.status in leagues.PRESENT and place.address:
            facts: dict[str, Json] = {"why": why, "until": stamp(until)}
            text = words.round_mail(info, league, place.code, "held", shown, facts, any_order_or_press)
            kind = f"held/{stamp(until)}"
            yield outgoing(site, kind, text, place, loaded.match_slug, loaded.round.number, date=site.now)
