"""A sealed round turns out to be wrong: a new version, what follows for the rounds after it, and who is told."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from league.cli import cli
from league.core.errors import BadInput, Refused
from league.desk.correcting.correct_round import Act, reopen
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.overview.status import site_status
from tests.desk.mended import WHY, close, enter, orders, play, replay, right, thursday
from tests.desk.sites import add_league, at, bodies, copy, drop, letter, mail_run, opened, outbox, public, rows, run
from tests.desk.weeks import utc


@pytest.fixture(scope="module")
def _two(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_spring, tmp_path_factory.mktemp("two") / "site")
    play(path, 2)
    return path


@pytest.fixture(scope="module")
def _four(_two: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_two, tmp_path_factory.mktemp("four") / "site")
    play(path, 4, begin=3)
    return path


@pytest.fixture
def two(_two: Path, tmp_path: Path) -> Path:
    """Two rounds are sealed, the third is open."""
    return copy(_two, tmp_path / "two")


@pytest.fixture
def four(_four: Path, tmp_path: Path) -> Path:
    """Four rounds are sealed, the fifth is open."""
    return copy(_four, tmp_path / "four")


LONDON = "16705.56"  # its last digits name another field than those of 16704.56


def monday(number: int) -> Any:
    """After a round's report."""
    return utc(thursday(number) + timedelta(days=4), 9)


def stands(path: Path, number: int) -> dict[str, Any]:
    """A round's record in the version that stands."""
    asked = "SELECT body FROM record WHERE kind = 'round' AND round = ? ORDER BY version DESC"
    found: dict[str, Any] = json.loads(rows(path, asked, number)[0]["body"])
    return found


def versions(path: Path) -> list[tuple[str, int, int]]:
    found = rows(path, "SELECT body FROM record ORDER BY id")
    told = [json.loads(row["body"]) for row in found][1:]
    return [(body["kind"], body["round"], body["version"]) for body in told]


def journal(path: Path) -> list[dict[str, Any]]:
    return rows(path, "SELECT act, why, arguments FROM journal WHERE act = 'draw correct'")


def test_before_the_next_round_is_closed_its_start_is_replaced(two: Path) -> None:
    """Version 2 names what it supersedes and why; the open round starts where it ends, and nothing else happens."""
    found = right(two, 2, LONDON, monday(2))
    assert found.sealed is not None
    assert (found.sealed.version, found.sealed.mode, found.sealed.again) == (2, "recompute", ())
    _, _, first, second = bodies(two)
    sha = rows(two, "SELECT sha256 FROM record WHERE round = 2 AND version = 1")[0]["sha256"]
    assert (second["supersedes"], second["previous"]) == (sha, sha)
    assert second["correction"] == {
        "act": "draw correct",
        "by": "organizer",
        "why": WHY,
        "at": "2024-01-15T09:00:00Z",
        "mode": "recompute",
    }
    assert first["position"] != second["position"]
    assert first["orders"] == second["orders"]
    start = rows(two, "SELECT body FROM position WHERE round = 3 ORDER BY version DESC")[0]["body"]
    assert json.loads(start) == second["position"]
    assert versions(two) == [("round", 1, 1), ("round", 2, 1), ("round", 2, 2)]
    replay(two)


def test_orders_that_are_in_stand_and_are_read_against_the_new_position(two: Path) -> None:
    """The open round goes on with the mails that it has; its record starts where version 2 ends."""
    orders(two, 3)
    mail_run(two, utc(thursday(3), 8))
    right(two, 2, LONDON, utc(thursday(3), 9))
    mail_run(two, utc(thursday(3) + timedelta(days=1)))
    enter(two, 3)
    mail_run(two, utc(thursday(3) + timedelta(days=2), 22))
    last = stands(two, 3)
    assert len(last["orders"]) == 3
    assert last["start"] == stands(two, 2)["position"]
    assert replay(two).rounds == 3


def test_from_now_lets_later_rounds_stand(four: Path) -> None:
    """Usual once the next round is closed: an adjustment puts the difference into the open round's start."""
    found = right(four, 2, LONDON, monday(4))
    assert found.sealed is not None
    assert (found.sealed.mode, found.sealed.next_round, found.sealed.again) == ("from_now", 5, ())
    assert versions(four)[-2:] == [("round", 2, 2), ("adjustment", 5, 1)]
    adjustment = json.loads(rows(four, "SELECT body FROM record ORDER BY id DESC")[0]["body"])
    assert (
        adjustment["from"] == json.loads(rows(four, "SELECT body FROM record WHERE round = 4")[0]["body"])["position"]
    )
    assert adjustment["applied"]
    assert adjustment["correction"]["mode"] == "from_now"
    close(four, 5)
    enter(four, 5)
    mail_run(four, utc(thursday(5) + timedelta(days=2), 22))
    assert stands(four, 5)["start"] == adjustment["to"]
    assert replay(four).rounds == 5


