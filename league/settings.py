"""`league.toml` of a site: what may stand in it, what is meant when it doesn't, and what is wrong with it."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

from league.core.errors import BadInput
from league.core.json import JsonDict
from league.core.toml_lines import nearest, syntax_line

FILE = "league.toml"
LANGUAGES = ("de", "en", "nl")
PROOFS = ("required", "address")
STYLES = ("above", "topmost", "microsoft")
OWN_DKIM = ("auto", "on", "off")
SECURITY = ("tls", "starttls", "none")
LOOPBACK = ("localhost", "127.0.0.1", "::1")

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


def _reminding(value: int) -> str | None:
    return None if 0 <= value <= 168 else "is no number of hours before a deadline; use 0 (nobody) to 168"


def _port(value: int) -> str | None:
    return None if 0 <= value <= 65535 else "is no port; 0 means the usual one"


def _security(value: str) -> str | None:
    return None if value in SECURITY else f"is no way to talk to a mail server: {', '.join(SECURITY)}"


def _one_of(*known: str) -> Check:
    return lambda value: None if value in known else f"is none of {', '.join(known)}"


def _program(value: tuple[str, ...]) -> str | None:
    return None if not value or value[0] else 'names no program; write it like ["pass", "show", "league"]'


def _days(value: tuple[str, ...]) -> str | None:
    from datetime import date

    for written in value:
        try:
            date.fromisoformat(written)
        except ValueError:
            return f"holds {written!r}, which is no day; write it like 2014-10-03"
    return None


def _folders(value: tuple[str, ...]) -> str | None:
    return None if value and all(value) else 'names no folder; write it like ["INBOX"]'


def _key(default: str | bool | int | tuple[str, ...], about: str, check: Check | None = None, **schema: Any) -> Any:
    return field(default=default, metadata={"about": about, "check": check, "schema": schema})


@dataclass(frozen=True, slots=True)
class Site:
    """[site]: what the site is called, and for whom it speaks."""

    title: str = _key("Leagues by mail", "Stands on every page.", _title, minLength=1)
    base_url: str = _key("", "Where `public` is served, for links in mails; empty: mails carry no links.", _web_address)
    lang: str = _key("en", "Language of pages and of players who chose none.", _lang, enum=list(LANGUAGES))
    zone: str = _key("Europe/Berlin", "Time zone of deadlines, as in the IANA list.", _zone)
    organizer: str = _key("", "Address of the person who decides; told to players.", _address)
    outage_hours: int = _key(
        360,
        "If a round should have been closed longer ago, nothing is published before you say so.",
        _positive,
        minimum=1,
    )


@dataclass(frozen=True, slots=True)
class Smtp:
    """[mail.smtp]: the server that takes our mails."""

    host: str = _key("", "Mail server that takes our mails; empty: they go into the Maildir `outbox`.", _host)
    port: int = _key(0, "0: 465 with tls, 587 with starttls, 25 with none.", _port, minimum=0, maximum=65535)
    security: str = _key(
        "tls",
        "tls, starttls, or none, which needs a server on this machine or `allow_plain`.",
        _security,
        enum=list(SECURITY),
    )
    allow_plain: bool = _key(
        default=False, about="With security none: send mail and password readable for all on the way to the server."
    )
    ca_file: str = _key("", "Certificates to trust instead of the system's, for a server with one of its own.")
    user: str = _key("", "Account at the server; empty: it wants none.")
    password_file: str = _key("", "File with the password, of mode 0600; relative to the site's folder.")
    password_env: str = _key("", "Environment variable with the password.")
    token_command: tuple[str, ...] = _key(
        (), "Program with its arguments that prints an OAuth2 token, for servers that take no password.", _program
    )
    timeout: int = _key(60, "Seconds to wait for an answer of the server.", _positive, minimum=1)
    per_connection: int = _key(100, "So many mails go over one connection.", _positive, minimum=1)
    per_hour: int = _key(0, "So many mails go out in an hour at most; 0: no limit.", _not_negative, minimum=0)
    per_domain_per_hour: int = _key(
        0, "The same for the addresses of one domain, such as gmx.de.", _not_negative, minimum=0
    )
    bounce_address: str = _key("", "Address that bounces go to; empty: `from_address`.", _address)
    verp: bool = _key(
        default=True,
        about="Each mail gets its own address for bounces (league+b-…@…); off if the server allows no such sender.",
    )


@dataclass(frozen=True, slots=True)
class Imap:
    """[mail.imap]: a mailbox on a mail server, read besides `inbox`."""

    host: str = _key("", "Mail server whose mailbox is read, as its certificate names it; empty: none is.", _host)
    port: int = _key(0, "0: 993 with tls, 143 with starttls or none.", _port, minimum=0, maximum=65535)
    security: str = _key(
        "tls",
        "tls, starttls, or none, which needs a server on this machine or `allow_plain`.",
        _security,
        enum=list(SECURITY),
    )
    allow_plain: bool = _key(
        default=False, about="With security none: let mail and password be readable for all on the way."
    )
    ca_file: str = _key("", "Certificates to trust instead of the system's, for a server with one of its own.")
    user: str = _key("", "Account at the server, often the whole address.")
    password_file: str = _key("", "File with the password, of mode 0600; relative to the site's folder.")
    password_env: str = _key("", "Environment variable with the password.")
    token_command: tuple[str, ...] = _key(
        (), "Program with its arguments that prints an OAuth2 token, for servers that take no password.", _program
    )
    timeout: int = _key(60, "Seconds to wait for an answer of the server.", _positive, minimum=1)
    folders: tuple[str, ...] = _key(("INBOX",), "Folders that are read.", _folders, minItems=1)
    processed: str = _key("", "Folder that mails are moved to once they are judged; empty: they stay.")
    rejected: str = _key("", "The same for mails that were rejected, ignored or unreadable.")
    marker: str = _key(
        "League-Marker",
        "Folder of our own for the note that proves, before a round closes, what the server's clock says; empty: none.",
    )
    scan_days: int = _key(
        30, "A command first looks at all mails of so many days, whatever was seen.", _positive, minimum=1
    )


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
    proof: str = _key(
        "required",
        "required: who wrote a mail has to be shown; address: a registered address is enough, for a closed network.",
        _one_of(*PROOFS),
        enum=list(PROOFS),
    )
    authserv_id: str = _key(
        "",
        "Name under which it vouches for senders (Authentication-Results); `league doctor mail` learns it.",
        _host,
    )
    pictures: bool = _key(
        default=True,
        about="Whether reports carry the map as a picture; drawing it takes a fifth of a second a round.",
    )
    authserv_style: str = _key(
        "above",
        "Where it stands: above your server's Received line; topmost of the mail, where your provider removes forged "
        "ones (Gmail, Rspamd); microsoft: as topmost, without a name (Microsoft 365).",
        _one_of(*STYLES),
        enum=list(STYLES),
    )
    own_dkim: str = _key(
        "auto",
        "Whether DKIM signatures are checked here, by DNS; auto: where no server of your own states anything.",
        _one_of(*OWN_DKIM),
        enum=list(OWN_DKIM),
    )
    plus_addresses: bool = _key(
        default=False,
        about="Whether mail to league+anything@… arrives too: players then answer to an address with their key in it.",
    )
    answers_per_hour: int = _key(
        10, "So many answers go to one address in an hour; then there is silence.", _positive, minimum=1
    )
    max_bytes: int = _key(1_000_000, "A larger message is kept and not read.", _positive, minimum=1)
    keep_mail_days: int = _key(
        90, "How long raw messages are kept after the season's end; nothing is deleted yet.", _not_negative, minimum=0
    )
    remind_hours: int = _key(
        24,
        "So many hours before a deadline players are reminded of whom nothing has come; 0: nobody is.",
        _reminding,
        minimum=0,
        maximum=168,
    )
    smtp: Smtp = Smtp()
    imap: Imap = Imap()


@dataclass(frozen=True, slots=True)
class Storage:
    """[storage]: where everything is remembered."""

    url: str = _key("", "Database; empty: an SQLite file in the site's folder.", _database)


@dataclass(frozen=True, slots=True)
class Sources:
    """[sources]: who is asked for public figures, in the order that a new league's season keeps."""

    fetch: bool = _key(default=True, about="Whether `league run` asks; off: figures are entered by hand.")
    dax_close: tuple[str, ...] = _key(("yahoo", "stooq"), "For the DAX: yahoo, stooq, or names out of `tables`.")
    eurusd: tuple[str, ...] = _key(
        ("ecb", "ecb_90_days", "ecb_portal"), "For EUR/USD: ecb, ecb_90_days, ecb_portal, or names out of `tables`."
    )
    lotto: tuple[str, ...] = _key(
        ("lotto_de", "lotto_brandenburg"), "For Lotto 6aus49: lotto_de, lotto_brandenburg, or names out of `tables`."
    )
    single_after_hours: int = _key(
        24, "After so many hours a single vendor's figure stands, marked as such; 0: never.", _not_negative, minimum=0
    )
    closed_days: tuple[str, ...] = _key(
        (), "Days on which the exchange is closed beside the known holidays, like 2014-10-03.", _days
    )
    stooq_key_file: str = _key("", "File with the key that Stooq gives, of mode 0600; relative to the site's folder.")
    stooq_key_env: str = _key("", "Environment variable with that key.")
    tables: str = _key("", "TOML file that describes further providers; relative to the site's folder.")


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
    sources: Sources = Sources()
    publish: Publish = Publish()


