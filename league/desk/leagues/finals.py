"""Orders that are final: where a league allows it, a round closes as soon as everybody who is asked says so.

A seat's orders are final if the last of its mails that brought any says so; one without the word takes it back.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from league.core.game import Game
from league.desk.leagues.calendar import ONE_BY_ONE
from league.desk.leagues.orderbook import from_lines
from league.desk.leagues.presence import counted
from league.desk.leagues.turns import asked_of, rules_of
from league.reports.context import Finals
from league.storage.leagues import PRESENT
from league.storage.orders import ORDERS, Submission
from league.storage.rounds import Loaded

OPTION, ALLOWED = "early_close", "yes"  # what a game calls it whose leagues may allow it


def is_allowed(calendar: Mapping[str, Any], options: Mapping[str, Any]) -> bool:
    """Whether rounds of the league close early; never where they come week after week whatever happens."""
    return bool(calendar.get(ONE_BY_ONE)) and options.get(OPTION) == ALLOWED


def final(loaded: Loaded, submissions: Iterable[Submission]) -> set[str]:
    """The seats whose orders are final, given a round's mails in order of arrival."""
    game, codes = rules_of(loaded), {seat.id: seat.code for seat in loaded.seats}
    last: dict[str, Submission] = {}
    for one in submissions:
        if one.phase == ORDERS and any("order" in line for line in one.lines if isinstance(line, Mapping)):
            last[codes[one.seat_id]] = one
    return {code for code, one in last.items() if says_final(game, one.lines, codes.values())}


def says_final(game: Game[Any, Any], lines: Iterable[Any], seats: Collection[str]) -> bool:
    """Whether the orders of a mail, as the book keeps them, say that they are final."""
    return from_lines(game, None, lines, replaces=False, seats=[*seats]).final


def waited_for(loaded: Loaded) -> set[str]:
    """The seats from which something is wanted and can come: who has left sends nothing any more."""
    asked = asked_of(loaded)
    return {seat.code for seat in loaded.seats if seat.code in asked and seat.status in PRESENT}


def missing(loaded: Loaded, submissions: Iterable[Submission] | None = None) -> set[str]:
    """Those of them whose orders aren't final yet."""
    return waited_for(loaded) - final(loaded, counted(loaded) if submissions is None else submissions)


def word(
    loaded: Loaded,
    before: Iterable[Submission],
    now: Iterable[Submission],
    seat: str,
    stands: Iterable[str],
) -> Finals | None:
    """What a seat is told with the answer to its orders: only how many others it still waits for, never whom.

    Nothing where nobody waits for it: a word of who isn't asked closes no round. `stands`: the orders that count for
    it now, in notation.
    """
    if not is_allowed(loaded.calendar, loaded.options) or seat not in waited_for(loaded):
        return None
    is_final = seat in final(loaded, now)
    others = len(missing(loaded, now) - {seat}) if loaded.options.get("show_received") != "none" else None
    game, codes = rules_of(loaded), [one.code for one in loaded.seats]
    is_bare = is_final and all(says_final(game, [{"order": order}], codes) for order in stands)
    return Finals(is_final, not is_final and seat in final(loaded, before), others, is_bare=is_bare)


def is_ready(loaded: Loaded) -> bool:
    """Whether everybody who is asked, and somebody is, has said that nothing changes any more."""
    return bool(waited_for(loaded)) and not missing(loaded)
