"""Killed anywhere and run again: the same as never killed (DESIGN: Transactions)."""

import os
import random  # noqa: TID251  # moments of a kill, with a seed
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from league.failpoints import FAILPOINTS, KILLED
from tests.desk.forks import Forks
from tests.desk.sites import ROOT, add_league, at, copy, drop, figures, letter, make_site, public, rows

NOW = at("2024-01-14 08:00")  # the Sunday after the second week: two rounds of both leagues are due
HITS = 3 if "LEAGUE_SOAK" in os.environ else 2
# Each in a file of its own: test_smtp_site, _backup, _forget, _key, _correct_crash, _publish_targets, _announce, …
ELSEWHERE = (
    *("smtp.", "backup.", "restore.", "confirm.", "forget.", "key.", "correct."),
    *("target.", "announce.", "offer.", "export.", "import."),
)
PLACES = tuple(name for name in FAILPOINTS if not name.startswith(ELSEWHERE))
VERDICTS = ("accepted", "ask", "duplicate", "late", "quarantined", "rejected")
LEAGUES = {"spring": ("Anna", "Ben", "Carla"), "autumn": ("Dirk", "Eva", "Finn")}
JOINS = {"Anna": "Island", "Ben": "Portugal", "Carla": "France", "Dirk": "Zweden", "Eva": "Moskau", "Finn": "Greece"}
MOVES = {
    "Anna": "nimm London\nbiete 3 auf Prag",
    "Ben": "take Spain",
    "Carla": "neem Spanje",
    "Dirk": "nimm Norwegen",
    "Eva": "take Atlantis",
    "Finn": "pas",
}
BOOKS = {
    "mail": "SELECT digest, source, received_at, fetched_at, size FROM mail ORDER BY digest",
    "verdict": (
        "SELECT digest, verdict, reason, rule, league_id, seat_id, message_id, sender, holds, proof, decided_at "
        "FROM verdict JOIN mail ON mail.id = mail_id ORDER BY digest"
    ),
    "submission": (
        "SELECT round_id, phase, seat_id, revision, digest, received_at, sequence, lines, replaces, nonce, leaf "
        "FROM submission ORDER BY round_id, seat_id, revision"
    ),
    "press": "SELECT round_id, seat_id, mail_id, received_at, recipients, text FROM press ORDER BY mail_id, text",
    "round": (
        "SELECT match_id, number, status, frozen_at, frozen_late, root, version, closes_at FROM round ORDER BY 1, 2"
    ),
    "position": "SELECT match_id, round, version, body FROM position ORDER BY 1, 2, 3",
    "record": "SELECT match_id, round, version, body, sha256, previous FROM record ORDER BY 1, 2, 3",
    "outbox": (
        "SELECT message_id, kind, recipient, version, raw, part, part_at, state, created_at, sent_at "
        "FROM outbox ORDER BY 1"
    ),
    "mail_part": "SELECT digest, source, width, content FROM mail_part ORDER BY 1",
    "journal": "SELECT at, who, act, why, arguments FROM journal ORDER BY id",
    "unpublished": "SELECT key FROM site_fact WHERE key LIKE '%unpublished%'",
}


def prepare(path: Path, url: str = "") -> Path:
    """Two leagues, mails of two weeks, the figures of the second: one run has everything to do."""
    make_site(path, url=url, pictures=True)
    for slug, names in LEAGUES.items():
        add_league(path, slug, names)
    for name, country in JOINS.items():
        drop(path, letter(name, f"Hallo,\njoin {country}\n\npress to all: guten Tag\nend\n"), at("2024-01-03 10:00"))
    for name, text in MOVES.items():
        drop(path, letter(name, text), at("2024-01-10 18:00"))
    drop(path, letter("Anna", MOVES["Anna"]), at("2024-01-10 19:00"))  # the same mail again
    drop(path, letter("Ben", MOVES["Ben"], subject="again"), at("2024-01-10 19:30"))  # a resend
    drop(path, letter("Gero", "take Paris"), at("2024-01-10 20:00"))  # nobody we know
    drop(path, letter("Finn", "neem Bulgaria"), at("2024-01-12 12:00"))  # too late
    for hour in (21, 22):  # somebody in Eva's name
        drop(path, letter("Eva", "take Sofia", subject=f"{hour}", proven=False), at(f"2024-01-10 {hour}:00"))
    figures(path, at("2024-01-13 21:00"))
    return path


