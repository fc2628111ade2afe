"""Players who stand by: a seat of which nothing came for too long is offered to them, and the first to accept has it.

Until then the rules' own defaults play for it (EUROPA: M12). Who stands by has a place of his own beside the seats, so
that his mails are known and proven like everybody's; no page and no record tells of him.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from secrets import token_hex

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.json import Json, JsonDict
from league.desk.aside import set_aside
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.silence import OFFER, OFFERS, Silent, silent
from league.desk.leagues.turns import rules_of
from league.desk.people.players import NewPlayer, faults_of, meant_in, person
from league.desk.people.seats import Seated, at_seat, holding, loaded_at
from league.desk.post.answer_organizer import tell_organizer
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import CALENDAR, Running, Site, find_running
from league.desk.trust import key_of
from league.reports import mails as words
from league.reports.context import SeatInfo
from league.storage import engine as database
from league.storage import leagues, outbox, rounds
from league.storage.leagues import Place
from league.storage.outbox import OutMail
from league.storage.rounds import Loaded

OFFERED, GONE, OVER = "offered", "gone", "over"
STANDBY = "standby"  # of a player
MOST = 20  # who stand by in a league


def add_standby(site: Site, slug: str, player: NewPlayer) -> Place:
    """Put somebody on the list; he is told so, and offered what is free already."""
    with database.write(site.engine) as connection:
        running = find_running(site, connection, slug)
        seats = leagues.seats(connection, [running.match.id])
        known = leagues.benches(connection, running.match.id)
        meant = meant_in(site, connection, running.match.id)
        faults = faults_of(connection, running.league.id, [player], seats, meant, most=len(seats) + 1)
        if player.address.casefold() in {place.address.casefold() for place in known}:
            faults.append(f"{player.address} stands by in {slug} already")
        if len(known) >= MOST:
            faults.append(f"{MOST} players stand by in {slug}; that is as many as there can be")
        if faults:
            raise BadInput.several(faults)
        current = rounds.current(connection, [running.match.id])[running.match.id]
        if current.status == rounds.RESOLVED:
            raise Refused(f"the match is over since round {current.number}: no seat becomes free any more")
        player_id = person(connection, running.league, player, site.now, STANDBY)
        code = leagues.add_bench(connection, running.match.id, player_id)
        named: JsonDict = {"standby": code, "name": player.name, "player": player_id}
        site.write_down(connection, "player standby", "", running.league.id, **named)
        place = next(one for one in leagues.benches(connection, running.match.id) if one.code == code)
        (loaded,) = rounds.load_chunk(connection, [current.id])
        mails = [standby_mail(site, loaded, place, "listed", {})]
        mails += [standby_mail(site, loaded, place, OFFERED, {"seat": seat}) for seat in offers(connection, slug)]
        outbox.queue(connection, mails)
        return place


def list_standby(site: Site, slug: str) -> tuple[Place, ...]:
    """Who stands by."""
    with database.read(site.engine) as connection:
        return leagues.benches(connection, find_running(site, connection, slug).match.id)


def end_standby(site: Site, connection: Connection, running: Running, place: Place, why: str) -> None:
    """He stands by no more."""
    if place.player_id is not None:
        leagues.set_player(connection, place.player_id, status="stood_down")
    leagues.set_seat(connection, place.id, status=leagues.STOOD_DOWN)
    site.write_down(connection, "player standby --end", why, running.league.id, standby=place.code, name=place.own_name)


# ------------------------------------------------------------------ offers


def offers(connection: Connection, slug: str) -> tuple[str, ...]:
    """The seats of a league that are offered now."""
    return tuple(leagues.facts(connection, f"{OFFERS}{slug}/"))


def offer_silent(site: Site) -> list[str]:
    """Offer the seats that were silent for too long, take back offers of those that aren't now; what went wrong."""
    with database.read(site.engine) as connection:
        if not (silent(connection, action=OFFER) or leagues.facts(connection, OFFERS)):
            return []
    acting, troubles = replace(site, who=CALENDAR), []
    with database.write(site.engine, "offer") as connection:
        found = {f"{one.league}/{one.place.code}": one for one in silent(connection, action=OFFER)}
        known = leagues.facts(connection, OFFERS)
        for key in sorted(found.keys() ^ known.keys()):
            try:
                with connection.begin_nested():
                    if key in found:
                        offer(acting, connection, found[key])
                    else:
                        take_back(acting, connection, *key.split("/"))
            except Exception as error:  # noqa: BLE001  # the border of a job: the other leagues go on
                troubles.append(set_aside(site, f"the offer of {key}", error))
    return troubles


