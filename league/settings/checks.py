"""What may stand under a key of `league.toml`: checks that say what is wrong and what would be right."""

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


def key(default: str | bool | int | tuple[str, ...], about: str, check: Check | None = None, **schema: Any) -> Any:
    """A key of a table: its default, what it is for, its check, and what its schema adds."""
    return field(default=default, metadata={"about": about, "check": check, "schema": schema})


def near(value: str, known: Iterable[str]) -> str:
    """The known name that is most like it."""
    from difflib import get_close_matches

    return get_close_matches(value, list(known), 1, cutoff=0)[0]
