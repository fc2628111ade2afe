"""Orders that the organizer hands in for a player lie in the book of mails like every order mail, with who and why."""

from datetime import datetime
from hashlib import sha256
from secrets import token_hex

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.delivery.mail import Headers, compose
from league.desk.site import Site, find_running
from league.storage import leagues, mails
from league.storage.mails import NewMail

SOURCE = "organizer"


def put_orders(
    site: Site, connection: Connection, slug: str, name: str, text: str, *, why: str, received_at: datetime
) -> int:
    """Keep the mail, in a transaction; it is judged, booked and answered to the player like all that wait. Its id."""
    if not text.strip():
        raise BadInput("there are no orders in the text").named("no_orders")
    running = find_running(site, connection, slug)
    places = leagues.seats(connection, [running.match.id])
    place = next((p for p in places if name.casefold() in (p.code.casefold(), p.own_name.casefold())), None)
    if place is None:
        known = ", ".join(p.own_name for p in places)
        raise Refused(f"nobody called '{name}' plays in {slug}; there are {known}").named(
            "nobody", written=name, known=[p.own_name for p in places]
        )
    headers = Headers(
        sender=place.address,
        recipient=site.settings.mail.from_address,
        subject=f"[{slug}] entered by the organizer",
        date=received_at,
        message_id=f"<entered.{token_hex(16)}@{site.domain}>",  # an act of its own, however often the text comes
        auto="no",
    )
    raw = compose(headers, text)
    digest = sha256(raw).hexdigest()
    stored = mails.store_mails(connection, [NewMail(digest, raw, SOURCE, received_at, site.now, vouched=True)])
    site.write_down(connection, "orders enter", why, running.league.id, seat=place.code)
    return stored.ids[digest]
