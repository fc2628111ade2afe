"""The lottery's own site, lotto.de: a day's draw as JSON, each ball with the place in which it came (`index`)."""

from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from league.sources.answer import Reading, Role, Source, Unanswered, Why
from league.sources.numbers import balls
from league.sources.web import as_json, get

URL = "https://www.lotto.de/api/stats/entities.lotto/draws/"
GERMANY = ZoneInfo("Europe/Berlin")


def source(name: str = "lotto_de", url: str = URL) -> Source:
    """A day is asked for by its midnight in Germany, in milliseconds since 1970."""

    def read(day: date, now: datetime) -> Reading:
        midnight = datetime.combine(day, time(), GERMANY)
        found = as_json(get(f"{url}{int(midnight.timestamp()) * 1000}", now), "lotto.de")
        draw = _of_day(found, day)
        more = tuple((key, value) for key, value in _more(draw) if value)
        return Reading(name, "lotto", day, _numbers(draw), now, more)

    return Source(name, "lotto", Role.ISSUER, "lotto_de", read, "Lotto 6aus49, lotto.de")


def _of_day(found: Any, day: date) -> dict[str, Any]:
    draws = found if isinstance(found, list) else [found]
    days = {_day(draw): draw for draw in draws if isinstance(draw, dict) and "drawDate" in draw}
    if day not in days:
        newest = max(days, default=None)
        raise Unanswered(Why.NOT_YET, f"no draw of {day} yet" + (f"; the answer was of {newest}" if newest else ""))
    return days[day]


def _day(draw: dict[str, Any]) -> date:
    """The draw's day: milliseconds since 1970, or a written day."""
    written = draw["drawDate"]
    try:
        if isinstance(written, str) and not written.isdecimal():
            return date.fromisoformat(written[:10])
        return datetime.fromtimestamp(int(written) // 1000, UTC).astimezone(GERMANY).date()
    except (ValueError, OverflowError, OSError, TypeError):
        raise Unanswered(Why.STRANGE, "lotto.de sent a draw without a day") from None


def _numbers(draw: dict[str, Any]) -> str:
    """In the order drawn. Without a place for each ball the order isn't known, and is never made up."""
    rows = draw.get("drawNumbersCollection")
    if not isinstance(rows, list) or not rows:
        raise Unanswered(Why.NOT_YET, "the draw is announced, its numbers aren't there yet")
    try:
        placed = {int(row["index"]): row["drawNumber"] for row in rows}
    except (KeyError, TypeError, ValueError):
        raise Unanswered(Why.STRANGE, "lotto.de doesn't say in which order the balls came") from None
    if sorted(placed) not in (list(range(1, 7)), list(range(6))):
        raise Unanswered(Why.STRANGE, "lotto.de doesn't say in which order the balls came")
    return balls([placed[place] for place in sorted(placed)])


def _more(draw: dict[str, Any]) -> list[tuple[str, str]]:
    def numbers(key: str, length: int) -> str:
        value = str((draw.get(key) or {}).get("numbers", "")) if isinstance(draw.get(key), dict) else ""
        return value if value.isdecimal() and len(value) == length else ""

    super_number = str(draw.get("superNumber", ""))
    return [
        ("superzahl", super_number if super_number.isdecimal() and len(super_number) == 1 else ""),
        ("spiel77", numbers("game77", 7)),
        ("super6", numbers("super6", 6)),
    ]
