"""`league.toml` of a site: what may stand in it, what is meant when it doesn't, and what is wrong with it."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, cast

from league.core.errors import BadInput
from league.core.json import JsonDict
from league.core.toml_lines import nearest, syntax_line

FILE = "league.toml"
LANGUAGES = ("de", "en", "nl")

Check = Callable[[Any], str | None]  # a value of the right type -> what is wrong with it
Fault = tuple[int, str]


def _address(value: str) -> str | None:
    name, _, host = value.partition("@")
    if value and (not name or not host or "@" in host or not value.isprintable() or set(value) & set(" <>,;")):
        return "is not a mail address; write it like anna@example.org"
    return None


def _required_address(value: str) -> str | None:
    return _address(value) if value else "may not be empty: mails need a sender"


def _host(value: str) -> str | None:
    labels = value.split(".")
    fine = all(part and part.replace("-", "").isalnum() for part in labels)
    return None if fine or not value else "is not a host name; write it like mail.example.org"


def _web_address(value: str) -> str | None:
    fine = not value or (value.startswith(("https://", "http://")) and value.isprintable() and " " not in value)
    return None if fine else "is not a web address; write it like https://example.org/league/"


def _database(value: str) -> str | None:
    fine = not value or value.partition(":")[0].partition("+")[0] in ("sqlite", "postgresql")
    return None if fine else 'is not a database; leave it empty, or begin it with "sqlite:" or "postgresql:"'


def _folder(value: str) -> str | None:
    return None if value and value.isprintable() else "is not a folder"


def _title(value: str) -> str | None:
    return None if value.strip() and value.isprintable() else "is not a title: one line, not empty"


def _lang(value: str) -> str | None:
    return None if value in LANGUAGES else f"is not a language we speak: {', '.join(LANGUAGES)}"


def _zone(value: str) -> str | None:
    from zoneinfo import ZoneInfo, available_timezones

    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):  # an OSError where the name is that of a folder
        return f"is not a time zone; nearest: {_near(value, sorted(available_timezones()))}"
    return None


def _positive(value: int) -> str | None:
    return None if value >= 1 else "is too small; the least is 1"


def _not_negative(value: int) -> str | None:
    return None if value >= 0 else "is too small; the least is 0"


def _key(default: str | bool | int, about: str, check: Check | None = None, **schema: Any) -> Any:
    return field(default=default, metadata={"about": about, "check": check, "schema": schema})


@dataclass(frozen=True, slots=True)
class Site:
    """[site]: what the site is called, and for whom it speaks."""

    title: str = _key("Leagues by mail", "Stands on every page.", _title, minLength=1)
    base_url: str = _key("", "Where `public` is served, for links in mails; empty: mails carry no links.", _web_address)
    lang: str = _key("en", "Language of pages and of players who chose none.", _lang, enum=list(LANGUAGES))
    zone: str = _key("Europe/Berlin", "Time zone of deadlines, as in the IANA list.", _zone)
    organizer: str = _key("", "Address of the person who decides; told to players.", _address)


@dataclass(frozen=True, slots=True)
class Mail:
    """[mail]: where mail comes in and goes out."""

    inbox: str = _key("mail/in", "Maildir that is read; a relative path begins at the site's folder.", _folder)
    outbox: str = _key("mail/out", "Maildir that answers and reports are put into.", _folder)
    from_address: str = _key(
        "league@league.invalid", "Sender of everything we send; players answer to it.", _required_address
    )
    received_by: str = _key(
        "",
        "Host name of your own receiving mail server: only its word on arrival and on senders is believed.",
        _host,
    )
    max_bytes: int = _key(1_000_000, "A larger message is kept and not read.", _positive, minimum=1)
    keep_mail_days: int = _key(
        90, "How long raw messages are kept after the season's end; nothing is deleted yet.", _not_negative, minimum=0
    )


@dataclass(frozen=True, slots=True)
class Storage:
    """[storage]: where everything is remembered."""

    url: str = _key("", "Database; empty: an SQLite file in the site's folder.", _database)


@dataclass(frozen=True, slots=True)
class Publish:
    """[publish]: the public pages."""

    index: bool = _key(default=False, about="Whether search engines may list the pages.")


@dataclass(frozen=True, slots=True)
class Settings:
    """A site's `league.toml`, every key filled in."""

    site: Site = Site()
    mail: Mail = Mail()
    storage: Storage = Storage()
    publish: Publish = Publish()


TABLES: Mapping[str, type] = {"site": Site, "mail": Mail, "storage": Storage, "publish": Publish}


