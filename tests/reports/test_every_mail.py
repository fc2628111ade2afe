"""Every mail there is, in every language, whatever players call themselves: none holds an order, as text or as HTML."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.core.json import Json
from league.desk.post.roster import any_order_or_press
from league.i18n import LANGS
from league.reports import mails
from league.reports.context import (
    CommandReport,
    KeptOrders,
    Mail,
    PauseInfo,
    Receipt,
    ReceiptLine,
    RoundReport,
    Seal,
    SiteInfo,
    Unanswered,
)
from league.reports.desk import DeskLeague, DeskSheet, Todo, desk_mail
from league.reports.late import EARLY, LATE, MISSED, TooLate
from league.reports.report_mails import ReportMails
from tests.reports.test_html_mails import harmless as html_harmless
from tests.reports.test_mails import EVIL, Reads, harmless

TEMPLATES = Path(__file__).parent.parent.parent / "templates" / "mail"
NO_MAILS = {"parts", "own", "trouble", "desk"}  # the last two go to the organizer, by a way of their own
NOON = datetime(2024, 1, 12, 12, tzinfo=UTC)
WHATS = ("retired", "returned", "replaced", "takes_over", "absent", "present", "new_key")
DATED = {"report", "receipt", "remind", "moved", "welcome", "invitation", "pause", "extended"}
FATES = ("orders", "replies", "late", "again", "nothing", "held")
SEAL = Seal("ab" * 32, "cd" * 16, "ef" * 44, "spring spring-1 1 anna 1 2024-01-12T12:00:00Z")
KEY = "abcd-efgh-2345-67xy"
REPORTS = (CommandReport("extend x", "unclear", {}, done=False), CommandReport("hold x", "refused", {"message": "x"}))


@pytest.fixture(scope="module")
def reads() -> Reads:
    """The site's own word: orders and commands of every game."""
    return any_order_or_press


def every(site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads, text: str) -> Iterator[tuple[str, Mail]]:
    """One of each template in each language, with foreign text wherever there is room for it."""
    league, shown = report.league, report.round
    following = report.following
    assert following is not None
    battle: dict[str, Json] = {"country": "belgium", "owner": "ben", "fighters": ["anna", "ben"], "attempt": 1}
    dispute: dict[str, Json] = {**battle, "kind": "dispute", "reports": [["anna", "anna"], ["ben", "ben"]]}
    named: dict[str, Json] = {**battle, "settings": text, "map": "spain"}
    made = ReportMails(site, replace(report, missed={"ben": 3}, missed_limit=4), reads)
    kept = KeptOrders((ReceiptLine(text, notation=text),), "set")
    for seat in ("anna", "ben", "carla"):
        mine = replace(receipt, seat=seat, kept=kept)
        yield "report", made.mail(seat)
        yield "receipt", mails.receipt_mail(site, league, mine, reads)
        yield "ask", mails.ask_mail(site, league, replace(mine, lines=mine.lines[:2], standing=()), reads)
        yield "replies", mails.replies_mail(site, league, mine, reads)
        mistaken = tuple(line for line in mine.lines if line.mistake)
        left = tuple(Unanswered(NOON, what, mistaken, SEAL) for what in FATES)
        for thread in ("answers", "quotes"):
            odd = replace(mine, thread=thread, unanswered=left)
            yield "receipt", mails.receipt_mail(site, league, odd, reads)
            yield "ask", mails.ask_mail(site, league, replace(odd, lines=odd.lines[:2]), reads)
            yield "commands", mails.commands_mail(site, league, odd, reads)
        yield "fixtures", mails.fixtures_mail(site, league, seat, shown, (battle, named), NOON, reads)
        yield "dispute", mails.dispute_mail(site, league, seat, shown, dispute, reads)
        yield "reminder", mails.reminder_mail(site, league, seat, shown, (named,), NOON, reads)
        yield "remind", mails.remind_mail(site, league, seat, following, reads)
        yield "moved", mails.moved_mail(site, league, seat, following, reads)
        for kind in (EARLY, LATE, MISSED):
            why = TooLate(kind, shown, following, kind == MISSED, NOON)
            yield "late", mails.late_mail(site, league, seat, why, NOON, reads, kept)
        yield "brake", mails.brake_mail(site, league, seat, 10, NOON, reads)
        yield "which", mails.which_mail(site, league, seat, [(league, seat, following)], reads)
        yield "freeze", mails.freeze_mail(site, league, seat, shown, reads)
        yield "welcome", mails.welcome_mail(site, league, seat, following, reads, KEY, KEY)
        for unproven in ("unproven", "token_alone", "token_of_another_seat", "key_not_fetched"):
            yield "unproven", mails.unproven_mail(site, league, seat, unproven, NOON, text, KEY, reads)
        for to in ("", "league@new.example", text):
            yield "away", mails.away_mail(site, league, seat, NOON, to, reads)
            for round_ in (shown, following):
                yield "back", mails.back_mail(site, league, seat, round_, NOON, to, reads)
        for problem in ("mail_too_big", "unparsable"):
            yield (
                "unreadable",
                mails.unreadable_mail(site, league, seat, following, NOON, problem, 1_000_000, (2000, 200_000), reads),
            )
        for what in WHATS:
            facts: dict[str, Json] = {"why": text, "first": 4, "last": 6, "texts": 2, "before": text}
            facts |= {"rank": 1, "points": 3, "own": {"points": 3}}
            yield "seat", mails.seat_mail(site, league, seat, what, following, facts, reads, KEY, KEY)
        for offer in ("offered", "gone", "stood_down", "listed", "over", "none", "name_taken", ""):
            free: dict[str, Json] = {"seat": "ben", "missed": 2, "offered": ["ben"], "rank": 1, "points": 3, "own": {}}
            yield "standby", mails.standby_mail(site, league, seat, offer, following, free, reads, KEY)
        several: dict[str, Json] = {"seat": "", "missed": 0, "offered": ["ben", "carla"]}
        yield "standby", mails.standby_mail(site, league, seat, "which", following, several, reads, KEY)
        yield "commands", mails.commands_mail(site, league, replace(mine, commands=(_asked(text),)), reads)
        told: dict[str, Json] = {"seat": "carla", "to": ["anna", "ben"], "all": False}
        yield "press", mails.press_mail(site, league, seat, text, told, reads)
        yield "press", mails.press_mail(site, league, seat, text, {**told, "seat": "", "all": True}, reads)
        yield "invitation", mails.invitation_mail(site, league, seat, text, "o@example.org", following, reads, KEY)
        yield (
            "invitation",
            mails.invitation_mail(site, league, seat, text, "o@example.org", following, reads, KEY, 2, text),
        )
        moved: dict[str, Json] = {"why": text, "weeks": 1, "until": NOON.isoformat()}
        for what in ("extended", "held"):
            yield what, mails.round_mail(site, league, seat, what, following, moved, reads)
        pause = PauseInfo(date(2024, 7, 1), date(2024, 8, 1), text)
        for is_open in (False, True):
            yield "pause", mails.pause_mail(site, league, seat, pause, following, reads, is_open=is_open)

    gone: dict[str, Json] = {"name": text, "address": text, "seat": "s1", "open": 4, "round": 4}
    gone |= {"arrived": "2024-01-03T10:00:00Z", "closed": "2024-01-05T00:15:00Z"}
    for lang in LANGS:
        spoken = replace(site, lang=lang)
        for what in ("resigned", "declined", "missed"):
            yield "organizer", mails.organizer_mail(spoken, league.title, what, gone, reads)
        yield "organizer", mails.organizer_answer(spoken, "confirm", (), reads)
        yield "organizer", mails.organizer_answer(spoken, "nothing", (), reads)
        yield "organizer", mails.organizer_answer(spoken, "answer", (*REPORTS, _asked(text)), reads)


