"""Mails: complete, in the player's language, 72 columns, and never a line that our own reader would execute."""

import os
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.core.orders import Fate, Mistake, Press, Ruling
from league.games.kuel.reader import Reader, make_reader
from league.i18n import LANGS
from league.reports.context import (
    LineReport,
    Mail,
    MailReport,
    PressReport,
    Receipt,
    ReceiptLine,
    RoundReport,
    SiteInfo,
)
from league.reports.late import LATE, TooLate
from league.reports.mails import (
    ask_mail,
    freeze_mail,
    late_mail,
    receipt_mail,
    unproven_mail,
    unreadable_mail,
    welcome_mail,
)
from league.reports.report_mails import ReportMails
from league.reports.texts import WIDTH, clean, columns, fold, guard

ROOT = Path(__file__).parent.parent.parent
GOLDEN = ROOT / "tests" / "golden" / "reports"
KEY = "abcd-efgh-2345-67xy"
NOON = datetime(2024, 1, 12, 12, tzinfo=UTC)
Reads = Callable[[str], bool]


def table(name: str) -> dict[str, object]:
    """One of KUEL's tables."""
    return tomllib.loads((ROOT / "config/kuel" / f"{name}.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def reader() -> Reader:
    """The league's own order reader."""
    return make_reader(table("board"), table("keywords"))


@pytest.fixture(scope="module")
def reads(reader: Reader) -> Reads:
    """Whether it would find an order or press in a text."""
    return lambda text: bool((found := reader.parse(text)).orders or found.press)


def all_mails(site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads) -> Iterator[tuple[str, Mail]]:
    """One of each kind, in each language."""
    of = {seat.lang: seat.id for seat in reversed(report.league.seats)}
    made = ReportMails(site, report, reads)
    for lang in LANGS:
        seat, league = of[lang], report.league
        mine = replace(receipt, seat=seat)
        assert report.following is not None
        late = TooLate(LATE, report.round, report.following)
        yield f"report.{lang}", made.mail(seat)
        yield f"receipt.{lang}", receipt_mail(site, league, mine, reads)
        yield f"ask.{lang}", ask_mail(site, league, replace(mine, lines=mine.lines[:2], standing=()), reads)
        yield f"late.{lang}", late_mail(site, league, seat, late, NOON, reads)
        yield f"freeze.{lang}", freeze_mail(site, league, seat, report.round, reads)
        yield f"welcome.{lang}", welcome_mail(site, league, seat, report.following, reads, KEY, KEY)
        for what in ("unproven", "token_alone", "token_of_another_seat"):
            who = "mallory@example.net"
            yield f"{what}.{lang}", unproven_mail(site, league, seat, what, NOON, who, KEY, reads)
        made_of = unreadable_mail(
            site, league, seat, report.following, NOON, "mail_too_big", 1_000_000, (2000, 200_000), reads
        )
        yield f"unreadable.{lang}", made_of


def test_mails_are_the_ones_we_know(site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads) -> None:
    """Every kind of mail in every language is byte for byte the one last looked at (LEAGUE_GOLDEN=write keeps it)."""
    for name, mail in all_mails(site, report, receipt, reads):
        path = GOLDEN / f"{name}.txt"
        made = f"Subject: {mail.subject}\n\n{mail.text}"
        if os.environ.get("LEAGUE_GOLDEN") == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made, "utf-8")
        assert made == path.read_text("utf-8"), name


def harmless(mail: Mail, reads: Reads) -> None:
    """Fails if the mail as a whole or one of its lines, quoted or not, would be executed."""
    assert not reads(mail.text), mail.text
    for line in mail.text.split("\n"):
        assert not reads(line), line
        assert len(line) <= WIDTH, line
    assert "\n" not in mail.subject
    assert mail.text.endswith("\n")
    assert "\n\n\n" not in mail.text


def test_no_line_of_a_mail_is_an_order(site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads) -> None:
    """Nothing we send would be executed if it came back."""
    for _, mail in all_mails(site, report, receipt, reads):
        harmless(mail, reads)


def test_the_link_to_the_composer_is_no_order(
    site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads
) -> None:
    """In the first mail and in receipts of a site with an address, in each language; without a key there is none."""
    public = replace(site, base_url="https://league.example.org/")
    assert report.following is not None
    for seat in report.league.seats:
        mine = replace(receipt, seat=seat.id)
        made = [
            welcome_mail(public, report.league, seat.id, report.following, reads, KEY, KEY),
            receipt_mail(public, report.league, mine, reads, KEY),
        ]
        for mail in made:
            assert f"#{seat.id}/{KEY}\n" in mail.text
            assert not reads(mail.text)
            assert not any(reads(line) for line in mail.text.split("\n"))
            assert "\n\n\n" not in mail.text
        assert f"#{seat.id}/" not in welcome_mail(public, report.league, seat.id, None, reads, KEY).text


WORDS = (
    "take Paris",
    "pass",
    "attack",
    "leave",
    "Angriff Paris",
    "verwüste Wien",
    "biete 45 auf Prag",
    "neem Praag",
    "Paris",
    "bid 9",
    "on",
    "press to all: hello",
    "end",
    "won",
    "result Paris",
    "Revanche Bern",
    "map Bern: Wien",
    "#",
    "|",
    ">",
    "[1]",
    "==",
    "-",
    "1.",
    "\n",
    "\u2028",
    "\u202e",
    "nicht",
    "please do not",
    "ÄÖÜ",
    "<b>",
    "settings 8: fast",
    "x" * 80,
)
EVIL = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | st.text(max_size=90)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(EVIL, min_size=6, max_size=6), title=EVIL, written=EVIL, press=EVIL)
def test_no_foreign_text_makes_a_line_an_order(
    site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads,
    names: list[str], title: str, written: str, press: str,
) -> None:  # fmt: skip
    """Whatever players call themselves, write or print as press: no mail holds a line that would be executed."""
    seats = tuple(replace(seat, name=name) for seat, name in zip(report.league.seats, names, strict=True))
    wrong = Ruling(Fate.INVALID, "unknown_country", "K14", {"written": written, "suggestions": ["spain"]})
    line = LineReport(written, wrong, written)
    evil = replace(
        report,
        league=replace(report.league, seats=seats, title=title, notices=(written,)),
        mails=(*report.mails, MailReport("anna", None, wrong, (line, replace(line, notation="")))),
        press=(PressReport("carla", Press((names[0], written), press)),),
        pending=({"kind": "battle", "country": "spain", "fighters": ["anna", "ben"], "attempt": 1},),
    )
    mistake = Mistake("unknown_verb", "", {"written": written, "suggestions": ["take"]})
    answer = replace(
        receipt, lines=(*receipt.lines, ReceiptLine(written, mistake=mistake), ReceiptLine(written, notation=press))
    )
    for _, mail in all_mails(site, evil, answer, reads):
        harmless(mail, reads)


