"""From mailbox to order book: every message kept, judged, booked and answered (DESIGN: The way of a round).

Two transactions: raw mails as they come; then, for a batch of those without a verdict, verdicts, orders and
answers together. A run that is cut short leaves either nothing or all of each.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from league.desk import registry
from league.desk.aside import set_aside
from league.desk.inbox.book_orders import open_book
from league.desk.inbox.bounces import lift_proven, note_bounces
from league.desk.inbox.inboxes import DELIVERY, clock_notes, inboxes
from league.desk.inbox.keep_mail import doubtful, keep
from league.desk.inbox.organizer_mail import listen
from league.desk.inbox.own_ids import recognize
from league.desk.inbox.read_mail import boxes
from league.desk.leagues.calendar import open_up_to
from league.desk.post.roster import know, readers, stranger
from league.desk.post.signatures import check_signatures
from league.desk.recovery.restored import mails_wait, rescanned
from league.desk.site import Site
from league.failpoints import reach
from league.intake.copies import is_copy, remember
from league.intake.headers import Doubt
from league.intake.mailbox import Mailbox, RawMail
from league.intake.message import open_letter
from league.intake.mime import Limits
from league.intake.proof import Proof
from league.intake.read import read_letter
from league.intake.screen import Verdict
from league.storage import engine as database
from league.storage import mails, rounds
from league.storage.mails import Mail

BATCH = 200
WAIT = (
    "mails are kept and not judged: after a restore that happens in their order of time, once what is newest is known"
)
BATCH_BYTES = 8_000_000
Progress = Callable[[int], None]


@dataclass
class Accepted:
    """What a run of intake did: mails that were new, how many got which verdict, and what could not be fetched."""

    fetched: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)
    repeated: int = 0  # the very same bytes as an earlier mail's
    complete: bool = True  # nothing that lay in the mailboxes was left out
    notes: list[str] = field(default_factory=list)  # what a person should know and nothing waits for
    clocks: list[datetime] = field(default_factory=list)  # of mail servers, as the fetch began
    lag: timedelta = timedelta(0)  # what a mail may need from its stamp of arrival into the mailbox that was read
    doubts: dict[Doubt, list[str]] = field(default_factory=dict)  # about times of arrival: the mails' sources

    def until(self, now: datetime) -> datetime:
        """All that had arrived by then has been fetched, by the clock of each mailbox (hazard 59)."""
        return min([now, *self.clocks]) - self.lag


def _quiet(_: int) -> None:
    """For runs without a progress bar."""


def accept_mail(
    site: Site,
    paths: Sequence[str] = (),
    received_at: datetime | None = None,
    progress: Progress = _quiet,
    fetching: Progress = _quiet,
) -> Accepted:
    """Fetch from the site's inboxes (or read the files named), then judge, book and answer everything that waits."""
    done = Accepted(lag=DELIVERY)
    open_rounds(site)
    most = site.settings.mail.max_bytes
    for box in boxes(paths, site.now, received_at, most) if paths else inboxes(site):
        try:
            digests = fetch_from(site, box, done, told=received_at is not None, progress=fetching)
            judge_waiting(site, done, progress)
            for digest in digests:
                box.settle(digest)
                reach("intake.settled")
        finally:
            done.notes += box.close()
    done.notes += doubtful(site, done.doubts)
    if mails_wait(site):
        done.notes.append(WAIT)
    if not paths and done.complete:
        rescanned(site)
    return done


def fetch_from(
    site: Site, box: Mailbox, done: Accepted, *, told: bool = False, progress: Progress = _quiet
) -> list[str]:
    """Keep raw bytes before anyone reads them, with where they lay; the digests of all that lay in the box."""
    found = box.fetch()
    incoming, digests = iter(found.mails), []
    while batch := list(_some(incoming)):
        with database.write(site.engine, "fetch") as connection:
            stored = keep(connection, site, batch, done.doubts, told=told)
        done.fetched += len(stored.fresh)
        done.repeated += len(batch) - len(stored.fresh)
        digests += [mail.digest for mail in batch]
        progress(len(batch))
    done.troubles += found.troubles
    done.complete &= found.complete
    done.notes += [*found.notes, *clock_notes(site, found)]
    done.clocks += found.clocks
    return digests


