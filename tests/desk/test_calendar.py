"""Months, holidays and deadlines over real weeks (K80)."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from league.core.errors import BadInput, LeagueError, Refused
from league.desk.acts.new_league import new_league
from league.desk.acts.pause_rounds import pause_rounds
from league.desk.leagues.calendar import (
    Pause,
    last_day,
    last_evaluation_day,
    make_calendar,
    number_until,
    read_pause,
    round_of,
)
from league.desk.people.players import NewPlayer, add_players
from league.games.kuel.meta import META
from tests.desk.sites import NAMES, address, at, bodies, league, mail_run, opened, outbox, public, rows, run, verdicts
from tests.desk.weeks import evaluate, replayed, utc, week, write

WEEK = timedelta(days=7)
EASTER = Pause(date(2024, 3, 29), date(2024, 4, 6), "Easter")
COUNTRIES = ("Island", "Portugal", "France")


def calendar(*pauses: Pause, first: date = date(2024, 3, 19)) -> dict[str, object]:
    return make_calendar(META, first, "Europe/Berlin", 15, None, pauses)


def begin(path: Path, start: date, now: datetime, *pauses: Pause, prize: str = "", **options: object) -> None:
    """A league of three with a month's prize."""
    site = opened(path, now)
    chosen = {"battles": "drawn", "preset": "gentle", **options}
    new_league(site, "spring", game="kuel", start=start, lang="de", pauses=pauses, prize=prize, options=chosen)
    langs = ("de", "en", "nl")
    add_players(site, "spring", [NewPlayer(n, address(n), langs[i]) for i, n in enumerate(NAMES[:3])])
    site.engine.dispose()


def pause(path: Path, now: datetime, first: str, last: str, why: str = "holidays") -> None:
    site = opened(path, now)
    try:
        pause_rounds(site, "spring", date.fromisoformat(first), date.fromisoformat(last), why=why)
    finally:
        site.engine.dispose()


def deadlines(path: Path) -> list[tuple[int, str, str]]:
    found = rows(path, "SELECT number, opens_at, deadline_at FROM round ORDER BY number")
    return [
        (row["number"], row["opens_at"][:16].replace("T", " "), row["deadline_at"][:16].replace("T", " "))
        for row in found
    ]


# ------------------------------------------------------------------ the calendar alone


def test_a_week_in_a_pause_has_no_round_and_the_numbers_go_on() -> None:
    """The round behind a pause has the next number, its own week's window and its own week's end."""
    plain, paused = calendar(), calendar(EASTER)
    assert [last_day(plain, n) for n in (1, 2, 3)] == [date(2024, 3, 21), date(2024, 3, 28), date(2024, 4, 4)]
    assert [last_day(paused, n) for n in (1, 2, 3, 4)] == [
        date(2024, 3, 21),
        date(2024, 3, 28),
        date(2024, 4, 11),
        date(2024, 4, 18),
    ]
    before, after = round_of(paused, 1, 2), round_of(paused, 1, 3)
    assert after == replace(round_of(plain, 1, 4), number=3)
    assert before.ends_at < after.opens_at
    assert last_evaluation_day(before.ends_at, "Europe/Berlin") == date(2024, 3, 30)


def test_deadlines_stay_at_midnight_over_the_change_of_the_clocks() -> None:
    """Thursday 24:00 in Berlin is 23:00 UTC before the last Sunday of March and 22:00 UTC after it, pause or not."""
    assert round_of(calendar(), 1, 2).deadline_at == datetime(2024, 3, 28, 23, tzinfo=UTC)
    assert round_of(calendar(), 1, 3).deadline_at == datetime(2024, 4, 4, 22, tzinfo=UTC)
    assert round_of(calendar(EASTER), 1, 3).deadline_at == datetime(2024, 4, 11, 22, tzinfo=UTC)
    assert last_evaluation_day(round_of(calendar(), 1, 2).ends_at, "Europe/Berlin") == date(2024, 3, 30)


