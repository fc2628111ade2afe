"""One file that holds a site, or a league: a plain tar whose first member says size and SHA-256 of every other one.

It isn't compressed, so nothing in it can unpack to more than the file itself weighs. What is read is believed only
where it keeps to the rules below: plain files, under names that it may have, exactly those that the manifest lists.
"""

import io
import json
import os
import tarfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import disk_usage
from stat import S_ISREG
from typing import Any, BinaryIO

from league.core.errors import BadInput, Refused
from league.core.json import JsonDict
from league.failpoints import reach

MANIFEST, SIGNATURE = "manifest.json", "signature"
ALONE = frozenset({"league.toml", "database.sqlite", "database.dump"})
FOLDERS = frozenset({"secrets", "mail", "templates", "static"})
PIECE = 1 << 20  # bytes read at a time: also the most that a header may hold
MANIFEST_BYTES = 64 << 20
MOST_PARTS, LONGEST = 16, 255
BAD_TAR = (tarfile.TarError, ValueError, OverflowError, RecursionError, EOFError, KeyError)


@dataclass(frozen=True, slots=True)
class Sort:
    """What an archive is: the kind that its manifest names, what it is called, who writes it, which names it may hold.

    `most_files` and `most_bytes` are what is believed of a manifest; 0 is as much as the disk has room for.
    """

    kind: str
    noun: str
    writer: str
    at_switch: Callable[[], None]
    allows: Callable[[str], bool]
    most_files: int = 0
    most_bytes: int = 0

    @property
    def family(self) -> str:
        """The kind without its version."""
        return self.kind.rpartition("-")[0]


@dataclass(frozen=True, slots=True)
class Packed:
    """A file in an archive; `mtime` in whole seconds, for a Maildir tells by it when a mail came."""

    name: str
    size: int
    sha256: str
    mtime: int

    def facts(self) -> JsonDict:
        """As the manifest lists it."""
        return {"name": self.name, "size": self.size, "sha256": self.sha256, "mtime": self.mtime}


@dataclass(frozen=True, slots=True)
class Archive:
    """What an archive holds: what is told about it, and its files in their order."""

    about: Mapping[str, Any]
    files: tuple[Packed, ...]

    def payload(self, sort: Sort) -> bytes:
        """The bytes that a signature in the manifest is over: all of it but the signature itself."""
        return _payload(sort, {key: value for key, value in self.about.items() if key != SIGNATURE}, self.files)


# ------------------------------------------------------------------ writing


