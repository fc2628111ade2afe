"""From a table of `league.toml` to a way of bringing pages somewhere, with the secrets it needs at that moment."""

from pathlib import Path

from league import settings
from league.core.errors import Refused
from league.credentials import password
from league.delivery.targets.git import Git
from league.delivery.targets.rsync import Rsync
from league.delivery.targets.s3 import S3
from league.delivery.targets.tree import Target
from league.desk.site import Site

FOLDER = "targets"  # of the site: repositories of our own


def way_there(site: Site, target: settings.Target) -> Target:
    """The way; `Refused` says what of the settings can't be used."""
    match target:
        case settings.RsyncTarget():
            return _rsync(site, target)
        case settings.GitTarget():
            return _git(site, target)
        case settings.S3Target():
            return _s3(site, target)


def kind_of(target: settings.Target) -> str:
    """What the table is called."""
    match target:
        case settings.RsyncTarget():
            return "rsync"
        case settings.GitTarget():
            return "git"
        case settings.S3Target():
            return "s3"


def place_of(target: settings.Target) -> str:
    """Where it is, in words without a secret."""
    match target:
        case settings.RsyncTarget():
            return target.to
        case settings.GitTarget():
            return f"{target.branch} of {target.repository}"
        case settings.S3Target():
            return "/".join(filter(None, (target.endpoint, target.bucket, target.prefix.strip("/"))))


def _rsync(site: Site, target: settings.RsyncTarget) -> Rsync:
    to = target.to if ":" in target.to else str(_apart(site, target.to))
    return Rsync(
        to,
        ssh_key=_file(site, target.ssh_key_file),
        ssh_port=target.ssh_port,
        password=_secret(site, target.password_file, target.password_env),
        timeout=target.timeout,
        seconds=target.minutes * 60,
    )


def _git(site: Site, target: settings.GitTarget) -> Git:
    place = target.repository
    return Git(
        repository=place if ":" in place else str((site.path / place).resolve()),
        branch=target.branch,
        store=site.path.resolve() / FOLDER / f"{target.name}.git",
        person=(site.settings.site.title, site.settings.mail.from_address),
        keep=target.keep,
        history=target.history,
        ssh_key=_file(site, target.ssh_key_file),
        user=target.user,
        password=_secret(site, target.password_file, target.password_env),
        seconds=target.minutes * 60,
    )


def _s3(site: Site, target: settings.S3Target) -> S3:
    return S3(
        endpoint=target.endpoint or f"https://s3.{target.region}.amazonaws.com",
        bucket=target.bucket,
        prefix=target.prefix,
        region=target.region,
        access_key=target.access_key,
        secret_key=_secret(site, target.secret_key_file, target.secret_key_env),
        path_style=target.path_style,
        max_age=target.max_age,
        timeout=target.timeout,
        seconds=target.minutes * 60,
    )


OWN = (
    "backups",
    "builds",
    "cache",
    "mail",
    "public",
    "secrets",
    "static",
    "templates",
)  # the site's, with more than pages


def _apart(site: Site, to: str) -> Path:
    """A folder here; not one in which the site lies, nor its own pages: what isn't a page is deleted there."""
    if to.startswith("~"):
        raise Refused(f"'{to}': write the folder out in full; nobody's home is meant by ~ here")
    folder, home = (site.path / to).resolve(), site.path.resolve()
    own = [home / name for name in OWN]
    if home.is_relative_to(folder) or any(folder.is_relative_to(one) for one in own):
        raise Refused(f"{folder} holds the site itself or is one of its own folders; name another folder for the pages")
    if not folder.exists() and not folder.parent.is_dir():
        raise Refused(f"{folder.parent} is no folder; make it first, the pages' own below it is made for you")
    return folder


def _file(site: Site, name: str) -> str:
    """A key's file; ssh itself refuses one that others can read."""
    if not name:
        return ""
    path = (site.path / Path(name).expanduser()).resolve()
    if not path.is_file():
        raise Refused(f"{path}, which should hold a key for ssh, isn't there")
    return str(path)


def _secret(site: Site, file: str, variable: str) -> str:
    return password(site.path, file, variable) if file or variable else ""
