"""The table of mail hazards is held to the letters and tests that it names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "mail-hazards.md").read_text(encoding="utf-8"))


def test_every_hazard_has_its_row() -> None:
    """Eighty-two, numbered through."""
    assert [int(number) for number, *_ in ROWS] == list(range(1, 83))


@pytest.mark.parametrize(("number", "proofs"), [(number, proofs) for number, _, _, proofs in ROWS])
def test_what_a_row_names_is_there(number: str, proofs: str) -> None:
    """A letter by its name, a test by its file and function."""
    named = re.findall(r"`([^`]+)`", proofs)
    assert named, f"hazard {number} names nothing"
    for name in named:
        file, _, function = name.partition("::")
        if function:
            assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), name
        else:
            assert (ROOT / "tests" / "letters" / f"{name}.eml").is_file() or (ROOT / name).is_file(), name
