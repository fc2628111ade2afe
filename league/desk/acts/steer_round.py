"""`league round extend`, `hold` and `release` as commands: under the run lock, with what was mailed booked before."""

from datetime import datetime, timedelta

from league.core.errors import BadInput
from league.desk.acts.changing import changing, locked
from league.desk.leagues.calendar import open_for_change
from league.desk.rounds import extend_round, hold_round
from league.desk.rounds.extend_round import Extended, read_deadline
from league.desk.rounds.hold_round import Held, Released
from league.desk.site import Site, find_running
from league.storage import engine as database


def extend(site: Site, slug: str, *, until: str = "", hours: int = 0, why: str) -> Extended:
    """A later deadline: a time on the league's clock, or so many hours more."""
    if bool(until) == bool(hours):
        raise BadInput("say --until or --hours")
    with changing(site, "round extend") as connection:
        running = find_running(site, connection, slug)
        if until:
            moment: datetime = read_deadline(until, running.season.calendar["zone"])
        else:
            open_ = open_for_change(connection, running.season.calendar, running.match.id, site.now)
            moment = open_.deadline_at + timedelta(hours=hours)
        return extend_round.extend(site, connection, running, moment, why)


def hold(site: Site, slug: str, *, hours: int, why: str) -> Held:
    """The round waits for a person's look."""
    with changing(site, "round hold") as connection:
        return hold_round.hold(site, connection, find_running(site, connection, slug), hours, why)


def release(site: Site, slug: str, *, why: str) -> Released:
    """The round goes on; what was mailed while nothing was run is booked after its deadline has moved."""
    with (
        locked(site, "round release"),
        database.write(site.engine) as connection,
    ):
        return hold_round.release(site, connection, find_running(site, connection, slug), why)
