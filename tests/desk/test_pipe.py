"""What a mail server hands over is never bounced by us and never lost: `league mail read -` and `league-spool`."""

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from league.core.errors import Refused
from league.desk.inbox import pipe
from tests.desk.sites import ROOT, at, fresh, letter, mail_run, opened, rows, verdicts

SPOOL = str(ROOT / "scripts" / "league-spool")
TRY_AGAIN = 75
WEDNESDAY = at("2024-01-03 10:00")
BINARY = bytes(range(256)) + b"\r\n\0\0 no end of line"
SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox") if shutil.which(shell)]


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """An empty Maildir."""
    for part in ("tmp", "new", "cur"):
        (tmp_path / "in" / part).mkdir(parents=True)
    return tmp_path / "in"


def spool(box: Path | str, raw: bytes, *before: str, shell: str = "sh") -> "subprocess.CompletedProcess[bytes]":
    command = [shell, "sh"] if shell == "busybox" else [shell]
    return subprocess.run([*before, *command, SPOOL, str(box)], input=raw, capture_output=True, check=False)


def lying(box: Path) -> list[bytes]:
    """What is in the Maildir; drafts must be gone."""
    assert list((box / "tmp").iterdir()) == []
    return [file.read_bytes() for file in sorted((box / "new").iterdir())]


# ------------------------------------------------------------------ the shell script


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("raw", [letter("Anna", "join Iceland"), BINARY, b"", b"x" * 3_000_000], ids=len)
def test_every_byte_is_kept(box: Path, raw: bytes, shell: str) -> None:
    """Zeros, high bytes, no end of line, nothing at all, megabytes: as they came, readable by the owner alone."""
    done = spool(box, raw, shell=shell)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert lying(box) == [raw]
    (file,) = (box / "new").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_fifty_at_once(box: Path) -> None:
    """Each gets a file of its own."""
    raws = [letter("Anna", f"join {number}") for number in range(50)]
    with ThreadPoolExecutor(25) as pool:
        codes = list(pool.map(lambda raw: spool(box, raw).returncode, raws))
    assert codes == [0] * 50
    assert sorted(lying(box)) == sorted(raws)


def test_what_was_spooled_is_played(spring: Path) -> None:
    """The next run reads, judges and answers it."""
    assert spool(spring / "mail" / "in", letter("Anna", "join Iceland")).returncode == 0
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("accepted", "readable")]


@pytest.mark.parametrize("harm", ["nowhere", "no new", "no tmp", "a file", "no name", "two names"])
def test_a_folder_that_isnt_right_means_try_again(box: Path, harm: str) -> None:
    """75 and silence, whatever is wrong with what was given."""
    names = {"nowhere": [str(box / "nowhere")], "no name": [], "two names": [str(box), str(box)]}
    if harm.startswith("no ") and harm != "no name":
        shutil.rmtree(box / harm.partition(" ")[2])
    if harm == "a file":
        (box / "file").write_bytes(b"")
        names[harm] = [str(box / "file")]
    command = ["sh", SPOOL, *names.get(harm, [str(box)])]
    done = subprocess.run(command, input=b"x", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (TRY_AGAIN, b"", b"")


def test_an_unwritable_folder_means_try_again(tmp_path: Path) -> None:
    """Also for a mail server's own account, which may not write everywhere."""
    box = Path("/tmp") / f"spool-{os.getpid()}-{tmp_path.name}"  # the test's own folder is closed to `nobody`
    try:
        for part in ("tmp", "new", "cur"):
            (box / part).mkdir(parents=True, mode=0o555)
        box.chmod(0o755)
        as_nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
        with Path(SPOOL).open("rb") as script:  # which may lie in a folder closed to it too
            text = script.read()
        done = subprocess.run(
            [*as_nobody, "sh", "-c", text.decode(), "league-spool", str(box)],
            input=b"x",
            capture_output=True,
            check=False,
            cwd="/",
        )
        assert (done.returncode, done.stdout, done.stderr) == (TRY_AGAIN, b"", b"")
        assert lying(box) == []
    finally:
        shutil.rmtree(box)


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk of its own can be mounted by root alone")
def test_a_full_disk_means_try_again(box: Path) -> None:
    """Nothing of the message shows, nothing is left behind, and once there is room it goes in."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(box)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        for part in ("tmp", "new", "cur"):
            (box / part).mkdir()
        assert spool(box, b"x" * 200_000).returncode == TRY_AGAIN
        assert lying(box) == []
        assert spool(box, b"x" * 20_000).returncode == 0
        assert lying(box) == [b"x" * 20_000]
    finally:
        subprocess.run(["umount", str(box)], check=True)


def test_a_file_that_may_not_grow_means_try_again(box: Path) -> None:
    """A limit on the size of files kills the writer inside; the message is kept by the mail server."""
    command = f"ulimit -f 8; exec sh {SPOOL} {box}"
    done = subprocess.run(["sh", "-c", command], input=b"x" * 200_000, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (TRY_AGAIN, b"", b"")
    assert lying(box) == []


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_killed_while_a_message_comes_in(box: Path, sign: signal.Signals) -> None:
    """Half a message never shows, and the exit code isn't 0: the mail server hands it over again."""
    command = ["sh", SPOOL, str(box)]
    # Who runs the tests may ignore the signal, and a shell can't undo what it inherits.
    heard = None if sign is signal.SIGKILL else partial(signal.signal, sign, signal.SIG_DFL)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, preexec_fn=heard)  # noqa: PLW1509
    assert process.stdin is not None
    process.stdin.write(b"half a mess")
    process.stdin.flush()
    until = time.monotonic() + 10
    while not any(file.stat().st_size for file in (box / "tmp").iterdir()):
        assert time.monotonic() < until
        time.sleep(0.01)
    os.killpg(process.pid, sign)
    process.stdin.close()
    assert process.wait(10) != 0
    assert list((box / "new").iterdir()) == []
    if sign is not signal.SIGKILL:
        assert list((box / "tmp").iterdir()) == []


