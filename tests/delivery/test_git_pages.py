"""Pages as commits of the real git, pushed into a repository on this disk."""

import os
import shutil
import subprocess
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from league.delivery.targets.git import Git
from league.delivery.targets.tree import Pushed
from tests.delivery.builds import AFTER, AT, BEFORE, build, push, read

if shutil.which("git") is None:
    pytest.skip("git is needed: apt-get install git", allow_module_level=True)
ANNA = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Anna"), ("EMAIL", "a@example.org"))
}


def git(*arguments: str, at: Path) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(at), "LC_ALL": "C", **ANNA}
    return subprocess.run(["git", *arguments], cwd=at, env=env, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """An empty bare repository."""
    path = tmp_path / "there.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(path)], check=True)
    return path


def hub(there: Path, tmp_path: Path) -> Git:
    return Git(str(there), "gh-pages", tmp_path / "targets" / "hub.git", ("Leagues", "league@play.example"))


def checked_out(there: Path, tmp_path: Path, branch: str = "gh-pages") -> dict[str, bytes]:
    folder = tmp_path / "checkout"
    shutil.rmtree(folder, ignore_errors=True)
    git("clone", "--quiet", "--branch", branch, str(there), str(folder), at=tmp_path)
    shutil.rmtree(folder / ".git")
    return read(folder)


def test_each_build_is_a_commit(there: Path, tmp_path: Path) -> None:
    """Files come and go as commits by the site, dated by its newest record; the same pages are no further commit."""
    target = hub(there, tmp_path)
    assert target.probe() == ""
    assert push(target, build(tmp_path / "1", BEFORE)) == Pushed(len(BEFORE) + 1, 0)
    second = build(tmp_path / "2", AFTER)
    assert push(target, second, dry=True) == Pushed(9, 1)
    assert checked_out(there, tmp_path) == BEFORE | {".nojekyll": b""}
    assert push(target, second) == Pushed(9, 1)
    assert push(target, second) == Pushed()
    assert checked_out(there, tmp_path) == AFTER | {".nojekyll": b""}
    log = git("log", "--format=%an|%ae|%at|%ct|%s", "gh-pages", at=there).splitlines()
    stamp = int(AT.timestamp())
    assert log == [f"Leagues|league@play.example|{stamp}|{stamp}|spring, round 2"] * 2


def test_the_same_pages_are_the_same_commit(there: Path, tmp_path: Path) -> None:
    """A push that was cut short, done again by a site that knows nothing of it, makes no other history."""
    tree, other = build(tmp_path / "1", BEFORE), tmp_path / "other.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(other)], check=True)
    push(hub(there, tmp_path), tree)
    push(hub(other, tmp_path / "elsewhere"), tree)
    assert git("rev-parse", "gh-pages", at=there) == git("rev-parse", "gh-pages", at=other)


def committed(there: Path, tmp_path: Path, files: dict[str, bytes], branch: str = "gh-pages") -> str:
    """Somebody else's commit on top of the branch."""
    folder = tmp_path / "anna"
    shutil.rmtree(folder, ignore_errors=True)
    git("clone", "--quiet", str(there), str(folder), at=tmp_path)
    known = git("branch", "--remotes", at=folder)
    git("checkout", "--quiet", *([] if f"origin/{branch}" in known else ["--orphan"]), branch, at=folder)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    git("add", "--all", at=folder)
    git("commit", "--quiet", "-m", "by hand", at=folder)
    git("push", "--quiet", "origin", branch, at=folder)
    return git("rev-parse", "HEAD", at=folder).strip()


def test_what_others_committed_is_built_upon(there: Path, tmp_path: Path) -> None:
    """Without force: a commit made over there stays in the history, and files that are to stay keep their bytes."""
    target = hub(there, tmp_path)
    target = replace(target, keep=("CNAME", ".nojekyll"))
    push(target, build(tmp_path / "1", BEFORE))
    theirs = committed(there, tmp_path, {"CNAME": b"play.example\n", "index.html": b"vandal"})
    assert push(target, build(tmp_path / "2", AFTER)).trouble == ""
    assert checked_out(there, tmp_path) == AFTER | {".nojekyll": b"", "CNAME": b"play.example\n"}
    assert git("rev-parse", "gh-pages~1", at=there).strip() == theirs


def test_a_branch_of_something_else_is_refused(there: Path, tmp_path: Path) -> None:
    """A branch with somebody's work on it gets no pages; one with nothing but what is to stay does."""
    committed(there, tmp_path, {"main.c": b"int main;"})
    target = hub(there, tmp_path)
    assert "main.c" in target.probe()
    committed(there, tmp_path, {"CNAME": b"play.example\n"}, "pages")
    assert replace(target, branch="pages", keep=("CNAME",)).probe() == ""


def test_without_history_the_branch_is_one_commit(there: Path, tmp_path: Path) -> None:
    """Each build takes the place of the one before, by force over what was looked at and nothing else."""
    target = replace(hub(there, tmp_path), history=False)
    push(target, build(tmp_path / "1", BEFORE))
    assert push(target, build(tmp_path / "2", AFTER)) == Pushed(9, 1)
    assert git("rev-list", "--count", "gh-pages", at=there) == "1\n"
    assert checked_out(there, tmp_path) == AFTER | {".nojekyll": b""}


def test_an_account_s_own_settings_change_no_page(there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line ends, ignored files, hooks and a calling git's own repository: none of it reaches the pages."""
    home, hooks = tmp_path / "home", tmp_path / "hooks"
    home.mkdir()
    hooks.mkdir()
    for name in ("pre-push", "reference-transaction"):
        ours = f'case "$(pwd)$GIT_DIR" in *hub.git*) touch {tmp_path}/hooked; exit 1;; esac'  # not the other side's
        (hooks / name).write_text(f"#!/bin/sh\n{ours}\n", "utf-8")
        (hooks / name).chmod(0o755)
    (home / "ignored").write_text("*.html\n", "utf-8")
    (home / ".gitconfig").write_text(
        f"[core]\nautocrlf = true\nhooksPath = {hooks}\nexcludesFile = {home}/ignored\n", "utf-8"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "of-the-caller"))
    files = BEFORE | {"crlf.txt": b"a\r\nb\n"}
    assert push(hub(there, tmp_path), build(tmp_path / "1", files)).trouble == ""
    monkeypatch.delenv("GIT_DIR")
    assert checked_out(there, tmp_path) == files | {".nojekyll": b""}
    assert not (tmp_path / "hooked").exists()


def test_trouble_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository that isn't there, a git that isn't: a value in words."""
    tree, target = build(tmp_path / "1", BEFORE), hub(tmp_path / "nowhere", tmp_path)
    done = push(target, tree)
    assert f"'{tmp_path}/nowhere' does not appear to be a git repository" in done.trouble
    assert "\n" not in done.trouble
    monkeypatch.setenv("PATH", str(tmp_path))
    assert target.probe() == "git isn't installed here"


def test_a_try_that_was_killed_leaves_nothing_in_the_way(there: Path, tmp_path: Path) -> None:
    """Locks of a git that died are of an index that nobody else uses."""
    target = hub(there, tmp_path)
    push(target, build(tmp_path / "1", BEFORE))
    (target.store / "league.index.lock").touch()
    (target.store / "league.index").write_bytes(b"half")
    assert push(target, build(tmp_path / "2", AFTER)) == Pushed(9, 1)


def test_a_password_goes_in_a_header_alone(tmp_path: Path) -> None:
    """Git sends it to that server; no argument, no message and no file of ours holds it."""
    seen: list[str | None] = []

    class Guarded(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["Authorization"])
            self.send_response(403)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Guarded) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/anna/leagues.git"
        target = replace(hub(tmp_path, tmp_path), repository=address, user="anna", password="s3cret-word")
        said = target.probe()
        server.shutdown()
    assert "403" in said
    assert seen[0] == "Basic YW5uYTpzM2NyZXQtd29yZA=="
    kept = b"".join(file.read_bytes() for file in target.store.rglob("*") if file.is_file()).decode("latin-1")
    for words in (said, repr(target), kept):
        assert "s3cret-word" not in words
        assert "YW5uYTpzM2NyZXQtd29yZA" not in words
