"""Mails as text: what we send never holds a line that our own reader would take for an order (MAIL: decision 1).

Orders are echoed as `[1] take Paris – accepted`, technical lines are `# ` comments, press is prefixed with `| `,
and a `guard` that asks the game's reader has the last word. The shared part of a report is made once for each
language; a player's own part is put into it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from re import compile as pattern

from league import i18n
from league.core.json import Json
from league.reports.context import (
    KeptOrders,
    LeagueInfo,
    LineReport,
    Mail,
    PauseInfo,
    Reads,
    Receipt,
    ReceiptLine,
    RoundInfo,
    RoundReport,
    SiteInfo,
)
from league.reports.environment import environment
from league.reports.render import accounts, compared, evaluated, headline, readable, round_path, saying, silent, told
from league.reports.texts import WIDTH, clean, columns, fold, guard
from league.reports.words import Say

PRIVATE = "\N{OBJECT REPLACEMENT CHARACTER}"  # where a player's own part goes; foreign text is cleaned of it
SIGNATURE_COLUMNS = 64
ECHO_COLUMNS = WIDTH - 6
NOTHING_KEPT = KeptOrders()
GAPS = pattern(r"\n{3,}")


@dataclass(frozen=True)
class ReportMails:
    """A round's report as mails: `mail(seat)` for each player, the shared text made once for each language."""

    site: SiteInfo
    report: RoundReport
    reads: Reads
    _shared: dict[str, tuple[str, str]] = field(default_factory=dict)
    _read: dict[str, bool] = field(default_factory=dict)

    def mail(self, seat: str) -> Mail:
        """The player's report, in the player's language and time zone."""
        league = self.report.league
        known = league.seat(seat)
        lang = i18n.supported(known.lang if known else league.lang)
        if lang not in self._shared:
            self._shared[lang] = self._common(lang)
        subject, common = self._shared[lang]
        head, tail = common.split(PRIVATE)
        return Mail(subject, head + self._own(seat, lang) + tail)

    def _known(self, text: str) -> bool:
        """The reader's verdict, asked once for a line that stands in many mails."""
        if text not in self._read:
            self._read[text] = self.reads(text)
        return self._read[text]

    def _common(self, lang: str) -> tuple[str, str]:
        post = _Post(self.site, self.report.league, lang, self._known)
        report = self.report
        mail = post.mail(
            "report",
            report=report,
            round=report.round,
            evaluated=evaluated(report),
            headline=headline(post.say, report.events),
            happened=told(post.say, report.events),
            silent=silent(report),
            table=_table(post, report),
            accounts=accounts(report),
            press=readable(report.press),
            private=PRIVATE,
        )
        return mail.subject, mail.text

    def _own(self, seat: str, lang: str) -> str:
        post = _Post(self.site, self.report.league, lang, self._known, seat)
        mails = [mail for mail in self.report.mails if mail.seat == seat]
        account = next((a for a in accounts(self.report) if a.seat == seat), None)
        missed, following = self.report.missed.get(seat, 0), self.report.following
        return post.text("own", mails=mails, account=account, following=following, missed=missed, report=self.report)


def receipt_mail(site: SiteInfo, league: LeagueInfo, receipt: Receipt, reads: Reads) -> Mail:
    """The answer to an order mail: each line as understood, what stands now, the deadline, the signed block."""
    post = _Post.to(site, league, receipt.seat, reads)
    mistakes = [line for line in receipt.lines if line.mistake is not None]
    return post.mail("receipt", receipt=receipt, round=receipt.round, mistakes=mistakes)


def ask_mail(site: SiteInfo, league: LeagueInfo, receipt: Receipt, reads: Reads) -> Mail:
    """The answer to a mail without a readable order: how orders are written, and what stands meanwhile."""
    return _Post.to(site, league, receipt.seat, reads).mail("ask", receipt=receipt, round=receipt.round)


def replies_mail(site: SiteInfo, league: LeagueInfo, receipt: Receipt, reads: Reads) -> Mail:
    """The answer to a mail that holds replies alone: what was understood, and what is still open."""
    post = _Post.to(site, league, receipt.seat, reads)
    mistakes = [line for line in receipt.lines if line.mistake is not None or line.note is not None]
    return post.mail("replies", receipt=receipt, round=receipt.round, mistakes=mistakes)


def fixtures_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    round_: RoundInfo,
    battles: Sequence[Mapping[str, Json]],
    until: datetime,
    reads: Reads,
) -> Mail:
    """The battles that are due now, a fighter's own first: who, where, how, until when, and how to report."""
    own = [facts for facts in battles if _fights(seat, facts)]
    others = [facts for facts in battles if not _fights(seat, facts)]
    return _Post.to(site, league, seat, reads).mail("fixtures", round=round_, own=own, others=others, until=until)


def _fights(seat: str, facts: Mapping[str, Json]) -> bool:
    fighters = facts["fighters"]
    return isinstance(fighters, Sequence) and seat in fighters


def dispute_mail(
    site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo, facts: Mapping[str, Json], reads: Reads
) -> Mail:
    """Reports of a battle contradict each other: who said what, that the organizer decides, how to give way."""
    return _Post.to(site, league, seat, reads).mail("dispute", round=round_, facts=facts)


