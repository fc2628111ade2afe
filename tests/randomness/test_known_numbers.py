"""Numbers of the lottery as people write them, and dice of which some are known."""

import pytest

from league.core.errors import BadInput
from league.core.json import Json
from league.randomness.fixed import FixedDice
from league.randomness.lottery import six_numbers


@pytest.mark.parametrize(
    "written", ["3 9 17 25 31 48", "3, 9;17  25,31 48", [3, 9, 17, 25, 31, 48], ("3", "9", 17, 25, 31, 48)]
)
def test_six_numbers_are_read_however_they_are_written(written: Json) -> None:
    """In a text or a list, in the order written."""
    assert six_numbers(written) == (3, 9, 17, 25, 31, 48)


@pytest.mark.parametrize(
    "written", ["", None, 6, "1 2 3 4 5", "1 2 3 4 5 5", "0 1 2 3 4 5", "1 2 3 4 5 50", "1 2 3 4 5 6.0"]
)
def test_anything_else_is_no_draw(written: Json) -> None:
    """Too few, twice the same, or none of the 49."""
    assert six_numbers(written) is None


class Ones:
    """Dice that always show the same."""

    def below(self, bound: int, purpose: str) -> int:
        assert purpose
        return min(1, bound - 1)


def test_known_numbers_go_before_the_others() -> None:
    """What is named is that; the rest is rolled, and without a draw it is an error that names the purpose."""
    assert FixedDice({"a": 5}, Ones()).below(6, "a") == 5
    assert FixedDice({"a": 5}, Ones()).below(6, "b") == 1
    with pytest.raises(BadInput, match=r"dice\.a is 6; a whole number from 0 to 5"):
        FixedDice({"a": 6}).below(6, "a")
    with pytest.raises(BadInput, match="no number for 'b'"):
        FixedDice({"a": 5}).below(6, "b")
