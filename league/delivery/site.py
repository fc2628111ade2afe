"""Publishing: a new build beside the old one, then one rename that makes it `public`.

`public` is a link to `builds/N`. Whoever reads it sees the old build or the new one, never half of either. A file
that didn't change is the same file in both (a hard link), so its time stays and the disk holds it once.

Each folder at the top, and the whole, can have a manifest: its files with their hashes, as signed by who publishes.
Bytes are hashed as they are given; of what is taken over, the old manifest's word stays, whatever lies on the disk now.
"""

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from errno import EMLINK, EOPNOTSUPP, EPERM, EXDEV
from hashlib import sha256
from pathlib import Path
from shutil import copy2, rmtree

from league.core.errors import Broken
from league.delivery.maildir import sync_folder
from league.failpoints import reach
from league.records.manifest import FILE, read_manifest

KEPT = 3
ONE_BY_ONE = 200  # above so many new files the whole disk is told to write once
FORBIDDEN = frozenset({"", ".", ".."})
Seal = Callable[[str, Mapping[str, str]], bytes]  # a folder and its files' hashes: the manifest


@dataclass(frozen=True, slots=True)
class Published:
    """What became of a publication. An unchanged site keeps its build."""

    number: int
    written: int
    linked: int
    gone: int

    @property
    def changed(self) -> bool:
        """Whether anybody can see a difference."""
        return bool(self.written or self.gone)


@dataclass(slots=True)
class _Build:
    """A build in the making: `old` is what is public now, `new` nobody sees yet."""

    new: Path
    old: Path | None
    made: dict[str, str] = field(default_factory=dict)  # what was given, with its hash
    kept: dict[str, list[str]] = field(default_factory=dict)  # what was taken over, by the folder at the top
    sealed: frozenset[str] = frozenset()  # the manifests that are made anew
    whole: str = ""  # what the names of the files at the top begin with that were all given
    folders: set[str] = field(default_factory=lambda: {""})
    written: list[str] = field(default_factory=list)
    linked: int = 0
    gone: int = 0


def publish(
    site: Path,
    files: Iterable[tuple[str, bytes]],
    replaced: Collection[str] = ("",),
    seal: Seal | None = None,
    whole: str = "",
) -> Published:
    """Make these files public.

    `replaced` names the folders ("spring") that the files are all of: what lay in them and isn't given any more is
    gone. Everything outside them stays as it was published; "" is the whole site. The files may come from a
    generator: none is held longer than it takes to write it. `seal` makes the manifests, where there are to be some.
    The files at the top whose names begin with `whole` are all given too; empty: nothing is said of them.
    """
    builds = site / "builds"
    builds.mkdir(exist_ok=True)
    _clear(site)
    old = _current(site)
    number = 1 + max((int(entry.name) for entry in builds.iterdir() if entry.name.isdecimal()), default=0)
    build = _Build(builds / f"{number}.tmp", old, whole=whole)
    build.new.mkdir()
    for name, content in files:
        _put(build, checked(name), content)
    if seal is not None:
        build.sealed = _to_seal(build, replaced)
    if old is not None:
        _take_over(build, old, "", frozenset(folder and checked(folder) for folder in replaced))
    if seal is not None:
        _seal(build, seal)
    if old is not None and not build.written and not build.gone:
        rmtree(build.new)
        return Published(int(old.name), 0, build.linked, 0)
    _sync(build)
    build.new.rename(builds / str(number))
    sync_folder(builds)
    reach("publish.before_switch")
    _switch(site, number)
    reach("publish.after_switch")
    _prune(builds, number)
    return Published(number, len(build.written), build.linked, build.gone)


def current(site: Path) -> int | None:
    """The number of the build that is public."""
    build = _current(site)
    return None if build is None else int(build.name)


def checked(name: str) -> str:
    """A relative path that stays inside the build; anything else is a program error."""
    parts = name.split("/")
    if FORBIDDEN & set(parts) or "\\" in name or not name.isprintable():
        raise Broken(f"{name!r} can't be published: it isn't a plain relative path")
    return name


def _clear(site: Path) -> None:
    """Take away what a crash left half made."""
    (site / "public.tmp").unlink(missing_ok=True)
    for draft in (site / "builds").glob("*.tmp"):
        rmtree(draft)


def _current(site: Path) -> Path | None:
    link = site / "public"
    if not link.is_symlink():
        if link.exists():
            raise Broken(f"{link} is no link; move it away, so that nothing in it is lost")
        return None
    target = site / link.readlink()
    return target if target.name.isdecimal() and target.is_dir() else None


def _put(build: _Build, name: str, content: bytes) -> None:
    if name in build.made:
        raise Broken(f"{name!r} is published twice")
    build.made[name] = sha256(content).hexdigest()
    folder = name.rpartition("/")[0]
    if folder not in build.folders:
        _make_folder(build, folder)
    if build.old is not None and _same(build.old / name, content):
        _link(build.old / name, build.new / name)
        build.linked += 1
        return
    (build.new / name).write_bytes(content)
    build.written.append(name)


