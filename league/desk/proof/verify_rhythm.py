"""A round's times where deadlines count from the report before: what its opening and its kind of phase explain."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from league.desk.leagues.calendar import last_evaluation_day, round_of
from league.desk.leagues.rhythm import draw_day, with_opened
from league.records.audit import Found, Link
from league.records.canonical import stamp

Calendar = Mapping[str, Any]


def rhythm_faults(stages: Sequence[Calendar], link: Link, kind: str, before: str) -> Found:
    """What no stage of the calendar explains; `before` is when the round before this one was evaluated."""
    body, number = link.body, link.round or 0
    opens = datetime.fromisoformat(str(body["opens"]))
    if stamp(opens) != body["opens"]:
        yield "opens", f"{str(body['opens'])[:40]} isn't written like 2024-01-05T12:00:00Z"
    if str(body["opens"]) < before:
        yield "opens", f"it is {body['opens']}, before the report of the round before it, of {before}"
    told = {name: body.get(name) for name in ("deadline", "closes", "ends")}
    likely = [_times(stage, number, opens, kind) for stage in stages]
    if told not in likely:
        wrong = next((name for name in told if told[name] != likely[0][name]), "deadline")
        yield wrong, f"it is {told[wrong]}, by the calendar {likely[0][wrong]}, and no act of the journal moved it"
    if body.get("next_ends") is not None:
        yield "next_ends", "nobody can know when the next round's evaluation ends"
    day = draw_day(stages[0], datetime.fromisoformat(str(body["closes"])))
    for place, row in enumerate(body["evidence"]):
        if row["day"] != day.isoformat():
            yield f"evidence[{place}].day", f"it is {str(row['day'])[:40]}, and the first draw after the closing {day}"


def _times(calendar: Calendar, number: int, opens: datetime, kind: str) -> dict[str, str]:
    known = with_opened(calendar, number, opens, kind) if number > 1 else calendar
    made = round_of(known, 0, number)
    ends: date = last_evaluation_day(made.ends_at, made.zone)
    return {"deadline": stamp(made.deadline_at), "closes": stamp(made.closes_at), "ends": ends.isoformat()}
