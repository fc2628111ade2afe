"""Outgoing mail into a Maildir: for sites without an SMTP server, for the demo and for tests."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from league.delivery.outbox import Handed, Outcome, Outgoing

FOLDERS = ("tmp", "new", "cur")


@dataclass(slots=True)
class Maildir:
    """A transport that writes each mail into `new`.

    The file's name comes from the Message-ID, so a mail that is handed over again after a crash is the file
    that is there already, read (`cur`) or not.
    """

    path: Path
    exact: ClassVar[bool] = True
    _read: frozenset[str] | None = field(default=None, init=False)

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sequence[Handed]]:
        """Write the mails, and tell of them only when a power cut can't take them any more. Nothing is refused."""
        for folder in FOLDERS:
            (self.path / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._read is None:
            self._read = frozenset(entry.name.partition(":")[0] for entry in os.scandir(self.path / "cur"))
        for mail in mails:
            name = file_name(mail.message_id)
            if name not in self._read:
                self._write(name, mail.raw)
        sync_folder(self.path / "new")
        yield [Handed(mail.id, Outcome.SENT) for mail in mails]

    def _write(self, name: str, content: bytes) -> None:
        """Whole in `tmp` before it shows in `new`: a reader never sees half a mail."""
        draft, final = self.path / "tmp" / name, self.path / "new" / name
        if final.exists():
            return
        write_through(draft, content)
        draft.replace(final)


def file_name(message_id: str) -> str:
    """The name of a mail's file: nothing that a Message-ID may hold can escape the folder."""
    return f"{sha256(message_id.encode()).hexdigest()[:32]}.league"


def write_through(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file whole and fsync it; what a crash left under the name is overwritten."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with open(handle, "wb") as file:  # noqa: PTH123  # opened with its mode, so that it is never readable in between
        file.write(content)
        file.flush()
        os.fsync(handle)


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a power cut."""
    with _folder(path) as handle:
        os.fsync(handle)


@contextmanager
def _folder(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield handle
    finally:
        os.close(handle)
