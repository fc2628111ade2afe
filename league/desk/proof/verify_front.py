"""A league's own page, its history and its journal's page against records and journal: what is looked at first."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from json import loads
from typing import Any

from league.core.json import Json
from league.desk.leagues.recompute import differences, game_of
from league.desk.proof.chronicles import HISTORY, chronicle, history_file
from league.desk.proof.look_file import is_ours
from league.desk.proof.verify_files import JOURNAL, Read
from league.desk.proof.verify_journal import acts_of
from league.desk.proof.verify_pages import Line, PageFacts, names_in, table_faults
from league.desk.proof.verify_told import Told
from league.records.audit import ADJUSTMENT, Link
from league.reports.chronicle import Chronicle
from league.reports.journal import WHY_MOST
from league.reports.texts import clean

Found = Iterable[tuple[str, str]]
MOST_DIFFERENCES = 5
NO_REASON = "–"  # as the page has it


def check_front(told: Told, chain: Sequence[Link], newest: Mapping[int, Link], read: Read, board: str) -> None:
    """The league's page in every language, `history.json`, and the page of the journal in every language."""
    names = names_in(read.names)
    for name, page in sorted(read.fronts.items()) if newest else ():
        told.looked("pages")
        told.found("pages", Link(name, "", {}), partial(_front, page, chain, newest, names, board))
    if not is_ours(read.look):  # another program may tell of more, and templates of one's own of less
        return
    told.found("pages", Link(HISTORY, "", {}), partial(_history, newest, read.history, board))
    acts = acts_of(read.journal)
    for name, lines in sorted(read.journal_pages.items()):
        told.looked("pages")
        told.found("pages", Link(name, "", {}), partial(_journal, lines, acts or ()))


def _standings(chain: Sequence[Link], newest: Mapping[int, Link], board: str) -> list[list[Json]]:
    """The table with which the next round starts: after the newest round, or what a correction put in its place."""
    last = max(newest)
    body = newest[last].body
    position = body["position"]
    for link in chain:
        if link.kind == ADJUSTMENT and link.round == last + 1:
            position = link.body["to"]
    game = game_of(body, board)
    return [[place.rank, place.seat, place.points] for place in game.score(game.restore(position))]


def _front(
    page: PageFacts, chain: Sequence[Link], newest: Mapping[int, Link], names: Mapping[str, str], board: str
) -> Found:
    yield from table_faults(page, _standings(chain, newest, board), names)


def _history(newest: Mapping[int, Link], content: bytes | None, board: str) -> Found:
    if content is None:
        yield "", "it isn't there"
        return
    told = loads(content)
    bodies = [newest[number].body for number in sorted(newest)]
    rows = chronicle(game_of(bodies[0], board), bodies) if bodies else Chronicle()
    made = loads(history_file(str(told.get("league")), str(told.get("match")), rows))
    yield from islice(differences(told, made), MOST_DIFFERENCES)


def _journal(lines: Sequence[Line], acts: Sequence[Mapping[str, Any]]) -> Found:
    if len(lines) != len(acts):
        yield "", f"it has {len(lines)} acts, and {JOURNAL} has {len(acts)}"
        return
    for place, (line, act) in enumerate(zip(lines, reversed(acts), strict=True)):
        if line != (str(act["at"]), clean(str(act["why"]), WHY_MOST) or NO_REASON):
            yield f"row {place + 1}", f"it isn't what {JOURNAL} has of the act of {str(act['at'])[:20]}"
