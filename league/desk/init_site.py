"""`league init`: make the folder in which leagues live."""

from datetime import datetime
from pathlib import Path

from league import settings
from league.core.errors import Refused
from league.desk.secrets import new_key, write_secret
from league.desk.site import SITE_KEY, Site, open_site
from league.storage import engine as database

FOLDERS = ("secrets", "mail", "builds", "backups")
IGNORED = "cache/\nsecrets/\nmail/\nbuilds/\nbackups/\n*.sqlite*\nrun.lock\npublic\n"


def init_site(path: Path, told: datetime | None = None, chosen: settings.Settings | None = None) -> Site:
    """A new site, readable by its owner alone; `Refused` where one is already."""
    if (path / settings.FILE).exists():
        raise Refused(f"{path} is a site already")
    if path.exists() and not path.is_dir():
        raise Refused(f"{path} is not a folder")
    make_folders(path)
    if not (path / "secrets" / SITE_KEY).exists():  # a first try may have been cut short
        write_secret(path / "secrets" / SITE_KEY, new_key())
    (path / settings.FILE).write_text(
        settings.as_toml(chosen or settings.Settings())
    )  # last: it makes the folder a site
    site = open_site(path, told)
    with database.write(site.engine) as connection:
        site.write_down(connection, "init")
    return site


def make_folders(path: Path) -> None:
    """The folders of a site, for its owner's eyes alone."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.chmod(0o700)
    for folder in FOLDERS:
        (path / folder).mkdir(mode=0o700, exist_ok=True)
    for box in ("in", "out"):
        for part in ("tmp", "new", "cur"):
            (path / "mail" / box / part).mkdir(mode=0o700, parents=True, exist_ok=True)
    (path / ".gitignore").write_text(IGNORED)
