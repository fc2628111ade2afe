"""When the brake ends: the mails of a player that got no answer are answered after all, in one mail.

His orders counted all the time; what of them wasn't understood, what stands and its seals he has from here. Where the
brake was needed again and again within a day, two programs talk to each other, and silence is what ends that.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from league.desk.aside import set_aside
from league.desk.inbox.book_orders import open_book
from league.desk.inbox.braked_answer import Then, answer_all
from league.desk.post.brake import NOTICE, UNANSWERED
from league.desk.site import Site
from league.storage import engine as database
from league.storage import leagues, mails, outbox
from league.storage.outbox import OutMail

DAY = timedelta(days=1)
MOST_NOTICES = 2  # of a seat within a day: after so many it isn't a person


def answer_braked(site: Site) -> list[str]:
    """Queue what is due by now; the troubles with it."""
    with database.read(site.engine) as connection:
        if not _due(site, connection):
            return []
    troubles: list[str] = []
    with database.write(site.engine) as connection:
        for seat_id, mail_ids in _due(site, connection).items():
            try:
                made = _answer(site, connection, seat_id, mail_ids)
            except Exception as error:  # noqa: BLE001  # the border of a job
                troubles.append(set_aside(site, f"the answer to mail {mail_ids[-1]}, owed since the brake", error))
                made = None
            leagues.drop_fact(connection, f"{UNANSWERED}{seat_id}")
            outbox.queue(connection, [made] if made is not None else [])
    return troubles


def _due(site: Site, connection: Connection) -> dict[int, tuple[int, ...]]:
    """Seats whose silence is over, each with the mails that were left."""
    kept = {int(seat): value.split() for seat, value in leagues.facts(connection, UNANSWERED).items()}
    due = ((seat, ids) for seat, (until, *ids) in kept.items() if datetime.fromisoformat(until) <= site.now)
    return {seat: tuple(map(int, ids)) for seat, ids in due}


def _answer(site: Site, connection: Connection, seat_id: int, mail_ids: tuple[int, ...]) -> OutMail | None:
    member = next(iter(leagues.seated(connection, [seat_id])), None)
    told = outbox.written_since(connection, [seat_id], site.now - DAY)
    notices = sum(kind.startswith(f"{NOTICE}/") for _, kind, _ in told)
    if member is None or notices > MOST_NOTICES:
        return None
    judged = {one.mail_id: one for one in mails.verdicts(connection, mail_ids=mail_ids)}
    found = [mail for mail in (mails.mail(connection, one) for one in mail_ids if one in judged) if mail is not None]
    left = sorted((mail for mail in found if mail.content), key=lambda mail: (mail.received_at, mail.id))
    if not left:
        return None
    book = open_book(connection, site, [member], left[0].received_at)
    if not book.tables[member.match_slug]:
        return None
    return answer_all(book, member, [Then.of(book, member, mail, judged[mail.id]) for mail in left])
