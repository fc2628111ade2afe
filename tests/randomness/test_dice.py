import subprocess
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.evidence import Evidence
from league.randomness import dice as module
from league.randomness.dice import Dice

DAY = date(2026, 11, 7)
DICE = Dice("spring-1", 3, "lotto", DAY, "3 8 21 30 42 47")


def _sha256sum(text: str) -> int:
    done = subprocess.run(["sha256sum"], input=text.encode(), capture_output=True, check=True)
    return int(done.stdout.split()[0], 16)


def test_sha256sum_rolls_it_again() -> None:
    """Anyone gets the same number with a shell and nothing of ours."""
    number = _sha256sum('["spring-1",3,"lotto","2026-11-07","3 8 21 30 42 47","set-up 1",0]')
    assert DICE.below(49, "set-up 1") == number % 49
    assert Dice.of("spring-1", 3, Evidence("lotto", DAY, "3 8 21 30 42 47")) == DICE


def test_the_number_is_known() -> None:
    """The roll of this seed never changes, in no version."""
    assert [DICE.below(6, f"die {n}") for n in range(8)] == KNOWN


KNOWN = [2, 0, 4, 2, 1, 2, 0, 4]


def test_a_roll_that_would_favour_low_numbers_is_rolled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number past the last whole multiple of the bound counts for nothing; the next counter decides."""
    rolls = {0: module.RANGE - 1, 1: module.RANGE - 2, 2: 12}
    monkeypatch.setattr(Dice, "number", lambda _self, _purpose, counter: rolls[counter])
    assert DICE.below(10, "x") == 2
    assert DICE.below(2, "x") == 1


def test_a_bound_that_rejects_often_uses_later_counters() -> None:
    """With a bound just above half of the range about half of the first rolls are rejected, and sums agree by hand."""
    bound = 2**255 + 1
    again = 0
    for n in range(40):
        rolls = [_sha256sum(f'["spring-1",3,"lotto","2026-11-07","3 8 21 30 42 47","p{n}",{c}]') for c in range(12)]
        first = next(i for i, roll in enumerate(rolls) if roll < bound)
        again += first > 0
        assert DICE.below(bound, f"p{n}") == rolls[first]
    assert again > 5


@given(st.integers(1, 2**256), st.text(st.characters(codec="utf-8"), max_size=20))
def test_numbers_stay_below_the_bound(bound: int, purpose: str) -> None:
    """Whatever is asked, the answer is in range and the same again."""
    number = DICE.below(bound, purpose)
    assert 0 <= number < bound
    assert DICE.below(bound, purpose) == number


@pytest.mark.parametrize("bound", [0, -1, 2**256 + 1])
def test_impossible_dice_are_refused(bound: int) -> None:
    """Dice without sides are a program error."""
    with pytest.raises(ValueError, match="sides"):
        DICE.below(bound, "x")


def test_faces_are_equally_likely() -> None:
    """Over six thousand purposes every face comes about a thousand times."""
    faces = Counter(DICE.below(6, f"roll {n}") for n in range(6000))
    assert sorted(faces) == list(range(6))
    assert sum((n - 1000) ** 2 / 1000 for n in faces.values()) < 20.5  # chi square, 5 degrees, 0.1 %


def test_everything_in_the_seed_matters() -> None:
    """Another match, round, figure, day or reading rolls other numbers."""
    others = [
        Dice("spring-2", 3, "lotto", DAY, "3 8 21 30 42 47"),
        Dice("spring-1", 4, "lotto", DAY, "3 8 21 30 42 47"),
        Dice("spring-1", 3, "super6", DAY, "3 8 21 30 42 47"),
        Dice("spring-1", 3, "lotto", date(2026, 11, 14), "3 8 21 30 42 47"),
        Dice("spring-1", 3, "lotto", DAY, "3 8 21 30 47 42"),
    ]
    assert len({dice.number("x", 0) for dice in [DICE, *others]}) == 6
