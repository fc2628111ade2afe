"""`league draw correct` and `draw object`: a public figure that stands, and shouldn't (DESIGN: Chance, Corrections).

Figures belong to no league. What was corrected counts at once for every round that isn't sealed; a sealed one gets a
new version where the organizer says so, league by league.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from secrets import token_hex

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.evidence import Evidence
from league.core.json import Json, JsonDict
from league.desk import registry
from league.desk.correcting.correct_round import Act, Bench, Corrected, correct, done_before
from league.desk.figures.enter_figure import Entry, check_days
from league.desk.figures.second_looks import contradicts
from league.desk.leagues.calendar import days_of_figures
from league.desk.leagues.corrections import LOTTERY, Mend, replaced
from league.desk.leagues.records import figure_row
from league.desk.leagues.turns import figures_of, week_of
from league.desk.leagues.versions import Versions
from league.desk.rounds.resolve_rounds import readings_of
from league.desk.site import Running, Site, find_running
from league.storage import engine as database
from league.storage import evidence, leagues, readings, records, rounds
from league.storage.evidence import CONFIRMED, CORRECTED, OBJECTED, Figure
from league.storage.rounds import Loaded

WEEK = timedelta(days=7)
NAMED = re.compile(r"(.+) \((\d{4}-\d\d-\d\d)\)")  # a figure as the journal has it
BY_A_PERSON = ("manual", CORRECTED, CONFIRMED)


@dataclass(frozen=True, slots=True)
class FigureCorrected:
    """What came of it: the figures as they stand now; `sealed` is the correction of a round whose report was out."""

    round: int
    figures: tuple[Figure, ...]
    sealed: Corrected | None = None
    confirmed: bool = False


def correct_figures(site: Site, slug: str, entry: Entry, act: Act) -> FigureCorrected:
    """Put a figure right, in the round of whose week it is; the value that stands is confirmed."""
    if not entry.source.strip() or not act.why.strip():
        raise BadInput("a corrected figure needs --source and --why; both are shown on the page")
    site.open_words(entry.source, act.why, what="--source or --why")
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug)
    game = registry.load(running.league.game, dict(running.season.options))
    found = game.read_evidence(entry.table)
    if not found:
        raise BadInput(f"no figure given; there are {', '.join(game.meta.figures)}")
    check_days(site, [(e.figure, e.day) for e in found], holiday=entry.holiday)
    return put_right(site, slug, found, entry, act)


def put_right(site: Site, slug: str, found: Sequence[Evidence], entry: Entry, act: Act) -> FigureCorrected:
    """The same with figures that were read already; of `entry` only the source is asked for."""
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug)
        number = _round_of(connection, running, [e.day for e in found])
        chosen = next(r for r in rounds.rounds(connection, running.match.id) if r.number == number)
        stand = evidence.known(connection, min(e.day for e in found), max(e.day for e in found))
    new = tuple(Figure(e.figure, e.day, e.value, CORRECTED, entry.source, act.why, site.now) for e in found)
    if all((f.figure, f.day, f.value) in {(s.figure, s.day, s.value) for s in stand} for f in new):
        used = chosen.status == rounds.RESOLVED and _differs(site, slug, number, found)
        before = _done_before(site, running, number, act, _named(entry, new)) if not used else None
        if before is not None:
            return FigureCorrected(number, new, before)
        if not used:
            return FigureCorrected(number, _confirm(site, running, number, entry, act, new), confirmed=True)
    if chosen.status == rounds.RESOLVED:
        told = _named(entry, new)
        sealed = correct(site, slug, number, act, lambda c, bench: replace(_mend(c, bench, new), told=told))
        return FigureCorrected(number, new, sealed)
    return FigureCorrected(number, _unsealed(site, slug, number, new, entry, act))


def _done_before(site: Site, running: Running, number: int, act: Act, told: Mapping[str, Json]) -> Corrected | None:
    """What this very correction has done, if it was typed before."""
    with database.read(site.engine) as connection:
        versions = Versions.of(records.chain(connection, running.match.id))
        if number not in versions.newest:
            return None
        loaded = _loaded(connection, running, number)
        bench = Bench(running, loaded, versions.newest[number].body, registry.board_of(loaded.sources))
        return done_before(connection, bench, versions, act, told)


def _round_of(connection: Connection, running: Running, days: Sequence[date]) -> int:
    """The round of whose days (a week's, Monday to Sunday, or that of a draw) these are.

    Several phases may close before the same draw; the last of them has used it, or waits for it.
    """
    found = rounds.rounds(connection, running.match.id)
    spans = {r.number: days_of_figures(running.season.calendar, r.number, r.closes_at) for r in found}
    fitting = [n for n, (first, last) in spans.items() if all(first <= day <= last for day in days)]
    if not fitting:
        listed = ", ".join(sorted({str(day) for day in days}))
        raise Refused(
            f"{listed}: no round of {running.league.slug} has its figures from the week of that; one at a time"
        )
    return fitting[-1]


def _differs(site: Site, slug: str, number: int, found: Sequence[Evidence]) -> bool:
    """Whether the round's record has other values than these."""
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug)
        body = Versions.of(records.chain(connection, running.match.id)).newest[number].body
    has = {(row["figure"], row["day"], row["value"]) for row in body["evidence"]}
    return any((e.figure, e.day.isoformat(), e.value) not in has for e in found)


