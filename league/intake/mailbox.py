"""Where mail comes from: files, mbox, Maildir, a pipe. Bytes and a time come out, nothing is read or judged here."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, Protocol

from league.core.errors import BadInput

MAX_BYTES = 1_000_000
SETTLED = "l"  # our flag in the name of a file of our own Maildir; other programs keep or drop it, both are harmless
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_FIRST_HEADER = re.compile(rb"[!-9;-~]+[ \t]*:")


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder on a mail server, for as long as its UIDs mean the same messages (UIDVALIDITY)."""

    account: str
    folder: str
    validity: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where on a server a message lies."""

    shelf: Shelf
    uid: int
    message_id: str


@dataclass(frozen=True, slots=True)
class RawMail:
    """A message as it came, kept before anyone reads it.

    A message over the mailbox's limit carries its first bytes only, one more than the limit allows.
    """

    digest: str
    received_at: datetime
    content: bytes
    source: str
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Fetch:
    """One look into a mailbox. `mails` streams; `complete`, `notes` and `clocks` hold once it is exhausted.

    `clocks`: what the mailbox's own clock said as the look began, where it has one that isn't ours.
    """

    started_at: datetime
    mails: Iterator[RawMail]
    troubles: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    clocks: list[datetime] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Nothing that lay in the mailbox was left out."""
        return not self.troubles


class Mailbox(Protocol):
    """Anything mail can be fetched from; flags of a server or of a file's name decide nothing."""

    def fetch(self) -> Fetch:
        """Everything that may be new, oldest first."""
        ...

    def settle(self, digest: str) -> None:
        """The verdict on this message is stored; never called before that."""
        ...

    def close(self) -> Sequence[str]:
        """Nothing more will be asked. What didn't go well about putting mails away; nobody has to wait for it."""
        ...


def raw_mail(content: bytes, received_at: datetime, source: str) -> RawMail:
    """The digest is of the content alone: the same message twice is one message."""
    return RawMail(sha256(content).hexdigest(), received_at, content, source)


@dataclass(frozen=True, slots=True)
class EmlFile:
    """One message in one file."""

    path: Path
    now: datetime
    received_at: datetime | None = None
    max_bytes: int = MAX_BYTES

    def fetch(self) -> Fetch:
        """The file's bytes."""
        troubles: list[str] = []
        return Fetch(self.now, self._mails(troubles), troubles)

    def _mails(self, troubles: list[str]) -> Iterator[RawMail]:
        content = _read(self.path, self.max_bytes, troubles)
        if content is not None:
            yield raw_mail(content, self.received_at or self.now, str(self.path))

    def settle(self, digest: str) -> None:
        """Somebody else's file is left as it is."""

    def close(self) -> Sequence[str]:
        """Nothing is open."""
        return ()


@dataclass(frozen=True, slots=True)
class Stdin:
    """One message from a pipe."""

    stream: BinaryIO
    now: datetime
    received_at: datetime | None = None
    max_bytes: int = MAX_BYTES

    def fetch(self) -> Fetch:
        """The stream's bytes up to the limit; the rest is drained so that the writer never sees a broken pipe."""
        return Fetch(self.now, self._mails())

    def _mails(self) -> Iterator[RawMail]:
        content = self.stream.read(self.max_bytes + 1)
        while self.stream.read(65_536):
            pass
        yield raw_mail(content, self.received_at or self.now, "-")

    def settle(self, digest: str) -> None:
        """A pipe keeps nothing."""

    def close(self) -> Sequence[str]:
        """The stream belongs to who opened it."""
        return ()


@dataclass(frozen=True, slots=True)
class Mbox:
    """A file of many messages. It is read, never locked or rewritten."""

    path: Path
    now: datetime
    received_at: datetime | None = None
    max_bytes: int = MAX_BYTES

    def fetch(self) -> Fetch:
        """The messages in the file's order, `>From ` quoting undone."""
        troubles: list[str] = []
        return Fetch(self.now, self._mails(troubles), troubles)

    def _mails(self, troubles: list[str]) -> Iterator[RawMail]:
        when = self.received_at or self.now
        try:
            with self.path.open("rb") as stream:
                for number, content in enumerate(_split_mbox(stream, self.max_bytes), 1):
                    yield raw_mail(content, when, f"{self.path}:{number}")
        except OSError as trouble:
            troubles.append(str(trouble))

    def settle(self, digest: str) -> None:
        """Somebody else's file is left as it is."""

    def close(self) -> Sequence[str]:
        """Nothing is open."""
        return ()


def _split_mbox(stream: BinaryIO, max_bytes: int) -> Iterator[bytes]:
    """A message begins at a `From ` line that follows an empty one; bytes past the limit are not held."""
    held: list[bytes] = []
    size, begun, after_blank = 0, False, True
    while line := stream.readline(65_536):
        if after_blank and line.startswith(b"From "):
            if begun:
                yield _unquoted(held, max_bytes)
            held, size, begun, after_blank = [], 0, True, False
            continue
        if size <= max_bytes:
            held.append(line)
            size += len(line)
        after_blank = line in {b"\n", b"\r\n"}
    if begun:
        yield _unquoted(held, max_bytes)


def _unquoted(lines: list[bytes], max_bytes: int) -> bytes:
    """The message as it was before the mbox writer quoted it; the empty line before the next `From ` is the file's."""
    if lines and lines[-1] in {b"\n", b"\r\n"}:
        lines = lines[:-1]
    return _QUOTED_FROM.sub(rb"\1", b"".join(lines))[: max_bytes + 1]


