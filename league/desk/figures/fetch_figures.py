"""`league draw fetch`, and the part of `league run` that asks for public figures (DESIGN: Chance).

Asked are the figures of frozen rounds alone, in the season's order of sources, each source once a figure and run, and
none that asked to be left alone. Every answer is noted; what then stands enters the evidence book in the same
transaction. Nothing is asked while a transaction is open.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from secrets import token_hex

from sqlalchemy import Connection

from league.desk import registry
from league.desk.figures import second_looks
from league.desk.figures.doctor import Finding
from league.desk.figures.sources import closed_days, is_offline, order_of, sources_of
from league.desk.leagues.turns import day_of_figure, lay_out, week_of
from league.desk.site import Site
from league.sources.agreement import Standing, Status, decide
from league.sources.answer import Reading, Source, Unanswered
from league.sources.patience import pause
from league.sources.week import asked_from, day_of
from league.storage import engine as database
from league.storage import evidence, leagues, readings, rounds
from league.storage.evidence import OBJECTED, Figure
from league.storage.readings import Pause, Said
from league.storage.rounds import Loaded

CHUNK = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """A figure of a day that frozen rounds wait for, with the season's sources of it."""

    figure: str
    day: date
    sources: tuple[Source, ...]
    places: tuple[str, ...]  # leagues and their rounds, as pages name them


@dataclass(frozen=True, slots=True)
class Answer:
    """What one source said to one question."""

    source: str
    figure: str
    day: date
    value: str = ""
    trouble: str = ""


@dataclass
class Fetched:
    """What a run asked and what came of it; `standings` by figure and day."""

    answers: list[Answer] = field(default_factory=list)
    entered: list[Figure] = field(default_factory=list)
    standings: dict[tuple[str, date], Standing] = field(default_factory=dict)

    @property
    def disputed(self) -> list[tuple[str, date, str]]:
        """What a person has to decide."""
        return [(f, d, s.why) for (f, d), s in sorted(self.standings.items()) if s.status is Status.DISPUTED]


def fetch_figures(site: Site, only: str = "", *, force: bool = False) -> Fetched:
    """Ask for what frozen rounds wait for. `force`: also sources that would be left alone, and figures not due yet."""
    done = Fetched()
    if is_offline() or not (site.settings.sources.fetch or force):
        return done
    with database.read(site.engine) as connection:
        wanted = list(_wanted(site, connection, only))
        paused = readings.pauses(connection)
    for one in wanted:
        if force or site.now >= asked_from(one.figure, one.day):
            _one(site, one, paused, done, force=force)
    _look_again(site, paused, done)
    return done


def _look_again(site: Site, paused: Mapping[str, Pause], done: Fetched) -> None:
    """Ask about figures that stand, once a day for some days: a source may have corrected itself (second_looks)."""
    with database.read(site.engine) as connection:
        asked = second_looks.due(site, connection)
    for figure, sources in asked:
        said, troubles = _ask(site, Wanted(figure.figure, figure.day, sources, ()), paused, done)
        with database.write(site.engine) as connection:
            _note(connection, said, troubles)
            if second_looks.contradicts(figure, [_said(reading) for reading in said]):
                leagues.mark_unpublished(connection, second_looks.places_of(connection, figure), token_hex(8))


def _one(site: Site, wanted: Wanted, paused: Mapping[str, Pause], done: Fetched, *, force: bool) -> None:
    said, troubles = _ask(site, wanted, paused, done, force=force)
    with database.write(site.engine) as connection:
        _note(connection, said, troubles)
        if said:  # the round's page tells who said what
            leagues.mark_unpublished(connection, wanted.places, token_hex(8))
        _enter(site, connection, wanted, done)


def _note(connection: Connection, said: Sequence[Reading], troubles: Sequence[Pause]) -> None:
    readings.note(connection, [_said(reading) for reading in said])
    readings.forget(connection, [reading.source for reading in said])
    readings.leave_alone(connection, troubles)


def _ask(
    site: Site, wanted: Wanted, paused: Mapping[str, Pause], done: Fetched, *, force: bool = False
) -> tuple[list[Reading], list[Pause]]:
    """What the sources answer, and who is left alone after it."""
    said: list[Reading] = []
    troubles: list[Pause] = []
    for source in wanted.sources:
        before = paused.get(source.name)
        if before is not None and before.until > site.now and not force:
            continue
        try:
            reading = source.read(wanted.day, site.now)
        except Unanswered as trouble:
            failures = (before.failures if before else 0) + 1
            until = site.now + pause(trouble, failures)
            troubles.append(Pause(source.name, failures, trouble.why.value, trouble.text, until))
            done.answers.append(Answer(source.name, wanted.figure, wanted.day, trouble=trouble.text))
            continue
        said.append(reading)
        done.answers.append(Answer(source.name, wanted.figure, wanted.day, reading.value))
    return said, troubles