def _mend(connection: Connection, bench: Bench, new: Sequence[Figure]) -> Mend:
    """The record's evidence with these figures in the place of theirs; the books get them too.

    One that the round didn't need may come with them: it may need it now.
    """
    rows, number = bench.body["evidence"], bench.body["round"]
    if not any(_is_of(row["figure"], figure) for row in rows for figure in new):
        given, used = ", ".join(f.figure for f in new), ", ".join(str(row["figure"]) for row in rows)
        raise Refused(f"round {number} was evaluated without {given}: it used {used or 'no figure'}")
    said = readings_of(connection, [bench.loaded])
    entered = _enter(connection, bench.loaded, new)
    return Mend(evidence=replaced(rows, [figure_row(figure, said) for figure in entered]))


def _is_of(name: str, figure: Figure) -> bool:
    return name == figure.figure or {name, figure.figure} <= set(LOTTERY)


def _enter(connection: Connection, loaded: Loaded, new: Sequence[Figure]) -> tuple[Figure, ...]:
    """Into the books; what stood for another day of the week, or as a set of balls, is taken back."""
    stand = evidence.known(connection, *week_of(loaded))
    for figure in new:
        for old in stand:
            if _is_of(old.figure, figure) and (old.figure, old.day) != (figure.figure, figure.day):
                gone = Figure(old.figure, old.day, "", CORRECTED, figure.source, figure.reason, figure.entered_at)
                evidence.enter(connection, gone)
    return tuple(evidence.enter(connection, figure) for figure in new)


def _unsealed(site: Site, slug: str, number: int, new: Sequence[Figure], entry: Entry, act: Act) -> tuple[Figure, ...]:
    """Nothing is sealed yet: what stands is replaced, and the round is evaluated with that."""
    with database.write(site.engine) as connection:
        running = find_running(site, connection, slug)
        loaded = _loaded(connection, running, number)
        stand = figures_of(loaded, evidence.known(connection, *week_of(loaded)))
        for figure in new:
            if not any(_is_of(old.figure, figure) for old in stand):
                raise Refused(f"{figure.figure} of {figure.day} isn't known yet; league draw enter enters it")
        if act.dry_run:
            return tuple(new)
        entered = _enter(connection, loaded, new)
        _note(site, connection, running, number, entry, act, entered)
    return entered


