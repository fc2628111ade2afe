"""The tables of `league.toml`, each a class: a key's default, what it is for, and its check."""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any

from league.settings import checks
from league.settings.announce import Announce
from league.settings.checks import key
from league.settings.mail import Imap, Mail, Smtp
from league.settings.targets import GitTarget, RsyncTarget, S3Target, Target

FILE = "league.toml"


@dataclass(frozen=True, slots=True)
class Site:
    """[site]: what the site is called, and for whom it speaks."""

    title: str = key("Leagues by mail", "Stands on every page.", checks.title, minLength=1)
    base_url: str = key(
        "", "Where `public` is served, for links in mails; empty: mails carry no links.", checks.web_address
    )
    lang: str = key(
        "en", "Language of pages and of players who chose none.", checks.language, enum=list(checks.LANGUAGES)
    )
    zone: str = key("Europe/Berlin", "Time zone of deadlines, as in the IANA list.", checks.zone)
    organizer: str = key("", "Address of the person who decides; told to players.", checks.address)
    outage_hours: int = key(
        360,
        "If a round should have been closed longer ago, nothing is published before you say so.",
        checks.positive,
        minimum=1,
    )


@dataclass(frozen=True, slots=True)
class Storage:
    """[storage]: where everything is remembered."""

    url: str = key("", "Database; empty: an SQLite file in the site's folder.", checks.database)


@dataclass(frozen=True, slots=True)
class Sources:
    """[sources]: who is asked for public figures, in the order that a new league's season keeps."""

    fetch: bool = key(default=True, about="Whether `league run` asks; off: figures are entered by hand.")
    dax_close: tuple[str, ...] = key(("yahoo", "stooq"), "For the DAX: yahoo, stooq, or names out of `tables`.")
    eurusd: tuple[str, ...] = key(
        ("ecb", "ecb_90_days", "ecb_portal"), "For EUR/USD: ecb, ecb_90_days, ecb_portal, or names out of `tables`."
    )
    lotto: tuple[str, ...] = key(
        ("lotto_de", "lotto_brandenburg"), "For Lotto 6aus49: lotto_de, lotto_brandenburg, or names out of `tables`."
    )
    single_after_hours: int = key(
        24,
        "After so many hours a single vendor's figure stands, marked as such; 0: never.",
        checks.not_negative,
        minimum=0,
    )
    closed_days: tuple[str, ...] = key(
        (), "Days on which the exchange is closed beside the known holidays, like 2014-10-03.", checks.days
    )
    stooq_key_file: str = key("", "File with the key that Stooq gives, of mode 0600; relative to the site's folder.")
    stooq_key_env: str = key("", "Environment variable with that key.")
    tables: str = key("", "TOML file that describes further providers; relative to the site's folder.")


@dataclass(frozen=True, slots=True)
class Publish:
    """[publish]: the public pages."""

    index: bool = key(default=False, about="Whether search engines may list the pages.")
    pictures: bool = key(
        default=True, about="Whether each round's map is there as a picture too, for shared links; needs `base_url`."
    )
    rsync: tuple[RsyncTarget, ...] = ()
    git: tuple[GitTarget, ...] = ()
    s3: tuple[S3Target, ...] = ()

    @property
    def targets(self) -> tuple[Target, ...]:
        """Where pages are brought, besides `public`."""
        return (*self.rsync, *self.git, *self.s3)


@dataclass(frozen=True, slots=True)
class Settings:
    """A site's `league.toml`, every key filled in."""

    site: Site = Site()
    mail: Mail = field(default_factory=Mail)
    storage: Storage = Storage()
    sources: Sources = Sources()
    publish: Publish = Publish()
    announce: tuple[Announce, ...] = ()


# A name with a dot is a table in a table, and a key of that name in the outer one's class.
TABLES: Mapping[str, type] = {
    "site": Site,
    "mail": Mail,
    "mail.smtp": Smtp,
    "mail.imap": Imap,
    "storage": Storage,
    "sources": Sources,
    "publish": Publish,
    "publish.rsync": RsyncTarget,
    "publish.git": GitTarget,
    "publish.s3": S3Target,
    "announce": Announce,
}
LISTS = frozenset({"publish.rsync", "publish.git", "publish.s3", "announce"})  # there may be any number of these


def header(table: str) -> str:
    """How a table begins in the file."""
    return f"[[{table}]]" if table in LISTS else f"[{table}]"


def keys(table: str) -> tuple[Field[Any], ...]:
    """The keys of a table, without the tables in it."""
    return tuple(key for key in fields(TABLES[table]) if "about" in key.metadata)


def literal(value: Any) -> str:
    """A value as TOML has it."""
    from json import dumps

    if isinstance(value, tuple):
        return f"[{', '.join(literal(item) for item in value)}]"
    if isinstance(value, str | bool | int | float):
        return dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)
