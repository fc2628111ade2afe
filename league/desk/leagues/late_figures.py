"""A figure that doesn't come: the round waits, or, where the season says so beforehand, goes on without the event.

`figure_late` is fixed in the opening record's calendar. Without it a round waits for as long as it takes.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from league.core.errors import BadInput
from league.core.evidence import NEVER_CAME
from league.core.json import JsonDict
from league.storage import decisions
from league.storage.decisions import Entered
from league.storage.evidence import Figure
from league.storage.rounds import Loaded

WAIT, NO_EVENT = ACTIONS = ("wait", "no_event")
LATE = "late"  # the decision, and the status of such a figure
USUAL_DAYS, MOST_DAYS = 7, 56


def make_late(action: str, days: int) -> JsonDict:
    """What a new season's calendar keeps; nothing for a league that waits."""
    if action not in ACTIONS:
        raise BadInput(f"figure_late is '{action}': use {' or '.join(ACTIONS)}")
    if not 1 <= days <= MOST_DAYS:
        raise BadInput(f"figure_late_days is {days}: use 1 to {MOST_DAYS}")
    return {"figure_late": {"action": action, "days": days}} if action == NO_EVENT else {}


def late_at(calendar: Mapping[str, Any], ends_at: datetime) -> datetime | None:
    """From when on a round isn't kept by a figure any more; None where it waits."""
    rule = calendar.get("figure_late")
    return ends_at + timedelta(days=int(rule["days"])) if rule else None


def in_time(loaded: Loaded, figures: Sequence[Figure]) -> list[Figure]:
    """The figures that count: what came after the waiting was over changes nothing, whenever the tool is run."""
    end = late_at(loaded.calendar, loaded.round.ends_at)
    return [figure for figure in figures if end is None or figure.entered_at < end]


def never_came(loaded: Loaded) -> list[Figure]:
    """The figures that the round doesn't wait for any more."""
    return [
        Figure(
            str(d.facts["figure"]),
            datetime.fromisoformat(str(d.facts["day"])).date(),
            NEVER_CAME,
            LATE,
            "",
            "",
            d.entered_at,
        )
        for d in loaded.decisions
        if d.kind == LATE
    ]


def stop_waiting(connection: Connection, loaded: Loaded, missing: Mapping[str, str], at: datetime) -> list[Entered]:
    """Write down that these figures (with their days) aren't waited for."""
    made = [
        Entered(loaded.round.id, LATE, {"figure": figure, "day": day}, "calendar", at)
        for figure, day in sorted(missing.items())
    ]
    decisions.decide(connection, made)
    return made
