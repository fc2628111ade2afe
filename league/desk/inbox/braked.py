"""When the brake ends: the last mail of a player that got no answer is answered after all, once.

His orders counted all the time; what of them wasn't understood, what stands and its seal he has from here. Where the
brake was needed again and again within a day, two programs talk to each other, and silence is what ends that.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from league.desk.aside import set_aside
from league.desk.inbox.book_orders import Book, open_book
from league.desk.inbox.press_thread import in_thread
from league.desk.inbox.sort_replies import Asked, sort_replies
from league.desk.leagues.submissions import Came
from league.desk.leagues.turns import rules_of, start_of
from league.desk.post import answers
from league.desk.post.brake import NOTICE, UNANSWERED
from league.desk.post.roster import readers, stranger
from league.desk.post.too_late import too_late
from league.desk.rounds.stands import booked, orders_of, stands
from league.desk.site import Site
from league.intake.mailbox import RawMail
from league.intake.message import open_letter, retrim
from league.intake.mime import Limits
from league.intake.read import Reading
from league.intake.screen import Place, Verdict
from league.storage import engine as database
from league.storage import leagues, mails, outbox
from league.storage.leagues import Membership
from league.storage.mails import Judged, Mail
from league.storage.orders import ORDERS
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

DAY = timedelta(days=1)
MOST_NOTICES = 2  # of a seat within a day: after so many it isn't a person


def answer_braked(site: Site) -> list[str]:
    """Queue what is due by now; the troubles with it."""
    with database.read(site.engine) as connection:
        if not _due(site, connection):
            return []
    troubles: list[str] = []
    with database.write(site.engine) as connection:
        for seat_id, mail_id in _due(site, connection).items():
            try:
                made = _answer(site, connection, seat_id, mail_id)
            except Exception as error:  # noqa: BLE001  # the border of a job
                troubles.append(set_aside(site, f"the answer to mail {mail_id}, owed since the brake", error))
                made = None
            leagues.drop_fact(connection, f"{UNANSWERED}{seat_id}")
            outbox.queue(connection, [made] if made is not None else [])
    return troubles


def _due(site: Site, connection: Connection) -> dict[int, int]:
    """Seats whose silence is over, each with the mail that was left."""
    kept = {int(seat): value.split() for seat, value in leagues.facts(connection, UNANSWERED).items()}
    return {seat: int(mail) for seat, (until, mail) in kept.items() if datetime.fromisoformat(until) <= site.now}


def _answer(site: Site, connection: Connection, seat_id: int, mail_id: int) -> OutMail | None:
    member = next(iter(leagues.seated(connection, [seat_id])), None)
    mail, judged = mails.mail(connection, mail_id), mails.verdicts(connection, mail_ids=[mail_id], limit=1)
    told = outbox.written_since(connection, [seat_id], site.now - DAY)
    notices = sum(kind.startswith(f"{NOTICE}/") for _, kind, _ in told)
    if member is None or mail is None or not mail.content or not judged or notices > MOST_NOTICES:
        return None
    book = open_book(connection, site, [member], mail.received_at)
    return _as_then(book, member, mail, judged[0]) if book.tables[member.match_slug] else None


def _as_then(book: Book, member: Membership, mail: Mail, judged: Judged) -> OutMail | None:
    """The answer that the mail would have had: to orders and results in the book, else to what counts for nothing."""
    site, tables = book.site, book.tables[member.match_slug]
    reading = in_thread(book.connection, _read(site, tables, member, mail, judged), member.place.id)
    table, following = book.round_at(member, mail.received_at)
    shown = table or following
    if shown is None:
        return None
    kept = book.keeper.told(shown, member.place)
    here = next((t for t in tables for s in t.submissions if s.mail_id == mail.id and s.phase == ORDERS), None)
    before = [s for t in tables for s in t.submissions if s.mail_id != mail.id]
    came = Came(mail.digest, mail.received_at, mail.id)
    split = sort_replies(Asked(site, member.place, came, tables, before, here is not None), reading.parsed)
    if here is not None:
        game = rules_of(here)
        own = orders_of(here, member.place, here.submissions)
        row = next(s for s in own if s.mail_id == mail.id)
        entry = booked(here, game, start_of(here, game), row, own)
        return answers.receipt(site, entry, split, member, mail, reading, kept)
    if split.replies:
        return answers.replied(site, split, member, mail, reading, kept)
    if judged.verdict == Verdict.LATE:
        why = too_late(book.connection, shown, mail.received_at, site.now)
        return answers.late(site, shown, why, member, mail, reading, kept)
    if not reading.parsed.lines:
        return None
    own_lines = stands(shown, orders_of(shown, member.place, shown.submissions))
    return answers.ask(site, shown, member, mail, reading, own_lines, kept)


def _read(site: Site, tables: tuple[Loaded, ...], member: Membership, mail: Mail, judged: Judged) -> Reading:
    """The mail as its seat's game reads it; it was judged before."""
    limits = Limits(mail=site.settings.mail.max_bytes)
    raw = RawMail(mail.digest, mail.received_at, mail.content or b"", mail.source)
    place = Place(member.league_slug, member.match_slug, member.place.code)
    reader = readers(tables)(place)
    letter = retrim(open_letter(raw, stranger().counts, limits), reader.counts, limits)
    parsed, commands = reader.read(letter.fresh)
    return Reading(raw, letter, Verdict(judged.verdict), judged.reason, place, parsed, reader, commands=commands)
