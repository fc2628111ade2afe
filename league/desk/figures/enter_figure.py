"""`league draw enter`: a public figure by hand, with its source and a reason (DESIGN: Chance)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from secrets import token_hex

from league.core.errors import BadInput, Refused
from league.desk import registry
from league.desk.leagues.turns import week_of
from league.desk.site import Site, find_running
from league.storage import engine as database
from league.storage import evidence, leagues, rounds
from league.storage.evidence import Figure

FRIDAY, LOTTERY_DAYS = 4, 5


@dataclass(frozen=True, slots=True)
class Entry:
    """What the organizer read somewhere: the figures of one week, as written there."""

    table: Mapping[str, str]
    source: str
    reason: str
    holiday: bool = False


def enter_figures(site: Site, slug: str, entry: Entry) -> tuple[Figure, ...]:
    """Enter them for every league of the site; `BadInput` for what can't be read, `Refused` for what can't be."""
    if not entry.source.strip() or not entry.reason.strip():
        raise BadInput("a figure entered by hand needs --source and --why; both are shown on the page")
    site.open_words(entry.source, entry.reason, what="--source or --why")
    with database.write(site.engine) as connection:
        running = find_running(site, connection, slug)
        game = registry.load(running.league.game, dict(running.season.options))
        found = game.read_evidence(entry.table)
        if not found:
            raise BadInput(f"no figure given; there are {', '.join(game.meta.figures)}")
        check_days(site, [(e.figure, e.day) for e in found], holiday=entry.holiday)
        entered = []
        for e in found:
            before = evidence.known(connection, e.day, e.day, (e.figure,))
            if before and before[0].value != e.value:
                raise Refused(
                    f"{e.figure} of {e.day} is {before[0].value} already (from {before[0].source}); "
                    f"league draw correct changes what stands"
                )
            figure = Figure(e.figure, e.day, e.value, "manual", entry.source, entry.reason, site.now)
            entered.append(evidence.enter(connection, figure))
        named = {f.figure: f"{f.value} ({f.day})" for f in entered}
        site.write_down(connection, "draw enter", entry.reason, running.league.id, source=entry.source, **named)
        waiting = [r for r in rounds.rounds(connection, running.match.id) if r.status == rounds.FROZEN]
        places = {slug, *(f"{slug}/{r.number}" for r in waiting)}
        leagues.mark_unpublished(connection, places, token_hex(8))
    return tuple(entered)


def check_days(site: Site, days: list[tuple[str, date]], *, holiday: bool) -> None:
    """`Refused` for a day that hasn't come, or a close that isn't a Friday's without a word on why."""
    today = site.now.date()
    for figure, day in days:
        if day > today:
            raise Refused(f"{figure} of {day}: that day hasn't come yet (it is {today})")
        if figure == "dax_close" and day.weekday() != FRIDAY and not holiday:
            friday = day + timedelta(days=FRIDAY - day.weekday())
            raise Refused(
                f"{day} is no Friday. If the exchange was closed on Friday {friday}, so that this close says there is "
                f"no civil war (K47), say so with --holiday; else enter the Friday's close"
            )


def show_figures(site: Site, slug: str, number: int | None = None) -> tuple[int, tuple[Figure, ...]]:
    """The figures of a round's week: of the round named, else of the one being evaluated or open, else of the last."""
    with database.read(site.engine) as connection:
        running = find_running(site, connection, slug)
        found = rounds.rounds(connection, running.match.id)
        waiting = [r.number for r in found if r.status != rounds.RESOLVED]
        chosen = number if number is not None else (*waiting, found[-1].number)[0]
        wanted = [r for r in found if r.number == chosen]
        if not wanted:
            raise Refused(f"{slug} has no round {chosen}; the newest is {found[-1].number}")
        (loaded,) = rounds.load_chunk(connection, [wanted[0].id])
        first, last = week_of(loaded)
        return chosen, evidence.known(connection, first, last)
