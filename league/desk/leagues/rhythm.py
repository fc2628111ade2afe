"""Deadlines that count from the report before: so many hours for a kind of phase, and then the next moment of a grid.

Where rounds open one by one, nothing but the report says when a round begins, so its deadline follows from that: the
first full hour, time of day or closing of the week after the hours of its kind (EUROPA's rules, 8.5). Hours are those
of the league's clocks: three days later is the same time of day, whatever was done to the clocks meanwhile. Holidays
don't count. Which draw decides follows from the closing alone: it is the first one after it (DESIGN: Chance).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from league.core.errors import BadInput, Refused
from league.core.game import Meta
from league.core.schedule import MarketDay, Weekly, instant
from league.storage.rounds import NewRound

RHYTHM = "rhythm"  # what a calendar calls it
OPENED = "opened"  # round -> when it opened, and the kind of its phase
HOUR, DAILY, WEEKLY = GRIDS = ("hour", "day", "week")
USUAL, SHORTEST, LONGEST = 72, 12, 24 * 28  # hours
DIGITS = "0123456789"
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
Calendar = Mapping[str, Any]
IsFree = Callable[[date], bool]


def make_rhythm(meta: Meta, every: Sequence[str], on: str) -> dict[str, Any]:
    """What a calendar keeps of `72h`, `vote=48h` and the grid; `BadInput` for what can't be meant."""
    if not meta.one_by_one or not meta.draws:
        raise BadInput(f"--every: rounds of {meta.slug} are a week's, as its figures are; use --deadline alone")
    hours = {"": USUAL}
    for written in every:
        kind, length = _pair(written, meta.phases)
        hours[kind] = length
    return {"hours": hours, "on": on, "draws": [asdict(draw) for draw in meta.draws]}


def _pair(written: str, kinds: Sequence[str]) -> tuple[str, int]:
    before, sign, after = written.strip().lower().rpartition("=")
    kind = before.strip()
    if sign and kind not in kinds:
        raise BadInput(f"--every '{written}': there is no phase '{kind}'; there are {', '.join(kinds)}")
    number, unit = after.strip()[:-1], after.strip()[-1:]
    if unit not in ("h", "d") or not (number.isascii() and number.isdecimal() and len(number) <= len(str(LONGEST))):
        raise BadInput(f"--every '{written}' is not understood; write it like 72h or 3d, or vote=48h for a phase")
    hours = int(number) * (24 if unit == "d" else 1)
    if not SHORTEST <= hours <= LONGEST:
        raise BadInput(f"--every '{written}': a phase lasts {SHORTEST} hours at least and {LONGEST // 24} days at most")
    return kind, hours


def hours_for(calendar: Calendar, kind: str) -> int:
    """How many hours a phase of this kind (VOTE2 is a vote) is open at least."""
    hours: Mapping[str, int] = calendar[RHYTHM]["hours"]
    return hours.get(kind.rstrip(DIGITS).lower(), hours[""])


def told(calendar: Calendar) -> str:
    """How long phases are open, in a line, as pages list it beside the options."""
    lengths = (f"{kind} {length} h".strip() for kind, length in sorted(calendar[RHYTHM]["hours"].items()))
    return ", ".join(lengths)


def closing(calendar: Calendar) -> tuple[int | None, str]:
    """Day of the week and time of the day at which they close; neither where any hour will do."""
    week, on = Weekly(**calendar["week"]), calendar[RHYTHM]["on"]
    at = f"{week.closes_hour:02}:{week.closes_minute:02}"
    return week.closes_day if on == WEEKLY else None, "" if on == HOUR else at


# ------------------------------------------------------------------ a round


def with_opened(calendar: Calendar, number: int, at: datetime, kind: str) -> dict[str, Any]:
    """The calendar that knows when the round opened, and what it asks."""
    row = {"at": at.astimezone(UTC).isoformat(), "kind": kind}
    return {**calendar, OPENED: {**calendar.get(OPENED, {}), str(number): row}}


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody, or everybody, has made of a round's times: another deadline, an early closing."""

    deadline: datetime | None = None
    closes: datetime | None = None


