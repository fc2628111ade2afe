"""The mailboxes of a site: its Maildir, and the one on a mail server if there is one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlalchemy import Engine

from league import credentials
from league.desk.clock import stamp
from league.desk.recovery.restored import rescan_since
from league.desk.rounds.close_early import is_any_ready
from league.desk.site import Site
from league.intake.imap import Account, ImapBox, Judged
from league.intake.mailbox import Fetch, Mailbox, Shelf, open_path
from league.storage import engine as database
from league.storage import ledger, rounds

PORTS = {"tls": 993, "starttls": 143, "none": 143}
CLOCKS_DIFFER = timedelta(minutes=5)  # less is no news
DELIVERY = timedelta(minutes=1)  # from the stamp that a mail server sets to the mailbox


@dataclass(frozen=True, slots=True)
class SiteLedger:
    """The site's book of what was seen on mail servers."""

    engine: Engine

    def last(self, shelf: Shelf) -> int:
        """The highest UID ever seen there."""
        with database.read(self.engine) as connection:
            return ledger.last(connection, _key(shelf))

    def known(self, shelf: Shelf, uids: Sequence[int]) -> frozenset[int]:
        """Those of these UIDs that were seen."""
        with database.read(self.engine) as connection:
            return ledger.known(connection, _key(shelf), uids)

    def judged(self, shelf: Shelf) -> Sequence[Judged]:
        """What has its verdict and lies there still, as far as we know."""
        with database.read(self.engine) as connection:
            return [Judged(uid, verdict) for uid, verdict in ledger.judged(connection, _key(shelf))]

    def put_away(self, shelf: Shelf, where: Mapping[int, str]) -> None:
        """These have left the folder."""
        with database.write(self.engine) as connection:
            ledger.put_away(connection, _key(shelf), where)


def _key(shelf: Shelf) -> ledger.Shelf:
    return shelf.account, shelf.folder, shelf.validity


def inboxes(site: Site) -> list[Mailbox]:
    """Where the site's mail comes in. A round that is due or may close early wants proof of the server's clock.

    Else nobody knows up to when everything was read (hazard 59).
    A restored site doesn't know what it had put away since the backup, so it looks there too, once.
    """
    with database.read(site.engine) as connection:
        closing, again = rounds.next_closing(connection), rescan_since(connection)
        ready = is_any_ready(connection, site.now)
    mail = site.settings.mail
    inbox = site.path / mail.inbox
    found = [open_path(inbox, site.now, owned=True, everything=again is not None, max_bytes=mail.max_bytes)]
    if mail.imap.host:
        prove = (closing is not None and closing <= site.now) or ready
        chosen = account(site) if again is None else _everything(account(site), site.now - again)
        found.append(ImapBox(chosen, SiteLedger(site.engine), site.now, prove=prove))
    return found


def _everything(chosen: Account, since: timedelta) -> Account:
    """All folders in which mail of the league may lie, back to before the backup."""
    away = tuple(dict.fromkeys(name for name in (chosen.processed, chosen.rejected) if name))
    also = tuple(name for name in away if name not in chosen.folders)
    return replace(chosen, also=also, scan_days=max(chosen.scan_days, since.days + 1))


def account(site: Site) -> Account:
    """The mailbox on a server, by the settings; nothing is asked of it yet."""
    mail, imap = site.settings.mail, site.settings.mail.imap
    return Account(
        host=imap.host,
        user=imap.user,
        login=lambda: _login(site),
        port=imap.port or PORTS[imap.security],
        security=imap.security,
        ca_file=str(site.path / imap.ca_file) if imap.ca_file else "",
        folders=tuple(dict.fromkeys(imap.folders)),
        processed=imap.processed,
        rejected=imap.rejected,
        marker=imap.marker,
        sender=mail.from_address,
        scan_days=imap.scan_days,
        timeout=float(imap.timeout),
        max_bytes=mail.max_bytes,
    )


def _login(site: Site) -> credentials.Login:
    imap = site.settings.mail.imap
    found = credentials.login(
        site.path,
        imap.user,
        password_file=imap.password_file,
        password_env=imap.password_env,
        token_command=imap.token_command,
        seconds=float(imap.timeout),
    )
    return found or credentials.Login(imap.user)


def clock_notes(site: Site, found: Fetch) -> list[str]:
    """A mail server's clock that is far from ours: one of the two is wrong, and deadlines hang on both."""
    return [
        f"the mail server's clock says {stamp(clock)}, ours {stamp(site.now)}; one of them is wrong"
        for clock in found.clocks
        if abs(clock - site.now) > CLOCKS_DIFFER
    ]