def _some(incoming: Iterator[RawMail]) -> Iterator[RawMail]:
    """The next few mails, few enough to be held in memory whatever their size."""
    held = 0
    for mail in islice(incoming, BATCH):
        yield mail
        held += len(mail.content)
        if held > BATCH_BYTES:
            return


def judge_waiting(site: Site, done: Accepted, progress: Progress = _quiet) -> None:
    """Give every mail that has none its one verdict, with what follows from it.

    Not on a restored site before it catches up: what they answer, and when, isn't known again until then.
    """
    if mails_wait(site):
        return
    open_rounds(site)
    while True:
        with database.read(site.engine) as connection:
            waiting = mails.unjudged(connection, BATCH, site.now if site.catches_up else None)
        if not waiting:
            return
        site.require_key()
        _judge(site, waiting, done)
        progress(len(waiting))


def open_rounds(site: Site) -> None:
    """Open the rounds whose windows have come, so that a mail finds the round it arrived in."""
    but = registry.one_by_one()
    with database.read(site.engine) as connection:
        if not rounds.lagging(connection, site.now, 1, but=but):
            return
    with database.write(site.engine) as connection:
        while found := rounds.lagging(connection, site.now, but=but):
            for newest, season_calendar in found:
                open_up_to(connection, season_calendar, newest, site.now)


def _judge(site: Site, waiting: Sequence[Mail], done: Accepted) -> None:
    limits, outside = Limits(mail=site.settings.mail.max_bytes), stranger()
    raw = [RawMail(m.digest, m.received_at, m.content or b"", m.source) for m in waiting]
    letters = [open_letter(mail, outside.counts, limits) for mail in raw]
    returned: list[Mail] = []
    proven: set[str] = set()
    signed, vouched = check_signatures(site, raw, letters), {mail.digest for mail in waiting if mail.vouched}
    with database.write(site.engine, "intake") as connection:
        recognize(site, connection, letters)
        others = {j.mail_id for j in mails.verdicts(connection, mail_ids=[m.id for m in waiting])}
        known = know(connection, site, letters, signed, vouched)
        ledger = open_book(connection, site, list(known.seats.values()), waiting[0].received_at)
        reading_for = readers(table for tables in ledger.tables.values() for table in tables)
        for mail, raw_mail, letter in zip(waiting, raw, letters, strict=True):
            if mail.id in others:  # another command was faster
                continue
            try:
                reading = read_letter(raw_mail, letter, reading_for, known.roster, limits)
                member = known.seats.get(reading.place) if reading.place else None
                choices = [known.seats[place] for place in known.roster.places.get(letter.author, ())]
                again = is_copy(letter, known.seen)
                heard = listen(site, connection, mail, reading, again=again)
                verdict = ledger.hear(mail, reading, heard) if heard else ledger.enter(mail, reading, member, choices)
                if reading.verified and reading.proof is not Proof.ORGANIZER and Verdict(verdict).is_read:
                    proven.add(letter.author)
            except Exception as error:  # noqa: BLE001  # the border of a job: the mail waits for a person
                done.troubles.append(set_aside(site, f"mail {mail.digest}", error))
                verdict = ledger.set_aside(mail, letter)
            done.verdicts[verdict] += 1
            if verdict == Verdict.BOUNCE:
                returned.append(mail)
            if Verdict(verdict).is_final:
                remember(known.seen, letter)
        ledger.write(connection)
        done.troubles += note_bounces(site, connection, returned)
        lift_proven(site, connection, proven)
        done.troubles += ledger.troubles
