"""Why a mail's orders count for no round, told as it was: too early, after the closing, or read after it.

A mail that arrived in time and was read after the freeze (it lay in a folder of unwanted mail, or nothing was run)
can't enter any more (DESIGN: Freeze). Its player is told that it was in time, and the organizer hears of it.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.leagues.calendar import ONE_BY_ONE, is_last, round_of
from league.desk.leagues.infos import next_round_info, round_info
from league.reports.context import RoundInfo
from league.reports.late import EARLY, LATE, MISSED, TooLate
from league.storage import rounds
from league.storage.leagues import Place
from league.storage.rounds import Loaded, Round

READ_LATE = "read_after_freeze"  # the reason of such a mail's verdict


def missed(connection: Connection, loaded: Loaded, arrived: datetime) -> Round | None:
    """The round in whose time a mail arrived, if that one's orders are closed by now."""
    return _missed(rounds.rounds(connection, loaded.round.match_id), arrived)


def too_late(connection: Connection, following: Loaded, arrived: datetime, now: datetime) -> TooLate:
    """For a mail that found no round open; `following` is the newest one that isn't closed, else the newest.

    Where rounds open one by one nobody knows when the one after it will, not even if its own time is over already.
    """
    found = rounds.rounds(connection, following.round.match_id)
    gone, upcoming = _missed(found, arrived), round_info(following.round, following)
    past = [one for one in found if one.closes_at < arrived]
    if following.round.status != rounds.OPEN or _is_last_known(following, max(arrived, now)):
        return _none_open(following, found[0], past, gone)
    if gone is not None:
        is_open = upcoming.opens <= now <= upcoming.closes
        return TooLate(MISSED, round_info(gone), upcoming, is_open, gone.frozen_at or gone.closes_at)
    upcoming = _after(past[-1], following) if past else upcoming
    is_open = upcoming.opens <= now <= upcoming.closes
    return TooLate(LATE if past else EARLY, round_info(past[-1]) if past else upcoming, upcoming, is_open)


def _is_last_known(open_: Loaded, moment: datetime) -> bool:
    """Whether the time of a round is over that wasn't closed yet, and the next opens with its report only, or never."""
    ends_here = open_.calendar.get(ONE_BY_ONE) or is_last(open_.calendar, open_.round.number)
    return bool(ends_here) and open_.round.closes_at < moment


def _none_open(last: Loaded, first: Round, past: Sequence[Round], gone: Round | None) -> TooLate:
    """Where the `last` takes nothing any more: rounds open one by one, or it is the season's last."""
    over = last.round.status == rounds.RESOLVED or is_last(last.calendar, last.round.number)
    if gone is not None:
        return TooLate(MISSED, round_info(gone), None, frozen=gone.frozen_at or gone.closes_at, over=over)
    return TooLate(LATE if past else EARLY, round_info(past[-1] if past else first), None, over=over)


def _missed(found: tuple[Round, ...], arrived: datetime) -> Round | None:
    closed = (one for one in found if one.status != rounds.OPEN)
    return next((one for one in closed if one.opens_at <= arrived <= one.closes_at), None)


def _after(last: Round, following: Loaded) -> RoundInfo:
    """The round behind the last one; it may not be there yet, where nothing was run since that one's end."""
    if following.round.number > last.number:
        return round_info(following.round, following)
    return next_round_info(round_of(following.calendar, last.match_id, last.number + 1))


def missed_facts(round_: Round, place: Place, arrived: datetime) -> JsonDict:
    """For the organizer's mail."""
    return {
        "seat": place.code,
        "name": place.own_name,
        "round": round_.number,
        "arrived": stamp(arrived),
        "closed": stamp(round_.frozen_at or round_.closes_at),
    }
