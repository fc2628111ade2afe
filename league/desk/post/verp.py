"""The address that a mail's bounces come to: made from its row in the outbox, and nobody else can make it.

`league+b-NUMBER-SEAL@…`: the seal is an HMAC over number and Message-ID, 80 bits in letters that survive any server.
So a bounce that names it speaks of a mail that we sent, to whomever it had been forwarded.
"""

from base64 import b32encode
from hmac import compare_digest

from league.delivery.outbox import Outgoing
from league.desk.site import Site
from league.records.keys import derive

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
SEAL_BYTES = 10


def bounce_address(site: Site) -> str:
    """Where bounces go that name no mail."""
    return site.settings.mail.smtp.bounce_address or site.settings.mail.from_address


def is_used(site: Site) -> bool:
    """Whether mails get addresses of their own for bounces: only where mail to such addresses is known to arrive."""
    mail = site.settings.mail
    if mail.smtp.verp == "auto":
        return mail.plus_addresses and bounce_address(site) == mail.from_address
    return mail.smtp.verp == "on"


def envelope(site: Site, mail: Outgoing) -> str:
    """The envelope sender of a mail: never null, since we want to know what became of it."""
    address = bounce_address(site)
    if mail.id <= 0 or not is_used(site):
        return address
    local, _, domain = address.rpartition("@")
    return f"{local}+{token(site.key, mail.id, mail.message_id)}@{domain}"


def token(site_key: bytes, number: int, message_id: str) -> str:
    """The part behind the plus."""
    seal = b32encode(derive(site_key, "bounce", number, message_id)[:SEAL_BYTES]).decode().lower()
    return f"b-{_base36(number)}-{seal}"


def number_in(written: str) -> int:
    """The row that a token names; whether it may is asked of `is_genuine`."""
    return int(written.split("-")[1], 36)


def is_genuine(site: Site, written: str, number: int, message_id: str) -> bool:
    """Whether we made this token for this mail."""
    return compare_digest(token(site.key, number, message_id), written.lower())


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = DIGITS[rest] + digits
    return digits or "0"
