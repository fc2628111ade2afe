"""When rounds open and close: wall-clock times in a named zone, resolved to instants."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

DAY, WEEK = timedelta(days=1), timedelta(days=7)


def instant(day: date, hour: int, zone: ZoneInfo, minute: int = 0) -> datetime:
    """The UTC instant of a wall-clock time; hour 24 is the next day's 0.

    A missing time means the first instant after the gap, a doubled one the later (DESIGN: deadlines).
    """
    day, hour = (day + DAY, 0) if hour == 24 else (day, hour)
    naive = datetime(day.year, day.month, day.day, hour, minute)  # noqa: DTZ001  # made aware in the next line
    early, late = naive.replace(tzinfo=zone), naive.replace(tzinfo=zone, fold=1)
    if early.utcoffset() == late.utcoffset():
        return early.astimezone(UTC)
    doubled = early.astimezone(UTC) < late.astimezone(UTC)
    if doubled:
        return late.astimezone(UTC)
    # In the gap: `fold=1` counts with the offset after it and lands before the gap's end by the gap's length.
    return _first_after_gap(late.astimezone(UTC), early.astimezone(UTC), zone)


def _first_after_gap(low: datetime, high: datetime, zone: ZoneInfo) -> datetime:
    before = low.astimezone(zone).utcoffset()
    while high - low > timedelta(minutes=1):
        middle = low + (high - low) / 2
        middle = middle.replace(second=0, microsecond=0)
        if middle in (low, high):
            break
        low, high = (middle, high) if middle.astimezone(zone).utcoffset() == before else (low, middle)
    return high


@dataclass(frozen=True, slots=True)
class Window:
    """The time in which a round's orders may arrive: [opens, closes], `deadline` being what is announced.

    Between `before`, when the round before closed, and `opens` no round is open.
    """

    before: datetime
    opens: datetime
    deadline: datetime
    closes: datetime


@dataclass(frozen=True, slots=True)
class MarketDay:
    """The day of the week whose public figures decide: orders must be closed before it opens.

    A freeze after `closes` was made when the first of the figures was known.
    """

    weekday: int
    opens_hour: int
    closes_hour: int
    closes_minute: int
    zone: str

    def opening(self, day: date) -> datetime:
        """The opening in the week (Monday to Sunday) of a day."""
        return instant(self._of_week(day), self.opens_hour, ZoneInfo(self.zone))

    def closing(self, day: date) -> datetime:
        """The close in the week of a day."""
        return instant(self._of_week(day), self.closes_hour, ZoneInfo(self.zone), self.closes_minute)

    def _of_week(self, day: date) -> date:
        return day + (self.weekday - day.weekday()) * DAY


@dataclass(frozen=True, slots=True)
class Weekly:
    """A week's rhythm: weekdays count from Monday 0; an hour may be 24."""

    opens_day: int
    opens_hour: int
    closes_day: int
    closes_hour: int
    closes_minute: int = 0

    def window(self, last_day: date, zone: ZoneInfo, grace: timedelta) -> Window:
        """The window whose deadline falls on `last_day` (its hour may be 24, the following midnight)."""
        opens = last_day - ((self.closes_day - self.opens_day) % 7) * DAY
        deadline = self._deadline(last_day, zone)
        before = self._deadline(last_day - WEEK, zone) + grace
        return Window(before, instant(opens, self.opens_hour, zone), deadline, deadline + grace)

    def extended(self, deadline: datetime, zone: ZoneInfo, grace: timedelta) -> Window:
        """The window of a round whose deadline was moved: it opened when it would have opened anyway."""
        day = (deadline.astimezone(zone) - DAY).date()  # one that opens within a day is the next round's
        opens = day - ((day.weekday() - self.opens_day) % 7) * DAY
        last_day = opens + ((self.closes_day - self.opens_day) % 7) * DAY
        return replace(self.window(last_day, zone, grace), deadline=deadline, closes=deadline + grace)

    def _deadline(self, day: date, zone: ZoneInfo) -> datetime:
        return instant(day, self.closes_hour, zone, self.closes_minute)

    def last_day_of_week(self, day: date) -> date:
        """The day on which orders close in the week (Monday to Sunday) of this day."""
        return day + (self.closes_day - day.weekday()) * DAY

    def last_day(self, on_or_after: date) -> date:
        """The first day, from this one on, on which orders close."""
        return on_or_after + ((self.closes_day - on_or_after.weekday()) % 7) * DAY
