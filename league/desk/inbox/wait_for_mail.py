"""Between two runs: until mail comes, a round closes, or five minutes are over."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

from league.desk.inbox.inboxes import DELIVERY, account
from league.desk.site import Site
from league.intake.imap import Watch
from league.settings import Imap
from league.storage import engine as database
from league.storage import rounds

LONGEST = 300.0
OVERDUE = 60.0  # a round that is due and couldn't be closed is tried again after so long
AFTER_TROUBLE = 30.0
LOOK = 2.0  # between two looks into a Maildir, or at the settings


@dataclass(slots=True)
class Waiter:
    """Waits for a site; the connection to its mail server is kept from one wait to the next."""

    pause: Callable[[float], None] = sleep
    _watch: Watch | None = field(default=None, init=False)
    _for: Imap | None = field(default=None, init=False)
    _looked_at: set[str] = field(default_factory=set, init=False)

    def wait(self, site: Site) -> str:
        """Come back when a run may have something to do; the trouble with the mail server, if there is some."""
        seconds = seconds_to_wait(site)
        imap = site.settings.mail.imap
        if imap != self._for:
            self.close()
            self._watch, self._for = Watch(account(site), self.pause) if imap.host else None, imap
        if self._watch is not None:
            return self._watch.wait(seconds)[1]
        self._look(site.path / site.settings.mail.inbox / "new", seconds)
        return ""

    def close(self) -> None:
        """Hang up."""
        if self._watch is not None:
            self._watch.close()
        self._watch = self._for = None

    def _look(self, new: Path, seconds: float) -> None:
        """What a run leaves in `new` can't be read and is no reason for another one; all else is."""
        until = monotonic() + seconds
        while (names := _names(new)) <= self._looked_at and monotonic() < until:
            self.pause(min(LOOK, max(0.0, until - monotonic())))
        self._looked_at = names


def wait_after_trouble(settings: Path, before: int, pause: Callable[[float], None] = sleep) -> None:
    """Half a minute, or until the settings are others than `before` the trouble: who mends them needn't wait."""
    until = monotonic() + AFTER_TROUBLE
    while edition(settings) == before and monotonic() < until:
        pause(min(LOOK, max(0.0, until - monotonic())))


def edition(file: Path) -> int:
    """Another number after each change of the file; 0 if it isn't there."""
    with suppress(OSError):
        return file.stat().st_mtime_ns
    return 0


def _names(folder: Path) -> set[str]:
    with suppress(OSError):
        return {file.name for file in folder.iterdir()}
    return set()


def seconds_to_wait(site: Site) -> float:
    """Five minutes, or until the next round can be closed."""
    with database.read(site.engine) as connection:
        closing = rounds.next_closing(connection)
    if closing is None:
        return LONGEST
    left = (closing + DELIVERY - site.now).total_seconds()
    return min(LONGEST, left) if left > 0 else OVERDUE
