"""Mails to the organizer: what happened by mail that a person should know of, and answers to his own commands."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from league.core.json import Json
from league.delivery.mail import Headers, compose
from league.desk.leagues.infos import site_info
from league.desk.post.outgoing import message_id
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site
from league.intake.message import MADE_ID, Letter
from league.reports import mails as words
from league.reports.context import CommandReport
from league.reports.context import Mail as Text
from league.storage import outbox
from league.storage.mails import Mail
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded


def tell_organizer(
    site: Site, connection: Connection, loaded: Loaded, what: str, facts: Mapping[str, Json], *, date: datetime
) -> None:
    """Queue the mail; nothing where the settings name no organizer."""
    if not site.settings.site.organizer:
        return
    text = words.organizer_mail(site_info(site), loaded.title, what, facts, any_order_or_press)
    kind = f"organizer/{what}/{loaded.match_slug}/{facts.get('seat', '')}/{date.isoformat()}"
    made = _mail(site, kind, text, date, ())
    outbox.queue(connection, [made])


def answer_organizer(site: Site, what: str, reports: Sequence[CommandReport], mail: Mail, letter: Letter) -> OutMail:
    """What became of the organizer's commands (`done`), or a mail that goes once a day: to `confirm`, to `nothing`."""
    text = words.organizer_answer(site_info(site), what, reports, any_order_or_press)
    kind = f"organizer/done/{mail.digest}" if what == "done" else f"organizer/{what}/{mail.received_at.date()}"
    thread = tuple(one for one in (*letter.references, letter.message_id) if not one.startswith(MADE_ID))
    return _mail(site, kind, text, mail.received_at, thread if what == "done" else ())


def _mail(site: Site, kind: str, text: Text, date: datetime, answers: tuple[str, ...]) -> OutMail:
    to = site.settings.site.organizer
    own_id = message_id(site, kind, "", None, None, 1)
    headers = Headers(
        sender=site.settings.mail.from_address,
        sender_name=site.settings.site.title,
        recipient=to,
        subject=text.subject,
        date=date,
        message_id=own_id,
        in_reply_to=answers[-1] if answers else "",
        references=answers,
        lang=site.settings.site.lang,
        auto="auto-replied" if answers else "auto-generated",
    )
    return OutMail(own_id, kind, to, compose(headers, text.text), date)
