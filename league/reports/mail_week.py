"""A round's mails in both directions as one page, to be read in order; it lies beside what is public, never in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from league.reports.context import LeagueInfo, RoundInfo, SiteInfo
from league.reports.page import Page
from league.reports.paths import round_path
from league.reports.texts import clean_lines

ORDERS, CLOSED, BATTLES, REPORT = STAGES = ("orders", "closed", "battles", "report")
PUBLIC = "../public/"  # from the page's folder
SHOWN = 12  # lines of a mail of ours; the rest is folded
FEW = 4  # so few more lines aren't worth folding
LOOK_AT = ("ask", "fixtures", "dispute", "word", "reminder", "report")  # of each the first is named at the top
ORGANIZER = ""  # the seat of what the organizer does


@dataclass(frozen=True, slots=True)
class WeekMail:
    """A mail, or what the organizer did. `kind` says what it is; `others` got the same at the same moment."""

    at: datetime
    kind: str
    seat: str
    is_ours: bool
    subject: str
    text: str
    file: str = ""
    quoted: int = 0
    lang: str = ""
    verdict: str = ""
    stage: str = ORDERS
    others: tuple["WeekMail", ...] = ()
    number: int = 0

    def lines(self) -> tuple[Sequence[str], Sequence[str]]:
        """What is seen at once, and what is folded."""
        lines = self.text.strip("\n").splitlines() if self.is_ours else clean_lines(self.text)
        most = SHOWN if self.is_ours else len(lines)
        return (lines[:most], lines[most:]) if len(lines) > most + FEW else (lines, ())


@dataclass(frozen=True)
class Beside(Page):
    """A page in a folder beside the public one."""

    def href(self, target: str) -> str:
        """A relative link: to another form of the page, or into what is public."""
        return target if target in self.places.values() else PUBLIC + target


def mail_week_path(site: SiteInfo, lang: str) -> str:
    """Where the page in a language lies in its folder."""
    return "index.html" if lang == site.lang else f"index.{lang}.html"


def mail_week_page(site: SiteInfo, league: LeagueInfo, round_: RoundInfo, mails: Sequence[WeekMail], lang: str) -> str:
    """The page; mails in order of their times."""
    places = {other: mail_week_path(site, other) for other in site.langs}
    made = Beside(site, lang, places[lang], places, league)
    numbered = [replace(mail, number=number) for number, mail in enumerate(mails, start=1)]
    stages = [(name, list(_gathered((m for m in numbered if m.stage == name), lang))) for name in STAGES]
    return made.render(
        "mails.html",
        round=round_,
        round_link=PUBLIC + round_path(league, round_.number, lang),
        look_at=[next(m for m in numbered if m.kind == kind) for kind in LOOK_AT if kind in {m.kind for m in mails}],
        stages=[(name, found) for name, found in stages if found],
        received=sum(not m.is_ours for m in mails if m.seat != ORGANIZER),
        sent=sum(m.is_ours for m in mails),
    )


def _gathered(mails: Iterable[WeekMail], lang: str) -> Iterable[WeekMail]:
    """What went out to several at the same moment is one; it is shown as one who reads this language got it."""
    for _, same in groupby(mails, key=lambda m: (m.at, m.kind, m.is_ours, "" if m.is_ours else m.file)):
        first, *others = sorted(same, key=lambda m: m.lang != lang)
        yield replace(first, others=tuple(others))
