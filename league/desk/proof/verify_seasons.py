"""What the opening record of a later season says of the one before, where both are published together."""

from collections.abc import Mapping

from league.desk.leagues.seasons import FIELD, follows
from league.records.audit import Fault, Link


def season_faults(league: str, opening: Link, others: Mapping[str, Link]) -> list[Fault]:
    """Where it names no season, or a number or game that the one before gainsays; `others` are their openings.

    Another league may have the name of one that was left behind on another site: its opening is another one.
    """
    if FIELD not in opening.body:
        return []
    told = follows(opening.body)
    if told is None:
        return [_fault(opening, f"it names no season before {league}")]
    before = others.get(told.league)
    if before is None or before.sha256 != told.opening:
        return []
    faults = []
    known = follows(before.body)
    number = known.season if known is not None else 1
    if told.season != number + 1:
        faults.append(_fault(opening, f"it is season {told.season}, and {told.league} is season {number}"))
    if opening.body.get("game") != before.body.get("game"):
        faults.append(_fault(opening, f"{told.league} is another game"))
    return faults


def _fault(opening: Link, what: str) -> Fault:
    return Fault("chain", opening.file, FIELD, what)
