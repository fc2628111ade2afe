"""`league.toml` of a site: what may stand in it, what is meant when it doesn't, and what is wrong with it."""

from league.settings.checks import LANGUAGES
from league.settings.mail import Imap, Mail, Smtp
from league.settings.read import load, parse
from league.settings.tables import FILE, TABLES, Publish, Settings, Site, Sources, Storage, keys, literal
from league.settings.write import as_toml, defaults_toml, schema

__all__ = [
    "FILE",
    "LANGUAGES",
    "TABLES",
    "Imap",
    "Mail",
    "Publish",
    "Settings",
    "Site",
    "Smtp",
    "Sources",
    "Storage",
    "as_toml",
    "defaults_toml",
    "keys",
    "literal",
    "load",
    "parse",
    "schema",
]
