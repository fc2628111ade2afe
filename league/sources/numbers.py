"""Numbers as providers write them, to plain decimals; nothing is guessed, no float is kept."""

import re
from decimal import Decimal, InvalidOperation

from league.sources.answer import Unanswered, Why

_ENGLISH = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
_GERMAN = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?|[0-9]+(?:,[0-9]+)?")
LEAST_INDEX = 500  # no DAX was ever as low; a number below is a per cent, or thousands read as a fraction
_SPACES = re.compile(r"[\s\u00a0\u202f']")


def plain(written: object, *, form: str = "en", least: int = 0) -> str:
    """A positive number in canonical form, trailing zeros kept as written; `form` is en (1,234.56) or de (1.234,56).

    `1` for 1.0000 is a number like any other. A NaN, an empty cell, a negative number or the other form is an answer
    that can't be used: `Unanswered`. `least`: below it the number is another thing (a change in per cent, say).
    """
    text = _SPACES.sub("", str(written))
    pattern = _GERMAN if form == "de" else _ENGLISH
    if not text or not pattern.fullmatch(text):
        raise Unanswered(Why.STRANGE, f"'{str(written)[:40]}' is no number in the form that was agreed")
    text = text.replace(".", "").replace(",", ".") if form == "de" else text.replace(",", "")
    number = Decimal(text)
    if number <= least:
        raise Unanswered(Why.STRANGE, f"{text} is too small to be the figure")
    return f"{number:f}"


def cents(number: object) -> str:
    """An index as a vendor's float gives it, to two decimals; those never change its integer part."""
    try:
        value = Decimal(repr(number) if isinstance(number, float) else str(number))
        if not value.is_finite():
            raise Unanswered(Why.STRANGE, "the figure is missing (NaN)")
        rounded = value.quantize(Decimal("0.01"))
    except InvalidOperation:
        raise Unanswered(Why.STRANGE, f"'{str(number)[:40]}' is no number") from None
    if int(rounded) != int(value):
        raise Unanswered(Why.STRANGE, f"{value} is too near to a whole number to be rounded")
    if rounded <= 0:
        raise Unanswered(Why.STRANGE, f"{value} is no index")
    return f"{rounded:f}"


def balls(numbers: list[object]) -> str:
    """Six different numbers from 1 to 49, in the order given."""
    found = [int(str(n)) for n in numbers if re.fullmatch(r"[0-9]{1,2}", str(n).strip())]
    if len(numbers) != 6 or len(set(found)) != 6 or not all(1 <= n <= 49 for n in found):
        raise Unanswered(Why.STRANGE, "the draw isn't six different numbers from 1 to 49")
    return " ".join(map(str, found))