def _asked(text: str) -> CommandReport:
    return CommandReport(text, "help")


def test_every_template_is_among_them(site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads) -> None:
    """A mail that is added is added here; each has HTML in which the reader's language is named, but the freeze."""
    made = list(every(site, report, receipt, reads, "Hello"))
    assert {kind for kind, _ in made} == {file.stem for file in TEMPLATES.glob("*.txt")} - NO_MAILS
    for kind, mail in made:
        assert bool(mail.html) == (kind != "freeze"), kind
        assert bool(mail.picture) == (kind == "report"), kind
        assert bool(mail.deadline) == (kind in DATED), kind


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(EVIL, min_size=6, max_size=6), title=EVIL, text=EVIL)
def test_none_is_an_order(
    site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads, names: list[str], title: str, text: str
) -> None:
    """Read by our own intake, as text and as HTML, no mail holds an order or press."""
    seats = tuple(replace(seat, name=name) for seat, name in zip(report.league.seats, names, strict=True))
    evil = replace(report, league=replace(report.league, seats=seats, title=title, notices=(text,), prize=text))
    for _, mail in every(site, evil, receipt, reads, text):
        harmless(mail, reads)
        html_harmless(mail, reads)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=EVIL, title=EVIL, text=EVIL)
def test_the_desk_holds_no_order(site: SiteInfo, reads: Reads, name: str, title: str, text: str) -> None:
    """The organizer, who may play as well, sends nothing in by answering."""
    todo = Todo("round", f"league orders enter spring {name}", league="spring", facts={"round": 3, "why": text})
    silent = Todo("silent", name, must=False, league="spring", facts={"name": name, "missed": 3})
    many: dict[str, Json] = {"name": name, "at": NOON.isoformat(), "count": 3}
    braked = Todo("braked", "league orders list spring", must=False, league="spring", facts=many)
    marked = Todo("uncounted", name, facts={"from": name, "why": "list_with_orders", "count": 1})
    league = DeskLeague(title, "spring", "Europe/Berlin", 3, (name,), {"missing": (name, "Ben"), "away": (text,)})
    zoned = tuple(("Europe/Berlin", item) for item in (todo, silent, braked, marked))
    for lang in ("de", "en", "nl"):
        sheet = DeskSheet(NOON, NOON, "Europe/Berlin", (league,), zoned)
        harmless(desk_mail(site, lang, sheet, reads), reads)