def test_recompute_evaluates_later_rounds_again(four: Path) -> None:
    """Each later round gets a version more that starts where the one before it ends now, and names the cause."""
    found = right(four, 2, LONDON, monday(4), mode="recompute")
    assert found.sealed is not None
    assert found.sealed.again == (3, 4)
    assert versions(four)[-3:] == [("round", 2, 2), ("round", 3, 2), ("round", 4, 2)]
    by_key = {(b["round"], b["version"]): b for b in bodies(four)[1:] if b["kind"] == "round"}
    assert [by_key[n, 2].get("cause") for n in (2, 3, 4)] == [None, 2, 2]
    assert by_key[3, 2]["start"] == by_key[2, 2]["position"]
    assert by_key[4, 2]["start"] == by_key[3, 2]["position"]
    assert by_key[4, 2]["correction"] == by_key[2, 2]["correction"]
    start = rows(four, "SELECT body FROM position WHERE round = 5 ORDER BY version DESC")[0]["body"]
    assert json.loads(start) == by_key[4, 2]["position"]
    replay(four)


def test_a_closed_round_is_evaluated_from_the_position_as_it_is_put_right(two: Path) -> None:
    """Between the freeze of the next round and its report: an adjustment of the start from which it is evaluated."""
    close(two, 3)
    found = right(two, 2, LONDON, utc(thursday(3) + timedelta(days=1), 9))
    assert found.sealed is not None
    assert (found.sealed.mode, found.sealed.next_open) == ("from_now", False)
    assert versions(two)[-2:] == [("round", 2, 2), ("adjustment", 3, 1)]
    enter(two, 3)
    mail_run(two, utc(thursday(3) + timedelta(days=2), 22))
    assert stands(two, 3)["start"] == stands(two, 2)["position"]
    replay(two)


def test_two_corrections_in_a_row(four: Path) -> None:
    """The second stands on the first: version 3, and the adjustment from where the first one led."""
    right(four, 2, LONDON, monday(4))
    right(four, 3, "16711.00", monday(4) + timedelta(minutes=1))
    right(four, 2, "16709.00", monday(4) + timedelta(minutes=2))
    assert versions(four)[-6:] == [
        ("round", 2, 2),
        ("adjustment", 5, 1),
        ("round", 3, 2),
        ("adjustment", 5, 2),
        ("round", 2, 3),
        ("adjustment", 5, 3),
    ]
    replay(four)


def test_there_and_back_again_is_where_it_began(two: Path) -> None:
    """A correction that is itself corrected leaves the position as it was, if nothing was built on it."""
    before = replay(two).starts[3]
    right(two, 2, LONDON, monday(2))
    assert replay(two).starts[3] != before
    right(two, 2, "16704.56", monday(2) + timedelta(minutes=1))
    assert replay(two).starts[3] == before


def test_recomputing_keeps_what_an_earlier_correction_put_into_a_later_start(spring: Path) -> None:
    """An adjustment because of round 1 isn't lost when round 2 is evaluated again."""
    play(spring, 3)
    right(spring, 2, LONDON, monday(3))  # goes into the start of round 4
    close(spring, 4)
    enter(spring, 4)
    mail_run(spring, utc(thursday(4) + timedelta(days=2), 22))
    right(spring, 3, "16711.00", monday(4), mode="recompute")
    assert versions(spring)[-3:] == [("round", 3, 2), ("adjustment", 4, 2), ("round", 4, 2)]
    told = json.loads(rows(spring, "SELECT body FROM record WHERE kind = 'adjustment' AND version = 2")[0]["body"])
    assert told["cause"] == 3
    replay(spring)


def test_a_dry_run_shows_the_same_and_does_nothing(four: Path) -> None:
    """What would be, to the letter what then is; the books don't change."""
    before = {table: rows(four, f"SELECT * FROM {table}") for table in ("record", "position", "journal", "evidence")}
    looked = right(four, 2, LONDON, monday(4), dry_run=True)
    assert {table: rows(four, f"SELECT * FROM {table}") for table in before} == before
    done = right(four, 2, LONDON, monday(4))
    assert looked.sealed is not None
    assert done.sealed is not None
    assert {**looked.sealed.facts(), "done": True} == done.sealed.facts()


def test_everyone_gets_the_report_again_with_the_difference(four: Path) -> None:
    """In each player's language, what was and what is, what it means now, and that orders stand."""
    right(four, 2, LONDON, monday(4))
    mail_run(four, monday(4) + timedelta(minutes=10))
    mails = {
        mail.to.partition("@")[0]: mail
        for mail in outbox(four, "report")
        if "Version 2" in mail.text or "version 2" in mail.text or "Versie 2" in mail.text
    }
    assert sorted(mails) == ["anna", "ben", "carla"]
    assert "16,704.56 → 16,705.56" in mails["ben"].text
    assert WHY in mails["anna"].text
    assert "round 5" in mails["ben"].text
    assert "Version 2: was berichtigt wurde" in mails["anna"].text
    assert "Versie 2: wat is rechtgezet" in mails["carla"].text


