"""`league.toml` of a site: what may stand in it, what is meant when it doesn't, and what is wrong with it."""

from league.settings.announce import Announce
from league.settings.checks import LANGUAGES
from league.settings.mail import Imap, Mail, Smtp
from league.settings.read import load, parse
from league.settings.tables import FILE, TABLES, Publish, Settings, Site, Sources, Storage, header, keys, literal
from league.settings.targets import GitTarget, RsyncTarget, S3Target, Target
from league.settings.write import as_toml, defaults_toml, schema

__all__ = [
    "FILE",
    "LANGUAGES",
    "TABLES",
    "Announce",
    "GitTarget",
    "Imap",
    "Mail",
    "Publish",
    "RsyncTarget",
    "S3Target",
    "Settings",
    "Site",
    "Smtp",
    "Sources",
    "Storage",
    "Target",
    "as_toml",
    "defaults_toml",
    "header",
    "keys",
    "literal",
    "load",
    "parse",
    "schema",
]
