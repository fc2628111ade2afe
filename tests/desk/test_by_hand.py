"""What the documents tell players to type, typed: a receipt checked with nothing of ours."""

import re
import subprocess
from pathlib import Path
from shutil import copytree

import pytest

from tests.desk.sites import ROOT, add_league, at, drop, letter, make_site, outbox, run

RECIPE = re.compile(r"```sh\n(python3 -c .*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A receipt as it went out, and the league's records."""
    path = make_site(tmp_path / "site")
    add_league(path, names=("Anna", "Ben"))
    drop(path, letter("Ben", "join Portugal"), at("2024-01-03 10:00"))
    run(path, at("2024-01-03 11:00"))
    place = tmp_path / "by hand"
    place.mkdir()
    (place / "receipt.eml").write_bytes(outbox(path, "receipt", "Ben")[0].raw)
    copytree((path / "public").resolve() / "spring" / "records", place / "records")
    return place


def typed(folder: Path) -> str:
    (recipe,) = RECIPE.findall((ROOT / "docs" / "player.md").read_text(encoding="utf-8"))
    done = subprocess.run(["sh", "-c", recipe], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_a_saved_receipt_is_checked_by_hand(folder: Path) -> None:
    """The file has `=3D` in it as mails have, and OpenSSL finds the signature good all the same."""
    assert b"=3D" in (folder / "receipt.eml").read_bytes()
    assert "Signature Verified Successfully" in typed(folder)


def test_a_changed_receipt_fails_by_hand(folder: Path) -> None:
    """Another leaf in it, and the signature isn't of that."""
    raw = (folder / "receipt.eml").read_bytes()
    (folder / "receipt.eml").write_bytes(re.sub(rb"# leaf .{8}", b"# leaf 00000000", raw))
    assert "Signature Verified Successfully" not in typed(folder)
