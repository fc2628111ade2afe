"""A site's own template that is wrong: nobody's answer and no mail waits for it, and its line is named."""

from pathlib import Path

import pytest

from league.core.errors import Refused
from league.desk.pages.publish_pages import publish_now
from tests.desk.sites import at, drop, letter, opened, outbox, public, rows, run


def own(path: Path, name: str, text: str) -> Path:
    file = path / "templates" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "line"), [("{{ nope.x }}", 1), ("Subject\n\n{{ 1 / 0 }}", 3), ("Subject\n{% if %}", 2)]
)
def test_a_receipt_that_cannot_be_written_is_written_in_our_words(spring: Path, text: str, line: int) -> None:
    """The order has its sealed answer at once, and the run says which line is to be mended."""
    own(spring, "mail/receipt.txt", text)
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 10:00"))
    done = run(spring, at("2024-01-03 11:00"))
    assert [f"templates/mail/receipt.txt:{line}:" in said for said in done.troubles] == [True]
    (receipt,) = outbox(spring, "receipt", "Anna")
    assert "[1] Einstieg: Island" in receipt.text
    assert "nope" not in receipt.text
    assert not list(spring.glob("fault-*"))


@pytest.mark.parametrize(
    ("name", "kind", "where"),
    [
        ("mail/freeze.txt", "freeze", ":1: 'nope' is undefined"),
        ("mail/report.txt", "report", ":1: 'nope' is undefined"),
        ("mail/own.html", "report", ":1: 'nope' is undefined"),
        ("mail/remind.txt", "remind", ":1: 'nope' is undefined"),
    ],
)
def test_a_round_goes_on_whatever_a_mail_of_ones_own_says(spring: Path, name: str, kind: str, where: str) -> None:
    """Reminded, closed, reported: everybody hears of it at once, and of the wrong line the organizer."""
    own(spring, name, "{{ nope.x }}")
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 10:00"))
    done = [
        run(spring, at("2024-01-04 09:00")),
        run(spring, at("2024-01-05 08:00")),
    ]  # the first round needs no figures
    assert [f"templates/{name}{where}" in said for one in done for said in one.troubles] == [True]
    assert len({out.to for out in outbox(spring, kind)}) >= 2
    assert [row["status"] for row in rows(spring, "SELECT status FROM round ORDER BY number")] == ["resolved", "open"]


def test_a_page_that_cannot_be_built_holds_no_mail_back(spring: Path) -> None:
    """The round closes, everybody is told at once, and pages follow when the template is mended."""
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 10:00"))
    run(spring, at("2024-01-03 11:00"))
    before = public(spring)
    wrong = own(spring, "league.html", "<p>\n{{ nope.x }}")
    done = run(spring, at("2024-01-05 08:00"))
    assert ["templates/league.html:2: 'nope' is undefined" in said for said in done.troubles] == [True]
    assert len(outbox(spring, "freeze")) == 3
    assert public(spring) == before
    with pytest.raises(Refused, match=r"templates/league\.html:2"):
        publish_now(opened(spring, at("2024-01-05 08:05")), ())
    wrong.unlink()
    assert run(spring, at("2024-01-05 08:10")).troubles == []
    assert "spring/round-1.html" in public(spring)
