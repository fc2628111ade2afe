"""The report of a round tells a battle wrongly: the organizer's word on it afterwards, by the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from league.cli import main
from tests.desk.mended import replay
from tests.desk.sites import (
    add_league,
    at,
    bodies,
    copy,
    drop,
    figures,
    letter,
    mail_run,
    make_site,
    outbox,
    public,
    run,
)

FRIDAY, SATURDAY, MONDAY = at("2024-01-12 08:00"), at("2024-01-13 21:30"), at("2024-01-15 09:00")
JOINS = {"Anna": "France", "Ben": "Portugal", "Dirk": "Sweden", "Eva": "Finland"}
TAKES = {"Anna": "take Spain", "Ben": "take Spain", "Dirk": "take Norway", "Eva": "take Norway"}
WHY = ("--why", "the replay shows it")


def league(path: Path, *args: str, now: Any = MONDAY) -> int:
    return main(["--site", str(path), "--now", now.isoformat(), *args])


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def _sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_site(tmp_path_factory.mktemp("sealed") / "site")
    add_league(path, names=tuple(JOINS), battles="reported")
    for name, country in JOINS.items():
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    for name, text in TAKES.items():
        drop(path, letter(name, text), at("2024-01-10 10:00"))
    mail_run(path, FRIDAY)
    figures(path, SATURDAY, lotto="3 12 17 20 24 43")
    assert league(path, "result", "enter", "spring", "Norway", "Eva", *WHY, now=SATURDAY) == 0
    drop(path, letter("Anna", "result Spain lost"), at("2024-01-13 21:40"))
    mail_run(path, at("2024-01-13 22:00"))
    assert len(bodies(path)) == 3
    return path


@pytest.fixture
def sealed(_sealed: Path, tmp_path: Path) -> Path:
    """Round 2 is sealed: Ben has Spain by Anna's own report, Eva has Norway by the organizer's word."""
    return copy(_sealed, tmp_path / "site")


def owner(body: dict[str, Any], country: str) -> str:
    return next(str(seat) for seat, row in body["position"]["players"].items() if country in row["owns"])


def test_a_report_that_was_wrong_is_overruled(sealed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Version 2 has the organizer's word among its decisions, the report stays among the orders, the country moves."""
    assert league(sealed, "result", "enter", "spring", "Spain", "Anna", "--round", "2", *WHY, "--json") == 0
    found = told(capsys)
    assert (found["version"], found["mode"], found["done"]) == (2, "recompute", True)
    spain = {change["kind"]: change for change in found["changes"] if change.get("country") == "spain"}
    assert (spain["result"]["from"], spain["result"]["to"]) == ("s2", "s1")
    assert spain["owner"]["text"] == "Spanien, Besitz: Ben → Anna"
    *_, old, new = bodies(sealed)
    assert (owner(old, "spain"), owner(new, "spain")) == ("s2", "s1")
    assert new["orders"] == old["orders"]
    assert new["decisions"][-1] == {
        "kind": "result",
        "facts": {"country": "spain", "winner": "s1", "attempt": 1},
        "source": "organizer",
        "at": "2024-01-15T09:00:00Z",
    }
    assert new["correction"]["act"] == "result enter"
    replay(sealed)


def test_an_earlier_word_of_the_organizer_is_replaced(sealed: Path) -> None:
    """One word on a battle stands in the record, the later one."""
    assert league(sealed, "result", "enter", "spring", "Norway", "Dirk", "--round", "2", *WHY) == 0
    *_, new = bodies(sealed)
    results = [d["facts"] for d in new["decisions"] if d["kind"] == "result"]
    assert results == [{"country": "norway", "winner": "s3", "attempt": 1}]
    assert owner(new, "norway") == "s3"
    replay(sealed)


