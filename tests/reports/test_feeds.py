"""Feeds and calendars: what a reader of Atom and a calendar find in them."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from xml.etree.ElementTree import Element, fromstring
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from league.core.schedule import instant
from league.i18n import LANGS
from league.reports.chronicle import Chronicle
from league.reports.context import LeaguePage, SiteInfo
from league.reports.feeds import deadlines, feed
from league.reports.post import Post

ATOM = "{http://www.w3.org/2005/Atom}"
ORDER = ("title", "id", "updated")  # what RFC 4287 wants of a feed and of each entry


def read(text: str) -> Element:
    """The feed as XML; fails on anything that isn't well-formed."""
    return fromstring(text.encode())  # our own


def found(part: Element, path: str) -> Element:
    """What is there; fails where it isn't."""
    one = part.find(path)
    assert one is not None, path
    return one


def told(part: Element, path: str) -> str:
    """Its text, which isn't empty."""
    text = found(part, path).text
    assert text
    return text


@pytest.mark.parametrize("lang", LANGS)
def test_a_feed_has_what_atom_asks_for(site: SiteInfo, front: LeaguePage, lang: str) -> None:
    """Title, name and time of the feed and of each entry, one each; an author; a link; the language."""
    made = read(feed(site, front, lang))
    assert made.tag == f"{ATOM}feed"
    assert made.get("{http://www.w3.org/XML/1998/namespace}lang") == lang
    (entry,) = made.findall(f"{ATOM}entry")
    for part in (made, entry):
        for name in ORDER:
            assert len(part.findall(f"{ATOM}{name}")) == 1, name
            assert told(part, f"{ATOM}{name}")
        assert datetime.fromisoformat(told(part, f"{ATOM}updated")).tzinfo is not None
    assert told(made, f"{ATOM}author/{ATOM}name") == site.title
    assert found(entry, f"{ATOM}link[@rel='alternate']").get("href") == "round-3.html"
    assert found(made, f"{ATOM}link[@rel='self']").get("href") == "feed.xml"
    assert "Anna" in told(entry, f"{ATOM}title")
    assert told(entry, f"{ATOM}summary").endswith(".")


def test_names_stay_whatever_the_address(site: SiteInfo, front: LeaguePage) -> None:
    """A round is known by a name that holds the match: a reader that has it doesn't get it again as a new one.

    The feeds themselves are three, each with a name of its own: programs for reading keep one feed a name.
    """
    first, again = read(feed(site, front, "en")), read(feed(site, front, "de"))
    assert told(first, f"{ATOM}entry/{ATOM}id") == "tag:example.org,2020:europa-1/round-3"
    assert told(again, f"{ATOM}entry/{ATOM}id") == told(first, f"{ATOM}entry/{ATOM}id")
    assert len({told(read(feed(site, front, lang)), f"{ATOM}id") for lang in LANGS}) == len(LANGS)
    served = read(feed(replace(site, base_url="https://play.example"), front, "en"))
    base = served.get("{http://www.w3.org/XML/1998/namespace}base")
    assert base == "https://play.example/europa/en/feed.xml"


def test_a_hostile_name_stays_text(site: SiteInfo, front: LeaguePage) -> None:
    """No tag, no entity, no control character gets out of a name."""
    seats = tuple(replace(s, name="<x>&\x00\x1b]]>") for s in front.league.seats)
    made = read(feed(site, replace(front, league=replace(front.league, seats=seats, title="<b>&")), "en"))
    assert told(made, f"{ATOM}title") == "<b>&"
    assert made.find(".//x") is None


def test_a_league_without_rounds_has_a_feed_too(site: SiteInfo, front: LeaguePage) -> None:
    """Without entries, and as old as its first round."""
    made = read(feed(site, replace(front, chronicle=Chronicle()), "en"))
    assert made.findall(f"{ATOM}entry") == []
    assert front.open is not None
    assert datetime.fromisoformat(told(made, f"{ATOM}updated")) == front.open.opens


def test_deadlines_are_those_of_the_mails(site: SiteInfo, front: LeaguePage) -> None:
    """The open round and the next, with the names that calendars know from mails."""
    assert front.open is not None
    read_back: Any = Calendar.from_ical(deadlines(site, front, "en"))
    first, second = read_back.walk("VEVENT")
    mailed = Post(site, front.league, "en", lambda _: False).deadline(front.open)
    assert first["UID"] == mailed.uid
    assert first["DTSTART"].dt == front.open.deadline.astimezone(UTC)
    assert second["UID"] != first["UID"]


@pytest.mark.parametrize(
    ("thursday", "utc"), [(date(2024, 3, 28), "2024-03-28 23:00"), (date(2024, 4, 4), "2024-04-04 22:00")]
)
@pytest.mark.parametrize("is_moved", [False, True])
def test_where_no_round_is_open_the_last_deadline_stays(
    site: SiteInfo, front: LeaguePage, thursday: date, utc: str, *, is_moved: bool
) -> None:
    """Programs that show a calendar by itself call one without an event broken.

    It is known as before and sounds no alarm; nobody is told to write, the hour is right on both sides of a change of
    the clocks, and the same facts give the same bytes.
    """
    assert front.open is not None
    last = replace(front.open, status="done", deadline=instant(thursday, 24, ZoneInfo("Europe/Berlin")))
    over = replace(front, open=None if is_moved else last, last=last, following=None)
    made = deadlines(site, over, "en")
    read_back: Any = Calendar.from_ical(made)
    (event,) = read_back.walk("VEVENT")
    assert f"{event['DTSTART'].dt:%Y-%m-%d %H:%M}" == utc
    assert event["UID"] == Post(site, front.league, "en", lambda _: False).deadline(last).uid
    assert "DESCRIPTION" not in event
    assert not read_back.walk("VALARM")
    assert made == deadlines(site, over, "en")


def test_a_league_that_left_before_its_first_deadline_has_a_calendar(site: SiteInfo, front: LeaguePage) -> None:
    """Nothing is announced in it, but it has a component, as every calendar must."""
    read_back: Any = Calendar.from_ical(deadlines(site, replace(front, open=None, following=None, last=None), "en"))
    assert [one.name for one in read_back.subcomponents] == ["VTIMEZONE"]
    assert not read_back.errors
