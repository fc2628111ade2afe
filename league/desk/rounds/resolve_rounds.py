"""A frozen round with everything it needs becomes a record, a new position and mails, in one transaction."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from league.core.game import Outcome
from league.desk import registry
from league.desk.aside import set_aside
from league.desk.figures.sources import closed_days
from league.desk.leagues.calendar import MOVED, ONE_BY_ONE, following, is_last, round_of
from league.desk.leagues.held import held_until, waits
from league.desk.leagues.infos import league_info, next_round_info, round_info, site_info
from league.desk.leagues.late_figures import late_at, stop_waiting
from league.desk.leagues.records import Beside, evaluated_at, round_record
from league.desk.leagues.replies import asks, due
from league.desk.leagues.reporting import press_of, report_of
from league.desk.leagues.sealing import is_over, lock_of, open_all
from league.desk.leagues.seals import checkpoint_after
from league.desk.leagues.silence import missed, policy_of
from league.desk.leagues.turns import Table, day_of_figure, lay_out, week_of, with_days
from league.desk.post.outgoing import outgoing
from league.desk.post.roster import any_order_or_press
from league.desk.recovery import restored
from league.desk.recovery.lost_keys import take_keys
from league.desk.rounds.fixtures import ask_for_results
from league.desk.rounds.prompts import prompts
from league.desk.site import Site
from league.desk.trust import composer_keys
from league.records.sealed import read_whole
from league.reports.context import RoundInfo, RoundReport
from league.reports.report_mails import ReportMails
from league.storage import decisions, evidence, leagues, orders, outbox, readings, records, rounds
from league.storage import engine as database
from league.storage.decisions import Entered
from league.storage.evidence import Figure
from league.storage.outbox import OutMail
from league.storage.readings import Said
from league.storage.records import Sealed, Start
from league.storage.rounds import Loaded

CHUNK = 50
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A round that can't be resolved yet, and why."""

    league: str
    round: int
    pending: tuple[Mapping[str, Any], ...]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a round's report stands to the match's end: its orders are `hidden` until then, and it may be the `last`."""

    hidden: bool
    last: bool


@dataclass
class Resolved:
    """What a run of resolving did."""

    sealed: list[tuple[str, int]] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    seals: bool = True


def _quiet(_: int) -> None:
    """For runs without a progress bar."""


def resolve_rounds(site: Site, only: str = "", progress: Progress = _quiet, *, seal: bool = True) -> Resolved:
    """Resolve every frozen round that has all it needs, in order; a league that fails doesn't stop the others.

    Without `seal` rounds ask their fighters for what they wait for, and that is all (`league rebuild`).
    """
    done = Resolved(seals=seal)
    if restored.mails_wait(site):  # among them may be replies
        return done
    while True:
        before = len(done.sealed)
        done.waiting.clear()
        _sweep(site, only, done, progress)
        if len(done.sealed) == before:  # a sealed round may have made its successor ready
            return done


def _sweep(site: Site, only: str, done: Resolved, progress: Progress) -> None:
    after = 0
    while True:
        with database.read(site.engine) as connection:
            due = rounds.due_rounds(connection, site.now, CHUNK, after)
        if not due:
            return
        frozen = [d.round_id for d in due if d.status == rounds.FROZEN]
        if frozen:
            _chunk(site, frozen, only, done)
        progress(len(due))
        after = due[-1].round_id


def _chunk(site: Site, ids: Sequence[int], only: str, done: Resolved) -> None:
    with database.write(site.engine, "seal") as connection:
        loaded = [t for t in rounds.load_chunk(connection, ids) if only in ("", t.league_slug)]
        ready = [t for t in loaded if t.position is not None]  # the others wait for the round before
        known = Known(known_figures(connection, ready), readings_of(connection, ready))
        waiting = restored.unsure(connection)
        mails: list[OutMail] = []
        for table in ready:
            mails += _one(site, connection, table, known, done, waiting.get(table.match_slug))
        outbox.queue(connection, mails)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a chunk's weeks: the figures that stand, and what sources said of them."""

    figures: tuple[Figure, ...]
    said: tuple[Said, ...]


def readings_of(connection: Connection, tables: Sequence[Loaded]) -> tuple[Said, ...]:
    """What sources said of these rounds' weeks."""
    if not tables:
        return ()
    weeks = [week_of(table) for table in tables]
    return readings.readings(connection, min(w[0] for w in weeks), max(w[1] for w in weeks))


