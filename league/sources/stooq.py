"""The DAX at Stooq: a CSV of days, with a personal key."""

import csv
from collections.abc import Callable
from datetime import date, datetime, timedelta

from league.sources.answer import Reading, Role, Source, Unanswered, Why
from league.sources.numbers import LEAST_INDEX as LEAST
from league.sources.numbers import plain
from league.sources.web import get, text
from league.sources.yahoo import settled

URL = "https://stooq.com/q/d/l/"
SYMBOL = "^dax"
DAYS_BEFORE = timedelta(days=12)


def source(key: Callable[[], str], name: str = "stooq", url: str = URL) -> Source:
    """`key`: what Stooq gives on request; without one it isn't asked."""

    def read(day: date, now: datetime) -> Reading:
        secret = key()
        if not secret:
            raise Unanswered(Why.NOT_SET_UP, "Stooq needs a key: [sources] stooq_key_file or stooq_key_env")
        first = (day - DAYS_BEFORE).strftime("%Y%m%d")
        last = (day + timedelta(days=1)).strftime("%Y%m%d")
        body = get(url, now, s=SYMBOL, d1=first, d2=last, i="d", apikey=secret)
        return settled(name, _closes(text(body, "Stooq")), day, now)

    return Source(name, "dax_close", Role.VENDOR, "stooq", read, "DAX close, Stooq (^dax)")


def _closes(source_text: str) -> dict[date, str]:
    if "limit" in source_text[:200].lower():
        raise Unanswered(Why.LIMIT, "Stooq wants fewer questions today")
    rows = csv.DictReader(source_text.splitlines())
    if not {"Date", "Close"} <= set(rows.fieldnames or ()):
        raise Unanswered(Why.STRANGE, "Stooq sent other columns than Date and Close")
    found = {}
    for row in rows:
        if None in row:
            raise Unanswered(Why.STRANGE, "Stooq sent a row with more cells than columns (commas in numbers?)")
        try:
            found[date.fromisoformat(row["Date"] or "")] = plain(row["Close"], least=LEAST)
        except ValueError:
            raise Unanswered(Why.STRANGE, "Stooq sent a day that is none") from None
    if not found:
        raise Unanswered(Why.STRANGE, "Stooq sent no day at all; that is an error, not a holiday")
    return found
