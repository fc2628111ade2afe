"""A restored site does anew what came after its backup: mails, acts, closings and records in their order of time.

A mail is judged in the state in which it was judged then, or an answer to a mail of ours would be a stranger's and an
order in time too late. What was published is taken as a guide: rounds are closed and sealed only as their published
records say, acts come from the published journal. Everything else is left to today's run.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from league.core.errors import LeagueError
from league.core.json import Json
from league.desk.acts.redo import Act, redo
from league.desk.clock import stamp
from league.desk.inbox.accept_mail import WAIT, Accepted, judge_waiting
from league.desk.leagues.public_journal import BY_MAIL, ORGANIZER, STANDBY, named
from league.desk.recovery.lost_acts import entered, lost_acts
from league.desk.recovery.put_orders import is_put, put_orders
from league.desk.recovery.restored import CATCH_UP, Unsure, unsure
from league.desk.rounds.resolve_rounds import resolve_rounds
from league.desk.run.freeze_rounds import freeze_rounds
from league.desk.site import CALENDAR, Site
from league.storage import engine as database
from league.storage import journal, leagues, mails, rounds

# What the published journal tells whole, so that it can be done once more from there.
FROM_JOURNAL = frozenset(
    {
        "player retire", "player return", "player absent --end", "player token --renew", "round extend", "round pause",
        "round last",
        "round hold", "round release", "result enter", "round resolve --over", "orders show --reveal",
        "round preview --reveal", "mail quarantine show --reveal", "round early",
        "player offer", "player offer --end", "export", "export --undo",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Earlier(Site):
    """The site at an earlier moment; acts that stand in the journal already aren't written down twice."""

    today: Site | None = None
    known: list[journal.Act] = field(default_factory=list)
    catches_up = True

    def write_down(
        self, connection: Connection, act: str, why: str = "", league_id: int | None = None, **arguments: Json
    ) -> None:
        """Of what the published journal has its row is there; anything else is an act of today's."""
        for one in self.known:
            if (one.act, one.league_id, _hand(one.who)) == (named(act), league_id, _hand(self.who)):
                self.known.remove(one)
                return
        assert self.today is not None  # noqa: S101  # made below
        self.today.write_down(connection, act, why, league_id, **arguments)


def _hand(who: str) -> str:
    """Whose act it was, as the published journal tells it."""
    if STANDBY.fullmatch(who):
        return CALENDAR
    return who if BY_MAIL.fullmatch(who) or who == CALENDAR else ORGANIZER


@dataclass
class Caught:
    """Rounds that were closed and sealed again, by league and number."""

    closed: list[tuple[str, int]] = field(default_factory=list)
    sealed: list[tuple[str, int]] = field(default_factory=list)

    def resolve(self, site: Site) -> None:
        """Ask for what rounds wait for; seal those of which the record is known."""
        self.sealed += resolve_rounds(site).sealed


def catch_up(site: Site, accepted: Accepted) -> Caught:
    """Do anew what came after the backup, once every mailbox was read and every match has a word on its head."""
    caught, known = Caught(), list[journal.Act]()
    with database.read(site.engine) as connection:
        since = leagues.fact(connection, CATCH_UP)
        waiting = unsure(connection)
        if since is None or not accepted.complete or any(not found.to_come for found in waiting.values()):
            return caught
        lost = tuple(lost_acts(connection, datetime.fromisoformat(since)))
        known += lost
        moments = {*mails.waiting_since(connection), *(act.at for act in lost)}
    for moment in sorted(at for at in moments if at <= site.now):
        if trouble := _until(site, moment, known, caught):
            accepted.troubles += trouble
            return caught  # what came behind it waits, until what is missing is here
        for act in lost:
            if act.at == moment:
                accepted.notes += _again(_earlier(site, moment, known, act.who), act)
        earlier = _earlier(site, moment, known)
        caught.resolve(earlier)  # what it asked is answered now
        judge_waiting(earlier, accepted)
    if trouble := _until(site, site.now, known, caught):
        accepted.troubles += trouble
        return caught
    with database.write(site.engine) as connection:
        leagues.drop_fact(connection, CATCH_UP)
    accepted.notes = [note for note in accepted.notes if note != WAIT]
    judge_waiting(site, accepted)  # what a mail server's clock says is yet to come
    return caught


def _earlier(site: Site, moment: datetime, known: list[journal.Act], who: str = ORGANIZER) -> Earlier:
    return Earlier(site.path, site.settings, site.engine, moment, who, site.match, today=site, known=known)


def _until(site: Site, moment: datetime, known: list[journal.Act], caught: Caught) -> list[str]:
    """Close the rounds whose records say that they were closed by then, one after the other; why one can't be."""
    while (closing := min(_closings(site, moment), default=None)) is not None:
        earlier = _earlier(site, closing, known)
        frozen = freeze_rounds(earlier, Accepted())
        if not frozen.rounds:
            return frozen.troubles
        caught.closed += frozen.rounds
        caught.resolve(earlier)
    caught.resolve(_earlier(site, moment, known))
    return []


def _closings(site: Site, until: datetime) -> Iterator[datetime]:
    with database.read(site.engine) as connection:
        for slug, found in unsure(connection).items():
            match = leagues.match(connection, slug)
            for one in rounds.rounds(connection, match.id) if match is not None else ():
                if one.status == rounds.OPEN and one.closes_at <= until and found.round(one.number) is not None:
                    yield one.closes_at


# ------------------------------------------------------------------ acts


def _again(site: Earlier, act: journal.Act) -> list[str]:
    """Do an act once more, as far as the published journal and records tell it."""
    with database.read(site.engine) as connection:
        slug = leagues.slug_of(connection, act.league_id) if act.league_id is not None else ""
        waiting = {found.match: found for found in unsure(connection).values()}
    try:
        if act.act == "orders enter":
            _enter(site, slug, act, waiting)
        elif act.act in FROM_JOURNAL and not BY_MAIL.fullmatch(act.who) and slug:
            redo(site, Act(act.act, act.why, slug, act.arguments, {}))
    except LeagueError as error:
        return [f"the act '{act.act}' of {stamp(act.at)} could not be done again: {error}"]
    return []


def _enter(site: Earlier, slug: str, act: journal.Act, waiting: dict[str, Unsure]) -> None:
    """Orders entered by hand, in the words of the published record."""
    row: dict[str, Any] | None = entered(act, waiting.values(), slug)
    if row is None or not row["orders"]:
        return
    text = "\n".join(str(order) for order in row["orders"])
    moment = datetime.fromisoformat(row["received_at"])
    with database.write(site.engine) as connection:
        if is_put(site, connection, slug, str(row["seat"]), moment):  # by an earlier run, or by hand
            return
        put_orders(site, connection, slug, str(row["seat"]), text, why=act.why, received_at=moment)
