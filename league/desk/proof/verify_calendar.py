"""A round's times against the season's calendar: what moved them stands in the journal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import Any

from league.core.errors import LeagueError
from league.core.game import Meta
from league.desk.leagues.calendar import (
    ONE_BY_ONE,
    Pause,
    last_evaluation_day,
    last_round,
    round_of,
    with_early,
    with_extension,
    with_last,
    with_pause,
    without_extension,
)
from league.desk.leagues.rhythm import RHYTHM
from league.desk.proof.verify_rhythm import rhythm_faults
from league.records.audit import Found, Link
from league.records.canonical import stamp

DELAYS = ("round extend", "round release")
EARLY = "round early"
PAUSE, MOVED, LAST = "round pause", "deadline moved", "round last"
Calendar = Mapping[str, Any]
Act = Mapping[str, Any]


class Season:
    """The calendar that the opening fixed, and what the acts of the journal have made of it, one after the other."""

    def __init__(self, calendar: Calendar, acts: Sequence[Act], meta: Meta | None) -> None:
        """`calendar` as the opening has it."""
        self.calendar, self.acts, self.meta = calendar, acts, meta
        self.kinds: dict[int, str] = {}  # round -> what its first version asked for
        self.evaluated: dict[int, str] = {}  # round -> when its first version was

    @property
    def last(self) -> int | None:
        """The number of its last round, as it stands now."""
        return last_round(self.stages[-1])

    @cached_property
    def stages(self) -> tuple[Calendar, ...]:
        """The calendar as it was at first, and after each act that moved something."""
        return tuple(self._stages())

    def _stages(self) -> Iterator[Calendar]:
        now = dict(self.calendar)
        yield now
        for act in self.acts:
            try:
                made = self._after(now, act)
            except (LeagueError, KeyError, TypeError, ValueError):  # an act that says nothing explains nothing
                continue
            if made != now:
                now = made
                yield now

    def _after(self, now: Calendar, act: Act) -> dict[str, Any]:
        name, told = act.get("act"), act.get("arguments", {})
        if name == PAUSE:
            return with_pause(now, Pause(date.fromisoformat(told["from"]), date.fromisoformat(told["to"])))
        if name == LAST:
            return with_last(now, int(told["round"]))
        if name == MOVED:
            number = int(told["round"])
            return without_extension({**now, "moved": [*now.get("moved", ()), number]}, number)
        if name == EARLY:
            return with_early(now, int(told["round"]), datetime.fromisoformat(told["closes"]))
        if name in DELAYS and "deadline" in told and self.meta is not None:
            deadline = datetime.fromisoformat(told["deadline"])
            return with_extension(now, int(told["round"]), deadline, self.meta.market)
        return dict(now)

    def faults(self, link: Link, kind: Callable[[], str] = str) -> Found:
        """What of a round's times no stage of the calendar explains; `kind` says what its phase was."""
        body, number = link.body, link.round or 0
        if number < 1:
            return
        lasts = [last_round(stage) for stage in self._likely()]
        if None not in lasts and number > max(one for one in lasts if one is not None):
            yield "round", f"the season ended before it: no act of the journal gave it more than {lasts[-1]} rounds"
        if RHYTHM in self.calendar:
            asked = self.kinds.setdefault(number, kind())  # a correction may make another phase of it
            yield from rhythm_faults([*self._likely()], link, asked, self.evaluated.get(number - 1, ""))
            self.evaluated.setdefault(number, str(body["evaluated"]))
            return
        told = {name: body.get(name) for name in ("deadline", "closes", "ends")}
        if not any(self._times(stage, number) == told for stage in self._likely()):
            first = self._times(self.calendar, number)
            wrong = next((name for name in told if told[name] != first[name]), "deadline")
            yield wrong, f"it is {told[wrong]}, by the calendar {first[wrong]}, and no act of the journal moved it"
        yield from self._opens(str(body["opens"]), number)
        following = (self._times(stage, number + 1)["ends"] for stage in self._likely())
        if not any(body.get("next_ends") == ends for ends in following):
            yield "next_ends", f"{body.get('next_ends')} isn't the last day of the next round's evaluation"
        if self.meta is None:
            return
        opening = self.meta.market.opening(date.fromisoformat(str(body["ends"])))
        if datetime.fromisoformat(body["closes"]) > opening:
            yield (
                "closes",
                f"orders were open until {body['closes']}; figures are made from {stamp(opening)} on",
            )

    def _opens(self, opens: str, number: int) -> Found:
        """A window opens with its week; the first one may with its league, or each with the report before it."""
        if stamp(datetime.fromisoformat(opens)) != opens:
            yield "opens", f"{opens[:40]} isn't written like 2024-01-05T12:00:00Z"
        elif number > 1 and not self.calendar.get(ONE_BY_ONE):
            known = [stamp(round_of(stage, 0, number).opens_at) for stage in self._likely()]
            if opens not in known:
                yield "opens", f"it is {opens}, by the calendar {known[0]}, and no act of the journal moved it"

    def _likely(self) -> Iterator[Calendar]:
        """First the calendar as it was fixed: nearly every round is explained by it."""
        yield self.calendar
        yield from self.stages[1:]

    def _times(self, calendar: Calendar, number: int) -> dict[str, str]:
        made = round_of(calendar, 0, number)
        ends = last_evaluation_day(made.ends_at, made.zone).isoformat()
        return {"deadline": stamp(made.deadline_at), "closes": stamp(made.closes_at), "ends": ends}
