"""What lies in the outbox goes out: one sender at a time, nothing while on hold, a lost server asked less and less.

A mail that can't go now has its own schedule (storage/outbox.py). Trouble with the server as a whole is nobody's mail's
fault: it sets the whole outbox back, for 1, 5, 15, 60 minutes and then 4 hours at a time, and fails no mail.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from json import dumps, loads

from sqlalchemy import Connection

from league.delivery.outbox import Delivered, deliver
from league.desk.clock import stamp
from league.desk.post.draw_pictures import draw_pictures
from league.desk.post.tell_organizer import queue_notice
from league.desk.post.way_out import way_out
from league.desk.site import Site
from league.storage import engine as database
from league.storage import leagues, outbox
from league.storage.lock import SEND_LOCK_NAME, run_lock
from league.storage.sending import NO_LIMIT, RETRIES, Pace, Queue, recover

__all__ = ["Backoff", "Delivered", "backoff", "send_mail", "sending"]
LOCK_SECONDS = 120.0
BACKOFF = "mail.backoff"  # the fact that says since when, until when and why nothing is tried


@dataclass(frozen=True, slots=True)
class Backoff:
    """Since when the server takes nothing, how often it was asked, and when it is asked again."""

    since: datetime
    until: datetime
    tries: int
    words: str


def send_mail(site: Site, *, by_hand: bool = False) -> Delivered:
    """Hand every mail over that is due. `by_hand`: ask a server again that took nothing, though its time isn't up."""
    with sending(site):
        draw_pictures(site)
        with database.write(site.engine) as connection:
            held, waits = outbox.held(connection), backoff(connection)
            if held or (waits is not None and not by_hand and site.now < waits.until):
                words = "" if held or waits is None else waits.words
                return Delivered(trouble=words, held=held, waiting=outbox.due(connection, site.now))
            _prepare(site, connection)
        done = _deliver(site)
        with database.write(site.engine) as connection:
            _remember(site, connection, waits, done)
            told = 0 if done.trouble else queue_notice(site, connection)
        if told:
            done = replace(_deliver(site), sent=done.sent, failed=done.failed, later=done.later, doubt=done.doubt)
        with database.read(site.engine) as connection:
            return replace(done, waiting=outbox.due(connection, site.now))


def sending(site: Site) -> AbstractContextManager[None]:
    """Only one command hands mail over: what it finds half sent was left by one that died."""
    return run_lock(site.path, f"league mail send of {site.who}", LOCK_SECONDS, site.engine, SEND_LOCK_NAME)


def _prepare(site: Site, connection: Connection) -> None:
    """Put right what a sender left that died, and take out what mustn't go."""
    recover(connection, site.now, exact=not site.settings.mail.smtp.host)
    outbox.stop_blocked(connection)
    queue_notice(site, connection)


def _deliver(site: Site) -> Delivered:
    chosen = site.settings.mail.smtp
    pace = Pace(chosen.per_hour, chosen.per_domain_per_hour) if chosen.host else NO_LIMIT
    with way_out(site) as transport:
        return deliver(Queue(site.engine, site.now, pace), transport)


def _remember(site: Site, connection: Connection, before: Backoff | None, done: Delivered) -> None:
    """A server that took anything is well; one that took nothing is asked again after a while."""
    if done.sent:
        before = None
    if not done.trouble:
        leagues.drop_fact(connection, BACKOFF)
        return
    tries = before.tries + 1 if before else 1
    until = site.now + RETRIES[min(tries, len(RETRIES)) - 1]
    since = before.since if before else site.now
    told = {"since": stamp(since), "until": stamp(until), "tries": tries, "words": done.trouble}
    leagues.set_fact(connection, BACKOFF, dumps(told))


def backoff(connection: Connection) -> Backoff | None:
    """Whether the server took nothing when it was asked last."""
    written = leagues.fact(connection, BACKOFF)
    if written is None:
        return None
    told = loads(written)
    times = {key: datetime.fromisoformat(told[key]) for key in ("since", "until")}
    return Backoff(**times, tries=told["tries"], words=told["words"])
