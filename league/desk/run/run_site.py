"""`league run`: everything that is due now, in the right order."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from league.core.errors import Refused
from league.delivery.outbox import Delivered
from league.delivery.site import Published
from league.desk.acts.change_seats import retire_silent
from league.desk.aside import set_aside
from league.desk.clock import stamp
from league.desk.figures.fetch_figures import Fetched, fetch_figures
from league.desk.inbox.accept_mail import Accepted, accept_mail
from league.desk.inbox.braked import answer_braked
from league.desk.leagues.silence import Silent, silent
from league.desk.overview.health import note_run
from league.desk.overview.remind import Reminded, remind
from league.desk.overview.todo import NO_SERVER
from league.desk.pages.announce import Announced, announce
from league.desk.pages.publish_pages import LOCK_SECONDS, publish_pages
from league.desk.people.standby import offer_silent
from league.desk.post.send_mail import send_mail
from league.desk.recovery.restored import mails_wait, waits_for_word
from league.desk.rounds.resolve_rounds import Resolved, resolve_rounds
from league.desk.run.catch_up import catch_up
from league.desk.run.freeze_rounds import Frozen, freeze_rounds
from league.desk.site import Site
from league.desk.targets.bring_pages import Brought, bring_pages
from league.reports.environment import noting
from league.storage import engine as database
from league.storage import rounds
from league.storage.lock import run_lock

Stage = Callable[[str], Callable[[int], None]]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run did."""

    accepted: Accepted
    frozen: Frozen
    resolved: Resolved
    published: Published | None
    delivered: Delivered
    silent: tuple[Silent, ...] = ()  # where a round was resolved: of whom nothing came for too long
    fetched: Fetched = field(default_factory=Fetched)
    reminded: Reminded = field(default_factory=Reminded)
    targets: tuple[Brought, ...] = ()
    announced: Announced = field(default_factory=Announced)
    restored: tuple[str, ...] = ()  # after a restore: what a person has to tell first
    unpublished: str = ""  # why no pages could be built
    templates: tuple[str, ...] = ()  # the site's own that are wrong: mails are in our words

    @property
    def troubles(self) -> list[str]:
        """What kept the run from doing all that was due."""
        unsent = [f"{NO_SERVER}: {self.delivered.trouble}"] if self.delivered.trouble else []
        there = [one.told for one in self.targets if one.told]
        return [
            *self.restored,
            *self.accepted.troubles,
            *self.frozen.troubles,
            *self.templates,
            *([self.unpublished] if self.unpublished else []),
            *unsent,
            *there,
            *self.announced.troubles,
        ]


def _quiet_stage(_: str) -> Callable[[int], None]:
    return lambda _: None


def run_site(site: Site, stage: Stage = _quiet_stage, *, go_on: bool = False, pages: bool = True) -> Ran:
    """Mail in, rounds closed, rounds resolved, pages out, mail out; one run of a site at a time.

    Without `pages` what changed waits for the next run that publishes.
    Mail is fetched after the deadline and before the freeze: what arrived in time is in the book (DESIGN: Freeze).
    """
    with run_lock(site.path, f"league run of {site.who}", LOCK_SECONDS, site.engine), noting() as stumbled:
        site.require_key()
        restored = mails_wait(site)
        if not go_on and not restored:
            _not_asleep(site)
        accepted = accept_mail(site, progress=stage("mails"), fetching=stage("fetched"))
        caught = catch_up(site, accepted)
        if restored and not go_on and not mails_wait(site):
            _not_asleep(site)  # what was closed then is closed again; what is due today may wait for a person
        frozen = freeze_rounds(site, accepted)
        fetched = fetch_figures(site)
        resolved = resolve_rounds(site, progress=stage("rounds"))
        frozen.rounds[:0], resolved.sealed[:0] = caught.closed, caught.sealed
        waits = waits_for_word(site)
        if not waits:
            retire_silent(site)
            accepted.troubles += offer_silent(site)
        accepted.troubles += [] if waits else answer_braked(site)
        reminded = Reminded() if waits else remind(site, complete=accepted.complete)
        published, unpublished = _publish(site) if pages and not waits else (None, "")
        pages = pages and not unpublished
        targets = bring_pages(site, step=stage("brought")) if pages and not waits else ()  # mails link to what is there
        sent = send_mail(site)
        told = Announced()
        if pages and not waits:
            told = announce(site, complete=not any(one.trouble for one in targets))
        silent_now = _silent(site, resolved)
        ran = Ran(
            *(accepted, frozen, resolved, published, sent, silent_now, fetched, reminded, targets, told, tuple(waits)),
            unpublished=unpublished,
            templates=tuple(dict.fromkeys(set_aside(site, "a template", error) for error in stumbled)),
        )
        note_run(site, "; ".join(ran.troubles))
        return ran


def _publish(site: Site) -> tuple[Published | None, str]:
    """What was published, and why nothing could be: mails go out all the same, a freeze's above all."""
    try:
        return publish_pages(site), ""
    except Exception as error:  # noqa: BLE001  # the border of a job; what is marked is built by the next run
        return None, set_aside(site, "the pages", error)


def _not_asleep(site: Site) -> None:
    """After a long sleep, or with a clock that jumped, nothing closes before a person has looked (DESIGN: Outage)."""
    with database.read(site.engine) as connection:
        closing = rounds.next_closing(connection)
    most = timedelta(hours=site.settings.site.outage_hours)
    if closing is not None and site.now - closing > most:
        raise Refused(
            f"a round should have closed on {stamp(closing)}, more than {most // timedelta(hours=1)} hours before "
            f"{stamp(site.now)}: the clock has jumped, or nothing was run for weeks. Nothing was done. If the time is "
            f"right, league round release LEAGUE gives everyone a new deadline; league run --go-on closes what is due, "
            f"one round a week"
        )


def _silent(site: Site, resolved: Resolved) -> tuple[Silent, ...]:
    slugs = {slug for slug, _ in resolved.sealed}
    if not slugs:
        return ()
    with database.read(site.engine) as connection:
        return tuple(silent(connection, sorted(slugs)))
