"""`league round pause`: holidays of the league. Rounds that are still to come move behind them; nothing that has begun.

A round whose orders would be due in the pause gets the first week after it; so do those behind it, in their order.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from secrets import token_hex
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.desk.acts.changing import changing
from league.desk.clock import stamp
from league.desk.leagues.calendar import (
    Pause,
    check_month,
    extended,
    last_day,
    last_evaluation_day,
    open_for_change,
    round_of,
    with_pause,
)
from league.desk.leagues.infos import league_info, next_round_info, round_info, site_info
from league.desk.leagues.rhythm import RHYTHM
from league.desk.leagues.turns import rules_of
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Running, Site, find_running
from league.reports import mails as words
from league.reports.context import PauseInfo, RoundInfo
from league.storage import leagues, outbox, rounds
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded, Round


@dataclass(frozen=True, slots=True)
class Paused:
    """The round that is open or opens next, with its new times."""

    pause: Pause
    round: Round


def pause_rounds(site: Site, slug: str, first: date, last: date, *, why: str) -> Paused:
    """Keep the weeks whose deadline falls into these days free, and tell everyone."""
    if not why.strip():
        raise BadInput("say why with --why: it is written down and everyone is told")
    site.open_words(why)
    pause = Pause(first, last, why.strip())
    with changing(site, "round pause") as connection:
        running = find_running(site, connection, slug)
        open_ = open_for_change(connection, running.season.calendar, running.match.id, site.now)
        calendar = with_pause(running.season.calendar, pause)
        _check(connection, running, calendar, open_, pause)
        rounds.store_calendar(connection, running.season.id, calendar)
        moved = _move(connection, calendar, open_)
        days = {"from": first.isoformat(), "to": last.isoformat()}
        site.write_down(connection, "round pause", why, running.league.id, **days)
        leagues.mark_unpublished(connection, [slug], token_hex(8))
        (loaded,) = rounds.load_chunk(connection, [open_.id])
        outbox.queue(connection, list(_mails(site, loaded, pause)))
        return Paused(pause, moved)


def _check(connection: Connection, running: Running, calendar: dict[str, Any], open_: Round, pause: Pause) -> None:
    """Only what hasn't begun can move, and no month may lose the evaluation that decides it (K80)."""
    if RHYTHM in calendar:
        _check_days(calendar["zone"], open_, pause)
        return
    before, number = running.season.calendar, open_.number
    begun = [n for n in range(1, number) if last_day(before, n) != last_day(calendar, n)]
    if begun:
        raise Refused(f"round {begun[0]} is closed already; a pause can't reach back to {pause.first}")
    if last_day(before, number) != last_day(calendar, number):
        (loaded,) = rounds.load_chunk(connection, [open_.id])
        if loaded.submissions:
            day = last_day(before, number)
            raise Refused(f"orders for round {number} are in already, so {day} can't be in a pause: begin it later")
    given = extended(calendar, number)
    if given is not None and pause.holds(day := last_evaluation_day(given, calendar["zone"])):
        raise Refused(
            f"the deadline of round {number} was moved to {day}, so that day can't be in a pause: begin it later, or "
            f"extend the round beyond it first"
        )
    following = [n for n in range(number, number + 60) if pause.holds(last_day(before, n))]
    if not following:
        raise BadInput(f"no round's orders are due from {pause.first} to {pause.last}: there is nothing to pause")
    earlier = [r for r in rounds.rounds(connection, running.match.id) if r.number == number - 1]
    if earlier and earlier[0].status == rounds.RESOLVED:  # one that waits is still evaluated by the new calendar
        check_month(calendar, before, running.match.id, number - 1)


def _check_days(zone: str, open_: Round, pause: Pause) -> None:
    """Where deadlines count from the report before, days of holidays aren't counted; those that have passed were."""
    opened = open_.opens_at.astimezone(ZoneInfo(zone)).date()
    if pause.first < opened:
        raise Refused(f"round {open_.number} is open since {opened}; a pause can't reach back to {pause.first}")


def _move(connection: Connection, calendar: dict[str, Any], open_: Round) -> Round:
    new = round_of(calendar, open_.match_id, open_.number)
    if new.deadline_at == open_.deadline_at:
        return open_
    times = {name: getattr(new, name) for name in ("opens_at", "deadline_at", "closes_at", "ends_at")}
    if not rounds.reschedule(connection, open_.id, **times):
        raise Refused(f"round {open_.number} isn't open any more")
    return replace(open_, **times)


def _mails(site: Site, loaded: Loaded, pause: Pause) -> Iterable[OutMail]:
    league, info = league_info(site, loaded, rules_of(loaded)), site_info(site)
    days = PauseInfo(pause.first, pause.last, pause.why)
    following = _after(loaded, pause)
    for place in loaded.seats:
        if place.status in leagues.PRESENT and place.address:
            is_open = following.opens <= site.now
            text = words.pause_mail(info, league, place.code, days, following, any_order_or_press, is_open=is_open)
            kind = f"pause/{stamp(site.now)}"
            yield outgoing(site, kind, text, place, loaded.match_slug, loaded.round.number, date=site.now)


def _after(loaded: Loaded, pause: Pause) -> RoundInfo:
    """The first round behind the pause; where nobody knows which that will be, the open one."""
    if RHYTHM in loaded.calendar:
        return round_info(loaded.round, loaded)
    number = loaded.round.number
    while last_day(loaded.calendar, number) <= pause.last:
        number += 1
    if number == loaded.round.number:
        return round_info(loaded.round, loaded)
    return next_round_info(round_of(loaded.calendar, loaded.round.match_id, number))
