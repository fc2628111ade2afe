"""What a person must do, each with the command to type; and what `league run` will do by itself.

`must` is what nothing else mends. What only deserves a look (a player who is silent for too long) stands behind it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from shlex import quote

from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.figures.second_looks import Doubt, Stale
from league.desk.leagues.silence import Silent
from league.desk.overview.glance import (
    FOR_A_PERSON,
    MISSING,
    NOT_YET,
    PUZZLED,
    REPLIED,
    WAITING,
    Closed,
    FigureGlance,
    LeagueGlance,
)
from league.desk.overview.health import LEAST_FREE, MISSED_RUN, Health
from league.desk.post.brake import MORE_THAN, Silenced
from league.desk.site import Site
from league.desk.targets.bring_pages import NO_TARGET
from league.reports.desk import Ahead, Todo
from league.storage.announcements import NO_CHANNEL
from league.storage.mails import Judged

SLACK = timedelta(minutes=30)  # a run that is under way needs this long at most
NO_SERVER = "mail can't be sent"  # how a run's trouble begins that is the mail server's
ENTER_VALUES = {
    "dax_close": "--dax-close CLOSE --dax-day {day}",
    "eurusd": "--eurusd RATE",
    "lotto": "--lotto 'N N N N N N' --lotto-day {day}",
}


@dataclass(frozen=True, slots=True)
class Mails:
    """Mails that a person should know of, the newest first.

    `held` wait for a person; `missed` were read too late; `uncounted` hold orders and bear a program's mark.
    """

    held: Sequence[Judged] = ()
    missed: Sequence[Judged] = ()
    uncounted: Sequence[Judged] = ()


def site_todo(site: Site, health: Health, mails: Mails, failed: int, doubts: Iterable[Doubt] = ()) -> Iterator[Todo]:
    """What concerns the site as a whole, the worst first."""
    if health.inbox:
        yield Todo("inbox", "league doctor", facts={"why": health.inbox})
    if health.disk_free < LEAST_FREE:
        yield Todo("disk", f"df -h {quote(str(site.path))}", facts={"free": health.disk_free // 2**20})
    last = health.last_run
    if last is not None and last.at > site.now:
        yield Todo("clock", "date", facts={"at": stamp(last.at), "now": stamp(site.now)})
    if health.next_closing is not None and site.now - health.next_closing > timedelta(
        hours=site.settings.site.outage_hours
    ):
        yield Todo("go_on", "league run --go-on", facts={"at": stamp(health.next_closing)})
    elif health.is_asleep(site.now):
        yield Todo("asleep", "league run", facts={"at": stamp(last.at) if last else "", "hours": _hours(MISSED_RUN)})
    elif last is not None and last.trouble and not _is_told_below(last.trouble):
        yield Todo("trouble", "league run", facts={"why": last.trouble})
    if health.server:
        yield Todo("server", "league mail send", facts={"why": health.server})
    for row in health.untold:
        about: JsonDict = {"name": row.name, "why": row.trouble, "round": row.round}
        yield Todo("channel", "league doctor", league=row.league, facts=about)
    for name, state in health.targets:
        facts: JsonDict = {"name": name, "why": state.words, "at": state.since}
        yield Todo("target", f"league publish --target {name}", facts=facts)
    if health.hold:
        yield Todo("hold", "league mail outbox --release", must=False, facts={"why": health.hold})
    if health.is_stuck(site.now) and health.oldest_waiting is not None:
        yield Todo("stuck", "league mail send", facts={"at": stamp(health.oldest_waiting)})
    for name in health.faults:
        yield Todo("fault", f"less {quote(str(site.path / name))}", facts={"file": name})
    yield from _mails(mails)
    for doubt in doubts:
        enter = _given("correct", "LEAGUE", doubt.figure.figure, doubt.figure.day)
        told: JsonDict = {
            "figure": doubt.figure.figure,
            "day": doubt.figure.day.isoformat(),
            "stands": doubt.figure.value,
        }
        yield Todo("doubt", enter, must=False, facts=told | {"source": doubt.said.source, "says": doubt.said.value})
    if failed:
        yield Todo("failed", "league mail outbox --state failed", must=False, facts={"count": failed})
    if not site.settings.site.organizer:
        yield Todo("organizer", f"nano {quote(str(site.path / 'league.toml'))}", must=False)


def _is_told_below(trouble: str) -> bool:
    """Whether a run's trouble begins with one that has a line of its own."""
    return trouble.startswith((NO_SERVER, NO_TARGET, MORE_THAN)) or NO_CHANNEL in trouble.partition(";")[0]


def _mails(mails: Mails) -> Iterator[Todo]:
    """However many there are of a kind, one line."""
    held, missed = mails.held, mails.missed
    if mails.uncounted:
        newest = mails.uncounted[0]
        about: JsonDict = {"from": newest.sender, "why": newest.reason, "count": len(mails.uncounted)}
        yield Todo("uncounted", "league mail quarantine list", facts=about)
    if held:
        newest = held[0]
        kinds = Counter(mail.verdict for mail in held)
        facts: JsonDict = {"from": newest.sender, "verdict": newest.verdict, "why": newest.reason, "count": len(held)}
        facts["kinds"] = dict(kinds.most_common())
        yield Todo("mail", "league mail quarantine list", facts=facts)
    if missed:
        told: JsonDict = {"count": len(missed), "from": missed[0].sender, "at": stamp(missed[0].decided_at)}
        yield Todo("missed", "league doctor mail", must=False, facts=told)


