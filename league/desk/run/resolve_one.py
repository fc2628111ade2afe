"""`league round resolve`: one league's round, now."""

from league.core.errors import Refused
from league.desk.clock import stamp
from league.desk.inbox.accept_mail import accept_mail
from league.desk.leagues.calendar import match_over
from league.desk.pages.publish_pages import LOCK_SECONDS
from league.desk.rounds.enter_result import end_waiting
from league.desk.rounds.resolve_rounds import Resolved, resolve_rounds
from league.desk.run.catch_up import catch_up
from league.desk.run.freeze_rounds import freeze_rounds
from league.desk.site import Site, find_running
from league.storage import engine as database
from league.storage import rounds
from league.storage.lock import run_lock


def resolve_one(site: Site, slug: str, *, over: bool, why: str) -> Resolved:
    """Mail first, then the freeze where its time has come, then this league's rounds as far as they can go."""
    with run_lock(site.path, f"league round resolve of {site.who}", LOCK_SECONDS, site.engine):
        accepted = accept_mail(site)
        catch_up(site, accepted)
        frozen = freeze_rounds(site, accepted)
        if frozen.kept_open:
            raise Refused(frozen.kept_open)
        with database.read(site.engine) as connection:
            running = find_running(site, connection, slug)
            found = rounds.unresolved(connection, [running.match.id]).get(running.match.id, ())
            if not found:
                raise match_over(rounds.current(connection, [running.match.id])[running.match.id].number)
        if found[0].status == rounds.OPEN:
            raise Refused(
                f"round {found[0].number} of {slug} is open until {stamp(found[0].closes_at)} "
                f"(deadline {stamp(found[0].deadline_at)} with grace); a run that begins a minute later closes it"
            )
        if over:
            end_waiting(site, slug, why)
        return resolve_rounds(site, slug)
