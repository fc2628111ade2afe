"""`league player substitute`, `retire` and `return`: seats change hands, are left and are taken again (K38)."""

from dataclasses import replace

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.desk import registry
from league.desk.acts.changing import changing
from league.desk.leagues.silence import RETIRE, silent
from league.desk.people.hand_over import hand_over
from league.desk.people.players import NewPlayer, faults_of, meant_in
from league.desk.people.seats import Seated, at_seat, leave_seat, still_played, tell
from league.desk.people.standby import end_standby
from league.desk.recovery.lost_acts import at_its_time
from league.desk.site import CALENDAR, Site, find_running
from league.storage import engine as database
from league.storage import leagues
from league.storage.leagues import Place


def retire(site: Site, slug: str, name: str, *, why: str) -> tuple[Place, int]:
    """The player leaves with the evaluation of the open round; orders sent for it don't count (K38).

    Who only stands by does so no more; the round is 0 then.
    """
    _need(why)
    with changing(site, "player retire") as connection:
        running = find_running(site, connection, slug)
        benches = leagues.benches(connection, running.match.id)
        waits = next((p for p in benches if name.casefold() in (p.code, p.own_name.casefold())), None)
        if waits is not None:
            end_standby(site, connection, running, waits, why)
            return waits, 0
        seated = still_played(at_seat(site, connection, slug, name))
        retire_seat(site, connection, seated, why)
        return seated.place, seated.open.number


def retire_seat(site: Site, connection: Connection, seated: Seated, why: str) -> None:
    """The same within a transaction."""
    leave_seat(site, connection, seated, why)
    tell(site, connection, seated, "retired", {"why": why})


def retire_silent(site: Site) -> None:
    """Retire those who were silent for too long where a season's calendar says so; the run lock is held already."""
    with database.read(site.engine) as connection:
        if not silent(connection, action=RETIRE):
            return
    with database.write(site.engine) as connection:
        acting = replace(site, who=CALENDAR)
        for found in silent(connection, action=RETIRE):
            seated = at_seat(acting, connection, found.league, found.place.code)
            retire_seat(acting, connection, seated, f"{found.missed} rounds without a word")


def come_back(site: Site, slug: str, name: str, *, why: str = "") -> tuple[Place, int]:
    """Who had retired is a newcomer again, with the same seat (K38)."""
    with changing(site, "player return") as connection:
        seated = still_played(at_seat(site, connection, slug, name, away=True))
        number, left, most = seated.open.number, seated.place.left_round or 0, _most(seated)
        if number <= left:
            raise Refused(f"{seated.place.name} leaves with round {left} and can return when round {left + 1} is open")
        if sum(1 for seat in seated.seats if seat.status in leagues.PRESENT) >= most:
            raise Refused(f"the game seats {most} at most")
        leagues.set_seat(connection, seated.place.id, status=leagues.ACTIVE, joined_round=number)
        if seated.place.player_id is not None:
            leagues.set_player(connection, seated.place.player_id, status=leagues.ACTIVE)
        seated.write_down(site, connection, "player return", why)
        tell(site, connection, seated, "returned", {})
        return replace(seated.place, status=leagues.ACTIVE, joined_round=number), number


def substitute(
    site: Site, slug: str, name: str, player: NewPlayer, *, why: str = "", invite: bool = False
) -> tuple[Place, int]:
    """The seat has another player from the open round on; the mails of the one before count no longer."""
    site = at_its_time(site, slug, "player substitute")
    with changing(site, "player substitute") as connection:
        seated = still_played(at_seat(site, connection, slug, name))
        others = [seat for seat in seated.seats if seat.id != seated.place.id]
        meant = meant_in(site, connection, seated.running.match.id)
        faults = faults_of(connection, seated.running.league.id, [player], others, meant, most=_most(seated))
        if player.address.casefold() == seated.place.address.casefold():
            faults.append(f"{player.address} is the address of {seated.place.name}, who has the seat")
        if faults:
            raise BadInput.several(faults)
        return hand_over(site, connection, seated, player, why, invite=invite), seated.open.number


def _most(seated: Seated) -> int:
    return registry.plugin(seated.running.league.game).meta.seats[1]


def _need(why: str) -> None:
    if not why.strip():
        raise BadInput("say why with --why: it is written down and the player is told")
