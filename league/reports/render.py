"""Pages as HTML: plain values and a language in, the page's text out; the same values give the same bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from league.core.json import Json
from league.core.standings import Place
from league.core.view import MapView
from league.reports import story as story_of
from league.reports.accounts import Account
from league.reports.accounts import accounts as accounts_of
from league.reports.context import LeaguePage, PressReport, RoundReport, SiteInfo
from league.reports.environment import environment
from league.reports.front import LeagueLink, archive
from league.reports.page import Land, MapPart, Page
from league.reports.paths import league_path, players_path, records_path, round_path, site_path
from league.reports.replay import replay
from league.reports.tally import Tally, tally
from league.reports.texts import clean, clean_lines
from league.reports.words import Say

Facts = Mapping[str, Json]
HEADLINE_MOST = 3


def script(site: SiteInfo) -> str:
    """The one `map.js`, beside it: what makes maps answer. Pages say all without it too."""
    return environment(site.lang, site).get_template("map.js").render()


def composer(site: SiteInfo) -> str:
    """The one `composer.js`: what makes an order mail of a few taps; how to write one by hand stands beside it."""
    return environment(site.lang, site).get_template("composer.js").render()


def site_page(site: SiteInfo, leagues: Sequence[LeagueLink], lang: str) -> str:
    """The list of a site's leagues."""
    here = site_path(site, lang)
    places = {other: site_path(site, other) for other in site.langs}
    running = sorted((one for one in leagues if not one.over and one.moved is None), key=_next_first)
    moved = sorted((one for one in leagues if one.moved is not None), key=lambda one: one.title)
    done = archive(one for one in leagues if one.over)
    return Page(site, lang, here, places, None).render("site.html", running=running, moved=moved, done=done)


def _next_first(link: LeagueLink) -> tuple[bool, str, str]:
    """The league whose deadline comes next comes first; then those that have none yet."""
    return link.deadline is None, link.deadline.isoformat() if link.deadline else "", link.title


def league_page(site: SiteInfo, page: LeaguePage, lang: str) -> str:
    """A league's front page: map, standings, deadline, who has sent, rounds, points over the rounds."""
    league = page.league
    places = {other: league_path(league, other) for other in site.langs}
    made = Page(site, lang, league_path(league, lang), places, league)
    return made.render(
        "league.html",
        page=page,
        now=_now(made, page, page.map) if page.map else None,
        heads={m.round: story_of.headline(made.say, m.events) for m in page.chronicle.moments},
        replay=replay(league, page.chronicle.moments, page.map, page.chronicle.following),
        sums=_sums(made.say, page),
        received=[s for s in league.seats if s.id in page.received] if page.show_received == "names" else [],
    )


def round_page(site: SiteInfo, report: RoundReport, lang: str) -> str:
    """A round's page: what happened, map, orders with fate and rule, battles, draws, points, standings, freeze."""
    league, version = report.league, report.round.version if report.newest else 0
    places = {other: round_path(league, report.round.number, other, version) for other in site.langs}
    made = Page(site, lang, places[lang], places, league)
    before = made.map_of(report.view.before, "before") if report.view.before else None
    fought = {str(e.get("country")) for e in report.events if e.get("type") == "battle"}
    after = made.map_of(report.view.after, "after", fought=fought) if report.view.after else None
    happened = told(made.say, report.events)
    return made.render(
        "round.html",
        report=report,
        round=report.round,
        evaluated=evaluated(report),
        headline=headline(made.say, report.events),
        story=_story(made, report),
        happened=happened,
        listed=_unpictured(made.say, happened),
        after=_beside(after, before, happened) if after else None,
        before=before,
        silent=silent(report),
        battles=[e for e in report.events if e.get("type") == "battle"],
        accounts=accounts(report),
        standings=compared(report.standings, report.previous),
        press=readable(report.press),
    )


def _sums(say: Say, page: LeaguePage) -> Tally:
    brings: Sequence[Mapping[str, Any]] = getattr(say.words("story"), "BRINGS", ())
    return tally(page.chronicle, luck(say), brings)


def luck(say: Say) -> Sequence[Mapping[str, Any]]:
    """What the game's templates list as taken by chance."""
    listed: Sequence[Mapping[str, Any]] = getattr(say.words("story"), "LUCK", ())
    return listed


