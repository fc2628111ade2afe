"""What every seat may write now, for the page's order composer: from public positions alone (K90)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from league.core.composing import Composes, Composing
from league.core.game import Game, Turn
from league.desk.leagues.presence import plays
from league.desk.leagues.replies import asks
from league.desk.leagues.turns import lay_out
from league.reports.context import Writing
from league.storage import rounds
from league.storage.rounds import Loaded


def writing(game: Game[Any, Any], state: Any, loaded: Loaded, waiting: Loaded | None, following: int) -> Writing | None:
    """Of the newest round and of one that waits for replies; None for a game that can't tell.

    `state` is the newest one that is settled, with which round `following` starts.
    """
    if not isinstance(game, Composes):
        return None
    seats = [seat.code for seat in loaded.seats if plays(seat, loaded.round.number)]
    made = Writing(unsure=loaded.round.number != following)
    if loaded.round.status == rounds.OPEN:
        made = replace(made, orders=_each(game, state, seats, None))
    if waiting is not None and (waiting.position is not None or waiting.round.number == 1):
        table = lay_out(waiting, ())
        fighters = sorted({ask.seat for ask in asks(table)})
        if fighters:
            made = replace(made, replies=_each(game, table.state, fighters, table.turn), waits=waiting.round.number)
    return made


def _each(game: Composes, state: Any, seats: Sequence[str], known: Turn[Any] | None) -> Mapping[str, Composing]:
    found = {seat: game.composing(state, seat, known) for seat in seats}
    return {seat: one for seat, one in found.items() if one.choices}
