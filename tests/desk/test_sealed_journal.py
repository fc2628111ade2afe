"""The journal in the chain: records count its acts, so none of them goes or changes unseen."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from league.delivery import verifier
from league.desk.acts.absence import instruct
from league.desk.acts.change_seats import retire
from league.desk.acts.forget_player import forget
from league.desk.acts.signing_key import rotate_key
from league.desk.correcting.correct_figure import correct_figures
from league.desk.correcting.correct_round import Act
from league.desk.figures.enter_figure import Entry
from league.desk.leagues.public_journal import ACTS, Shown, seals
from league.desk.proof.verify import verify
from league.desk.proof.verify_told import Told
from league.records.freeze import signing_seed
from league.records.manifest import seal_manifest
from league.storage.journal import Act as Written
from tests.desk.long_league import Long
from tests.desk.sites import KEY, at, bodies, copy, opened, run
from tests.desk.weeks import evaluate, utc, week, write

FIRST = date(2024, 1, 4)
SECOND = FIRST + timedelta(weeks=1)
AFTER = utc(FIRST + timedelta(days=3), 12)


@pytest.fixture(scope="module")
def _led(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_spring, tmp_path_factory.mktemp("led") / "site")
    for name, text in (("Anna", "join Island"), ("Ben", "join Portugal"), ("Carla", "join France")):
        write(path, name, text, FIRST)
    instruct(opened(path, utc(FIRST, 8)), "spring", "Anna", until="3", texts=("take London",), why="in hospital")
    week(path, FIRST, pages=False)
    retire(opened(path, AFTER), "spring", "Carla", why="Carla moved away")
    run(path, AFTER + timedelta(hours=1))
    return path


@pytest.fixture
def led(_led: Path, tmp_path: Path) -> Path:
    """A league whose organizer did things before and after the report of round 1."""
    return copy(_led, tmp_path / "site")


def published(path: Path) -> list[dict[str, Any]]:
    acts = json.loads((path / "public" / "spring" / "journal.json").read_bytes())["acts"]
    assert isinstance(acts, list)
    return acts


def looked_at(where: Path) -> Told:
    """What `verify` finds out about the league's folder."""
    return verify(str(where)).leagues[0]


