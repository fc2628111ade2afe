"""Where pages lie in the published folder."""

from league.reports.context import LeagueInfo, SiteInfo


def site_path(site: SiteInfo, lang: str) -> str:
    """Where the site's front page in a language lies, relative to the published folder."""
    return "index.html" if lang == site.lang else f"index.{lang}.html"


def league_path(league: LeagueInfo, lang: str) -> str:
    """Where a league's front page lies."""
    return f"{folder(league, lang)}index.html"


def players_path(league: LeagueInfo, lang: str) -> str:
    """Where the page about its players lies."""
    return f"{folder(league, lang)}players.html"


def records_path(league: LeagueInfo, lang: str) -> str:
    """Where the page about its records lies."""
    return f"{folder(league, lang)}records.html"


def feed_path(league: LeagueInfo, lang: str) -> str:
    """Where the feed of its rounds lies."""
    return f"{folder(league, lang)}feed.xml"


def calendar_path(league: LeagueInfo, lang: str) -> str:
    """Where its deadlines lie, for calendars."""
    return f"{folder(league, lang)}deadlines.ics"


def composer_path(league: LeagueInfo, lang: str) -> str:
    """Where lies what its order composer reads."""
    return f"{folder(league, lang)}orders.js"


def round_path(league: LeagueInfo, number: int, lang: str, version: int = 0) -> str:
    """Where a round's page lies; an older version's bears its number."""
    older = f"-v{version}" if version else ""
    return f"{folder(league, lang)}round-{number}{older}.html"


def folder(league: LeagueInfo, lang: str) -> str:
    """The folder of a league's pages in a language, with a slash at its end."""
    return f"{league.slug}/" if lang == league.lang else f"{league.slug}/{lang}/"
