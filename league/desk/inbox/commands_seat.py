"""Commands that change something about a player's own seat: language, time zone, absence, leaving."""

from base64 import b32encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from zoneinfo import available_timezones

from league.core.json import Json, JsonDict
from league.desk.leagues.calendar import due_on, number_until
from league.desk.leagues.rhythm import RHYTHM
from league.desk.leagues.turns import rules_of
from league.desk.people.invite import accept_seat, decline_seat
from league.desk.people.names import is_taken, meant_by, name_fault
from league.desk.people.office import DeclinedError, Office, Told
from league.desk.people.seats import leave_seat
from league.desk.post.answer_organizer import tell_organizer
from league.storage import absences, leagues
from league.storage.absences import MOST_ROUNDS, NOTHING, Absence
from league.storage.rounds import OPEN

CODE_LETTERS = 8  # 40 bits, of no use to anyone who can't read the player's mail
DAY = timedelta(days=1)


def language(office: Office, facts: Mapping[str, Json]) -> Told:
    """Mails come in another language from now on, this answer among them."""
    leagues.set_player(office.connection, _player(office), lang=str(facts["lang"]))
    return Told("language", {})


def zone(office: Office, facts: Mapping[str, Json]) -> Told:
    """Times are told on another clock; the league's deadlines stay what they are."""
    written = "_".join(str(facts["zone"]).split())
    known = {name.casefold(): name for name in available_timezones()}
    found = known.get(written.casefold())
    if found is None:
        ends = [name for name in known.values() if name.casefold().endswith("/" + written.casefold())]
        raise DeclinedError("unknown_zone", written=written, suggestions=sorted(ends)[:3])
    leagues.set_player(office.connection, _player(office), zone=found)
    return Told("zone", {"zone": found})


def reports_off(office: Office, _: Mapping[str, Json]) -> Told:
    """No reports by mail any more; answers to the player's own mails and check sums go on."""
    _wanted(office, wanted=False)
    return Told("reports_off", {})


def reports_on(office: Office, _: Mapping[str, Json]) -> Told:
    """Reports by mail again, from the next on."""
    _wanted(office, wanted=True)
    return Told("reports_on", {})


def _wanted(office: Office, *, wanted: bool) -> None:
    if office.member.place.reports is wanted:
        return
    leagues.set_seat(office.connection, office.member.place.id, reports=wanted)
    office.seated.write_down(office.acting, office.connection, "player reports", "", reports=wanted)


def _player(office: Office) -> int:
    player = office.member.place.player_id
    if player is None:
        raise DeclinedError("nobody")
    return player


def absent(office: Office, facts: Mapping[str, Json]) -> Told:
    """Orders for the rounds for which nothing will be mailed: a prepared list, behind its end a pass."""
    span = _rounds(office, str(facts["first"]), str(facts["last"]))
    first, last = span.first, span.last
    written = facts["texts"]
    texts = tuple(str(text) or NOTHING for text in written) if isinstance(written, Sequence) else ()
    if texts and span.from_day is not None:  # nobody knows for which rounds they would be
        raise DeclinedError("rounds_by_number", open=office.seated.open.number)
    if len(texts) > last - first + 1:
        raise DeclinedError("absence_list_long", texts=len(texts), first=first, last=last)
    listed = _check(office, texts, first)
    seated = office.seated
    noted = Absence(seated.place.id, first, last, texts, office.at, span.from_day, span.until_day)
    absences.add_absence(office.connection, noted)
    told: JsonDict = {"first": first, "last": last, "texts": len(texts)}
    days = {"from": span.from_day, "until": span.until_day}
    told |= {name: day.isoformat() for name, day in days.items() if day is not None}
    seated.write_down(office.acting, office.connection, "player absent", "", **told)
    return Told("absent", {**told, "listed": listed})


@dataclass(frozen=True, slots=True)
class _Span:
    """Rounds from one to another; of those only the ones whose orders are due on these days, if any are named."""

    first: int
    last: int
    from_day: date | None = None
    until_day: date | None = None


def _rounds(office: Office, first: str, last: str) -> _Span:
    """The rounds of an absence, given as numbers or as days on which orders may be due."""
    now, calendar = office.seated.open.number, office.running.season.calendar
    if RHYTHM in calendar and not all(one.isdecimal() or not one for one in (first, last)):
        return _by_days(office, first, last)
    start = int(first or now) if first.isdecimal() or not first else _begins(office, first, now)
    end = int(last) if last.isdecimal() else number_until(calendar, _day(last), now)
    if start < now or end < start:
        raise DeclinedError("absence_backwards", open=now)
    if end - now >= MOST_ROUNDS:
        raise DeclinedError("absence_too_long", most=MOST_ROUNDS)
    return _Span(start, end)