def known_figures(connection: Connection, tables: Sequence[Loaded]) -> tuple[Figure, ...]:
    """The figures of these rounds' weeks."""
    if not tables:
        return ()
    weeks = [week_of(table) for table in tables]
    return evidence.known(connection, min(w[0] for w in weeks), max(w[1] for w in weeks))


def _one(
    site: Site,
    connection: Connection,
    loaded: Loaded,
    known: Known,
    done: Resolved,
    unsure: restored.Unsure | None = None,
) -> list[OutMail]:
    """A league in a savepoint of its own: the one place where whatever goes wrong is set aside."""
    figures = known.figures
    if not restored.may_resolve(unsure, loaded):
        done.waiting.append(Waiting(loaded.league_slug, loaded.round.number, (), restored.UNKNOWN))
        return []
    try:
        with connection.begin_nested():
            seals = done.seals and restored.is_time(site, unsure, loaded)
            if seals:
                loaded = restored.with_decisions(connection, unsure, loaded)
                loaded = _end_waiting(site, connection, loaded, figures)
                loaded = _go_without(site, connection, loaded, figures)
            table = lay_out(loaded, figures)
            outcome = table.outcome()
            if outcome.pending:
                pending = with_days(loaded, outcome.pending, closed_days(site))
                done.waiting.append(Waiting(loaded.league_slug, loaded.round.number, pending))
                asked = ask_for_results(site, connection, loaded, table, outcome)
                return [*asked, *prompts(site, connection, loaded, table, outcome)]
            if not seals:
                return []
            until = held_until(loaded, figures, site.now)
            if until is not None:
                done.waiting.append(Waiting(loaded.league_slug, loaded.round.number, (waits(until),)))
                return []
            acts = restored.journal_told(site, connection, unsure, loaded)
            press = orders.press(connection, [loaded.round.id])
            beside = Beside(known.said, press, acts, lock_of(site, connection, loaded))
            sealed = round_record(loaded, table, outcome, figures, site.now, beside)
            if trouble := restored.contradiction(unsure, sealed):
                done.waiting.append(Waiting(loaded.league_slug, loaded.round.number, (), trouble))
                return []
            opens = restored.opened_at(unsure, loaded.round.number + 1, site.now)
            mails = _seal(site, connection, loaded, table, outcome, figures, sealed, opens)
            if rest := restored.sealed_again(site, connection, unsure, sealed):
                take_keys(site, connection, rest, sealed)
            done.sealed.append((loaded.league_slug, loaded.round.number))
            return mails
    except Exception as error:  # noqa: BLE001  # the border of a job
        trouble = set_aside(site, f"{loaded.match_slug}, round {loaded.round.number}", error)
    done.waiting.append(Waiting(loaded.league_slug, loaded.round.number, (), trouble))
    return []


def _seal(
    site: Site,
    connection: Connection,
    loaded: Loaded,
    table: Table,
    outcome: Outcome[Any],
    figures: Sequence[Figure],
    sealed: Sealed,
    opens: datetime,
) -> list[OutMail]:
    if not rounds.resolve(connection, loaded.round.id):
        return []  # another run was faster
    number = loaded.round.number
    records.store_records(connection, [sealed])
    over = is_over(table, outcome.state) or is_last(loaded.calendar, number)
    coming = table.game.phase(outcome.state)
    if coming is not None:
        _open_next(site, connection, loaded, coming.kind, opens)
    opened = open_all(connection, loaded, sealed, site.now) if over else None
    if opened is not None:
        records.store_records(connection, [opened])
    _close_phases(connection, loaded)
    body = table.game.position(outcome.state)
    records.store_positions(connection, [Start(loaded.round.match_id, number + 1, 1, body)])
    shown = range(1 if opened is not None else number, number + 1)  # what is opened now shows on every round's page
    places = [f"{loaded.league_slug}/{one}" for one in shown]
    leagues.mark_unpublished(connection, (loaded.league_slug, *places), token_hex(8))
    ending = Ending(hidden=sealed.secret is not None and opened is None, last=over)
    return list(_report_mails(site, connection, loaded, sealed, figures, table, ending))


def _open_next(site: Site, connection: Connection, loaded: Loaded, kind: str, opens: datetime) -> None:
    """Where rounds open one by one the next one opens with this one's report: only now is it known what it asks."""
    if loaded.calendar.get(ONE_BY_ONE):
        new, calendar = following(loaded.calendar, loaded.round.match_id, loaded.round.number + 1, opens, kind)
        for _ in range(len(calendar.get("moved", ())) - len(loaded.calendar.get("moved", ()))):
            site.write_down(connection, MOVED, "the report came late", loaded.league_id, round=new.number)
        rounds.store_calendar(connection, loaded.season_id, calendar)
        rounds.open_rounds(connection, [new])


