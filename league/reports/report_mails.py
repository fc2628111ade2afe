"""A round's report as mails: what all of a language share is made once, a player's own part is put into it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from league import i18n
from league.core.standings import Place
from league.core.view import Region
from league.reports import story as story_of
from league.reports.accounts import Account
from league.reports.context import Mail, Reads, RoundReport, SiteInfo
from league.reports.environment import mended
from league.reports.pictures import Sketch, sketch
from league.reports.post import Post
from league.reports.render import accounts, compared, evaluated, headline, readable, silent, told
from league.reports.texts import columns

PRIVATE = "\N{OBJECT REPLACEMENT CHARACTER}"  # where a player's own part goes; foreign text is cleaned of it
MOST = 90_000  # bytes of HTML: Gmail hides what stands behind 102 kB


@dataclass(frozen=True, slots=True)
class Shared:
    """What a language's mails have in common: text and HTML before and behind the own part; no HTML where unsafe."""

    subject: str
    text: tuple[str, str]
    html: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Lands:
    """A row of the map as a table: what belongs to a seat, or to nobody, or carries a marker."""

    seat: str
    label: str
    lands: str


@dataclass(frozen=True)
class ReportMails:
    """A round's report as mails: `mail(seat)` for each player, the shared text made once for each language."""

    site: SiteInfo
    report: RoundReport
    reads: Reads
    keys: Mapping[str, str] = field(default_factory=dict)  # seat -> its player's key, for the link in his own mail
    _shared: dict[str, Shared] = field(default_factory=dict)
    _read: dict[str, bool] = field(default_factory=dict)

    def mail(self, seat: str) -> Mail:
        """The player's report, in the player's language and time zone."""
        return mended(lambda: self._mail(seat))

    def _mail(self, seat: str) -> Mail:
        report, league = self.report, self.report.league
        known = league.seat(seat)
        lang = i18n.supported(known.lang if known else league.lang)
        if lang not in self._shared:
            self._shared[lang] = self._common(Post(self.site, league, lang, self._known))
        shared = self._shared[lang]
        post = Post(self.site, league, lang, self._known, seat, self.keys.get(seat, ""))
        own = self._own(post)
        text, html = post.text("own", **own), post.html("own.html", shared.subject, own) if shared.html else ""
        made = Mail(shared.subject, text.join(shared.text), unsubscribe=f"unsubscribe [{league.slug}]")
        if report.following is not None:
            made = replace(made, deadline=post.deadline(report.following))
        if shared.html is None or not html:
            return made
        return replace(made, html=(shared.html[0], html, shared.html[1]), picture=self.picture)

    @cached_property
    def picture(self) -> Sketch | None:
        """The map, the same for all languages."""
        drawing, view = self.report.league.drawing, self.report.view.after
        if drawing is None or view is None or not self.site.pictures:
            return None
        return sketch(drawing, view, {seat.id: seat.look for seat in self.report.league.seats})

    def _known(self, text: str) -> bool:
        """The reader's verdict, asked once for a line that stands in many mails."""
        if text not in self._read:
            self._read[text] = self.reads(text)
        return self._read[text]

    def _common(self, post: Post) -> Shared:
        report = self.report
        values: dict[str, object] = {
            "report": report,
            "round": report.round,
            "evaluated": evaluated(report),
            "headline": headline(post.say, report.events),
            "happened": told(post.say, report.events),
            "silent": silent(report),
            "standings": compared(report.standings, report.previous),
            "accounts": self._accounts,
            "battles": [event for event in report.events if event.get("type") == "battle"],
            "press": readable(report.press),
            "lands": list(self._lands(post)),
            "columns": self.report.view.columns,
            "quiet": self._quiet(post),
            "changed": self._changed(post),
            "prize": self._prize(post),
            "private": PRIVATE,
        }
        subject, text = post.plain("report", values | {"table": self._table(post)})
        head, tail = post.safe(text).split(PRIVATE)
        values |= {"picture": self.picture, "alt": self._alt(post), "leads": self._leads(post)}
        return Shared(subject, (head, tail), self._html(post, subject, values))

    def _html(self, post: Post, subject: str, values: dict[str, object]) -> tuple[str, str] | None:
        """In full, or without what the text tells as well, or not at all: a mail program cuts a longer one off."""
        for brief in (False, True):
            made = post.html("report.html", subject, values | {"brief": brief})
            if made and len(made.encode()) <= MOST:
                head, tail = made.split(PRIVATE)
                return head + "\n", tail.lstrip("\n")
        return None

    @cached_property
    def _accounts(self) -> list[Account]:
        return accounts(self.report)

    def _own(self, post: Post) -> dict[str, object]:
        report, seat = self.report, post.seat
        missed = report.missed.get(seat, 0)
        return {
            "mails": [mail for mail in (*report.mails, *report.own) if mail.seat == seat],
            "account": next((a for a in self._accounts if a.seat == seat), None),
            "place": next((p for p in report.standings if p.seat == seat), None),
            "following": report.following,
            "missed": missed,
            "report": report,
            "warned": post.words("missed", num=missed, limit=report.missed_limit, action=report.missed_action),
        }

    def _lands(self, post: Post) -> Iterator[Lands]:
        """The map in words: each player's countries, those of nobody, and those with a marker."""
        drawing, view = self.report.league.drawing, self.report.view.after
        if view is None:
            return
        numbers = {id_: spot.number for id_, spot in drawing.spots.items()} if drawing else {}
        rows = sorted((numbers.get(r.id, 0), post.say.land(r.id), r) for r in view.regions)
        shown = [(_numbered(number, name, region), region) for number, name, region in rows]
        if drawing is not None and not drawing.owned:
            yield from _pieces(post, shown)
            return
        for seat in post.league.seats:
            owned = [name for name, region in shown if region.owner == seat.id]
            if owned:
                yield Lands(seat.id, "", ", ".join(owned))
        free = [name for name, region in shown if region.owner is None]
        if free:
            yield Lands("", post.words("nobody"), ", ".join(free))
        for marker in sorted({marker for region in view.regions for marker in region.markers}):
            marked = [name for name, region in shown if marker in region.markers]
            yield Lands("", post.words("marked", marker=post.say.marker(marker)), ", ".join(marked))

    def _quiet(self, post: Post) -> str:
        """What a round without a headline was about, where no country can change hands."""
        drawing = self.report.league.drawing
        told = "" if drawing is None or drawing.owned else story_of.headline(post.say, self.report.events)
        return f"{told}." if told else ""

    def _changed(self, post: Post) -> str:
        view = self.report.view.after
        return ", ".join(post.say.land(region.id) for region in view.regions if region.changed) if view else ""

    def _prize(self, post: Post) -> str:
        prize = post.league.prize
        won = any(event.get("type") == "month_leader" for event in self.report.events)
        return post.words("prize", prize=post.say.plain(prize)) if prize and won else ""

    def _leads(self, post: Post) -> str:
        """The table in a sentence: who leads, and by how much."""
        standings = self.report.standings
        if not standings:
            return ""
        first = [place for place in standings if place.rank == 1]
        points = first[0].points if first else standings[0].points
        who = post.names([place.seat for place in first])
        return post.words("leads", who=who, many=len(first), points=post.say.number(points), num=abs(points))

    def _alt(self, post: Post) -> str:
        """What the picture would tell: the round's result, and the table."""
        told_ = " ".join(post.say.event(facts) for facts in headline(post.say, self.report.events))
        table = ", ".join(
            f"{p.rank}. {post.say.name(p.seat)} {post.say.number(p.points)}" for p in self.report.standings
        )
        return post.words("map_alt", league=post.say.plain(post.league.title), told=told_, table=table)

    def _table(self, post: Post) -> list[str]:
        rows = [
            (
                f"{row.place.rank}.",
                post.say.name(row.place.seat),
                post.say.number(row.place.points),
                post.say.signed(row.change),
                *self._beside(row.place),
            )
            for row in compared(self.report.standings, self.report.previous)
        ]
        return columns(rows, right=(0, *range(2, max(map(len, rows), default=0))))

    def _beside(self, place: Place) -> tuple[str, ...]:
        """What the game's table shows beside points, else countries."""
        beside = self.report.view.columns
        return tuple(str(row.get(place.seat, 0)) for row in beside.values()) if beside else (str(place.countries),)


def _numbered(number: int, name: str, region: Region) -> str:
    shown = str(number or "") if region.sign is None else region.sign
    return f"{shown} {name}".strip()


def _pieces(post: Post, shown: Sequence[tuple[str, Region]]) -> Iterator[Lands]:
    """Where each player's pieces stand, and the countries with each marker."""
    for seat in post.league.seats:
        there = [f"{name}: {region.counts[seat.id]}" for name, region in shown if region.counts.get(seat.id)]
        if there:
            yield Lands(seat.id, "", ", ".join(there))
    for marker in sorted({marker for _, region in shown for marker in region.markers}):
        marked = [name for name, region in shown if marker in region.markers]
        yield Lands("", post.say.marker(marker), ", ".join(marked))
