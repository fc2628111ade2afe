"""Of which day each figure of a week is, and from when on it can be asked for."""

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from league.sources.holidays import is_closed, last_session

FRANKFURT = ZoneInfo("Europe/Berlin")
DAY = timedelta(days=1)
WEDNESDAY = 2
_FROM = {"dax_close": time(18, 30), "eurusd": time(16, 10), "lotto": time(19, 40), "lotto_set": time(19, 40)}


def day_of(figure: str, monday: date, closed: Collection[date] = ()) -> date | None:
    """The figure's day in the week that begins with a Monday; None where the week has none of it.

    The DAX is of Friday, or of the last session before where the exchange is closed on Friday (K47); then no rate is
    needed. The lottery is of Saturday.
    """
    friday = monday + 4 * DAY
    if figure == "dax_close":
        session = last_session(friday, closed)
        return session if session >= monday else None
    if figure == "eurusd":
        return None if is_closed(friday, closed) else friday
    return friday + DAY


def asked_from(figure: str, day: date) -> datetime:
    """When the first answer can be there; on Wednesdays numbers are drawn an hour earlier than on Saturdays."""
    if figure.startswith("lotto") and day.weekday() == WEDNESDAY:
        return datetime.combine(day, time(18, 40), FRANKFURT)
    return datetime.combine(day, _FROM.get(figure, time(12)), FRANKFURT)
