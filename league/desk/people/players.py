"""`league player`: who plays."""

from collections.abc import Sequence
from csv import DictReader
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from zoneinfo import available_timezones

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.json import JsonDict
from league.desk import registry
from league.desk.aside import set_aside
from league.desk.leagues.calendar import open_for_change
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.silence import missed_now
from league.desk.leagues.turns import rules_of
from league.desk.people.invite import send_invitations
from league.desk.people.names import (
    LAND,
    NAME_LENGTH,
    SIGNS,
    WORD,
    Meant,
    folded,
    is_one_line,
    means_else,
    meant_by,
    unfit,
)
from league.desk.people.seats import at_seat
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.recovery.lost_acts import at_its_time
from league.desk.site import Running, Site, find_running
from league.desk.trust import composer_key, key_of
from league.reports import mails as words
from league.storage import engine as database
from league.storage import leagues, outbox, rounds
from league.storage.leagues import Place
from league.storage.outbox import OutMail

ADDRESS_LENGTH = 254
TAKEN_FOR = {
    LAND: "is what a country of the board is called, so an order with it could mean either",
    WORD: "is what an order, a message or a command begins with, so a line with it could mean either",
}


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A player to be added; empty language and zone are the league's."""

    name: str
    address: str
    lang: str = ""
    zone: str = ""


def add_players(site: Site, slug: str, players: Sequence[NewPlayer], *, invite: bool = False) -> tuple[Place, ...]:
    """Give each a seat, all or none; they join with the round that is open. `BadInput` lists every fault.

    Who is invited has agreed to nothing yet: no public name is shown.
    """
    site = at_its_time(site, slug, "player add")
    with database.write(site.engine) as connection:
        return seat_players(site, connection, find_running(site, connection, slug), players, invite=invite)


def seat_players(
    site: Site, connection: Connection, running: Running, players: Sequence[NewPlayer], *, invite: bool
) -> tuple[Place, ...]:
    """The same within a transaction."""
    seats = leagues.seats(connection, [running.match.id])
    most = registry.plugin(running.league.game).meta.seats[1]
    meant = meant_in(site, connection, running.match.id)
    faults = faults_of(connection, running.league.id, players, seats, meant, most=most)
    if faults:
        raise BadInput.several(faults)
    current = open_for_change(connection, running.season.calendar, running.match.id, site.now)
    for place, player in enumerate(players, start=len(seats) + 1):
        status = leagues.INVITED if invite else leagues.ACTIVE
        player_id = person(connection, running.league, player, site.now, status)
        leagues.stand_down(connection, running.match.id, player_id)
        leagues.add_seat(
            connection,
            running.match.id,
            code=f"s{place}",
            player_id=player_id,
            position=place,
            joined_round=current.number,
            status=status,
        )
        named: JsonDict = {"seat": f"s{place}", "name": player.name, "player": player_id, "invited": invite}
        site.write_down(connection, "player add", "", running.league.id, **named)
    leagues.mark_unpublished(connection, [running.league.slug], token_hex(8))
    fresh = leagues.seats(connection, [running.match.id])[len(seats) :]
    if invite:
        send_invitations(site, connection, running, fresh)
    else:
        outbox.queue(connection, _welcome(site, connection, current.id, fresh))
    return fresh


def invite_again(site: Site, slug: str, name: str) -> Place:
    """Another invitation to who hasn't answered the first: a mail of its own, since its deadline is another."""
    with database.write(site.engine) as connection:
        seated = at_seat(site, connection, slug, name)
        if seated.place.status != leagues.INVITED:
            raise Refused(f"{seated.place.own_name} plays in {slug} already; league player token shows the key")
        send_invitations(site, connection, seated.running, [seated.place])
        seated.write_down(site, connection, "player invite", "")
        return seated.place


def _welcome(site: Site, connection: Connection, round_id: int, fresh: Sequence[leagues.Place]) -> list[OutMail]:
    """Each new player's first mail; whoever answers it has shown that his mail is his."""
    (loaded,) = rounds.load_chunk(connection, [round_id])
    game = rules_of(loaded)
    info, league, shown = site_info(site), league_info(site, loaded, game), round_info(loaded.round, loaded)
    made = []
    for place in fresh:
        key = key_of(site, loaded.match_slug, place)
        link = composer_key(site, loaded.match_slug, place, game)
        try:
            text = words.welcome_mail(info, league, place.code, shown, any_order_or_press, key, link)
            number = loaded.round.number
            made.append(outgoing(site, "welcome", text, place, loaded.match_slug, number, date=site.now))
        except Exception as error:  # noqa: BLE001  # a template of the site's own, say: the seat is there all the same
            set_aside(site, f"the first mail to {place.code}", error)
    return made


