"""Before a deadline: silent players are reminded, the organizer is told what there is to do.

A player is reminded once a round, the organizer told at most once for each of `MARKS`; both by Message-IDs that
follow from what they are for, so that neither a crash nor a second run repeats a mail. A run that comes late sends
late, as long as it is of use; of several marks that have passed, only the last is sent.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from league.delivery.mail import Headers, compose
from league.desk.clock import stamp
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.rhythm import RHYTHM
from league.desk.leagues.turns import rules_of
from league.desk.overview.glance import MISSING, PUZZLED, REPLIED, SENT, LeagueGlance, seats_of
from league.desk.overview.status import Status, site_status
from league.desk.overview.todo import ahead
from league.desk.post.outgoing import message_id, outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Site
from league.desk.trust import composer_key
from league.reports.desk import DeskLeague, DeskSheet, Todo, desk_mail
from league.reports.mails import remind_mail
from league.storage import engine as database
from league.storage import glance as books
from league.storage import outbox, rounds
from league.storage.leagues import ACTIVE, Place
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

MARKS = (48, 24, 2)  # hours before a deadline at which the organizer is told
LEAST = timedelta(hours=6)  # with less than that left nobody is reminded of what he can hardly do
LAST_CALL = 24  # from this mark on silent players are something to do
SILENT = (MISSING, REPLIED)  # states in which no order has come; who wasn't understood was told so at once
CHUNK = 50
REMIND, DESK = "remind", "desk"


@dataclass(frozen=True, slots=True)
class Reminded:
    """How many mails were queued."""

    players: int = 0
    organizer: int = 0


def remind(site: Site, *, complete: bool) -> Reminded:
    """Queue what is due now. Not while mail lies unread (`complete`): an order may be among it."""
    return Reminded(_players(site) if complete else 0, _organizer(site))


def least_left(hours: int) -> timedelta:
    """How much time must be left for a reminder that comes late."""
    return min(LEAST, timedelta(hours=hours) / 2)


def mark_at(left: timedelta) -> int | None:
    """The mark whose mail is due with so much time left; None for none."""
    passed = [mark for mark in MARKS if left <= timedelta(hours=mark)]
    if not passed or left <= timedelta():
        return None
    mark = min(passed)
    return None if mark > MARKS[-1] and left < LEAST else mark


def _players(site: Site) -> int:
    hours = site.settings.mail.remind_hours
    if not hours:
        return 0
    span = (site.now + least_left(hours) - timedelta(seconds=1), site.now + timedelta(hours=hours))
    with database.read(site.engine) as connection:
        due = [key for _, _, key in books.deadlines(connection, *span)]
        due = [key for chunk in _chunks(due) for key in _owing(site, connection, chunk)]
    queued = 0
    for chunk in _chunks(due):
        with database.write(site.engine) as connection:
            loaded = rounds.load_chunk(connection, chunk)
            mails = [mail for one, places in _silent(site, connection, loaded) for mail in _mails(site, one, places)]
            queued += outbox.queue(connection, mails)
    return queued


def _chunks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK))


def _owing(site: Site, connection: Connection, ids: Sequence[int]) -> list[int]:
    """Those of these rounds that have somebody to remind: so that nothing is written, and no mail made, in vain."""
    return [one.round.id for one, _ in _silent(site, connection, rounds.load_chunk(connection, ids))]


def _silent(site: Site, connection: Connection, loaded: Sequence[Loaded]) -> list[tuple[Loaded, tuple[Place, ...]]]:
    """The rounds with their players to be reminded who haven't been yet."""
    asked = [one for one in loaded if one.round.status == rounds.OPEN and site.now >= _half(one)]
    seats = seats_of(connection, asked)
    found = {
        one.round.id: [
            seat.place
            for seat in seats.get(one.round.id, ())
            if seat.state in SILENT and not seat.bounced and seat.place.address and seat.place.status == ACTIVE
        ]
        for one in loaded
    }
    ids = {(one.round.id, place.id): _id(site, one, place) for one in loaded for place in found[one.round.id]}
    done = books.queued_already(connection, ids.values())
    owing = ((one, tuple(p for p in found[one.round.id] if ids[one.round.id, p.id] not in done)) for one in loaded)
    return [(one, places) for one, places in owing if places]


