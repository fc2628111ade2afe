"""The channels of `league.toml`: their addresses, whether they can be used, and which of them took nothing."""

from collections.abc import Iterator
from datetime import timedelta

from sqlalchemy import Connection

from league.core.errors import LeagueError
from league.credentials import password
from league.delivery.announce import check
from league.desk.site import Site
from league.settings import Announce
from league.storage import announcements
from league.storage.announcements import Row

LATELY = timedelta(days=7)


def address_of(site: Site, channel: Announce) -> str:
    """The channel's address, read at the moment of use."""
    return password(site.path, channel.url_file, channel.url_env)


def check_channels(site: Site) -> Iterator[tuple[Announce, str]]:
    """Every channel, and why nothing can be told there; nothing is sent."""
    for channel in site.settings.announce:
        try:
            yield channel, check(address_of(site, channel))
        except LeagueError as error:
            yield channel, str(error)


def untold(site: Site, connection: Connection) -> tuple[Row, ...]:
    """Of each channel the oldest that was tried in vain."""
    first: dict[str, Row] = {}
    for row in announcements.troubled(connection, site.now - LATELY):
        first.setdefault(row.name, row)
    return tuple(first[channel.name] for channel in site.settings.announce if channel.name in first)
