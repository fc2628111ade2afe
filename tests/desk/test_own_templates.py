"""A site's own template that is wrong: nobody's answer and no mail waits for it, and its line is named."""

from pathlib import Path

import pytest

from league.core.errors import Refused
from league.desk.pages.publish_pages import publish_now
from league.resources import bundled
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


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<p>\n{% for i in range(10**9) %}x{% endfor %}", 2),
        ("{% for i in range(9000) %}\n{% for j in range(9000) %}x{% endfor %}{% endfor %}", 2),
        ("{% set r = range(9000) %}\n\n{% for i in r %}{% for j in r %}x{% endfor %}{% endfor %}", 3),
        ("{{ range(10**30)|list }}", 1),
    ],
)
def test_a_template_that_never_ends_is_refused(spring: Path, text: str, line: int) -> None:
    """By its name and line, as one with any other fault; mail goes on, and what ours makes is as before."""
    wrong = own(spring, "league.html", text)
    with pytest.raises(Refused, match=rf"templates/league\.html:{line}: range\(\) would go on for too long"):
        publish_now(opened(spring, at("2024-01-02 08:00")), ())
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 10:00"))
    done = run(spring, at("2024-01-03 11:00"))
    assert [f"templates/league.html:{line}" in said for said in done.troubles] == [True]
    assert len(outbox(spring, "receipt", "Anna")) == 1
    wrong.write_text("{% for i in range(300) %}{% for j in range(300) %}.{% endfor %}{% endfor %}", "utf-8")
    assert run(spring, at("2024-01-03 11:10")).troubles == []
    assert public(spring)["spring/index.html"] == b"." * 90_000


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


@pytest.fixture(params=["absolute", "relative"])
def named(request: pytest.FixtureRequest, spring: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The site as commands are told of it: by its whole path, or from where one is."""
    monkeypatch.chdir(spring.parent)
    return spring if request.param == "absolute" else Path(spring.name)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{{ nope.x }}", "'nope' is undefined"),
        ("{% for i in range(10**9) %}x{% endfor %}", "range"),
        ('{% extends "league.html" %}', "recursion"),
        ("{% if %}", "Expected an expression"),
    ],
)
def test_a_page_is_named_however_the_site_is(named: Path, text: str, what: str) -> None:
    """README and the guide say `LEAGUE_SITE=leagues`: the file to be mended is named all the same."""
    own(named, "league.html", text)
    with pytest.raises(Refused, match=rf"templates/league\.html:1: .*{what}.*mend this file"):
        publish_now(opened(named, at("2024-01-02 08:00")), ())
    assert not list(named.glob("fault-*"))


def test_a_mail_is_named_however_the_site_is(named: Path) -> None:
    """It goes out in our words, and no file says that the program is at fault."""
    own(named, "mail/receipt.txt", "Subject\n\n{{ nope.x }}")
    drop(named, letter("Anna", "join Island"), at("2024-01-03 10:00"))
    done = run(named, at("2024-01-03 11:00"))
    assert ["templates/mail/receipt.txt:3:" in said for said in done.troubles] == [True]
    assert len(outbox(named, "receipt", "Anna")) == 1
    assert not list(named.glob("fault-*"))


PARTS = (bundled("templates") / "parts.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{% macro who(p, seat) %}x{% endmacro %}", r"parts\.html: it has no macro '\w+', and other templates ask"),
        (PARTS.replace("macro time(p, instant)", "macro time(p)"), r"parts\.html: macro 'time' takes not more than 1"),
        (PARTS.replace("{{ p.when(instant) }}", "{{ nope.x }}"), r"parts\.html:3: 'nope' is undefined"),
    ],
)
def test_macros_of_ones_own_are_named_where_our_pages_want_others(named: Path, text: str, what: str) -> None:
    """A macro that is missing or takes too little comes to light in our template; the file that has it is at fault."""
    own(named, "parts.html", text)
    with pytest.raises(Refused, match=rf"templates/{what}.*mend this file"):
        publish_now(opened(named, at("2024-01-02 08:00")), ())
    assert not list(named.glob("fault-*"))