@dataclass(frozen=True, slots=True)
class Maildir:
    """A folder with `new` and `cur`.

    In somebody else's nothing is touched. In the site's own (`owned`) a settled message moves to `cur` with our
    flag and isn't read again, unless `everything` is asked for (after a restore). A message that a mail program
    moved to `cur` has no such flag and is read.
    """

    path: Path
    now: datetime
    owned: bool = False
    everything: bool = False
    max_bytes: int = MAX_BYTES
    places: dict[str, list[Path]] = field(default_factory=dict, compare=False)

    def fetch(self) -> Fetch:
        """The messages by the time their files were written; a time to come counts as now."""
        troubles: list[str] = []
        return Fetch(self.now, self._mails(troubles), troubles)

    def _mails(self, troubles: list[str]) -> Iterator[RawMail]:
        for mtime, _, path in sorted(self._files(troubles)):
            content = _read(path, self.max_bytes, troubles, self._found_again)
            if content is None:
                continue
            written = datetime.fromtimestamp(min(mtime, int(self.now.timestamp())), UTC)
            mail = raw_mail(content, written, str(path))
            if self.owned:
                self.places.setdefault(mail.digest, []).append(path)
            yield mail

    def _files(self, troubles: list[str]) -> Iterator[tuple[int, str, Path]]:
        for folder in ("new", "cur"):
            for path in _listed(self.path / folder, troubles):
                if path.name.startswith(".") or (self.owned and not self.everything and _is_settled(path)):
                    continue
                if path.is_symlink():
                    troubles.append(f"{path}: a link, not a message; links aren't followed")
                    continue
                found = _stat(path, troubles) or _stat(self._found_again(path), troubles)
                if found:
                    yield found

    def _found_again(self, path: Path) -> Path | None:
        """A mail program renamed the file while we looked: its unique part stays the same."""
        unique = path.name.partition(":")[0]
        moved = (
            self.path / folder / name.name for folder in ("cur", "new") for name in _listed(self.path / folder, [])
        )
        return next((found for found in moved if found.name.partition(":")[0] == unique), None)

    def settle(self, digest: str) -> None:
        """Move the message to `cur` if the Maildir is ours."""
        if not self.owned:
            return
        for path in self.places.pop(digest, []):
            now = path if path.exists() else self._found_again(path)
            if now is not None:
                unique, _, info = now.name.partition(":2,")
                now.rename(self.path / "cur" / f"{unique}:2,{''.join(sorted(set(info) | {'S', SETTLED}))}")

    def close(self) -> Sequence[str]:
        """Nothing is open."""
        return ()


def _stat(path: Path | None, troubles: list[str]) -> tuple[int, str, Path] | None:
    """Time, name and path of a regular file; anything else in a Maildir (a folder, a pipe) is no message."""
    try:
        facts = path.lstat() if path else None
    except FileNotFoundError:
        return None
    except OSError as trouble:
        troubles.append(str(trouble))
        return None
    return (int(facts.st_mtime), path.name, path) if path and facts and S_ISREG(facts.st_mode) else None


def _is_settled(path: Path) -> bool:
    return path.parent.name == "cur" and SETTLED in path.name.partition(":2,")[2]


def _listed(folder: Path, troubles: list[str]) -> Iterable[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as trouble:
        troubles.append(str(trouble))
        return ()


def _read(
    path: Path, max_bytes: int, troubles: list[str], again: Callable[[Path], Path | None] = lambda _: None
) -> bytes | None:
    """At most one byte more than the limit: enough to see that it was passed."""
    try:
        with path.open("rb") as stream:
            return stream.read(max_bytes + 1)
    except FileNotFoundError as trouble:
        found = again(path)
        if found is not None and found != path:
            return _read(found, max_bytes, troubles)
        troubles.append(str(trouble))
    except OSError as trouble:
        troubles.append(str(trouble))
    return None


def open_path(
    path: Path,
    now: datetime,
    *,
    received_at: datetime | None = None,
    owned: bool = False,
    everything: bool = False,
    max_bytes: int = MAX_BYTES,
) -> Mailbox:
    """The mailbox that lies at a path, chosen by what it is and not by its name."""
    if path.is_dir():
        missing = [part for part in ("new", "cur") if not (path / part).is_dir()]
        if missing:
            raise BadInput(f"this folder is no Maildir: it has no {' and no '.join(missing)}", str(path))
        return Maildir(path, now, owned=owned, everything=everything, max_bytes=max_bytes)
    if not path.exists():
        raise BadInput("no such file or folder", str(path))
    if not path.is_file():
        raise BadInput("neither a file nor a folder", str(path))
    try:
        with path.open("rb") as stream:
            start = stream.read(4096)
    except OSError as trouble:
        raise BadInput(trouble.strerror or "can't be read", str(path)) from trouble
    if start.startswith(b"From "):
        return Mbox(path, now, received_at, max_bytes)
    if not start.strip():
        raise BadInput("the file is empty; a message, an mbox or a Maildir was expected", str(path))
    if not _FIRST_HEADER.match(start.removeprefix(b"\xef\xbb\xbf").lstrip()):
        raise BadInput("this is no mail: a message begins with a header such as “From: anna@example.org”", str(path))
    return EmlFile(path, now, received_at, max_bytes)
