"""The organizer is told by mail what went wrong with mail: once for each trouble, in one mail for all that is due."""

from collections.abc import Sequence

from sqlalchemy import Connection

from league.delivery.mail import Headers, compose
from league.desk.leagues.infos import site_info
from league.desk.post.outgoing import message_id
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site
from league.reports.context import Mail
from league.reports.troubles import Returned, trouble_mail
from league.storage import leagues, outbox, troubles
from league.storage.outbox import OutMail
from league.storage.troubles import NOTICE, Noted

MOST = 50  # in one mail; the rest comes with the next


def queue_notice(site: Site, connection: Connection) -> int:
    """Queue the mail that tells what is due to be told; how many troubles it tells."""
    organizer = site.settings.site.organizer
    found = troubles.untold(connection, site.now)[:MOST] if organizer else ()
    if not found:
        return 0
    mail = trouble_mail(site_info(site), site.settings.site.lang, _told(connection, found), any_order_or_press)
    outbox.queue(connection, [_out(site, organizer, mail, found[-1].id)])
    troubles.tell(connection, [one.id for one in found], site.now)
    return len(found)


def _told(connection: Connection, found: Sequence[Noted]) -> list[Returned]:
    members = leagues.memberships(connection, {one.address_key for one in found})
    seats = {member.address_key: member for member in members}
    lines = {line.id: line for line in outbox.find(connection, ids=[one.outbox_id for one in found if one.outbox_id])}
    told = []
    for one in found:
        member, line = seats.get(one.address_key), lines.get(one.outbox_id or 0)
        told.append(
            Returned(
                kind=one.kind,
                address=line.recipient if line else one.address_key,
                name=member.place.name if member else "",
                league=member.league_slug if member else "",
                mail=line.id if line else 0,
                words=one.words,
            )
        )
    return told


def _out(site: Site, organizer: str, mail: Mail, last: int) -> OutMail:
    own_id = message_id(site, NOTICE, "", None, None, last)
    headers = Headers(
        sender=site.settings.mail.from_address,
        sender_name=site.settings.site.title,
        recipient=organizer,
        subject=mail.subject,
        date=site.now,
        message_id=own_id,
        lang=site.settings.site.lang,
    )
    return OutMail(own_id, NOTICE, organizer, compose(headers, mail.text), site.now, version=last)
