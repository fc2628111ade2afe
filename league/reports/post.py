"""One mail in the making: its templates, its reader's language and clock, and the guard that has the last word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from re import compile as pattern
from typing import Any

from jinja2 import Environment, TemplateNotFound

from league import i18n, resources
from league.core.orders import NO_FACTS, Ruling
from league.core.standings import Place
from league.reports.calendars import uid_of
from league.reports.context import Deadline, LeagueInfo, LineReport, Mail, Reads, ReceiptLine, RoundInfo, SiteInfo
from league.reports.dress import Block, Line, blocks, seen
from league.reports.environment import environment, mended
from league.reports.page import saying
from league.reports.paths import league_path, round_path
from league.reports.pictures import Sign, sign_of
from league.reports.texts import WIDTH, clean, fold, guard, is_harmless
from league.reports.words import Say

SIGNATURE_COLUMNS = 64
ECHO_COLUMNS = WIDTH - 6
NOTED_COLUMNS = 1000  # an order in our own words is shown whole: its player must see what was read
GAPS = pattern(r"\n{3,}")
PLAIN = frozenset({"freeze"})  # check sums are for mail servers to date and for programs to compare
BLANKS = pattern(r"\n\s*")


@dataclass(frozen=True)
class Post:
    """What a mail's templates see as `m`."""

    site: SiteInfo
    league: LeagueInfo
    lang: str
    reads: Reads
    seat: str = ""
    key: str = ""  # its player's, for the link to the page's order composer

    @classmethod
    def to(cls, site: SiteInfo, league: LeagueInfo, seat: str, reads: Reads, key: str = "") -> "Post":
        """A mail to a seat, in its language."""
        known = league.seat(seat)
        return cls(site, league, i18n.supported(known.lang if known else league.lang), reads, seat, key)

    @cached_property
    def say(self) -> Say:
        """How the league's game says things."""
        return saying(self.site, self.league, self.lang)

    @cached_property
    def environment(self) -> Environment:
        """The templates in the reader's language."""
        return environment(self.lang, self.site)

    def mail(self, kind: str, calendar: RoundInfo | None = None, **values: object) -> Mail:
        """Subject and text (the template's first line is the subject, an empty line follows), and the same as HTML.

        `calendar`: the round whose deadline goes along for the reader's calendar.
        """
        return mended(lambda: replace(self).whole(kind, calendar, values))  # as new: what it had looked up is of then

    def whole(self, kind: str, calendar: RoundInfo | None, values: dict[str, object]) -> Mail:
        """The same, by whatever templates there are."""
        subject, text = self.plain(kind, values)
        deadline = self.deadline(calendar) if calendar is not None else None
        html = self.dressed(kind, subject, text, values) if kind not in PLAIN else ""
        return Mail(subject, self.safe(text), (html,) if html else (), deadline=deadline)

    def plain(self, kind: str, values: dict[str, object]) -> tuple[str, str]:
        """Subject and text, not folded yet."""
        subject, _, text = self._rendered(f"{kind}.txt", values).partition("\n")
        return clean(subject, 150), text.strip("\n") + "\n"

    def text(self, kind: str, **values: object) -> str:
        """A part of a mail."""
        return self.safe(self._rendered(f"{kind}.txt", values).strip("\n"))

    def dressed(self, kind: str, subject: str, text: str, values: dict[str, object]) -> str:
        """A mail's text as HTML: by a template of its own where a site has one, else by what its signs say."""
        found = [self._closed(block) for block in blocks(guard(text, self.reads))]
        return self.html(self._template_of(kind), subject, values | {"blocks": found})

    def _closed(self, block: Block) -> Block:
        """A title that would be an order or a command without its signs stands in brackets."""
        if block.kind != "title" or not self.reads(block.lines[0].text):
            return block
        return Block(block.kind, (Line("", f"[{block.lines[0].text}]"),))

    def html(self, template: str, subject: str, values: dict[str, object]) -> str:
        """HTML that no reader takes for an order; empty where that can't be had, and the text goes alone."""
        heading = subject.partition("] ")[2] if subject.startswith("[") else subject
        made = self._rendered(template, values | {"subject": subject, "heading": heading or subject})
        made = BLANKS.sub("\n", made).strip() + "\n"
        return made if is_harmless(seen(made), self.reads) else ""

    def _template_of(self, kind: str) -> str:
        try:
            self.environment.get_template(f"mail/{kind}.html")
        except TemplateNotFound:
            return "any.html"
        return f"{kind}.html"

    def _rendered(self, name: str, values: dict[str, object]) -> str:
        template = self.environment.get_template(f"mail/{name}")
        title = clean(self.league.title)
        text = template.render(m=self, say=self.say, league=self.league, title=title, seat=self.seat, **values)
        return GAPS.sub("\n\n", text)

    def safe(self, text: str) -> str:
        """Folded to 72 columns, and no line an order."""
        return guard(fold(text), self.reads)

    def words(self, macro: str, **values: object) -> str:
        """A macro of the words that pages and mails share."""
        module: Any = self.environment.get_template("words.jinja").module
        return " ".join(str(getattr(module, macro)(**values)).split())

    def deadline(self, round_: RoundInfo) -> Deadline:
        """The round's deadline for a calendar; the same for everyone who reads the language."""
        league, number = self.league, round_.number
        return Deadline(
            uid=uid_of(league, number),
            name=f"{league.slug}-{number}",
            instant=round_.deadline,
            summary=self.words("deadline_title", league=clean(league.title), n=number),
            description=self.words("deadline_about", address=league.address),
            link=self.page(f"{league.slug}/index.html"),
        )

    def instant(self, written: str) -> datetime:
        """A time out of facts, for the others here."""
        return datetime.fromisoformat(written)

    def when(self, instant: datetime) -> str:
        """A time on the player's own clock."""
        return i18n.when(instant, self.league.zone_of(self.seat), self.lang)

    def start(self, instant: datetime) -> str:
        """When something begins, on the player's own clock."""
        return i18n.start(instant, self.league.zone_of(self.seat), self.lang)

    def utc(self, instant: datetime) -> str:
        """A time for everyone."""
        return i18n.utc(instant)

    def order(self, line: LineReport | ReceiptLine) -> str:
        """The order as understood; for a line that wasn't, nothing."""
        return self.say.order(line.order) or clean(line.notation, NOTED_COLUMNS)

    def noted(self, line: Mapping[str, Any]) -> str:
        """An order out of a command's facts."""
        return self.say.order(line["order"]) or clean(line["notation"], NOTED_COLUMNS)

    def written(self, line: LineReport | ReceiptLine) -> str:
        """The line as its player wrote it, made harmless."""
        return clean(line.written, ECHO_COLUMNS)

    def form(self, command: str) -> str:
        """How a command is written in this language."""
        return str(resources.commands()["commands"][command][self.lang][0])

    def small(self, role: str) -> str:
        """A small word of commands."""
        return str(resources.commands()["words"][role][self.lang][0])

    def typed(self, text: str) -> str:
        """A line of somebody's, made harmless."""
        return clean(text, ECHO_COLUMNS)

    def rule(self, rule: str) -> str:
        """A rule's number in brackets, or nothing."""
        return f" ({self.say.rule(rule)})" if rule else ""

    def fate(self, ruling: Ruling) -> str:
        """The fate's name, for its look."""
        return ruling.fate.value if ruling.fate else "waiting"

    def sign(self, seat: str) -> Sign | None:
        """The owner's sign as on the map; None for a game without one."""
        known = self.league.seat(seat)
        return sign_of(self.league.drawing, known.look) if known and self.league.drawing else None

    def name(self, seat: str) -> str:
        """A player's name; one that would be an order stands in brackets, so that HTML with it can go out."""
        name = self.say.name(seat)
        return f"[{name}]" if self.reads(name) else name

    def names(self, seats: Sequence[str]) -> str:
        """Players, listed."""
        return i18n.listed([self.name(seat) for seat in seats], self.lang)

    def asks(self, round_: RoundInfo, seat: str = "") -> str:
        """What the round wants of the seat (the reader's own); empty where every round wants the same."""
        if round_.asks is None:
            return ""
        if not round_.asks:
            return self.say.asks(round_.phase, NO_FACTS) or self.words("asks_nobody")
        facts = round_.asks.get(seat or self.seat)
        return self.say.asks(round_.phase, facts) if facts is not None else self.words("asks_others")

    def holding(self, held: Mapping[str, Any]) -> str:
        """Where a seat that changes hands stands, and what it has."""
        if not held.get("rank"):
            return ""
        points = held["points"]
        place = self.words("seat_stands", rank=held["rank"], points=self.say.number(points), num=abs(points))
        return f"{place} {self.say.own(held['own'])}".strip()

    def standing(self, place: Place) -> str:
        """Where a player stands, in words."""
        return self.words("place", rank=place.rank, points=self.say.number(place.points), num=place.points)

    def chunks(self, text: str) -> Sequence[str]:
        """A long signature in pieces that fit a line."""
        return [text[i : i + SIGNATURE_COLUMNS] for i in range(0, len(text), SIGNATURE_COLUMNS)]

    def page(self, path: str) -> str:
        """The public address of a page; empty while the site has none."""
        return f"{self.site.base_url.rstrip('/')}/{path}" if self.site.base_url else ""

    def composer(self) -> str:
        """The reader's own link to the order composer: what stands behind the `#` no server sees. Or nothing."""
        page = self.page(league_path(self.league, self.lang))
        return f"{page}#{self.seat}/{self.key}" if page and self.key else ""

    def round_page(self, number: int) -> str:
        """The public address of a round's page in this language."""
        return self.page(round_path(self.league, number, self.lang))
