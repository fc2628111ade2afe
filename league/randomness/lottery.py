"""The lottery's six numbers as people write them."""

import re
from typing import Final

from league.core.json import Json

BALLS: Final = 6
HIGHEST: Final = 49


def six_numbers(written: Json) -> tuple[int, ...] | None:
    """The numbers in the order written, from a text or a list; None unless they are six different ones of 49."""
    if isinstance(written, str):
        parts = [part for part in re.split(r"[\s,;]+", written.strip()) if part]
    elif isinstance(written, (list, tuple)):
        parts = [str(part) for part in written]
    else:
        parts = []
    numbers = tuple(int(part) for part in parts if re.fullmatch(r"[0-9]{1,2}", part))
    right = len(parts) == len(numbers) == len(set(numbers)) == BALLS and all(1 <= n <= HIGHEST for n in numbers)
    return numbers if right else None
