"""Reading `league.toml`: every fault at once, each with its line, the value and what would be right."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from league.core.errors import BadInput
from league.core.toml_lines import nearest, syntax_line
from league.settings.checks import Check, near
from league.settings.crossed import crossed_tables
from league.settings.mail import Imap, Smtp
from league.settings.tables import FILE, LISTS, TABLES, Settings, header, keys, literal

LOOPBACK = ("localhost", "127.0.0.1", "::1")
Fault = tuple[int, str]


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
    settings = Settings(**{table: _filled(table, values) for table, values in given.items()})
    if faults := sorted(_crossed(text, settings)):
        raise _told(faults, name)
    return settings


def _filled(table: str, values: Any) -> Any:
    """A table's values as its class has them: lists as tuples, tables inside as values of their own class."""
    if table in LISTS:
        return tuple(_made(table, one) for one in values)
    return _made(table, values)


def _made(table: str, values: Mapping[str, Any]) -> Any:
    made = {
        key: _filled(f"{table}.{key}", value) if f"{table}.{key}" in TABLES else _plain(value)
        for key, value in values.items()
    }
    return TABLES[table](**made)


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _crossed(text: str, settings: Settings) -> Iterator[Fault]:
    """What is right by itself and wrong beside another key."""
    for name, server in (("smtp", settings.mail.smtp), ("imap", settings.mail.imap)):
        for key, fault in _server_faults(server):
            yield nearest(text, ("mail", name, key)), fault
    yield from ((nearest(text, ("mail", "imap", key)), fault) for key, fault in _folder_faults(settings.mail.imap))
    for path, fault in crossed_tables(settings):
        yield nearest(text, path), fault


def _server_faults(server: Smtp | Imap) -> Iterator[tuple[str, str]]:
    if server.host and server.security == "none" and server.host not in LOOPBACK and not server.allow_plain:
        yield (
            "security",
            f'security = "none" would send passwords and orders readable for all to {server.host}; {_SAFER}',
        )
    given = [key for key in ("password_file", "password_env", "token_command") if getattr(server, key)]
    if len(given) > 1:
        yield given[1], f"{given[1]} is set beside {given[0]}; leave one of them out"
    if given and not server.user:
        yield given[0], f"{given[0]} is set and user isn't: whose is it?"
    if server.user and not given:
        yield "user", "user is set and no password: say password_file, password_env or token_command"


def _folder_faults(imap: Imap) -> Iterator[tuple[str, str]]:
    if imap.host and not imap.user:
        yield "host", "host is set and user isn't: whose mailbox is read?"
    for key in ("processed", "rejected"):
        if getattr(imap, key) in imap.folders:
            yield key, f"{key} = {literal(getattr(imap, key))} is read too, by folders; name another folder"


def _faults(text: str, given: Mapping[str, Any]) -> Iterator[Fault]:
    for table, values in given.items():
        if table not in TABLES:
            yield nearest(text, (table,)), _unknown_table(table, values)
        else:
            yield from _table_faults(text, table, values)


def _table_faults(text: str, table: str, values: Any) -> Iterator[Fault]:
    path: tuple[str | int, ...] = tuple(table.split("."))
    several = values if table in LISTS else [values]
    if not isinstance(several, list) or not all(isinstance(one, dict) for one in several):
        kind = "can stand there several times" if table in LISTS else "is a table"
        yield nearest(text, path), f"{table!r} {kind}: write {header(table)} on a line of its own and its keys below"
        return
    for place, one in enumerate(several):
        yield from _one_table(text, table, (*path, place) if table in LISTS else path, one)


def _one_table(text: str, table: str, path: tuple[str | int, ...], values: Mapping[str, Any]) -> Iterator[Fault]:
    for key in keys(table):
        if key.metadata["required"] and key.name not in values:
            yield nearest(text, path), f"{header(table)} needs {key.name!r}: {key.metadata['about']}"
    for name, value in values.items():
        if f"{table}.{name}" in TABLES:
            yield from _table_faults(text, f"{table}.{name}", value)
        elif fault := _fault(table, name, value):
            yield nearest(text, (*path, name)), fault


def _fault(table: str, name: str, value: Any) -> str | None:
    key = next((key for key in keys(table) if key.name == name), None)
    if key is None:
        shown = "" if _is_secret(name) else f" (= {_shown(value)})"
        return f"{header(table)} has no key {name!r}{shown}; nearest: {_near_key(table, name)}"
    value = _plain(value)
    if isinstance(value, tuple) and not all(isinstance(item, str) for item in value):
        return f"{name} = {literal(value)} holds what is no text; a list of texts in quotes is needed here"
    if type(value) is not type(key.default):
        wanted = _TYPES[type(key.default)]
        return f"{name} = {literal(value)} is {_TYPES.get(type(value), 'a date or time')}; {wanted} is needed here"
    check = cast("Check | None", key.metadata["check"])
    wrong = check(value) if check else None
    return f"{name} = {_shown(value)} {wrong}" if wrong else None


def _shown(value: Any) -> str:
    """A value as it stands there, without a password that an address may hold."""
    return re.sub(r"(://)[^/@\s\"]*@", r"\1…@", literal(value))


def _is_secret(name: str) -> bool:
    """A password written where none belongs isn't repeated in a message that may land in a log."""
    return name.lower() == "url" or any(w in name.lower() for w in ("pass", "secret", "token", "pwd", "hook"))


def _unknown_table(name: str, values: Any) -> str:
    if isinstance(values, dict):
        return f"there is no table [{name}]; nearest: {header(near(name, TABLES))}"
    shown = "" if _is_secret(name) else f" (= {literal(values)})"
    return f"{name!r}{shown} stands outside every table; nearest: {_near_key('', name)}"


def _near_key(table: str, name: str) -> str:
    """The key that was meant: of the same table if one is like it, else of any; if none is, all there are."""
    from difflib import get_close_matches

    own = [key.name for key in keys(table)] if table else []
    if close := get_close_matches(name, own, 1):
        return close[0]
    homes = {key.name: home for home in reversed(list(TABLES)) for key in keys(home)}
    if close := get_close_matches(name, homes, 1):
        return f"{close[0]} in {header(homes[close[0]])}"
    return ", ".join(own or [header(home) for home in TABLES])


def _told(faults: list[Fault], name: str) -> BadInput:
    """One error for all: the first where errors have their place, the others in lines of the same form."""
    (line, first), *others = faults
    return BadInput("\n".join([first, *(f"{name}:{at}: {message}" for at, message in others)]), f"{name}:{line}")


_SAFER = 'use "tls" or "starttls", or say allow_plain = true'
_TYPES = {
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
    float: "a fraction",
    list: "a list",
    tuple: "a list of texts",
    dict: "a table",
}