def _by_days(office: Office, first: str, last: str) -> _Span:
    """Where each deadline follows from a report: what is due on which day is seen when a round closes."""
    opened = office.seated.open
    from_day = _day(first) if first and not first.isdecimal() else None
    until_day = _day(last) if not last.isdecimal() else None
    start = int(first) if first.isdecimal() else opened.number
    end = int(last) if last.isdecimal() else opened.number + MOST_ROUNDS - 1
    least = max(filter(None, (from_day, due_on(opened) if opened.status == OPEN else None)), default=date.min)
    if start < opened.number or end < start or (until_day or date.max) < least:
        raise DeclinedError("absence_backwards", open=opened.number)
    if end - opened.number >= MOST_ROUNDS:
        raise DeclinedError("absence_too_long", most=MOST_ROUNDS)
    return _Span(start, end, from_day, until_day)


def _begins(office: Office, first: str, now: int) -> int:
    """The first round whose orders are due on this day or after it."""
    return number_until(office.running.season.calendar, _day(first) - DAY, now) + 1


def _day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise DeclinedError("no_day", written=written) from None


def _check(office: Office, texts: Sequence[str], first: int) -> list[Json]:
    """Whoever is away can't be asked back, so every line must be understood now: each with its round."""
    game, listed = rules_of(office.open), list[Json]()
    for place, text in enumerate(texts, start=1):
        parsed = game.parse(None, office.seat, text, office.seated.names)
        for line in parsed.lines:
            if line.order is None:
                raise DeclinedError("absence_not_understood", place=place, written=line.text)
        if not parsed.orders:
            raise DeclinedError("absence_no_order", place=place)
        listed += [[first + place - 1, game.notation(None, order)] for order in parsed.orders]
    return listed


def back(office: Office, _: Mapping[str, Json]) -> Told:
    """The player is here again: nothing is entered any more."""
    if not absences.end_absence(office.connection, office.member.place.id, office.at):
        raise DeclinedError("not_absent")
    office.seated.write_down(office.acting, office.connection, "player absent --end", "")
    return Told("back", {"open": office.seated.open.number})


def accept(office: Office, _: Mapping[str, Json]) -> Told:
    """Play the seat that was kept: consent to the public name."""
    _invited(office)
    name = office.member.place.own_name
    if is_taken(name, leagues.seats(office.connection, [office.member.match_id]), office.seat):
        raise DeclinedError("name_taken", written=name)
    accept_seat(office.connection, office.member.place, office.member.league_slug)
    return Told("accepted", {"name": name})


def name(office: Office, facts: Mapping[str, Json]) -> Told:
    """The same under a name of one's own choice."""
    _invited(office)
    wanted = str(facts["name"])
    seats = leagues.seats(office.connection, [office.member.match_id])
    fault = name_fault(wanted, seats, office.seat, meant_by(office.open))
    if fault:
        raise DeclinedError(fault, written=wanted)
    accept_seat(office.connection, office.member.place, office.member.league_slug, wanted)
    return Told("accepted", {"name": wanted})


def decline(office: Office, _: Mapping[str, Json]) -> Told:
    """Not play; the organizer hears of it and can give the seat to somebody else."""
    _invited(office)
    place = office.member.place
    decline_seat(office.connection, place, office.member.league_slug, office.seated.open.number)
    facts: JsonDict = {"seat": place.code, "name": place.own_name, "address": place.address}
    tell_organizer(office.site, office.connection, office.open, "declined", facts, date=office.at)
    return Told("declined", {})


def _invited(office: Office) -> None:
    if office.member.place.status != leagues.INVITED:
        raise DeclinedError("not_invited")


def resign(office: Office, facts: Mapping[str, Json]) -> Told:
    """Leave the league (K38): asked once, done when the code of the answer comes back."""
    seated, given = office.seated, str(facts["code"]).upper()
    code = resign_code(office)
    if not given:
        return Told("resign_asked", {"code": code, "open": seated.open.number})
    if not compare_digest(given.encode(), code.encode()):
        raise DeclinedError("resign_wrong_code", written=given)
    leave_seat(office.acting, office.connection, seated, "by mail")
    told: JsonDict = {"seat": office.seat, "name": seated.place.name, "open": seated.open.number}
    tell_organizer(office.site, office.connection, office.open, "resigned", told, date=office.at)
    return Told("resigned", {"open": seated.open.number})


def resign_code(office: Office) -> str:
    """A word that only our own mail to the seat's address names; another round has another one."""
    named = (
        f"resign|{office.member.match_slug}|{office.seat}|{office.member.place.player_id}|{office.seated.open.number}"
    )
    return b32encode(hmac(office.site.key, named.encode(), sha256).digest()).decode()[:CODE_LETTERS]
