"""Messages for everybody are sealed as salted hashes, and verification holds when their words are gone."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from league.desk.acts.forget_player import forget
from league.desk.proof.verify import verify
from league.desk.proof.verify_told import Told
from league.records.press import press_hash
from tests.desk.signed import SITE_SEED, alone, resign, rewrite_json
from tests.desk.sites import add_league, at, bodies, copy, drop, letter, make_site, opened, public, run
from tests.test_docs import faults

FRIDAY = at("2024-01-05 08:00")
FILE = "press/0001.json"


@pytest.fixture(scope="module")
def told_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round in which there was press of every kind."""
    path = make_site(tmp_path_factory.mktemp("press") / "site")
    add_league(path, names=("Anna", "Ben", "Quirina"), press_anonymous="on")
    texts = {
        "Anna": "join Island\npress to all: beware of Quirina\npress to Ben: XYZZYsecret",
        "Ben": "join Portugal\npress anonymous to all: who am I?",
        "Quirina": "join France\npress to all: peace\npress to all: and quiet",
    }
    for name, text in texts.items():
        drop(path, letter(name, text), at("2024-01-03 10:00"))
    run(path, FRIDAY)
    return path


@pytest.fixture
def site(told_site: Path, tmp_path: Path) -> Path:
    return copy(told_site, tmp_path / "site")


@pytest.fixture
def where(told_site: Path, tmp_path: Path) -> Path:
    return Path(copytree((told_site / "public").resolve(), tmp_path / "public"))


def spring(place: Path) -> Told:
    return next(one for one in verify(str(place)).all if one.league == "spring")


def test_the_record_holds_hashes_and_the_words_lie_beside_it(told_site: Path) -> None:
    """Salted, sorted, of what went to everyone alone; with the salt beside the words anybody makes the hash again."""
    record, published = bodies(told_site)[1], json.loads(public(told_site)[f"spring/{FILE}"])
    assert faults("press", published) + faults("record-round", record) == []
    rows = published["press"]
    assert record["press"] == sorted(row["sha256"] for row in rows)
    assert len(record["press"]) == 4
    assert {(row["seat"], row["text"]) for row in rows} == {
        ("s1", "beware of Quirina"),
        ("", "who am I?"),
        ("s3", "peace"),
        ("s3", "and quiet"),
    }
    for row in rows:
        assert press_hash("spring", "spring-1", 1, row["seat"], row["text"], row["salt"]) == row["sha256"]
    assert len({row["salt"] for row in rows}) == 4
    for words in ("peace", "beware", "who am I", "Quirina"):
        assert words not in json.dumps(record)


def test_messages_hold(told_site: Path) -> None:
    """Both programs look at them."""
    found = spring(told_site)
    assert (found.faults, found.checked["press"]) == ([], 1)
    assert alone(told_site / "public").returncode == 0


def test_names_stand_in_one_file_outside_the_chain(told_site: Path) -> None:
    """`names.json` says what seats are called; no record does."""
    names = json.loads(public(told_site)["spring/names.json"])
    assert names["seats"][0] == {"seat": "s1", "name": "Anna"}
    assert not any("Anna" in json.dumps(body) for body in bodies(told_site))


def text(body: Any) -> None:
    body["press"][0]["text"] = "I surrender"


def writer(body: Any) -> None:
    body["press"][0]["seat"] = "s2"


def more(body: Any) -> None:
    row = {"seat": "s2", "text": "I surrender", "salt": "0" * 32}
    made = press_hash("spring", "spring-1", 1, *row.values())
    body["press"].append({**row, "sha256": made})


def twice(body: Any) -> None:
    body["press"].append(body["press"][0])


def less(body: Any) -> None:
    body["press"].pop()


def unsalted(body: Any) -> None:
    body["press"][0] |= {"salt": "", "text": "I surrender"}


def elsewhere(body: Any) -> None:
    body["round"] = 2


@pytest.mark.parametrize("cheat", [text, writer, more, twice, less, unsalted, elsewhere])
def test_changed_messages_are_found(cheat: Callable[[Any], None], where: Path) -> None:
    """Under a manifest that is signed for them: other words, another writer, one more, one less, one without a salt."""
    rewrite_json(where, FILE, cheat)
    found = spring(where)
    assert [(fault.check, fault.file, fault.round) for fault in found.faults] == [("press", FILE, 1)] * len(
        found.faults
    )
    assert found.faults
    if cheat in (text, writer, more, elsewhere):
        assert f"BROKEN spring/{FILE}: " in alone(where).stdout


def test_a_file_of_no_round_is_found(where: Path) -> None:
    """Messages of a round that has no record."""
    (where / "spring" / "press" / "0007.json").write_bytes((where / "spring" / FILE).read_bytes())
    resign(where, SITE_SEED, "spring")
    assert [(fault.check, fault.file) for fault in spring(where).faults] == [("press", "press/0007.json")]
    assert "BROKEN spring/press/0007.json" in alone(where).stdout


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"press":[{}]}', '{"press":null}', "[" * 50_000])
def test_bytes_that_are_no_messages_aretold_site(content: str, where: Path) -> None:
    """Whatever lies there, it is named, and nothing blows up."""
    (where / "spring" / FILE).unlink()
    (where / "spring" / FILE).write_text(content)
    resign(where, SITE_SEED, "spring")
    assert any((fault.check, fault.file) == ("press", FILE) for fault in spring(where).faults)
    assert f"BROKEN spring/{FILE}" in alone(where).stdout


def test_a_forgotten_player_leaves_hashes_that_tell_nothing(site: Path) -> None:
    """His messages and their salts are gone, another's names him no more; the chain is the same, and holds."""
    before = bodies(site)
    forget(opened(site, FRIDAY), "spring", "Quirina", why="asked")
    assert bodies(site) == before
    rows = json.loads(public(site)[f"spring/{FILE}"])["press"]
    assert {(row["text"], row["salt"] == "") for row in rows} == {("beware of Player 3", True), ("who am I?", False)}
    found = spring(site)
    assert found.faults == []
    assert [(note["round"], str(note["what"])[:10]) for note in found.notes if note["code"] == "press_gone"] == [
        (1, "2 messages"),
        (1, "1 messages"),
    ]
    assert alone(site / "public").returncode == 0
