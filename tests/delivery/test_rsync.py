"""Pages brought by the real rsync: into a folder, to a daemon, and through a stand-in for ssh."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from league.delivery.targets.rsync import Rsync
from league.delivery.targets.tree import Pushed
from tests.delivery.builds import AFTER, BEFORE, build, dead_links, push, read

RSYNC = shutil.which("rsync")
if RSYNC is None:
    pytest.skip("rsync is needed: apt-get install rsync", allow_module_level=True)


def program(folder: Path, name: str, body: str) -> None:
    """A program of this name, found before the real one."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    (folder / name).chmod(0o755)


def test_the_folder_becomes_the_build(tmp_path: Path) -> None:
    """New, changed and gone files come over and are counted; a web server under another account may read them."""
    www, target = tmp_path / "www", Rsync(str(tmp_path / "www"))
    assert target.probe() == ""
    first, second = build(tmp_path / "1", BEFORE), build(tmp_path / "2", AFTER)
    assert push(target, first) == Pushed(len(BEFORE), 0)
    assert push(target, second, dry=True) == Pushed(9, 1)
    assert read(www) == BEFORE
    steps: list[int] = []
    assert target.push(second, dry=False, step=steps.append) == Pushed(9, 1)
    assert sum(steps) == 9
    assert read(www) == AFTER
    assert {oct(file.stat().st_mode & 0o777) for file in www.rglob("*") if file.is_file()} == {"0o644"}
    assert (www / "spring").stat().st_mode & 0o777 == 0o755
    assert push(target, second) == Pushed()


