"""`league backup`: one file that holds all that can't be made again (docs/host.md: When the machine dies)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from league import __version__
from league.core.errors import Refused
from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.recovery import restored
from league.desk.site import Site
from league.settings import FILE
from league.storage import engine as database
from league.storage.archive import Packed, pack, require_new
from league.storage.dump import copy_database
from league.storage.lock import run_lock
from league.storage.records import Sealed

LOCK_SECONDS = 120.0
DRAFTS = "unfinished-"
NOT_MAIL = "tmp"  # what lies there is half written
KEYS, ALL, NONE = "keys", "all", "none"


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What went into a backup; `left_out`: what didn't, each in a sentence."""

    file: Path
    size: int
    files: tuple[Packed, ...]
    left_out: tuple[str, ...]
    heads: tuple[JsonDict, ...]


def back_up(site: Site, target: Path, secrets: str = KEYS) -> BackedUp:
    """Write a backup into a new file. `secrets`: keys alone, all of them (passwords of mail servers too), or none.

    Without the site's key no receipt of a running league can be signed again, and it can't be made anew; passwords
    can. So the first is in and the others aren't, unless somebody wants it otherwise.
    """
    require_new(target)
    if not target.parent.is_dir():
        raise Refused(f"there is no folder {target.parent}")
    with run_lock(site.path, f"league backup of {site.who}", LOCK_SECONDS, site.engine):
        with database.write(site.engine, "backup") as connection:
            site.write_down(connection, "backup", file=target.name, secrets=secrets)
            heads = tuple(_told(*found) for found in restored.heads(connection))
        room = make_room(site)
        try:
            dump = copy_database(site.engine, room)
            files = [(FILE, site.path / FILE), *_secrets(site, secrets), *_mail(site), *_templates(site)]
            about: JsonDict = {
                "tool": f"league {__version__}",
                "made_at": stamp(site.now),
                "revision": database.HEAD,
                "secrets": secrets,
                "heads": list(heads),
            }
            packed = pack(target, [*files, (dump.name, dump)], about)
        finally:
            rmtree(room)
    return BackedUp(target, target.stat().st_size, packed, tuple(_left_out(site, secrets)), heads)


def _told(league: str, match: str, head: Sealed) -> JsonDict:
    return {"league": league, "match": match, "round": head.round, "version": head.version, "sha256": head.sha256}


def make_room(site: Site) -> Path:
    """A folder for what is packed or unpacked; what a crash has left of earlier ones goes."""
    backups = site.path / "backups"
    backups.mkdir(mode=0o700, exist_ok=True)
    for left in backups.glob(f"{DRAFTS}*"):
        rmtree(left, ignore_errors=True)
    return Path(mkdtemp(prefix=DRAFTS, dir=backups))


def _secrets(site: Site, wanted: str) -> Iterator[tuple[str, Path]]:
    for path in _files(site.path / "secrets"):
        if wanted == ALL or (wanted == KEYS and path.suffix == ".key"):
            yield path.relative_to(site.path).as_posix(), path


def _mail(site: Site) -> Iterator[tuple[str, Path]]:
    for path in _files(site.path / "mail"):
        if path.parent.name != NOT_MAIL:
            yield path.relative_to(site.path).as_posix(), path


def _templates(site: Site) -> Iterator[tuple[str, Path]]:
    for path in (*_files(site.path / "templates"), *_files(site.path / "static")):
        yield path.relative_to(site.path).as_posix(), path


def _files(folder: Path) -> list[Path]:
    """Plain files below a folder; links aren't followed."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _left_out(site: Site, secrets: str) -> Iterator[str]:
    if secrets == NONE:
        yield f"the site's key ({site.path / 'secrets'}): keep it elsewhere, without it no running league goes on"
    if secrets != ALL and any(path.suffix != ".key" for path in _files(site.path / "secrets")):
        yield "passwords: they can be entered again, or are put in with --with-secrets"
    for name in (site.settings.mail.inbox, site.settings.mail.outbox):
        if (site.path / name).resolve() not in _below(site.path / "mail"):
            yield f"{name}, which doesn't lie in mail/"


def _below(folder: Path) -> list[Path]:
    return [path.resolve() for path in folder.rglob("*") if path.is_dir()]