def pack(
    target: Path,
    files: Sequence[tuple[str, Path]],
    about: JsonDict,
    sort: Sort | None = None,
    sign: Callable[[bytes], str] | None = None,
) -> tuple[Packed, ...]:
    """Write an archive whole or not at all, for its owner's eyes alone; `files` are names in it with where they lie.

    It is a backup, unless another `sort` is given; `sign` signs its manifest.
    """
    sort = sort or BACKUP
    packed = [(_measured(sort, name, path), path) for name, path in files]
    listed = [one for one, _ in packed]
    manifest: JsonDict = {"kind": sort.kind, **about, "files": [one.facts() for one in listed]}
    manifest |= {SIGNATURE: sign(_payload(sort, about, listed))} if sign else {}
    draft = target.with_name(f"{target.name}.unfinished")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with open(handle, "wb") as stream:  # noqa: PTH123  # opened with its mode, so that it is never readable in between
            _write(stream, json.dumps(manifest, ensure_ascii=False, indent=1).encode(), packed)
            stream.flush()
            os.fsync(handle)
        sort.at_switch()
        require_new(target, sort)
        draft.rename(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return tuple(one for one, _ in packed)


def _payload(sort: Sort, about: Mapping[str, Any], files: Iterable[Packed]) -> bytes:
    whole = {"kind": sort.kind, **about, "files": [one.facts() for one in files]}
    return json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def require_new(target: Path, sort: Sort | None = None) -> None:
    """The last good backup is the worst thing to write over."""
    if target.exists() or target.is_symlink():
        noun = (sort or BACKUP).noun
        raise Refused(f"{target} is there already; a {noun} never replaces another one")


def _measured(sort: Sort, name: str, path: Path) -> Packed:
    if not sort.allows(name):
        raise Refused(f"{path} can't be put into a {sort.noun} under the name {name!r}")
    with path.open("rb") as file:
        facts, digest = os.fstat(file.fileno()), sha256()
        size = 0
        while piece := file.read(PIECE):
            digest.update(piece)
            size += len(piece)
    return Packed(name, size, digest.hexdigest(), int(facts.st_mtime))


def _write(stream: BinaryIO, manifest: bytes, packed: Sequence[tuple[Packed, Path]]) -> None:
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(_entry(MANIFEST, len(manifest), 0), io.BytesIO(manifest))
        for one, path in packed:
            with path.open("rb") as file:
                watched = _Watched(file)
                try:
                    tar.addfile(_entry(one.name, one.size, one.mtime), watched)
                except OSError as error:
                    if "unexpected end of data" not in str(error):
                        raise
            if watched.digest.hexdigest() != one.sha256:
                raise Refused(f"{path} was changed while it was being packed; run it again")


def _entry(name: str, size: int, mtime: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = size, mtime, 0o600
    return entry


class _Watched(io.RawIOBase):
    """A file whose bytes are hashed on their way."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self.file = file
        self.digest = sha256()

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        piece = self.file.read(size)
        self.digest.update(piece)
        return piece


# ------------------------------------------------------------------ reading


def is_ours(name: str) -> bool:
    """Whether a backup has files of this name: relative, plain, in one of a site's own places."""
    parts = name.split("/")
    if not name.isprintable() or "\\" in name or not 1 <= len(parts) <= MOST_PARTS:
        return False
    if any(part in {"", ".", ".."} or len(part.encode()) > LONGEST for part in parts):
        return False
    return name in ALONE if len(parts) == 1 else parts[0] in FOLDERS


BACKUP = Sort("league-backup-1", "backup", "league backup", lambda: reach("backup.before_switch"), is_ours)
KIND = BACKUP.kind


def look(path: Path, sort: Sort = BACKUP) -> Archive:
    """Read the whole archive, check every hash, write nothing; `BadInput` for one that is damaged or no such thing."""
    with _opened(path, sort) as (tar, members):
        found = _manifest(path, sort, tar, next(members, None))
        for _, content in _contents(path, tar, members, found.files):
            deque(content, maxlen=0)
    return found


def unpack(path: Path, found: Archive, into: Path, sort: Sort = BACKUP) -> None:
    """Write what `look` has found in the archive into a folder of one's own; it is checked again on the way."""
    needed, free = sum(one.size for one in found.files), disk_usage(into).free
    if needed > free:
        raise Refused(f"{path} holds {needed >> 20} MB, and there is room for {free >> 20} MB in {into}")
    with _opened(path, sort) as (tar, members):
        if _manifest(path, sort, tar, next(members, None)) != found:
            raise BadInput("it was changed while it was being read", str(path))
        for one, content in _contents(path, tar, members, found.files):
            _put(into / one.name, one, content)


def _put(target: Path, one: Packed, content: Iterable[bytes]) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(handle, "wb") as file:  # noqa: PTH123  # opened with its mode
        file.writelines(content)
        file.flush()
        os.fsync(handle)
    os.utime(target, (one.mtime, one.mtime))


class _Careful(io.RawIOBase):
    """The archive's bytes, never many at a time: a header that claims to be huge isn't read into memory."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self.file = file

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        if not 0 <= size <= PIECE:
            raise tarfile.ReadError("a header is too long")
        return self.file.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place."""
        return self.file.seek(offset, whence)

    def tell(self) -> int:
        """Where we are."""
        return self.file.tell()


@contextmanager
def _opened(path: Path, sort: Sort) -> Iterator[tuple[tarfile.TarFile, Iterator[tarfile.TarInfo]]]:
    try:
        with path.open("rb") as file:
            if not S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BadInput(f"this is no file; give the one that {sort.writer} wrote", str(path))
            try:
                with tarfile.open(fileobj=_Careful(file), mode="r:") as tar:
                    yield tar, _plain(path, sort, tar)
            except BAD_TAR as error:
                raise BadInput(f"this is no {sort.noun}, or it is damaged ({error})", str(path)) from error
    except IsADirectoryError as error:
        raise BadInput(f"this is no file but a folder; give the one that {sort.writer} wrote", str(path)) from error
    except FileNotFoundError as error:
        raise BadInput(f"there is no such file; give the one that {sort.writer} wrote", str(path)) from error


def _plain(path: Path, sort: Sort, tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members, as long as they are plain files; a link or a device ends it."""
    while (entry := tar.next()) is not None:
        tar.members = []  # type: ignore[attr-defined]  # else a long archive is remembered
        if not entry.isreg() or entry.issparse():
            raise BadInput(f"{entry.name!r} in it is no plain file; {sort.writer} writes no such thing", str(path))
        yield entry


def _manifest(path: Path, sort: Sort, tar: tarfile.TarFile, first: tarfile.TarInfo | None) -> Archive:
    if first is None or first.name != MANIFEST or first.size > MANIFEST_BYTES:
        raise BadInput(f"this is no {sort.noun}: it doesn't begin with a manifest", str(path))
    told = json.loads(b"".join(_pieces(tar, first)))
    kind = told.get("kind") if isinstance(told, dict) else None
    if kind != sort.kind:
        raise _other_kind(path, sort, kind)
    files = told.pop("files", None)
    if not isinstance(files, list):
        raise BadInput("its manifest lists no files", str(path))
    found = tuple(_listed(path, sort, one) for one in files)
    _require_moderate(path, sort, found)
    names = {one.name for one in found}
    folders = {"/".join(one.name.split("/")[:n]) for one in found for n in range(1, one.name.count("/") + 1)}
    if len(names) != len(found) or names & folders:
        raise BadInput("its manifest lists a name twice", str(path))
    return Archive(told, found)


def _require_moderate(path: Path, sort: Sort, found: Sequence[Packed]) -> None:
    size = sum(one.size for one in found)
    if (sort.most_files and len(found) > sort.most_files) or (sort.most_bytes and size > sort.most_bytes):
        raise BadInput(f"it holds {len(found)} files of {size} bytes, more than a {sort.noun} has", str(path))


def _other_kind(path: Path, sort: Sort, kind: Any) -> BadInput:
    """One of a later version was written by a newer program; anything else is something else."""
    family, _, version = str(kind).rpartition("-")
    if family == sort.family and version.isascii() and version.isdigit() and int(version[:9]) > 1:
        return BadInput(f"it was written by a newer league ({kind}); install that version first", str(path))
    return BadInput(f"its manifest is of the kind {str(kind)[:60]!r}, not {sort.kind!r}", str(path))


def _listed(path: Path, sort: Sort, told: Any) -> Packed:
    wanted = {"name": str, "size": int, "sha256": str, "mtime": int}
    if not isinstance(told, dict) or {key: type(value) for key, value in told.items()} != wanted:
        raise BadInput("its manifest lists something that is no file", str(path))
    if not sort.allows(told["name"]) or told["size"] < 0 or not 0 <= told["mtime"] < 1 << 40:
        raise BadInput(f"it holds {told['name']!r}, which no {sort.noun} has: nothing was unpacked", str(path))
    return Packed(**told)


def _contents(
    path: Path, tar: tarfile.TarFile, members: Iterator[tarfile.TarInfo], files: Sequence[Packed]
) -> Iterator[tuple[Packed, Iterator[bytes]]]:
    """Each file with its bytes; whoever reads them to the end has them checked."""
    for one in files:
        entry = next(members, None)
        if entry is None or (entry.name, entry.size) != (one.name, one.size):
            what = "ends too early" if entry is None else f"holds {entry.name!r} in the place of {one.name!r}"
            raise BadInput(f"it {what}: it is damaged, nothing was unpacked", str(path))
        yield one, _checked(path, tar, entry, one)
    extra = next(members, None)
    if extra is not None:
        raise BadInput(f"it holds {extra.name!r}, which its manifest doesn't list; nothing was unpacked", str(path))
    _require_end(path)


def _require_end(path: Path) -> None:
    """A tar is filled up with zeros to whole records (POSIX pax): one that was cut within them isn't whole either."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 2 * tarfile.BLOCKSIZE, 0))
        if size % tarfile.RECORDSIZE or file.read().strip(b"\0"):
            raise BadInput("it ends too early: it is damaged, nothing was unpacked", str(path))


def _checked(path: Path, tar: tarfile.TarFile, entry: tarfile.TarInfo, one: Packed) -> Iterator[bytes]:
    digest = sha256()
    for piece in _pieces(tar, entry):
        digest.update(piece)
        yield piece
    if digest.hexdigest() != one.sha256:
        raise BadInput(
            f"{one.name} in it isn't what was packed: its SHA-256 differs, nothing of it was taken", str(path)
        )


def _pieces(tar: tarfile.TarFile, entry: tarfile.TarInfo) -> Iterator[bytes]:
    file = tar.extractfile(entry)
    while file is not None and (piece := file.read(PIECE)):
        yield piece
