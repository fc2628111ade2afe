"""Deadlines for calendars: read back by a library as the instant that was announced."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from league.core.schedule import instant
from league.i18n import LANGS
from league.reports.calendars import calendar_file
from league.reports.context import Deadline, LeagueInfo, RoundInfo, SiteInfo
from league.reports.post import Post

KNOWN = datetime(2024, 3, 20, 9, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def deadline(site: SiteInfo, league: LeagueInfo, round_: RoundInfo, lang: str = "en") -> Deadline:
    return Post(site, league, lang, lambda _: False).deadline(round_)


def event(content: bytes) -> Any:
    """The one event of a file, as a calendar reads it."""
    calendar: Any = Calendar.from_ical(content)
    assert (calendar["VERSION"], calendar["METHOD"]) == ("2.0", "PUBLISH")
    (found,) = calendar.walk("VEVENT")
    return found


@pytest.mark.parametrize(
    ("thursday", "utc"), [(date(2024, 3, 28), "2024-03-28 23:00"), (date(2024, 4, 4), "2024-04-04 22:00")]
)
def test_the_instant_is_the_one_announced_across_daylight_saving(
    thursday: date, utc: str, site: SiteInfo, league: LeagueInfo, round_info: RoundInfo
) -> None:
    """Thursday 24:00 in Berlin is another hour in UTC before and after the change, and the calendar has that one."""
    shown = replace(round_info, deadline=instant(thursday, 24, BERLIN))
    found = event(calendar_file(deadline(site, league, shown), KNOWN).content)
    assert f"{found['DTSTART'].dt:%Y-%m-%d %H:%M}" == utc
    assert found["DTSTART"].dt.tzinfo is not None
    assert found["DTSTART"].dt.astimezone(BERLIN).hour == 0


def test_a_moved_deadline_moves_the_event_that_is_there(
    site: SiteInfo, league: LeagueInfo, round_info: RoundInfo
) -> None:
    """The same UID with a higher SEQUENCE; another round, and the same round of the next match, has another UID."""
    first = event(calendar_file(deadline(site, league, round_info), KNOWN).content)
    later = replace(round_info, deadline=round_info.deadline + timedelta(weeks=1))
    moved = event(calendar_file(deadline(site, league, later), KNOWN).content)
    assert first["UID"] == moved["UID"]
    assert moved["SEQUENCE"] > first["SEQUENCE"]
    assert moved["DTSTART"].dt - first["DTSTART"].dt == timedelta(weeks=1)
    others = (
        deadline(site, league, replace(round_info, number=9)),
        deadline(site, replace(league, match="europa/2"), round_info),
    )
    assert len({first["UID"], *(other.uid for other in others)}) == 3


def test_the_event_says_what_it_is_in_the_readers_language(
    site: SiteInfo, league: LeagueInfo, round_info: RoundInfo
) -> None:
    """League and round in three languages, a day's notice, and nobody counts as busy."""
    told = {lang: event(calendar_file(deadline(site, league, round_info, lang), KNOWN).content) for lang in LANGS}
    assert {str(one["SUMMARY"]) for one in told.values()} == {
        "Europa am Sonntag: Befehle für Runde 3",
        "Europa am Sonntag: orders for round 3",
        "Europa am Sonntag: opdrachten voor ronde 3",
    }
    assert league.address in told["de"]["DESCRIPTION"]
    (alarm,) = told["de"].walk("VALARM")
    assert alarm["TRIGGER"].dt == timedelta(days=-1)
    assert told["de"]["TRANSP"] == "TRANSPARENT"


def test_the_same_deadline_makes_the_same_bytes(site: SiteInfo, league: LeagueInfo, round_info: RoundInfo) -> None:
    """A second run makes the same mail; lines end as the standard wants and are folded."""
    known = deadline(site, replace(league, title="Ä" * 50), round_info)
    made = calendar_file(known, KNOWN)
    calendar_file.cache_clear()
    assert calendar_file(known, KNOWN) == made
    assert made.name == "europa-3.ics"
    lines = made.content.split(b"\r\n")
    assert lines[-1] == b""
    assert all(b"\n" not in line and len(line) <= 75 for line in lines)


def test_foreign_text_stays_in_its_line(site: SiteInfo, league: LeagueInfo, round_info: RoundInfo) -> None:
    """A league's title can't add a line to the calendar."""
    evil = replace(league, title="Liga\r\nATTENDEE:mailto:x@example.org;,\\")
    found = event(calendar_file(deadline(site, evil, round_info), KNOWN).content)
    assert "ATTENDEE" not in found
    assert str(found["SUMMARY"]).startswith("Liga ATTENDEE:mailto:x@example.org;,\\")
