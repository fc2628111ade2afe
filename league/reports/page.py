"""One page in the making: where it lies, in which language, its links, signs and maps, for the templates."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from posixpath import dirname, relpath
from typing import Any, cast

from jinja2 import Environment
from markupsafe import Markup

from league import i18n
from league.core.json import Json
from league.core.view import MapView, Region
from league.reports import atlas, charts, stacks
from league.reports.chronicle import Chronicle, Past
from league.reports.context import LeagueInfo, SiteInfo
from league.reports.environment import environment, module_of
from league.reports.front import LeagueLink, Podium, SeasonLink
from league.reports.maps import Drawing, Look
from league.reports.paths import composer_path, feed_path, folder, league_path, players_path, round_path, site_path
from league.reports.sheets import sheet
from league.reports.texts import clean
from league.reports.words import Say

Facts = Mapping[str, Json]
LINE = 2  # points that make one
PLAIN_MOST = 200
LINKS_KEPT = 4096
ENDLESS = re.compile(r"[^\s-]{13}")  # within a name: maybe wider than a phone's column, and no line could end in it


@dataclass(frozen=True, slots=True)
class Land:
    """A field's row in the table beside a map. `near` are its neighbours' ids, `told` the round's events about it."""

    id: str
    number: int
    name: str
    owner: str | None
    markers: tuple[str, ...] = ()
    changed: bool = False
    past: Past | None = None
    groups: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    before: str | None = None
    told: tuple[Facts, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()  # pieces by seat, in the order of the seats
    sign: str | None = None  # stands for the number; empty: none

    @property
    def shown(self) -> str:
        """Its number as the map has it."""
        return str(self.number) if self.sign is None else self.sign


@lru_cache(maxsize=LINKS_KEPT)
def relative(target: str, folder_: str) -> str:
    """How to get to a file of the site from a folder of it; pages of a folder have most of their links in common."""
    return relpath(target, folder_)


@dataclass(frozen=True, slots=True)
class MapPart:
    """A map ready for the page: the picture, its crowded part once more, and the rows that say the same."""

    svg: Markup
    inset: Markup
    rows: tuple[Land, ...]


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
            p=self,
            site=self.site,
            league=self.league,
            lang=self.lang,
            say=self.say,
            sheet=sheet(self.site, template),
            **values,
        )

    @cached_property
    def _known(self) -> dict[tuple[str, str], Any]:
        """What was made for the page already: it links to the same rules and shows the same signs all over."""
        return {}

    def href(self, target: str) -> str:
        """A relative link, so that the page also works from a folder on a disk."""
        return relative(target, dirname(self.here) or ".")

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

    def season(self, link: SeasonLink) -> str:
        """Link to the page of another season."""
        lang = "" if self.lang == link.lang else f"{self.lang}/"
        return self.href(f"{link.slug}/{lang}index.html")

    def weekday(self, number: int) -> str:
        """A day of the week, Monday is 0."""
        return i18n.weekday(number, self.lang)

    def rule(self, rule: str) -> Markup:
        """A rule's number, linked to the rules page where there is one."""
        key = "rule", rule
        if key not in self._known:
            self._known[key] = self._rule(rule)
        return cast("Markup", self._known[key])

    def _rule(self, rule: str) -> Markup:
        if not rule or self.league is None or not self.league.rules_url:
            return Markup('<span class="rule">{}</span>').format(self.say.rule(rule)) if rule else Markup("")
        target = self.href(f"{folder(self.league, self.lang)}{self.league.rules_url}")
        return Markup('<a class="rule" href="{}#{}">{}</a>').format(target, rule, self.say.rule(rule))

    def when(self, instant: datetime) -> str:
        """A time in the league's zone."""
        return i18n.when(instant, self.league.zone if self.league else "UTC", self.lang)

    def start(self, instant: datetime) -> str:
        """When something begins, in the league's zone."""
        return i18n.start(instant, self.league.zone if self.league else "UTC", self.lang)

    def date(self, instant: datetime) -> str:
        """The day of a deadline, in few letters."""
        return i18n.date_of(i18n.day_of(instant, self.league.zone if self.league else "UTC"), self.lang)

    def clock(self, instant: datetime) -> str:
        """Day and time in few letters, by the league's clock."""
        return i18n.moment(instant, self.league.zone if self.league else "UTC", self.lang)

    def noted(self, instant: datetime) -> str:
        """Day, year and time in few letters, by the league's clock."""
        return i18n.noted(instant, self.league.zone if self.league else "UTC", self.lang)

    def told_time(self, written: str) -> str:
        """A time as the books have it (`2024-01-11T23:00:00Z`), or what else stands there."""
        try:
            return self.when(datetime.fromisoformat(written))
        except ValueError:
            return clean(written)

    def told_value(self, written: Json) -> str:
        """A day, or a figure and perhaps its day, as the books have them: as the language writes them."""
        plain = clean(str(written), PLAIN_MOST)
        value, _, day = plain.partition(" (") if plain.endswith(")") else (plain, "", "")
        said = self._day_of(value) or self.say.number(value)
        return f"{said} ({self._day_of(day[:-1]) or day[:-1]})" if day else said

    def _day_of(self, written: str) -> str:
        try:
            return i18n.date_of(written, self.lang)
        except ValueError:
            return ""

    def when_in(self, instant: datetime, zone: str) -> str:
        """A time in a given zone."""
        return i18n.when(instant, zone, self.lang)

    def day_in(self, instant: datetime, zone: str) -> str:
        """The day of a deadline in a given zone, in few letters."""
        return i18n.date_of(i18n.day_of(instant, zone), self.lang)

    def utc(self, instant: datetime) -> str:
        """A time for everyone."""
        return i18n.utc(instant)

    def iso(self, instant: datetime) -> str:
        """A time for machines."""
        return instant.isoformat()

    def name(self, seat: str) -> str:
        """A player's public name."""
        return self.say.name(seat)

    def named(self, name: str) -> Markup:
        """A name apart from the direction of what stands around it; one that no line can end in may be broken."""
        key = "named", name
        if key not in self._known:
            tag = '<bdi class="endless">{}</bdi>' if ENDLESS.search(name) else "<bdi>{}</bdi>"
            self._known[key] = Markup(tag).format(name)  # noqa: S704  # the name is escaped
        return cast("Markup", self._known[key])

    def swatch(self, seat: str | None) -> Markup:
        """The owner's sign: fill and symbol."""
        key = "swatch", seat or ""
        if key not in self._known:
            self._known[key] = self._swatch(seat)
        return cast("Markup", self._known[key])

    def _swatch(self, seat: str | None) -> Markup:
        known = self.league.seat(seat) if self.league and seat else None
        if known is None or self.league is None or self.league.drawing is None:
            return Markup("")
        return Markup(atlas.swatch(self.league.drawing, known.look))  # noqa: S704  # our own SVG, nothing foreign in it

    def sign(self, one: Podium) -> Markup:
        """The sign of somebody on the site's page, who plays in some league."""
        if not one.symbol:
            return Markup("")
        return Markup(atlas.sign(Look(one.fill, one.symbol, one.ring)))  # noqa: S704  # as above; the fill is escaped

    def marker(self, name: str) -> Markup:
        """A marker's sign in the legend."""
        if self.league is None or self.league.drawing is None or name not in self.league.drawing.markers:
            return Markup("")
        return Markup(atlas.marker_sign(self.league.drawing, name))  # noqa: S704  # as above

    def shapes(self) -> Markup:
        """The hidden part that all maps of a page share."""
        if self.league is None or self.league.drawing is None:
            return Markup("")
        return Markup(atlas.shared(self.league.drawing, self.looks().values()))  # noqa: S704  # as above

    def looks(self) -> dict[str, int]:
        """Seat -> index of its look."""
        return self._looks

    @cached_property
    def _looks(self) -> dict[str, int]:
        return {seat.id: seat.look for seat in self.league.seats} if self.league else {}

    def map_of(
        self, view: MapView, name: str, pasts: Chronicle | None = None, fought: Collection[str] = ()
    ) -> MapPart | None:
        """A map and the rows of the table that says the same; None for a game without a drawing."""
        drawing = self.league.drawing if self.league else None
        if drawing is None or self.league is None:
            return None
        rows = tuple(
            sorted((self._land(drawing, r, pasts) for r in view.regions), key=lambda row: (row.number, row.id))
        )
        words = self._words()
        title = str(words.map_title(clean(self.league.title)))
        text = "; ".join(self._holdings(rows)) or title
        told = {row.id: self._short(row) for row in rows}
        id_ = f"map-{name}"
        # Names are escaped where they are drawn.
        drawn = Markup(atlas.picture(drawing, view, self.lang, self.looks(), title, text, id_, told, fought))  # noqa: S704
        larger = Markup(atlas.inset(drawing, view, str(words.inset_title()).strip(), id_, told))  # noqa: S704
        return MapPart(drawn, larger, rows)

    def _land(self, drawing: Drawing, region: Region, pasts: Chronicle | None) -> Land:
        spot = drawing.spots.get(region.id)
        return Land(
            region.id,
            spot.number if spot else 0,
            self.say.land(region.id),
            region.owner,
            region.markers,
            region.changed,
            pasts.past(region.id) if pasts else None,
            spot.groups if spot else (),
            spot.near if spot else (),
            counts=tuple((seat, region.counts[seat]) for seat in self.looks() if region.counts.get(seat)),
            sign=region.sign,
        )

    def _short(self, row: Land) -> str:
        """What a screen reader says of a field."""
        held = [f"{self.name(seat)} {count}" for seat, count in row.counts]
        if row.owner or self.owned:
            held.insert(0, self.name(row.owner) if row.owner else str(self._words().nobody()).strip())
        told = ", ".join((*held, *(self.say.marker(marker) for marker in row.markers)))
        return f"{row.name}: {told}" if told else row.name

    @property
    def owned(self) -> bool:
        """Whether the game's countries have owners."""
        return self.league is None or self.league.drawing is None or self.league.drawing.owned

    def _words(self) -> Any:  # a template's macros
        return module_of(self.environment, "words.jinja")

    def _holdings(self, rows: Sequence[Land]) -> Iterable[str]:
        for seat in self.league.seats if self.league else ():
            lands = [row.name for row in rows if row.owner == seat.id]
            if lands:
                yield f"{self.name(seat.id)}: {', '.join(lands)}"
        for marker in sorted({marker for row in rows for marker in row.markers} if not self.owned else ()):
            lands = [row.name for row in rows if marker in row.markers]
            yield f"{self.say.marker(marker)}: {', '.join(lands)}"

    @property
    def tiled(self) -> bool:
        """Whether its maps can be shown as tiles too."""
        return self.league is not None and self.league.drawing is not None and self.league.drawing.tiled

    def chart(self, rounds: Sequence[int], rows: Mapping[str, Sequence[int | None]], title: str, name: str) -> Markup:
        """What each player had after each round, as lines; empty where there is no line yet."""
        if self.league is None or len(rounds) < LINE:
            return Markup("")
        seats = [seat for seat in self.league.seats if seat.id in rows]
        lines = [(self.name(seat.id), seat.look, rows[seat.id]) for seat in seats]
        text = "; ".join(f"{who}: {', '.join(str(v) for v in had if v is not None)}" for who, _, had in lines)
        drawn = charts.chart(self.league.drawing, rounds, lines, title, text, name)
        return Markup(drawn)  # noqa: S704  # names are escaped where it is drawn

    def bars(self, values: Sequence[int]) -> Markup:
        """Gains as small bars."""
        return Markup(charts.bars(values))  # noqa: S704  # numbers

    def feed(self) -> str:
        """Link to the league's feed."""
        return self.href(feed_path(self.league, self.lang)) if self.league else ""

    def address(self) -> str:
        """The page's whole address; empty for a site without one."""
        return f"{self.site.base_url.rstrip('/')}/{self.here}" if self.site.base_url else ""

    def preview(self, picture: str) -> str:
        """The whole address of a picture, as those who show links want it; empty for a site without an address."""
        if not self.league or not self.site.base_url or not picture:
            return ""
        return f"{self.site.base_url.rstrip('/')}/{self.league.slug}/{picture}"

    def stack(self, parts: Sequence[tuple[str, int, bool]], marks: Sequence[tuple[int, str]], text: str) -> Markup:
        """A bar that seats add to: seat, amount, whether it counts; `marks`: twice an amount, and what it is."""
        if self.league is None or self.league.drawing is None:
            return Markup("")
        looks = self.looks()
        rows = [(self.name(seat), looks[seat], amount, counts) for seat, amount, counts in parts if seat in looks]
        return Markup(stacks.stack(self.league.drawing, rows, marks, text))  # noqa: S704  # names are escaped where it is drawn

    def more(self, part: str, facts: Facts, events: Sequence[Facts] = ()) -> Markup:
        """What the game has to show besides (`page.html` of its templates), from its view's `extra`; else nothing."""
        if self.league is None:
            return Markup("")
        module = module_of(self.environment, f"{self.league.game}/page.html")
        if module is None:
            return Markup("")
        return Markup(getattr(module, part)(self, facts, events))  # noqa: S704  # a template's own, escaped as all are

    def composer(self) -> str:
        """What the order composer reads."""
        return composer_path(self.league, self.lang) if self.league else ""

    def samples(self) -> list[str]:
        """How orders are written, as mails explain it."""
        examples = getattr(self.say.words("help"), "examples", None)
        lines = str(examples(self.say)).split("\n") if callable(examples) else []
        return [line.removeprefix("#").strip() for line in lines if line.strip()]

    def player(self, seat: str) -> str:
        """Link to what is told of a player."""
        return f"{self.href(players_path(self.league, self.lang))}#{seat}" if self.league else ""


def saying(site: SiteInfo, league: LeagueInfo | None, lang: str) -> Say:
    """How a league's things are said in a language; a seat without a name is called by its id."""
    if league is None:
        return Say(lang, lambda thing, _: thing, str, "", site)
    names = {seat.id: seat.name for seat in league.seats}
    return Say(lang, league.label, lambda seat: names.get(seat, seat), league.game, site)
