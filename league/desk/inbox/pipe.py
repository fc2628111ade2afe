"""What a mail server hands over through a pipe (DESIGN: Commands): kept at once, judged now if that goes well."""

from datetime import datetime

from league.desk.aside import set_aside
from league.desk.inbox.accept_mail import Accepted, fetch_from, judge_waiting
from league.desk.inbox.read_mail import STANDARD_INPUT, boxes
from league.desk.site import Site


def take_in(site: Site, received_at: datetime | None) -> None:
    """Comes back once the bytes are safe. Trouble behind that is ours: the mail waits for the next run to judge it."""
    site.require_key()
    done = Accepted()
    (box,) = boxes((STANDARD_INPUT,), site.now, received_at, site.settings.mail.max_bytes)
    fetch_from(site, box, done, told=received_at is not None)
    try:
        judge_waiting(site, done)
    except Exception as error:  # noqa: BLE001  # whatever it is, the mail server has done its part
        set_aside(site, "mail read -", error)
