"""The lottery's drawn numbers, from which every die and shuffle is made (8.7)."""

from collections.abc import Mapping
from datetime import date

from league.core.errors import BadInput
from league.core.evidence import Evidence
from league.core.json import Json
from league.randomness.lottery import six_numbers

KEYS = ("lotto", "lotto_day")
DRAW_DAYS = (2, 5)  # Wednesday and Saturday


def read_evidence(table: Mapping[str, Json]) -> tuple[Evidence, ...]:
    """The draw of an evidence table, in canonical form; `BadInput` names the key, the value and what is right."""
    for key in table:
        if key not in KEYS:
            raise BadInput(f"evidence: no key '{key}'; there are {', '.join(KEYS)}")
    if "lotto" not in table:
        return ()
    numbers = six_numbers(table["lotto"])
    if numbers is None:
        raise BadInput(
            f"evidence.lotto is {table['lotto']!r}; six different numbers from 1 to 49 are needed, in the order drawn"
        )
    return (Evidence("lotto", _day(table), " ".join(map(str, numbers))),)


def _day(table: Mapping[str, Json]) -> date:
    if "lotto_day" not in table:
        raise BadInput("evidence.lotto_day is missing; it is the day of the draw, a Wednesday or Saturday")
    try:
        day = date.fromisoformat(str(table["lotto_day"])[:10])
    except ValueError:
        raise BadInput(f"evidence.lotto_day is '{table['lotto_day']}'; a day like 2024-01-06 is needed") from None
    if day.weekday() not in DRAW_DAYS:
        raise BadInput(f"evidence.lotto_day is {day}, a {day:%A}; numbers are drawn on Wednesdays and Saturdays")
    return day
