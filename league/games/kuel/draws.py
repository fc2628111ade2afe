"""What the rules make of public figures (chapters 5 and 6), with the working step by step.

A step is a code and its values joined by "|": the catalogs word it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil, floor

from league.core.errors import BadInput
from league.core.evidence import NEVER_CAME, Evidence
from league.core.json import Json
from league.randomness.lottery import six_numbers

FIELDS = 28
REPDIGITS = (11, 22, 33, 44)
FRIDAY, SATURDAY = 4, 5
WEEK_START_TO_FRIDAY = 4
KEYS = ("dax_close", "dax_day", "eurusd", "lotto", "lotto_set", "lotto_day")


@dataclass(frozen=True, slots=True)
class Draw:
    """A field's number, None for no event; `world` for the world collapse; `needs` names a figure still missing.

    `undecided`: the numbers are known but not the order in which they came, and the order decides (K51).
    """

    number: int | None
    steps: tuple[str, ...]
    world: bool = False
    needs: str = ""
    undecided: bool = False


def friday_of(day: date) -> date:
    """The Friday of the week (Monday to Sunday) in which a day lies."""
    return day + timedelta(FRIDAY - day.weekday())


def civil_war(close: Evidence, rate: Evidence | None, friday: date, rounding: str, fields: int = FIELDS) -> Draw:
    """The field in which civil war breaks out (K46 to K48); none without a close for good."""
    if close.value == NEVER_CAME:
        return Draw(None, (f"never_came|{close.day}",))
    steps = [f"close|{close.value}|{close.day}"]
    if close.day != friday:
        return Draw(None, (*steps, f"holiday|{friday}"))
    ending = int(Decimal(close.value)) % 100
    steps.append(f"last_two|{ending:02d}")
    if ending == 0:
        return Draw(None, (*steps, "zero"))
    value = Fraction(ending)
    while value > fields:
        half = value / 2
        steps.append(f"halve|{_plain(value)}|{_plain(half)}{_bound(fields)}")
        value = half
        if rounding == "each" and value.denominator != 1:
            if rate is None or _is_gone(rate):
                return _unrounded(steps, rate)
            value = _rounded(value, rate, steps)
    if value.denominator != 1:
        if rate is None or _is_gone(rate):
            return _unrounded(steps, rate)
        value = _rounded(value, rate, steps)
    return Draw(int(value), (*steps, f"field|{int(value)}"))


def _unrounded(steps: list[str], rate: Evidence | None) -> Draw:
    """A fraction waits for the rate, or, where nobody waits any more, names no field."""
    if rate is None:
        return Draw(None, tuple(steps), needs="eurusd")
    return Draw(None, (*steps, f"never_came|{rate.day}"))


def _is_gone(rate: Evidence | None) -> bool:
    """Whether nobody waits for the rate any more."""
    return rate is not None and rate.value == NEVER_CAME


def _rounded(value: Fraction, rate: Evidence, steps: list[str]) -> Fraction:
    dollars = Decimal(rate.value)
    steps.append(f"rate|{rate.value}|{rate.day}")
    if dollars > 1:
        whole, word = floor(value), "down"
    elif dollars < 1:
        whole, word = ceil(value), "up"
    else:
        whole, word = floor(value + Fraction(1, 2)), "half_up"
    steps.append(f"{word}|{whole}")
    return Fraction(whole)


def _bound(fields: int, more: int = 0) -> str:
    """Where a step stops on an own board; on KUEL's the words have the number."""
    return "" if fields == FIELDS else f"|{fields + more}"


def _plain(value: Fraction) -> str:
    return str(Decimal(value.numerator) / Decimal(value.denominator))


def collapse(draw: Evidence, order: str, fields: int = FIELDS) -> Draw:
    """The country whose economy collapses (K50, K51); `order` is drawn or sorted."""
    if draw.value == NEVER_CAME:
        return Draw(None, (f"never_came|{draw.day}",))
    numbers = [int(n) for n in draw.value.split()]
    if order == "sorted":
        numbers.sort()
    steps = [f"numbers|{' '.join(map(str, numbers))}|{draw.day}"]
    repdigit = next((n for n in numbers if n in REPDIGITS), None)
    if repdigit is None:
        return Draw(None, (*steps, "no_repdigit"))
    steps.append(f"repdigit|{repdigit}")
    on_board = [n for n in numbers if n <= fields]
    if not on_board:
        return Draw(None, (*steps, f"no_field{_bound(fields, 1)}", "world"), world=True)
    if draw.figure == "lotto_set" and order == "drawn" and len(on_board) > 1:
        return Draw(None, tuple(steps), undecided=True)
    return Draw(on_board[0], (*steps, f"first|{on_board[0]}{_bound(fields, 1)}"))