def read_players(text: str, where: str) -> tuple[NewPlayer, ...]:
    """The rows of a CSV with the columns name, address, lang, zone; the last two may be missing."""
    rows = DictReader(text.splitlines(), skipinitialspace=True)
    columns = {name.strip().lower() for name in rows.fieldnames or ()}
    if not {"name", "address"} <= columns or columns - {"name", "address", "lang", "zone"}:
        raise BadInput("the first line must be: name,address,lang,zone (the last two may be missing)", f"{where}:1")
    found = []
    for row in rows:
        if None in row or None in row.values():
            raise BadInput("a line has more or fewer fields than the first", f"{where}:{rows.line_num}")
        given = {key.strip().lower(): value.strip() for key, value in row.items()}
        found.append(NewPlayer(given["name"], given["address"], given.get("lang", ""), given.get("zone", "")))
    if not found:
        raise BadInput("there is nobody in it", where)
    return tuple(found)


def seat_facts(place: Place) -> JsonDict:
    """A seat as `player add` tells it."""
    return {
        "seat": place.code,
        "name": place.own_name,
        "address": place.address,
        "from_round": place.joined_round,
        "status": place.status,
    }


def list_players(site: Site, slug: str) -> tuple[Place, ...]:
    """The seats of what is being played now."""
    with database.read(site.engine) as connection:
        return leagues.seats(connection, [find_running(site, connection, slug).match.id])


def missed_rounds(site: Site, slug: str) -> dict[str, int]:
    """Seat -> in how many rounds, up to the last that closed, nothing came from its player."""
    with database.read(site.engine) as connection:
        return missed_now(connection, find_running(site, connection, slug).match.id)


def person(
    connection: Connection,
    league: leagues.League,
    player: NewPlayer,
    now: datetime,
    status: str = leagues.ACTIVE,
) -> int:
    """The player's row; one who was here before comes back to the row of his address."""
    lang, zone = player.lang or league.lang, player.zone or league.zone
    known = leagues.player_at(connection, league.id, player.address)
    if known is not None:
        leagues.set_player(connection, known.id, name=player.name, lang=lang, zone=zone, status=status)
        return known.id
    return leagues.add_player(
        connection, league.id, name=player.name, address=player.address, lang=lang, zone=zone, now=now, status=status
    )


def meant_in(site: Site, connection: Connection, match_id: int) -> Meant:
    """What a name would mean in the match. What was done before and is done anew has its names, whatever they mean."""
    if site.catches_up or site.does_again:
        return lambda _: ""
    current = rounds.current(connection, [match_id])[match_id]
    (loaded,) = rounds.load_chunk(connection, [current.id])
    return meant_by(loaded)


def faults_of(
    connection: Connection,
    league_id: int,
    players: Sequence[NewPlayer],
    seats: Sequence[Place],
    meant: Meant,
    *,
    most: int,
) -> list[str]:
    """What is wrong with these players beside those who have the seats already; who was here keeps his name."""
    kept = {known.name for player in players if (known := leagues.player_at(connection, league_id, player.address))}
    faults = _faults(players, seats, lambda name: "" if name in kept else meant(name), most)
    for player in players:
        known = leagues.player_at(connection, league_id, player.address)
        seat = next((s for s in seats if known is not None and s.player_id == known.id), None)
        if seat is not None and seat.status in leagues.PRESENT:
            faults.append(f"{player.address} already plays in this league")
        elif seat is not None:
            faults.append(f"{player.address} is that of {seat.own_name}, who left: use 'league player return'")
    return faults


def is_address(written: str) -> bool:
    """Whether mail can go there as it stands."""
    local, _, host = written.rpartition("@")
    strange = not written.isascii() or not written.isprintable() or bool(set(written) & set(' <>,;()"'))
    return bool(local) and "." in host and not strange and len(written) <= ADDRESS_LENGTH and written.count("@") == 1


def _faults(players: Sequence[NewPlayer], seats: Sequence[Place], meant: Meant, most: int) -> list[str]:
    faults = []
    names = {folded(seat.own_name) for seat in seats}
    if sum(1 for seat in seats if seat.status in leagues.PRESENT) + len(players) > most:
        faults.append(f"the game seats {most} at most")
    for player in players:
        name = player.name
        if not is_one_line(name):
            faults.append(f"name {name!r}: {unfit(name)}; use one line of 1 to {NAME_LENGTH} printable characters")
        elif means_else(name):
            signs = " ".join(sorted(SIGNS))
            faults.append(f"name {name!r} would be taken for something else; begin with a letter, without {signs}")
        elif other := meant(name):
            faults.append(f"name {name!r} {TAKEN_FOR[other]}; add a word or a letter to it")
        if folded(name) in names:
            faults.append(f"name {name!r} is taken")
        names.add(folded(name))
        if not is_address(player.address):
            faults.append(f"address {player.address!r} is not a mail address like anna@example.org")
        if player.lang and player.lang not in ("de", "en", "nl"):
            faults.append(f"language {player.lang!r}: use de, en or nl")
        if player.zone and player.zone not in available_timezones():
            faults.append(f"zone {player.zone!r} is no time zone; write it like Europe/Berlin")
    return faults
