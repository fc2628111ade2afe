"""A league's player documents: the rules with its choices, the order card, a worked week.

The texts are the game's, a file a language in `templates/<game>/rules/`: `data.jinja` names chapters and statements,
`<lang>.html` has a macro for each. They change with the league's options alone, so they are made when it is published
as a whole.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from posixpath import dirname
from re import Match
from re import compile as pattern
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from league import i18n
from league.core.game import Options
from league.core.json import Json
from league.core.schedule import Weekly
from league.reports.context import LeagueInfo, SiteInfo
from league.reports.page import Page
from league.reports.paths import league_path
from league.reports.texts import clean
from league.reports.words import Say

RULES, CARD, WEEK = "rules.html", "card.html", "week.html"
CITED = pattern(r"(<[^>]*>)|\b[A-Z]\d+\b")


@dataclass(frozen=True, slots=True)
class RulesInfo:
    """What the rules of a league depend on. `presets` are the game's, `defaults` its options' own values."""

    league: LeagueInfo
    options: Options
    defaults: Options
    presets: Mapping[str, Options]
    week: Weekly
    grace_minutes: int
    board: Mapping[str, Any]
    late_results: bool = False  # battles may be reported until the next deadline
    own_board: bool = False
    told: bool = True  # a worked week lies beside the rules
    tables: Mapping[str, Any] = field(default_factory=dict)  # all of the game's, by file
    hours: Mapping[str, int] = field(default_factory=dict)  # how long a kind of phase lasts, where no week says so
    grid: str = "week"  # the moment that follows is then the deadline: hour, day or week


@dataclass(frozen=True, slots=True)
class WeekMail:
    """A mail of the worked week; `lines` have `line`, `fate`, `reason` and `rule`, already in words."""

    seat: str
    received: datetime
    text: str
    lines: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class WeekAccount:
    """A player of the worked week before and after it."""

    seat: str
    before: int
    after: int
    owned: tuple[str, ...]
    owns: tuple[str, ...]
    items: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class WorkedWeek:
    """An invented round as the engine decided it; `events` are facts with their `text`; the best player comes first."""

    number: int
    mails: tuple[WeekMail, ...]
    events: tuple[Mapping[str, Any], ...]
    accounts: tuple[WeekAccount, ...]

    def of(self, *types: str) -> tuple[Mapping[str, Any], ...]:
        """The events of these types."""
        return tuple(event for event in self.events if event["type"] in types)

    def about(self, country: str, *types: str) -> tuple[Mapping[str, Any], ...]:
        """Those of them that are about a country."""
        return tuple(event for event in self.of(*types) if event.get("country") == country)

    def gained(self, seat: str, item: str) -> bool:
        """Whether a player got points for this."""
        return any(e["seat"] == seat and e["item"] == item for e in self.of("points"))

    def by_score(self) -> tuple[WeekAccount, ...]:
        """The players as their moves are carried out: the lowest score at the start first."""
        return tuple(sorted(self.accounts, key=lambda account: account.before))


@dataclass(frozen=True)
class Terms:
    """What the macros of a language are given: the league's choices, and times as the language says them."""

    info: RulesInfo
    lang: str
    say: Say

    @property
    def o(self) -> Options:
        """The options as chosen."""
        return self.info.options

    @property
    def board(self) -> Mapping[str, Any]:
        """The board's table."""
        return self.info.board

    @property
    def tables(self) -> Mapping[str, Any]:
        """The game's tables, by file."""
        return self.info.tables

    @cached_property
    def tiles(self) -> Mapping[tuple[int, int], Mapping[str, Any]]:
        """The fields by column and row of their tiles; empty for a board without."""
        fields = self.info.board.get("field", ())
        return {(f["tile"]["col"], f["tile"]["row"]): f for f in fields if "tile" in f}

    @property
    def own_board(self) -> bool:
        """Whether the league plays on another board than the game's."""
        return self.info.own_board

    @property
    def fields(self) -> int:
        """How many fields the board has."""
        return len(self.info.board.get("field", ()))

    @property
    def zone(self) -> str:
        """The league's time zone."""
        return self.info.league.zone

    @property
    def grace(self) -> int:
        """Minutes after the deadline in which a mail still counts."""
        return self.info.grace_minutes

    @property
    def address(self) -> str:
        """Where orders go."""
        return self.info.league.address

    @property
    def late_results(self) -> bool:
        """Whether results are taken until the next round's deadline."""
        return self.info.late_results

    @cached_property
    def opens(self) -> str:
        """When the window opens, and the evaluation of the round before ends."""
        week = self.info.week
        return f"{_weekday(week.opens_day, self.lang)} {week.opens_hour:02}:00"

    @cached_property
    def closes(self) -> str:
        """The deadline."""
        week = self.info.week
        return f"{_weekday(week.closes_day, self.lang)} {week.closes_hour:02}:{week.closes_minute:02}"

    @property
    def hours(self) -> Mapping[str, int]:
        """How many hours a kind of phase lasts, "" for all others; empty where the week says when."""
        return self.info.hours

    @cached_property
    def then(self) -> str:
        """The time of day or the moment of the week that is waited for after these hours; empty: a full hour."""
        week = self.info.week
        return {"day": f"{week.closes_hour:02}:{week.closes_minute:02}", "week": self.closes}.get(self.info.grid, "")

    @property
    def prize(self) -> str:
        """What the month's leader wins, in the organizer's words."""
        return clean(self.info.league.prize, 200)

    def clock(self, moment: datetime) -> str:
        """A time within the week, as it stands."""
        return f"{_weekday(moment.weekday(), self.lang)}, {moment:%H:%M}"

    @cached_property
    def preset(self) -> str:
        """The preset whose values are in force: the one that says all, else one that names something; "" for none."""
        chosen, defaults = dict(self.o), dict(self.info.defaults)
        presets = self.info.presets
        exact = [name for name, values in presets.items() if defaults | dict(values) == chosen]
        held = [name for name, values in presets.items() if values and values.items() <= chosen.items()]
        return next(iter((*exact, *held)), "")


