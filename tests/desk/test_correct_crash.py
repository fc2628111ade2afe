"""A correction that is killed anywhere and typed again: the same as never killed (DESIGN: Transactions)."""

from datetime import timedelta
from pathlib import Path

import pytest

from league.failpoints import FAILPOINTS, KILLED
from tests.desk.forks import Forks
from tests.desk.mended import play, replay, thursday
from tests.desk.sites import copy, public, rows, run
from tests.desk.weeks import utc

NOW = utc(thursday(3) + timedelta(days=4), 9)
PLACES = tuple(name for name in FAILPOINTS if name.startswith("correct."))
FIGURE = ("--dax-close", "16705.56", "--dax-day", "2024-01-12", "--source", "paper", "--why", "swapped")
BOOKS = {
    "record": "SELECT match_id, round, version, body, sha256, previous FROM record ORDER BY id",
    "position": "SELECT match_id, round, version, body FROM position ORDER BY 1, 2, 3",
    "round": "SELECT match_id, number, status, version FROM round ORDER BY 1, 2",
    "evidence": "SELECT figure, day, revision, value, status, source FROM evidence ORDER BY 1, 2, 3",
    "outbox": "SELECT message_id, kind, recipient, raw, state FROM outbox ORDER BY 1",
    "journal": "SELECT act, why, arguments FROM journal ORDER BY id",
}


@pytest.fixture(scope="module")
def forks() -> Forks:
    return Forks(small=True)


@pytest.fixture(scope="module")
def played(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three rounds sealed."""
    path = copy(_spring, tmp_path_factory.mktemp("played") / "site")
    play(path, 3)
    run(path, NOW - timedelta(hours=1))
    return path


def look(path: Path) -> tuple[object, object]:
    """Books and pages after the run that follows."""
    run(path, NOW + timedelta(minutes=5))
    return {name: rows(path, statement) for name, statement in BOOKS.items()}, public(path)


@pytest.mark.parametrize("mode", ["--from-now", "--recompute"])
def test_killed_at_a_failpoint_and_typed_again(mode: str, played: Path, forks: Forks, tmp_path: Path) -> None:
    """Before the commit nothing of it is there, after it all of it; a second time changes nothing more."""
    whole = copy(played, tmp_path / "whole")
    done = forks.league(whole, NOW, "draw", "correct", "spring", *FIGURE, mode)
    assert done.code == 0, done.err
    expected = look(whole)
    assert PLACES == ("correct.before_commit", "correct.after_commit")
    for name in PLACES:
        path = copy(played, tmp_path / name)
        before = rows(path, BOOKS["record"])
        killed = forks.league(path, NOW, "draw", "correct", "spring", *FIGURE, mode, LEAGUE_FAILPOINT=name)
        assert killed.code == KILLED
        assert (rows(path, BOOKS["record"]) == before) == (name == "correct.before_commit")
        again = forks.league(path, NOW, "draw", "correct", "spring", *FIGURE, mode)
        assert again.code == 0, again.err
        assert ("This was done before" in again.out) == (name == "correct.after_commit")
        assert done.out.partition("What was → what is:")[2] == again.out.partition("What was → what is:")[2]
        assert look(path) == expected, name
        replay(path)
