"""Pages as HTML: plain values and a language in, the page's text out; the same values give the same bytes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from posixpath import dirname, relpath

from jinja2 import Environment
from markupsafe import Markup

from league import i18n
from league.core.json import Json
from league.core.standings import Place
from league.core.view import MapView
from league.reports import maps
from league.reports.context import LeagueInfo, LeagueLink, LeaguePage, PressReport, RoundReport, SiteInfo
from league.reports.environment import environment
from league.reports.texts import clean, clean_lines
from league.reports.words import Say

Facts = Mapping[str, Json]
HEADLINE_MOST = 3


def site_path(site: SiteInfo, lang: str) -> str:
    """Where the site's front page in a language lies, relative to the published folder."""
    return "index.html" if lang == site.lang else f"index.{lang}.html"


def league_path(league: LeagueInfo, lang: str) -> str:
    """Where a league's front page lies."""
    return f"{_folder(league, lang)}index.html"


def round_path(league: LeagueInfo, number: int, lang: str, version: int = 0) -> str:
    """Where a round's page lies; an older version's bears its number."""
    older = f"-v{version}" if version else ""
    return f"{_folder(league, lang)}round-{number}{older}.html"


def _folder(league: LeagueInfo, lang: str) -> str:
    return f"{league.slug}/" if lang == league.lang else f"{league.slug}/{lang}/"


def style_sheet(site: SiteInfo) -> str:
    """The one `style.css`, at the root of the published folder."""
    loader = environment(site.lang, site)
    return loader.get_template("style.css").render()


def site_page(site: SiteInfo, leagues: Sequence[LeagueLink], lang: str) -> str:
    """The list of a site's leagues."""
    here = site_path(site, lang)
    places = {other: site_path(site, other) for other in site.langs}
    return Page(site, lang, here, places, None).render("site.html", leagues=leagues)


def league_page(site: SiteInfo, page: LeaguePage, lang: str) -> str:
    """A league's front page: map, standings, deadline, who has sent, rounds, points over the rounds."""
    league = page.league
    places = {other: league_path(league, other) for other in site.langs}
    made = Page(site, lang, league_path(league, lang), places, league)
    return made.render(
        "league.html",
        page=page,
        now=made.map_of(MapView(page.map.regions), "now") if page.map else None,
        chart=made.chart(page),
        received=[s for s in league.seats if s.id in page.received] if page.show_received == "names" else [],
    )


def round_page(site: SiteInfo, report: RoundReport, lang: str) -> str:
    """A round's page: what happened, map, orders with fate and rule, battles, draws, points, standings, freeze."""
    league, version = report.league, report.round.version if report.newest else 0
    places = {other: round_path(league, report.round.number, other, version) for other in site.langs}
    made = Page(site, lang, places[lang], places, league)
    return made.render(
        "round.html",
        report=report,
        round=report.round,
        evaluated=evaluated(report),
        headline=headline(made.say, report.events),
        happened=told(made.say, report.events),
        after=made.map_of(report.view.after, "after") if report.view.after else None,
        before=made.map_of(report.view.before, "before") if report.view.before else None,
        silent=silent(report),
        battles=[e for e in report.events if e.get("type") == "battle"],
        accounts=accounts(report),
        standings=compared(report.standings, report.previous),
        press=readable(report.press),
    )


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
    elsewhere: Sequence[str] = getattr(say.words("events"), "TOLD_ELSEWHERE", ())
    return [event for event in events if event["type"] not in elsewhere]


def silent(report: RoundReport) -> list[str]:
    """Seats that no mail came from."""
    heard = {mail.seat for mail in report.mails}
    return [seat.id for seat in report.league.seats if seat.id not in heard and seat.id not in report.away]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a player's account of the round. `counts` is False for a penalty that was waived."""

    item: str
    points: int
    rule: str
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Account:
    """A player's points item by item, what was spent on the way among them."""

    seat: str
    entries: tuple[Entry, ...]

    @property
    def total(self) -> int:
        """What the round brought."""
        return sum(entry.points for entry in self.entries if entry.counts)