def players_page(site: SiteInfo, page: LeaguePage, lang: str) -> str:
    """What is to be told of each player: place, countries, points item by item, form, battles, luck."""
    league = page.league
    places = {other: players_path(league, other) for other in site.langs}
    made = Page(site, lang, places[lang], places, league)
    held = {
        seat.id: [r.id for r in page.map.regions if r.owner == seat.id] if page.map else [] for seat in league.seats
    }
    return made.render("players.html", page=page, held=held, sums=_sums(made.say, page))


def records_page(site: SiteInfo, page: LeaguePage, lang: str) -> str:
    """The records, their check sums, and how anybody recomputes them."""
    league = page.league
    places = {other: records_path(league, other) for other in site.langs}
    made = Page(site, lang, places[lang], places, league)
    base = site.base_url.rstrip("/")
    return made.render("records.html", page=page, address=base or str(words_of(made).address_of_pages()).strip())


def words_of(made: Page) -> Any:  # a template's macros
    """The words that pages share."""
    return made.environment.get_template("words.jinja").module


def _now(made: Page, page: LeaguePage, view: MapView) -> MapPart | None:
    told = page.chronicle
    return made.map_of(MapView(told.shown(view.regions)), "now", told, told.fought)


def _story(made: Page, report: RoundReport) -> story_of.Story:
    if not evaluated(report):
        return story_of.Story()
    return story_of.story(made.say, report.events, report.standings, report.previous)


def _beside(after: MapPart, before: MapPart | None, happened: Sequence[Facts]) -> MapPart:
    """The map with what each field was before, and what is told of it."""
    owners = {row.id: row.owner for row in before.rows} if before else {}

    def row(land: Land) -> Land:
        about = tuple(facts for facts in happened if facts.get("country") == land.id)
        return replace(land, before=owners.get(land.id), told=about)

    return replace(after, rows=tuple(row(land) for land in after.rows))


def evaluated(report: RoundReport) -> bool:
    """Whether there is anything to tell yet: before the evaluation nobody sees another's orders (K90)."""
    return report.round.status == "done" or bool(report.events or report.mails)


def readable(press: Sequence[PressReport]) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Press made harmless: who, to whom, line by line."""
    return [(p.seat, tuple(clean(name) for name in p.press.to), clean_lines(p.press.text)) for p in press]


def headline(say: Say, events: Sequence[Facts]) -> list[Facts]:
    """The few events that a headline tells; the game's templates say which kinds weigh most."""
    order: Sequence[str] = getattr(say.words("events"), "HEADLINES", ())
    ranked = sorted(
        ((order.index(str(e["type"])), i, e) for i, e in enumerate(events) if e["type"] in order and not _none(e)),
        key=lambda item: item[:2],
    )
    return [event for _, _, event in ranked[:HEADLINE_MOST]]


def _none(event: Facts) -> bool:
    """A draw that named nothing, or whose country the next event names anyway, is no headline."""
    return event["type"] == "collapse_drawn" and not event.get("world")


def told(say: Say, events: Sequence[Facts]) -> list[Facts]:
    """All that happened, in order, without what other parts of a report tell."""
    words = say.words("events")
    elsewhere: Sequence[str] = getattr(words, "TOLD_ELSEWHERE", ())
    only: Mapping[str, str] = getattr(words, "TOLD_WITH", {})  # type -> a fact without which there is nothing to tell
    return [
        event
        for event in events
        if event["type"] not in elsewhere and event.get(only.get(str(event["type"]), "type"), True)
    ]


def _unpictured(say: Say, happened: Sequence[Facts]) -> list[Facts]:
    """What the game's own pictures on the page (`page.html`) don't show."""
    pictured: Sequence[str] = getattr(say.words("events"), "PICTURED", ())
    return [event for event in happened if event["type"] not in pictured]


def silent(report: RoundReport) -> list[str]:
    """Seats that no mail came from."""
    heard = {mail.seat for mail in report.mails}
    return [seat.id for seat in report.league.seats if seat.id not in heard and seat.id not in report.away]


def accounts(report: RoundReport) -> list[Account]:
    """Every player's account; none before the evaluation, nor where nobody gained or paid anything."""
    found = accounts_of(report.standings, report.view, report.events) if evaluated(report) else []
    return found if any(account.entries for account in found) else []


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table beside what it was before; `rose` None: new in the table."""

    place: Place
    change: int
    rose: int | None


def compared(now: Sequence[Place], before: Sequence[Place]) -> list[Row]:
    """The table with its changes."""
    old = {place.seat: place for place in before}
    return [
        Row(
            p,
            p.points - (old[p.seat].points if p.seat in old else 0),
            old[p.seat].rank - p.rank if p.seat in old else None,
        )
        for p in now
    ]