def _make_folder(build: _Build, folder: str) -> None:
    (build.new / folder).mkdir(parents=True, exist_ok=True)
    while folder and folder not in build.folders:
        build.folders.add(folder)
        folder = folder.rpartition("/")[0]


def _same(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:  # not there, or a folder then
        return False


def _take_over(build: _Build, old: Path, folder: str, replaced: frozenset[str]) -> None:
    """Link everything of the old build's folder that isn't replaced."""
    drop = folder in replaced
    with os.scandir(old / folder) as entries:
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                _take_over_folder(build, old, name, replaced | {name} if drop else replaced)
            elif name in build.made or name in build.sealed:
                continue
            elif drop or name in build.folders or (build.whole and not folder and name.startswith(build.whole)):
                build.gone += 1
            else:
                _link(Path(entry.path), build.new / name)
                build.kept.setdefault(_top(name), []).append(name)
                build.linked += 1


def _take_over_folder(build: _Build, old: Path, name: str, replaced: frozenset[str]) -> None:
    if name in build.made:  # a file now
        replaced |= {name}
    if name not in build.folders and name not in replaced:
        (build.new / name).mkdir()
        build.folders.add(name)
    _take_over(build, old, name, replaced)


# ---------------------------------------------------------------- manifests


def _top(name: str) -> str:
    """The folder at the top in which a file lies; empty for the site's own files."""
    return name.partition("/")[0] if "/" in name else ""


def _to_seal(build: _Build, replaced: Collection[str]) -> frozenset[str]:
    """The manifests of what was given files or may have lost some, of folders without one, and the site's own."""
    tops = {_top(name) for name in build.made} | {folder.partition("/")[0] for folder in replaced} | {""}
    if build.old is not None:
        folders = [entry.name for entry in os.scandir(build.old) if entry.is_dir(follow_symlinks=False)]
        tops |= {name for name in folders if "" in replaced or not (build.old / name / FILE).is_file()}
    return frozenset(_manifest(top) for top in tops)


def _manifest(top: str) -> str:
    return f"{top}/{FILE}" if top else FILE


def _seal(build: _Build, seal: Seal) -> None:
    """Write the manifests: those of the folders, then the site's, which names them all."""
    given: dict[str, dict[str, str]] = {}
    for name, digest in build.made.items():
        given.setdefault(_top(name), {})[name] = digest
    for manifest in sorted(build.sealed - {FILE}):
        top = _top(manifest)
        files = given.get(top, {}) | _kept(build, top)
        if files:
            _put(build, manifest, seal(top, {name.removeprefix(f"{top}/"): digest for name, digest in files.items()}))
    own = given.get("", {}) | _kept(build, "")
    tops = {_top(name) for name in build.made} | set(build.kept)
    before = _known(build, "")
    for manifest in sorted(_manifest(top) for top in tops if top):
        own[manifest] = build.made.get(manifest) or before.get(manifest) or _hashed(build, manifest)
    _put(build, FILE, seal("", own))


def _kept(build: _Build, top: str) -> dict[str, str]:
    """The hashes of what a folder keeps, as its old manifest has them."""
    known, start = _known(build, top), f"{top}/" if top else ""
    return {
        name: known.get(name.removeprefix(start)) or _hashed(build, name)
        for name in build.kept.get(top, ())
        if name not in build.sealed
    }


def _known(build: _Build, top: str) -> Mapping[str, str]:
    try:
        read = read_manifest((build.old / _manifest(top)).read_bytes()) if build.old is not None else None
    except OSError:  # the first one
        return {}
    return read.files if read else {}


def _hashed(build: _Build, name: str) -> str:
    return sha256((build.new / name).read_bytes()).hexdigest()


def _link(source: Path, target: Path) -> None:
    """The same file under a second name; a copy with the same time where the disk knows no links."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in {EPERM, EOPNOTSUPP, EXDEV, EMLINK}:
            raise
        copy2(source, target)


def _sync(build: _Build) -> None:
    if len(build.written) > ONE_BY_ONE:
        os.sync()
        return
    for name in build.written:
        with (build.new / name).open("rb") as file:
            os.fsync(file.fileno())
    for folder in sorted({name.rpartition("/")[0] for name in build.written} | {""}):
        sync_folder(build.new / folder)


def _switch(site: Path, number: int) -> None:
    draft = site / "public.tmp"
    draft.symlink_to(Path("builds") / str(number))
    draft.replace(site / "public")
    sync_folder(site)


def _prune(builds: Path, newest: int) -> None:
    """Keep the last builds, so that a reader of the old one can finish."""
    numbers = sorted(int(entry.name) for entry in builds.iterdir() if entry.name.isdecimal() and entry.is_dir())
    for number in [n for n in numbers if n != newest][: -(KEPT - 1)]:
        rmtree(builds / str(number))