def test_what_was_changed_there_is_mended(tmp_path: Path) -> None:
    """Content decides, though size and time are those of the page that belongs there."""
    www, target, tree = tmp_path / "www", Rsync(str(tmp_path / "www")), build(tmp_path / "1", BEFORE)
    push(target, tree)
    page = www / "spring" / "index.html"
    times = page.stat()
    page.write_bytes(b"X" * times.st_size)
    os.utime(page, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert push(target, tree) == Pushed(1, 0)
    assert read(www) == BEFORE


def test_no_page_ever_leads_to_one_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each of the passes every link of the folder leads somewhere, and the fronts change in the last one."""
    www, seen = tmp_path / "www", tmp_path / "seen"
    push(Rsync(str(www)), build(tmp_path / "1", BEFORE))
    seen.mkdir()
    program(tmp_path / "bin", "rsync", f'{RSYNC} "$@"; code=$?; cp -a {www} {seen}/$(ls {seen} | wc -l); exit $code')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    push(Rsync(str(www)), build(tmp_path / "2", AFTER))
    new, changed, fronts = (read(seen / str(n)) for n in range(3))
    assert [dead_links(one) for one in (new, changed, fronts)] == [[], [], []]
    assert new["spring/round-2.html"] == AFTER["spring/round-2.html"]
    assert new["spring/round-1.html"] == BEFORE["spring/round-1.html"]
    assert changed["spring/round-1.html"] == AFTER["spring/round-1.html"]
    assert changed["spring/index.html"] == BEFORE["spring/index.html"]
    assert "spring/gone.html" in changed
    assert fronts == AFTER


@pytest.mark.parametrize("files", [{"thesis.tex": b"x"}, {"a.txt": b"x", "letters/b.txt": b"x"}])
def test_a_folder_of_something_else_is_refused(files: dict[str, bytes], tmp_path: Path) -> None:
    """Pages go only where pages are or nothing is: everything else there would be deleted."""
    build(tmp_path / "home", files)
    said = Rsync(str(tmp_path / "home")).probe()
    assert min(files) in said
    assert "would be deleted" in said
    assert Rsync(str(build(tmp_path / "pages", BEFORE).root)).probe() == ""


def test_trouble_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that can't be made, a program that isn't there: a value in words, and nothing raised."""
    tree = build(tmp_path / "1", BEFORE)
    (tmp_path / "file").touch()
    done = push(Rsync(str(tmp_path / "file" / "www")), tree)
    assert "Not a directory" in done.trouble
    assert "\n" not in done.trouble
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Rsync(str(tmp_path / "www")).probe() == "rsync isn't installed here"


def test_a_side_that_says_nothing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its minutes a try ends, with every process that it had started."""
    program(tmp_path / "bin", "rsync", f"sleep 600 & echo $! > {tmp_path}/child; wait")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    done = push(Rsync(str(tmp_path / "www"), seconds=1), build(tmp_path / "1", BEFORE))
    assert done == Pushed(trouble="rsync was cut off after 1 seconds")
    child = int((tmp_path / "child").read_text())
    for _ in range(100):  # it is killed; its parent, the first process, takes note of that when it can
        if not _is_alive(child):
            break
        time.sleep(0.05)
    assert not _is_alive(child)


def _is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


# ------------------------------------------------------------------ ssh


def test_ssh_is_asked_for_nothing_but_the_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must not ask anybody anything; the key's path may hold blanks and quotes; a real rsync answers behind it."""
    # As sshd does: everything behind the host's name is given to a shell.
    tell = f'printf "%s\\n" "$@" > {tmp_path}/told; while [ "$1" != host.example ]; do shift; done; shift'
    program(tmp_path / "bin", "ssh", f'{tell}; exec sh -c "$*"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    key = f"{tmp_path}/anna's key"
    target = Rsync(f"www@host.example:{tmp_path}/www", ssh_key=key, ssh_port=2222)
    assert target.probe() == ""
    assert push(target, build(tmp_path / "1", BEFORE)) == Pushed(len(BEFORE), 0)
    assert read(tmp_path / "www") == BEFORE
    told = (tmp_path / "told").read_text("utf-8").split("\n")
    assert told[: told.index("host.example")] == [
        *("-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-i", key, "-o", "IdentitiesOnly=yes", "-p", "2222"),
        *("-l", "www"),
    ]


@pytest.mark.parametrize(
    ("says", "hint"),
    [
        ("Host key verification failed.", "Connect once by hand"),
        ("www@host.example: Permission denied (publickey).", "ssh_key_file"),
    ],
)
def test_what_ssh_refuses_comes_with_what_to_do(
    says: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two things that go wrong at the first try are told with the way out."""
    program(tmp_path / "bin", "ssh", f"echo '{says}' >&2; exit 255")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    said = Rsync("www@host.example:www").probe()
    assert says.rstrip(".") in said
    assert hint in said


# ------------------------------------------------------------------ a daemon


@dataclass(frozen=True)
class Daemon:
    port: int
    www: Path
    password: str


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A real rsync daemon on a port of its own, whose module wants a password."""
    made = Daemon(_free_port(), tmp_path / "www", "pass-w0rd")
    made.www.mkdir()
    (tmp_path / "secrets").write_text(f"anna:{made.password}\n", "utf-8")
    (tmp_path / "secrets").chmod(0o600)
    own = "" if os.geteuid() else "uid = root\ngid = root\n"
    (tmp_path / "conf").write_text(
        f"use chroot = no\n{own}[leagues]\npath = {made.www}\nread only = no\nauth users = anna\n"
        f"secrets file = {tmp_path}/secrets\n",
        "utf-8",
    )
    command = ["rsync", "--daemon", "--no-detach", f"--config={tmp_path}/conf", f"--port={made.port}"]
    with subprocess.Popen([*command, "--address=127.0.0.1"]) as process:
        _wait(made.port)
        yield made
        process.terminate()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("the daemon doesn't answer")


def test_a_daemon_gets_pages_for_its_password(daemon: Daemon, tmp_path: Path) -> None:
    """The password goes by the environment and is in no argument; a wrong one is told without being repeated."""
    to, tree = f"rsync://anna@127.0.0.1:{daemon.port}/leagues/2024", build(tmp_path / "1", BEFORE)
    target = Rsync(to, password=daemon.password)
    assert target.probe() == ""
    assert push(target, tree) == Pushed(len(BEFORE), 0)
    assert read(daemon.www / "2024") == BEFORE
    assert push(target, build(tmp_path / "2", AFTER)) == Pushed(9, 1)
    assert read(daemon.www / "2024") == AFTER
    wrong = Rsync(to, password="hunter2")
    assert "auth failed" in wrong.probe()
    assert "hunter2" not in wrong.probe()
    assert daemon.password not in repr(target)