def test_a_moved_round_that_falls_into_a_pause_goes_behind_it() -> None:
    """A deadline moved by a late result skips the holidays as well."""
    moved = {**calendar(EASTER), "moved": [2]}
    assert [last_day(moved, n) for n in (1, 2, 3)] == [date(2024, 3, 21), date(2024, 4, 11), date(2024, 4, 18)]


def test_pauses_that_touch_are_one() -> None:
    """Two pauses in a row keep all their weeks free."""
    both = calendar(EASTER, Pause(date(2024, 4, 7), date(2024, 4, 12)))
    assert last_day(both, 3) == date(2024, 4, 18)
    assert number_until(both, date(2024, 4, 17), 1) == 2
    assert number_until(both, date(2024, 4, 18), 1) == 3


@pytest.mark.parametrize("written", ["2024-04-06..2024-03-29", "2024-04-06", "easter", "2024-01-01..2026-01-01"])
def test_what_is_no_pause_is_refused(written: str) -> None:
    """A pause needs two days in order, at most a year apart."""
    with pytest.raises(BadInput, match="pause"):
        calendar(read_pause(written))


# ------------------------------------------------------------------ a pause of a running league


def test_a_pause_moves_the_open_round_tells_everyone_and_the_league_goes_on(bare: Path) -> None:
    """Weeks through a pause and the change of the clocks: no round in it, a mail in it is late, replay is equal."""
    begin(bare, date(2024, 3, 19), at("2024-03-18 09:00"))
    for name, land in zip(NAMES, COUNTRIES, strict=False):
        write(bare, name, f"join {land}", date(2024, 3, 21))
    week(bare, date(2024, 3, 21), pages=False)
    week(bare, date(2024, 3, 28), pages=False)
    pause(bare, at("2024-03-31 10:00"), "2024-04-01", "2024-04-06", "Easter holidays")
    assert deadlines(bare)[-1] == (3, "2024-04-06 22:00", "2024-04-11 22:00")
    told = outbox(bare, "pause")
    assert [mail.to for mail in told] == [address(name) for name in NAMES[:3]]
    assert "Donnerstag, 11. April 2024, 24:00" in flat(told[0].text)
    assert "Thursday, 11 April 2024, 24:00" in flat(told[1].text)
    assert "Easter holidays" in told[2].text
    assert "Pause: Monday, 1 April 2024 to Saturday, 6 April 2024" in public_text(bare, at("2024-03-31 11:00"))
    write(bare, "Anna", "pass", date(2024, 4, 4))
    ran = mail_run(bare, at("2024-04-05 00:00"))
    assert ran.frozen.rounds == []
    assert verdicts(bare)[-1] == ("late", "no_round_open")
    write(bare, "Anna", "nimm Norwegen", date(2024, 4, 11))
    assert week(bare, date(2024, 4, 11), pages=False).resolved.sealed == [("spring", 3)]
    assert deadlines(bare)[-1] == (4, "2024-04-13 22:00", "2024-04-18 22:00")
    assert "Pause:" not in public_text(bare, at("2024-04-14 00:00"))
    assert replayed(bare) == 3
    acts = rows(bare, "SELECT act, why, arguments FROM journal WHERE act = 'round pause'")
    assert [(a["why"], json.loads(a["arguments"])) for a in acts] == [
        ("Easter holidays", {"from": "2024-04-01", "to": "2024-04-06"})
    ]


def flat(text: str) -> str:
    return " ".join(text.split())


def public_text(path: Path, now: datetime) -> str:
    run(path, now)
    return public(path)["spring/en/index.html"].decode()


