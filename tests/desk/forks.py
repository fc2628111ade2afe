"""Many `league` processes for tests, each forked from one that has the imports done."""

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.desk.sites import ROOT


@dataclass(frozen=True)
class Ended:
    """How a process ended."""

    code: int
    out: str
    err: str


@dataclass
class Forks:
    """Command lines go in, ends come out."""

    process: "subprocess.Popen[str]"

    @classmethod
    def begin(cls, *, small: bool) -> "Forks":
        """`small`: batches of a few, so that there are many transactions."""
        command = [sys.executable, "-m", "tests.desk.zygote", *(["small"] if small else [])]
        return cls(subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE))

    def at_once(self, *runs: dict[str, Any]) -> list[Ended]:
        """Start them in the same moment and wait for all."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(runs) + "\n")
        self.process.stdin.flush()
        return [Ended(**answer) for answer in json.loads(self.process.stdout.readline())]

    def league(self, path: Path, now: datetime, *args: str, **env: str) -> Ended:
        """One command line of a site."""
        return self.at_once(command(path, now, *args, **env))[0]

    def killed(self, path: Path, now: datetime, after: float, *args: str) -> Ended:
        """One command line of a site, killed after so many seconds, wherever it is then."""
        return self.at_once({**command(path, now, *args), "kill_after": after})[0]

    def end(self) -> None:
        """Close the pipe; the process goes."""
        self.process.communicate()


def command(path: Path, now: datetime, *args: str, **env: str) -> dict[str, Any]:
    """A command line of a site."""
    return {"args": ["--site", str(path), "--now", now.isoformat(), *args], "env": env}
