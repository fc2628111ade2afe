"""`league mail read --dry-run`: what mails would be, nothing kept; with a site its players are known."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from sys import stdin
from typing import Any

from league import settings
from league.core.errors import BadInput
from league.core.json import JsonDict
from league.desk import clock
from league.desk.post.roster import know, readers, stranger
from league.desk.post.signatures import check_signatures
from league.desk.site import Site, open_site
from league.intake.mailbox import Mailbox, RawMail, Stdin, open_path
from league.intake.message import open_letter
from league.intake.mime import Limits
from league.intake.read import dry_run, dry_run_line
from league.storage import engine as database
from league.storage import rounds

STANDARD_INPUT = "-"


def look_at(
    path: Path, written: Sequence[str], told: datetime | None, lang: str | None, game: str | None
) -> Iterator[JsonDict]:
    """A line a message (DESIGN: `league mail read --dry-run --json-lines`)."""
    site = open_site(path, told) if (path / settings.FILE).is_file() else None
    now = site.now if site else clock.now(told)
    limits = Limits(mail=site.settings.mail.max_bytes) if site else Limits()
    for box in boxes(written, now, None, limits.mail):
        found = box.fetch().mails
        if site is None:
            outside = stranger(lang or "en", game)
            yield from (dry_run_line(r) for r in dry_run(found, lambda _, r=outside: r, None, limits))  # type: ignore[misc]
        else:
            yield from _with_roster(site, list(found), limits)


def boxes(written: Sequence[str], now: datetime, received_at: datetime | None, most: int) -> list[Mailbox]:
    """The mailboxes named; `-` is standard input."""
    if received_at is not None and received_at > now:
        raise BadInput(f"--received-at {received_at.isoformat()} is yet to come; it is {clock.stamp(now)}")
    return [
        Stdin(stdin.buffer, now, received_at, most)
        if path == STANDARD_INPUT
        else open_path(Path(path), now, received_at=received_at, max_bytes=most)
        for path in written
    ]


def _with_roster(site: Site, mails: Sequence[RawMail], limits: Limits) -> Iterator[JsonDict]:
    outside = stranger()
    letters = [open_letter(mail, outside.counts, limits) for mail in mails]
    signed = check_signatures(site, mails, letters)
    with database.read(site.engine) as connection:
        known = know(connection, site, letters, signed)
        found = rounds.unresolved(connection, sorted({m.match_id for m in known.seats.values()}))
        newest = [several[-1].id for several in found.values()]
        tables: Any = rounds.load_chunk(connection, newest) if newest else ()
    yield from (dry_run_line(r) for r in dry_run(mails, readers(tables), known.roster, limits))
