"""Public figures as the rules see them, and the source of chance made from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Protocol

NEVER_CAME = "none"  # the reading of a figure that a league has stopped waiting for: no event hangs on it


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """An agreed reading of a public figure, in its canonical form: never a vendor's digits or name.

    `figure` is one of the names a game's `Meta.figures` asks for (KUEL: "dax_close", "eurusd", "lotto",
    and "lotto_set" where the six numbers are known but not the order in which they were drawn).
    """

    figure: str
    day: date
    value: str


def reading(evidence: Iterable[Evidence], figure: str) -> Evidence | None:
    """The one reading of a figure, or None while it isn't known."""
    return next((e for e in evidence if e.figure == figure), None)


class RandomSource(Protocol):
    """Fair numbers; the purpose picks the number, not the order of asking."""

    def below(self, bound: int, purpose: str) -> int:
        """A whole number from 0 to bound - 1, each equally likely."""
        ...
