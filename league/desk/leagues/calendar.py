"""A season's calendar: what its opening record fixed, its holidays, and the rounds that follow from both.

A round belongs to the week in which its orders close. A week whose closing day falls into a pause has no round: the
numbers go on without a gap, and the next round's window opens when its own week begins. Where deadlines count from the
report before instead, `rhythm.py` says when they are; figures then hang on a round's closing, not on its number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from league.core.errors import BadInput, Refused
from league.core.game import Meta
from league.core.schedule import MarketDay, Weekly
from league.desk.leagues import rhythm
from league.desk.leagues.rhythm import RHYTHM
from league.storage.rounds import OPEN, RESOLVED, NewRound, Round, current, open_rounds, rounds

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEK = timedelta(days=7)
LEAST = timedelta(days=1)  # that a round is open
MOVED = "deadline moved"  # the act of the journal
ONE_BY_ONE = "one_by_one"  # a round opens with the report of the one before
EARLY = "early"  # round -> when it was closed before its deadline
LAST = "rounds"  # how many the season has; absent: one after the other, for as long as the league is played
MOST_ROUNDS = 1000
INSTANT = timedelta(microseconds=1)
LONGEST = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Pause:
    """Holidays of the league, both days among them."""

    first: date
    last: date
    why: str = ""

    def holds(self, day: date) -> bool:
        """Whether the day is one of them."""
        return self.first <= day <= self.last


def make_calendar(
    meta: Meta,
    start: date,
    zone: str,
    grace_minutes: int,
    deadline: str | None,
    pauses: Sequence[Pause] = (),
    every: Sequence[str] = (),
) -> dict[str, Any]:
    """The calendar of a new season; `BadInput` where orders would close after the figures that decide.

    `every`: so many hours after the report before; `deadline` then says on which of the moments that follow.
    """
    if every:
        made = _with_rhythm(meta, start, deadline, every) | {"zone": zone, "grace_minutes": grace_minutes}
        for pause in pauses:
            made = with_pause(made, pause)
        return made
    week = meta.week if deadline is None else _closing(meta.week, deadline)
    last_day = week.last_day(start)
    window = week.window(last_day, ZoneInfo(zone), timedelta(minutes=grace_minutes))
    opening = meta.market.opening(last_day)
    if window.closes > opening:
        local = opening.astimezone(ZoneInfo(zone))
        raise BadInput(
            f"orders would be open until {window.closes.astimezone(ZoneInfo(zone)):%A %H:%M}; the figures that decide "
            f"are made from {local:%A %H:%M} on, so the deadline with its grace must be earlier"
        )
    made = {"week": asdict(week), "zone": zone, "grace_minutes": grace_minutes, "first_day": last_day.isoformat()}
    for pause in pauses:
        made = with_pause(made, pause)
    return made


def week_at_most(meta: Meta, deadline: str | None) -> tuple[tuple[str, ...], str]:
    """The rhythm of a weekly league that may close early: the usual hours, and then its own closing of the week.

    By number rounds would go on having the weeks that others before them didn't use.
    """
    week = meta.week
    usual = f"{DAYS[week.closes_day]} {week.closes_hour}:{week.closes_minute:02}"
    return (f"{rhythm.USUAL}h",), deadline or usual


def _with_rhythm(meta: Meta, start: date, deadline: str | None, every: Sequence[str]) -> dict[str, Any]:
    on = rhythm.HOUR if deadline is None else rhythm.DAILY if deadline.strip()[:1].isdecimal() else rhythm.WEEKLY
    named = f"{DAYS[meta.week.closes_day]} {deadline}" if on == rhythm.DAILY else deadline
    try:
        week = meta.week if named is None else _closing(meta.week, named)
    except BadInput:
        raise BadInput(f"deadline '{deadline}' is not understood; write it like 20:00 or 'thursday 24:00'") from None
    first = week.last_day(start) if on == rhythm.WEEKLY else start
    return {"week": asdict(week), "first_day": first.isoformat(), RHYTHM: rhythm.make_rhythm(meta, every, on)}


def read_pause(written: str) -> Pause:
    """A pause written like 2024-12-22..2025-01-04."""
    first, _, last = written.partition("..")
    try:
        return Pause(date.fromisoformat(first.strip()), date.fromisoformat(last.strip()))
    except ValueError:
        raise BadInput(f"pause '{written}' is not understood; write it like 2024-12-22..2025-01-04") from None


def with_pause(calendar: Mapping[str, Any], pause: Pause) -> dict[str, Any]:
    """The calendar with one pause more; `BadInput` for one that is none.

    A deadline that the organizer has given before goes behind it like any other.
    """
    if pause.last < pause.first:
        raise BadInput(f"the pause ends on {pause.last}, before it begins on {pause.first}")
    if pause.last - pause.first > LONGEST:
        raise BadInput(f"a pause from {pause.first} to {pause.last} is longer than a year")
    row = {"from": pause.first.isoformat(), "to": pause.last.isoformat(), "why": pause.why}
    rows = sorted([*calendar.get("pauses", ()), row], key=lambda r: (r["from"], r["to"]))
    made = {**calendar, "pauses": rows}
    if "extended" not in calendar:
        return made
    moved = {number: _behind(calendar, made, pause, int(number)) for number in calendar["extended"]}
    return {**made, "extended": {number: written for number, written in moved.items() if written}}


def _behind(before: Mapping[str, Any], made: Mapping[str, Any], pause: Pause, number: int) -> str:
    """An extension once there is a pause more: as many days later as are free; nothing if its week is another one."""
    written: str = before["extended"][str(number)]
    if RHYTHM not in made:
        return written if last_day(made, number) == last_day(before, number) else ""
    if str(number) in before.get(EARLY, {}):  # closed, whatever its deadline was
        return written
    given = datetime.fromisoformat(written)
    known, old, new = last_evaluation_day(given, made["zone"]), _is_free(before), _is_free(made)
    later = rhythm.behind(made, given, pause.first, lambda day: new(day) and not (day <= known and old(day)))
    return later.astimezone(UTC).isoformat()


def pauses(calendar: Mapping[str, Any]) -> tuple[Pause, ...]:
    """The holidays, the earliest first."""
    rows = calendar.get("pauses", ())
    return tuple(Pause(date.fromisoformat(r["from"]), date.fromisoformat(r["to"]), str(r.get("why", ""))) for r in rows)


def _closing(week: Weekly, written: str) -> Weekly:
    """The week with another deadline, written like "wednesday 20:00" or "thu 24:00"."""
    day, _, time = written.strip().lower().partition(" ")
    found = [index for index, name in enumerate(DAYS) if len(day) >= 3 and name.startswith(day)]
    hour, _, minute = time.partition(":")
    number = int(hour) * 60 + int(minute) if hour.isdecimal() and minute.isdecimal() else -1
    if len(found) != 1 or not 0 <= number <= 24 * 60 or int(minute) > 59:
        raise BadInput(f"deadline '{written}' is not understood; write it like 'thursday 24:00'")
    return replace(week, closes_day=found[0], closes_hour=int(hour), closes_minute=int(minute))


def round_of(calendar: Mapping[str, Any], match_id: int, number: int) -> NewRound:
    """The round of this number by the calendar; its evaluation ends when the next window opens."""
    if RHYTHM in calendar:
        given = rhythm.Given(extended(calendar, number), closed_early(calendar, number))
        return rhythm.round_of(calendar, match_id, number, given, _is_free(calendar))
    zone, grace = ZoneInfo(calendar["zone"]), timedelta(minutes=calendar["grace_minutes"])
    week = Weekly(**calendar["week"])
    day = last_day(calendar, number)
    window, following = week.window(day, zone, grace), week.window(day + WEEK, zone, grace)
    deadline = extended(calendar, number) or window.deadline
    return NewRound(match_id, number, window.opens, deadline, deadline + grace, following.opens, calendar["zone"])


def _is_free(calendar: Mapping[str, Any]) -> rhythm.IsFree:
    free = pauses(calendar)
    return lambda day: any(pause.holds(day) for pause in free)


def next_moment(calendar: Mapping[str, Any], moment: datetime) -> datetime:
    """The first deadline that the rhythm allows from this moment on."""
    return rhythm.deadline_after(calendar, moment, 0, _is_free(calendar))


def extended(calendar: Mapping[str, Any], number: int) -> datetime | None:
    """The deadline that the organizer gave the round instead of the week's own."""
    written = calendar.get("extended", {}).get(str(number))
    return datetime.fromisoformat(written) if written else None