@dataclass(frozen=True)
class Seen:
    """Everything of a site that anybody can see or that a later run stands on."""

    public: dict[str, bytes]
    books: dict[str, list[dict[str, Any]]]
    sent: dict[str, bytes]
    inbox: tuple[str, ...]


def look(path: Path) -> Seen:
    """The site as it lies there now."""
    out = path / "mail" / "out"
    assert not list((path / "builds").glob("*.tmp"))
    books = {name: rows(path, statement) for name, statement in BOOKS.items()}
    for mail in books["mail"]:  # the inbox lies in the site, whose own path is no matter
        mail["source"] = mail["source"].replace(str(path), "")
    return Seen(
        public=public(path),
        books=books,
        sent={f.name: f.read_bytes() for f in sorted((out / "new").iterdir())},
        inbox=tuple(sorted(f.name for f in (path / "mail" / "in" / "cur").iterdir())),
    )


@pytest.fixture(scope="module")
def forks() -> Forks:
    return Forks(small=True)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("crash") / "site")


@pytest.fixture(scope="module")
def whole(prepared: Path, forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """A run that wasn't killed."""
    path = copy(prepared, tmp_path_factory.mktemp("whole") / "site")
    done = forks.league(path, NOW, "run")
    assert done.code == 0, done.err
    return look(path)


def test_the_scenario_has_everything_in_it(whole: Seen) -> None:
    """What is compared below isn't empty: two rounds of both leagues, every kind of mail, pages, verdicts."""
    assert [row["status"] for row in whole.books["round"]] == ["resolved", "resolved", "open"] * 2
    assert {row["verdict"] for row in whole.books["verdict"]} == set(VERDICTS)
    kinds = {row["kind"].partition("/")[0] for row in whole.books["outbox"]}
    assert kinds == {"welcome", "receipt", "ask", "late", "unproven", "freeze", "report", "press"}
    assert [row["kind"] for row in whole.books["outbox"]].count("unproven/2024-01-14") == 1
    assert {row["state"] for row in whole.books["outbox"]} == {"sent"}
    assert len(whole.sent) == len(whole.books["outbox"])
    assert len(whole.books["record"]) == 6
    assert whole.books["unpublished"] == []
    assert "spring/round-2.html" in whole.public
    assert len(whole.inbox) == 18


@pytest.mark.parametrize("name", PLACES)
def test_killed_at_a_failpoint_and_run_again(
    name: str, prepared: Path, whole: Seen, forks: Forks, tmp_path: Path
) -> None:
    """Killed at the first, second, third time that a place is reached: the next run ends where no crash would have."""
    for hit in range(1, HITS + 1):
        path = copy(prepared, tmp_path / f"site{hit}")
        killed = forks.league(path, NOW, "run", LEAGUE_FAILPOINT=f"{name}:{hit}")
        if killed.code != KILLED:
            assert killed.code == 0, killed.err
            assert hit > 1, f"{name} is never reached"
            break
        again = forks.league(path, NOW, "run")
        assert again.code == 0, again.err
        assert look(path) == whole, f"{name}:{hit}"


def test_killed_at_every_failpoint_in_turn(prepared: Path, whole: Seen, forks: Forks, tmp_path: Path) -> None:
    """A run that dies again and again, each time a little later, still comes to the same end."""
    path = copy(prepared, tmp_path / "site")
    for name in PLACES:
        assert forks.league(path, NOW, "run", LEAGUE_FAILPOINT=name).code == KILLED, name
    assert forks.league(path, NOW, "run").code == 0
    assert look(path) == whole


@pytest.mark.soak
def test_killed_at_any_moment(prepared: Path, whole: Seen, tmp_path: Path) -> None:
    """SIGKILL wherever it falls, several times over, changes nothing in the end."""
    moments = random.Random(20240114)
    for number in range(int(os.environ.get("LEAGUE_SOAK", "40"))):
        path = copy(prepared, tmp_path / "site")
        command = [sys.executable, "-m", "league", "--site", str(path), "--now", NOW.isoformat(), "run"]
        for _ in range(moments.randint(1, 4)):
            with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                time.sleep(moments.uniform(0.3, 2.0))
                process.send_signal(signal.SIGKILL)
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        assert look(path) == whole, f"kill number {number}"
        rmtree(path)


def test_a_run_with_nothing_to_do_changes_nothing(prepared: Path, whole: Seen, forks: Forks, tmp_path: Path) -> None:
    """`league run` twice is `league run` once."""
    path = copy(prepared, tmp_path / "site")
    for _ in range(3):
        assert forks.league(path, NOW, "run").code == 0
    assert look(path) == whole
