"""Dice made of a public figure.

    number = SHA-256(JCS([match, round, figure, day, reading, purpose, counter])), 256 bits, big-endian

The list is JSON without spaces; `day` is an ISO date, `counter` starts at 0. A number below the largest multiple
of `bound` that fits into 256 bits gives `number mod bound`; any other is rolled again with the next counter,
because low results would be favoured. By hand:

    printf '["spring-1",3,"lotto","2026-11-07","3 8 21 30 42 47","set-up 1",0]' | sha256sum
"""

from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from itertools import count

import rfc8785

from league.core.evidence import Evidence

RANGE = 2**256


@dataclass(frozen=True, slots=True)
class Dice:
    """A round's fair numbers; the purpose picks the number, not the order of asking."""

    match: str
    round: int
    figure: str
    day: date
    reading: str

    @classmethod
    def of(cls, match: str, round_number: int, evidence: Evidence) -> "Dice":
        """The dice of a round, from the agreed reading they hang on."""
        return cls(match, round_number, evidence.figure, evidence.day, evidence.value)

    def below(self, bound: int, purpose: str) -> int:
        """A whole number from 0 to bound - 1, each equally likely."""
        if not 0 < bound <= RANGE:
            raise ValueError(f"no dice have {bound} sides")
        fair = RANGE - RANGE % bound
        return next(n for counter in count() if (n := self.number(purpose, counter)) < fair) % bound

    def number(self, purpose: str, counter: int) -> int:
        """The 256 bits of one roll."""
        seed: list[str | int] = [self.match, self.round, self.figure, self.day.isoformat()]
        return int.from_bytes(sha256(rfc8785.dumps([*seed, self.reading, purpose, counter])).digest())
