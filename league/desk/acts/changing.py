"""The transaction of a command that changes who plays or when: what players have mailed until now is booked before."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from sqlalchemy import Connection

from league.desk.inbox.accept_mail import accept_mail
from league.desk.recovery.restored import mails_wait
from league.desk.site import Site
from league.storage import engine as database
from league.storage.lock import run_lock

LOCK_SECONDS = 120.0


def locked(site: Site, act: str) -> AbstractContextManager[object]:
    """The run lock; a run that catches up after a restore has it already."""
    if site.catches_up:
        return nullcontext()
    return run_lock(site.path, f"league {act} of {site.who}", LOCK_SECONDS, site.engine)


@contextmanager
def changing(site: Site, act: str) -> Iterator[Connection]:
    """A transaction that changes who plays: what players have mailed until now is booked before."""
    with locked(site, act):
        if not (site.catches_up or mails_wait(site)):
            accept_mail(site)
        with database.write(site.engine) as connection:
            yield connection
