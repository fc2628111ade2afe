"""Waiting for mail. IDLE wakes us up and nothing more: what came is found by a search, and silence proves nothing."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from imaplib import IMAP4
from time import monotonic, sleep
from typing import Any

from league.core.errors import Refused
from league.intake.imap.account import Account
from league.intake.imap.connection import connect, shut, told

LONGEST = 300.0  # seconds of IDLE
POLL = 60.0  # where the server has no IDLE
PAUSES = (5.0, 15.0, 60.0, 300.0)  # after the first, second, third, every further break


@dataclass(slots=True)
class Watch:
    """A connection that waits in the first folder. Other folders are looked at when the wait is over."""

    account: Account
    pause: Callable[[float], None] = sleep
    longest: float = LONGEST
    poll: float = POLL
    breaks: int = field(default=0, init=False)
    _client: Any = field(default=None, init=False)
    _next: int = field(default=0, init=False)

    def wait(self, seconds: float) -> tuple[bool, str]:
        """Whether mail may have come within so many seconds, five minutes at most; and the trouble, if any."""
        until = monotonic() + min(seconds, self.longest)
        try:
            with told(self.account):
                return self._wait(until), ""
        except Refused as trouble:
            self.close()
            pause = PAUSES[min(self.breaks, len(PAUSES) - 1)]
            self.breaks += 1
            self.pause(max(0.0, min(pause, until - monotonic())))
            return False, str(trouble)

    def close(self) -> None:
        """Hang up."""
        if self._client is not None:
            shut(self._client)
            self._client = None

    def _wait(self, until: float) -> bool:
        if self._client is None:
            self._client = connect(self.account)
            told_next = self._client.select_folder(self.account.folders[0], readonly=True)[b"UIDNEXT"]
            came, self._next = told_next != self._next, told_next
            self.breaks = 0
            if came:
                return True
        while not self._came():
            left = until - monotonic()
            if left <= 0:
                return False
            self._idle(left)
        return True

    def _came(self) -> bool:
        """NOOP shows whether the connection lives; the search, whether there is a mail behind the last one."""
        self._client.noop()
        newest = [uid for uid in self._client.search(["UID", f"{self._next}:*"]) if uid >= self._next]
        self._next = max(newest, default=self._next - 1) + 1
        return bool(newest)

    def _idle(self, seconds: float) -> None:
        if not self._client.has_capability("IDLE"):
            self.pause(min(seconds, self.poll))
            return
        self._client.idle()
        self._client.idle_check(timeout=seconds)
        with suppress(TimeoutError):
            self._client.idle_done()  # on a dead connection this raises `abort`, and the wait is over
            return
        raise IMAP4.abort("no answer to the end of IDLE")
