"""One run of a site at a time: a file lock beside the database, an advisory lock inside PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EAGAIN
from fcntl import LOCK_EX, LOCK_NB, flock
from os import O_CREAT, O_DIRECTORY, O_RDONLY, O_RDWR, close, fsync, ftruncate, pread, pwrite
from os import open as open_file
from pathlib import Path
from time import monotonic, sleep

from sqlalchemy import Connection, Engine, text

from league.core.errors import Refused

LOCK_NAME = "run.lock"
SEND_LOCK_NAME = "send.lock"
PAUSE = 0.05
# Any fixed numbers: such locks belong to one database, and a database is one site.
KEYS = {LOCK_NAME: 0x72756E, SEND_LOCK_NAME: 0x73656E64}


@contextmanager
def run_lock(
    site: Path, who: str, wait: float = 0.0, engine: Engine | None = None, name: str = LOCK_NAME
) -> Iterator[None]:
    """Hold one of the site's locks, waiting up to `wait` seconds for it; `Refused` names who holds it.

    The lock falls with the process that holds it, however that ends. With PostgreSQL several machines may
    run one site, so the database holds a lock as well.
    """
    with _file_lock(site / name, who, wait):
        if engine is None or engine.dialect.name != "postgresql":
            yield
            return
        alone = engine.execution_options(isolation_level="AUTOCOMMIT")  # no transaction stays open for a whole run
        with alone.connect() as connection, _advisory_lock(connection, KEYS[name], wait):
            yield


@contextmanager
def folder_lock(path: Path) -> Iterator[None]:
    """Hold a folder itself, in which there is no file yet that could be locked; `Refused` if somebody else does."""
    handle = open_file(path, O_RDONLY | O_DIRECTORY)
    try:
        if not _take(handle):
            raise Refused(f"another league command is at work in {path}; wait until it has finished")
        yield
    finally:
        close(handle)


@contextmanager
def _file_lock(path: Path, who: str, wait: float) -> Iterator[None]:
    handle = open_file(path, O_CREAT | O_RDWR, 0o600)
    try:
        until = monotonic() + wait
        while not _take(handle):
            if monotonic() >= until:
                raise Refused(f"this site is in use by {_holder(handle)}; wait until it has finished")
            sleep(PAUSE)
        ftruncate(handle, 0)
        pwrite(handle, who.encode(), 0)
        fsync(handle)
        yield
    finally:
        close(handle)  # gives the lock back; the file stays, so that nobody locks an unlinked one


def _take(handle: int) -> bool:
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except OSError as error:
        if error.errno in (EACCES, EAGAIN):
            return False
        raise
    return True


def _holder(handle: int) -> str:
    return pread(handle, 500, 0).decode(errors="replace").strip() or "another league command"


@contextmanager
def _advisory_lock(connection: Connection, key: int, wait: float) -> Iterator[None]:
    until = monotonic() + wait
    while not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}).scalar():
        if monotonic() >= until:
            raise Refused("this site is in use on another machine; wait until that run has finished")
        sleep(PAUSE)
    try:
        yield
    finally:
        connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": key})
