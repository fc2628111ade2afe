"""`league rebuild` of a site that was restored once: what it caught up with comes out the same, or it says why not."""

from datetime import date, timedelta
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from league.core.errors import Refused
from league.desk.post.mind_outbox import release
from league.desk.rebuild import rebuild
from league.desk.recovery.back_up import back_up
from league.desk.recovery.restore import DRAFT, restore
from league.desk.recovery.word_on_head import accept, confirm
from league.storage.lock import folder_lock
from tests.desk.forks import Forks, command
from tests.desk.sites import copy, mail_run, opened, rows, sealed
from tests.desk.weeks import utc, week, write

FIRST = date(2024, 1, 4)
SECOND, THIRD = FIRST + timedelta(weeks=1), FIRST + timedelta(weeks=2)
JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}
BACKUP = utc(FIRST + timedelta(days=3), 12)  # the Sunday after round 1
LATER, END = utc(SECOND + timedelta(days=4), 12), utc(THIRD + timedelta(days=9))


@pytest.fixture(scope="module")
def _lost(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The league after two rounds, beside a backup that knows one."""
    path = copy(_spring, tmp_path_factory.mktemp("lost") / "site")
    for name, text in JOINS.items():
        write(path, name, text, FIRST)
    week(path, FIRST, pages=False)
    back_up(opened(path, BACKUP), path.parent / "site.tar")
    write(path, "Anna", "take London", SECOND)
    write(path, "Ben", "take Spain", SECOND)
    week(path, SECOND)
    return path


@pytest.fixture
def lost(_lost: Path, tmp_path: Path) -> Path:
    copytree(_lost.parent, tmp_path / "old", symlinks=True)
    return tmp_path / "old" / "site"


def test_what_was_caught_up_comes_out_the_same(lost: Path, tmp_path: Path) -> None:
    """A round that the backup didn't know, its mails read anew from the folder, its act from the published journal."""
    path = tmp_path / "revived"
    restore(path, lost.parent / "site.tar", LATER)
    rmtree(path / "mail" / "in")
    copytree(lost / "mail" / "in", path / "mail" / "in")
    confirm(opened(path, LATER), [], lost / "public")
    release(opened(path, LATER), "")
    mail_run(path, LATER)
    write(path, "Carla", "take Rome", THIRD)
    week(path, THIRD, pages=False)
    assert len(sealed(path)) == 4
    done = rebuild(tmp_path / "anew", path, END)
    assert done.is_same, (done.matches, done.troubles)
    mails = "SELECT digest, received_at, fetched_at FROM mail ORDER BY id"
    assert rows(tmp_path / "anew", mails) == rows(path, mails)


def test_what_nobody_knows_any_more_is_named(lost: Path, tmp_path: Path) -> None:
    """A round went another way after the backup, and mails of it are gone: the restore is named as the reason."""
    path = tmp_path / "revived"
    restore(path, lost.parent / "site.tar", LATER)
    accept(opened(path, LATER), "nobody knows")
    release(opened(path, LATER), "")
    write(path, "Carla", "take Rome", THIRD)
    week(path, THIRD, pages=False)
    whole = rebuild(tmp_path / "anew", path, END)
    assert whole.is_same, (whole.matches, whole.troubles)
    site = opened(path, END)
    with site.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM submission WHERE mail_id = (SELECT max(id) FROM mail)")
        connection.exec_driver_sql("UPDATE mail SET content = NULL WHERE id = (SELECT max(id) FROM mail)")
    done = rebuild(tmp_path / "again", path, END)
    assert not done.is_same
    assert "this site was restored on 2024-01-15T12:00:00Z from a backup of 2024-01-07T12:00:00Z" in done.troubles[-1]


def test_two_restores_into_one_folder(lost: Path, tmp_path: Path, processes: Forks) -> None:
    """In the same moment: one makes the site, the other is refused and breaks nothing."""
    path, file = tmp_path / "revived", str(lost.parent / "site.tar")
    ended = processes.at_once(*(command(path, LATER, "restore", file, "--json") for _ in range(2)))
    assert sorted("in use" in one.err or "at work" in one.err or "isn't empty" in one.err for one in ended) == [
        False,
        True,
    ]
    assert len(sealed(path)) == 2
    assert not (path / DRAFT).exists()


def test_a_folder_that_is_being_restored_is_left_alone(lost: Path, tmp_path: Path) -> None:
    """What the other restore has unpacked so far isn't taken for what a crash has left."""
    path = tmp_path / "revived"
    (path / DRAFT).mkdir(parents=True)
    (path / DRAFT / "league.toml").write_text("")
    with folder_lock(path), pytest.raises(Refused, match=r"another league command is at work in .*revived"):
        restore(path, lost.parent / "site.tar", LATER)
    assert (path / DRAFT / "league.toml").exists()
    restore(path, lost.parent / "site.tar", LATER)
    assert len(sealed(path)) == 2
