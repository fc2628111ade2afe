"""Leagues at a glance: who has sent, what closed rounds wait for; nobody's orders, and nothing is changed.

A fixed number of statements for every `CHUNK` matches. A further column is a field of `SeatGlance` and a line where
it is filled.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from league.core.errors import LeagueError
from league.core.game import Outcome
from league.desk.aside import set_aside
from league.desk.figures.fetch_figures import standing_of
from league.desk.figures.sources import closed_days, is_offline, order_of, sources_of
from league.desk.leagues.calendar import due_on
from league.desk.leagues.held import held_until
from league.desk.leagues.late_figures import late_at
from league.desk.leagues.presence import counted, plays
from league.desk.leagues.replies import asks, due, reports
from league.desk.leagues.turns import Table, asked_of, day_of_figure, lay_out, week_of
from league.desk.people.instead import Instructions, instructions
from league.desk.rounds.heard import heard
from league.desk.rounds.resolve_rounds import known_figures
from league.desk.site import Site
from league.sources.agreement import Status
from league.sources.week import asked_from
from league.storage import evidence, readings, rounds, troubles
from league.storage import glance as books
from league.storage.evidence import Figure
from league.storage.glance import LastMail
from league.storage.leagues import PRESENT, Place, fold
from league.storage.orders import ORDERS, REPLIES
from league.storage.readings import Said
from league.storage.rounds import Loaded

CHUNK = 100  # matches, of which few have more than two rounds in play
PATIENCE = timedelta(hours=24)  # a figure that is so late needs a person
SENT, AWAY, STANDING, PUZZLED, REPLIED, MISSING = (
    "sent",
    "away",
    "standing",
    "not_understood",
    "replied",
    "missing",
)
NOT_YET, WAITING, LATE, BY_HAND, DISPUTED = "not_yet", "waiting", "late", "by_hand", "disputed"
OBJECTED_TO = "one source alone says it, and that isn't believed"
FOR_A_PERSON = (LATE, BY_HAND, DISPUTED)


@dataclass(frozen=True, slots=True)
class SeatGlance:
    """A seat in the open round. `state`: one of the words above; `puzzled`: its last mail wasn't understood.

    `bounced`: the last mail to the player didn't arrive; `stopped`: so that no more goes there.
    """

    place: Place
    state: str
    puzzled: bool
    bounced: bool
    stopped: bool


@dataclass(frozen=True, slots=True)
class FigureGlance:
    """A figure that a closed round waits for; `day` None where the week has none of it."""

    figure: str
    day: date | None
    asked_from: datetime | None
    status: str
    why: str = ""
    said: tuple[Said, ...] = ()
    until: datetime | None = None  # when the round goes on without it


@dataclass(frozen=True, slots=True)
class BattleGlance:
    """A battle without a result. `place`: the country's name; `reported`: how many reports there are."""

    country: str
    place: str
    attempt: int
    fighters: tuple[str, ...]
    disputed: bool
    reported: int


@dataclass(frozen=True, slots=True)
class Closed:
    """A round whose orders are closed. `ready`: nothing is missing, the next run evaluates it."""

    number: int
    until: datetime | None = None
    figures: tuple[FigureGlance, ...] = ()
    battles: tuple[BattleGlance, ...] = ()
    ready: bool = False
    trouble: str = ""
    held: datetime | None = None  # until then it waits for the organizer's look, though it is ready


