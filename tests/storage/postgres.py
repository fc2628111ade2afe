"""A real PostgreSQL of our own: no root needed, reached by a socket in its own folder, gone with the tests."""

import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg
from psycopg import sql

INSTALLED = Path("/usr/lib/postgresql")
USER = "league"
SETTINGS = ("listen_addresses=", "max_connections=40", "shared_buffers=32MB", "fsync=off", "full_page_writes=off")


def binaries() -> Path | None:
    """Where `initdb` and `pg_ctl` are: on the path, or where Debian keeps the newest version."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    versions = [place for place in INSTALLED.glob("*/bin") if (place / "initdb").exists()]
    return max(versions, key=lambda place: int(place.parent.name), default=None)


def missing() -> str:
    """Why these tests can't run here; empty if they can."""
    return "" if binaries() else "PostgreSQL is needed (on Debian and Ubuntu: apt-get install postgresql)"


@dataclass
class Postgres:
    """A server in a folder, without a password, for whoever may enter the folder."""

    base: Path
    bin: Path
    account: str | None  # as whom it runs, where we are root: it refuses to
    made: "count[int]"

    @classmethod
    def start(cls) -> "Postgres":
        place = binaries()
        assert place is not None
        server = cls(Path(tempfile.mkdtemp(prefix="league-pg-")), place, _account(), count(1))
        if server.account:
            shutil.chown(server.base, server.account)
        data = str(server.base / "data")
        server._run("initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = " ".join(f"-c {setting}" for setting in (*SETTINGS, f"unix_socket_directories={server.base}"))
        server._run("pg_ctl", "-D", data, "-w", "-l", str(server.base / "log"), "-o", options, "start")
        return server

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.base / "data"), "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.base)

    def url(self, database: str) -> str:
        """As it stands in `league.toml`."""
        return f"postgresql://{USER}@/{database}?host={self.base}"

    def create(self, like: str = "template1") -> str:
        """A new database, a copy of another one that nobody is connected to; its name."""
        name = f"site{next(self.made)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, like))))
        return name

    def _run(self, command: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.bin / command, *arguments],
            user=self.account,
            cwd=self.base,
            check=False,
            stdout=subprocess.DEVNULL,  # not a pipe: the server keeps it open
            stderr=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        )
        log = self.base / "log"
        assert done.returncode == 0, (command, log.read_text() if log.exists() else "")


def _account() -> str | None:
    if os.geteuid():
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in known)
