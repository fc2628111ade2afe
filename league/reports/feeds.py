"""A league to subscribe to: its rounds as an Atom feed (RFC 4287), its deadlines as a calendar (RFC 5545)."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from league.reports.calendars import subscription, uid_of
from league.reports.chronicle import Moment, Start, begun
from league.reports.context import Deadline, LeagueInfo, LeaguePage, RoundInfo, SiteInfo
from league.reports.page import Page
from league.reports.paths import calendar_path, feed_path, league_path, round_path
from league.reports.story import story
from league.reports.texts import clean

NEWEST = 20  # rounds in a feed
SINCE = "2020"  # the day from which the names below are ours (RFC 4151)


@dataclass(frozen=True, slots=True)
class Entry:
    """A round in the feed."""

    id: str
    number: int
    version: int
    headline: str
    text: str
    updated: str
    link: str


def feed(site: SiteInfo, page: LeaguePage, lang: str) -> str:
    """The rounds told so far, the newest first; without one the feed is as old as the league's first deadline."""
    league, here = page.league, feed_path(page.league, lang)
    made = Page(site, lang, here, {}, league)
    moments = [one for one in page.chronicle.moments[1:] if one.told is not None][-NEWEST:]
    starts = begun(page.chronicle.moments)
    before = {one.round: start for one, start in zip(page.chronicle.moments[1:], starts, strict=True)}
    entries = [_entry(made, moment, before[moment.round]) for moment in reversed(moments)]
    known = page.open.opens if page.open else datetime(int(SINCE), 1, 1, tzinfo=UTC)
    return made.render(
        "feed.xml",
        entries=entries,
        id=_name(site, league, "league" if lang == league.lang else f"league/{lang}"),
        updated=max((one.updated for one in entries), default=_stamp(known)),
        base=f"{site.base_url.rstrip('/')}/{here}" if site.base_url else "",
    )


def _entry(made: Page, moment: Moment, before: Moment | Start) -> Entry:
    league = made.league
    assert league is not None  # noqa: S101  # a feed is a league's
    said = story(made.say, moment.events, moment.standings, before.standings)
    text = " ".join(said.sentences) or " ".join(made.say.event(facts) for facts in moment.events)
    return Entry(
        _name(made.site, league, f"round-{moment.round}"),
        moment.round,
        moment.version,
        said.headline,
        text,
        _stamp(moment.told) if moment.told else "",
        made.href(round_path(league, moment.round, made.lang)),
    )


def _name(site: SiteInfo, league: LeagueInfo, what: str) -> str:
    """A name for ever, whatever address the pages get (RFC 4151)."""
    host = urlsplit(site.base_url).hostname or league.address.partition("@")[2] or "localhost"
    return f"tag:{host},{SINCE}:{league.match or league.slug}/{what}"


def _stamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def deadlines(site: SiteInfo, page: LeaguePage, lang: str) -> bytes:
    """The open round's deadline and the next one's; where none is open, the last that was, if one was."""
    league = page.league
    made = Page(site, lang, calendar_path(league, lang), {}, league)
    if page.open is not None and page.open.status == "open":
        shown = [page.open, *([page.following] if page.following else ())]
        dated = [(_deadline(made, one, league), page.open.opens) for one in shown]
    else:
        dated = [(_past(_deadline(made, one, league)), one.opens) for one in (page.last,) if one is not None]
    return subscription(clean(league.title), dated)


def _past(deadline: Deadline) -> Deadline:
    """One until which orders counted: nobody is told where to write, or reminded."""
    return replace(deadline, description="")


def _deadline(made: Page, round_: RoundInfo, league: LeagueInfo) -> Deadline:
    words: Any = made.environment.get_template("words.jinja").module
    base = made.site.base_url.rstrip("/")
    return Deadline(
        uid=uid_of(league, round_.number),
        name=f"{league.slug}-{round_.number}",
        instant=round_.deadline,
        summary=str(words.deadline_title(clean(league.title), round_.number)).strip(),
        description=str(words.deadline_about(league.address)).strip(),
        link=f"{base}/{league_path(league, made.lang)}" if base else "",
    )
