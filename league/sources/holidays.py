"""On which days the exchange in Frankfurt is closed: the rule that decides, never an empty answer (DESIGN: Chance)."""

from collections.abc import Collection
from datetime import date, timedelta

FIXED = frozenset({(1, 1), (5, 1), (12, 24), (12, 25), (12, 26), (12, 31)})
SATURDAY = 5
DAY = timedelta(days=1)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the rule of Gauss as Butcher wrote it)."""
    golden = year % 19
    century, rest = divmod(year, 100)
    skipped, leap = divmod(century, 4)
    moon = (19 * golden + century - skipped - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * leap + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def is_closed(day: date, extra: Collection[date] = ()) -> bool:
    """Weekends, Good Friday and Easter Monday, 1 January, 1 May, 24, 25, 26 and 31 December, and what config adds."""
    if day.weekday() >= SATURDAY or (day.month, day.day) in FIXED or day in extra:
        return True
    return day in {easter(day.year) - 2 * DAY, easter(day.year) + DAY}


def last_session(day: date, extra: Collection[date] = ()) -> date:
    """The day itself if the exchange is open, else the last one before on which it was."""
    while is_closed(day, extra):
        day -= DAY
    return day