def test_a_report_is_private_only_in_its_own_part(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """Two players of one language get the same mail but for their own part; nobody reads another's unread lines."""
    made = ReportMails(site, report, reads)
    anna, carla = made.mail("anna").text, made.mail("carla").text
    assert anna.partition("== Was geschah")[2] == carla.partition("== Was geschah")[2]
    assert "[1] Belgien angreifen – ausgeführt (K30)" in anna.partition("== Was geschah")[0]
    assert "Von dir kamen in dieser Runde keine Befehle an." in carla
    assert "Mazedonen" in made.mail("elena").text
    assert all("Mazedonen" not in made.mail(seat).text for seat in ("anna", "ben", "carla", "dirk", "femke"))


def test_the_shared_part_is_made_once_a_language(site: SiteInfo, report: RoundReport) -> None:
    """Six players in three languages: the reader is asked about a text once, whoever's mail it stands in."""
    seen: list[str] = []

    def counting(text: str) -> bool:
        seen.append(text)
        return False

    made = ReportMails(site, report, counting)
    for seat in report.league.seats:
        made.mail(seat.id)
    assert len(seen) == len(set(seen))
    assert len(set(made._shared)) == 3


def test_times_are_on_the_players_own_clock(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """A deadline is told in the player's zone, with UTC beside it."""
    made = ReportMails(site, report, reads)
    assert "24:00 (Europe/Berlin)" in made.mail("anna").text
    assert "23:00 (Europe/London)" in made.mail("ben").text
    assert "2024-01-18 23:00 UTC" in made.mail("ben").text


def test_a_receipt_says_first_what_stands(site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads) -> None:
    """Count of mistakes, the whole standing set, what it replaced, each line, the deadline and the seal."""
    text = receipt_mail(site, report.league, receipt, reads).text
    order = (
        "2 Zeilen waren nicht zu verstehen; die übrigen zählen.",
        "[1] Belgien angreifen\n",
        "Es ersetzt deine frühere Mail (Fassung 1).",
        "24:00 (Europe/Berlin)",
        "[1] nimm Budapst – nicht verstanden",
        "Ähnlich: Ungarn.",
        "[4] Belgien angreifen – angenommen",
        "# 7 Zeilen, die zitiert sind,",
        f"# leaf {'ab' * 32}",
        f"# nonce {'cd' * 16}",
        "# signature",
    )
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    signature = "".join(line[2:] for line in text.partition("# signature\n")[2].split("\n\n")[0].split("\n"))
    assert signature == receipt.signature


def test_a_mail_without_a_usable_line_stands_for_nothing(
    site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads
) -> None:
    """A receipt of mistakes alone says so in its subject and first line, and carries no seal."""
    empty = replace(
        receipt, lines=receipt.lines[:1], standing=(), revision=0, replaced=0, leaf="", nonce="", signature=""
    )
    mail = receipt_mail(site, report.league, empty, reads)
    assert mail.subject == "[Europa am Sonntag] Runde 3: noch gilt nichts"
    assert mail.text.startswith("1 Zeile war nicht zu verstehen.\n\nFür Runde 3 gilt von dir noch nichts.")
    assert "leaf" not in mail.text


def test_a_freeze_mail_carries_root_and_leaves(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """Every player's own mail server dates root and leaves."""
    text = freeze_mail(site, report.league, "ben", report.round, reads).text
    assert all(f"# {leaf}\n" in text for leaf in (report.round.root, *report.round.leaves))


def test_a_page_is_linked_where_the_site_has_an_address(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """The report names the page in the player's language."""
    public = replace(site, base_url="https://league.example.org/")
    assert (
        "\nhttps://league.example.org/europa/en/round-3.html\n" in ReportMails(public, report, reads).mail("ben").text
    )
    assert "https://" not in ReportMails(site, report, reads).mail("ben").text


def test_guard_marks_what_reads_as_an_order(reads: Reads) -> None:
    """A line that would be executed gets the mark of a quotation; all others stay as they are."""
    text = "Hello\ntake Paris\n[1] take Paris – accepted\n# take Paris\n| take Paris\n"
    assert guard(text, reads) == "Hello\n| take Paris\n[1] take Paris – accepted\n# take Paris\n| take Paris\n"


def test_guard_marks_two_lines_that_are_an_order_only_together() -> None:
    """What a mail program could have broken in two, or what stands under a colon, is marked as a whole."""
    for first in ("take " + "so " * 15 + "please", "press to all:"):
        text = f"Hello\n{first}\nParis\nYours"
        marked = f"| Hello\n| {first}\n| Paris\n| Yours"
        assert guard(text, lambda asked, both=f"{first}\nParis": both in asked) == marked  # type: ignore[misc]


def test_fold_keeps_what_a_line_is() -> None:
    """A folded comment stays a comment, folded press stays press, a folded item stays under its sign."""
    assert fold("# " + "word " * 20).split("\n")[1].startswith("# word")
    assert fold("| " + "word " * 20).split("\n")[1].startswith("| word")
    assert fold("- " + "word " * 20).split("\n")[1].startswith("  word")
    assert fold("[12] " + "word " * 20).split("\n")[1].startswith("     word")
    assert max(map(len, fold("x" * 200).split("\n"))) == WIDTH
    assert fold("short") == "short"


def test_clean_leaves_one_harmless_line() -> None:
    """Controls, bidi and invisible characters go, every blank is one space, too long is cut."""
    assert clean("  A\r\nB\u2028C\u202e\u200bD\x00 \ud800E\u00a0F ") == "A B CD E F"
    assert clean("x" * 100) == "x" * 59 + "…"
    assert clean("é" + "\u0301" * 3).startswith("é")


def test_columns_line_up_wide_and_combining_letters() -> None:
    """A wide letter takes two columns, a combining one none."""
    rows = columns([("1.", "Ann", "7"), ("10.", "日本", "17")], right=(0, 2))
    assert rows == [" 1.  Ann    7", "10.  日本  17"]
    assert columns([]) == []