def load(path: Path) -> Settings:
    """The settings in a file; `BadInput` lists every fault, each with its line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")  # some editors put a mark in front
    except FileNotFoundError as error:
        message = "there is no such file; `league init` makes one"
        raise BadInput(message, str(path)) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        message = "this is not UTF-8; save the file in that encoding"
        raise BadInput(message, f"{path}:{line}") from error
    except OSError as error:
        raise BadInput(error.strerror or str(error), str(path)) from error
    return parse(text, str(path))


def parse(text: str, name: str = FILE) -> Settings:
    """The settings in a text; `name` is what messages call it."""
    text = text.replace("\r\n", "\n")
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = syntax_line(text, error)
        shown = text.splitlines()[line - 1].strip() if text else ""
        message = f"this is not TOML: {shown!r} ({error})"
        raise BadInput(message, f"{name}:{line}") from error
    if faults := sorted(_faults(text, given)):
        raise _told(faults, name)
    return Settings(**{table: TABLES[table](**values) for table, values in given.items()})


def defaults_toml() -> str:
    """A `league.toml` that says what is meant without it, with what each key is for."""
    return as_toml(Settings())


def as_toml(settings: Settings) -> str:
    """A commented `league.toml` with these values."""
    parts = ["# Settings of this site. Everything here has a default; docs/config.md says more.\n"]
    for table in TABLES:
        values = getattr(settings, table)
        parts.append(f"\n[{table}]\n")
        parts += [
            f"# {key.metadata['about']}\n{key.name} = {_literal(getattr(values, key.name))}\n" for key in _keys(table)
        ]
    return "".join(parts)


def schema() -> JsonDict:
    """The JSON Schema of `league.toml`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FILE,
        "type": "object",
        "additionalProperties": False,
        "properties": {table: _table_schema(table) for table in TABLES},
    }


def _table_schema(table: str) -> JsonDict:
    keys = {
        key.name: {
            "type": _JSON_TYPES[type(key.default)],
            "default": key.default,
            "description": key.metadata["about"],
            **key.metadata["schema"],
        }
        for key in _keys(table)
    }
    return {"type": "object", "additionalProperties": False, "properties": keys}


def _faults(text: str, given: Mapping[str, Any]) -> Iterator[Fault]:
    for table, values in given.items():
        line = nearest(text, (table,))
        if table not in TABLES:
            yield line, _unknown_table(table, values)
        elif not isinstance(values, dict):
            yield line, f"{table!r} is a table: write [{table}] on a line of its own and its keys below"
        else:
            for name, value in values.items():
                if fault := _fault(table, name, value):
                    yield nearest(text, (table, name)), fault


def _fault(table: str, name: str, value: Any) -> str | None:
    key = next((key for key in _keys(table) if key.name == name), None)
    if key is None:
        return f"[{table}] has no key {name!r} (= {_literal(value)}); nearest: {_near_key(table, name)}"
    if type(value) is not type(key.default):
        wanted = _TYPES[type(key.default)]
        return f"{name} = {_literal(value)} is {_TYPES.get(type(value), 'a date or time')}; {wanted} is needed here"
    check = cast("Check | None", key.metadata["check"])
    wrong = check(value) if check else None
    return f"{name} = {_literal(value)} {wrong}" if wrong else None


def _unknown_table(name: str, values: Any) -> str:
    if isinstance(values, dict):
        return f"there is no table [{name}]; nearest: [{_near(name, TABLES)}]"
    return f"{name!r} (= {_literal(values)}) stands outside every table; nearest: {_near_key('', name)}"


def _near_key(table: str, name: str) -> str:
    """The key that was meant: of the same table if one is like it, else of any; if none is, all there are."""
    from difflib import get_close_matches

    own = [key.name for key in _keys(table)] if table else []
    if close := get_close_matches(name, own, 1):
        return close[0]
    homes = {key.name: home for home in TABLES for key in _keys(home)}
    if close := get_close_matches(name, homes, 1):
        return f"{close[0]} in [{homes[close[0]]}]"
    return ", ".join(own or [f"[{home}]" for home in TABLES])


def _near(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    return get_close_matches(name, list(known), 1, cutoff=0)[0]


def _told(faults: list[Fault], name: str) -> BadInput:
    """One error for all: the first where errors have their place, the others in lines of the same form."""
    (line, first), *others = faults
    return BadInput("\n".join([first, *(f"{name}:{at}: {message}" for at, message in others)]), f"{name}:{line}")


def _keys(table: str) -> tuple[Field[Any], ...]:
    return fields(TABLES[table])


def _literal(value: Any) -> str:
    from json import dumps

    if isinstance(value, str | bool | int | float):
        return dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


_TYPES = {
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
    float: "a fraction",
    list: "a list",
    dict: "a table",
}
_JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}