def offer(site: Site, connection: Connection, found: Silent) -> None:
    """Everybody who stands by is asked, in one transaction with the note of it; nothing where nobody does."""
    seated = at_seat(site, connection, found.league, found.place.code)
    benches = leagues.benches(connection, seated.running.match.id)
    if not benches:
        return
    open_offer(connection, seated)
    loaded = loaded_at(connection, seated)
    facts: JsonDict = {"seat": found.place.code, "missed": found.missed, **holding(loaded, found.place.code)}
    seated.write_down(site, connection, "player offer", f"{found.missed} rounds without a word", missed=found.missed)
    outbox.queue(connection, [standby_mail(site, loaded, place, OFFERED, facts) for place in benches])
    told: JsonDict = {**facts, "name": found.place.own_name, "asked": len(benches)}
    tell_organizer(site, connection, loaded, "offered", told, date=site.now)


def open_offer(connection: Connection, seated: Seated) -> None:
    """Note that the seat is offered."""
    key = f"{OFFERS}{seated.running.league.slug}/{seated.place.code}"
    leagues.set_fact(connection, key, json.dumps({"round": seated.open.number}))


def close_offer(connection: Connection, slug: str, code: str) -> None:
    """The seat is offered no more."""
    leagues.drop_fact(connection, f"{OFFERS}{slug}/{code}")
    leagues.mark_unpublished(connection, [slug], token_hex(8))


def take_back(site: Site, connection: Connection, slug: str, code: str) -> None:
    """Its player was heard from again, or is none any more, or the match is over: who stands by is told."""
    close_offer(connection, slug, code)
    running = find_running(site, connection, slug)
    current = rounds.current(connection, [running.match.id])[running.match.id]
    (loaded,) = rounds.load_chunk(connection, [current.id])
    told: JsonDict = {"seat": code, "round": current.number}
    site.write_down(connection, "player offer --end", "", running.league.id, **told)
    what = OVER if current.status == rounds.RESOLVED else GONE
    benches = leagues.benches(connection, running.match.id)
    outbox.queue(connection, [standby_mail(site, loaded, place, what, {"seat": code}) for place in benches])


# ------------------------------------------------------------------ mails


def standby_mail(
    site: Site, loaded: Loaded, place: Place, what: str, facts: dict[str, Json], answers: Sequence[str] = ()
) -> OutMail:
    """A mail to who stands by, in his language; `what` it is about."""
    league = league_info(site, loaded, rules_of(loaded))
    own = SeatInfo(place.code, place.own_name, place.lang, len(loaded.seats), place.zone)
    addressed = replace(league, seats=(*league.seats, own))
    text = words.standby_mail(
        site_info(site),
        addressed,
        place.code,
        what,
        round_info(loaded.round, loaded),
        {"seat": "", "missed": 0, "offered": [], **facts},
        any_order_or_press,
        key_of(site, loaded.match_slug, place),
    )
    kind = f"{STANDBY}/{what}/{facts.get('seat', '')}/{site.now:%Y-%m-%dT%H:%M:%S}"
    number = loaded.round.number
    return outgoing(site, kind, text, place, loaded.match_slug, number, date=site.now, answers=tuple(answers))


def offered_now(connection: Connection, slug: str, seats: Iterable[Place]) -> list[Place]:
    """The seats that somebody who stands by could have now, in their order."""
    codes = set(offers(connection, slug))
    return [seat for seat in seats if seat.code in codes and seat.status in leagues.PRESENT]
