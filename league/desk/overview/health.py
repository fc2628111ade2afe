"""How the site itself is doing: the inbox, mail that waits, the disk, when `run` was last called, the clock."""

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from json import dumps, loads
from shutil import disk_usage

from sqlalchemy import Connection

from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.post.send_mail import backoff
from league.desk.site import Site
from league.desk.targets.bring_pages import State, failing
from league.desk.targets.channels import untold
from league.storage import engine as database
from league.storage import glance as books
from league.storage import leagues, outbox, rounds
from league.storage.announcements import Row

LAST_RUN = "last_run"  # the fact of the site that tells of it
LEAST_FREE = 500 * 1024 * 1024  # bytes; SQLite needs room for its log, pages are built beside the old ones
MISSED_RUN = timedelta(hours=26)  # a timer that runs once a day, and two hours
STUCK = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class LastRun:
    """When `league run` came to its end; `clean_at`: when it last did so without trouble."""

    at: datetime
    clean_at: datetime | None
    trouble: str


@dataclass(frozen=True, slots=True)
class Health:
    """What can be seen from here; `inbox`: why it can't be read, `faults`: files that the program left."""

    inbox: str
    oldest_waiting: datetime | None
    disk_free: int
    last_run: LastRun | None
    next_closing: datetime | None
    faults: tuple[str, ...]
    hold: str = ""  # why the outbox lets nothing out
    server: str = ""  # why the mail server takes nothing
    targets: tuple[tuple[str, State], ...] = ()  # that take no pages
    untold: tuple[Row, ...] = ()  # of each channel the oldest that was told in vain

    def facts(self) -> JsonDict:
        """For programs."""
        last = self.last_run
        return {
            "inbox": self.inbox,
            "oldest_waiting": stamp(self.oldest_waiting) if self.oldest_waiting else None,
            "disk_free": self.disk_free,
            "last_run": stamp(last.at) if last else None,
            "last_clean_run": stamp(last.clean_at) if last and last.clean_at else None,
            "trouble": last.trouble if last else "",
            "faults": list(self.faults),
        }

    def is_stuck(self, now: datetime) -> bool:
        """Whether mail waits that a run since then should have sent."""
        oldest, last = self.oldest_waiting, self.last_run
        if self.hold or self.server:  # which says it already
            return False
        return oldest is not None and now - oldest > STUCK and last is not None and last.at - oldest > STUCK

    def is_asleep(self, now: datetime) -> bool:
        """Whether the timer seems to have stopped."""
        if self.last_run is not None:
            return now - self.last_run.at > MISSED_RUN
        return self.next_closing is not None and now - self.next_closing > MISSED_RUN


def health(site: Site, connection: Connection) -> Health:
    """The site's state now."""
    waits = backoff(connection)
    return Health(
        inbox=_inbox(site),
        oldest_waiting=books.oldest_waiting(connection),
        disk_free=disk_usage(site.path).free,
        last_run=last_run(connection),
        next_closing=rounds.next_closing(connection),
        faults=tuple(file.name for file in sorted(site.path.glob("*fault-*.txt"))),
        hold=outbox.held(connection),
        server=waits.words if waits is not None else "",
        untold=untold(site, connection),
        targets=tuple((target.name, state) for target, state in failing(site)),
    )


def _inbox(site: Site) -> str:
    inbox = site.path / site.settings.mail.inbox
    for part in ("new", "cur"):
        folder = inbox / part
        if not folder.is_dir():
            return f"{inbox} is no Maildir"
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            return f"{folder} can't be read and written"
    return ""


def last_run(connection: Connection) -> LastRun | None:
    """What the last run left of itself."""
    written = leagues.fact(connection, LAST_RUN)
    if written is None:
        return None
    told = loads(written)
    clean = told["clean"]
    return LastRun(
        datetime.fromisoformat(told["at"]), datetime.fromisoformat(clean) if clean else None, told["trouble"]
    )


def note_run(site: Site, trouble: str = "") -> None:
    """A run has come to its end."""
    with database.write(site.engine) as connection:
        before = last_run(connection)
        clean = site.now if not trouble else before.clean_at if before else None
        told = {"at": stamp(site.now), "clean": stamp(clean) if clean else None, "trouble": trouble}
        leagues.set_fact(connection, LAST_RUN, dumps(told))
