"""Who wasn't heard from (NMR): counted from the order book, never stored.

A pass counts as heard from. A round for which a standing instruction or standing orders spoke neither counts nor ends
the count (K38): the player had said what to do, and yet nobody knows that he is still there. Nor does one that asked
nothing of him.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput
from league.core.json import JsonDict
from league.desk import registry
from league.desk.leagues.calendar import ONE_BY_ONE, last_round
from league.desk.leagues.presence import SUBSTITUTED, plays
from league.desk.leagues.turns import asked_of
from league.storage import absences, leagues, rounds
from league.storage.absences import Heard
from league.storage.glance import closed_rounds
from league.storage.leagues import Place

TELL, RETIRE, OFFER = ACTIONS = ("tell", "retire", "offer")
OFFERS = "offer/"  # the facts that keep open offers, by league and seat
WARN, LIMIT = 1, 3
LOOK_BACK = 26  # rounds; whoever was silent for half a year is silent enough


@dataclass(frozen=True, slots=True)
class Policy:
    """From how many missed rounds in a row a player is warned, and from how many on something is done."""

    warn: int = WARN
    limit: int = LIMIT
    action: str = TELL

    def facts(self) -> JsonDict:
        """As the calendar keeps it."""
        return {"warn": self.warn, "limit": self.limit, "action": self.action}


DEFAULT = Policy()


def make_policy(warn: int, limit: int, action: str) -> Policy:
    """A season's policy; `BadInput` for one that can't be meant."""
    if not 1 <= warn <= limit <= LOOK_BACK:
        raise BadInput(f"nmr_warn {warn} and nmr_limit {limit}: use 1 <= warn <= limit <= {LOOK_BACK}")
    if action not in ACTIONS:
        raise BadInput(f"nmr_action '{action}': use {', '.join(ACTIONS)}")
    return Policy(warn, limit, action)


def usual_action(game: str) -> str:
    """What follows from too many missed rounds in this game, unless a league says else."""
    return registry.plugin(game).meta.nmr_action


def policy_of(calendar: Mapping[str, Any]) -> Policy:
    """The season's policy."""
    return Policy(**calendar.get("nmr", {}))


def missed(connection: Connection, match_id: int, seats: Sequence[Place], number: int) -> dict[str, int]:
    """Seat -> rounds in a row, up to this one, of which nothing came from its player; only those above none."""
    first = max(1, number - LOOK_BACK + 1)
    taken = absences.taken_over(connection, match_id, SUBSTITUTED, first)
    heard = absences.heard(connection, match_id, first, number)
    return _missed(seats, number, heard, taken, _unasked(connection, [match_id]).get(match_id, ()))


def _unasked(connection: Connection, match_ids: Sequence[int]) -> dict[int, list[tuple[str, int]]]:
    """Match -> `(seat, round)` for every closed round that wanted nothing of a seat."""
    found: dict[int, list[tuple[str, int]]] = {}
    ids = rounds.closed_of(connection, match_ids, registry.one_by_one(), LOOK_BACK)
    for loaded in rounds.load_chunk(connection, ids) if ids else ():
        asked = asked_of(loaded)
        rest = [(seat.code, loaded.round.number) for seat in loaded.seats if seat.code not in asked]
        found[loaded.round.match_id] = [*found.get(loaded.round.match_id, ()), *rest]
    return found


def _missed(
    seats: Sequence[Place],
    number: int,
    heard: Sequence[Heard],
    taken_over: Sequence[tuple[int, str, int]],
    unasked: Collection[tuple[str, int]],
) -> dict[str, int]:
    first = max(1, number - LOOK_BACK + 1)
    taken = {(code, round_): revision for round_, code, revision in taken_over}
    codes = {seat.id: seat.code for seat in seats}
    spoke: set[tuple[str, int]] = set()
    excused: set[tuple[str, int]] = set(unasked)
    for row in heard:
        key = (codes[row.seat_id], row.number)
        if row.revision > taken.get(key, 0):
            (excused if row.excused else spoke).add(key)
    found: dict[str, int] = {}
    for seat in seats:
        if seat.status in leagues.PRESENT and plays(seat, number):
            since = max([seat.joined_round, *(r for code, r in taken if code == seat.code)])
            found[seat.code] = _count(seat.code, max(first, since), number, spoke, excused)
    return {code: count for code, count in found.items() if count}


