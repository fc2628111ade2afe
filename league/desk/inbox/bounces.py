"""Bounces are noted: the mail that came back, the address that gets no more, what the organizer is to be told.

Only a bounce counts that names a mail we sent not long ago, by its address (VERP) or its Message-ID. So nobody can
silence a player by a mail that looks like a bounce; and a mail that is proven to be the player's own lifts the stop.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from league.desk.aside import set_aside
from league.desk.post import verp
from league.desk.post.outgoing import ID_PREFIX
from league.desk.site import Site
from league.intake.bounces import Bounce, Kind, read_bounce
from league.storage import outbox, troubles
from league.storage.leagues import fold
from league.storage.mails import Mail
from league.storage.outbox import Line
from league.storage.troubles import BOUNCE, COMPLAINT, DELAYED, RETURNED, STOPPING, UNCLEAR, Trouble

RECENT = timedelta(days=14)  # mail servers give up after five; what comes much later is no bounce
PATIENCE = timedelta(days=3)
KINDS = {
    Kind.HARD: BOUNCE,
    Kind.RETURNED: RETURNED,
    Kind.DELAYED: DELAYED,
    Kind.COMPLAINT: COMPLAINT,
    Kind.UNCLEAR: UNCLEAR,
}


def note_bounces(site: Site, connection: Connection, mails: Sequence[Mail]) -> list[str]:
    """Write down what the bounces among a batch say, in the transaction of their verdicts; what could not be read."""
    stumbled: list[str] = []
    for mail in mails:
        try:
            bounce = read_bounce(mail.content or b"")
        except Exception as error:  # noqa: BLE001  # the border of a job: no bounce stops the mails beside it
            stumbled.append(set_aside(site, f"bounce {mail.digest}", error))
            continue
        line = _ours(site, connection, bounce, mail.received_at)
        if line is not None and line.recipient and bounce.kind is not Kind.NOTHING:  # empty: who it was is forgotten
            _note(site, connection, bounce, line)
    return stumbled


def _note(site: Site, connection: Connection, bounce: Bounce, line: Line) -> None:
    kind, key = KINDS[bounce.kind], fold(line.recipient)
    if kind in (BOUNCE, RETURNED):
        outbox.came_back(connection, line.id, f"came back: {bounce.words}")
        troubles.forget_delay(connection, line.id, site.now)
    if kind in STOPPING and any(stop.address_key == key for stop in troubles.stops(connection)):
        return  # it is stopped, and was told
    if kind == DELAYED and troubles.is_delayed(connection, line.id):
        return  # mail servers repeat themselves
    due_at = site.now + PATIENCE if kind == DELAYED else site.now
    troubles.note(connection, [Trouble(kind, key, bounce.words, site.now, due_at, line.id)])


def lift_proven(site: Site, connection: Connection, addresses: Iterable[str]) -> None:
    """Who is proven to write from an address can be written to again; what was held for him goes out."""
    for address in troubles.lift(connection, sorted(set(addresses)), site.now):
        outbox.start_again(connection, address)


def _ours(site: Site, connection: Connection, bounce: Bounce, received_at: datetime) -> Line | None:
    """The mail that a bounce is about, if it is one that we sent."""
    for written in bounce.tokens:
        for line in outbox.find(connection, ids=[verp.number_in(written)]):
            if verp.is_genuine(site, written, line.id, line.message_id) and _is_recent(line, received_at):
                return line
    own = [one for one in bounce.message_ids if one.startswith(f"<{ID_PREFIX}") and one.endswith(f"@{site.domain}>")]
    return next((line for line in outbox.find(connection, message_ids=own) if _is_recent(line, received_at)), None)


def _is_recent(line: Line, received_at: datetime) -> bool:
    return line.attempted_at is not None and received_at - line.attempted_at <= RECENT
