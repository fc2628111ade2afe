"""`league verify` of corrected leagues: second versions, adjustments, a new key among them, mails of all versions."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from league.delivery import verifier
from league.desk.acts.signing_key import rotate_key
from league.desk.pages.publish_pages import publish_now
from league.desk.proof.verify import verify
from league.desk.proof.verify_told import Told
from league.records import chain
from league.records.freeze import signing_seed
from league.records.manifest import seal_manifest
from league.records.note import Checkpoint
from tests.desk.mended import play, right
from tests.desk.sites import KEY, copy, opened
from tests.desk.test_correct import LONDON, monday


@pytest.fixture(scope="module")
def four(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four rounds are sealed, the fifth is open."""
    path = copy(_spring, tmp_path_factory.mktemp("four") / "site")
    play(path, 4)
    return path


def published(path: Path, now: Any) -> Told:
    """What is found once all is published, every mail that went out among it."""
    site = opened(path, now)
    publish_now(site, ())
    site.engine.dispose()
    found = verify(str(path), [path / "mail" / "out"])
    return next(one for one in found.all if one.league == "spring")


@pytest.mark.parametrize("mode", ["from_now", "recompute"])
def test_a_corrected_league_holds(mode: str, four: Path, tmp_path: Path) -> None:
    """Of both kinds, with the mails of the first version, and still after the next round and a new key."""
    path = copy(four, tmp_path / "site")
    right(path, 2, LONDON, monday(4), mode=mode)
    found = published(path, monday(4))
    assert found.holds, found.faults
    assert ("corrected", 2) in {(note["code"], note["round"]) for note in found.notes}
    assert ("older_version", 2) in {(note["code"], note["round"]) for note in found.notes}
    site = opened(path, monday(4))
    rotate_key(site, "to be sure")
    site.engine.dispose()
    play(path, 5, begin=5)
    right(path, 5, LONDON, monday(5), mode=mode)
    found = published(path, monday(5))
    assert found.holds, found.faults
    assert found.rounds == 5
    assert verifier.main([str(path / "public")]) == 0
    assert found.records > 8


def forged(path: Path, target: Path, how: Callable[[dict[str, Any]], None]) -> Path:
    """The published league with its last record changed, everything signed anew by who has the key."""
    where = Path(copytree((path / "public").resolve(), target))
    files = sorted((where / "spring" / "records").glob("*.json"))
    last = json.loads(next(file for file in files if '"kind":"adjustment"' in file.read_text()).read_bytes())
    file = next(file for file in files if json.loads(file.read_bytes()) == last)
    before = last.pop("previous")
    how(last)
    made = chain.seal(last, before)
    file.unlink()
    file.write_bytes(made.json)
    seed = signing_seed(bytes.fromhex(KEY))
    (where / "spring" / "records" / "checkpoint").unlink()
    note = Checkpoint("spring", "spring-1", len(files), made.sha256).sealed(seed)
    (where / "spring" / "records" / "checkpoint").write_bytes(note)
    hashes = {
        file.relative_to(where / "spring").as_posix(): sha256(file.read_bytes()).hexdigest()
        for file in (where / "spring").rglob("*")
        if file.is_file() and file.name != "manifest"
    }
    (where / "spring" / "manifest").unlink()
    (where / "spring" / "manifest").write_bytes(seal_manifest("spring", hashes, seed))
    return where / "spring"


def gift(body: dict[str, Any]) -> None:
    body["to"]["players"]["s1"]["score"] += 7


def other(body: dict[str, Any]) -> None:
    body["from"]["players"]["s1"]["score"] += 7


def untold(body: dict[str, Any]) -> None:
    body["applied"].pop()


def stranger(body: dict[str, Any]) -> None:
    body["of"][0] = "0" * 64


@pytest.mark.parametrize(
    ("how", "check", "field"),
    [
        (gift, "rounds", "to."),
        (other, "positions", "from"),
        (untold, "rounds", "applied"),
        (stranger, "positions", "of"),
    ],
)
def test_a_false_adjustment_is_found(
    how: Callable[[dict[str, Any]], None], check: str, field: str, four: Path, tmp_path: Path
) -> None:
    """Points given under cover of a correction, a position made up, a change that isn't told, another record's."""
    path = copy(four, tmp_path / "site")
    right(path, 2, LONDON, monday(4), mode="from_now")
    published(path, monday(4))
    (found,) = verify(str(forged(path, tmp_path / "forged", how))).leagues
    of_pages = {fault.file.rpartition("/")[2] for fault in found.faults if fault.check == "pages"}
    assert of_pages <= {"index.html", "history.json", "teaser.json", "map.svg", "orders.js"}  # they show the right one
    assert {fault.check for fault in found.faults} <= {"positions", "rounds", "pages"}
    assert any(fault.check == check and fault.field.startswith(field) and fault.round == 5 for fault in found.faults)
