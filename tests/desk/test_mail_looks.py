"""Mails of a real round: parts, picture, calendar file, headers, and what they cost to keep."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from PIL import Image

from league.desk.inbox.accept_mail import accept_mail
from league.desk.post import draw_pictures
from league.desk.post.roster import any_order_or_press
from league.desk.post.send_mail import send_mail
from league.desk.rounds.resolve_rounds import resolve_rounds
from league.desk.run.freeze_rounds import freeze_rounds
from league.desk.site import open_site
from league.intake.html import lines_of
from league.reports.pictures import NOTHING
from tests.desk.sites import add_league, at, copy, drop, letter, mail_run, make_site, parsed, rows

FRIDAY = at("2024-01-05 08:00")


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_site(tmp_path_factory.mktemp("looks") / "site", pictures=True)
    add_league(path)
    for name, country in (("Anna", "Island"), ("Ben", "Portugal"), ("Carla", "France")):
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    return path


@pytest.fixture
def played(_played: Path, tmp_path: Path) -> Path:
    return copy(_played, tmp_path / "site")


def sent(path: Path) -> dict[str, bytes]:
    """What went out, by the kind and the player."""
    found = {}
    for file in sorted((path / "mail" / "out" / "new").iterdir()):
        raw = file.read_bytes()
        subject = f"{parsed(raw)['Subject']}".rpartition(": ")[2]
        found[f"{parsed(raw)['To'].addresses[0].display_name}/{subject}"] = raw
    return found


def test_a_report_arrives_with_text_html_picture_and_calendar(played: Path) -> None:
    """The HTML shows the picture beside it by its id, the file holds the next deadline, and no line is an order."""
    mail_run(played, FRIDAY)
    reports = {key: parsed(raw) for key, raw in sent(played).items() if b"List-Unsubscribe" in raw}
    assert len(reports) == 3
    for mail in reports.values():
        parts = {part.get_content_type(): part for part in mail.walk()}
        html, picture = parts["text/html"].get_content(), parts["image/png"]
        assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in html
        with Image.open(BytesIO(picture.get_content())) as image:
            assert image.width == 960
        calendar: Any = Calendar.from_ical(parts["text/calendar"].get_content())
        (event,) = calendar.walk("VEVENT")
        assert event["DTSTART"].dt == at("2024-01-11 23:00")
        assert not any(any_order_or_press(line) for line in lines_of(html).split("\n"))
        assert not any(any_order_or_press(line) for line in parts["text/plain"].get_content().split("\n"))


def test_headers_say_what_a_mail_is(played: Path) -> None:
    """Reports are bulk and name a way out in one line; answers belong to their mail and are neither."""
    mail_run(played, FRIDAY)
    out = rows(played, "SELECT kind, raw FROM outbox")
    assert {row["kind"] for row in out} == {"welcome", "receipt", "freeze", "report"}
    for row in out:
        mail, is_report = parsed(row["raw"]), row["kind"] == "report"
        way_out = b"\r\nList-Unsubscribe: <mailto:league@play.example?subject=unsubscribe%20%5Bspring%5D>\r\n"
        assert (way_out in row["raw"]) == is_report
        assert (mail["Precedence"] == "bulk") == is_report
        assert mail["List-Unsubscribe-Post"] is None
        assert mail["X-Auto-Response-Suppress"] == "All"
        assert mail["Auto-Submitted"] == ("auto-replied" if row["kind"] == "receipt" else "auto-generated")


def test_the_picture_is_drawn_and_kept_once_a_round(played: Path) -> None:
    """Three players in three languages share one picture, which no row of the outbox repeats."""
    mail_run(played, FRIDAY)
    (part,) = rows(played, "SELECT digest, source, content FROM mail_part")
    assert part["source"] is None
    out = rows(played, "SELECT raw, part FROM outbox WHERE kind = 'report'")
    assert {row["part"] for row in out} == {part["digest"]}
    assert all(part["content"][:200] not in row["raw"] for row in out)
    assert all(part["content"] in raw for raw in sent(played).values() if b"image/png" in raw)


def test_another_site_makes_the_same_mails(played: Path, tmp_path: Path) -> None:
    """Text, HTML, boundaries, calendar file and picture: the same bytes on a second machine."""
    twin = copy(played, tmp_path / "twin")
    for path in (played, twin):
        mail_run(path, FRIDAY)
    assert sent(played) == sent(twin)
    assert len(sent(played)) == 12  # three players: welcome, receipt, freeze, report


def test_a_picture_that_cannot_be_drawn_holds_up_no_mail(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where drawing fails the mails go with an empty picture, and the fault is kept for its makers."""

    def broken(_: str, __: int) -> bytes:
        raise MemoryError

    monkeypatch.setattr(draw_pictures, "draw", broken)
    mail_run(played, FRIDAY)
    pictures = [
        part.get_content()
        for raw in sent(played).values()
        for part in parsed(raw).walk()
        if part.get_content_type() == "image/png"
    ]
    assert pictures == [NOTHING] * 3
    assert len(list(played.glob("fault-*.txt"))) == 1


def test_a_mail_never_goes_out_without_its_picture(played: Path) -> None:
    """What lies undrawn after a crash is drawn by the next run, before anything is handed over."""
    site = open_site(played, FRIDAY)
    freeze_rounds(site, accept_mail(site))
    resolve_rounds(site)
    assert len(rows(played, "SELECT 1 FROM mail_part WHERE content IS NULL")) == 1
    assert send_mail(site).sent == 12
    site.engine.dispose()
    assert sum(b"image/png" in raw for raw in sent(played).values()) == 3
