"""`league run --watch`: mail is judged as it comes, and nothing that breaks off ends the waiting."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from league.desk.clock import now as clock
from league.desk.inbox.wait_for_mail import (
    LONGEST,
    OVERDUE,
    Waiter,
    edition,
    seconds_to_wait,
    wait_after_trouble,
)
from tests.desk.sites import ROOT, at, drop, league, letter, opened, verdicts
from tests.desk.test_imap_site import connected
from tests.intake.dovecot import Dovecot


@contextmanager
def watching(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """The command in a process of its own, ended at the end."""
    command = [sys.executable, "-m", "league", "--site", str(path), "run", "--watch"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=20)


def soon(holds: Callable[[], bool], seconds: float = 60) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.1)
    return False


def test_a_mail_in_the_maildir_is_judged_as_it_comes(bare: Path) -> None:
    """Without a server the folder is looked into every few seconds; what a run did is told."""
    with watching(bare) as process:
        drop(bare, letter("Anna", "take Paris"), clock())
        assert soon(lambda: len(verdicts(bare)) == 1)
        drop(bare, letter("Ben", "take Paris"), clock())
        assert soon(lambda: len(verdicts(bare)) == 2)
        assert process.poll() is None
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Mails in: 1 ")


def test_a_mail_on_the_server_is_judged_as_it_comes(bare: Path, dovecot: Dovecot) -> None:
    """IDLE wakes it up; a server that is killed meanwhile is told, and what came after it is judged."""
    connected(bare, dovecot, "watched")
    with watching(bare) as process:
        dovecot.deliver("watched", letter("Anna", "take Paris"))
        assert soon(lambda: len(verdicts(bare)) == 1)
        dovecot.stop()
        assert process.stderr is not None
        assert "watched@localhost: " in process.stderr.readline()
        dovecot.start()
        dovecot.deliver("watched", letter("Ben", "take Paris"))
        assert soon(lambda: len(verdicts(bare)) == 2)
        assert process.poll() is None


def test_the_wait_ends_when_a_round_closes(spring: Path) -> None:
    """Five minutes at most, a minute after the grace; a round that is overdue is tried again after a minute."""
    closes = at("2024-01-04 23:16")
    for now, seconds in (
        (closes - timedelta(hours=3), LONGEST),
        (closes - timedelta(seconds=40), 40),
        (closes, OVERDUE),
        (closes + timedelta(hours=1), OVERDUE),
    ):
        assert seconds_to_wait(opened(spring, now)) == seconds


def test_without_a_league_it_waits_five_minutes(bare: Path) -> None:
    """Nothing closes, so nothing has to be punctual."""
    site = opened(bare, at("2024-01-04 23:15"))
    waits: list[float] = []

    def pause(seconds: float) -> None:
        waits.append(seconds)
        drop(bare, letter("Anna", "x"), at("2024-01-04 23:15"))

    assert seconds_to_wait(site) == LONGEST
    assert Waiter(pause).wait(site) == ""
    assert len(waits) == 1


def test_what_cant_be_read_is_no_reason_to_run_again_and_again(bare: Path) -> None:
    """A link in the inbox stays there; the wait after the one that found it lasts its time."""
    site = opened(bare, at("2024-01-04 23:15"))
    (bare / "mail" / "in" / "new" / "linked").symlink_to(bare)
    waits: list[float] = []
    waiter = Waiter(waits.append)
    waiter.wait(site)
    assert waits == []

    def pause(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            drop(bare, letter("Anna", "x"), at("2024-01-04 23:15"))

    waiter.pause = pause
    waiter.wait(site)
    assert len(waits) == 3


def test_a_trouble_in_one_run_doesnt_end_the_watch(bare: Path) -> None:
    """Settings that are wrong for a while are told, and the program goes on."""
    right = (bare / "league.toml").read_text()
    (bare / "league.toml").write_text("[sight]\n")
    with watching(bare) as process:
        assert process.stderr is not None
        assert "there is no table [sight]" in process.stderr.readline()
        assert process.poll() is None
        (bare / "league.toml").write_text(right)
        drop(bare, letter("Anna", "take Paris"), clock())
        assert soon(lambda: len(verdicts(bare)) == 1, 90)


def test_mended_settings_are_taken_at_once(tmp_path: Path) -> None:
    """After a trouble the program tries again once `league.toml` is another file, also one there for the first time."""
    toml, waits = tmp_path / "league.toml", list[float]()

    def pause(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            toml.write_text("[site]\n")

    wait_after_trouble(toml, edition(toml), pause)
    assert len(waits) == 3
    wait_after_trouble(toml, 0, pause)  # mended between the trouble and the wait
    assert len(waits) == 3


def test_a_told_time_and_watching_dont_go_together(bare: Path) -> None:
    """Time stands still in a replay."""
    done = league(bare, at("2024-01-04 23:15"), "run", "--watch")
    assert done.returncode == 2
    assert "--watch goes by the clock; leave --now out" in done.stderr