@dataclass(frozen=True, slots=True)
class LeagueGlance:
    """A match: its newest open round with the seats, and the rounds before that aren't done."""

    open: Loaded | None
    overdue: tuple[Loaded, ...]  # open rounds whose time is over
    seats: tuple[SeatGlance, ...]
    closed: tuple[Closed, ...]
    slug: str
    title: str
    zone: str

    def named(self, state: str) -> tuple[Place, ...]:
        """Who is in this state."""
        return tuple(seat.place for seat in self.seats if seat.state == state)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the books say of a chunk."""

    instructed: Instructions
    figures: Sequence[Figure]
    said: Sequence[Said]
    last: Mapping[int, LastMail]
    unreached: frozenset[int]
    stopped: frozenset[str]
    replied: Mapping[int, Sequence[datetime]] = field(default_factory=dict)
    objected: frozenset[tuple[str, date]] = frozenset()  # figures that one source alone doesn't bring back


def glance(site: Site, connection: Connection, slugs: Sequence[str] | None = None) -> Iterator[LeagueGlance]:
    """All running matches by league, or those of some leagues."""
    matches = books.in_play(connection, slugs)
    for start in range(0, len(matches), CHUNK):
        ids = [key for match in matches[start : start + CHUNK] for key in match]
        yield from _chunk(site, connection, rounds.load_chunk(connection, ids))


def _chunk(site: Site, connection: Connection, chunk: Sequence[Loaded]) -> Iterator[LeagueGlance]:
    by_match: dict[str, list[Loaded]] = {}
    for loaded in sorted(chunk, key=lambda t: (t.league_slug, t.match_slug, t.round.number)):
        by_match.setdefault(loaded.match_slug, []).append(loaded)
    known = _known(connection, chunk)
    for tables in by_match.values():
        yield _one(site, tables, known)


def _known(connection: Connection, chunk: Sequence[Loaded]) -> _Known:
    frozen = [t for t in chunk if t.round.status == rounds.FROZEN]
    open_ = [t for t in chunk if t.round.status == rounds.OPEN]
    seats = sorted({seat.id for t in open_ for seat in t.seats if seat.status in PRESENT})
    since = min((t.round.opens_at for t in open_), default=None)
    weeks = [week_of(t) for t in frozen]
    first, last = (min(w[0] for w in weeks), max(w[1] for w in weeks)) if weeks else (date.max, date.min)
    replied: dict[int, list[datetime]] = {}
    for submission in (s for t in frozen for s in t.submissions if s.phase == REPLIES):
        replied.setdefault(submission.seat_id, []).append(submission.received_at)
    return _Known(
        instructed=instructions(connection, open_),
        figures=known_figures(connection, frozen),
        said=readings.readings(connection, first, last) if weeks else (),
        last=books.last_mails(connection, seats, since) if since is not None else {},
        unreached=books.unreached(connection, seats),
        stopped=frozenset(stop.address_key for stop in troubles.stops(connection)),
        replied=replied,
        objected=evidence.objected(connection, first, last) if weeks else frozenset(),
    )


def _one(site: Site, tables: Sequence[Loaded], known: _Known) -> LeagueGlance:
    open_ = [t for t in tables if t.round.status == rounds.OPEN]
    head = tables[-1]
    return LeagueGlance(
        open=open_[-1] if open_ else None,
        overdue=tuple(t for t in open_ if t.round.closes_at <= site.now),
        seats=tuple(_seats(open_[-1], known)) if open_ else (),
        closed=tuple(_closed(site, t, known) for t in tables if t.round.status == rounds.FROZEN),
        slug=head.league_slug,
        title=head.title,
        zone=head.round.zone,
    )


def seats_of(connection: Connection, loaded: Sequence[Loaded]) -> Mapping[int, tuple[SeatGlance, ...]]:
    """The seats of these open rounds, by round."""
    known = _known(connection, loaded)
    return {one.round.id: tuple(_seats(one, known)) for one in loaded}


def _seats(loaded: Loaded, known: _Known) -> Iterator[SeatGlance]:
    own = [s for s in counted(loaded) if s.phase == ORDERS]
    sent, wrote = heard(loaded), {s.seat_id for s in own}
    number, opened, due = loaded.round.number, loaded.round.opens_at, due_on(loaded.round)
    wrote |= {seat for seat, times in known.replied.items() if any(at >= opened for at in times)}
    asked = asked_of(loaded)
    for seat in loaded.seats:
        if seat.status not in PRESENT or not plays(seat, number) or (seat.code not in asked and seat.id not in wrote):
            continue
        last, away = known.last.get(seat.id), known.instructed.away.get(seat.id)
        kept = known.instructed.kept.get((loaded.round.id, seat.id))
        is_fresh = last is not None and last.received_at >= opened
        puzzled = is_fresh and last is not None and last.verdict == "ask"
        states = (
            (SENT, seat.id in sent),
            (AWAY, away is not None and away.holds(number, due)),
            (STANDING, kept is not None and bool(kept.lines)),
            (PUZZLED, puzzled),
            (REPLIED, seat.id in wrote or (is_fresh and last is not None and last.verdict == "accepted")),
            (MISSING, True),
        )
        state = next(name for name, holds in states if holds)
        stopped = fold(seat.address) in known.stopped
        yield SeatGlance(seat, state, puzzled, stopped or seat.id in known.unreached, stopped)


def _closed(site: Site, loaded: Loaded, known: _Known) -> Closed:
    number = loaded.round.number
    if loaded.position is None:
        return Closed(number)  # waits for the round before it
    try:
        table = lay_out(loaded, known.figures)
        outcome = table.outcome()
        figures = tuple(_figures(site, loaded, outcome, known))
        battles = tuple(_battles(table, outcome))
        until = due(loaded) if asks(table) else None
        held = held_until(loaded, known.figures, site.now) if not outcome.pending else None
    except Exception as error:  # noqa: BLE001  # the border of a job: the other leagues are looked at
        return Closed(number, trouble=set_aside(site, f"{loaded.match_slug}, round {number}", error))
    return Closed(number, until, figures, battles, ready=not outcome.pending, held=held)


def _figures(site: Site, loaded: Loaded, outcome: Outcome[Any], known: _Known) -> Iterator[FigureGlance]:
    order = loaded.sources.get("figures") or order_of(site)
    for figure in [str(item["figure"]) for item in outcome.pending if item["kind"] == "evidence"]:
        day = day_of_figure(loaded, figure, closed_days(site))
        if day is None:
            yield FigureGlance(figure, None, None, BY_HAND)
            continue
        begins = asked_from(figure, day)
        status, why = _status(site, {figure: order.get(figure, ())}, figure, day, known)
        own = [one for one in known.said if (one.figure, one.day) == (figure, day)]
        newest = tuple({one.source: one for one in own}.values())
        yield FigureGlance(figure, day, begins, status, why, newest, late_at(loaded.calendar, loaded.round.ends_at))


def _status(site: Site, order: Mapping[str, Sequence[str]], figure: str, day: date, known: _Known) -> tuple[str, str]:
    try:
        standing = standing_of(site, sources_of(site, order)[figure], figure, day, known.said)
    except LeagueError as error:  # a source's name that nobody knows any more
        return BY_HAND, str(error)
    begins = asked_from(figure, day)
    if standing.status is Status.DISPUTED:
        return DISPUTED, standing.why
    if standing.status is Status.SINGLE and (figure, day) in known.objected:
        return BY_HAND, OBJECTED_TO
    if site.now < begins:
        return NOT_YET, ""
    if is_offline() or not site.settings.sources.fetch:
        return BY_HAND, ""
    return (LATE if site.now - begins >= PATIENCE else WAITING), standing.why


def _battles(table: Table, outcome: Outcome[Any]) -> Iterator[BattleGlance]:
    if not asks(table):
        return
    disputed = {
        (i["country"], i["attempt"])
        for i in outcome.pending
        if i["kind"] == "decision" and i.get("question") == "battle"
    }
    said = reports(table, outcome)
    for item in outcome.pending:
        if item["kind"] == "battle":
            country, fighters = str(item["country"]), item["fighters"]
            yield BattleGlance(
                country=country,
                place=table.game.label(country, "en"),
                attempt=int(str(item["attempt"])),
                fighters=tuple(str(f) for f in fighters) if isinstance(fighters, Sequence) else (),
                disputed=(item["country"], item["attempt"]) in disputed,
                reported=sum(1 for report in said if report.country == country),
            )
