"""The DAX at Yahoo, through yfinance.

Its index of days is converted to Frankfurt's time (in UTC a day would fall a day early), its errors aren't hidden, an
empty frame is an error and no holiday, and the bar of a day that isn't over is no close.
"""

import logging
import warnings
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from league.sources.answer import Reading, Role, Source, Unanswered, Why
from league.sources.holidays import SATURDAY, is_closed
from league.sources.numbers import cents

SYMBOL = "^GDAXI"
FRANKFURT = ZoneInfo("Europe/Berlin")
SETTLED = time(18, 30)  # trading ends at 17:30, the closing auction by 17:45; later corrections come within the hour
DAYS_BEFORE = timedelta(days=12)
History = Callable[[date, date], Any]  # first day, day after the last -> a frame with a column Close


def source(name: str = "yahoo", history: History | None = None) -> Source:
    """`history` stands in for the library's own question, in tests that answer as Yahoo does."""

    def read(day: date, now: datetime) -> Reading:
        frame = (history or _history)(day - DAYS_BEFORE, day + timedelta(days=3))
        closes = _closes(frame)
        return settled(name, closes, day, now)

    return Source(name, "dax_close", Role.VENDOR, "yahoo", read, "DAX close, Yahoo Finance (^GDAXI)")


def settled(name: str, closes: dict[date, Any], day: date, now: datetime) -> Reading:
    """The close of a day that is over, with the one before it."""
    local = now.astimezone(FRANKFURT)
    if day > local.date() or (day == local.date() and local.time() < SETTLED):
        raise Unanswered(Why.NOT_YET, f"{day} isn't over on the exchange (asked at {local:%H:%M} in Frankfurt)")
    traded = [d for d in closes if d > day and d.weekday() < SATURDAY and is_closed(d)]
    if traded:
        raise Unanswered(Why.CLOSED_DAY, f"a close of {traded[0]}, a day that the calendar calls closed")
    if day not in closes:
        raise Unanswered(Why.NOT_YET, f"no close of {day} yet; the newest is of {max(closes)}")
    earlier = [d for d in closes if d < day]
    before = cents(closes[max(earlier)]) if earlier else ""
    return Reading(name, "dax_close", day, cents(closes[day]), now, before=before)


def _closes(frame: Any) -> dict[date, Any]:
    """Day in Frankfurt -> close; `Unanswered` for an empty frame."""
    if frame is None or frame.empty or "Close" not in frame.columns:
        raise Unanswered(Why.STRANGE, "Yahoo sent an empty table; that is an error, not a holiday")
    index = frame.index
    local = index.tz_convert(FRANKFURT) if index.tz is not None else index.tz_localize("UTC").tz_convert(FRANKFURT)
    return {moment.date(): float(close) for moment, close in zip(local, frame["Close"], strict=True)}


def _history(first: date, after: date) -> Any:
    """The library's answer; its own exceptions told as ours."""
    import yfinance
    from yfinance.data import YfData

    logging.getLogger("yfinance").setLevel(logging.CRITICAL)  # what it says comes as an exception too
    yfinance.config.debug.hide_exceptions = False
    YfData.cache_get.cache_clear()  # else a second question in one process gets the first answer
    try:
        with warnings.catch_warnings():  # those of pandas are the library's business
            warnings.simplefilter("ignore")
            return yfinance.Ticker(SYMBOL).history(start=first.isoformat(), end=after.isoformat(), auto_adjust=False)
    except Exception as trouble:  # noqa: BLE001 - the library raises what it likes: its own, curl's, pandas'
        kind = type(trouble).__name__
        limit = "RateLimit" in kind or "429" in str(trouble)
        raise Unanswered(Why.LIMIT if limit else Why.UNREACHABLE, f"Yahoo gave no answer ({kind})") from None
