"""`league player token`: the key by which a seat's mails are known, shown to the organizer or made anew."""

from league.core.json import JsonDict
from league.desk.acts.changing import changing
from league.desk.people.seats import Seated, at_seat, tell
from league.desk.site import Site
from league.desk.trust import key_of, new_token, reply_address
from league.storage import engine as database
from league.storage import leagues
from league.storage.leagues import Place


def show_token(site: Site, slug: str, name: str) -> JsonDict:
    """The seat's key as it is."""
    with database.read(site.engine) as connection:
        seated = at_seat(site, connection, slug, name)
    return _told(site, seated, seated.place)


def renew_token(site: Site, slug: str, name: str, *, why: str = "") -> JsonDict:
    """A new key: the old one, and answers to older mails, show nothing any more. The player gets it by mail."""
    with changing(site, "player token") as connection:
        seated = at_seat(site, connection, slug, name)
        new_token(site, connection, seated.place)
        place = next(s for s in leagues.seats(connection, [seated.place.match_id]) if s.id == seated.place.id)
        seated.write_down(site, connection, "player token --renew", why)
        tell(site, connection, seated, "new_key", {}, place)
    return _told(site, seated, place)


def _told(site: Site, seated: Seated, place: Place) -> JsonDict:
    match = seated.running.match.slug
    return {
        "seat": place.code,
        "name": place.own_name,
        "key": key_of(site, match, place),
        "address": reply_address(site, match, place) or None,
        "version": place.token_version,
    }