def reminder_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    round_: RoundInfo,
    battles: Sequence[Mapping[str, Json]],
    until: datetime,
    reads: Reads,
) -> Mail:
    """The fighter's battles that nothing was heard of from him, shortly before the waiting ends."""
    return _Post.to(site, league, seat, reads).mail("reminder", round=round_, own=battles, until=until)


def moved_mail(site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo, reads: Reads) -> Mail:
    """A result came so late that the open round's deadline is a week later."""
    return _Post.to(site, league, seat, reads).mail("moved", round=round_)


def late_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    closed: RoundInfo,
    opens: datetime,
    received: datetime,
    reads: Reads,
    kept: KeptOrders = NOTHING_KEPT,
    *,
    late: bool = True,
) -> Mail:
    """The answer to a mail after the freeze or for an older round: not counted; when the next window opens.

    Not `late`: all that it wanted was that standing orders end, and they do.
    """
    post = _Post.to(site, league, seat, reads)
    return post.mail("late", round=closed, opens=opens, received=received, kept=kept, late=late)


def which_mail(site: SiteInfo, league: LeagueInfo, seat: str, slugs: Sequence[str], reads: Reads) -> Mail:
    """The answer to a mail of somebody who plays several seats and doesn't say for which it is."""
    return _Post.to(site, league, seat, reads).mail("which", slugs=slugs)


def freeze_mail(site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo, reads: Reads) -> Mail:
    """Root and leaves of the frozen orders, so that every player's mail server dates them."""
    return _Post.to(site, league, seat, reads).mail("freeze", round=round_)


def welcome_mail(site: SiteInfo, league: LeagueInfo, seat: str, round_: RoundInfo | None, reads: Reads) -> Mail:
    """The first mail to a player: what the league is, where to write, how orders look, the first deadline."""
    return _Post.to(site, league, seat, reads).mail("welcome", round=round_)


def seat_mail(
    site: SiteInfo,
    league: LeagueInfo,
    seat: str,
    what: str,
    round_: RoundInfo,
    facts: Mapping[str, Json],
    reads: Reads,
) -> Mail:
    """What the organizer changed about a seat: retired, returned, replaced, takes_over, absent, present."""
    return _Post.to(site, league, seat, reads).mail("seat", what=what, round=round_, facts=facts)


def pause_mail(
    site: SiteInfo, league: LeagueInfo, seat: str, pause: PauseInfo, round_: RoundInfo, reads: Reads
) -> Mail:
    """Holidays of the league, and when the round after them takes orders."""
    return _Post.to(site, league, seat, reads).mail("pause", pause=pause, round=round_)


@dataclass(frozen=True)
class _Post:
    """One mail in the making."""

    site: SiteInfo
    league: LeagueInfo
    lang: str
    reads: Reads
    seat: str = ""

    @classmethod
    def to(cls, site: SiteInfo, league: LeagueInfo, seat: str, reads: Reads) -> "_Post":
        """A mail to a seat, in its language."""
        known = league.seat(seat)
        return cls(site, league, i18n.supported(known.lang if known else league.lang), reads, seat)

    @cached_property
    def say(self) -> Say:
        """How the league's game says things."""
        return saying(self.site, self.league, self.lang)

    def mail(self, kind: str, **values: object) -> Mail:
        """Subject and text: the template's first line is the subject, an empty line follows."""
        subject, _, text = self._rendered(kind, values).partition("\n")
        return Mail(clean(subject, 150), self._safe(text.strip("\n") + "\n"))

    def text(self, kind: str, **values: object) -> str:
        """A part of a mail."""
        return self._safe(self._rendered(kind, values).strip("\n"))

    def _rendered(self, kind: str, values: dict[str, object]) -> str:
        template = environment(self.lang, self.site).get_template(f"mail/{kind}.txt")
        title = clean(self.league.title)
        text = template.render(m=self, say=self.say, league=self.league, title=title, seat=self.seat, **values)
        return GAPS.sub("\n\n", text)

    def _safe(self, text: str) -> str:
        return guard(fold(text), self.reads)

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
        return self.say.order(line.order) or clean(line.notation, ECHO_COLUMNS)

    def written(self, line: LineReport | ReceiptLine) -> str:
        """The line as its player wrote it, made harmless."""
        return clean(line.written, ECHO_COLUMNS)

    def rule(self, rule: str) -> str:
        """A rule's number in brackets, or nothing."""
        return f" ({self.say.rule(rule)})" if rule else ""

    def chunks(self, text: str) -> Sequence[str]:
        """A long signature in pieces that fit a line."""
        return [text[i : i + SIGNATURE_COLUMNS] for i in range(0, len(text), SIGNATURE_COLUMNS)]

    def page(self, path: str) -> str:
        """The public address of a page; empty while the site has none."""
        return f"{self.site.base_url.rstrip('/')}/{path}" if self.site.base_url else ""

    def round_page(self, number: int) -> str:
        """The public address of a round's page in this language."""
        return self.page(round_path(self.league, number, self.lang))


def _table(post: _Post, report: RoundReport) -> list[str]:
    rows = [
        (
            f"{row.place.rank}.",
            post.say.name(row.place.seat),
            post.say.number(row.place.points),
            post.say.signed(row.change),
            str(row.place.countries),
        )
        for row in compared(report.standings, report.previous)
    ]
    return columns(rows, right=(0, 2, 3, 4))
