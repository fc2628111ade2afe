"""Pages brought elsewhere by a run: what a target that fails may do, and what it may not."""

import json
import os
import shutil
import signal
import subprocess
import sys
from datetime import date, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from league.desk.figures.doctor import examine
from league.desk.overview.status import site_status, told
from league.desk.pages.publish_everywhere import publish_everywhere
from league.desk.site import Site
from league.desk.targets.bring_pages import bring_pages, state_of
from league.failpoints import FAILPOINTS, KILLED
from tests.delivery.s3_server import ACCESS, BUCKET, REGION, SECRET, s3_server
from tests.desk.forks import Forks
from tests.desk.sites import copy, opened, public, rows, run
from tests.desk.weeks import utc, write

FIRST = date(2024, 1, 4)
SUNDAY = utc(date(2024, 1, 7), 8)
PLACES = tuple(name for name in FAILPOINTS if name.startswith("target."))
for program in ("rsync", "git"):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is needed: apt-get install {program}", allow_module_level=True)
pytest.importorskip("obstore", reason="obstore is needed: pip install 'league[s3]'")


def add_target(path: Path, kind: str, name: str, **keys: object) -> None:
    """A further table at the end of the site's settings."""
    lines = [f"[[publish.{kind}]]", f"name = {json.dumps(name)}", *(f"{k} = {json.dumps(v)}" for k, v in keys.items())]
    with (path / "league.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + "\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def _due(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_spring, tmp_path_factory.mktemp("due") / "site")
    write(path, "Anna", "join Island", FIRST)
    return path


@pytest.fixture
def due(_due: Path, tmp_path: Path) -> Path:
    """A site with a round that a run on Sunday closes and evaluates."""
    return copy(_due, tmp_path / "site")


def files(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def again(path: Path, *, minutes: int = 0, days: int = 0) -> Site:
    return opened(path, SUNDAY + timedelta(minutes=minutes, days=days))


def test_a_run_brings_the_pages_to_every_target(due: Path, tmp_path: Path) -> None:
    """A folder, a branch and a bucket have what is public; the next run has nothing to bring and asks nobody."""
    with s3_server() as bucket:
        subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / "hub.git")], check=True)
        (due / "secrets" / "s3").write_text(f"{SECRET}\n", "utf-8")
        (due / "secrets" / "s3").chmod(0o600)
        add_target(due, "rsync", "web", to=str(tmp_path / "www"))
        add_target(due, "git", "hub", repository=str(tmp_path / "hub.git"))
        keys = {"access_key": ACCESS, "secret_key_file": "secrets/s3", "region": REGION, "endpoint": bucket.address}
        add_target(due, "s3", "cloud", bucket=BUCKET, **keys)
        ran = run(due, SUNDAY)
        assert [(one.name, one.kind, one.state) for one in ran.targets] == [
            ("web", "rsync", "sent"),
            ("hub", "git", "sent"),
            ("cloud", "s3", "sent"),
        ]
        assert "spring/round-1.html" in public(due)
        assert files(tmp_path / "www") == public(due) == bucket.files()
        listed = ["git", "--git-dir", str(tmp_path / "hub.git"), "ls-tree", "-r", "--name-only", "gh-pages"]
        names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()
        assert sorted(names) == sorted([*public(due), ".nojekyll"])
        site = again(due)
        findings = {finding.what: finding.level for finding in examine(site)}
        site.engine.dispose()
        assert [level for what, level in findings.items() if "pages can be brought" in what] == ["ok"] * 3
        assert (due / "targets").stat().st_mode & 0o077 == 0
    shutil.rmtree(tmp_path / "hub.git")  # and the bucket's server is gone too
    assert {one.state for one in run(due, SUNDAY).targets} == {"same"}
    assert run(due, SUNDAY).troubles == []


