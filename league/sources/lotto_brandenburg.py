"""Lotto Brandenburg, one of the sixteen companies that hold the draw: its own JSON, balls in the order drawn."""

from datetime import date, datetime
from typing import Any

from league.sources.answer import Reading, Role, Source, Unanswered, Why
from league.sources.numbers import balls
from league.sources.web import as_json, get

URL = "https://www.lotto-brandenburg.de/app/getDrawResults"


def source(name: str = "lotto_brandenburg", url: str = URL) -> Source:
    """An answer names the day asked for only where it has a `drawDate`; the question names it always."""

    def read(day: date, now: datetime) -> Reading:
        body = get(url, now, gameType="LOTTO", date=day.isoformat(), useTipHighlighting="false")
        found = as_json(body, "Lotto Brandenburg")
        draw = _draw(found, "LOTTO")
        if draw is None:
            raise Unanswered(Why.NOT_YET, f"no draw of {day} yet")
        written = str(draw.get("drawDate") or day.isoformat())[:10]
        if written != day.isoformat():
            raise Unanswered(Why.NOT_YET, f"no draw of {day} yet; the answer was of {written}")
        numbers = draw.get("winningDigits")
        if not isinstance(numbers, list) or not numbers:
            raise Unanswered(Why.NOT_YET, "the draw is announced, its numbers aren't there yet")
        return Reading(name, "lotto", day, balls(numbers), now, _more(found, draw))

    return Source(name, "lotto", Role.ISSUER, "lotto_brandenburg", read, "Lotto 6aus49, Lotto Brandenburg")


def _draw(found: Any, kind: str) -> dict[str, Any] | None:
    rows = found if isinstance(found, list) else []
    return next((row for row in rows if isinstance(row, dict) and row.get("gameType") == kind), None)


def _more(found: Any, draw: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    def digits(kind: str, length: int) -> str:
        row = _draw(found, kind) or {}
        value = "".join(map(str, row.get("winningDigits") or ()))
        return value if value.isdecimal() and len(value) == length else ""

    super_number = str(draw.get("superNumber", ""))
    named = {
        "superzahl": super_number if super_number.isdecimal() and len(super_number) == 1 else "",
        "spiel77": digits("GAME_77", 7),
        "super6": digits("SUPER_6", 6),
    }
    return tuple((key, value) for key, value in named.items() if value)
