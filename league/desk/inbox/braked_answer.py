"""One answer to several mails: to the last of them that says something, and what became of the others.

It has the form that its mail's own answer would have had: a receipt for orders, for results what is still open, a
question for what wasn't understood. Where none holds anything, what stands is told all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from league.core.orders import Line
from league.desk.inbox.book_orders import Book
from league.desk.inbox.press_thread import in_thread
from league.desk.inbox.sort_replies import Asked, sort_replies
from league.desk.leagues.submissions import Came
from league.desk.leagues.turns import rules_of, start_of
from league.desk.post import answers
from league.desk.post.roster import readers, stranger
from league.desk.post.too_late import too_late
from league.desk.rounds.stands import booked, orders_of, stands
from league.intake.mailbox import RawMail
from league.intake.message import open_letter, retrim
from league.intake.mime import Limits
from league.intake.read import NOTHING, Reading
from league.intake.screen import Place, Verdict
from league.reports.context import ReceiptLine, Unanswered
from league.storage.leagues import Membership
from league.storage.mails import Judged, Mail
from league.storage.orders import ORDERS, Submission
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

MOST_TOLD = 20  # mails beside the one that is answered
MOST_LINES = 5  # of each that weren't understood


@dataclass(frozen=True, slots=True)
class Then:
    """A mail as it was judged, and where what it holds was booked."""

    mail: Mail
    verdict: str
    reading: Reading
    row: Submission | None = None
    table: Loaded | None = None

    @classmethod
    def of(cls, book: Book, member: Membership, mail: Mail, judged: Judged) -> Self:
        """The mail as the books have it."""
        tables = book.tables[member.match_slug]
        reading = in_thread(book.connection, _read(book, tables, member, mail, judged), member.place.id)
        rows = [(s, t) for t in tables for s in t.submissions if s.mail_id == mail.id]
        row, table = min(rows, key=lambda pair: pair[0].phase != ORDERS, default=(None, None))
        return cls(mail, judged.verdict, reading, row, table)

    @property
    def is_ordering(self) -> bool:
        """Whether orders of it are in the book."""
        return self.row is not None and self.row.phase == ORDERS

    @property
    def weight(self) -> int:
        """How much an answer to it tells."""
        says = self.row is not None or (self.verdict == Verdict.ASK and bool(self.reading.parsed.lines))
        return 2 if says else int(self.verdict == Verdict.LATE)


def answer_all(book: Book, member: Membership, left: Sequence[Then]) -> OutMail | None:
    """The one mail; `left` in order of arrival."""
    last = max(range(len(left)), key=lambda place: (left[place].weight, place))
    told = [one for place, one in enumerate(left) if place != last][-MOST_TOLD:]
    others = tuple(_unanswered(book, member, one) for one in told)
    return _as_then(book, member, left[last], others)


def _unanswered(book: Book, member: Membership, one: Then) -> Unanswered:
    mistakes = [line for line in one.reading.parsed.lines if line.mistake is not None]
    seal = None
    if one.row is not None and one.table is not None and one.is_ordering:
        seal = answers.order_seal(book.site, one.table, member, one.row)
    return Unanswered(one.mail.received_at, _fate(one), tuple(map(_line, mistakes[:MOST_LINES])), seal)


def _line(line: Line[object]) -> ReceiptLine:
    return ReceiptLine(line.text, mistake=line.mistake)


def _fate(one: Then) -> str:
    if one.row is not None:
        return "orders" if one.is_ordering else "replies"
    known = {Verdict.LATE: "late", Verdict.DUPLICATE: "again", Verdict.ASK: "nothing"}
    return next((word for verdict, word in known.items() if verdict == one.verdict), "held")


def _as_then(book: Book, member: Membership, one: Then, others: tuple[Unanswered, ...]) -> OutMail | None:
    """The answer that the mail would have had, with the others."""
    site, tables, mail, reading = book.site, book.tables[member.match_slug], one.mail, one.reading
    table, following = book.round_at(member, mail.received_at)
    shown = table or following
    if shown is None:
        return None
    kept = book.keeper.told(shown, member.place)
    before = [s for t in tables for s in t.submissions if s.mail_id != mail.id]
    came = Came(mail.digest, mail.received_at, mail.id)
    split = sort_replies(Asked(site, member.place, came, tables, before, one.is_ordering), reading.parsed)
    if one.is_ordering and one.table is not None and one.row is not None:
        here, game = one.table, rules_of(one.table)
        own = orders_of(here, member.place, here.submissions)
        entry = booked(here, game, start_of(here, game), one.row, own)
        return answers.receipt(site, entry, split, member, mail, reading, kept, unanswered=others)
    if split.replies:
        return answers.replied(site, split, member, mail, reading, kept, unanswered=others)
    if one.verdict == Verdict.LATE:
        why = too_late(book.connection, shown, mail.received_at, site.now)
        return answers.late(site, shown, why, member, mail, reading, kept)
    now = stands(shown, orders_of(shown, member.place, shown.submissions))
    if one.weight:
        return answers.ask(site, shown, member, mail, reading, now, kept, unanswered=others)
    alone = (*others, _unanswered(book, member, one))
    return answers.obeyed(site, shown, member, mail, _nothing(reading), now, kept, (), alone)


def _nothing(reading: Reading) -> Reading:
    """A mail of which nothing was carried out: what became of it is told with the others."""
    return replace(reading, parsed=NOTHING, commands=())


def _read(book: Book, tables: tuple[Loaded, ...], member: Membership, mail: Mail, judged: Judged) -> Reading:
    """The mail as its seat's game reads it; it was judged before."""
    limits = Limits(mail=book.site.settings.mail.max_bytes)
    raw = RawMail(mail.digest, mail.received_at, mail.content or b"", mail.source)
    place = Place(member.league_slug, member.match_slug, member.place.code)
    reader = readers(tables)(place)
    letter = retrim(open_letter(raw, stranger().counts, limits), reader.counts, limits)
    parsed, commands = reader.read(letter.fresh)
    return Reading(raw, letter, Verdict(judged.verdict), judged.reason, place, parsed, reader, commands=commands)
