"""How mail leaves a site: over the mail server of its settings, or into a Maildir."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from league import credentials
from league.core.errors import Refused
from league.delivery.maildir import Maildir
from league.delivery.outbox import Outcome, Outgoing, Transport
from league.delivery.smtp import Server, Smtp
from league.desk.post.verp import envelope
from league.desk.site import Site

PORTS = {"tls": 465, "starttls": 587, "none": 25}


@contextmanager
def way_out(site: Site) -> Iterator[Transport]:
    """The transport that the settings choose; its connection ends with the block."""
    if not site.settings.mail.smtp.host:
        yield Maildir(site.path / site.settings.mail.outbox)
        return
    made = smtp(site)
    try:
        yield made
    finally:
        made.close()


def smtp(site: Site) -> Smtp:
    """The mail server of the settings; nothing is asked of it yet."""
    chosen = site.settings.mail.smtp
    server = Server(
        host=chosen.host,
        port=chosen.port or PORTS[chosen.security],
        security=chosen.security,
        hello=site.domain,
        ca_file=str(site.path / chosen.ca_file) if chosen.ca_file else "",
        timeout=float(chosen.timeout),
        per_connection=chosen.per_connection,
    )

    def account() -> credentials.Login | None:
        return credentials.login(
            site.path,
            chosen.user,
            password_file=chosen.password_file,
            password_env=chosen.password_env,
            token_command=chosen.token_command,
            seconds=float(chosen.timeout),
        )

    def sender(mail: Outgoing) -> str:
        return mail.sender if isinstance(mail, Single) and mail.sender else envelope(site, mail)

    return Smtp(server, account, sender)


@dataclass(frozen=True, slots=True)
class Single:
    """A mail that doesn't come from the outbox."""

    recipient: str
    message_id: str
    raw: bytes
    sender: str = ""  # empty: as for every mail
    id: int = 0


def send_now(site: Site, recipient: str, message_id: str, raw: bytes) -> None:
    """Send one mail past the outbox, for trying the way out; `Refused` says why it didn't go.

    To an address of ours with a part behind a plus it goes from that address: bounces come to such ones (`verp`).
    """
    sender = recipient if recipient != site.settings.mail.from_address else ""
    with way_out(site) as transport:
        for handed in transport.send([Single(recipient, message_id, raw, sender)]):
            for one in handed:
                if one.outcome is not Outcome.SENT:
                    raise Refused(f"the mail to {recipient} didn't go out: {one.words}")
