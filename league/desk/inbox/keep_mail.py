"""Raw mails into the books: the bytes, when they arrived and on whose word, and where on a server they lay."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection

from league.desk.again import come_anew
from league.desk.site import Site
from league.intake.headers import Doubt, arrive
from league.intake.mailbox import RawMail
from league.intake.mime import glance
from league.storage import ledger, mails
from league.storage.mails import NewMail, Stored

SHOWN = 3
DOUBTS = {
    Doubt.NO_OWN_LINE: "no Received line of {host} ([mail] received_by): it may have been put there by a person",
    Doubt.NO_TIME: "no readable time in the Received line of {host}",
    Doubt.AHEAD: "a time of arrival after the moment it was fetched: a clock is wrong, here or at the mail server",
}


def keep(
    connection: Connection, site: Site, batch: Sequence[RawMail], doubts: dict[Doubt, list[str]], *, told: bool
) -> Stored:
    """Store a batch in the caller's transaction; what is doubtful about times of arrival is added to `doubts`."""
    arrived = [_new(site, mail, doubts, told=told) for mail in batch]
    seen = _seen_before(connection, batch)
    # Bytes that lay in this account before are no resend, whatever time a moved mailbox states for them now.
    chosen = [
        new if new.digest in seen else anew for new, anew in zip(arrived, come_anew(connection, arrived), strict=True)
    ]
    stored = mails.store_mails(connection, chosen)
    ledger.enter(connection, list(_places(site, batch, chosen, stored)))
    return stored


def _seen_before(connection: Connection, batch: Sequence[RawMail]) -> set[str]:
    by_account: dict[str, list[str]] = {}
    for mail in batch:
        if mail.origin:
            by_account.setdefault(mail.origin.shelf.account, []).append(mail.digest)
    found = (ledger.digests(connection, account, digests) for account, digests in by_account.items())
    return set().union(*found)


def _new(site: Site, mail: RawMail, doubts: dict[Doubt, list[str]], *, told: bool) -> NewMail:
    """Arrival is what our own receiving host wrote, else what the mailbox says; never Date (hazards 53 to 56)."""
    if told:
        return NewMail(
            mail.digest, mail.content, mail.source, mail.received_at.replace(microsecond=0), site.now, "told"
        )
    host = site.settings.mail.received_by
    found = arrive(glance(mail.content, b"received") if host else (), host, mail.received_at, site.now)
    if found.doubt:
        doubts.setdefault(found.doubt, []).append(mail.source)
    word = f"{found.word}, {found.doubt}" if found.doubt else found.word
    return NewMail(mail.digest, mail.content, mail.source, found.at.replace(microsecond=0), site.now, word)


def _places(site: Site, batch: Sequence[RawMail], chosen: Sequence[NewMail], stored: Stored) -> Iterable[ledger.Seen]:
    for mail, kept in zip(batch, chosen, strict=True):
        if mail.origin:
            shelf = mail.origin.shelf
            yield ledger.Seen(
                account=shelf.account,
                folder=shelf.folder,
                validity=shelf.validity,
                uid=mail.origin.uid,
                mail_id=stored.ids[kept.digest],
                message_id=mail.origin.message_id,
                digest=mail.digest,
                seen_at=site.now,
            )


def doubtful(site: Site, doubts: Mapping[Doubt, Sequence[str]]) -> list[str]:
    """A sentence for each kind of doubt, however many mails it is about."""
    return [_sentence(site, doubt, sources) for doubt, sources in sorted(doubts.items())]


def _sentence(site: Site, doubt: Doubt, sources: Sequence[str]) -> str:
    what = DOUBTS[doubt].format(host=site.settings.mail.received_by)
    named = ", ".join(sources[:SHOWN]) + (", …" if len(sources) > SHOWN else "")
    return f"{len(sources)} mail{'s have' if len(sources) > 1 else ' has'} {what} ({named})"
