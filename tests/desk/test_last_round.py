"""A season with an end, of a game that would go on for ever: its last round, its result, and what comes after it."""

import json
import re
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from league.cli import main
from league.core.errors import BadInput, LeagueError, Refused
from league.desk.acts.last_round import Ends, set_last
from league.desk.people.players import NewPlayer, add_players
from league.desk.proof.verify import verify
from league.desk.rebuild import rebuild
from league.storage import engine as database
from league.storage import leagues, rounds
from tests.desk.mended import play, right, thursday
from tests.desk.moves import arrive, away, other_site
from tests.desk.sites import (
    BEGIN,
    NAMES,
    address,
    bodies,
    copy,
    drop,
    letter,
    opened,
    outbox,
    public,
    rows,
    run,
    sealed,
    verdicts,
)
from tests.desk.weeks import evaluate, replayed, utc, week, write

FIRST, SECOND, THIRD = date(2024, 1, 4), date(2024, 1, 11), date(2024, 1, 18)
LATER = utc(THIRD + timedelta(days=3), 9)
COUNTRIES = ("Island", "Portugal", "France")


def typed(path: Path, now: datetime, *args: str) -> int:
    return main(["--site", str(path), "--now", now.isoformat(), "--quiet", *args])


def begin(path: Path, *args: str) -> None:
    options = ("--option", "preset=gentle", "--option", "battles=drawn", "--lang", "en")
    assert typed(path, BEGIN, "new", "spring", "--game", "kuel", "--start", "2024-01-02", *options, *args) == 0
    site = opened(path, BEGIN)
    add_players(site, "spring", [NewPlayer(n, address(n), "en") for n in NAMES[:3]])
    site.engine.dispose()


def last(path: Path, now: datetime, number: int, why: str = "the year ends") -> Ends:
    site = opened(path, now)
    try:
        return set_last(site, "spring", number, why=why)
    finally:
        site.engine.dispose()


def numbers(path: Path) -> list[tuple[int, str]]:
    return [(row["number"], row["status"]) for row in rows(path, "SELECT number, status FROM round ORDER BY number")]


def first_round(path: Path) -> None:
    for name, land in zip(NAMES, COUNTRIES, strict=False):
        write(path, name, f"join {land}", FIRST)
    week(path, FIRST)


def faults(path: Path) -> list[str]:
    return [f"{fault.file}: {fault.what}" for found in verify(str(path / "public")).leagues for fault in found.faults]


