"""A league's own page, what the front page shows of it, its history and its journal's page: what is looked at first."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from json import loads
from typing import Any

from league.core.json import Json
from league.desk.leagues.recompute import differences, game_of
from league.desk.proof.chronicles import HISTORY, chronicle, history_file, put_right
from league.desk.proof.look_file import is_ours
from league.desk.proof.verify_calendar import Season
from league.desk.proof.verify_composer import composer_faults
from league.desk.proof.verify_files import JOURNAL, Read
from league.desk.proof.verify_journal import acts_of
from league.desk.proof.verify_pages import Line, PageFacts, names_in, page_number, table_faults
from league.desk.proof.verify_teaser import map_faults, stands_after, teaser_faults
from league.desk.proof.verify_told import Told
from league.records.audit import Body, Link
from league.reports.chronicle import Chronicle
from league.reports.journal import WHY_MOST
from league.reports.teaser import FILE as TEASER
from league.reports.teaser import THUMBNAIL
from league.reports.texts import clean

Found = Iterable[tuple[str, str]]
MOST_DIFFERENCES = 5
NO_REASON = "–"  # as the page has it


def check_front(told: Told, chain: Sequence[Link], newest: Mapping[int, Link], read: Read, board: str) -> None:
    """The league's page in every language, `history.json`, `teaser.json` and `map.svg`, the journal's page as well."""
    names = names_in(read.names)
    for name, page in sorted(read.fronts.items()) if newest else ():
        told.looked("pages")
        told.found("pages", Link(name, "", {}), partial(_front, page, chain, newest, names, board))
    if not is_ours(read.look):  # another program may tell of more, and templates of one's own of less
        return
    told.found("pages", Link(HISTORY, "", {}), partial(_history, chain, newest, read.history, board))
    acts = acts_of(read.journal)
    if newest:
        last = Season(chain[0].body["calendar"], acts or (), None).last
        given = tuple(chain), newest[max(newest)].body, names, board, last
        told.found("pages", Link(TEASER, "", {}), partial(teaser_faults, *given, read.teaser))
        told.found("pages", Link(THUMBNAIL, "", {}), partial(map_faults, *given, read.thumbnail))
        _composers(told, tuple(chain), newest, read, board)
    for name, lines in sorted(read.journal_pages.items()):
        told.looked("pages")
        told.found("pages", Link(name, "", {}), partial(_journal, lines, acts or ()))


def _composers(told: Told, chain: tuple[Link, ...], newest: Mapping[int, Link], read: Read, board: str) -> None:
    """What the order composer offers, in every language."""
    body, names = newest[max(newest)].body, names_in(read.names)
    waits = any(page_number(name)[0] not in newest for name in read.pages)
    for name, content in sorted(read.choices.items()):
        told.looked("pages")
        search = partial(_composer, content, body, chain, names, board, waits=waits)
        told.found("pages", Link(name, "", {}), search)


def _composer(
    content: bytes, body: Body, chain: tuple[Link, ...], names: Mapping[str, str], board: str, *, waits: bool
) -> Found:
    yield from composer_faults(content, body, stands_after(chain, body), names, board, waits=waits)


def _standings(chain: Sequence[Link], newest: Mapping[int, Link], board: str) -> list[list[Json]]:
    """The table with which the next round starts."""
    body = newest[max(newest)].body
    game = game_of(body, board)
    score = game.score(game.restore(stands_after(tuple(chain), body)))
    return [[place.rank, place.seat, place.points] for place in score]


def _front(
    page: PageFacts, chain: Sequence[Link], newest: Mapping[int, Link], names: Mapping[str, str], board: str
) -> Found:
    yield from table_faults(page, _standings(chain, newest, board), names)


def _history(chain: Sequence[Link], newest: Mapping[int, Link], content: bytes | None, board: str) -> Found:
    if content is None:
        yield "", "it isn't there"
        return
    told = loads(content)
    bodies = [newest[number].body for number in sorted(newest)]
    right = put_right((link.kind, link.sha256, link.body) for link in chain)
    rows = chronicle(game_of(bodies[0], board), bodies, right) if bodies else Chronicle()
    made = loads(history_file(str(told.get("league")), str(told.get("match")), rows))
    yield from islice(differences(told, made), MOST_DIFFERENCES)


def _journal(lines: Sequence[Line], acts: Sequence[Mapping[str, Any]]) -> Found:
    if len(lines) != len(acts):
        yield "", f"it has {len(lines)} acts, and {JOURNAL} has {len(acts)}"
        return
    for place, (line, act) in enumerate(zip(lines, reversed(acts), strict=True)):
        if line != (str(act["at"]), clean(str(act["why"]), WHY_MOST) or NO_REASON):
            yield f"row {place + 1}", f"it isn't what {JOURNAL} has of the act of {str(act['at'])[:20]}"
