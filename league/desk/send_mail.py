"""What lies in the outbox goes out."""

from collections.abc import Sequence

from league.core.json import JsonDict
from league.delivery.maildir import Maildir
from league.delivery.outbox import Delivered, deliver
from league.desk.clock import stamp
from league.desk.site import Site
from league.storage import engine as database
from league.storage import outbox
from league.storage.outbox import Queue


def send_mail(site: Site) -> Delivered:
    """Hand every waiting mail over; a mail that a crash left half sent goes again with the same bytes."""
    return deliver(Queue(site.engine, site.now), Maildir(site.path / site.settings.mail.outbox))


def list_outbox(site: Site, states: Sequence[str] = ()) -> list[JsonDict]:
    """The outbox without the mails' bytes, the newest first."""
    with database.read(site.engine) as connection:
        lines = outbox.listing(connection, states)
    return [
        {
            "message_id": line.message_id,
            "kind": line.kind.partition("/")[0],
            "recipient": line.recipient,
            "round": line.round,
            "state": line.state,
            "attempts": line.attempts,
            "trouble": line.trouble,
            "sent": stamp(line.sent_at) if line.sent_at else None,
        }
        for line in lines
    ]
