"""What may stand under a key of `league.toml`: checks that say what is wrong and what would be right."""

import re
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

LANGUAGES = ("de", "en", "nl")
PROOFS = ("required", "address")
STYLES = ("above", "topmost", "microsoft")
SWITCH = ("auto", "on", "off")
SECURITY = ("tls", "starttls", "none")

Check = Callable[[Any], str | None]  # a value of the right type -> what is wrong with it


def address(value: str) -> str | None:
    """A mail address, or none."""
    name, _, host = value.partition("@")
    if value and (not name or not host or "@" in host or not value.isprintable() or set(value) & set(" <>,;")):
        return "is not a mail address; write it like anna@example.org"
    return None


def required_address(value: str) -> str | None:
    """A mail address."""
    return address(value) if value else "may not be empty: mails need a sender"


def host(value: str) -> str | None:
    """The name of a host, or none."""
    labels = value.split(".")
    fine = all(part and part.replace("-", "").isalnum() for part in labels)
    return None if fine or not value else "is not a host name; write it like mail.example.org"


def web_address(value: str) -> str | None:
    """Where pages are served, or nowhere."""
    fine = not value or (value.startswith(("https://", "http://")) and value.isprintable() and " " not in value)
    return None if fine else "is not a web address; write it like https://example.org/league/"


def database(value: str) -> str | None:
    """The address of a database, or none."""
    fine = not value or value.partition(":")[0].partition("+")[0] in ("sqlite", "postgresql")
    return None if fine else 'is not a database; leave it empty, or begin it with "sqlite:" or "postgresql:"'


def folder(value: str) -> str | None:
    """A path."""
    return None if value and value.isprintable() else "is not a folder"


def title(value: str) -> str | None:
    """A line for the top of pages."""
    return None if value.strip() and value.isprintable() else "is not a title: one line, not empty"


def language_or_none(value: str) -> str | None:
    """One of the languages that we speak, or none."""
    return language(value) if value else None


def some_of(*known: str) -> Callable[[tuple[str, ...]], str | None]:
    """Some of these words, at least one."""

    def check(value: tuple[str, ...]) -> str | None:
        wrong = next((word for word in value if word not in known), None)
        if wrong is not None:
            return f"holds {wrong!r}, which is none of {', '.join(known)}"
        return None if value else f"is empty; there are {', '.join(known)}"

    return check


def language(value: str) -> str | None:
    """One of the languages that we speak."""
    return None if value in LANGUAGES else f"is not a language we speak: {', '.join(LANGUAGES)}"


def zone(value: str) -> str | None:
    """A time zone that is known here."""
    from zoneinfo import ZoneInfo, available_timezones

    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):  # an OSError where the name is that of a folder
        return f"is not a time zone; nearest: {near(value, sorted(available_timezones()))}"
    return None


def positive(value: int) -> str | None:
    """A number from 1 on."""
    return None if value >= 1 else "is too small; the least is 1"


def not_negative(value: int) -> str | None:
    """A number from 0 on."""
    return None if value >= 0 else "is too small; the least is 0"


def reminding(value: int) -> str | None:
    """Hours before a deadline, up to a week."""
    return None if 0 <= value <= 168 else "is no number of hours before a deadline; use 0 (nobody) to 168"


def port(value: int) -> str | None:
    """A port, or 0."""
    return None if 0 <= value <= 65535 else "is no port; 0 means the usual one"


def security(value: str) -> str | None:
    """A way to talk to a mail server."""
    return None if value in SECURITY else f"is no way to talk to a mail server: {', '.join(SECURITY)}"


def one_of(*known: str) -> Check:
    """One of these words."""
    return lambda value: None if value in known else f"is none of {', '.join(known)}"


def program(value: tuple[str, ...]) -> str | None:
    """A command with its arguments, or none."""
    return None if not value or value[0] else 'names no program; write it like ["pass", "show", "league"]'


