"""What the world is told of a round in a few lines: from what its public page tells, never from more."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.core.standings import Place
from league.reports.context import LeagueInfo, RoundInfo, SiteInfo
from league.reports.page import Facts, Page
from league.reports.paths import league_path, round_path
from league.reports.post import GAPS
from league.reports.story import Story, story
from league.reports.texts import clean

MOST = 1_500  # characters of a text: some channels take 2,000, and cut in the middle of a word
QUIET = "\u200b"  # behind an @, so that a player's name calls nobody


@dataclass(frozen=True, slots=True)
class Told:
    """A round whose report is out: its events and tables as its page has them."""

    round: RoundInfo
    events: Sequence[Facts] = ()
    standings: Sequence[Place] = ()
    before: Sequence[Place] = ()
    following: RoundInfo | None = None


def announcement(site: SiteInfo, league: LeagueInfo, kind: str, told: Told, lang: str) -> tuple[str, str]:
    """A title and a text. `kind`: report, correction or deadline; the last one tells of an open round."""
    is_report = kind != "deadline"
    here = round_path(league, told.round.number, lang) if is_report else league_path(league, lang)
    page = Page(site, lang, here, {}, league)
    shown = told.following if is_report else told.round
    text = page.environment.get_template("announce.txt").render(
        kind=kind,
        title=clean(league.title),
        round=told.round,
        following=told.following,
        when=page.when(shown.deadline) if shown else "",
        story=_story(page, told) if is_report else Story(),
    )
    head, _, body = GAPS.sub("\n\n", text).strip().partition("\n")
    link = f"{site.base_url.rstrip('/')}/{here}" if site.base_url else ""
    return _quiet(head), "\n\n".join(filter(None, (_cut(_quiet(body.strip())), link)))


def _story(page: Page, told: Told) -> Story:
    found = story(page.say, told.events, told.standings, told.before)
    return found if found.sentences else Story(found.headline, tuple(page.say.event(facts) for facts in told.events))


def _quiet(text: str) -> str:
    """With names that nobody's program takes for a call to everybody, or for a link."""
    return text.replace("@", f"@{QUIET}").replace("<", "‹").replace(">", "›")


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST].rsplit(' ', 1)[0]} …"