def accounts(report: RoundReport) -> list[Account]:
    """Every player's account, in the order of the table; none before the evaluation."""
    if not evaluated(report):
        return []
    spent = list(_spent(report.events))
    made = []
    for place in report.standings:
        costs = [entry for seat, entry in spent if seat == place.seat]
        items = [_entry(item) for item in report.view.items.get(place.seat, ())]
        made.append(Account(place.seat, (*costs, *items)))
    return made


def _entry(item: Facts) -> Entry:
    points = item["points"]
    return Entry(
        str(item["item"]), points if isinstance(points, int) else 0, str(item.get("rule", "")), not item.get("waived")
    )


def _spent(events: Iterable[Facts]) -> Iterable[tuple[str, Entry]]:
    """Facts by name: who `paid`, who paid `mercenaries`, whose points went from `before` to `after`."""
    for event in events:
        seat, rule, type_ = str(event.get("seat", "")), str(event.get("rule", "")), str(event.get("type", ""))
        paid, extra = event.get("paid", 0), event.get("mercenaries", 0)
        cost = (paid if isinstance(paid, int) else 0) + (extra if isinstance(extra, int) else 0)
        if cost:
            yield seat, Entry(type_, -cost, rule)
        before, after = event.get("before"), event.get("after")
        if isinstance(before, int) and isinstance(after, int):
            yield seat, Entry(type_, after - before, rule)


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


@dataclass(frozen=True, slots=True)
class MapPart:
    """A map ready for the page: picture, table rows `(number, name, owner seat, markers, changed)`."""

    svg: Markup
    rows: tuple[tuple[int, str, str | None, tuple[str, ...], bool], ...]