def forged(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> Path:
    """The league as its organizer would publish it with another journal: signed anew, with his own key."""
    where = Path(copytree((path / "public" / "spring").resolve(), path.parent / "forged"))
    file = where / "journal.json"
    told = json.loads(file.read_bytes())
    change(told["acts"])
    file.write_text(json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    files = [p for p in where.rglob("*") if p.is_file() and p.name != "manifest"]
    sums = {p.relative_to(where).as_posix(): sha256(p.read_bytes()).hexdigest() for p in files}
    (where / "manifest").write_bytes(seal_manifest("spring", sums, signing_seed(bytes.fromhex(KEY))))
    return where


def alone(where: Path) -> list[str]:
    """What the verifier of one file tells."""
    told: list[str] = []
    verifier.check_league(where, lambda file, what: told.append(f"{file}: {what}"))
    return told


def test_every_record_behind_the_opening_counts_the_acts_before_it(led: Path) -> None:
    """A round's, a correction's, a new key's: how many acts there were, whatever of them is shown so far."""
    rotate_key(opened(led, AFTER + timedelta(hours=2)), "a computer was stolen")
    write(led, "Ben", "take Spain", SECOND)
    week(led, SECOND, pages=False)
    friday = (SECOND + timedelta(days=1)).isoformat()
    entry = Entry({"dax_close": "16705.56", "dax_day": friday}, "a second look", "")
    correct_figures(opened(led, utc(SECOND + timedelta(days=3), 1)), "spring", entry, Act("draw correct", "misread"))
    run(led, utc(SECOND + timedelta(days=3), 2))
    opening, *others = bodies(led)
    assert "journal" not in opening
    counts = {(body["kind"], body.get("round"), body.get("version")): body["journal"]["acts"] for body in others}
    assert counts == {("round", 1, 1): 5, ("key", None, None): 7, ("round", 2, 1): 8, ("round", 2, 2): 8}
    found = looked_at(led / "public" / "spring")
    assert found.holds
    assert found.checked["journal"] == len(published(led)) == 9
    assert alone(led / "public" / "spring") == []


FORGERIES: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "cut short": (lambda acts: acts.clear(), "there were 5 acts"),
    "without one act": (lambda acts: acts.pop(4), "the first 5 acts"),
    "in another order": (lambda acts: acts.insert(0, acts.pop(4)), "the first 5 acts"),
    "in other words": (lambda acts: acts[4].update(why="on holiday"), "isn't what was sealed"),
    "of another seat": (lambda acts: acts[4].update(arguments={"seat": "s2"}), "isn't what was sealed"),
    "of another time": (lambda acts: acts[6].update(at="2024-01-07T11:00:00Z"), "isn't what was sealed"),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_journal_that_was_changed_after_a_record_is_found(kind: str, led: Path) -> None:
    """Also by the file that needs nothing of ours, though manifest and signature are good."""
    change, words = FORGERIES[kind]
    where = forged(led, change)
    found = looked_at(where)
    faults = [fault for fault in found.faults if fault.check == "journal"]
    assert words in faults[0].what
    assert {fault.file for fault in found.faults if fault not in faults} <= {
        f"{d}journal.html" for d in ("", "en/", "nl/")
    }
    assert any("journal.json: " in line for line in alone(where))
    (where / "journal.json").unlink()
    assert "it isn't there" in next(f.what for f in looked_at(where).faults if f.check == "journal")


def unsalted(acts: list[dict[str, Any]]) -> None:
    acts[4].pop("salt")
    acts[4].update(why="as the rules say")


def unsalted_and_blank(acts: list[dict[str, Any]]) -> None:
    act = next(act for act in acts if act["act"] == "player absent")
    act.pop("salt")
    act.update(why="", arguments={})


def unsalted_and_renamed(acts: list[dict[str, Any]]) -> None:
    acts[4].pop("salt")
    acts[4].update(act="player forget")


@pytest.mark.parametrize("change", [unsalted, unsalted_and_blank, unsalted_and_renamed])
def test_an_act_without_its_salt_needs_a_reason(change: Callable[[list[dict[str, Any]]], None], led: Path) -> None:
    """Words that nobody can hold against the seal convict, unless an act whose words are proven says why."""
    where = forged(led, change)
    found = {(fault.check, fault.field) for fault in looked_at(where).faults if fault.check != "pages"}
    assert found == {("journal", "acts")}
    assert any("has no salt" in line for line in alone(where))


def test_a_record_that_counts_no_acts_behind_one_that_does_is_found(led: Path, tmp_path: Path) -> None:
    """Without it acts could be dropped; only records before the first that counts are of an older version."""
    write(led, "Ben", "take Spain", SECOND)
    week(led, SECOND)
    told = bodies(led)
    told[2].pop("journal")
    made = Long(told, signing_seed(bytes.fromhex(KEY)))
    where = made.publish(tmp_path / "uncounted", pages=False) / "spring"
    (where / "journal.json").write_bytes((led / "public" / "spring" / "journal.json").read_bytes())
    found = {(fault.check, fault.file) for fault in looked_at(where).faults}
    assert ("journal", "records/0002-v1.json") in found
    assert ("journal", "records/0001-v1.json") not in found
    assert any(line.startswith("records/0002-v1.json: it doesn't count") for line in alone(where))


def test_words_that_are_not_shown_yet_are_sealed_all_the_same(spring: Path) -> None:
    """Whom an absence is for, and why, is told with the report; its seal stands there from the beginning."""
    write(spring, "Ben", "join Portugal", FIRST)
    instruct(opened(spring, utc(FIRST, 8)), "spring", "Anna", until="3", texts=("take London",), why="in hospital")
    run(spring, utc(FIRST, 9))
    (before,) = (act for act in published(spring) if act["act"] == "player absent")
    assert (before["why"], before["arguments"], "salt" in before) == ("", {}, False)
    run(spring, utc(FIRST + timedelta(days=1)))
    evaluate(spring, FIRST)
    (after,) = (act for act in published(spring) if act["act"] == "player absent")
    assert (after["why"], after["seal"]) == ("in hospital", before["seal"])
    assert len(after["salt"]) == 32


def test_who_is_forgotten_breaks_no_record(led: Path) -> None:
    """Of an act that named him the seal stays and the salt goes; `verify` says that its words can't be checked."""
    forget(opened(led, AFTER + timedelta(hours=2)), "spring", "Carla", why="Carla asked for it")
    (act,) = (act for act in published(led) if act["act"] == "player retire")
    assert "Carla" not in act["why"]
    assert "salt" not in act
    assert all("salt" in other for other in published(led) if other != act)
    write(led, "Ben", "take Spain", SECOND)
    week(led, SECOND)
    found = looked_at(led / "public" / "spring")
    assert found.holds, found.faults
    (what,) = (str(note["what"]) for note in found.notes if note["code"] == "act_without_words")
    assert what.endswith("without its words: somebody was forgotten, or a backup restored (2024-01-07T12:00:00Z)")
    assert alone(led / "public" / "spring") == []


FOR_EVER = """\
new | game board
player add | seat
player substitute | seat round
player retire | seat round
player return | seat round
player invite | seat
player reports | seat
player forget | seat
player absent | seat first last | later
player absent --end | seat | later
player token --renew | seat
orders enter | seat received | later
orders show --reveal | round
round preview --reveal | round
mail quarantine show --reveal | round
mail quarantine release | seat | later
mail quarantine reject | seat | later
draw enter | source | figures
draw correct | round source version mode | figures
draw object | round figure day value
result enter | round country winner attempt version mode | later
round reopen | round version mode
round resolve --over | round
round hold | round until
round release | round deadline weeks
round extend | round deadline weeks
round pause | from to
round last | round
deadline moved | round
restore --head | round record
restore --public | round record
restore --accept-head | round record
"""


SINCE = {"player absent": ("from", "until")}  # arguments that no such act bore before they were shown


def test_what_an_act_shows_stays_as_it_is() -> None:
    """Records hold its hash: whoever shows more of an act breaks every chain that has one.

    Acts may only be added, and to an act what it never had: its older ones are told as they were.
    """
    for line in FOR_EVER.splitlines():
        act, keys, *more = line.split(" | ")
        shown = Shown((*keys.split(), *SINCE.get(act, ())), later="later" in more, figures="figures" in more)
        assert ACTS[act] == shown, act
    written = Written(at("2024-01-02 10:00"), "root", "draw enter", "seen", {"source": "paper", "lotto": "1 2"}, 1)
    (seal,) = seals([written], ("lotto",), bytes.fromhex(KEY))
    assert seal == "8ba68ba03aed0c75594dd3c1b46f7aa5c7624fd969081a0d7ebce0e097c5d939"