# ------------------------------------------------------------------ the same with Python


def test_the_pipe_takes_everything(spring: Path) -> None:
    """Exit code 0 and silence for orders, nonsense and bytes of all kinds; each is kept and has its verdict."""
    for raw in (letter("Anna", "join Iceland"), BINARY, b"From anna Mon Jan  1\n" + letter("Ben", "join Greece")):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "league",
                "--site",
                str(spring),
                "--now",
                WEDNESDAY.isoformat(),
                "mail",
                "read",
                "-",
            ],
            input=raw,
            capture_output=True,
            check=False,
            cwd=ROOT,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert [verdict for verdict, _ in verdicts(spring)] == ["accepted", "unreadable", "accepted"]


def test_trouble_after_the_bytes_are_safe_is_ours(spring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mail server has done its part; the mail waits for the next run."""

    def stumble(*_: object) -> None:
        raise Refused("another command is writing")

    stream = TextIOWrapper(BytesIO(letter("Anna", "join Iceland")))
    monkeypatch.setattr("league.desk.inbox.read_mail.stdin", stream)
    monkeypatch.setattr(pipe, "judge_waiting", stumble)
    pipe.take_in(opened(spring, WEDNESDAY), None)
    assert verdicts(spring) == []
    mail_run(spring, WEDNESDAY)
    assert verdicts(spring) == [("accepted", "readable")]


@pytest.mark.parametrize("place", ["fetch.before_commit", "fetch.after_commit", "intake.before_commit"])
def test_killed_in_the_pipe(spring: Path, place: str) -> None:
    """The mail server tries again, and whether the first try got through or not, the order counts once."""
    raw = letter("Anna", "join Iceland")
    command = [
        sys.executable,
        "-m",
        "league",
        "--site",
        str(spring),
        "--now",
        WEDNESDAY.isoformat(),
        "mail",
        "read",
        "-",
    ]
    died = subprocess.run(command, input=raw, check=False, cwd=ROOT, env={**os.environ, "LEAGUE_FAILPOINT": place})
    assert died.returncode not in {0, 1}
    assert subprocess.run(command, input=raw, check=False, cwd=ROOT).returncode == 0
    assert verdicts(spring) == [("accepted", "readable")]
    assert len(rows(spring, "SELECT * FROM submission")) == 1


def test_no_site_means_try_again(spring: Path) -> None:
    """Without a site there is nowhere to keep a mail."""
    done = fresh(spring / "nowhere", WEDNESDAY, "mail", "read", "-")
    assert (done.returncode, done.stdout, done.stderr) == (TRY_AGAIN, "", "")
