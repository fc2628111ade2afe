"""`league restore`: a site out of a backup, which says nothing to anybody before a person has looked."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import rmtree
from typing import Any

from league import settings
from league.core.errors import BadInput, Refused
from league.desk.clock import stamp
from league.desk.init_site import make_folders
from league.desk.recovery import restored
from league.desk.recovery.word_on_head import accept, confirm
from league.desk.site import DATABASE, SITE_KEY, Site, open_site
from league.failpoints import reach
from league.storage import engine as database
from league.storage import outbox
from league.storage.archive import Archive, look, unpack
from league.storage.dump import POSTGRES, SQLITE, load_dump
from league.storage.lock import folder_lock

DRAFT = "restoring.tmp"


@dataclass(frozen=True, slots=True)
class Restored:
    """A site that is there again. `missing`: what a person has to bring yet, each in a sentence."""

    path: Path
    made_at: datetime
    files: int
    missing: tuple[str, ...]


def restore(path: Path, file: Path, told: datetime | None = None) -> Restored:
    """Make the site of a backup in an empty folder; the folder is a site only once everything is in it."""
    if path.exists() and not path.is_dir():
        raise Refused(f"{path} is no folder")
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    with folder_lock(path):
        return _restore(path, file, told)


def _restore(path: Path, file: Path, told: datetime | None) -> Restored:
    _require_empty(path)
    found = look(file)
    made_at = _made_at(file, found)
    make_folders(path / DRAFT)
    draft = path / DRAFT
    try:
        unpack(file, found, draft)
        _open_books(draft, file, found, told, made_at)
    except BaseException:
        rmtree(draft)
        raise
    _move_in(draft, path)
    return Restored(path, made_at, len(found.files), tuple(_missing(path)))


def _require_empty(path: Path) -> None:
    """A folder for a new site. What an earlier restore left that was cut short is its own, and is cleared."""
    here = sorted(entry.name for entry in path.iterdir())
    if here == [DRAFT]:
        rmtree(path / DRAFT)
        return
    if DRAFT in here:
        raise Refused(
            f"an earlier restore was cut short in {path}, and {next(name for name in here if name != DRAFT)} lies "
            f"beside what it left: empty the folder and begin again"
        )
    if here:
        raise Refused(f"{path} isn't empty ({here[0]}); a backup is restored into a new folder: --site NEW")
    path.chmod(0o700)


def _made_at(file: Path, found: Archive) -> datetime:
    told: Any = found.about.get("made_at")
    names = {one.name for one in found.files}
    if settings.FILE not in names or not names & {SQLITE, POSTGRES}:
        raise BadInput("it holds no settings or no database: this is no whole backup", str(file))
    try:
        moment = datetime.fromisoformat(told)
    except (TypeError, ValueError):
        raise BadInput(f"its manifest says made_at {told!r}, which is no time", str(file)) from None
    if moment.tzinfo is None:
        raise BadInput(f"its manifest says made_at {told!r}, without a zone", str(file))
    return moment


def _open_books(draft: Path, file: Path, found: Archive, told: datetime | None, made_at: datetime) -> None:
    """The database in its place, and in it that it comes from a backup: nothing goes out, nothing is closed."""
    if (draft / SQLITE).exists():
        (draft / SQLITE).rename(draft / DATABASE)
    else:
        _load(draft)
    site = open_site(draft, told)
    try:
        with database.write(site.engine, "restore") as connection:
            matches = [match for _, match, _ in restored.heads(connection)]
            restored.mark_restored(connection, matches, made_at)
            outbox.hold(connection, f"restored from a backup of {stamp(made_at)}: what went out since would go again")
            site.write_down(connection, "restore", file=file.name, made_at=stamp(made_at))
    finally:
        site.engine.dispose()
    del found


def _load(draft: Path) -> None:
    url = settings.load(draft / settings.FILE).storage.url
    if not url:
        raise BadInput("the backup is of PostgreSQL, and its league.toml names no [storage] url")
    engine = database.open_engine(url)
    try:
        if database.revision(engine) is not None:
            raise Refused("the database that [storage] url names isn't empty; a backup is restored into an empty one")
    finally:
        engine.dispose()
    load_dump(draft / POSTGRES, database.postgres_url(url))
    (draft / POSTGRES).unlink()


def _move_in(draft: Path, path: Path) -> None:
    """Out of the draft, league.toml last: it makes the folder a site."""
    reach("restore.before_switch")
    for entry in sorted(draft.iterdir(), key=lambda entry: entry.name == settings.FILE):
        entry.rename(path / entry.name)
    draft.rmdir()


def _missing(path: Path) -> list[str]:
    """What the archive didn't hold and the site needs."""
    found = [] if (path / "secrets" / SITE_KEY).exists() else [f"{path / 'secrets' / SITE_KEY}, the site's key"]
    mail = settings.load(path / settings.FILE).mail
    passwords = filter(None, (mail.imap.password_file, mail.smtp.password_file))
    return [*found, *(f"{path / name}, a password" for name in passwords if not (path / name).exists())]


@dataclass(frozen=True, slots=True)
class Word:
    """What a person says of the newest record; `accept_why`: nobody knows."""

    hashes: tuple[str, ...] = ()
    mails: tuple[Path, ...] = ()
    public: Path | None = None
    accept_why: str | None = None
    old_key: bool = False


def take(site: Site, word: Word) -> tuple[str, ...]:
    """In the order of how much it proves; what a person has to do yet, each in a sentence."""
    left: tuple[str, ...] = ()
    if word.hashes or word.mails or word.public is not None:
        left = confirm(site, word.hashes, word.public, word.mails)
    if word.accept_why is not None:
        accept(site, word.accept_why, old_key=word.old_key)
    return left
