"""Mails as HTML: the same as the text, small, for everybody to read, and never an order."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from league.core.json import Json
from league.core.orders import Fate, Mistake, Press, Ruling
from league.games.kuel.reader import Reader
from league.i18n import LANGS
from league.intake.html import lines_of
from league.reports.context import (
    LineReport,
    Mail,
    MailReport,
    PressReport,
    Receipt,
    ReceiptLine,
    RoundReport,
    SeatInfo,
    SiteInfo,
)
from league.reports.dress import blocks
from league.reports.mails import fixtures_mail
from league.reports.report_mails import MOST, PRIVATE, ReportMails
from league.reports.texts import WIDTH
from tests.reports.test_mails import EVIL, Reads, all_mails, reader, reads
from tests.reports.test_pictures import contrast

__all__ = ["reader", "reads"]  # fixtures
NOON = datetime(2024, 1, 12, 12, tzinfo=UTC)
BATTLES: tuple[dict[str, Json], ...] = (
    {"country": "belgium", "owner": "ben", "fighters": ["anna", "ben"], "attempt": 1},
)


def mails(site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads) -> Iterator[tuple[str, Mail]]:
    """One of each kind in each language, fixtures too."""
    yield from all_mails(site, report, receipt, reads)
    for seat in ("anna", "ben", "carla"):
        yield f"fixtures.{seat}", fixtures_mail(site, report.league, seat, report.round, BATTLES, NOON, reads)


def tree(mail: Mail) -> Any:
    return LexborHTMLParser("".join(mail.html))


def harmless(mail: Mail, reads: Reads) -> None:
    """Fails if our own intake would find an order in the HTML, as a whole or in a line alone."""
    text = lines_of("".join(mail.html))
    assert not reads(text), text
    for line in text.split("\n"):
        assert not reads(line), line
    if "".join(mail.html):
        found = tree(mail)
        assert found.css_first("script, iframe, object, form, input") is None
        assert {one.attributes.get("src") for one in found.css("img")} <= {
            f"cid:{mail.picture.content_id}" if mail.picture else ""
        }


def test_every_mail_but_the_freeze_has_html_for_everybody(
    site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads
) -> None:
    """Language, heading, table heads with their scope, a sentence before each table, letters of 14 pixels or more."""
    for name, mail in mails(site, report, receipt, reads):
        html = "".join(mail.html)
        if name.startswith("freeze"):
            assert not html
            continue
        harmless(mail, reads)
        found = tree(mail)
        assert len(html.encode()) < MOST
        assert PRIVATE not in html
        assert found.css_first("html").attributes["lang"] in LANGS
        assert len(found.css("h1")) == 1
        assert found.css_first('meta[name="color-scheme"]').attributes["content"] == "light dark"
        for one in found.css("table"):
            if one.attributes.get("role") == "presentation":
                continue
            assert one.css("th")
            assert all(head.attributes.get("scope") in {"col", "row"} for head in one.css("th")), name
            before = html[: html.index(one.css_first("thead").html or "?")].rstrip()
            assert re.search(r"</p>\s*<table[^>]*>$", before), name
        assert min(int(size) for size in re.findall(r"font-size:(\d+)px", html)) >= 14


def test_colours_stand_out_by_day_and_by_night(
    site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads
) -> None:
    """Every colour of text has 4.5:1 against the grounds it stands on."""
    signs = re.compile(r'<span aria-hidden="true".*?</span>')
    for _, mail in mails(site, report, receipt, reads):
        html = signs.sub("", "".join(mail.html))
        style, _, body = html.partition("</style>")
        for colour in set(re.findall(r"(?<!-)color:(#[0-9a-f]{6})", body)):
            assert min(contrast(colour, "#ffffff"), contrast(colour, "#f6f1e4")) >= 4.5, colour
        named = set(re.findall(r"\.([a-z]+)", style))
        for classes in re.findall(r'<[a-z]+(?: class="([^"]*)")?[^>]*[";]color:#', body):
            assert set(classes.split()) & named, "a colour that dark grounds don't change"
        for colour in set(re.findall(r"(?<!-)color: (#[0-9a-f]{6})", style)):
            assert min(contrast(colour, "#17191c"), contrast(colour, "#24272c")) >= 4.5, colour


def test_a_reader_of_ten_seconds_finds_his_own_first(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """My orders, my place, my points, the next deadline on my clock; then what happened, the map, the table."""
    public = replace(site, base_url="https://league.example.org")
    mail = ReportMails(public, report, reads).mail("ben")
    text = " ".join(tree(mail).text().split())
    order = (
        "Your round, Ben",
        "bid 12 on Czech Republic",
        "You are in place 1 with 48 points.",
        "Your points: +3",
        "Thursday, 18 January 2024, 23:00 (Europe/London)",
        "Belgium: Anna conquers the country from Ben.",
        "The map after the round",
        "3 Spain, 7 Belgium, 8 France",
        "Ben leads with 48 points.",
        "1 battle was fought.",
        "The page of round 3",
    )
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    plain = mail.text
    assert plain.index("== Your round, Ben ==") == 0
    assert plain.index("18 January 2024") < plain.index("== In short ==")


def test_the_picture_tells_its_result_in_words(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """Size and alternative text of the picture stand in the mail, in the reader's language."""
    made = ReportMails(site, report, reads)
    for seat, told in (("anna", "Anna erobert das Land von Ben"), ("ben", "Anna conquers the country from Ben")):
        mail = made.mail(seat)
        image = tree(mail).css_first("img").attributes
        assert mail.picture is not None
        assert image["src"] == f"cid:{mail.picture.content_id}"
        assert (image["width"], image["height"]) == (str(mail.picture.width), str(mail.picture.height))
        assert told in (image["alt"] or "")
        assert "1. Ben 48, 2. Anna 41" in (image["alt"] or "")
    assert made.mail("anna").picture is made.mail("ben").picture


