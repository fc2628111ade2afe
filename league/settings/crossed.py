"""What is right by itself in `league.toml` and wrong beside another key: targets of publishing, channels."""

from collections.abc import Iterator

from league.settings.tables import Settings, literal
from league.settings.targets import GitTarget, RsyncTarget, S3Target, Target

Path = tuple[str | int, ...]
KINDS: dict[type, str] = {RsyncTarget: "rsync", GitTarget: "git", S3Target: "s3"}
LOOPBACK = ("http://localhost", "http://127.0.0.1", "http://[::1]")


def crossed_tables(settings: Settings) -> Iterator[tuple[Path, str]]:
    """Names given twice, secrets given twice, not at all or to no purpose; each with its place."""
    yield from _channels(settings)
    publish, seen = settings.publish, set[str]()
    for kind in KINDS.values():
        several: tuple[Target, ...] = getattr(publish, kind)
        for place, target in enumerate(several):
            path: Path = ("publish", kind, place)
            if target.name in seen:
                yield (*path, "name"), f"name = {literal(target.name)} is another target's too; give each its own"
            seen.add(target.name)
            yield from (((*path, key), fault) for key, fault in _faults(target))


def _channels(settings: Settings) -> Iterator[tuple[Path, str]]:
    seen = set[str]()
    for place, channel in enumerate(settings.announce):
        if channel.name in seen:
            yield ("announce", place, "name"), f"name = {literal(channel.name)} is there twice; give each its own"
        seen.add(channel.name)
        if not channel.url_file and not channel.url_env:
            yield ("announce", place), "[[announce]] needs its address: say url_file or url_env"
        for key, fault in _twice("url_file", "url_env", channel.url_file, channel.url_env):
            yield ("announce", place, key), fault


def _faults(target: Target) -> Iterator[tuple[str, str]]:
    match target:
        case RsyncTarget():
            yield from _of_rsync(target)
        case GitTarget():
            yield from _of_git(target)
        case S3Target():
            yield from _of_s3(target)


def _of_rsync(target: RsyncTarget) -> Iterator[tuple[str, str]]:
    is_daemon, is_remote = target.to.startswith("rsync://"), ":" in target.to
    yield from _twice("password_file", "password_env", target.password_file, target.password_env)
    for key in ("password_file", "password_env"):
        if getattr(target, key) and not is_daemon:
            yield key, f"{key} is for a daemon, rsync://…; ssh takes a key"
    for key in ("ssh_key_file", "ssh_port"):
        if getattr(target, key) and (is_daemon or not is_remote):
            yield key, f"{key} is set, and {literal(target.to)} isn't reached by ssh"


def _of_git(target: GitTarget) -> Iterator[tuple[str, str]]:
    is_https = target.repository.startswith("https://")
    yield from _twice("password_file", "password_env", target.password_file, target.password_env)
    for key in ("user", "password_file", "password_env"):
        if getattr(target, key) and not (is_https or target.repository.startswith(LOOPBACK)):
            yield key, f"{key} is for a repository at https://…; ssh takes a key"


def _of_s3(target: S3Target) -> Iterator[tuple[str, str]]:
    yield from _twice("secret_key_file", "secret_key_env", target.secret_key_file, target.secret_key_env)
    if not target.secret_key_file and not target.secret_key_env:
        yield "access_key", "access_key is set and no secret: say secret_key_file or secret_key_env"
    if target.endpoint.startswith("http://") and not target.endpoint.startswith(LOOPBACK):
        yield "endpoint", f"endpoint = {literal(target.endpoint)} is readable for all on the way; use https://"


def _twice(first: str, second: str, *values: str) -> Iterator[tuple[str, str]]:
    if all(values):
        yield second, f"{second} is set beside {first}; leave one of them out"
