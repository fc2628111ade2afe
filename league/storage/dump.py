"""A consistent copy of a site's database while others go on writing to it, and how it comes back."""

import os
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from shutil import which

from sqlalchemy import URL, Engine

from league.core.errors import Refused

SQLITE, POSTGRES = "database.sqlite", "database.dump"  # names in a backup
COMPACT = "PRAGMA journal_mode=DELETE"  # the copy is one file, without a log beside it


def copy_database(engine: Engine, folder: Path) -> Path:
    """Copy the database into a folder, as it is at one moment."""
    if engine.dialect.name == "sqlite":
        return _copy_sqlite(Path(engine.url.database or ""), folder / SQLITE)
    dump = folder / POSTGRES
    _tool("pg_dump", engine.url, "--format=custom", "--no-owner", "--no-privileges", f"--file={dump}")
    dump.chmod(0o600)
    return dump


def _copy_sqlite(source: Path, target: Path) -> Path:
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        try:
            old.backup(new)
            new.execute(COMPACT)
            (word,) = new.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            raise Refused(f"{source} can't be copied: {error}") from error
    if word != "ok":
        raise Refused(f"{source} is damaged ({word}); a backup of it would be worth nothing")
    return target


def load_dump(dump: Path, url: URL) -> None:
    """Bring a dump of PostgreSQL into an empty database, whole or not at all."""
    _tool("pg_restore", url, "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", str(dump))


def _tool(name: str, url: URL, *arguments: str) -> None:
    """Run one of PostgreSQL's own programs, without a shell; the password goes by the environment, where `ps` isn't."""
    program = which(name)
    if program is None:
        raise Refused(f"{name} isn't installed; it comes with PostgreSQL's client programs (postgresql-client)")
    where = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment: Mapping[str, str] = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    done = subprocess.run(  # noqa: S603  # found on the path, its arguments are ours
        [program, *arguments, f"--dbname={where}", "--no-password"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise Refused(f"{name} failed: {words[0] if words else f'it ended with {done.returncode}'}")