def test_dry_run_shows_it_in_words_and_leaves_all_as_it_is(sealed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For people: what was and what is, what becomes of the next round, that orders stand."""
    before = bodies(sealed)
    assert (
        league(sealed, "--lang", "en", "result", "enter", "spring", "Spain", "s1", "--round", "2", *WHY, "--dry-run")
        == 0
    )
    said = capsys.readouterr().out
    assert "Round 2 would be sealed again as version 2." in said
    assert "  Spain, owner: Ben → Anna" in said
    assert "Orders that are in for round 3 stand" in said
    assert bodies(sealed) == before


def test_pages_and_mails_tell_it(sealed: Path) -> None:
    """Each fighter reads who won now and why; the battle's row on the page says that the organizer decided it."""
    assert league(sealed, "result", "enter", "spring", "Spain", "Anna", "--round", "2", *WHY) == 0
    run(sealed, at("2024-01-15 09:10"))
    (mail,) = [m for m in outbox(sealed, "report", "Ben") if "version 2" in str(m.mail["Subject"])]
    assert "Spain, winner of the battle: Ben → Anna" in mail.text
    assert "The result of a battle was wrong; the organizer has corrected it." in mail.text
    assert "Reason: the replay shows it" in mail.text
    html = mail.mail.get_body(("html",))
    assert html is not None
    assert "Spain, owner: Ben → Anna" in html.get_content()
    page = public(sealed)["spring/en/round-2.html"].decode()
    assert "Spain, winner of the battle: Ben → Anna" in page


def test_a_result_typed_again_is_not_entered_twice(sealed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same act at another moment: no third version, and the answer says what the first time has done."""
    words = ("--lang", "en", "result", "enter", "spring", "Spain", "Anna", "--round", "2", *WHY)
    assert league(sealed, *words) == 0
    first, before = capsys.readouterr().out, bodies(sealed)
    assert league(sealed, *words) == 0
    again = capsys.readouterr().out
    assert again.startswith("This was done before: round 2 is sealed again as version 2 already.")
    assert first.partition("What was → what is:")[2] == again.partition("What was → what is:")[2]
    assert bodies(sealed) == before


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("Spain", "Dirk", "--round", "2"), "did not fight there"),
        (("Paris", "Anna", "--round", "2"), "no battle for 'Paris'"),
        (("Spain", "Anna", "--round", "3"), "is open"),
        (("Spain", "Ben", "--round", "7"), "no round 7"),
        (("Spain", "Anna"), "is put right with --round N"),
    ],
)
def test_what_can_not_be(sealed: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], words: str) -> None:
    """Who didn't fight, a battle that wasn't, a round that isn't sealed: each is refused with what would be right."""
    before = bodies(sealed)
    assert league(sealed, "result", "enter", "spring", *args, *WHY) == 1
    assert words in capsys.readouterr().err
    assert bodies(sealed) == before


def test_without_a_reason_nothing_is_corrected(sealed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reason is what everyone reads."""
    assert league(sealed, "result", "enter", "spring", "Spain", "Anna", "--round", "2") == 1
    assert "say why with --why" in capsys.readouterr().err
    assert league(sealed, "result", "enter", "spring", "Spain", "Anna", "--dry-run", *WHY) == 2


def test_round_reopen_by_the_command_line(sealed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It refuses where nothing would come of it."""
    assert league(sealed, "round", "reopen", "spring", "--round", "2", *WHY) == 1
    assert "there is nothing to correct" in capsys.readouterr().err


def test_draw_correct_by_the_command_line(sealed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The figure, where it was read, why; the answer says what becomes of the round."""
    figure = ("--dax-close", "16705.56", "--dax-day", "2024-01-12", "--source", "paper")
    assert league(sealed, "draw", "correct", "spring", *figure, *WHY, "--json") == 0
    found = told(capsys)
    assert found["correction"]["version"] == 2
    assert found["figures"] == [
        {"figure": "dax_close", "day": "2024-01-12", "value": "16705.56", "status": "corrected"}
    ]
    assert league(sealed, "--lang", "en", "draw", "correct", "spring", *figure, *WHY) == 0
    assert "This was done before: round 2 is sealed again as version 2 already." in capsys.readouterr().out
    other = ("--why", "another look")
    assert league(sealed, "--lang", "en", "draw", "correct", "spring", *figure, *other) == 1
    assert "already, by a person's word" in capsys.readouterr().err