def _count(code: str, first: int, last: int, spoke: set[tuple[str, int]], excused: set[tuple[str, int]]) -> int:
    count = 0
    for number in range(last, first - 1, -1):
        if (code, number) in spoke:
            break
        count += (code, number) not in excused
    return count


def missed_now(connection: Connection, match_id: int) -> dict[str, int]:
    """The same up to the last round whose orders are closed."""
    closed = [r.number for r in rounds.rounds(connection, match_id) if r.status in (rounds.FROZEN, rounds.RESOLVED)]
    return missed(connection, match_id, leagues.seats(connection, [match_id]), max(closed)) if closed else {}


@dataclass(frozen=True, slots=True)
class Silent:
    """A player of whom nothing came for as long as the league waits: somebody should retire or replace him.

    Nobody need do anything while his seat is `offered` to who stands by.
    """

    league: str
    place: Place
    missed: int
    action: str
    offered: bool = False

    def facts(self) -> JsonDict:
        """For programs."""
        named: JsonDict = {"league": self.league, "seat": self.place.code, "name": self.place.own_name}
        return {**named, "missed": self.missed, "offered": self.offered}


def over(connection: Connection, match_ids: Sequence[int]) -> set[int]:
    """The matches among these, which can end, that have come to their end."""
    newest = rounds.current(connection, match_ids) if match_ids else {}
    return {match_id for match_id, one in newest.items() if one.status == rounds.RESOLVED}


def silent(connection: Connection, slugs: Sequence[str] | None = None, action: str = "") -> list[Silent]:
    """Those above their league's limit, in all running leagues or in these; with `action`, where that is the policy.

    Six statements for 500 matches, and three more where rounds open one by one.
    """
    calendars = leagues.calendars(connection)
    can_end = [match_id for _, match_id, calendar in calendars if calendar.get(ONE_BY_ONE) or last_round(calendar)]
    ended = over(connection, can_end)
    known = [(slug, match_id, policy_of(calendar)) for slug, match_id, calendar in calendars if match_id not in ended]
    chosen = {
        match_id: (slug, policy)
        for slug, match_id, policy in known
        if (slugs is None or slug in slugs) and action in ("", policy.action)
    }
    closed = closed_rounds(connection, tuple(chosen))
    ids = tuple(match_id for match_id in chosen if match_id in closed)
    seats: dict[int, list[Place]] = {}
    for seat in leagues.seats(connection, ids):
        seats.setdefault(seat.match_id, []).append(seat)
    heard = absences.heard_lately(connection, ids, LOOK_BACK)
    taken = absences.taken_lately(connection, ids, SUBSTITUTED, LOOK_BACK)
    unasked = _unasked(connection, ids)
    found: list[Silent] = []
    for match_id in ids:
        slug, policy = chosen[match_id]
        own = seats.get(match_id, [])
        counts = _missed(
            own, closed[match_id], heard.get(match_id, ()), taken.get(match_id, ()), unasked.get(match_id, ())
        )
        found += [Silent(slug, s, n, policy.action) for s in own if (n := counts.get(s.code, 0)) >= policy.limit]
    return _with_offers(connection, found)


def _with_offers(connection: Connection, found: list[Silent]) -> list[Silent]:
    """With whether each one's seat is offered now."""
    if not any(one.action == OFFER for one in found):
        return found
    open_now = leagues.facts(connection, OFFERS)
    return [replace(one, offered=f"{one.league}/{one.place.code}" in open_now) for one in found]
