"""What a corrected league publishes holds for anybody who recomputes it, and so does the report that tells of it."""

import subprocess
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from league.desk.proof.verify import verify
from tests.desk.mended import close, enter, play, right, thursday
from tests.desk.sites import copy, outbox, run
from tests.desk.weeks import utc

NOW = utc(thursday(4) + timedelta(days=4), 9)
AFTER = NOW + timedelta(minutes=10)


@pytest.fixture(scope="module")
def _four(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_spring, tmp_path_factory.mktemp("verified") / "site")
    play(path, 4)
    return path


@pytest.fixture
def four(_four: Path, tmp_path: Path) -> Path:
    """Four rounds are sealed, the fifth is open."""
    return copy(_four, tmp_path / "site")


def faults(path: Path, mails: Sequence[Path] = ()) -> list[str]:
    """What anybody finds wrong, with our program and with the published one of one file."""
    found = verify(str(path / "public"), mails)
    told = [str(fault) for one in found.all for fault in one.faults]
    script, folder = str(path / "public" / "verify.py"), str(path / "public")
    alone = subprocess.run([sys.executable, "-I", script, folder], capture_output=True, text=True, check=False)
    return told + ([alone.stdout + alone.stderr] if alone.returncode else [])


@pytest.mark.parametrize("mode", ["from_now", "recompute"])
def test_a_correction_is_verified(mode: str, four: Path) -> None:
    """Versions, adjustments, what was evaluated again, pages: all of it fits together, then and a round later."""
    right(four, 2, "16705.56", NOW, mode=mode)
    run(four, AFTER)
    assert faults(four) == []
    close(four, 5)
    enter(four, 5)
    run(four, utc(thursday(5) + timedelta(days=2), 22))
    assert faults(four) == []


def test_corrections_upon_corrections_are_verified(four: Path) -> None:
    """From now on, then evaluated again, then once more from now on."""
    for minutes, (number, dax, mode) in enumerate(
        [(2, "16705.56", "from_now"), (3, "16711.00", "recompute"), (2, "16709.00", "from_now")]
    ):
        right(four, number, dax, NOW + timedelta(minutes=minutes), mode=mode)
    run(four, AFTER)
    assert faults(four) == []


def test_the_mail_of_a_correction_is_verified(four: Path, tmp_path: Path) -> None:
    """Its record, its place in the chain and the signature over both are those of what is published."""
    right(four, 2, "16705.56", NOW)
    run(four, AFTER)
    (mail,) = [m for m in outbox(four, "report", "Ben") if "version 2" in str(m.mail["Subject"])]
    file = tmp_path / "report.eml"
    file.write_bytes(mail.raw)
    assert faults(four, [file]) == []
    found = verify(str(four / "public"), [file])
    assert sum(one.checked["mails"] for one in found.all) == 1