def _weekday(day: int, lang: str) -> str:
    from babel.dates import get_day_names

    return str(get_day_names("wide", locale=i18n.LOCALES[lang])[day])


def document_path(league: LeagueInfo, name: str, lang: str) -> str:
    """Where a document of the league lies."""
    return f"{dirname(league_path(league, lang))}/{name}"


def rules_page(site: SiteInfo, info: RulesInfo, lang: str) -> str:
    """Every statement of the rules in the league's options, each under its number as anchor."""
    page, text, terms = _opened(site, info, lang, RULES)
    words: Any = text.module
    data: Any = page.environment.get_template(f"{info.league.game}/rules/data.jinja").module
    known = frozenset(rule for _, rules in data.CHAPTERS for rule in rules)
    chapters = [
        (
            number,
            words.TITLES[number],
            _linked(_said(words, f"before_{number}", terms), known),
            [(rule, _linked(getattr(words, rule)(terms), known)) for rule in rules],
            _linked(_said(words, f"chapter_{number}", terms), known),
        )
        for number, rules in data.CHAPTERS
    ]
    return page.render(
        "rules.html",
        terms=terms,
        chapters=chapters,
        lead=words.lead(terms),
        calendar=_linked(words.calendar(terms), known),
        board=_linked(words.board(terms), known),
    )


def rule_texts(site: SiteInfo, info: RulesInfo, rule: str, lang: str) -> tuple[tuple[str, str], ...]:
    """A statement, or all of a chapter, each with its number; nothing where the game has no such rule."""
    page, text, terms = _opened(site, info, lang, RULES)
    words: Any = text.module
    data: Any = page.environment.get_template(f"{info.league.game}/rules/data.jinja").module
    chapters = {str(number): tuple(rules) for number, rules in data.CHAPTERS}
    known = [one for rules in chapters.values() for one in rules]
    if rule in known:
        return ((rule, str(getattr(words, rule)(terms))),)
    if rule not in chapters:
        return ()
    first, rest = (((rule, str(_said(words, f"{part}_{rule}", terms))),) for part in ("before", "chapter"))
    found = tuple((one, str(getattr(words, one)(terms))) for one in chapters[rule])
    return tuple((number, said) for number, said in (*first, *rest, *found) if said.strip())


def card_page(site: SiteInfo, info: RulesInfo, lang: str) -> str:
    """How orders are written, on one screen of a phone or a small sheet of paper."""
    page, text, terms = _opened(site, info, lang, CARD)
    data: Any = page.environment.get_template(f"{info.league.game}/rules/data.jinja").module
    words: Any = text.module
    played = info.options.get("battles") != "drawn"
    orders = [
        (forms.get(lang, forms["en"])[0], words.CARD[code])
        for code, forms in data.ORDERS
        if played or code not in data.PLAYED
    ]
    return page.render("card.html", terms=terms, orders=orders, notes=words.card(terms))


def week_page(site: SiteInfo, info: RulesInfo, week: WorkedWeek, lang: str) -> str:
    """A week from Sunday to Sunday, told with an example."""
    page, _, terms = _opened(site, info, lang, WEEK)
    story: Any = _text(page, info, f"week.{lang}", "week.en").module
    data: Any = page.environment.get_template(f"{info.league.game}/rules/data.jinja").module
    known = frozenset(rule for _, rules in data.CHAPTERS for rule in rules)
    told = _linked(story.story(terms, week), known, RULES)
    return page.render("week.html", terms=terms, title=story.TITLE, story=told)


def documents(site: SiteInfo, info: RulesInfo, week: WorkedWeek | None, lang: str) -> Iterable[tuple[str, str]]:
    """The league's documents in a language, each with its path."""
    yield document_path(info.league, RULES, lang), rules_page(site, info, lang)
    yield document_path(info.league, CARD, lang), card_page(site, info, lang)
    if week is not None:
        yield document_path(info.league, WEEK, lang), week_page(site, info, week, lang)


def _opened(site: SiteInfo, info: RulesInfo, lang: str, name: str) -> tuple[Page, Template, Terms]:
    places = {other: document_path(info.league, name, other) for other in site.langs}
    page = Page(site, lang, places.get(lang, document_path(info.league, name, lang)), places, info.league)
    return page, _text(page, info, lang, "en"), Terms(info, lang, page.say)


def _text(page: Page, info: RulesInfo, *names: str) -> Template:
    """The game's text in the first of these languages that it has."""
    return page.environment.select_template([f"{info.league.game}/rules/{name}.html" for name in names])


def _said(words: Any, name: str, terms: Terms) -> str:
    macro = getattr(words, name, None)
    return macro(terms) if macro is not None else Markup("")


def _linked(text: str, known: frozenset[str], target: str = "") -> Markup:
    """Numbers of statements become links; tags stay as they are."""

    def link(found: Match[str]) -> str:
        rule = found.group()
        if found.group(1) or rule not in known:
            return rule
        return f'<a href="{target}#{rule}">{rule}</a>'

    return Markup(CITED.sub(link, str(text)))  # noqa: S704  # made by our templates, which escape what they are given