def _said(reading: Reading) -> Said:
    return Said(
        reading.source, reading.figure, reading.day, reading.value, reading.read_at, dict(reading.more), reading.before
    )


def _enter(site: Site, connection: Connection, wanted: Wanted, done: Fetched) -> None:
    """What stands now goes into the evidence book, unless somebody was faster."""
    known = readings.readings(connection, wanted.day, wanted.day)
    standing = standing_of(site, wanted.sources, wanted.figure, wanted.day, known)
    done.standings[wanted.figure, wanted.day] = standing
    book = evidence.history(connection, wanted.figure, wanted.day)
    if not standing.status.stands or (book and book[-1].value):
        return
    if book and (standing.status is Status.SINGLE or book[-1].status != OBJECTED):
        return  # a person took it back: one source alone doesn't bring it back, nor anything a day without it
    words = ", ".join(source.about for source in wanted.sources if source.name in standing.sources)
    figure = Figure(wanted.figure, wanted.day, standing.value, standing.status.value, words, "", site.now)
    done.entered.append(evidence.enter(connection, figure))
    leagues.mark_unpublished(connection, wanted.places, token_hex(8))


def standing_of(site: Site, sources: Sequence[Source], figure: str, day: date, known: Iterable[Said]) -> Standing:
    """What stands of a figure now, given what the readings book holds."""
    mine = [_reading(one) for one in known if one.day == day and one.figure in (figure, f"{figure}_set")]
    return decide(sources, mine, site.now, _single_after(site))


def _reading(said: Said) -> Reading:
    return Reading(said.source, said.figure, said.day, said.value, said.read_at, before=said.before)


def _single_after(site: Site) -> timedelta | None:
    hours = site.settings.sources.single_after_hours
    return timedelta(hours=hours) if hours else None


def _wanted(site: Site, connection: Connection, only: str) -> Iterable[Wanted]:
    """The figures that frozen rounds lack, each once, by day and figure."""
    found: dict[tuple[str, date], list[Loaded]] = {}
    for loaded in _frozen(site, connection, only):
        monday, sunday = week_of(loaded)
        figures = evidence.known(connection, monday, sunday)
        if not _waits(loaded, figures):
            continue
        known = {f.figure for f in figures}
        for figure in registry.plugin(loaded.game).meta.figures:
            day = day_of_figure(loaded, figure, closed_days(site))
            if figure not in known and day is not None:
                found.setdefault((figure, day), []).append(loaded)
    for (figure, day), tables in sorted(found.items(), key=lambda item: (item[0][1], item[0][0])):
        order = tables[0].sources.get("figures") or order_of(site)
        chosen = sources_of(site, {figure: order.get(figure, ())})[figure]
        places = [(t.league_slug, f"{t.league_slug}/{t.round.number}") for t in tables]
        yield Wanted(figure, day, chosen, tuple(place for pair in places for place in pair))


def _waits(loaded: Loaded, figures: Sequence[Figure]) -> bool:
    """Whether the rules want a figure of this round; one without a draw waits for nothing."""
    if loaded.position is None:  # the round before isn't done, so whether this one has a draw isn't known
        return True
    return any(item["kind"] == "evidence" for item in lay_out(loaded, figures).outcome().pending)


def _frozen(site: Site, connection: Connection, only: str) -> Iterable[Loaded]:
    after = 0
    while due := rounds.due_rounds(connection, site.now, CHUNK, after):
        ids = [one.round_id for one in due if one.status == rounds.FROZEN]
        yield from (t for t in rounds.load_chunk(connection, ids) if only in ("", t.league_slug))
        after = due[-1].round_id


def probe(site: Site) -> Sequence[Answer]:
    """Ask every source for the newest day it should have, and note nothing."""
    answers = []
    for figure, chosen in sources_of(site, order_of(site)).items():
        day = _newest(site, figure)
        for source in chosen:
            try:
                answers.append(Answer(source.name, figure, day, source.read(day, site.now).value))
            except Unanswered as trouble:
                answers.append(Answer(source.name, figure, day, trouble=trouble.text))
    return answers


def examine_sources(site: Site) -> list[Finding]:
    """What each source says, for `league doctor sources`; wrong is a figure that no source knows."""
    answers = probe(site)
    known = {answer.figure for answer in answers if answer.value}
    return [
        Finding(
            "ok" if a.value else "weak" if a.figure in known else "wrong",
            f"{a.source}: {a.figure} of {a.day}: {a.value or a.trouble}",
            "" if a.value else "look at [sources] in league.toml, or enter the figure with league draw enter",
        )
        for a in answers
    ]


def _newest(site: Site, figure: str) -> date:
    """The last day of which the figure should be known by now."""
    today = site.now.date()
    monday = today - timedelta(days=today.weekday())
    for weeks in range(6):
        day = day_of(figure, monday - weeks * timedelta(days=7), closed_days(site))
        if day is not None and site.now >= asked_from(figure, day):
            return day
    return today