# A name with a dot is a table in a table, and a key of that name in the outer one's class.
TABLES: Mapping[str, type] = {
    "site": Site,
    "mail": Mail,
    "mail.smtp": Smtp,
    "mail.imap": Imap,
    "storage": Storage,
    "sources": Sources,
    "publish": Publish,
}


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


def _filled(table: str, values: Mapping[str, Any]) -> Any:
    """A table's values as its class has them: lists as tuples, tables inside as values of their own class."""
    made = {
        key: _filled(f"{table}.{key}", value) if isinstance(value, dict) else _plain(value)
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
            yield key, f"{key} = {_literal(getattr(imap, key))} is read too, by folders; name another folder"


def defaults_toml() -> str:
    """A `league.toml` that says what is meant without it, with what each key is for."""
    return as_toml(Settings())


def as_toml(settings: Settings) -> str:
    """A commented `league.toml` with these values."""
    parts = ["# Settings of this site. Everything here has a default; docs/config.md says more.\n"]
    for table in TABLES:
        values = attrgetter(table)(settings)
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
        "properties": {table: _table_schema(table) for table in TABLES if "." not in table},
    }


def _table_schema(table: str) -> JsonDict:
    keys: JsonDict = {key.name: _key_schema(key) for key in _keys(table)}
    inner = {name.removeprefix(f"{table}."): _table_schema(name) for name in TABLES if name.startswith(f"{table}.")}
    return {"type": "object", "additionalProperties": False, "properties": {**keys, **inner}}


