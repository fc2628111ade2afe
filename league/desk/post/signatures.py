"""Our own look at DKIM signatures, before the transaction that judges: a name server must not keep the site locked."""

from collections.abc import Mapping, Sequence

from league.desk.post.roster import know
from league.desk.site import Site
from league.desk.trust import checks_signatures
from league.intake import signature
from league.intake.mailbox import RawMail
from league.intake.message import Letter
from league.intake.proof import Proof
from league.intake.screen import proof_of
from league.intake.signature import KeyRing, Signed, check
from league.storage import engine as database
from league.storage.leagues import fold


def check_signatures(site: Site, mails: Sequence[RawMail], letters: Sequence[Letter]) -> Mapping[str, Signed]:
    """Digest -> what the signature says, for mails of players and the organizer that nothing else proves."""
    if not checks_signatures(site.settings.mail):
        return {}
    with database.read(site.engine) as connection:
        roster = know(connection, site, letters).roster
    ring = KeyRing(signature.ask_dns)
    known = {*roster.places, fold(site.settings.site.organizer)} - {""}
    return {
        letter.digest: check(mail.content, letter.author, ring)
        for mail, letter in zip(mails, letters, strict=True)
        if letter.author in known and proof_of(letter, roster) in {Proof.NONE, Proof.ADDRESS}
    }