def test_a_target_that_takes_nothing_holds_nothing_up(due: Path, tmp_path: Path) -> None:
    """The round is evaluated, mailed and public all the same; the run, `status` and `doctor` say what is wrong."""
    (tmp_path / "file").touch()
    add_target(due, "rsync", "web", to=str(tmp_path / "file" / "www"))
    add_target(due, "rsync", "well", to=str(tmp_path / "well"))
    ran = run(due, SUNDAY)
    assert ran.resolved.sealed == [("spring", 1)]
    assert files(tmp_path / "well") == public(due)
    assert {row["state"] for row in rows(due, "SELECT state FROM outbox WHERE kind = 'report'")} == {"sent"}
    (trouble,) = ran.troubles
    assert trouble.startswith("pages can't be brought to web: ")
    assert "is no folder; make it first" in trouble
    site = again(due)
    status = site_status(site)
    shown: dict[str, Any] = dict(told(site, status, "en"))
    (item,) = [item for item in shown["todo"] if item["what"] == "target"]
    assert "is no folder; make it first" in item["text"]
    assert item["command"] == "league publish --target web"
    assert not [item for item in status.todo if item.what == "trouble"]
    assert [(one["name"], bool(one["trouble"]), bool(one["brought"])) for one in shown["targets"]] == [
        ("web", True, False),
        ("well", False, True),
    ]
    (wrong,) = [f for f in examine(site) if f.level == "wrong" and "web" in f.what]
    assert wrong.do == "see [publish] in league.toml"
    site.engine.dispose()


def test_a_failing_target_is_asked_less_and_less(due: Path, tmp_path: Path) -> None:
    """After 1, 5, 15 minutes and so on; by hand at once; once it takes pages again, it has the newest."""
    (tmp_path / "file").touch()
    add_target(due, "rsync", "web", to=str(tmp_path / "file" / "www"))
    run(due, SUNDAY)

    def tries(minutes: int) -> tuple[str, int]:
        site = again(due, minutes=minutes)
        (done,) = bring_pages(site)
        found = state_of(site, "web").tries
        site.engine.dispose()
        return done.state, found

    assert [tries(m) for m in (0, 1, 5, 6, 20, 21)] == [
        *[("waits", 1), ("failed", 2), ("waits", 2), ("failed", 3), ("waits", 3), ("failed", 4)],
    ]
    assert "is no folder; make it first" in run(due, SUNDAY + timedelta(minutes=22)).troubles[0]
    (tmp_path / "file").unlink()
    (tmp_path / "file").mkdir()
    assert tries(23)[0] == "waits"
    site = again(due, minutes=24)
    _, (done,) = publish_everywhere(site, (), ["web"], dry=False, step=lambda _: None)
    assert (done.state, state_of(site, "web").words) == ("sent", "")
    site.engine.dispose()
    assert files(tmp_path / "file" / "www") == public(due)


def test_pages_go_to_no_place_of_something_else(due: Path, tmp_path: Path) -> None:
    """A folder with other files, the site's own, one above it: refused in words, with nothing deleted anywhere."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.tex").write_text("x", "utf-8")
    add_target(due, "rsync", "home", to=str(tmp_path / "home"))
    add_target(due, "rsync", "above", to=str(due.parent))
    add_target(due, "rsync", "self", to="../site")
    add_target(due, "rsync", "public", to="public")
    add_target(due, "rsync", "secrets", to="secrets")
    add_target(due, "rsync", "backups", to="backups")
    add_target(due, "rsync", "tilde", to="~/www")
    add_target(due, "rsync", "nowhere", to="nowhere/deep/down")
    before = files(due / "secrets")
    troubles = run(due, SUNDAY).troubles
    assert len(troubles) == 8
    assert "write the folder out in full" in troubles[6]
    assert "nowhere/deep is no folder; make it first" in troubles[7]
    assert "thesis.tex" in troubles[0]
    assert ["holds the site itself" in said for said in troubles[:6]] == [False, True, True, True, True, True]
    assert files(tmp_path / "home") == {"thesis.tex": b"x"}
    assert files(due / "secrets") == before


def test_a_secret_is_told_nowhere(due: Path, processes: Forks) -> None:
    """Not by a run, nor `status`, `doctor` or the books; one that is missing or readable for others is told as such."""
    with s3_server() as bucket:
        keys = {"access_key": ACCESS, "secret_key_env": "PAGES_SECRET", "region": REGION, "endpoint": bucket.address}
        add_target(due, "s3", "cloud", bucket=BUCKET, **keys)
        add_target(due, "rsync", "daemon", to="rsync://anna@127.0.0.1:9/x", password_file="open")
        (due / "open").write_text("s3cret-word\n", "utf-8")
        (due / "open").chmod(0o644)
        ended = [
            processes.league(due, SUNDAY, *command, PAGES_SECRET="wrong-s3cret")
            for command in (["run"], ["-v", "publish"], ["status", "--json"], ["doctor"])
        ]
    assert [one.code for one in ended] == [1] * 4
    said = "".join(one.out + one.err for one in ended)
    assert "SignatureDoesNotMatch" in said
    assert "can be read by others" in said
    assert "Traceback" not in said
    books = (due / "league.sqlite").read_bytes()
    for words in (said.encode(), books, *(file.read_bytes() for file in due.glob("*fault*"))):
        assert b"s3cret" not in words
    site = again(due)
    assert "PAGES_SECRET, which should hold a password, isn't set" in next(
        one.trouble for one in bring_pages(site, ["cloud"], by_hand=True)
    )
    site.engine.dispose()


@pytest.mark.parametrize("place", PLACES)
def test_killed_while_pages_are_brought(place: str, due: Path, tmp_path: Path, processes: Forks) -> None:
    """Killed before or after the target's state is noted: the next run ends where no crash would have."""
    add_target(due, "rsync", "web", to=str(tmp_path / "www"))
    assert processes.league(due, SUNDAY, "run", LEAGUE_FAILPOINT=place).code == KILLED
    ended = processes.league(due, SUNDAY, "run", "--json")
    assert ended.code == 0, ended.err
    assert [one["state"] for one in json.loads(ended.out)["targets"]] == ["same"]
    assert files(tmp_path / "www") == public(due)