def _key_schema(key: Field[Any]) -> JsonDict:
    listed = isinstance(key.default, tuple)
    default: Any = key.default
    return {
        "type": "array" if listed else _JSON_TYPES[type(key.default)],
        **({"items": {"type": "string"}} if listed else {}),
        "default": list(default) if listed else default,
        "description": key.metadata["about"],
        **key.metadata["schema"],
    }


def _faults(text: str, given: Mapping[str, Any]) -> Iterator[Fault]:
    for table, values in given.items():
        if table not in TABLES:
            yield nearest(text, (table,)), _unknown_table(table, values)
        else:
            yield from _table_faults(text, table, values)


def _table_faults(text: str, table: str, values: Any) -> Iterator[Fault]:
    path = tuple(table.split("."))
    if not isinstance(values, dict):
        yield nearest(text, path), f"{table!r} is a table: write [{table}] on a line of its own and its keys below"
        return
    for name, value in values.items():
        if f"{table}.{name}" in TABLES:
            yield from _table_faults(text, f"{table}.{name}", value)
        elif fault := _fault(table, name, value):
            yield nearest(text, (*path, name)), fault


def _fault(table: str, name: str, value: Any) -> str | None:
    key = next((key for key in _keys(table) if key.name == name), None)
    if key is None:
        shown = "" if _is_secret(name) else f" (= {_literal(value)})"
        return f"[{table}] has no key {name!r}{shown}; nearest: {_near_key(table, name)}"
    value = _plain(value)
    if isinstance(value, tuple) and not all(isinstance(item, str) for item in value):
        return f"{name} = {_literal(value)} holds what is no text; a list of texts in quotes is needed here"
    if type(value) is not type(key.default):
        wanted = _TYPES[type(key.default)]
        return f"{name} = {_literal(value)} is {_TYPES.get(type(value), 'a date or time')}; {wanted} is needed here"
    check = cast("Check | None", key.metadata["check"])
    wrong = check(value) if check else None
    return f"{name} = {_literal(value)} {wrong}" if wrong else None


def _is_secret(name: str) -> bool:
    """A password written where none belongs isn't repeated in a message that may land in a log."""
    return any(word in name.lower() for word in ("pass", "secret", "token", "pwd"))


def _unknown_table(name: str, values: Any) -> str:
    if isinstance(values, dict):
        return f"there is no table [{name}]; nearest: [{_near(name, TABLES)}]"
    shown = "" if _is_secret(name) else f" (= {_literal(values)})"
    return f"{name!r}{shown} stands outside every table; nearest: {_near_key('', name)}"


def _near_key(table: str, name: str) -> str:
    """The key that was meant: of the same table if one is like it, else of any; if none is, all there are."""
    from difflib import get_close_matches

    own = [key.name for key in _keys(table)] if table else []
    if close := get_close_matches(name, own, 1):
        return close[0]
    homes = {key.name: home for home in reversed(list(TABLES)) for key in _keys(home)}
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
    return tuple(key for key in fields(TABLES[table]) if "about" in key.metadata)


def _literal(value: Any) -> str:
    from json import dumps

    if isinstance(value, tuple):
        return f"[{', '.join(_literal(item) for item in value)}]"
    if isinstance(value, str | bool | int | float):
        return dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


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
_JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}