def test_a_site_without_pictures_sends_none(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """The table says who owns what."""
    mail = ReportMails(replace(site, pictures=False), report, reads).mail("ben")
    assert mail.picture is None
    assert "<img" not in "".join(mail.html)
    assert "3 Spain, 7 Belgium, 8 France" in " ".join(tree(mail).text().split())


def test_html_is_shared_but_for_ones_own_part(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """The pieces around the own part are the same objects for all of a language, and tell nothing of one player."""
    made = ReportMails(site, report, reads)
    anna, carla, elena = (made.mail(seat).html for seat in ("anna", "carla", "elena"))
    assert anna[0] is carla[0]
    assert anna[2] is carla[2]
    assert anna[1] != carla[1]
    assert "Mazedonen" in elena[1]
    assert "Mazedonen" not in "".join((*anna, *carla, elena[0], elena[2]))


def test_html_says_what_the_text_says(site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads) -> None:
    """Every word of the text part stands in the HTML too."""
    for name, mail in mails(site, report, receipt, reads):
        if not mail.html:
            continue
        shown = _words(lines_of("".join(mail.html)))
        assert _words(mail.text) - shown <= {"kürze", "short", "kort"} | _title(mail), name


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", unescape(text).lower()))


def _title(mail: Mail) -> set[str]:
    """The text's table has its columns in its title."""
    found = re.search(r"^== (.+: .+, .+, .+) ==$", mail.text, re.MULTILINE)
    return _words(found[1]) if found else set()


def test_a_report_too_long_for_mail_programs_is_told_in_brief(
    site: SiteInfo, report: RoundReport, reads: Reads
) -> None:
    """Gmail hides what stands behind 102 kB: then orders, points and press stand in the text alone, and it says so."""
    many = replace(report, press=tuple(PressReport("carla", Press((), "wort " * 700)) for _ in range(40)))
    mail = ReportMails(site, many, reads).mail("ben")
    assert len("".join(mail.html).encode()) < MOST
    assert "stand in the text part of this mail" in tree(mail).text()
    assert "wort" not in "".join(mail.html)
    assert mail.text.count("wort") > 20_000
    crowd = tuple(replace(report.standings[0], seat=f"s{n}") for n in range(900))
    seats = tuple(SeatInfo(f"s{n}", "Name " * 12, "en", n) for n in range(900))
    huge = replace(report, standings=crowd, league=replace(report.league, seats=seats))
    assert ReportMails(site, huge, reads).mail("s0").html == ()


def test_a_site_words_and_dresses_its_mails_itself(
    site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads, tmp_path: Path
) -> None:
    """A template of the site goes before ours and can extend the one it overrides; a kind may get one of its own."""
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "report.html").write_text(
        '{% extends "!/mail/report.html" %}{% block map %}<p>our own map</p>{% endblock %}', "utf-8"
    )
    (folder / "late.html").write_text('{% extends "mail/frame.html" %}{% block main %}<p>too late</p>{% endblock %}')
    own = dict(mails(replace(site, templates=(tmp_path,)), report, receipt, reads))
    assert "our own map" in "".join(own["report.en"].html)
    assert "<img" not in "".join(own["report.en"].html)
    assert "too late" in "".join(own["late.en"].html)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(EVIL, min_size=6, max_size=6), title=EVIL, written=EVIL, press=EVIL)
