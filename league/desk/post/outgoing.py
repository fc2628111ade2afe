"""Mails on their way into the outbox: final bytes, with an id and a date that follow from what they tell."""

from datetime import datetime

from league.delivery.mail import Headers, split_at_picture
from league.delivery.multipart import Attachment, Body, Picture, encode, encode_shared
from league.desk.site import Site
from league.desk.trust import reply_address
from league.records.keys import message_name
from league.reports.calendars import calendar_file
from league.reports.context import Mail
from league.storage import engine as database
from league.storage import outbox, parts
from league.storage.leagues import Place
from league.storage.outbox import OutMail

ID_PREFIX = "league."  # what tells our own mails from a player's at the same domain


def message_id(site: Site, kind: str, match: str, number: int | None, seat: str | None, version: int) -> str:
    """The same mail has always the same id (DESIGN: Mail); one that went out before its match came here too."""
    if match in site.brought and number is not None and seat is not None:
        with database.read(site.engine) as connection:
            if known := outbox.id_of(connection, kind, match, number, seat, version):
                return known
    return f"<{ID_PREFIX}{message_name(site.key, kind, match, number, seat, version)}@{site.domain}>"


def outgoing(
    site: Site,
    kind: str,
    mail: Mail,
    place: Place,
    match: str,
    number: int | None,
    *,
    date: datetime,
    version: int = 1,
    answers: tuple[str, ...] = (),
) -> OutMail:
    """A mail to a seat's player. `answers`: the thread it belongs to, the mail it answers last."""
    own_id = message_id(site, kind, match, number, place.code, version)
    headers = Headers(
        sender=site.settings.mail.from_address,
        sender_name=site.settings.site.title,
        recipient=place.address,
        recipient_name=place.name,
        reply_to=reply_address(site, match, place),
        subject=mail.subject,
        date=date,
        message_id=own_id,
        in_reply_to=answers[-1] if answers else "",
        references=answers,
        lang=place.lang,
        auto="auto-replied" if answers else "auto-generated",
        bulk=kind == "report",
        unsubscribe=mail.unsubscribe,
    )
    before, behind = split_at_picture(headers, body_of(mail, date))
    return OutMail(
        message_id=own_id,
        kind=kind,
        recipient=place.address,
        raw=before + behind,
        created_at=date,
        match_id=place.match_id,
        round=number,
        seat_id=place.id,
        version=version,
        shared=_shared(mail, len(before)),
    )


def body_of(mail: Mail, date: datetime) -> Body:
    """What the mail says, each part encoded; what a round shares is encoded once."""
    picture = Picture(mail.picture.content_id, "map.png") if mail.picture else None
    file = calendar_file(mail.deadline, date) if mail.deadline else None
    attached = (Attachment(file.name, file.kind, file.content),) if file else ()
    return Body(encode(mail.text), _html(mail.html), picture, attached)


def _html(pieces: tuple[str, ...]) -> bytes:
    """The first and the last piece stand in the mails of a whole round."""
    if len(pieces) < 3:
        return b"".join(map(encode, pieces))
    first, *own, last = pieces
    return b"".join((encode_shared(first), *map(encode, own), encode_shared(last)))


def _shared(mail: Mail, at: int) -> parts.Place | None:
    if mail.picture is None:
        return None
    return parts.Place(parts.Part(mail.picture.digest, mail.picture.svg, mail.picture.width), at)