def read_evidence(table: Mapping[str, Json]) -> tuple[Evidence, ...]:
    """The figures of an evidence table, in canonical form; `BadInput` names the key, the value and what is right."""
    for key in table:
        if key not in KEYS:
            raise BadInput(f"evidence: no key '{key}'; there are {', '.join(KEYS)}")
    saturday = _day(table, "lotto_day")
    if saturday is not None and saturday.weekday() != SATURDAY:
        raise BadInput(f"evidence.lotto_day is {saturday}, a {saturday:%A}; the Saturday's draw counts (K50)")
    close_day = _day(table, "dax_day")
    if saturday is not None and close_day is not None:
        _same_week(close_day, saturday)
    found = [
        _close(table, close_day),
        _rate(table, close_day, saturday),
        *(_balls(table, key, saturday, close_day) for key in ("lotto", "lotto_set")),
    ]
    return tuple(e for e in found if e is not None)


def _same_week(close_day: date, saturday: date) -> None:
    friday = saturday - timedelta(1)
    if not friday - timedelta(WEEK_START_TO_FRIDAY) <= close_day <= friday:
        raise BadInput(
            f"evidence.dax_day is {close_day}; it must be the Friday {friday}, or, where that was an exchange holiday, "
            f"the trading day before it in the same week (K47)"
        )


def _close(table: Mapping[str, Json], day: date | None) -> Evidence | None:
    if "dax_close" not in table:
        if day is not None:
            raise BadInput("evidence.dax_close is missing; dax_day alone says nothing")
        return None
    value = index_number(_text(table, "dax_close"))
    if day is None:
        raise BadInput("evidence.dax_day is missing; it says whether the close is the Friday's (K47)")
    if day.weekday() > FRIDAY:
        raise BadInput(f"evidence.dax_day is {day}, a {day:%A}; the exchange is closed then")
    return Evidence("dax_close", day, value)


def _rate(table: Mapping[str, Json], close_day: date | None, saturday: date | None) -> Evidence | None:
    if table.get("eurusd") in (None, ""):
        return None
    text = _text(table, "eurusd").replace(",", ".")
    try:
        rate = Decimal(text)
    except InvalidOperation:
        rate = Decimal(0)
    if not (rate.is_finite() and rate > 0):
        raise BadInput(f"evidence.eurusd is '{text}'; dollars for one euro are needed, like 1.0842 (K46)")
    day = close_day or (saturday - timedelta(1) if saturday else None)
    if day is None:
        raise BadInput("evidence.eurusd has no day; give dax_day or lotto_day")
    return Evidence("eurusd", day, f"{rate:f}")


def _balls(table: Mapping[str, Json], key: str, saturday: date | None, close_day: date | None) -> Evidence | None:
    if key not in table:
        return None
    written = table[key]
    numbers = six_numbers(written)
    if numbers is None:
        raise BadInput(f"evidence.{key} is {written!r}; six different numbers from 1 to 49 are needed, in order (K50)")
    day = saturday or (friday_of(close_day) + timedelta(1) if close_day else None)
    if day is None:
        raise BadInput("evidence.lotto_day is missing; it is the Saturday of the draw")
    return Evidence(key, day, " ".join(map(str, sorted(numbers) if key == "lotto_set" else numbers)))


def _text(table: Mapping[str, Json], key: str) -> str:
    text = str(table[key]).strip()
    if not text or table[key] is None or isinstance(table[key], bool):
        raise BadInput(
            f"evidence.{key} is empty; an empty answer is never a holiday: leave it out while it isn't known"
        )
    return text


def _day(table: Mapping[str, Json], key: str) -> date | None:
    if key not in table:
        return None
    text = _text(table, key)
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        raise BadInput(f"evidence.{key} is '{text}'; a day like 2024-01-05 is needed") from None


POINT = re.compile(r"[0-9]{1,3}(,[0-9]{3})*(\.[0-9]+)?|[0-9]+(\.[0-9]+)?")
COMMA = re.compile(r"[0-9]{1,3}(\.[0-9]{3})*(,[0-9]+)?|[0-9]+(,[0-9]+)?")
ONE_MARK = re.compile(r"[0-9]{1,3}[.,][0-9]{3}")


def index_number(text: str) -> str:
    """An index's close in English or German form as a plain decimal; ambiguous forms like 15.229 are refused."""
    plain = text.replace("\u00a0", "").replace(" ", "").replace("'", "")
    english, german = POINT.fullmatch(plain), COMMA.fullmatch(plain)
    if ONE_MARK.fullmatch(plain) or not (english or german):
        hint = "it can be read in two ways" if english else "it is no number"
        raise BadInput(f"evidence.dax_close is '{text}': {hint}; write it like 15229.10 or 15.229,10")
    number = plain.replace(",", "") if english else plain.replace(".", "").replace(",", ".")
    return f"{Decimal(number):f}"