def test_orders_that_are_in_keep_a_round_where_it_is(bare: Path) -> None:
    """A pause over a round with orders is refused and names the round; nothing changed."""
    begin(bare, date(2024, 3, 19), at("2024-03-18 09:00"))
    write(bare, "Anna", "join Island", date(2024, 3, 21))
    before = deadlines(bare)
    with pytest.raises(Refused, match="orders for round 1 are in already"):
        pause(bare, at("2024-03-20 12:00"), "2024-03-20", "2024-03-24")
    assert deadlines(bare) == before
    assert outbox(bare, "pause") == []
    pause(bare, at("2024-03-20 12:00"), "2024-03-28", "2024-03-28")
    week(bare, date(2024, 3, 21), pages=False)
    assert deadlines(bare)[-1] == (2, "2024-03-30 23:00", "2024-04-04 22:00")


@pytest.mark.parametrize(
    ("first", "last", "why", "says"),
    [
        ("2024-03-18", "2024-03-22", "rest", "round 1 is closed already"),
        ("2024-03-29", "2024-03-31", "rest", "nothing to pause"),
        ("2024-04-05", "2024-04-01", "rest", "before it begins"),
        ("2024-03-25", "2024-03-29", " ", "--why"),
    ],
)
def test_pauses_that_can_not_be(bare: Path, first: str, last: str, why: str, says: str) -> None:
    """Back into what is closed, where no deadline is, the wrong way round, without a reason: refused in words."""
    begin(bare, date(2024, 3, 19), at("2024-03-18 09:00"))
    week(bare, date(2024, 3, 21), pages=False)
    with pytest.raises(LeagueError, match=says):
        pause(bare, at("2024-03-24 09:00"), first, last, why)


def test_a_pause_can_not_take_a_month_its_last_evaluation(bare: Path) -> None:
    """A round sealed as not the month's last stays that: a pause that would make it so is refused (K80)."""
    begin(bare, date(2024, 3, 12), at("2024-03-11 09:00"))
    week(bare, date(2024, 3, 14), pages=False)
    week(bare, date(2024, 3, 21), pages=False)
    with pytest.raises(Refused, match="no leader"):
        pause(bare, at("2024-03-24 09:00"), "2024-03-25", "2024-03-31")


def test_a_pause_before_the_evaluation_makes_that_round_the_month_s_last(bare: Path) -> None:
    """While the round still waits for its figures, its evaluation knows the pause and names the leader (K80)."""
    begin(bare, date(2024, 3, 12), at("2024-03-11 09:00"))
    for name, land in zip(NAMES, COUNTRIES, strict=False):
        write(bare, name, f"join {land}", date(2024, 3, 14))
    week(bare, date(2024, 3, 14), pages=False)
    write(bare, "Anna", "take Norway", date(2024, 3, 21))
    mail_run(bare, at("2024-03-22 00:00"))
    pause(bare, at("2024-03-22 09:00"), "2024-03-25", "2024-03-31")
    evaluate(bare, date(2024, 3, 21), pages=False)
    assert leaders(bare) == [(2, "2024-03", 2)]
    assert replayed(bare) == 2


# ------------------------------------------------------------------ months


def leaders(path: Path) -> list[tuple[int, str, int]]:
    return [
        (body["round"], event["month"], event["points"])
        for body in bodies(path)[1:]
        for event in body["events"]
        if event["type"] == "month_leader"
    ]


