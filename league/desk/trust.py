"""Whom the site believes, and what it gives each seat to be believed by (DESIGN: Mail)."""

from collections.abc import Mapping

from sqlalchemy import Connection

from league.core.composing import Composes
from league.desk.site import Site
from league.intake.proof import Style, Trust
from league.intake.screen import Place as Named
from league.intake.tokens import shown
from league.settings import Mail
from league.storage import leagues
from league.storage.leagues import Membership, Place
from league.storage.rounds import Loaded

LOCAL_LENGTH = 64  # of the left side of an address (RFC 5321)


def trust_of(mail: Mail) -> Trust:
    """The settings' word on our own receiving host."""
    return Trust(mail.authserv_id, Style(mail.authserv_style), mail.received_by, mail.proof == "required")


def checks_signatures(mail: Mail) -> bool:
    """Whether we look at DKIM signatures ourselves: unless told otherwise, where no host of ours does."""
    return mail.own_dkim == "on" or (mail.own_dkim == "auto" and not trust_of(mail).has_host)


def token_of(site: Site, match: str, place: Place) -> str:
    """The seat's token as it is now."""
    return site.seat_token(match, place.code, place.token_version)


def key_of(site: Site, match: str, place: Place) -> str:
    """The same, for its player to read and to type."""
    return shown(token_of(site, match, place))


def composer_key(site: Site, match: str, place: Place, game: object) -> str:
    """The same, for the link to the page's order composer; nothing for a game that has none."""
    return key_of(site, match, place) if isinstance(game, Composes) else ""


def composer_keys(site: Site, loaded: Loaded, game: object) -> dict[str, str]:
    """For each seat of a round."""
    return {place.code: composer_key(site, loaded.match_slug, place, game) for place in loaded.seats}


def reply_address(site: Site, match: str, place: Place) -> str:
    """Where the seat's player answers to: with the token, if the site's mailbox takes such addresses; else nothing."""
    if not site.settings.mail.plus_addresses:
        return ""
    local, _, domain = site.settings.mail.from_address.partition("@")
    token = token_of(site, match, place)
    named, bare = f"{local}+{match}.{token}", f"{local}+{token}"
    return f"{named if len(named) <= LOCAL_LENGTH else bare}@{domain}"


def tokens(site: Site, seats: Mapping[Named, Membership]) -> dict[str, Named]:
    """Token -> seat."""
    return {token_of(site, member.match_slug, member.place): named for named, member in seats.items()}


def new_token(site: Site, connection: Connection, place: Place) -> None:
    """From now on the seat has another token, and neither the old one nor answers to older mails prove anything."""
    leagues.set_seat(connection, place.id, token_version=place.token_version + 1, token_since=site.now)
