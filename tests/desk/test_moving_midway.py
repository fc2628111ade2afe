"""A league moves while a round is being evaluated: what it waits for, and what was heard of it, goes along."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.desk.moves import arrive, away, other_site, told
from tests.desk.sites import (
    BEGIN,
    add_league,
    at,
    bodies,
    copy,
    drop,
    figures,
    letter,
    mail_run,
    make_site,
    outbox,
    rows,
    run,
)
from tests.storage.postgres import Postgres

FRIDAY, SATURDAY, LEFT = at("2024-01-12 08:00"), at("2024-01-13 21:30"), at("2024-01-13 21:50")
JOINS = {"Anna": "France", "Ben": "Portugal", "Dirk": "Sweden", "Eva": "Finland"}
TAKES = {"Anna": "take Spain", "Ben": "take Spain", "Dirk": "take Norway", "Eva": "take Norway"}
BEFORE, CAME, AFTER = at("2024-01-13 21:40"), at("2024-01-13 22:00"), at("2024-01-13 22:30")  # it waits until 23:00


@pytest.fixture(scope="module")
def _fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_site(tmp_path_factory.mktemp("fought") / "site")
    add_league(path, names=tuple(JOINS), battles="reported")
    for name, country in JOINS.items():
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    for name, text in TAKES.items():
        drop(path, letter(name, text), at("2024-01-10 10:00"))
    mail_run(path, FRIDAY)
    figures(path, SATURDAY, lotto="3 12 17 20 24 43")
    mail_run(path, SATURDAY)
    drop(path, letter("Anna", "result Spain lost"), BEFORE)
    run(path, BEFORE)
    return path


@pytest.fixture
def fought(_fought: Path, tmp_path: Path) -> Path:
    """Round 2 is frozen; of two battles one is decided by its loser's report, the other is waited for."""
    return copy(_fought, tmp_path / "site")


def to_its_report(path: Path) -> None:
    drop(path, letter("Dirk", "result Norway lost"), AFTER)
    run(path, AFTER)


def test_results_from_before_and_after_the_move_count(fought: Path, tmp_path: Path) -> None:
    """The round's record is the one of the league that stayed; who was asked before isn't asked again."""
    stayed = copy(fought, tmp_path / "stayed")
    asked = [(mail.kind, mail.to) for mail in outbox(fought, "fixtures")]
    assert asked
    assert [row["state"] for row in rows(fought, "SELECT status AS state FROM round ORDER BY number")][1] == "frozen"
    file, _ = away(fought, LEFT)
    new = other_site(tmp_path / "new" / "site", BEGIN)
    arrive(new, file, CAME)
    mail_run(new, CAME)
    assert [(mail.kind, mail.to) for mail in outbox(new, "fixtures")] == asked
    for path in (stayed, new):
        to_its_report(path)
    assert len(bodies(stayed)) == 3
    assert told(bodies(new)) == told(bodies(stayed))
    assert [mail.to for mail in outbox(new, "report")] == [mail.to for mail in outbox(stayed, "report")]


def test_the_checker_without_our_code_agrees(fought: Path, tmp_path: Path) -> None:
    """`verify.py` on the pages of both sites: chains, keys, leaves, journal and dice hold."""
    file, _ = away(fought, LEFT)
    run(fought, LEFT)
    new = other_site(tmp_path / "new" / "site", BEGIN)
    arrive(new, file, CAME)
    to_its_report(new)
    for path in (fought, new):
        public = path / "public"
        done = subprocess.run(
            [sys.executable, public / "verify.py", public / "spring"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_on_postgresql_too(fought: Path, postgres: Postgres, tmp_path: Path) -> None:
    """Asks, phases and decisions are rows with numbers of that database's own."""
    stayed = copy(fought, tmp_path / "stayed")
    middle = other_site(tmp_path / "middle" / "site", BEGIN, url=postgres.url(postgres.create()))
    last = other_site(tmp_path / "last" / "site", BEGIN, "33" * 32)
    file, _ = away(fought, LEFT)
    arrive(middle, file, CAME)
    to_its_report(middle)
    to_its_report(stayed)
    again, _ = away(middle, AFTER + timedelta(hours=1))
    arrive(last, again, AFTER + timedelta(hours=2))
    assert told(bodies(last)) == told(bodies(stayed))
