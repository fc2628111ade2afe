"""Whether a round that has all it needs waits for the organizer's look."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from league.core.json import JsonDict
from league.desk.clock import stamp
from league.desk.leagues.records import evaluated_at
from league.storage.evidence import Figure
from league.storage.rounds import Loaded

HOLD, RELEASE = "hold", "release"  # decisions


def held_until(loaded: Loaded, figures: Sequence[Figure], now: datetime) -> datetime | None:
    """Until when the round, which has all it needs, waits for the organizer; None if it may go on."""
    kinds = {d.kind for d in loaded.decisions}
    if RELEASE in kinds:
        return None
    until = [datetime.fromisoformat(str(d.facts["until"])) for d in loaded.decisions if d.kind == HOLD]
    hours = int(loaded.calendar.get("hold_hours", 0))
    if hours:
        until.append(evaluated_at(loaded, figures) + timedelta(hours=hours))
    last = max(until, default=now)
    return last if last > now else None


def waits(until: datetime) -> JsonDict:
    """The hold as what a round waits for."""
    return {"kind": HOLD, "until": stamp(until)}