@pytest.fixture(scope="module")
def _ended(_bare: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season of two rounds, played to its end; Anna has sent in something for a third."""
    path = copy(_bare, tmp_path_factory.mktemp("ended") / "site")
    begin(path, "--rounds", "2", "--title", "Spring cup")
    first_round(path)
    write(path, "Anna", "take Ireland", SECOND)
    week(path, SECOND)
    return path


@pytest.fixture
def ended(_ended: Path, tmp_path: Path) -> Path:
    return copy(_ended, tmp_path / "ended")


def test_nothing_opens_behind_the_last_round(ended: Path) -> None:
    """However long afterwards `run` is called; and every round recomputes."""
    assert numbers(ended) == [(1, "resolved"), (2, "resolved")]
    run(ended, LATER + timedelta(days=100))
    assert numbers(ended) == [(1, "resolved"), (2, "resolved")]
    assert replayed(ended) == 2
    assert bodies(ended)[0]["calendar"]["rounds"] == 2


def test_between_closing_and_evaluation_nothing_opens_either(bare: Path) -> None:
    """The last round waits for the organizer's look, and a mail of that night is told that the match is over."""
    begin(bare, "--rounds", "1", "--hold-hours", "24")
    write(bare, "Ben", "join Island", FIRST)
    run(bare, utc(FIRST + timedelta(days=1), 0))
    drop(bare, letter("Anna", "join Island", subject="late"), utc(FIRST + timedelta(days=1), 6))
    run(bare, utc(FIRST + timedelta(days=1), 7))
    assert numbers(bare) == [(1, "frozen")]
    assert verdicts(bare)[-1] == ("late", "no_round_open")
    (answer,) = outbox(bare, "late")
    assert "the match is over" in str(answer.mail["Subject"])
    evaluate(bare, FIRST)
    run(bare, utc(FIRST + timedelta(days=4), 9))
    assert numbers(bare) == [(1, "resolved")]
    assert faults(bare) == []


def test_the_last_report_names_who_has_won(ended: Path) -> None:
    """In the mail, on the round's page, on the league's and on the front page; the round before said when it ends."""
    (report,) = [mail for mail in outbox(ended, "report", "Anna") if "Round 2" in str(mail.mail["Subject"])]
    assert re.search(r"The match is over, and no round comes after it\. \w+ wins with \d+ points?\.", flat(report.text))
    assert "Round 3" not in report.text
    (before,) = [mail for mail in outbox(ended, "report", "Anna") if "Round 1" in str(mail.mail["Subject"])]
    assert "The season ends with round 2." in before.text
    pages = public(ended)
    last_page, home = pages["spring/round-2.html"].decode(), pages["spring/index.html"].decode()
    for page in (last_page, home):
        assert "The match is over" in page
        assert re.search(r"wins with \d+ point", page)
        assert "mailto:" not in page.partition("<main")[2].partition("</main>")[0]
    front = pages["index.html"].decode()
    assert 'id="archive"' in front
    assert "Spring cup" in front.partition('id="archive"')[2]
    assert json.loads(pages["spring/teaser.json"])["over"] is True
    assert b"BEGIN:VEVENT" in pages["spring/deadlines.ics"]


def flat(text: str) -> str:
    return " ".join(text.split())


def test_who_writes_afterwards_is_told(ended: Path) -> None:
    """Nothing counts any more, and nobody is promised another round."""
    drop(ended, letter("Ben", "take Spain", subject="more"), LATER)
    run(ended, LATER + timedelta(minutes=1))
    assert verdicts(ended)[-1] == ("late", "no_round_open")
    answer = outbox(ended, "late", "Ben")[-1]
    assert "The match is over, and no round comes after it." in flat(answer.text)


@pytest.mark.parametrize(
    "command",
    [
        ("round", "extend", "spring", "--hours", "24", "--why", "x"),
        ("round", "pause", "spring", "--from", "2024-02-01", "--to", "2024-02-09", "--why", "x"),
        ("round", "last", "spring", "5", "--why", "x"),
        ("player", "add", "spring", "Zoe", "zoe@example.org"),
        ("player", "retire", "spring", "Anna", "--why", "x"),
    ],
)
def test_nothing_can_be_changed_when_it_is_over(
    command: tuple[str, ...], ended: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A plain refusal; the books stay as they are."""
    before = numbers(ended), len(rows(ended, "SELECT * FROM journal"))
    assert typed(ended, LATER, *command) == 1
    assert "the match is over since round 2; no round comes after it" in flat(capsys.readouterr().err)
    assert (numbers(ended), len(rows(ended, "SELECT * FROM journal"))) == before


def test_it_is_quiet_afterwards(ended: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No deadline, no reminder, nobody counted as silent, and `status` has nothing to do."""
    for days in (3, 10, 40):
        run(ended, LATER + timedelta(days=days))
    assert [mail.kind for mail in outbox(ended) if mail.kind.startswith(("remind", "freeze"))].count("remind") == 0
    assert typed(ended, LATER + timedelta(days=41), "status", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert "silent" not in json.dumps(told["todo"])


def test_everything_verifies_and_is_built_anew(ended: Path, tmp_path: Path) -> None:
    """The end is in the opening record, so whoever recomputes the league knows it."""
    run(ended, LATER)
    assert faults(ended) == []
    assert rebuild(tmp_path / "anew", ended, LATER).is_same
    assert [one.sha256 for one in sealed(tmp_path / "anew")] == [one.sha256 for one in sealed(ended)]


def test_a_correction_after_the_end_makes_another_result(spring: Path) -> None:
    """Whatever position comes out, the match stays over, everybody is told, and verify holds."""
    play(spring, 1)
    last(spring, monday(1), 2)
    play(spring, 2, begin=2)
    run(spring, monday(2))
    assert numbers(spring) == [(1, "resolved"), (2, "resolved")]
    done = right(spring, 2, LONDON, monday(2))
    assert done.sealed is not None
    assert done.sealed.over
    run(spring, monday(2) + timedelta(minutes=1))
    assert numbers(spring) == [(1, "resolved"), (2, "resolved")]
    assert json.loads(public(spring)["spring/teaser.json"])["over"] is True
    assert "The match is over; with that this is its result." in outbox(spring, "report", "Ben")[-1].text
    assert faults(spring) == []


LONDON = "16705.56"  # its last digits name another field than those of 16704.56


def monday(number: int) -> datetime:
    """After a round's report."""
    return utc(thursday(number) + timedelta(days=4), 9)


def test_it_moves_to_another_site(ended: Path, tmp_path: Path) -> None:
    """What is over there is over here."""
    new = other_site(tmp_path / "new", LATER)
    arrive(new, away(ended, LATER)[0], LATER)
    run(new, LATER + timedelta(hours=1))
    assert numbers(new) == [(1, "resolved"), (2, "resolved")]


def test_the_next_season_has_as_many_rounds(ended: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unless another number is said; and the archive has the one that is over."""
    assert typed(ended, LATER, "new", "summer", "--after", "spring", "--start", "2024-02-01") == 0
    assert typed(ended, LATER, "new", "autumn", "--after", "summer", "--start", "2024-03-01", "--rounds", "7") == 0
    capsys.readouterr()
    with database.read(opened(ended, LATER).engine) as connection:
        found = {one.slug: one.id for one in leagues.leagues(connection)}
        kept = [leagues.seasons(connection, found[slug])[-1].calendar["rounds"] for slug in ("summer", "autumn")]
    assert kept == [2, 7]
    run(ended, LATER + timedelta(minutes=1))
    assert "Won by" in public(ended)["summer/index.html"].decode()


def test_a_mail_that_names_no_league_is_for_the_next_season(ended: Path) -> None:
    """Whoever plays both isn't asked about a match that is over: the orders count where they can."""
    assert typed(ended, LATER, "new", "summer", "--after", "spring", "--start", "2024-02-01") == 0
    drop(ended, letter("Anna", "accept", subject="yes"), LATER + timedelta(minutes=1))
    drop(ended, letter("Anna", "join Island", subject="orders"), LATER + timedelta(hours=1))
    run(ended, LATER + timedelta(hours=2))
    assert verdicts(ended)[-1][0] == "accepted"
    found = (
        "SELECT season.league_id FROM submission JOIN round ON round.id = round_id JOIN match ON match.id = match_id"
    )
    leagues_of = [row["league_id"] for row in rows(ended, f"{found} JOIN season ON season.id = season_id")]
    assert leagues_of[-1] == 2


# ------------------------------------------------------------------ an end for one that has none


def test_a_running_league_is_given_an_end(bare: Path, tmp_path: Path) -> None:
    """The round that is open can be the last; the same said twice is one act; the page says it before.

    Built anew from mails and journal it ends with the same round.
    """
    begin(bare)
    first_round(bare)
    now = utc(SECOND - timedelta(days=1), 12)
    assert last(bare, now, 2) == Ends(2, 2)
    assert last(bare, now, 2) == Ends(2, 2)
    assert len(rows(bare, "SELECT * FROM journal WHERE act = 'round last'")) == 1
    run(bare, now + timedelta(minutes=1))
    assert "The season ends with round 2." in public(bare)["spring/index.html"].decode()
    assert "The season ends with round 2." in public(bare)["spring/journal.html"].decode()
    week(bare, SECOND)
    run(bare, LATER)
    assert numbers(bare) == [(1, "resolved"), (2, "resolved")]
    assert "rounds" not in bodies(bare)[0]["calendar"]
    assert faults(bare) == []
    assert rebuild(tmp_path / "anew", bare, LATER).is_same
    assert numbers(tmp_path / "anew") == [(1, "resolved"), (2, "resolved")]


def test_an_end_is_put_off_or_taken_back(bare: Path) -> None:
    """Also while the last round waits for its report: then the next one opens with the next run."""
    begin(bare, "--rounds", "1", "--hold-hours", "24")
    write(bare, "Ben", "join Island", FIRST)
    run(bare, utc(FIRST + timedelta(days=1), 0))
    assert numbers(bare) == [(1, "frozen")]
    last(bare, utc(FIRST + timedelta(days=1), 1), 0, "we go on")
    evaluate(bare, FIRST)
    assert [number for number, _ in numbers(bare)] == [1, 2]
    week(bare, SECOND)
    run(bare, utc(SECOND + timedelta(days=4), 9))
    assert numbers(bare)[:2] == [(1, "resolved"), (2, "resolved")]
    assert numbers(bare)[2][1] == "open"
    assert faults(bare) == []


def test_a_round_behind_the_end_is_found_by_verify(ended: Path) -> None:
    """An organizer who goes on in secret can't: the opening record has the last round's number."""
    with database.write(opened(ended, LATER).engine) as connection:
        found = leagues.league(connection, "spring")
        assert found is not None
        season = leagues.seasons(connection, found.id)[-1]
        rounds.store_calendar(connection, season.id, {k: v for k, v in season.calendar.items() if k != "rounds"})
    run(ended, utc(THIRD + timedelta(days=1), 0))
    evaluate(ended, THIRD)
    assert any("the season ended before it" in told for told in faults(ended))


@pytest.mark.parametrize(
    ("number", "why", "kind", "says"),
    [
        (1, "x", Refused, "round 2 of spring has begun, so the season can't end before it"),
        (-1, "x", BadInput, "use 1 to 1000"),
        (1001, "x", BadInput, "use 1 to 1000"),
        (5, " ", BadInput, "say why"),
    ],
)
def test_what_is_no_end(number: int, why: str, kind: type[LeagueError], says: str, bare: Path) -> None:
    """Nothing that has begun is taken away; a reason is needed."""
    begin(bare)
    first_round(bare)
    with pytest.raises(kind, match=says):
        last(bare, utc(SECOND - timedelta(days=1), 12), number, why)
    assert rows(bare, "SELECT * FROM journal WHERE act = 'round last'") == []


def test_a_game_that_ends_by_itself_has_no_last_round(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """EUROPA's rules end a match."""
    assert typed(bare, BEGIN, "new", "union", "--game", "europa", "--start", "2024-01-02", "--rounds", "9") == 1
    assert "ends by its own rules" in capsys.readouterr().err