def test_a_first_try_that_was_cut_short_is_gone_on_with(due: Path, tmp_path: Path) -> None:
    """Half the pages lie there without the sign that they are ours; the place was looked at, so they are."""
    program = tmp_path / "bin"
    program.mkdir()
    body = f'case "$*" in *--ignore-existing*) mkdir -p {tmp_path}/www; touch {tmp_path}/www/half; exit 20;; esac'
    (program / "rsync").write_text(f'#!/bin/sh\n{body}\nexec {shutil.which("rsync")} "$@"\n', "utf-8")
    (program / "rsync").chmod(0o755)
    add_target(due, "rsync", "web", to=str(tmp_path / "www"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{program}:{os.environ['PATH']}")
        assert run(due, SUNDAY).targets[0].state == "failed"
    assert run(due, SUNDAY + timedelta(minutes=2)).targets[0].state == "sent"
    assert files(tmp_path / "www") == public(due)


def test_a_dry_run_tells_and_sends_nothing(due: Path, tmp_path: Path, processes: Forks) -> None:
    """`league publish --dry-run` compares; `--target` takes one alone, and names those there are."""
    add_target(due, "rsync", "web", to=str(tmp_path / "www"))
    run(due, SUNDAY)
    shutil.rmtree(tmp_path / "www" / "spring")
    count = sum(name.startswith("spring/") for name in public(due))
    ended = processes.league(due, SUNDAY, "publish", "--target", "web", "--dry-run")
    assert (ended.code, ended.out) == (0, f"web (rsync): would get {count} files and lose 0\n")
    assert not (tmp_path / "www" / "spring").exists()
    ended = processes.league(due, SUNDAY, "publish", "--target", "wep")
    assert (ended.code, ended.err) == (1, "Error: no target 'wep' in league.toml; there are: web\n")
    ended = processes.league(due, SUNDAY, "publish", "--serve", "--target", "web")
    assert (ended.code, "leave the others out" in ended.err) == (2, True)


def test_ctrl_c_ends_it_cleanly(due: Path) -> None:
    """`league publish --serve` builds, tells its address, serves, and ends with 0 and no word more at Ctrl-C."""
    command = [sys.executable, "-m", "league", "--site", str(due), "publish", "--serve", "--port", "0"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in a shell's background inherit deafness
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            told = process.stderr.readline()
            assert told.startswith("http://127.0.0.1:")
            assert told.endswith("/ until Ctrl-C\n")
            port = int(told.split(":")[2].partition("/")[0])
            assert b"<html" in _page(port)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            signal.signal(signal.SIGINT, before)
            process.kill()
    assert (process.returncode, out, err) == (0, "", "")


def _page(port: int) -> bytes:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/spring/")
    body = connection.getresponse().read()
    connection.close()
    return body