def round_of(calendar: Calendar, match_id: int, number: int, given: Given, is_free: IsFree) -> NewRound:
    """A round that has opened, or the first; its evaluation ends with the day of the draw that decides it."""
    grace = timedelta(minutes=calendar["grace_minutes"])
    opens, usual = _own(calendar, number, is_free)
    deadline = given.deadline or usual
    closes = given.closes or deadline + grace
    ends = instant(draw_day(calendar, closes), 24, ZoneInfo(calendar["zone"]))
    return NewRound(match_id, number, opens, deadline, closes, ends, calendar["zone"])


def _own(calendar: Calendar, number: int, is_free: IsFree) -> tuple[datetime, datetime]:
    """When a round opened, and its deadline by the rhythm."""
    row = calendar.get(OPENED, {}).get(str(number))
    if row is not None:
        at = datetime.fromisoformat(row["at"])
        return at, deadline_after(calendar, at, hours_for(calendar, row["kind"]), is_free)
    if number > 1:
        raise Refused(f"round {number} opens with the report of the one before it; nobody knows yet when").named(
            "opens_with_report", round=number - 1
        )
    zone, week = ZoneInfo(calendar["zone"]), Weekly(**calendar["week"])
    day = date.fromisoformat(calendar["first_day"])
    while is_free(day):
        day += 7 * DAY if calendar[RHYTHM]["on"] == WEEKLY else DAY
    return instant(day - 6 * DAY, 0, zone), instant(day, week.closes_hour, zone, week.closes_minute)


def deadline_after(calendar: Calendar, since: datetime, hours: int, is_free: IsFree) -> datetime:
    """The first moment of the grid so many hours after `since`, days of holidays not counted."""
    zone = ZoneInfo(calendar["zone"])
    start = since.astimezone(zone).replace(tzinfo=None)
    skipped = -1
    found, free = start, 0
    while free != skipped:
        skipped = free
        found = _on_grid(calendar, start + timedelta(hours=hours) + skipped * DAY)
        free = sum(map(is_free, _days(start, found)))
    return instant(found.date(), found.hour, zone, found.minute)


def behind(calendar: Calendar, given: datetime, first: date, is_free: IsFree) -> datetime:
    """A deadline that somebody gave, as many days later as there are free ones from `first` on until it is."""
    zone = ZoneInfo(calendar["zone"])
    local = given.astimezone(zone).replace(tzinfo=None)
    skipped, free = -1, 0
    while free != skipped:
        skipped = free
        free = sum(map(is_free, _days(datetime.combine(first, time()), local + skipped * DAY)))
    day = local.date() + free * DAY
    return instant(day, local.hour, zone, local.minute) + timedelta(seconds=local.second) if free else given


def _days(start: datetime, end: datetime) -> Iterator[date]:
    """The days on which this time lies; one that ends at midnight has nothing of the day that begins then."""
    last = (end - INSTANT).date()
    return (start.date() + n * DAY for n in range((last - start.date()).days + 1))


def _on_grid(calendar: Calendar, moment: datetime) -> datetime:
    """The first moment of the grid that isn't before this one, both on the league's clocks."""
    if calendar[RHYTHM]["on"] == HOUR:
        full = moment.replace(minute=0, second=0, microsecond=0)
        return full if full == moment else full + timedelta(hours=1)
    week = Weekly(**calendar["week"])
    after = timedelta(hours=week.closes_hour, minutes=week.closes_minute)
    midnight = datetime.combine(moment.date() - DAY, time())
    days = (midnight + n * DAY for n in range(9))
    weekly = calendar[RHYTHM]["on"] == WEEKLY
    return next(
        day + after for day in days if day + after >= moment and (not weekly or day.weekday() == week.closes_day)
    )


# ------------------------------------------------------------------ the draw that decides


def draw_day(calendar: Calendar, closes: datetime) -> date:
    """The day of the first draw after this closing: nobody may know it while orders can still be sent."""
    return _draw(calendar, closes)[0]


def known_from(calendar: Calendar, closes: datetime) -> datetime:
    """When that draw's numbers are known."""
    day, draw = _draw(calendar, closes)
    return draw.closing(day)


def _draw(calendar: Calendar, closes: datetime) -> tuple[date, MarketDay]:
    draws = [MarketDay(**row) for row in calendar[RHYTHM]["draws"]]
    first = closes.astimezone(UTC).date() - DAY
    days = (first + n * DAY for n in range(10))
    return next(
        (day, draw) for day in days for draw in draws if draw.weekday == day.weekday() and draw.opening(day) >= closes
    )
