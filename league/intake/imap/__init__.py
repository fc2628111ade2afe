"""A mailbox on a mail server, read so that a person may use it at the same time.

Nothing is decided on the server's flags, nor on the silence of IDLE: what was seen stands in a ledger of our own,
keyed by account, folder, UIDVALIDITY and UID. Reading is EXAMINE and BODY.PEEK, so it leaves no trace.
"""

from league.intake.imap.account import Account, Judged, Ledger
from league.intake.imap.box import ImapBox
from league.intake.imap.connection import NoMailbox
from league.intake.imap.watch import Watch

__all__ = ["Account", "ImapBox", "Judged", "Ledger", "NoMailbox", "Watch"]