def _half(loaded: Loaded) -> datetime:
    """Before half of its time is over nobody is late: a short phase would be reminded of together with its report."""
    if RHYTHM not in loaded.calendar:
        return loaded.round.opens_at
    return loaded.round.opens_at + (loaded.round.deadline_at - loaded.round.opens_at) / 2


def _id(site: Site, loaded: Loaded, place: Place) -> str:
    return message_id(site, REMIND, loaded.match_slug, loaded.round.number, place.code, 1)


def _mails(site: Site, loaded: Loaded, places: Iterable[Place]) -> Iterator[OutMail]:
    game = rules_of(loaded)
    league, info = league_info(site, loaded, game), site_info(site)
    shown, number = round_info(loaded.round, loaded), loaded.round.number
    date = max(loaded.round.deadline_at - timedelta(hours=site.settings.mail.remind_hours), _half(loaded))
    for place in places:
        key = composer_key(site, loaded.match_slug, place, game)
        text = remind_mail(info, league, place.code, shown, any_order_or_press, key)
        yield outgoing(site, REMIND, text, place, loaded.match_slug, number, date=date)


def _organizer(site: Site) -> int:
    """One mail for all leagues whose orders are due at the same time."""
    if not site.settings.site.organizer:
        return 0
    with database.read(site.engine) as connection:
        due: dict[tuple[datetime, int], list[str]] = {}
        for at, slug, _ in books.deadlines(connection, site.now, site.now + timedelta(hours=MARKS[0])):
            mark = mark_at(at - site.now)
            if mark is not None:
                due.setdefault((at, mark), []).append(slug)
        done = books.queued_already(connection, [_desk_id(site, at, mark) for at, mark in due])
    mails = [
        mail
        for (at, mark), slugs in due.items()
        if _desk_id(site, at, mark) not in done
        and (mail := _desk(site, at, mark, tuple(dict.fromkeys(slugs)))) is not None
    ]
    if not mails:
        return 0
    with database.write(site.engine) as connection:
        return outbox.queue(connection, mails)


def _desk_id(site: Site, deadline: datetime, mark: int) -> str:
    return message_id(site, f"{DESK}/{stamp(deadline)}", "", None, None, mark)


def _desk(site: Site, deadline: datetime, mark: int, slugs: Sequence[str]) -> OutMail | None:
    """The mail for a deadline, if there is something to do before it."""
    status = site_status(site, slugs)
    status = replace(status, todo=tuple(item for item in status.todo if item.what != "asleep"))  # it runs just now
    seen = [one for _, several in status.leagues for one in several if one.open is not None]
    is_silent = mark <= LAST_CALL and any(one.named(state) for one in seen for state in (*SILENT, PUZZLED))
    if not status.needs_person and not is_silent:
        return None
    zone = seen[0].zone if len({one.zone for one in seen}) == 1 else site.settings.site.zone
    sheet = DeskSheet(deadline, site.now, zone, tuple(_told(site, one) for one in seen), _zoned(site, status))
    lang, organizer = site.settings.site.lang, site.settings.site.organizer
    mail = desk_mail(site_info(site), lang, sheet, any_order_or_press)
    own_id = _desk_id(site, deadline, mark)
    headers = Headers(
        sender=site.settings.mail.from_address,
        sender_name=site.settings.site.title,
        recipient=organizer,
        subject=mail.subject,
        date=site.now,
        message_id=own_id,
        lang=lang,
    )
    kind = f"{DESK}/{stamp(deadline)}"
    return OutMail(own_id, kind, organizer, compose(headers, mail.text), site.now, version=mark)


def _zoned(site: Site, status: Status) -> tuple[tuple[str, Todo], ...]:
    zones = {row.slug: row.zone for row, _ in status.leagues}
    return tuple((zones.get(item.league, site.settings.site.zone), item) for item in status.todo)


def _told(site: Site, found: LeagueGlance) -> DeskLeague:
    names: dict[str, tuple[str, ...]] = {}
    for seat in found.seats:
        if seat.state != SENT:
            names[seat.state] = (*names.get(seat.state, ()), seat.place.own_name)
    return DeskLeague(
        title=found.title,
        slug=found.slug,
        zone=found.zone,
        round=found.open.round.number if found.open is not None else 0,
        sent=tuple(place.own_name for place in found.named(SENT)),
        names=names,
        ahead=tuple(ahead(site, found)),
    )
