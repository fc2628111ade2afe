"""From mailbox to order book: every message kept, judged, booked and answered (DESIGN: The way of a round).

Two transactions: raw mails as they come; then, for a batch of those without a verdict, verdicts, orders and
answers together. A run that is cut short leaves either nothing or all of each.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from league.desk.again import come_anew
from league.desk.aside import set_aside
from league.desk.book_orders import open_book
from league.desk.bounces import lift_proven, note_bounces
from league.desk.calendar import open_up_to
from league.desk.read_mail import boxes
from league.desk.roster import know, readers, stranger
from league.desk.site import Site
from league.failpoints import reach
from league.intake.headers import arrival
from league.intake.mailbox import Mailbox, RawMail, open_path
from league.intake.message import open_letter
from league.intake.mime import Limits
from league.intake.read import read_letter
from league.intake.screen import Verdict
from league.storage import engine as database
from league.storage import mails, rounds
from league.storage.mails import Mail, NewMail

BATCH = 200
Progress = Callable[[int], None]


@dataclass
class Accepted:
    """What a run of intake did: mails that were new, how many got which verdict, and what could not be fetched."""

    fetched: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)
    repeated: int = 0  # the very same bytes as an earlier mail's
    complete: bool = True  # nothing that lay in the mailboxes was left out


def _quiet(_: int) -> None:
    """For runs without a progress bar."""


def accept_mail(
    site: Site, paths: Sequence[str] = (), received_at: datetime | None = None, progress: Progress = _quiet
) -> Accepted:
    """Fetch from the site's inbox (or read the files named), then judge, book and answer everything that waits."""
    done = Accepted()
    open_rounds(site)
    for box in _boxes(site, paths, received_at):
        digests = _fetch(site, box, done, told=received_at is not None)
        judge_waiting(site, done, progress)
        for digest in digests:
            box.settle(digest)
            reach("intake.settled")
    return done


def _boxes(site: Site, paths: Sequence[str], received_at: datetime | None) -> list[Mailbox]:
    most = site.settings.mail.max_bytes
    if not paths:
        return [open_path(site.path / site.settings.mail.inbox, site.now, owned=True, max_bytes=most)]
    return boxes(paths, site.now, received_at, most)


def _fetch(site: Site, box: Mailbox, done: Accepted, *, told: bool) -> list[str]:
    """Keep raw bytes before anyone reads them; the digests of all that lay in the box."""
    found = box.fetch()
    incoming, digests = iter(found.mails), []
    while batch := list(islice(incoming, BATCH)):
        with database.write(site.engine, "fetch") as connection:
            arrived = come_anew(connection, [_new(site, mail, told=told) for mail in batch])
            stored = mails.store_mails(connection, arrived)
        done.fetched += len(stored.fresh)
        done.repeated += len(batch) - len(stored.fresh)
        digests += [mail.digest for mail in batch]
    done.troubles += found.troubles
    done.complete &= found.complete
    return digests


def _new(site: Site, mail: RawMail, *, told: bool) -> NewMail:
    """Arrival is what our own receiving host wrote, else what the mailbox says (MAIL.md, decision 6)."""
    received, host = mail.received_at, site.settings.mail.received_by
    if host and not told:
        received = arrival(open_letter(mail).received, host, received)
    return NewMail(mail.digest, mail.content, mail.source, received.replace(microsecond=0), site.now)


def judge_waiting(site: Site, done: Accepted, progress: Progress = _quiet) -> None:
    """Give every mail that has none its one verdict, with what follows from it."""
    open_rounds(site)
    while True:
        with database.read(site.engine) as connection:
            waiting = mails.unjudged(connection, BATCH)
        if not waiting:
            return
        site.require_key()
        _judge(site, waiting, done)
        progress(len(waiting))


def open_rounds(site: Site) -> None:
    """Open the rounds whose windows have come, so that a mail finds the round it arrived in."""
    with database.read(site.engine) as connection:
        if not rounds.lagging(connection, site.now, 1):
            return
    with database.write(site.engine) as connection:
        while found := rounds.lagging(connection, site.now):
            for newest, season_calendar in found:
                open_up_to(connection, season_calendar, newest, site.now)


def _judge(site: Site, waiting: Sequence[Mail], done: Accepted) -> None:
    limits, outside = Limits(mail=site.settings.mail.max_bytes), stranger()
    raw = [RawMail(m.digest, m.received_at, m.content or b"", m.source) for m in waiting]
    letters = [open_letter(mail, outside.counts, limits) for mail in raw]
    returned: list[Mail] = []
    proven: set[str] = set()
    with database.write(site.engine, "intake") as connection:
        others = {j.mail_id for j in mails.verdicts(connection, mail_ids=[m.id for m in waiting])}
        known = know(connection, site, letters)
        ledger = open_book(connection, site, list(known.seats.values()))
        reading_for = readers(table for tables in ledger.tables.values() for table in tables)
        for mail, raw_mail, letter in zip(waiting, raw, letters, strict=True):
            if mail.id in others:  # another command was faster
                continue
            try:
                reading = read_letter(raw_mail, letter, reading_for, known.roster, limits)
                member = known.seats.get(reading.place) if reading.place else None
                choices = [known.seats[place] for place in known.roster.places.get(letter.author, ())]
                verdict = ledger.enter(mail, reading, member, choices)
                if reading.verified and Verdict(verdict).is_read:
                    proven.add(letter.author)
            except Exception as error:  # noqa: BLE001  # the border of a job: the mail waits for a person
                done.troubles.append(set_aside(site, f"mail {mail.digest}", error))
                verdict = ledger.set_aside(mail, letter)
            done.verdicts[verdict] += 1
            if verdict == Verdict.BOUNCE:
                returned.append(mail)
            if Verdict(verdict).is_final:
                known.seen.setdefault(letter.key, letter.content_key)
        ledger.write(connection)
        done.troubles += note_bounces(site, connection, returned)
        lift_proven(site, connection, proven)
        done.troubles += ledger.troubles
