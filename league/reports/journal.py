"""The journal as a page: what the organizer did, when and why, in the reader's language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType

from league.core.json import Json
from league.reports.context import LeagueInfo, SiteInfo
from league.reports.environment import environment
from league.reports.page import Page
from league.reports.paths import league_path, site_path
from league.reports.texts import clean

Facts = Mapping[str, Json]
WHY_MOST = 400


@dataclass(frozen=True, slots=True)
class Line:
    """An act in words."""

    at: datetime
    who: str  # a seat, empty for the organizer
    text: str
    why: str
    by_rule: bool = False  # nobody did it: the calendar of the season says so


def journal_path(site: SiteInfo, league: LeagueInfo | None, lang: str) -> str:
    """Where the page lies: beside the front page of its league or site."""
    if league is None:
        return site_path(site, lang).replace("index", "journal")
    return league_path(league, lang).replace("index.html", "journal.html")


def journal_page(site: SiteInfo, league: LeagueInfo | None, acts: Sequence[Facts], lang: str) -> str:
    """All acts, the newest first."""
    places = {other: journal_path(site, league, other) for other in site.langs}
    page = Page(site, lang, journal_path(site, league, lang), places, league)
    return page.render("journal.html", lines=[_line(page, act) for act in reversed(acts)])


def macro_of(act: str) -> str:
    """The name of the macro that words an act: "player absent --end" is `player_absent_end`."""
    return "_".join(act.replace("-", " ").split())


def _line(page: Page, act: Facts) -> Line:
    who = str(act["who"])
    known = page.league is not None and page.league.seat(who) is not None
    return Line(
        at=datetime.fromisoformat(str(act["at"])),
        who=who if known else "",
        text=sentence(page, act),
        why=clean(str(act["why"]), WHY_MOST),
        by_rule=who == "calendar",
    )


def sentence(page: Page, act: Facts) -> str:
    """What was done, in a sentence."""
    words: ModuleType = environment(page.lang, page.site).get_template("acts.jinja").module  # type: ignore[assignment]
    macro = getattr(words, macro_of(str(act["act"])), words.other)
    return " ".join(str(macro(act["arguments"], page)).split())
