"""Many `league` processes for tests, each forked from one that has the imports done."""

import atexit
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Ended:
    """How a process ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Forks:
    """Command lines go in, ends come out. `small`: batches of a few, so that there are many transactions."""

    small: bool = False

    def at_once(self, *runs: dict[str, Any]) -> list[Ended]:
        """Start them in the same moment and wait for all."""
        process = _zygote()
        assert process.stdin is not None
        assert process.stdout is not None
        environment = dict(os.environ)
        asked = [{**run, "env": {**environment, **run["env"]}, "small": self.small} for run in runs]
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        return [Ended(**answer) for answer in json.loads(process.stdout.readline())]

    def league(self, path: Path, now: datetime, *args: str, **env: str) -> Ended:
        """One command line of a site."""
        return self.at_once(command(path, now, *args, **env))[0]

    def killed(self, path: Path, now: datetime, after: float, *args: str) -> Ended:
        """One command line of a site, killed after so many seconds, wherever it is then."""
        return self.at_once({**command(path, now, *args), "kill_after": after})[0]


def command(path: Path, now: datetime, *args: str, **env: str) -> dict[str, Any]:
    """A command line of a site."""
    return {"args": ["--site", str(path), "--now", now.isoformat(), *args], "env": env}


@cache
def _zygote() -> "subprocess.Popen[str]":
    """The one of this process, begun when it is first needed; it ends when its pipe is closed."""
    command_ = [sys.executable, "-m", "tests.desk.zygote"]
    process = subprocess.Popen(command_, cwd=_HERE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(process.communicate)
    return process