def closed_early(calendar: Mapping[str, Any], number: int) -> datetime | None:
    """When the round was closed before its deadline, since everybody's orders were final."""
    written = calendar.get(EARLY, {}).get(str(number))
    return datetime.fromisoformat(written) if written else None


def with_early(calendar: Mapping[str, Any], number: int, closes: datetime) -> dict[str, Any]:
    """The calendar with the round closed then."""
    return {**calendar, EARLY: {**calendar.get(EARLY, {}), str(number): closes.astimezone(UTC).isoformat()}}


def with_extension(calendar: Mapping[str, Any], number: int, deadline: datetime, market: MarketDay) -> dict[str, Any]:
    """The calendar with a later deadline; past the opening of the market's day the round's figures are a later week's.

    Figures come after orders: with them the round and all behind it move by as many weeks (DESIGN: The way of a round).
    """
    grace, moved = timedelta(minutes=calendar["grace_minutes"]), list(calendar.get("moved", ()))
    instants = {**calendar.get("extended", {}), str(number): deadline.astimezone(UTC).isoformat()}
    made = {**calendar, "moved": moved, "extended": instants}
    while RHYTHM not in calendar and deadline + grace > market.opening(last_day(made, number)):
        moved.append(number)
    return made


def without_extension(calendar: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The calendar with the round's deadline on its week's own day again."""
    kept = {key: value for key, value in calendar.get("extended", {}).items() if key != str(number)}
    return {**calendar, "extended": kept} if "extended" in calendar else dict(calendar)


def last_day(calendar: Mapping[str, Any], number: int) -> date:
    """The day on which a round's orders close: no day of a pause.

    A result that came too late has moved the rounds from some number on by a week (K33).
    """
    if RHYTHM in calendar:
        return last_evaluation_day(round_of(calendar, 0, number).deadline_at, calendar["zone"])
    day, free, moved = date.fromisoformat(calendar["first_day"]), pauses(calendar), calendar.get("moved", ())
    if not free:
        return day + (number - 1 + sum(1 for first in moved if first <= number)) * WEEK
    for n in range(1, number + 1):
        day += (sum(1 for first in moved if first == n) + (n > 1)) * WEEK
        while any(pause.holds(day) for pause in free):
            day += WEEK
    return day


def days_of_figures(calendar: Mapping[str, Any], number: int, closes: datetime) -> tuple[date, date]:
    """The days of whose figures the round is decided: its week's, or that of the first draw after its closing."""
    if RHYTHM in calendar:
        day = rhythm.draw_day(calendar, closes)
        return day, day
    day = last_day(calendar, number)
    monday = day - timedelta(days=day.weekday())
    return monday, monday + WEEK - timedelta(days=1)


def figures_known(calendar: Mapping[str, Any], number: int, closes: datetime, market: MarketDay) -> datetime:
    """From when on somebody may know the first of those figures."""
    if RHYTHM in calendar:
        return rhythm.known_from(calendar, closes)
    return market.closing(last_day(calendar, number))


def last_evaluation_day(ends_at: datetime, zone: str) -> date:
    """The day with which an evaluation ends: the next window opens at the midnight after it (K10, K80)."""
    return (ends_at.astimezone(UTC) - INSTANT).astimezone(ZoneInfo(zone)).date()


def due_on(round_: Round) -> date:
    """The day to which a round's deadline belongs, on the league's clock."""
    return last_evaluation_day(round_.deadline_at, round_.zone)


def check_month(calendar: Mapping[str, Any], before: Mapping[str, Any], match_id: int, number: int) -> None:
    """No month may lose the evaluation that decides it (K80): the round of this number is evaluated already."""
    if RHYTHM in calendar:
        return
    ended, follows, planned = (
        last_evaluation_day(r.ends_at, r.zone)
        for r in (
            round_of(before, match_id, number),
            round_of(calendar, match_id, number + 1),
            round_of(before, match_id, number + 1),
        )
    )
    if _month(ended) == _month(planned) != _month(follows):
        raise Refused(
            f"round {number} would become the last of {ended:%Y-%m}, but it was closed as one that isn't, and the "
            f"month would have no leader (K80); rounds can move after {last_day(before, number + 1)}"
        )


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def number_until(calendar: Mapping[str, Any], day: date, least: int) -> int:
    """The last round, from the number `least` on, whose orders close on the day or before; `least` - 1 if none does."""
    if RHYTHM in calendar:
        raise Refused(
            "deadlines here follow from the report before each, so nobody knows which round is open on a day; name the "
            "last round by its number"
        )
    number = least - 1
    while last_day(calendar, number + 1) <= day:
        number += 1
    return number


def last_round(calendar: Mapping[str, Any]) -> int | None:
    """The number of the season's last round, where it is known beforehand."""
    return calendar.get(LAST)


def is_last(calendar: Mapping[str, Any], number: int) -> bool:
    """Whether no round comes after this one, whatever the position."""
    last = last_round(calendar)
    return last is not None and number >= last


def with_last(calendar: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The calendar with the number of its last round; 0: the season has none."""
    made = {key: value for key, value in calendar.items() if key != LAST}
    return made | {LAST: number} if number else made


def replies_due(calendar: Mapping[str, Any], round_: Round) -> datetime:
    """When the waiting for replies ends by itself: as the next window opens, or at the next deadline (K33)."""
    if calendar.get("replies_until", "ends") == "ends" or calendar.get(ONE_BY_ONE):
        return round_.ends_at
    return round_of(calendar, round_.match_id, round_.number + 1).deadline_at


def open_now(connection: Connection, calendar: Mapping[str, Any], match_id: int, moment: datetime) -> Round:
    """The round that takes orders now or is the next to take them; opened if it isn't there yet.

    Where rounds open one by one, that is the newest one, although it may be closed, and the match over with it. The
    same is the last one of a season that has one.
    """
    newest = current(connection, [match_id])[match_id]
    if calendar.get(ONE_BY_ONE):
        return newest
    open_up_to(connection, calendar, newest, moment)
    return _first_open(rounds(connection, match_id), moment)


def open_for_change(connection: Connection, calendar: Mapping[str, Any], match_id: int, moment: datetime) -> Round:
    """The same for who wants to change something about it: `Refused` while none is open, and once the match is over."""
    found = open_now(connection, calendar, match_id, moment)
    if found.status == RESOLVED:
        raise match_over(found.number)
    if found.status != OPEN and is_last(calendar, found.number):
        raise match_over(found.number)
    if found.status != OPEN:
        raise Refused(f"round {found.number} is closed, and the next one opens with its report").named(
            "opens_with_report", round=found.number
        )
    return found


def match_over(last: int) -> Refused:
    """Why nothing can be done about a round any more."""
    return Refused(f"the match is over since round {last}; no round comes after it").named("match_over", round=last)


def following(
    calendar: Mapping[str, Any], match_id: int, number: int, now: datetime, kind: str
) -> tuple[NewRound, dict[str, Any]]:
    """The round that opens with the report of the one before, where rounds open one by one; and the calendar with it.

    Its deadline is that of its week, or of the first week whose deadline is a day away at least; where deadlines count
    from the report, so many hours away as a phase of its kind is open.
    """
    if RHYTHM in calendar:
        known = rhythm.with_opened(calendar, number, now.replace(microsecond=0), kind)
        return round_of(known, match_id, number), known
    made = dict(calendar)
    while (new := round_of(made, match_id, number)).deadline_at < now + LEAST:
        made = {**made, "moved": [*made.get("moved", ()), number]}
    return replace(new, opens_at=now), made


def _first_open(found: Sequence[Round], moment: datetime) -> Round:
    """The newest one where a season's last one is closed."""
    return next((r for r in found if r.closes_at >= moment and r.status == OPEN), found[-1])


def open_up_to(connection: Connection, calendar: Mapping[str, Any], newest: Round, moment: datetime) -> None:
    """Open the rounds after the newest one whose orders may be arriving by now."""
    if calendar.get(ONE_BY_ONE):
        return
    fresh, closes, number = [], newest.closes_at, newest.number
    while closes < moment and not is_last(calendar, number):
        number += 1
        fresh.append(round_of(calendar, newest.match_id, number))
        closes = fresh[-1].closes_at
    open_rounds(connection, fresh)
