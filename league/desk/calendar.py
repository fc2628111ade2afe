"""A season's calendar: what its opening record fixed, and the rounds that follow from it."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from league.core.errors import BadInput
from league.core.game import Meta
from league.core.schedule import Weekly
from league.storage.rounds import NewRound, Round, open_rounds

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEK = timedelta(days=7)


def make_calendar(meta: Meta, start: date, zone: str, grace_minutes: int, deadline: str | None) -> dict[str, Any]:
    """The calendar of a new season; `BadInput` where orders would close after the figures that decide."""
    week = meta.week if deadline is None else _closing(meta.week, deadline)
    last_day = week.last_day(start)
    window = week.window(last_day, ZoneInfo(zone), timedelta(minutes=grace_minutes))
    opening = meta.market.opening(last_day)
    if window.closes > opening:
        local = opening.astimezone(ZoneInfo(zone))
        raise BadInput(
            f"orders would be open until {window.closes.astimezone(ZoneInfo(zone)):%A %H:%M}; the figures that decide "
            f"are made from {local:%A %H:%M} on, so the deadline with its grace must be earlier"
        )
    return {"week": asdict(week), "zone": zone, "grace_minutes": grace_minutes, "first_day": last_day.isoformat()}


def _closing(week: Weekly, written: str) -> Weekly:
    """The week with another deadline, written like "wednesday 20:00" or "thu 24:00"."""
    day, _, time = written.strip().lower().partition(" ")
    found = [index for index, name in enumerate(DAYS) if len(day) >= 3 and name.startswith(day)]
    hour, _, minute = time.partition(":")
    number = int(hour) * 60 + int(minute) if hour.isdecimal() and minute.isdecimal() else -1
    if len(found) != 1 or not 0 <= number <= 24 * 60 or int(minute) > 59:
        raise BadInput(f"deadline '{written}' is not understood; write it like 'thursday 24:00'")
    return replace(week, closes_day=found[0], closes_hour=int(hour), closes_minute=int(minute))


def round_of(calendar: Mapping[str, Any], match_id: int, number: int) -> NewRound:
    """The round of this number by the calendar; its evaluation ends when the next window opens."""
    zone, grace = ZoneInfo(calendar["zone"]), timedelta(minutes=calendar["grace_minutes"])
    week = Weekly(**calendar["week"])
    day = last_day(calendar, number)
    window, following = week.window(day, zone, grace), week.window(day + WEEK, zone, grace)
    return NewRound(match_id, number, window.opens, window.deadline, window.closes, following.opens, calendar["zone"])


def last_day(calendar: Mapping[str, Any], number: int) -> date:
    """The day on which a round's orders close."""
    return date.fromisoformat(calendar["first_day"]) + (number - 1) * WEEK


def open_up_to(connection: Connection, calendar: Mapping[str, Any], newest: Round, moment: datetime) -> None:
    """Open the rounds after the newest one whose orders may be arriving by now."""
    fresh, closes, number = [], newest.closes_at, newest.number
    while closes < moment:
        number += 1
        fresh.append(round_of(calendar, newest.match_id, number))
        closes = fresh[-1].closes_at
    open_rounds(connection, fresh)