def days(value: tuple[str, ...]) -> str | None:
    """Days of the calendar."""
    from datetime import date

    for written in value:
        try:
            date.fromisoformat(written)
        except ValueError:
            return f"holds {written!r}, which is no day; write it like 2014-10-03"
    return None


def folders(value: tuple[str, ...]) -> str | None:
    """Folders on a mail server, at least one."""
    return None if value and all(value) else 'names no folder; write it like ["INBOX"]'


def short_name(value: str) -> str | None:
    """A short name."""
    fine = re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", value)
    return None if fine else "is no short name; use small letters, digits and hyphens, like web"


# A remote shell or a program's options may read the other side's path: only what neither takes for something else.
_PATH = r"[\w./~+@=,-]*"
_PLACE = r"(?:[\w.][\w.+-]*@)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"


def rsync_folder(value: str) -> str | None:
    """A folder here, `[user@]host:path`, or `rsync://[user@]host[:port]/module[/path]`."""
    if value.startswith("rsync://"):
        fine = re.fullmatch(rf"rsync://{_PLACE}(?::\d{{1,5}})?/\w{_PATH}", value)
    elif ":" in value:
        fine = re.fullmatch(rf"{_PLACE}:(?!-){_PATH}", value)
    else:
        fine = re.fullmatch(r"(?!-)[^\x00-\x1f\x7f]+", value)
    if fine and value.strip("/."):
        return None
    return "is no folder for pages; write it like /var/www/leagues or www@host.example.org:leagues"


def repository(value: str) -> str | None:
    """A folder here, `[user@]host:path`, or an address of https, http, ssh or git."""
    if re.match(r"\w+://[^/]*:[^/]*@", value):
        return "holds a password; name its file by password_file"
    if "://" in value:
        fine = re.fullmatch(rf"(?:https?|ssh|git)://{_PLACE}(?::\d{{1,5}})?/{_PATH}", value)
    elif ":" in value:
        fine = re.fullmatch(rf"{_PLACE}:(?!-){_PATH}", value)
    else:
        fine = re.fullmatch(r"(?!-)[^\x00-\x1f\x7f]+", value)
    return None if fine else "is no repository; write it like git@host.example.org:anna/leagues.git"


def branch(value: str) -> str | None:
    """The name of a branch, as git allows it."""
    fine = re.fullmatch(r"[A-Za-z0-9_](?:[\w./-]*\w)?", value) and not re.search(r"\.\.|//|/\.|\.lock(?:/|$)", value)
    return None if fine else "is no name of a branch; write it like gh-pages"


def top_files(value: tuple[str, ...]) -> str | None:
    """Names of files, without folders."""
    wrong = next((name for name in value if not re.fullmatch(r"(?!-)(?!\.git$)[\w.+-]+", name)), None)
    return None if wrong is None else f"holds {wrong!r}, which is no name of a file"


def bucket(value: str) -> str | None:
    """The name of a bucket."""
    fine = re.fullmatch(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", value)
    return None if fine else "is no name of a bucket: 3 to 63 small letters, digits, hyphens and dots"


def prefix(value: str) -> str | None:
    """A relative path of plain names, or none."""
    fine = not value or all(re.fullmatch(r"(?!\.{1,2}$)[\w.+-]+", part) for part in value.strip("/").split("/"))
    return None if fine else "is no folder; write it like leagues/2026"


def word(value: str) -> str | None:
    """One word of plain characters."""
    return None if re.fullmatch(r"[!-~]+", value) else "is not one word of plain characters"


def key(
    default: str | bool | int | tuple[str, ...],
    about: str,
    check: Check | None = None,
    *,
    required: bool = False,
    **schema: Any,
) -> Any:
    """A key of a table: its default, what it is for, its check, whether it must be given, what its schema adds."""
    return field(default=default, metadata={"about": about, "check": check, "required": required, "schema": schema})


def near(value: str, known: Iterable[str]) -> str:
    """The known name that is most like it."""
    from difflib import get_close_matches

    return get_close_matches(value, list(known), 1, cutoff=0)[0]
