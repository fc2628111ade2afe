"""Sources correct themselves: what they say after a figure has come to stand is noticed, and a person decides.

Each source is asked once a day for five days what it says now of a figure that stands. Nothing follows from the answer
but notices, on the round's page and in `league status`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput
from league.desk.figures.sources import order_of, sources_of
from league.desk.leagues.versions import Versions
from league.desk.site import Site
from league.sources.agreement import read_part
from league.sources.answer import Source
from league.storage import evidence, readings, records
from league.storage import look_back as books
from league.storage.evidence import CORRECTED, Figure
from league.storage.look_back import Done
from league.storage.readings import Said

DAY = timedelta(days=1)
ASKED, SHOWN = 5 * DAY, 28 * DAY  # for how long sources are asked again, and notices stand in the status


def contradicts(figure: Figure, said: Sequence[Said]) -> tuple[Said, ...]:
    """The sources that say otherwise now, in the part that the rules read, than what stands since `entered_at`."""
    newest: dict[str, Said] = {}
    for one in said:
        if (one.figure, one.day) == (figure.figure, figure.day) and one.read_at > figure.entered_at:
            newest[one.source] = one
    stands = read_part(figure.figure, figure.value)
    return tuple(one for one in newest.values() if read_part(one.figure, one.value) != stands)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A figure that stands, and a source that says otherwise by now."""

    figure: Figure
    said: Said


def doubts(connection: Connection, first: date) -> list[Doubt]:
    """What sources say now of days from `first` on, against what stands, in the part that the rules read."""
    return [
        Doubt(figure, said)
        for figure, said in evidence.outspoken(connection, first)
        if read_part(said.figure, said.value) != read_part(figure.figure, figure.value)
    ]


def lately(site: Site) -> date:
    """Since when doubts are shown in the status."""
    return site.now.date() - SHOWN


@dataclass(frozen=True, slots=True)
class Stale:
    """A sealed round of a league that stands on a figure which was corrected since, for another league."""

    league: str
    round: int
    figure: str
    used: str
    stands: str


def stale(site: Site, connection: Connection) -> Iterator[Stale]:
    """The rounds of which the books have another figure by now than their records."""
    today = site.now.date()
    corrected = [f for f in evidence.known(connection, today - SHOWN, today) if f.status == CORRECTED]
    for figure in corrected:
        for done in books.of_week(connection, figure.day):
            yield from _stale(connection, done, figure)


def _stale(connection: Connection, done: Done, figure: Figure) -> Iterator[Stale]:
    newest = Versions.of(records.of_round(connection, done.match_id, done.round)).newest[done.round]
    row: dict[str, Any] | None = next((e for e in newest.body["evidence"] if e["figure"] == figure.figure), None)
    if row is not None and (row["day"], row["value"]) != (figure.day.isoformat(), figure.value):
        yield Stale(done.league, done.round, figure.figure, str(row["value"]), figure.value)


# ------------------------------------------------------------------ asking again


def due(site: Site, connection: Connection) -> list[tuple[Figure, tuple[Source, ...]]]:
    """The figures that are asked about once more, with the sources whose turn it is."""
    today = site.now.date()
    stand = [f for f in evidence.known(connection, today - ASKED, today) if site.now - f.entered_at >= DAY]
    if not stand:
        return []
    said = readings.readings(connection, today - ASKED, today)
    try:
        chosen = sources_of(site, order_of(site))
    except BadInput:  # a name in league.toml that nobody knows: `league doctor sources` tells
        return []
    last = {(one.source, one.day): one.read_at for one in said}
    asked = []
    for figure in stand:
        turn = tuple(
            source
            for source in chosen.get(figure.figure, ())
            if source.figure == figure.figure
            and ((source.name, figure.day) not in last or site.now - last[source.name, figure.day] >= DAY)
        )
        asked += [(figure, turn)] if turn else []
    return asked


def places_of(connection: Connection, figure: Figure) -> tuple[str, ...]:
    """The pages on which the figure stands, as the books of unpublished places name them."""
    found = books.of_week(connection, figure.day)
    return tuple(place for done in found for place in (done.league, f"{done.league}/{done.round}"))