def _confirm(
    site: Site, running: Running, number: int, entry: Entry, act: Act, new: Sequence[Figure]
) -> tuple[Figure, ...]:
    """A person has looked: what stands is right, whatever a source says now. `Refused` where nobody doubts it."""
    with database.write(site.engine) as connection:
        stand = {(f.figure, f.day): f for f in evidence.known(connection, new[0].day - WEEK, new[0].day + WEEK)}
        olds = [stand[figure.figure, figure.day] for figure in new]
        said = readings.readings(connection, min(f.day for f in olds), max(f.day for f in olds))
        if all(old.status in BY_A_PERSON and not contradicts(old, said) for old in olds):
            named = ", ".join(f"{f.figure} of {f.day} is {f.value}" for f in olds)
            raise Refused(f"{named} already, by a person's word, and no source says otherwise")
        if act.dry_run:
            return tuple(new)
        entered = []
        for figure in new:
            old = stand[figure.figure, figure.day]
            again = Figure(old.figure, old.day, old.value, CONFIRMED, entry.source, act.why, site.now)
            entered.append(evidence.enter(connection, again, again=True))
        _note(site, connection, running, number, entry, act, entered)
    return tuple(entered)


def _note(
    site: Site,
    connection: Connection,
    running: Running,
    number: int,
    entry: Entry,
    act: Act,
    entered: Sequence[Figure],
) -> None:
    site.write_down(connection, act.name, act.why, running.league.id, round=number, **_named(entry, entered))
    _mark(connection, running.league.slug, number)


def _mark(connection: Connection, slug: str, number: int) -> None:
    leagues.mark_unpublished(connection, (slug, f"{slug}/{number}"), token_hex(8))


def _loaded(connection: Connection, running: Running, number: int) -> Loaded:
    chosen = next(r for r in rounds.rounds(connection, running.match.id) if r.number == number)
    (loaded,) = rounds.load_chunk(connection, [chosen.id])
    return loaded


def _named(entry: Entry, found: Sequence[Figure]) -> dict[str, Json]:
    """What the journal keeps, so that the act can be done again from it."""
    return {"source": entry.source, **{f.figure: f"{f.value} ({f.day})" for f in found}}


def named_figures(arguments: Mapping[str, Json]) -> tuple[Evidence, ...]:
    """The figures that an act of the journal names, in the order of their names."""
    found = ((figure, NAMED.fullmatch(str(arguments[figure]))) for figure in sorted(arguments))
    return tuple(Evidence(figure, date.fromisoformat(read[2]), read[1]) for figure, read in found if read)


# ------------------------------------------------------------------ objection


def object_to(site: Site, slug: str, figure: str, why: str) -> Figure:
    """The organizer doesn't believe a figure that stands by one source alone: it is taken back, and a person decides.

    It may then stand by a second source, or by `draw enter`; by that one source it doesn't any more.
    """
    if not why.strip():
        raise BadInput("say why with --why: it is written down")
    site.open_words(why)
    with database.write(site.engine) as connection:
        running = find_running(site, connection, slug)
        loaded = _evaluated(connection, running)
        number = loaded.round.number
        stand = {f.figure: f for f in figures_of(loaded, evidence.known(connection, *week_of(loaded)))}
        if figure not in stand:
            known = ", ".join(stand) or "none yet"
            raise Refused(f"no {figure} stands for round {number}; known: {known}")
        old = stand[figure]
        if old.status != "single":
            raise Refused(
                f"{figure} of {old.day} stands as {old.status}, not by one source alone; a wrong value is put right "
                f"with league draw correct"
            )
        gone = evidence.enter(connection, Figure(figure, old.day, "", OBJECTED, old.source, why, site.now))
        told: JsonDict = {"figure": figure, "day": old.day.isoformat(), "value": old.value}
        site.write_down(connection, "draw object", why, running.league.id, round=number, **told)
        _mark(connection, running.league.slug, number)
    return gone


def _evaluated(connection: Connection, running: Running) -> Loaded:
    frozen = [r for r in rounds.rounds(connection, running.match.id) if r.status == rounds.FROZEN]
    if not frozen:
        raise Refused(
            f"no round of {running.league.slug} is being evaluated; a figure of a report that is out is put right with "
            f"league draw correct"
        )
    (loaded,) = rounds.load_chunk(connection, [frozen[0].id])
    return loaded