def _close_phases(connection: Connection, loaded: Loaded) -> None:
    """What was asked for has been answered, or the waiting is over."""
    for phase in rounds.phases(connection, [loaded.round.id]):
        rounds.set_phase_status(connection, phase.id, "open", "closed")
        rounds.answer(connection, [a.id for a in rounds.asks(connection, [phase.id]) if not a.answered])


def _report_mails(
    site: Site,
    connection: Connection,
    loaded: Loaded,
    sealed: Sealed,
    figures: Sequence[Figure],
    table: Table,
    ending: Ending,
) -> Iterable[OutMail]:
    coming = None if ending.last else _following(connection, loaded)
    shown = round_info(loaded.round, loaded, status="done", record=sealed.sha256)
    chain = checkpoint_after(loaded, sealed.sha256)
    shown = replace(shown, links=chain.size, checkpoint=chain.signature(site.signing_seed))
    league = league_info(site, loaded, table.game)
    press = press_of(connection, loaded, loaded.round.id)
    board = registry.board_of(loaded.sources)
    body = read_whole(sealed.body, sealed.secret)
    report = report_of(league, shown, body, coming, press, board, hidden=ending.hidden)
    report = replace(report, over=ending.last)
    keys = {} if ending.last else composer_keys(site, loaded, table.game)
    mails = ReportMails(site_info(site), _warning(connection, loaded, report), any_order_or_press, keys)
    date = evaluated_at(loaded, figures)
    for place in loaded.seats:
        if place.status in leagues.PRESENT and place.address and place.reports:
            yield outgoing(
                site, "report", mails.mail(place.code), place, loaded.match_slug, loaded.round.number, date=date
            )


def _following(connection: Connection, loaded: Loaded) -> RoundInfo:
    if loaded.calendar.get(ONE_BY_ONE):
        current = rounds.current(connection, [loaded.round.match_id])[loaded.round.match_id]
        (coming,) = rounds.load_chunk(connection, [current.id])
        return round_info(coming.round, coming)
    return next_round_info(round_of(loaded.calendar, loaded.round.match_id, loaded.round.number + 1))


def _warning(connection: Connection, loaded: Loaded, report: RoundReport) -> RoundReport:
    """With how long each player was silent, from the number on that warns."""
    policy = policy_of(loaded.calendar)
    counts = missed(connection, loaded.round.match_id, loaded.seats, loaded.round.number)
    warned = {code: count for code, count in counts.items() if count >= policy.warn}
    return replace(report, missed=warned, missed_limit=policy.limit, missed_action=policy.action)


def _end_waiting(site: Site, connection: Connection, loaded: Loaded, figures: Sequence[Figure]) -> Loaded:
    """At the reply deadline the waiting for battles ends by itself; a dispute goes on waiting for a person (K33)."""
    moment = due(loaded)
    if site.now < moment or any(d.kind == "over" for d in loaded.decisions) or not asks(lay_out(loaded, figures)):
        return loaded
    over = Entered(loaded.round.id, "over", {}, "calendar", moment)  # the same whenever the tool is run
    decisions.decide(connection, [over])
    return replace(loaded, decisions=(*loaded.decisions, over))


def _go_without(site: Site, connection: Connection, loaded: Loaded, figures: Sequence[Figure]) -> Loaded:
    """Where the season says so, figures that are too late bring no event (DESIGN: figure_late)."""
    end = late_at(loaded.calendar, loaded.round.ends_at)
    if end is None or site.now < end:
        return loaded
    dispensable = set(registry.plugin(loaded.game).meta.dispensable)
    while missing := _missing(loaded, lay_out(loaded, figures).outcome(), dispensable, closed_days(site)):
        made = stop_waiting(connection, loaded, missing, end)
        loaded = replace(loaded, decisions=(*loaded.decisions, *made))
        dispensable -= missing.keys()
    return loaded


def _missing(
    loaded: Loaded, outcome: Outcome[Any], dispensable: Collection[str], closed: Collection[date]
) -> dict[str, str]:
    """The figures that an outcome waits for, each with its day; battles that hang on the lottery go on waiting."""
    names = [str(item["figure"]) for item in outcome.pending if item["kind"] == "evidence"]
    names = [name for name in names if name in dispensable]
    if any(item["kind"] == "battle" for item in outcome.pending):
        names = [name for name in names if name != "lotto"]
    friday = week_of(loaded)[0] + timedelta(days=4)
    return {name: (day_of_figure(loaded, name, closed) or friday).isoformat() for name in names}
