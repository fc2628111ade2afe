"""The mailbox: what lies there and wasn't seen yet, however often the connection breaks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import sleep
from typing import Any

from league.core.errors import Refused
from league.intake.imap.account import Account, Ledger
from league.intake.imap.connection import NoMailbox, connect, shut, told
from league.intake.imap.marker import read_clock
from league.intake.imap.moves import put_away
from league.intake.imap.scan import Some, next_mails, open_shelf, unseen
from league.intake.mailbox import Fetch, RawMail, Shelf

PAUSES = (1.0, 4.0, 10.0)  # before the second, third and fourth try
Pause = Callable[[float], None]


@dataclass(slots=True)
class ImapBox:
    """A mailbox on a server, for one fetch. `prove` puts down a marker first and reads the server's clock from it."""

    account: Account
    ledger: Ledger
    now: datetime
    prove: bool = False
    pause: Pause = sleep
    _client: Any = field(default=None, init=False)
    _open: Shelf | None = field(default=None, init=False)

    def fetch(self) -> Fetch:
        """Every mail that the ledger doesn't know, folder by folder in the order of UIDs."""
        found = Fetch(self.now, iter(()))
        return Fetch(self.now, self._mails(found), found.troubles, found.notes, found.clocks)

    def settle(self, digest: str) -> None:
        """What is judged leaves its folder in `close`, by the ledger and not by what this process remembers."""

    def close(self) -> Sequence[str]:
        """Put away what has its verdict, of earlier runs too, and hang up."""
        try:
            if self.account.processed or self.account.rejected:
                with told(self.account):
                    put_away(self._connected(), self.account, self.ledger)
        except Refused as trouble:  # what wasn't moved is in the ledger, and the next run moves it
            return [f"judged mails stay in the inbox: {trouble}"]
        finally:
            self._hang_up()
        return ()

    def _mails(self, found: Fetch) -> Iterator[RawMail]:
        try:
            if self.prove and self.account.marker:
                found.clocks.append(self._again(lambda client: read_clock(client, self.account, self.now)))
            for folder in self.account.folders:
                yield from self._folder(folder, found.troubles)
            for folder in self.account.also:
                if self._again(lambda client: client.folder_exists(folder)):  # noqa: B023  # called at once
                    yield from self._folder(folder, found.troubles)
        except Refused as trouble:
            self._hang_up()
            found.troubles.append(str(trouble))

    def _folder(self, folder: str, troubles: list[str]) -> Iterator[RawMail]:
        """Mails not seen yet. After a break the folder is looked at anew, for its UIDs may be others now."""
        shelf, waiting = self._again(lambda client: self._waiting(client, folder))
        while waiting:
            some = self._again(lambda client: self._some(client, shelf, waiting))  # noqa: B023  # called at once
            if some is None:
                shelf, waiting = self._again(lambda client: self._waiting(client, folder))
                continue
            troubles += [f"{self.account.name}: in {folder} a mail can't be fetched (UID {uid})" for uid in some.lost]
            yield from some.mails
            waiting = waiting[some.done :]

    def _waiting(self, client: Any, folder: str) -> tuple[Shelf, list[int]]:
        self._open = open_shelf(client, self.account, folder)
        return self._open, unseen(client, self._open, self.ledger, self.account, self.now)

    def _some(self, client: Any, shelf: Shelf, waiting: list[int]) -> Some | None:
        """The next few mails; None if after a break the folder's UIDs don't mean any more what they meant."""
        if self._open is None:
            self._open = open_shelf(client, self.account, shelf.folder)
        if self._open != shelf:
            return None
        return next_mails(client, shelf, waiting, self.account, self.now)

    def _again(self, work: Callable[[Any], Any]) -> Any:
        """Do it, with a new connection and a pause where the old one broke."""
        for wait in (*PAUSES, None):
            try:
                with told(self.account):
                    return work(self._connected())
            except NoMailbox as trouble:
                self._hang_up()
                if wait is None or not trouble.passing:
                    raise
                self.pause(wait)
        raise AssertionError  # the last round returns or raises

    def _connected(self) -> Any:
        if self._client is None:
            self._client = connect(self.account)
        return self._client

    def _hang_up(self) -> None:
        if self._client is not None:
            shut(self._client)
            self._client = self._open = None
