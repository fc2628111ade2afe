"""Orders that the organizer hands in for a player lie in the book of mails like every order mail, with who and why.

Such a mail never came by mail, so it can be made again: its id, and the digest on which the nonce of its leaf hangs,
follow from seat, arrival and the act's own time alone, which stand in the journal.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.policy import default
from hashlib import sha256
from itertools import count

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.delivery.mail import Headers, compose
from league.desk.clock import stamp
from league.desk.leagues.public_journal import ENTER, SEAL
from league.desk.site import Running, Site, find_running
from league.records.keys import HALF, derive
from league.storage import journal, leagues, mails
from league.storage.leagues import Place
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
    entry = _Entry(site, running, place, text, received_at)
    lost = next((act for act in _lost(connection, entry) if entry.is_new(connection, act)), None)
    stored = entry.store(connection, lost or site.now)
    if lost is None:
        told = {"seat": place.code, "received": stamp(received_at)}
        site.write_down(connection, "orders enter", why, running.league.id, **told)
    return stored


def is_put(site: Site, connection: Connection, slug: str, seat: str, received_at: datetime) -> bool:
    """Whether the orders that an act of this moment entered for a seat are there: each act enters them once."""
    running = find_running(site, connection, slug)
    place = next(p for p in leagues.seats(connection, [running.match.id]) if p.code == seat)
    return not _Entry(site, running, place, "", received_at).is_new(connection, site.now)


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is entered, for whom."""

    site: Site
    running: Running
    place: Place
    text: str
    received_at: datetime

    def store(self, connection: Connection, moment: datetime) -> int:
        """Keep the mail of an act of this moment: one of its own, unless the act is only done again."""
        for number in count():
            raw = self._raw(moment, number)
            digest = digest_of(raw)
            new = NewMail(digest, raw, SOURCE, self.received_at, self.site.now, vouched=True)
            stored = mails.store_mails(connection, [new])
            kept = mails.mail(connection, stored.ids[digest])
            if digest in stored.fresh or (self.site.does_again and kept is not None and kept.content == raw):
                return stored.ids[digest]
        raise AssertionError  # pragma: no cover  # numbers don't end

    def is_new(self, connection: Connection, moment: datetime) -> bool:
        """Whether no mail of an act of this moment is there."""
        return not mails.arrivals(connection, [digest_of(self._raw(moment, 0))])

    def _raw(self, moment: datetime, number: int) -> bytes:
        names = (self.running.match.slug, self.place.code, stamp(self.received_at), stamp(moment), number)
        mark = derive(self.site.key, "entered", *names)[:HALF].hex()
        headers = Headers(
            sender=self.place.address,
            recipient=self.site.settings.mail.from_address,
            subject=f"[{self.running.league.slug}] entered by the organizer",
            date=self.received_at,
            message_id=f"<entered.{mark}@{self.site.domain}>",
            auto="no",
        )
        return compose(headers, self.text)


def _lost(connection: Connection, entry: _Entry) -> Iterator[datetime]:
    """When orders were entered that a backup doesn't know, for this seat as far as the published journal tells."""
    acts = journal.of_scope(connection, entry.running.league.id)
    gone = [act for act in acts if act.act == ENTER and SEAL in act.arguments]
    own = {"seat": entry.place.code, "received": stamp(entry.received_at)}
    yield from (act.at for act in gone if own.items() <= act.arguments.items())
    hidden = [act.at for act in gone if "seat" not in act.arguments and act.at >= entry.received_at]
    yield from sorted(hidden)


def digest_of(raw: bytes) -> str:
    """What the mail is known by: not its words, which may be put otherwise when it is entered again."""
    return sha256(str(message_from_bytes(raw, policy=default)["Message-ID"]).encode()).hexdigest()
