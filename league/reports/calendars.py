"""A round's deadline for calendars of phones: the instant in UTC, so that every calendar shows it on its own clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from league.reports.context import Deadline, LeagueInfo

if TYPE_CHECKING:
    from icalendar import Calendar, Event, Timezone

MAKER = "-//league//leagues by mail//EN"
ALARM = timedelta(hours=-24)
BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
KIND = 'text/calendar; charset="utf-8"; method=PUBLISH'


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """A file to attach."""

    name: str
    content: bytes
    kind: str = KIND


@lru_cache(maxsize=256)
def calendar_file(deadline: Deadline, known_at: datetime) -> CalendarFile:
    """The deadline as an event without length, with a reminder a day before.

    The same round has always the same UID, and SEQUENCE is the deadline itself in minutes: deadlines are only ever
    moved to a later time, so it grows with each move, and a calendar moves the event that it has. The same facts give
    the same bytes.
    """
    made = _calendar()
    made.add("method", "PUBLISH")
    made.add_component(_event(deadline, known_at))
    return CalendarFile(f"{deadline.name}.ics", made.to_ical())


def subscription(name: str, deadlines: Sequence[tuple[Deadline, datetime]]) -> bytes:
    """Deadlines to subscribe to, each with when it became known; the UIDs are those of the files that mails carry."""
    made = _calendar()
    made.add("name", name)
    made.add("x-wr-calname", name)
    made.add("refresh-interval", timedelta(hours=6), parameters={"value": "DURATION"})
    for deadline, known_at in deadlines:
        made.add_component(_event(deadline, known_at))
    if not deadlines:
        made.add_component(_zone())
    return bytes(made.to_ical())


def uid_of(league: LeagueInfo, number: int) -> str:
    """What calendars know a round's deadline by."""
    return f"{league.match or league.slug}.round-{number}@{league.address.partition('@')[2]}"


def _calendar() -> "Calendar":
    from icalendar import Calendar  # costs more than everything else in a small run

    made = Calendar()
    made.add("prodid", MAKER)
    made.add("version", "2.0")
    return made


def _zone() -> "Timezone":
    """What stands in a calendar without an event: a calendar without any component is none (RFC 5545, 3.6)."""
    from icalendar import Timezone, TimezoneStandard

    made, rule = Timezone(), TimezoneStandard()
    made.add("tzid", "UTC")
    rule.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001  # by the zone's own clock, as it has to be
    rule.add("tzoffsetfrom", timedelta())
    rule.add("tzoffsetto", timedelta())
    rule.add("tzname", "UTC")
    made.add_component(rule)
    return made


def _event(deadline: Deadline, known_at: datetime) -> "Event":
    from icalendar import Alarm, Event

    event = Event()
    event.add("uid", deadline.uid)
    event.add("sequence", (deadline.instant - BEGIN) // timedelta(minutes=1))
    event.add("dtstamp", known_at.astimezone(UTC).replace(microsecond=0))
    event.add("dtstart", deadline.instant.astimezone(UTC))
    event.add("summary", deadline.summary)
    if deadline.description:
        event.add("description", deadline.description)
    event.add("transp", "TRANSPARENT")  # nobody is busy then
    if deadline.link:
        event.add("url", deadline.link)
    if not deadline.description:  # it is over
        return event
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", deadline.summary)
    alarm.add("trigger", ALARM)
    event.add_component(alarm)
    return event
