"""`league orders enter`: the organizer hands in a player's orders, as a mail of their own with who and why."""

from collections import Counter
from datetime import datetime
from hashlib import sha256
from secrets import token_hex

from league.core.errors import BadInput, Refused
from league.delivery.mail import Headers, compose
from league.desk.accept_mail import Accepted, judge_waiting
from league.desk.site import Site, find_running
from league.storage import engine as database
from league.storage import leagues, mails
from league.storage.mails import NewMail


def enter_orders(site: Site, slug: str, name: str, text: str, *, why: str, received_at: datetime | None) -> Accepted:
    """The text goes the way of every mail: kept, judged, booked and answered to the player."""
    if not why.strip():
        raise BadInput("say why with --why: it is written down and the player is told")
    if received_at is not None and received_at > site.now:
        raise BadInput(f"--received-at {received_at.isoformat()} is yet to come")
    if not text.strip():
        raise BadInput("there are no orders in the text")
    with database.write(site.engine) as connection:
        running = find_running(site, connection, slug)
        places = leagues.seats(connection, [running.match.id])
        place = next((p for p in places if name.casefold() in (p.code.casefold(), p.name.casefold())), None)
        if place is None:
            known = ", ".join(p.name for p in places)
            raise Refused(f"nobody called '{name}' plays in {slug}; there are {known}")
        moment = received_at or site.now
        headers = Headers(
            sender=place.address,
            recipient=site.settings.mail.from_address,
            subject=f"[{slug}] entered by the organizer",
            date=moment,
            message_id=f"<entered.{token_hex(16)}@{site.domain}>",  # an act of its own, however often the text comes
            auto="no",
        )
        raw = compose(headers, text)
        digest = sha256(raw).hexdigest()
        stored = mails.store_mails(connection, [NewMail(digest, raw, "organizer", moment, site.now)])
        site.write_down(connection, "orders enter", why, running.league.id, seat=place.code)
    done = Accepted(fetched=1)
    judge_waiting(site, done)
    with database.read(site.engine) as connection:
        judged = mails.verdicts(connection, mail_ids=[stored.ids[digest]])
    # Of the mails that waited beside it nothing is told here; another command may have judged this one.
    return Accepted(1, Counter(j.verdict for j in judged), done.troubles)
