"""A seat gets another player: what the one before sent for the open round counts no more."""

from datetime import datetime

from sqlalchemy import Connection

from league.core.json import JsonDict
from league.desk.leagues.presence import SUBSTITUTED
from league.desk.people.invite import send_invitations
from league.desk.people.players import NewPlayer, person
from league.desk.people.seats import Seated, holding, loaded_at, tell
from league.desk.site import Site
from league.desk.trust import new_token
from league.storage import absences, decisions, leagues, standing
from league.storage.decisions import Entered
from league.storage.leagues import Place
from league.storage.orders import ORDERS

REPLACED = "replaced"
ORGANIZER = "organizer"


def hand_over(
    site: Site,
    connection: Connection,
    seated: Seated,
    player: NewPlayer,
    why: str,
    *,
    invite: bool = False,
    source: str = ORGANIZER,
    at: datetime | None = None,
) -> Place:
    """The seat as it is then, both players told. `source` and `at`: on whose word, and of when it is (else now)."""
    before, moment = seated.place, at or site.now
    own = [s.revision for s in loaded_at(connection, seated).submissions if _is_order(s.seat_id, s.phase, before)]
    facts: JsonDict = {"seat": before.code, "revision": max(own, default=0)}
    decisions.decide(connection, [Entered(seated.open.id, SUBSTITUTED, facts, source, moment)])
    absences.end_absence(connection, before.id, moment)
    standing.end_kept(connection, before.id, moment)
    if before.player_id is not None:
        leagues.set_player(connection, before.player_id, status=REPLACED)
    status = leagues.INVITED if invite else leagues.ACTIVE
    player_id = person(connection, seated.running.league, player, site.now, status)
    leagues.stand_down(connection, before.match_id, player_id)
    leagues.set_seat(connection, before.id, player_id=player_id, status=status)
    new_token(site, connection, before)
    seated.write_down(site, connection, "player substitute", why, by=player.name, player=player_id, invited=invite)
    now = next(s for s in leagues.seats(connection, [before.match_id]) if s.id == before.id)
    tell(site, connection, seated, "replaced", {}, before)
    if invite:
        send_invitations(site, connection, seated.running, (now,))
    else:
        held = holding(loaded_at(connection, seated), before.code)
        tell(site, connection, seated, "takes_over", {"before": before.name, **held}, now)
    return now


def _is_order(seat_id: int, phase: int, place: Place) -> bool:
    return seat_id == place.id and phase == ORDERS
