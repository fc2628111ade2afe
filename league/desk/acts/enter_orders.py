"""`league orders enter`: the organizer hands in a player's orders, as a mail of their own with who and why."""

from collections import Counter
from datetime import datetime

from league.core.errors import BadInput
from league.desk.inbox.accept_mail import WAIT, Accepted, judge_waiting
from league.desk.recovery.put_orders import put_orders
from league.desk.recovery.restored import mails_wait
from league.desk.site import Site
from league.storage import engine as database
from league.storage import mails


def enter_orders(site: Site, slug: str, name: str, text: str, *, why: str, received_at: datetime | None) -> Accepted:
    """The text goes the way of every mail: kept, judged, booked and answered to the player."""
    if not why.strip():
        raise BadInput("say why with --why: it is written down and the player is told")
    if received_at is not None and received_at > site.now:
        raise BadInput(f"--received-at {received_at.isoformat()} is yet to come")
    with database.write(site.engine) as connection:
        mail_id = put_orders(site, connection, slug, name, text, why=why, received_at=received_at or site.now)
    done = Accepted(fetched=1, notes=[WAIT] if mails_wait(site) else [])
    judge_waiting(site, done)
    with database.read(site.engine) as connection:
        judged = mails.verdicts(connection, mail_ids=[mail_id])
    # Of the mails that waited beside it nothing is told here; another command may have judged this one.
    return Accepted(1, Counter(j.verdict for j in judged), done.troubles, notes=done.notes)
