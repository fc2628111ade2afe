"""A seat as the organizer changes it: who sits there, the round that is open, and the mail that tells the player."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from secrets import token_hex

from sqlalchemy import Connection

from league.core.errors import Refused
from league.core.json import Json, JsonDict
from league.desk.clock import stamp
from league.desk.leagues.calendar import match_over, open_now
from league.desk.leagues.infos import league_info, round_info, site_info
from league.desk.leagues.turns import rules_of, start_of
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.site import Running, Site, find_running
from league.desk.trust import composer_key, key_of
from league.reports import mails as words
from league.storage import absences, leagues, outbox, rounds, standing
from league.storage.leagues import Place
from league.storage.rounds import Loaded, Round

RETIRED = "retired"
WITH_KEY = ("takes_over", "new_key")
WITHOUT_SEAT = ("retired", "replaced")  # who is told so writes no more orders


@dataclass(frozen=True)
class Seated:
    """A seat with its league and the round that takes orders now: the first that a change concerns."""

    running: Running
    place: Place
    open: Round
    seats: tuple[Place, ...]

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Public name by seat."""
        return {seat.code: seat.name for seat in self.seats}

    def write_down(self, site: Site, connection: Connection, act: str, why: str, **facts: Json) -> None:
        """The act in the journal; the league's page is to be built anew."""
        named: JsonDict = {"seat": self.place.code, "name": self.place.own_name, "round": self.open.number}
        site.write_down(connection, act, why, self.running.league.id, **{**named, **facts})
        leagues.mark_unpublished(connection, [self.running.league.slug], token_hex(8))


def at_seat(site: Site, connection: Connection, slug: str, name: str, *, away: bool = False) -> Seated:
    """The seat of this code or player's name; `Refused` if it isn't taken, or (`away`) if it is."""
    running = find_running(site, connection, slug)
    seats = leagues.seats(connection, [running.match.id])
    place = next((p for p in seats if name.casefold() in (p.code.casefold(), p.own_name.casefold())), None)
    if place is None:
        known = ", ".join(p.own_name for p in seats) or "nobody"
        raise Refused(f"nobody called '{name}' plays in {slug}; there are {known}")
    if away != (place.status not in leagues.PRESENT):
        raise Refused(f"{place.own_name} plays in {slug}" if away else f"{place.own_name} has left {slug}")
    return Seated(running, place, open_now(connection, running.season.calendar, running.match.id, site.now), seats)


def still_played(seated: Seated) -> Seated:
    """The same; `Refused` once the match is over, since nobody comes or goes any more."""
    if seated.open.status == rounds.RESOLVED:
        raise match_over(seated.open.number)
    return seated


def loaded_at(connection: Connection, seated: Seated) -> Loaded:
    """The open round as it is now, the change included."""
    (loaded,) = rounds.load_chunk(connection, [seated.open.id])
    return loaded


def tell(
    site: Site, connection: Connection, seated: Seated, what: str, facts: Mapping[str, Json], to: Place | None = None
) -> None:
    """Tell a player (usually the seat's) by mail, in his language, what was changed."""
    place = to or seated.place
    if not place.address:
        return
    loaded = loaded_at(connection, seated)
    game = rules_of(loaded)
    league = league_info(site, loaded, game)
    others = tuple(seat for seat in league.seats if seat.id != place.code)
    own = next(seat for seat in league.seats if seat.id == place.code)
    addressed = replace(league, seats=(*others, replace(own, name=place.name, lang=place.lang, zone=place.zone)))
    info, shown = site_info(site), round_info(seated.open, loaded)
    key = key_of(site, loaded.match_slug, place) if what in WITH_KEY else ""
    link = "" if what in WITHOUT_SEAT else composer_key(site, loaded.match_slug, place, game)
    text = words.seat_mail(info, addressed, place.code, what, shown, facts, any_order_or_press, key, link)
    kind = f"{what}/{stamp(site.now)}"
    mail = outgoing(site, kind, text, place, loaded.match_slug, seated.open.number, date=site.now)
    outbox.queue(connection, [mail])


def holding(loaded: Loaded, code: str) -> JsonDict:
    """Where a seat that changes hands stands as the round begins, and what the position says of it."""
    game = rules_of(loaded)
    state = start_of(loaded, game)
    place = next((one for one in game.score(state) if one.seat == code), None)
    players = game.position(state).get("players")
    own = players.get(code) if isinstance(players, Mapping) else None
    if place is None or not isinstance(own, Mapping):
        return {}
    return {"rank": place.rank, "points": place.points, "own": dict(own)}


def leave_seat(site: Site, connection: Connection, seated: Seated, why: str) -> None:
    """The player leaves with the evaluation of the open round (K38); the caller tells him."""
    leagues.set_seat(connection, seated.place.id, status=leagues.LEFT, left_round=seated.open.number)
    if seated.place.player_id is not None:
        leagues.set_player(connection, seated.place.player_id, status=RETIRED)
    absences.end_absence(connection, seated.place.id, site.now)
    standing.end_kept(connection, seated.place.id, site.now)
    seated.write_down(site, connection, "player retire", why)
