"""A league whose phases have deadlines of their own (EUROPA's rules, 8.5), by mail and through every act on a round."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from league.cli import main
from league.core.errors import BadInput, Refused
from league.desk import registry
from league.desk.acts.absence import instruct
from league.desk.acts.pause_rounds import pause_rounds
from league.desk.acts.steer_round import extend, hold, release
from league.desk.overview.status import site_status
from league.desk.overview.status import told as told_status
from league.desk.proof.verify import verify
from league.desk.proof.verify_calendar import Season
from league.desk.rebuild import rebuild
from league.desk.rounds.look import round_status
from league.records.audit import Link
from tests.desk.phases import SLUG, Match
from tests.desk.signed import alone
from tests.desk.sites import address, copy, mail_run, opened, outbox, public, rows, run, sealed

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WEDNESDAY, SATURDAY = date(2024, 1, 10), date(2024, 1, 13)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A match that waits for its first placement: 72 hours, votes 48, at eight in the evening."""
    return Match.begin(tmp_path_factory.mktemp("phases") / "site", "72h", "vote=48h", deadline="20:00").started()


@pytest.fixture(scope="module")
def played(begun: Match, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """The same an epoch on, each run an hour after its deadline: a draw is entered where one is needed."""
    match = Match(copy(begun.path, tmp_path_factory.mktemp("played") / "site"))
    while match.state().epoch < 2:
        match.write(match.time() - DAY)
        mail_run(match.path, match.time("closes_at") + HOUR)
        if match.round()["status"] == "frozen":
            match.draw(date.fromisoformat(str(match.time("ends_at") - HOUR)[:10]))
    return match


@pytest.fixture
def match(begun: Match, tmp_path: Path) -> Match:
    return Match(copy(begun.path, tmp_path / "site"))


def test_a_phase_has_its_own_deadline(played: Match) -> None:
    """Placements have three days, ballots two; the next round opens with the report, and no phase waits for a week."""
    found = [(b["start"]["phase"], b["opens"], b["deadline"]) for b in played.told()[1:]]
    assert found[:3] == [
        ("PLACE1", "2024-01-06T20:00:00Z", "2024-01-10T19:00:00Z"),
        ("PLACE2", "2024-01-10T20:15:00Z", "2024-01-14T19:00:00Z"),
        ("VOTE1", "2024-01-14T20:15:00Z", "2024-01-17T19:00:00Z"),
    ]


def test_a_phase_without_a_draw_waits_for_none(played: Match) -> None:
    """Only the start and an epoch's end have figures, each of the first draw after the closing."""
    told = played.told()
    assert [bool(body["evidence"]) for body in told] == [True, *[False] * (len(told) - 2), True]
    last = told[-1]
    closed = date.fromisoformat(last["closes"][:10])
    drawn = date.fromisoformat(last["evidence"][0]["day"])
    assert drawn.weekday() in (2, 5)
    assert timedelta(0) < drawn - closed <= 4 * DAY
    assert last["ends"] == last["evidence"][0]["day"]
    assert last["next_ends"] is None


def test_a_draw_is_named_with_its_day(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where a round waits for it, in text and as JSON; one of another day is taken with a word on that."""
    match = Match.begin(tmp_path / "site", "72h")
    evening = datetime(2024, 1, 5, 0, 30, tzinfo=UTC)

    def cli(*args: str) -> str:
        main(["--site", str(match.path), "--now", evening.isoformat(), *args])
        return "".join(capsys.readouterr())

    assert "union, round 1 waits for: evidence lotto 2024-01-06" in cli("run")
    assert "waits for: evidence lotto 2024-01-06" in cli("round", "status", SLUG)
    assert "waits for: evidence lotto 2024-01-06" in cli("round", "preview", SLUG)
    (row,) = json.loads(cli("round", "status", SLUG, "--json"))
    assert row["pending"] == [{"kind": "evidence", "figure": "lotto", "day": "2024-01-06"}]
    drawn = ("--lotto", "3 11 17 20 24 43", "--source", "paper", "--why", "no internet")
    told = cli("draw", "enter", SLUG, *drawn, "--lotto-day", "2024-01-03")
    assert "note: round 1 of union waits for lotto of 2024-01-06" in told
    assert "round 1 of union is not held; league round status union says what" in cli(
        "round", "release", SLUG, "--why", "go"
    )
    evening += 2 * DAY
    told = cli("draw", "enter", SLUG, *drawn, "--lotto-day", "2024-01-06")
    assert "waits for" not in told
    assert "waits for" not in cli("run")


def test_everybody_can_recompute_it(played: Match) -> None:
    """Both verifiers explain every time by the report before; one that nothing explains is a fault."""
    found = verify(str(played.path))
    assert found.holds, [one.faults[:3] for one in found.all]
    assert alone(played.path / "public").returncode == 0


def faults(match: Match, number: int, **changed: object) -> list[str]:
    """What the calendar says to a round's record in which something is changed."""
    opening, *told = [json.loads(one.body) for one in sealed(match.path)]
    season = Season(opening["calendar"], (), registry.plugin("europa").meta)
    found: list[str] = []
    for body in (row for row in told if row["kind"] == "round" and row["round"] <= number):
        given = {**body, **(changed if body["round"] == number else {})}
        link = Link(f"records/{number:04}-v1.json", "", given)
        found += [f"{name}: {what}" for name, what in season.faults(link, lambda b=given: str(b["start"]["phase"]))]  # type: ignore[misc]
    return found


def test_times_that_nothing_explains_are_faults(played: Match) -> None:
    """Another deadline, a window that opened before the report, another draw than the first after the closing."""
    last = played.told()[-1]
    assert faults(played, last["round"]) == []
    (wrong,) = faults(played, 3, deadline="2024-01-14T20:00:00Z")
    assert wrong.startswith("deadline: it is 2024-01-14T20:00:00Z, by the calendar 2024-01-14T19:00:00Z, and no act")
    assert "opens: it is 2024-01-10T19:10:00Z, before the report" in faults(played, 3, opens="2024-01-10T19:10:00Z")[0]
    later = [{**last["evidence"][0], "day": "2024-12-04"}]
    assert faults(played, last["round"], evidence=later)[0].startswith("evidence[0].day: it is 2024-12-04")
    assert faults(played, 3, next_ends="2024-01-20")[0].startswith("next_ends: nobody can know")


def test_the_deadline_is_told_everywhere(match: Match) -> None:
    """Mails and pages tell it on the league's clock, the calendar to subscribe to has it, the rules say how long."""
    report = outbox(match.path, "report", "ben")[-1].text
    assert "20:00" in report
    assert "10" in report
    pages = public(match.path)
    assert b"20240110T190000Z" in pages["union/deadlines.ics"]
    assert "72 h, vote 48 h; 20:00" in pages["union/index.html"].decode()


def test_players_are_reminded_a_day_before(match: Match) -> None:
    """Whom nothing has come of, once; of a phase so short that this would be at its begin, at half of it."""
    mail_run(match.path, match.time() - 25 * HOUR)
    assert outbox(match.path, "remind") == []
    match.write(match.time() - 24 * HOUR, ["Anna"])
    mail_run(match.path, match.time() - 23 * HOUR)
    mail_run(match.path, match.time() - 22 * HOUR)
    assert [out.to for out in outbox(match.path, "remind")] == [address("Ben"), address("Carla")]


def test_a_short_phase_is_not_reminded_of_with_its_report(tmp_path: Path) -> None:
    """A phase of a day has its reminder in its middle."""
    match = Match.begin(tmp_path / "site", "24h").started(pages=False)
    mail_run(match.path, match.time() - 13 * HOUR)
    assert outbox(match.path, "remind") == []
    mail_run(match.path, match.time() - 11 * HOUR)
    assert len(outbox(match.path, "remind")) == 3


def test_an_extension_is_for_one_round(match: Match) -> None:
    """The next one has its hours from its own report; the draw follows from the new closing, and all of it holds."""
    site = opened(match.path, match.time() - DAY)
    done = extend(site, SLUG, hours=30, why="a storm")
    site.engine.dispose()
    assert (done.weeks, match.time()) == (0, datetime(2024, 1, 12, 1, tzinfo=UTC))
    run(match.path, match.time("closes_at") + HOUR)
    assert match.time() == datetime(2024, 1, 15, 19, tzinfo=UTC)
    assert verify(str(match.path)).holds


def test_a_pause_is_not_counted(match: Match) -> None:
    """The open round's deadline moves by its free days, orders stand, and days that are gone can't be free."""
    match.write(match.time("opens_at") + DAY, ["Anna"])
    mail_run(match.path, match.time("opens_at") + DAY + HOUR)
    now = match.time("opens_at") + DAY + 2 * HOUR
    site = opened(match.path, now)
    with pytest.raises(Refused, match="round 2 is open since 2024-01-06; a pause can't reach back to 2024-01-05"):
        pause_rounds(site, SLUG, date(2024, 1, 5), date(2024, 1, 9), why="too late")
    pause_rounds(site, SLUG, date(2024, 1, 9), date(2024, 1, 11), why="skiing")
    site.engine.dispose()
    assert match.time() == datetime(2024, 1, 13, 19, tzinfo=UTC)
    assert rows(match.path, "SELECT count(*) AS n FROM submission") == [{"n": 1}]
    run(match.path, match.time("closes_at") + HOUR)
    assert verify(str(match.path)).holds


def test_a_pause_behind_an_extension_moves_it(match: Match, tmp_path: Path) -> None:
    """It is as much later as days are free until then; the mail tells the new deadline, and all holds."""
    now = match.time("opens_at") + DAY
    site = opened(match.path, now)
    extend(site, SLUG, hours=24, why="a storm")
    pause_rounds(replace(site, now=now + HOUR), SLUG, date(2024, 1, 9), date(2024, 1, 11), why="skiing")
    site.engine.dispose()
    assert match.time() == datetime(2024, 1, 14, 19, tzinfo=UTC)
    told = " ".join(outbox(match.path, "pause", "ben")[-1].text.split())
    assert "Asked now: where you place" in told
    assert "Round 2 is open: it goes on taking orders." in told
    assert "Orders until: Sunday, 14 January 2024, 20:00" in told
    run(match.path, match.time("closes_at") + HOUR)
    assert verify(str(match.path)).holds
    done = rebuild(tmp_path / "new", copy(match.path, tmp_path / "copied"), match.time() - HOUR)
    assert (done.troubles, done.is_same) == ((), True), done.matches


def test_a_hold_and_a_long_sleep(match: Match) -> None:
    """A held round goes on by itself; after weeks without a run everybody gets a moment of the league's rhythm."""
    site = opened(match.path, match.time() - HOUR)
    hold(site, SLUG, hours=48, why="a look")
    site.engine.dispose()
    mail_run(match.path, match.time("closes_at") + HOUR)
    assert match.round()["status"] == "frozen"
    closed = match.time("closes_at")
    mail_run(match.path, closed + 3 * DAY)
    opened_at = match.time("opens_at")
    assert (match.round()["number"], opened_at) == (3, closed + 3 * DAY)
    late = match.time() + 30 * DAY
    with pytest.raises(Refused, match="league round release"):
        mail_run(match.path, late)
    site = opened(match.path, late)
    moved = release(site, SLUG, why="the machine was off").extended
    site.engine.dispose()
    assert moved is not None
    assert match.time() >= late + 48 * HOUR
    assert f"{match.time():%H:%M}" == "19:00"
    run(match.path, match.time("closes_at") + HOUR)
    assert verify(str(match.path)).holds


def test_it_is_built_anew(played: Match, tmp_path: Path) -> None:
    """Every record to the byte."""
    when = played.time() + DAY
    done = rebuild(tmp_path / "new", copy(played.path, tmp_path / "copied"), when)
    assert (done.troubles, done.is_same) == ((), True), done.matches


def entered(match: Match) -> list[tuple[int, str]]:
    """Round and seat of what was entered for somebody who is away."""
    found = rows(
        match.path,
        "SELECT round.number, seat.code FROM submission JOIN round ON round.id = round_id "
        "JOIN seat ON seat.id = seat_id JOIN mail ON mail.id = mail_id "
        "WHERE mail.source = 'absence' ORDER BY round.number, seat.code",
    )
    return [(row["number"], row["code"]) for row in found]


def test_an_absence_by_a_day_is_for_what_is_due_by_then(match: Match, tmp_path: Path) -> None:
    """Which rounds these are is seen as each closes; the mail and the command alike, and a site built anew."""
    number, due = match.round()["number"], match.time().date().isoformat()
    match.post("Anna", f"abwesend bis {due}\n", match.time("opens_at") + HOUR)
    mail_run(match.path, match.time("opens_at") + 2 * HOUR)
    told = " ".join(outbox(match.path, "commands", "anna")[-1].text.split())
    assert "Vorgemerkt für jede Runde ab jetzt, deren Befehle bis" in told
    site = opened(match.path, match.time("opens_at") + 3 * HOUR)
    done = instruct(site, SLUG, "Ben", until=due, texts=(), why="he told me")
    assert (done.first_round, str(done.until_day)) == (number, due)
    site.engine.dispose()
    mailed = " ".join(outbox(match.path, "", "ben")[-1].text.split())
    assert "every round from now on whose orders are due by" in mailed
    site = opened(match.path, match.time() - HOUR)
    shown = told_status(site, site_status(site), "en")["leagues"]
    site.engine.dispose()
    assert json.dumps(shown).count('"state": "away"') == 2
    match.finish(pages=False)
    assert match.round()["number"] == number + 1
    match.finish()
    assert entered(match) == [(number, "s1"), (number, "s2")]
    when = match.time() + DAY
    assert rebuild(tmp_path / "new", copy(match.path, tmp_path / "copied"), when).is_same
    assert verify(str(match.path)).holds


def test_a_mail_of_which_nothing_counts_is_no_orders(match: Match) -> None:
    """Its player hasn't sent, and is reminded; with one line that counts he has, and isn't."""
    match.post("Anna", "PEACE 1\n", match.time("opens_at") + HOUR)
    match.write(match.time("opens_at") + HOUR, ["Ben"])
    mail_run(match.path, match.time("opens_at") + 2 * HOUR)
    assert len(rows(match.path, "SELECT id FROM submission")) == 2
    site = opened(match.path, match.time("opens_at") + 3 * HOUR)
    (shown,) = round_status(site, SLUG)
    glance = json.dumps(told_status(site, site_status(site), "en")["leagues"])
    site.engine.dispose()
    assert shown["received"] == ["s2"]
    assert "s1" in str(shown["missing"])
    assert glance.count('"state": "sent"') == 1
    mail_run(match.path, match.time() - HOUR * 6)
    assert len(outbox(match.path, "remind", "anna")) == 1
    assert outbox(match.path, "remind", "ben") == []


def test_an_absence_from_a_day_begins_with_what_is_due_then(match: Match) -> None:
    """The open round is due before it, so nothing is entered for that."""
    number, later = match.round()["number"], match.time() + DAY
    span = f"absent from {later:%Y-%m-%d} until {later + 60 * DAY:%Y-%m-%d}"
    match.post("Ben", f"{span}\n", match.time("opens_at") + HOUR)
    mail_run(match.path, match.time("opens_at") + 2 * HOUR)
    told = " ".join(outbox(match.path, "commands", "ben")[-1].text.split())
    assert "Noted for every round whose orders are due from" in told
    match.finish(pages=False)
    match.finish(pages=False)
    assert entered(match) == [(number + 1, "s2")]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("absent until 2024-01-01", "No round lies between these"),
        ("absent from 2024-03-01 until 2024-02-01", "No round lies between these"),
        ("absent from 2024-02-01 until 2024-03-01:\nPEACE 1\nend", "Name rounds by their numbers"),
        ("absent until 2024-02-30", "There is no such day"),
    ],
)
def test_an_absence_that_cannot_be_meant_is_told(match: Match, written: str, said: str) -> None:
    """Days before the open round's deadline, backwards, or with a list for rounds that nobody knows."""
    match.post("Ben", f"{written}\n", match.time("opens_at") + HOUR)
    mail_run(match.path, match.time("opens_at") + 2 * HOUR)
    assert said in " ".join(outbox(match.path, "commands", "ben")[-1].text.split())
    assert rows(match.path, "SELECT count(*) AS n FROM absence") == [{"n": 0}]


def test_by_command_a_day_before_the_open_deadline_is_refused(match: Match) -> None:
    """With the day on which the open round is due."""
    site = opened(match.path, match.time("opens_at") + HOUR)
    with pytest.raises(BadInput, match="are due on 2024"):
        instruct(site, SLUG, "Ben", until="2024-01-01", texts=(), why="")
    site.engine.dispose()