@dataclass(frozen=True)
class Page:
    """One page in the making: where it lies, in which language, and how its things are said."""

    site: SiteInfo
    lang: str
    here: str
    places: Mapping[str, str]
    league: LeagueInfo | None

    @cached_property
    def environment(self) -> Environment:
        """The templates in the page's language."""
        return environment(self.lang, self.site)

    @cached_property
    def say(self) -> Say:
        """How the league's game says things."""
        return saying(self.site, self.league, self.lang)

    def render(self, template: str, **values: object) -> str:
        """The page's text."""
        return self.environment.get_template(template).render(
            p=self, site=self.site, league=self.league, lang=self.lang, say=self.say, **values
        )

    def href(self, target: str) -> str:
        """A relative link, so that the page also works from a folder on a disk."""
        return relpath(target, dirname(self.here) or ".")

    def languages(self) -> list[tuple[str, str, str]]:
        """`(language, its own name, link)` of this page's other forms."""
        return [(lang, i18n.NATIVE.get(lang, lang), self.href(path)) for lang, path in self.places.items()]

    def home(self) -> str:
        """Link to the site's front page."""
        return self.href(site_path(self.site, self.lang))

    def league_home(self) -> str:
        """Link to the league's front page."""
        return self.href(league_path(self.league, self.lang)) if self.league else self.home()

    def round(self, number: int, version: int = 0) -> str:
        """Link to a round's page, or to that of an older version."""
        return self.href(round_path(self.league, number, self.lang, version)) if self.league else ""

    def league_link(self, link: LeagueLink) -> str:
        """Link from the site's page to a league."""
        return f"{link.slug}/index.html" if self.lang == link.lang else f"{link.slug}/{self.lang}/index.html"

    def rule(self, rule: str) -> Markup:
        """A rule's number, linked to the rules page where there is one."""
        if not rule or self.league is None or not self.league.rules_url:
            return Markup('<span class="rule">{}</span>').format(self.say.rule(rule)) if rule else Markup("")
        target = self.href(f"{_folder(self.league, self.lang)}{self.league.rules_url}")
        return Markup('<a class="rule" href="{}#{}">{}</a>').format(target, rule, self.say.rule(rule))

    def when(self, instant: datetime) -> str:
        """A time in the league's zone."""
        return i18n.when(instant, self.league.zone if self.league else "UTC", self.lang)

    def date(self, instant: datetime) -> str:
        """The day of a deadline, in few letters."""
        return i18n.date_of(i18n.day_of(instant, self.league.zone if self.league else "UTC"), self.lang)

    def clock(self, instant: datetime) -> str:
        """Day and time in few letters, by the league's clock."""
        return i18n.moment(instant, self.league.zone if self.league else "UTC", self.lang)

    def when_in(self, instant: datetime, zone: str) -> str:
        """A time in a given zone."""
        return i18n.when(instant, zone, self.lang)

    def utc(self, instant: datetime) -> str:
        """A time for everyone."""
        return i18n.utc(instant)

    def iso(self, instant: datetime) -> str:
        """A time for machines."""
        return instant.isoformat()

    def name(self, seat: str) -> str:
        """A player's public name."""
        return self.say.name(seat)

    def swatch(self, seat: str | None) -> Markup:
        """The owner's sign: fill and symbol."""
        known = self.league.seat(seat) if self.league and seat else None
        if known is None or self.league is None or self.league.drawing is None:
            return Markup("")
        return Markup(maps.swatch(self.league.drawing, known.look))  # noqa: S704  # our own SVG, nothing foreign in it

    def marker(self, name: str) -> Markup:
        """A marker's sign in the legend."""
        if self.league is None or self.league.drawing is None or name not in self.league.drawing.markers:
            return Markup("")
        return Markup(maps.marker_sign(self.league.drawing, name))  # noqa: S704  # as above

    def shapes(self) -> Markup:
        """The hidden part that all maps of a page share."""
        return Markup(maps.shared(self.league.drawing) if self.league and self.league.drawing else "")  # noqa: S704  # as above

    def looks(self) -> dict[str, int]:
        """Seat -> index of its look."""
        return {seat.id: seat.look for seat in self.league.seats} if self.league else {}

    def map_of(self, view: MapView, name: str) -> MapPart | None:
        """A map and the table that says the same; None for a game without a drawing."""
        drawing = self.league.drawing if self.league else None
        if drawing is None or self.league is None:
            return None
        rows = tuple(
            (
                drawing.spots[r.id].number if r.id in drawing.spots else 0,
                self.say.land(r.id),
                r.owner,
                r.markers,
                r.changed,
            )
            for r in view.regions
        )
        words = self.environment.get_template("words.jinja").module
        title = str(words.map_title(clean(self.league.title)))  # type: ignore[attr-defined]
        text = "; ".join(self._holdings(rows)) or title
        picture = maps.picture(drawing, view, self.lang, self.looks(), title, text, f"map-{name}")
        return MapPart(Markup(picture), tuple(sorted(rows)))  # noqa: S704  # names are escaped where it is drawn

    def _holdings(self, rows: Sequence[tuple[int, str, str | None, tuple[str, ...], bool]]) -> Iterable[str]:
        for seat in self.league.seats if self.league else ():
            lands = [name for _, name, owner, _, _ in sorted(rows) if owner == seat.id]
            if lands:
                yield f"{self.name(seat.id)}: {', '.join(lands)}"

    def chart(self, page: LeaguePage) -> Markup:
        """Points over the rounds as lines."""
        rounds = [row.round for row in page.history]
        seats = [s for s in page.league.seats if any(s.id in row.points for row in page.history)]
        rows = [(self.name(s.id), s.look, [row.points.get(s.id) for row in page.history]) for s in seats]
        words = self.environment.get_template("words.jinja").module
        title = str(words.chart_title())  # type: ignore[attr-defined]
        text = "; ".join(f"{name}: {', '.join(str(v) for v in points if v is not None)}" for name, _, points in rows)
        return Markup(maps.chart(page.league.drawing, rounds, rows, title, text))  # noqa: S704  # names are escaped where it is drawn


def saying(site: SiteInfo, league: LeagueInfo | None, lang: str) -> Say:
    """How a league's things are said in a language; a seat without a name is called by its id."""
    if league is None:
        return Say(lang, lambda thing, _: thing, str, "", site)
    names = {seat.id: seat.name for seat in league.seats}
    return Say(lang, league.label, lambda seat: names.get(seat, seat), league.game, site)
