"""Dice of which some are known: for cases and for "what if", never for a league."""

from collections.abc import Mapping
from dataclasses import dataclass

from league.core.errors import BadInput
from league.core.evidence import RandomSource


@dataclass(frozen=True, slots=True)
class FixedDice:
    """Numbers by purpose as `below` gives them, from 0; every other purpose rolls `others`."""

    numbers: Mapping[str, int]
    others: RandomSource | None = None

    def below(self, bound: int, purpose: str) -> int:
        """The number that was fixed, else a fair one."""
        if purpose in self.numbers:
            number = self.numbers[purpose]
            if not 0 <= number < bound:
                raise BadInput(f"dice.{purpose} is {number}; a whole number from 0 to {bound - 1} is needed")
            return number
        if self.others is None:
            raise BadInput(f"dice: there is no number for '{purpose}', and no lottery draw to make it of")
        return self.others.below(bound, purpose)
