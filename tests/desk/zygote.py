"""A process that has everything imported and forks a fresh `league` for each command line asked of it.

A crash test starts a hundred processes; each is a real one that dies for real, and none pays for the imports again.
`small` makes the batches small, so that a small site has many transactions to be killed between; and the pictures,
which take longer to draw than all the rest.

Reads JSON lines `[{"args": […], "env": {…}, "small": false, "kill_after": SECONDS}, …]`: all of a line are started at
once, each with that environment and nothing to read, and those with a time are killed (SIGKILL) after it. Answers with
a JSON line of `[{"code", "out", "err"}, …]`.
"""

import gc
import json
import os
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import league.cli.draw
import league.cli.mail
import league.cli.run  # noqa: F401  # imported once for all forks
from league.cli import main
from league.delivery.announce import check
from league.delivery.outbox import deliver
from league.desk.inbox import accept_mail
from league.desk.rounds import resolve_rounds
from league.desk.run import freeze_rounds
from league.reports import pictures
from tests.desk.sites import add_league, at, drop, figures, letter, make_site, run

SMALL = 3


check("json://localhost")  # it imports a hundred plug-ins


def _shrink() -> None:
    accept_mail.BATCH = SMALL
    freeze_rounds.CHUNK = resolve_rounds.CHUNK = 1
    deliver.__defaults__ = (5,)
    pictures.SHARP = 1


def _start(run: dict[str, Any], folder: Path, number: int) -> int:
    sys.stdout.flush()
    for name in ("out", "err"):  # there even if it is killed before its first step
        (folder / f"{number}.{name}").touch()
    pid = os.fork()
    if pid:
        return pid
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # the next command lines are not this one's to read
    for stream, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / f"{number}.{name}", os.O_WRONLY | os.O_CREAT), stream)
    os.environ.clear()
    os.environ.update(run["env"])
    if run["small"]:
        _shrink()
    code = 99
    try:
        code = main(run["args"])
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _answer(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        pids = [_start(run, folder, number) for number, run in enumerate(runs)]
        for run, pid in zip(runs, pids, strict=True):
            if "kill_after" in run:
                time.sleep(run["kill_after"])
                os.kill(pid, signal.SIGKILL)  # one that has ended is still ours to wait for
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
        return [
            {"code": code, "out": (folder / f"{n}.out").read_text(), "err": (folder / f"{n}.err").read_text()}
            for n, code in enumerate(codes)
        ]


def _warm() -> None:
    """Templates, catalogs and tables are read once here and not once a fork."""
    with TemporaryDirectory() as name:
        path = make_site(Path(name) / "site")
        add_league(path)
        drop(path, letter("Anna", "join Island"), at("2024-01-03 10:00"))
        run(path, at("2024-01-05 08:00"))
        figures(path, at("2024-01-13 21:00"))
        run(path, at("2024-01-14 08:00"))


if __name__ == "__main__":
    _warm()
    gc.collect()
    gc.freeze()  # else each fork's first look for circles of imports would copy all of this process
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)
