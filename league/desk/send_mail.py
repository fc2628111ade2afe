"""What lies in the outbox goes out."""

from league.delivery.maildir import Maildir
from league.delivery.outbox import Delivered, deliver
from league.desk.site import Site
from league.storage.outbox import Queue


def send_mail(site: Site) -> Delivered:
    """Hand every waiting mail over; a mail that a crash left half sent goes again with the same bytes."""
    return deliver(Queue(site.engine, site.now), Maildir(site.path / site.settings.mail.outbox))