def _hours(span: timedelta) -> int:
    return int(span.total_seconds()) // 3600


def league_todo(
    found: LeagueGlance,
    now: datetime,
    silent: Sequence[Silent] = (),
    stale: Iterable[Stale] = (),
    braked: Iterable[Silenced] = (),
) -> Iterator[Todo]:
    """What concerns one league: closed rounds first, then people."""
    slug = found.slug
    for old in stale:
        reopen = f"league round reopen {slug} --round {old.round} --why WHY"
        used: JsonDict = {"round": old.round, "figure": old.figure, "used": old.used, "stands": old.stands}
        yield Todo("stale", reopen, must=False, league=slug, facts=used)
    for late in found.overdue:
        if now - late.round.closes_at > SLACK:
            facts: JsonDict = {"round": late.round.number, "at": stamp(late.round.closes_at)}
            yield Todo("overdue", "league run", league=slug, facts=facts)
    for closed in found.closed:
        yield from _closed(slug, closed)
    for seat in found.seats:
        name: JsonDict = {"name": seat.place.own_name}
        if seat.bounced:
            sent = f"league mail outbox --seat {quote(f'{slug}/{seat.place.code}')}"
            unblock = f"league mail outbox --unblock {quote(seat.place.address)} --why WHY"
            yield Todo("bounced", unblock if seat.stopped else sent, league=slug, facts=name)
        if seat.state == PUZZLED:
            enter = f"league orders enter {slug} {quote(seat.place.own_name)} - --why WHY"
            yield Todo("puzzled", enter, league=slug, facts=name)
    names = {seat.place.code: seat.place.own_name for seat in found.seats}
    for quiet in braked:
        many: JsonDict = {"name": names.get(quiet.seat, quiet.seat), "at": stamp(quiet.at), "count": quiet.count}
        yield Todo("braked", f"league orders list {slug}", must=False, league=slug, facts=many)
    for player in (one for one in silent if not one.offered):
        told: JsonDict = {"name": player.place.own_name, "missed": player.missed}
        retire = f"league player retire {slug} {quote(player.place.own_name)} --why WHY"
        yield Todo("silent", retire, must=False, league=slug, facts=told)


def _closed(slug: str, closed: Closed) -> Iterator[Todo]:
    number = closed.number
    if closed.trouble:
        yield Todo("round", f"league round preview {slug}", league=slug, facts={"round": number, "why": closed.trouble})
    wanted = [figure for figure in closed.figures if figure.status in FOR_A_PERSON]
    for figure in wanted:
        facts: JsonDict = {"round": number, "figure": figure.figure, "why": figure.why}
        facts["day"] = figure.day.isoformat() if figure.day else ""
        yield Todo(f"figure_{figure.status}", _enter(slug, figure), league=slug, facts=facts)
    if closed.held is not None:
        until: JsonDict = {"round": number, "at": stamp(closed.held)}
        yield Todo("held", f"league round release {slug} --why WHY", must=False, league=slug, facts=until)
    for battle in closed.battles:
        if battle.disputed:
            where = f"{slug} {quote(battle.place)} WINNER"
            told: JsonDict = {"round": number, "place": battle.place}
            yield Todo("dispute", f"league result enter {where} --why WHY", league=slug, facts=told)


def _enter(slug: str, figure: FigureGlance) -> str:
    return _given("enter", slug, figure.figure, figure.day)


def _given(verb: str, slug: str, figure: str, day: date | None) -> str:
    values = ENTER_VALUES.get(figure, f"--{figure.replace('_', '-')} VALUE")
    given = values.format(day=day.isoformat() if day else "DAY")
    return f"league draw {verb} {slug} {given} --source WHERE --why WHY"


def ahead(site: Site, found: LeagueGlance) -> list[Ahead]:
    """What `run` will do for a league, the earliest first; what is due already is due now."""
    return sorted(_ahead(site, found), key=lambda item: (item.at, item.round))


def _ahead(site: Site, found: LeagueGlance) -> Iterator[Ahead]:
    now, hours = site.now, site.settings.mail.remind_hours
    for late in found.overdue:
        yield Ahead(now, "close", late.round.number)
    for closed in found.closed:
        if closed.ready:
            yield Ahead(closed.held or now, "evaluate", closed.number)
        for figure in closed.figures:
            if figure.status in (NOT_YET, WAITING) and figure.asked_from is not None:
                yield Ahead(max(now, figure.asked_from), "fetch", closed.number, figure.figure)
        if closed.until is not None and closed.until > now:
            yield Ahead(closed.until, "end_waiting", closed.number)
    if found.open is not None and found.open.round.closes_at > now:
        round_ = found.open.round
        remind_at = round_.deadline_at - timedelta(hours=hours)
        if hours and remind_at > now and (found.named(MISSING) or found.named(REPLIED)):
            yield Ahead(remind_at, "remind", round_.number)
        yield Ahead(round_.closes_at, "close", round_.number)
