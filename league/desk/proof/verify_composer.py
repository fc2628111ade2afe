"""What the order composer offers each seat, worked out again from the newest position."""

from collections.abc import Iterator, Mapping
from itertools import islice
from json import dumps, loads
from typing import Any

from league.core.composing import Composes
from league.core.json import JsonDict
from league.desk.leagues.infos import drawing_of, info_of_none
from league.desk.leagues.recompute import differences, game_of
from league.desk.proof.verify_pages import CHOICES
from league.desk.proof.verify_teaser import look_of
from league.records.audit import Body
from league.reports.composer import composer_data
from league.reports.context import LeagueInfo, SeatInfo, Writing
from league.reports.texts import clean

MOST_DIFFERENCES = 3


def composer_faults(
    content: bytes, newest: Body, position: JsonDict, names: Mapping[str, str], board: str, *, waits: bool
) -> Iterator[tuple[str, str]]:
    """The choices in `orders.js`; of a league that waits for a round's evaluation (`waits`) the seats' names alone.

    There the open round begins with a position that nobody has published yet.
    """
    found = CHOICES.fullmatch(content)
    told: dict[str, Any] = loads(found[1]) if found else {}
    rows = {str(row["id"]): row for row in told.get("seats", ())}
    for seat, row in rows.items():
        if row["name"] != clean(names.get(seat, seat)):
            yield "seats", f"seat {seat[:12]} is called {str(row['name'])[:60]!r}, and in names.json otherwise"
    if waits or told.get("unsure") or not found:
        return
    game = game_of(newest, board)
    if not isinstance(game, Composes):
        yield "", "the game offers no choices"
        return
    state, options = game.restore(position), newest["rules"]["options"]
    orders = {
        seat: game.composing(state, seat, None) for seat, row in rows.items() if row["rows"] or row["purse"] is not None
    }
    league = LeagueInfo(
        slug=str(newest["league"]),
        title="",
        game=str(newest["game"]),
        lang="en",
        zone="UTC",
        address="",
        seats=tuple(SeatInfo(seat, names.get(seat, seat), "en", look_of(seat)) for seat in rows),
        label=game.label,
        drawing=drawing_of(str(newest["game"]), str(options.get("topology", "")), board),
    )
    made = loads(dumps(composer_data(info_of_none(), league, Writing(orders=orders), str(told["lang"]))))
    yield from islice(differences(told, made), MOST_DIFFERENCES)