@pytest.mark.parametrize("award", ["total", "gained"])
def test_a_month_s_leader_over_a_real_league(bare: Path, award: str) -> None:
    """Every month's last evaluation names its leader and the prize, by the total or by what the month brought (K80)."""
    begin(bare, date(2024, 1, 2), at("2024-01-01 09:00"), prize="a box of <tea>", award=award)
    first, thursday = date(2024, 1, 4), date(2024, 1, 4)
    for name, land in zip(NAMES, COUNTRIES, strict=False):
        write(bare, name, f"join {land}", first)
    while thursday < date(2024, 3, 10):
        if thursday > first:
            write(bare, "Anna", "pass", thursday)
        week(bare, thursday, pages=False)
        thursday += WEEK
    found = bodies(bare)[1:]
    assert [body["ends"] for body in found][:5] == [
        "2024-01-06",
        "2024-01-13",
        "2024-01-20",
        "2024-01-27",
        "2024-02-03",
    ]
    assert [(n, month) for n, month, _ in leaders(bare)] == [(4, "2024-01"), (8, "2024-02")]
    top = {body["round"]: body["standings"][0][2] for body in found}
    january, february = (points for _, _, points in leaders(bare))
    assert january == top[4]
    if award == "total":
        assert february == top[8]
    else:
        before = {seat: points for _, seat, points in found[3]["standings"]}
        gains = [points - before.get(seat, 0) for _, seat, points in found[7]["standings"]]
        assert february == max(gains) != top[8]
    assert replayed(bare) == len(found)
    run(bare, at("2024-03-10 12:00"))
    reports = [mail.text for mail in outbox(bare, "report", "Ben")]
    assert ["The month's prize: a box of" in text for text in reports] == [n in (4, 8) for n in range(1, 11)]
    pages = public(bare)
    assert "a box of &lt;tea&gt;" in pages["spring/en/index.html"].decode()
    assert "Der Preis des Monats" in pages["spring/round-8.html"].decode()
    assert "Der Preis des Monats" not in pages["spring/round-7.html"].decode()


def test_a_month_that_ends_in_a_pause(bare: Path) -> None:
    """Before a pause over the turn of the month the last evaluation is the month's last (K80)."""
    rest = Pause(date(2024, 3, 24), date(2024, 4, 6))
    begin(bare, date(2024, 3, 19), at("2024-03-18 09:00"), rest)
    for name, land in zip(NAMES, COUNTRIES, strict=False):
        write(bare, name, f"join {land}", date(2024, 3, 21))
    week(bare, date(2024, 3, 21), pages=False)
    week(bare, date(2024, 4, 11), pages=False)
    assert [(n, month) for n, month, _ in leaders(bare)] == [(1, "2024-03")]
    first = bodies(bare)[1]
    assert (first["ends"], first["next_ends"]) == ("2024-03-23", "2024-04-13")
    assert replayed(bare) == 2


# ------------------------------------------------------------------ the command line


def test_pauses_and_prizes_by_command(bare: Path) -> None:
    """`league new --pause --prize` and `league round pause --json` do what the desk does."""
    now = at("2024-03-18 09:00")
    done = league(
        bare, now, "new", "spring", "--game", "kuel", "--start", "2024-03-19", "--pause", "2024-03-20..2024-03-22",
        "--prize", "tea", "--nmr-limit", "4", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["first_round"]["deadline"] == "2024-03-28T23:00:00Z"
    done = league(
        bare, now, "round", "pause", "spring", "--from", "2024-03-25", "--to", "2024-03-31", "--why", "x", "--json"
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["round"], told["deadline"]) == (1, "2024-04-04T22:00:00Z")
    assert json.loads(rows(bare, "SELECT sources FROM season")[0]["sources"])["prize"] == "tea"
    assert bodies(bare)[0]["calendar"]["nmr"] == {"warn": 1, "limit": 4, "action": "tell"}
    done = league(bare, now, "new", "summer", "--game", "kuel", "--start", "2024-03-19", "--pause", "soon")
    assert done.returncode == 1
    assert "2024-12-22..2025-01-04" in done.stderr


def test_the_first_run_of_a_week_opens_the_round_behind_a_pause(bare: Path) -> None:
    """A run in the middle of the pause already shows when the next orders are due."""
    begin(bare, date(2024, 3, 19), at("2024-03-18 09:00"), EASTER)
    week(bare, date(2024, 3, 21), pages=False)
    week(bare, date(2024, 3, 28), pages=False)
    mail_run(bare, utc(date(2024, 4, 3)))
    assert deadlines(bare)[-1] == (3, "2024-04-06 22:00", "2024-04-11 22:00")
