"""Commands started in the same moment: each thing is done once (DESIGN: Transactions)."""

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.desk.forks import Forks, command
from tests.desk.sites import WEEK_2, at, copy, drop, letter, outbox, rows, run, verdicts

FRIDAY = at("2024-01-05 08:00")
SUNDAY = at("2024-01-14 08:00")
JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}
ENTER = ("draw", "enter", "spring", "--source", "paper", "--why", "test")
FIGURES = tuple(part for key, value in WEEK_2.items() for part in (f"--{key.replace('_', '-')}", value))


def fill(path: Path) -> Path:
    """A mail of each player, and one with press."""
    for name, text in JOINS.items():
        drop(path, letter(name, f"{text}\n\npress to all: hello\nend\n"), at("2024-01-03 10:00"))
    return path


def check(path: Path) -> None:
    """Round 1 is in the books exactly once."""
    assert [r["round"] for r in rows(path, "SELECT round FROM record ORDER BY id")] == [0, 1]
    seats = [r["seat_id"] for r in rows(path, "SELECT seat_id FROM submission ORDER BY seat_id")]
    assert seats == [1, 2, 3], (verdicts(path), rows(path, "SELECT digest, source, received_at FROM mail"))
    assert len(rows(path, "SELECT id FROM press")) == 3
    mails = Counter((out.kind, out.to) for out in outbox(path))
    people = [f"{name.lower()}@example.org" for name in JOINS]
    press = {("press", to): 2 for to in people}  # each hears of both others at once
    once = Counter((kind.partition("/")[0], to) for kind, to in mails.elements())
    assert once == Counter((kind, to) for kind in ("receipt", "freeze", "report") for to in people) + Counter(press)
    assert {row["state"] for row in rows(path, "SELECT state FROM outbox")} == {"sent"}
    assert len(list((path / "mail" / "out" / "new").iterdir())) == 18  # with each player's first one


def two_runs(processes: Forks, path: Path) -> None:
    ended = processes.at_once(*(command(path, FRIDAY, "run") for _ in range(2)))
    assert [e.code for e in ended] == [0, 0], ended
    check(path)


def run_beside_read(processes: Forks, path: Path) -> None:
    """The mails lie in the inbox and are handed over a second time by hand while a run is going on."""
    files = [str(f) for f in sorted((path / "mail" / "in" / "new").iterdir())]
    kept = copy(path / "mail" / "in" / "new", path.parent / f"{path.name}-kept")
    again = [str(kept / Path(f).name) for f in files]
    read = command(path, FRIDAY, "mail", "read", *again, "--received-at", "2024-01-03T10:00:00+00:00")
    ended = processes.at_once(read, command(path, FRIDAY, "run"), read)
    assert [e.code for e in ended] == [0, 0, 0], ended
    assert processes.league(path, FRIDAY, "run").code == 0
    check(path)


def run_beside_enter(processes: Forks, path: Path) -> None:
    """A figure is entered twice over while two runs look for it."""
    run(path, FRIDAY)
    drop(path, letter("Anna", "nimm London"), at("2024-01-10 10:00"))
    enter = command(path, SUNDAY, *ENTER, *FIGURES)
    ended = processes.at_once(command(path, SUNDAY, "run"), enter, command(path, SUNDAY, "run"), enter)
    assert [e.code for e in ended] == [0, 0, 0, 0], ended
    assert processes.league(path, SUNDAY, "run").code == 0
    assert [r["round"] for r in rows(path, "SELECT round FROM record ORDER BY id")] == [0, 1, 2]
    assert Counter(out.to for out in outbox(path, "report")) == dict.fromkeys(
        ("anna@example.org", "ben@example.org", "carla@example.org"), 2
    )
    assert len(rows(path, "SELECT id FROM evidence")) == 3


SCENES = (two_runs, run_beside_read, run_beside_enter)


@pytest.mark.parametrize("scene", SCENES)
def test_started_in_the_same_moment(scene: object, spring: Path, processes: Forks) -> None:
    """Two runs, a run beside `mail read`, a run beside `draw enter`: one record a round, one report a player."""
    assert callable(scene)
    scene(processes, fill(spring))


def test_a_run_beside_resolve_and_publish(spring: Path, processes: Forks) -> None:
    """Everything that an organizer may type while the timer fires waits for its turn."""
    fill(spring)
    ended = processes.at_once(
        command(spring, FRIDAY, "round", "resolve", "spring"),
        command(spring, FRIDAY, "run"),
        command(spring, FRIDAY, "publish"),
        command(spring, FRIDAY, "mail", "send"),
    )
    assert [e.code for e in ended[1:]] == [0, 0, 0], ended
    assert ended[0].code == 0 or "round 2 of spring is open" in ended[0].err  # the run had resolved round 1 before
    assert processes.league(spring, FRIDAY, "run").code == 0
    check(spring)


def test_two_runs_after_one_that_was_killed(spring: Path, processes: Forks) -> None:
    """The lock falls with its holder: a killed run stops nobody."""
    fill(spring)
    assert processes.league(spring, FRIDAY, "run", LEAGUE_FAILPOINT="seal.before_commit").code == 137
    two_runs(processes, spring)


@pytest.mark.soak
@pytest.mark.parametrize("scene", SCENES)
def test_started_in_the_same_moment_many_times(scene: object, spring: Path, processes: Forks, tmp_path: Path) -> None:
    """The same, again and again: what happens once in fifty times is found too."""
    assert callable(scene)
    for number in range(int(os.environ.get("LEAGUE_SOAK", "40"))):
        scene(processes, fill(copy(spring, tmp_path / str(number))))