def test_no_foreign_text_makes_html_an_order(
    site: SiteInfo, report: RoundReport, receipt: Receipt, reads: Reads,
    names: list[str], title: str, written: str, press: str,
) -> None:  # fmt: skip
    """Whatever players call themselves or write, our own reader finds no order in any HTML, nor foreign markup."""
    seats = tuple(replace(seat, name=name) for seat, name in zip(report.league.seats, names, strict=True))
    wrong = Ruling(Fate.INVALID, "unknown_country", "K14", {"written": written, "suggestions": ["spain"]})
    line = LineReport(written, wrong, written)
    evil = replace(
        report,
        league=replace(report.league, seats=seats, title=title, notices=(written,), prize=press),
        mails=(*report.mails, MailReport("anna", None, wrong, (line, replace(line, notation="")))),
        press=(PressReport("carla", Press((names[0], written), press)),),
        events=(*report.events, {"type": "month_leader", "rule": "K80", "month": "2024-01", "seats": ["anna"]}),
    )
    mistake = Mistake("unknown_verb", "", {"written": written, "suggestions": ["take"]})
    answer = replace(
        receipt, lines=(*receipt.lines, ReceiptLine(written, mistake=mistake), ReceiptLine(written, notation=press))
    )
    for _, mail in mails(site, evil, answer, reads):
        harmless(mail, reads)


def test_a_name_that_is_an_order_costs_nobody_his_html(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """A player who is called "take Paris" stands in brackets; everybody's mail still has its HTML."""
    seats = (replace(report.league.seats[0], name="take Paris"), *report.league.seats[1:])
    evil = replace(report, league=replace(report.league, seats=seats))
    for seat in ("anna", "ben"):
        mail = ReportMails(site, evil, reads).mail(seat)
        assert mail.html
        harmless(mail, reads)


def test_html_that_would_be_an_order_stays_away(
    site: SiteInfo, report: RoundReport, tmp_path: Path, reads: Reads
) -> None:
    """Where a template of a site makes an order of what it shows, the text goes alone."""
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "own.html").write_text("<table><tr><td>take</td><td>Paris</td></tr></table>")
    mail = ReportMails(replace(site, templates=(tmp_path,)), report, reads).mail("ben")
    assert mail.html == ()
    assert mail.picture is None
    assert "== Your round, Ben ==" in mail.text


def test_the_signs_of_a_text_become_blocks() -> None:
    """Titles, echoes with what belongs to them, items, small print, quotes, and the moment that matters."""
    text = (
        "Hello\n\n== Title ==\n\n[1] take Paris – done\n    why\n[-] nothing\n- one\n- two\n# small\n| said\n"
        "Until Thursday = 2024-01-11 23:00 UTC\n"
    )
    found = [(block.kind, [(line.sign, line.text, line.below) for line in block.lines]) for block in blocks(text)]
    assert found == [
        ("text", [("", "Hello", ())]),
        ("title", [("", "Title", ())]),
        ("echo", [("[1]", "take Paris – done", ("why",)), ("[-]", "nothing", ())]),
        ("item", [("", "one", ()), ("", "two", ())]),
        ("small", [("", "# small", ())]),
        ("quote", [("", "| said", ())]),
        ("text", [("", "Until Thursday", ("= 2024-01-11 23:00 UTC",))]),
    ]


def test_lines_of_the_text_part_stay_within_72_columns(site: SiteInfo, report: RoundReport, reads: Reads) -> None:
    """The map in words is folded as everything else."""
    text = ReportMails(site, report, reads).mail("ben").text
    assert "- Anna: 3 Spain, 7 Belgium, 8 France\n" in text
    assert max(map(len, text.split("\n"))) <= WIDTH


@pytest.mark.parametrize("reader_", ["text", "html"])
def test_a_whole_report_read_back_holds_nothing(
    reader_: str, site: SiteInfo, report: RoundReport, reads: Reads, reader: Reader
) -> None:
    """Sent back as it is, as text or as HTML, a report is no order mail."""
    mail = ReportMails(site, report, reads).mail("ben")
    back = mail.text if reader_ == "text" else lines_of("".join(mail.html))
    assert reader.parse(back).orders == ()