def test_pages_show_what_was_and_what_is(four: Path) -> None:
    """The round's page is version 2 with the difference; the old one stays under its own name, and both are linked."""
    run(four, monday(4))
    before = public(four)
    right(four, 2, LONDON, monday(4))
    run(four, monday(4) + timedelta(minutes=10))
    after = public(four)
    page, old = after["spring/en/round-2.html"].decode(), after["spring/en/round-2-v1.html"].decode()
    assert "16,704.56 → 16,705.56" in page
    assert 'href="round-2-v1.html"' in page
    assert "Version 2 stands" in old
    assert 'href="round-2.html"' in old
    assert "version 2" in after["spring/en/index.html"].decode()
    assert "Round 2 was corrected." in after["spring/en/index.html"].decode()
    assert {"spring/records/0002-v2.json", "spring/records/0005-a1.json"} <= after.keys() - before.keys()
    assert after["spring/records/0002-v1.json"] == before["spring/records/0002-v1.json"]


def test_the_act_is_in_the_journal_with_all_that_does_it_again(four: Path) -> None:
    """Figures, source, round and mode stand there, so that the same can be done again from it."""
    right(four, 2, LONDON, monday(4), mode="recompute")
    (act,) = journal(four)
    told = json.loads(act["arguments"])
    assert act["why"] == WHY
    assert told == {
        "source": "exchange's page",
        "dax_close": "16705.56 (2024-01-12)",
        "round": 2,
        "version": 2,
        "mode": "recompute",
        "again": [3, 4],
        "next_round": 5,
    }


def test_what_can_not_be_corrected_is_told_with_what_to_do(two: Path) -> None:
    """A round that waits, one that is open, one that isn't there, a figure that wasn't used, a change that is none."""
    close(two, 3)
    now = utc(thursday(3) + timedelta(days=1), 9)
    site = opened(two, now)
    for number, words in ((3, "isn't sealed yet.*league draw correct"), (4, "is open"), (9, "no round 9")):
        with pytest.raises(Refused, match=words):
            reopen(site, "spring", number, Act("round reopen", "why not"))
    with pytest.raises(Refused, match="there is nothing to correct"):
        reopen(site, "spring", 2, Act("round reopen", "why not"))
    with pytest.raises(BadInput, match="--why"):
        reopen(site, "spring", 2, Act("round reopen", " "))
    site.engine.dispose()
    with pytest.raises(Refused, match="isn't known yet; league draw enter"):
        right(two, 3, LONDON, utc(thursday(3) + timedelta(days=2), 9))
    with pytest.raises(Refused, match="round 1 was evaluated without dax_close: it used no figure"):
        right(two, 1, LONDON, now)


def test_a_figure_that_is_missing_by_the_correction_is_asked_for(spring: Path) -> None:
    """Where the right close has to be rounded and no rate is known, the refusal names the rate."""
    play(spring, 1)
    close(spring, 2)
    figures = utc(thursday(2) + timedelta(days=2), 21)
    site = opened(spring, figures)
    table = {"dax_close": "16704.56", "dax_day": "2024-01-12", "lotto": "3 11 17 20 24 43", "lotto_day": "2024-01-13"}
    enter_figures(site, "spring", Entry(table, "evening paper", "test"))
    site.engine.dispose()
    mail_run(spring, figures + timedelta(minutes=1))
    with pytest.raises(Refused, match="would need eurusd"):
        right(spring, 2, "16747.00", monday(2))
    assert right(spring, 2, "16747.00", monday(2), eurusd="1.0942").sealed is not None
    replay(spring)


def test_reopening_takes_up_what_was_corrected_for_another_league(spring: Path) -> None:
    """Figures belong to no league: one corrected for one league makes a new version in another by `round reopen`."""
    add_league(spring, "autumn", ("Dirk", "Eva"))
    for name, country in (("Dirk", "Zweden"), ("Eva", "Moskau")):
        drop(spring, letter(name, f"join {country}"), at("2024-01-03 11:00"))
    play(spring, 1)
    drop(spring, letter("Eva", "take Finland"), at("2024-01-10 11:00"))
    play(spring, 2, begin=2)
    right(spring, 2, LONDON, monday(2))
    site = opened(spring, monday(2))
    (item,) = [todo for todo in site_status(site).todo if todo.what == "stale"]
    assert (item.league, item.command) == ("autumn", "league round reopen autumn --round 2 --why WHY")
    found = reopen(site, "autumn", 2, Act("round reopen", "the close was wrong"))
    assert [todo for todo in site_status(site).todo if todo.what == "stale"] == []
    site.engine.dispose()
    assert [change["to"] for change in found.changes if change["kind"] == "figure"] == [LONDON]
    assert found.version == 2
    replay(spring, 2)


@pytest.mark.parametrize(
    "words",
    [
        ["round", "reopen", "spring", "--round", "1", "--why", "x"],
        ["draw", "correct", "spring", "--source", "x", "--why", "x"],
        ["result", "enter", "spring", "Spain", "Anna", "--round", "1", "--why", "x"],
    ],
)
def test_both_ways_together_are_a_usage_error(words: list[str], tmp_path: Path) -> None:
    """Nobody can want later rounds to stand and to be evaluated again; nothing is opened, let alone changed."""
    args = ["--site", str(tmp_path), *words, "--from-now", "--recompute"]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 2
    assert "--from-now and --recompute exclude each other" in done.output
