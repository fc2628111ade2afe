"""Absence, silence, substitutes, retirement and return over real weeks (K38)."""

import json
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest

from league.core.errors import BadInput, LeagueError, Refused
from league.desk.acts.absence import end_instruction, instruct, split_list
from league.desk.acts.change_seats import come_back, retire, substitute
from league.desk.acts.new_league import new_league
from league.desk.leagues.presence import has_left, plays
from league.desk.leagues.silence import make_policy
from league.desk.overview.status import site_status
from league.desk.people.players import NewPlayer, add_players, missed_rounds
from league.failpoints import KILLED
from league.records.freeze import root, sorted_leaves
from league.storage.leagues import Place
from tests.desk.forks import Forks
from tests.desk.sites import (
    NAMES,
    address,
    at,
    bodies,
    copy,
    league,
    mail_run,
    opened,
    outbox,
    public,
    rows,
    run,
    verdicts,
)
from tests.desk.weeks import evaluate, replayed, utc, week, write

START = date(2024, 3, 21)  # the third week's Sunday is that of summer time
WEEK = timedelta(days=7)
COUNTRIES = ("Island", "Portugal", "France")


def thursday(number: int) -> date:
    return START + (number - 1) * WEEK


@pytest.fixture(scope="module")
def _begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.desk.sites import make_site

    path = make_site(tmp_path_factory.mktemp("begun") / "site")
    begin(path)
    for name, land in zip(NAMES, COUNTRIES, strict=False):
        write(path, name, f"join {land}", START)
    week(path, START, pages=False)
    return path


@pytest.fixture
def begun(_begun: Path, tmp_path: Path) -> Path:
    """A league of Anna, Ben and Carla after its first round, the second due on 28 March 2024."""
    return copy(_begun, tmp_path / "site")


@pytest.fixture(scope="module")
def forks() -> Forks:
    return Forks(small=True)


def begin(path: Path, action: str = "tell") -> None:
    site = opened(path, at("2024-03-18 09:00"))
    chosen: dict[str, object] = {"battles": "drawn", "preset": "gentle"}
    nmr = make_policy(1, 3, action)
    new_league(site, "spring", game="kuel", start=START, lang="de", options=chosen, nmr=nmr)
    langs = ("de", "en", "nl")
    add_players(site, "spring", [NewPlayer(n, address(n), langs[i]) for i, n in enumerate(NAMES[:3])])
    site.engine.dispose()


def away(path: Path, name: str, until: str, *texts: str, now: str = "2024-03-24 09:00") -> tuple[int, int]:
    site = opened(path, at(now))
    try:
        done = instruct(site, "spring", name, until=until, texts=texts, why="travels")
        return done.first_round, done.last_round
    finally:
        site.engine.dispose()


def leave(path: Path, name: str, now: str, why: str = "asked to leave") -> int:
    site = opened(path, at(now))
    try:
        return retire(site, "spring", name, why=why)[1]
    finally:
        site.engine.dispose()


def back(path: Path, name: str, now: str) -> int:
    site = opened(path, at(now))
    try:
        return come_back(site, "spring", name)[1]
    finally:
        site.engine.dispose()


def swap(path: Path, seat: str, name: str, now: str, mail: str = "") -> str:
    site = opened(path, at(now))
    try:
        return substitute(site, "spring", seat, NewPlayer(name, mail or address(name), "en"), why="x")[0].code
    finally:
        site.engine.dispose()


def orders(path: Path, number: int) -> dict[str, list[str]]:
    return {row["seat"]: row["orders"] for row in bodies(path)[number]["orders"]}


def missed(path: Path, now: str) -> dict[str, int]:
    site = opened(path, at(now))
    try:
        return missed_rounds(site, "spring")
    finally:
        site.engine.dispose()


def text_of(path: Path, kind: str, name: str) -> str:
    found = outbox(path, kind, name)
    assert found, f"no {kind} mail to {name}"
    return found[-1].text


# ------------------------------------------------------------------ a player who is away


def test_a_prepared_list_is_entered_round_by_round(begun: Path) -> None:
    """Each round its own text; behind the list's end a pass; after the absence nothing; replay is equal."""
    assert away(begun, "Anna", "5", "nimm Norwegen", "nimm London\nbiete 1 auf Prag") == (2, 5)
    for number in (2, 3, 4, 5, 6):
        week(begun, thursday(number), pages=False)
    found = [orders(begun, n).get("s1") for n in (2, 3, 4, 5, 6)]
    assert found == [["take Norway"], ["take Great Britain", "bid 1 on Czech Republic"], ["pass"], ["pass"], None]
    made = bodies(begun)[2]
    assert made["decisions"] == [
        {
            "kind": "instructed",
            "facts": {"seat": "s1", "revision": 1},
            "source": "absence",
            "at": made["closes"],
        }
    ]
    assert replayed(begun) == 6


def test_a_standing_instruction_is_a_mail_like_every_mail(begun: Path) -> None:
    """It is kept with its bytes and a verdict, lies under the root, and every report says what it was."""
    away(begun, "Anna", "2", "nimm Norwegen")
    write(begun, "Ben", "take Spain", thursday(2))
    week(begun, thursday(2))
    (kept,) = rows(begun, "SELECT content, received_at, digest FROM mail WHERE source = 'absence'")
    assert b"nimm Norwegen" in kept["content"]
    assert ("accepted", "standing_instruction") in verdicts(begun)
    leaves = [
        r["leaf"] for r in rows(begun, "SELECT leaf FROM submission JOIN round r ON r.id = round_id AND number = 2")
    ]
    record = bodies(begun)[2]
    assert record["freeze"]["leaves"] == list(sorted_leaves(leaves))
    assert record["freeze"]["root"] == root(leaves)
    assert [row["seat"] for row in record["orders"]] == ["s2", "s1"]
    assert record["orders"][1]["received_at"] == record["closes"]
    assert "Anna (standing instruction):" in text_of(begun, "report", "Ben")
    assert "Nach deinem Auftrag für die Abwesenheit:" in text_of(begun, "report", "Anna")
    assert "Anna" not in text_of(begun, "report", "Ben").partition("Not heard from:")[2].partition("\n")[0]
    assert "standing instruction" in public(begun)["spring/en/round-2.html"].decode()


def test_what_the_player_mails_goes_before_the_instruction(begun: Path) -> None:
    """A mail of the player's own stands alone; the list's place of that round is used up."""
    away(begun, "Anna", "3", "nimm Norwegen", "nimm Schweden")
    write(begun, "Anna", "passe", thursday(2))
    week(begun, thursday(2), pages=False)
    week(begun, thursday(3), pages=False)
    assert [orders(begun, n)["s1"] for n in (2, 3)] == [["pass"], ["take Sweden"]]


def test_an_unreadable_mail_leaves_the_instruction_in_force(begun: Path) -> None:
    """Only orders or a pass go before it."""
    away(begun, "Anna", "3")
    write(begun, "Anna", "Viele Grüße vom Strand", thursday(2))
    week(begun, thursday(2), pages=False)
    assert orders(begun, 2)["s1"] == ["pass"]


def test_until_a_day_is_until_the_last_deadline_on_it(begun: Path) -> None:
    """A day means the last round whose orders close on it or before; too early a day is refused."""
    assert away(begun, "Anna", "2024-04-11") == (2, 4)
    assert away(begun, "Anna", "2024-04-10", now="2024-03-24 10:00") == (2, 3)
    with pytest.raises(BadInput, match="the open round is 2"):
        away(begun, "Anna", "2024-03-27", now="2024-03-24 11:00")


def test_an_instruction_ends_by_command(begun: Path) -> None:
    """The player is told both, in his language; afterwards he is missing like anybody."""
    away(begun, "Carla", "9", "neem Spanje")
    assert "rondes 2 tot en met 9" in text_of(begun, "absent", "Carla")
    site = opened(begun, at("2024-03-24 10:00"))
    end_instruction(site, "spring", "Carla", why="back")
    with pytest.raises(BadInput, match="no standing instruction"):
        end_instruction(site, "spring", "Carla", why="back")
    site.engine.dispose()
    assert "vanaf ronde 2" in text_of(begun, "present", "Carla")
    week(begun, thursday(2), pages=False)
    assert "s3" not in orders(begun, 2)


@pytest.mark.parametrize(
    ("texts", "until", "says"),
    [
        (("take Atlantis",), "4", "'take Atlantis' is not understood"),
        (("take Norway", ""), "4", "orders 2: there is no order"),
        (("pass", "pass", "pass"), "3", "the list is for 3 rounds"),
        ((), "next summer", "neither a round's number nor a day"),
        ((), "99", "retirement"),
    ],
)
def test_instructions_that_can_not_be(begun: Path, texts: Sequence[str], until: str, says: str) -> None:
    """Whoever is away can't be asked back, so what isn't understood is refused at once."""
    with pytest.raises(BadInput, match=says):
        away(begun, "Anna", until, *texts)
    assert rows(begun, "SELECT id FROM absence") == []


def test_a_list_is_split_at_lines_of_hyphens() -> None:
    """Three hyphens or more on a line of their own part the rounds; a bullet doesn't."""
    assert split_list("take A\n- take B\n--- \npass\n-----\ntake C\n") == ("take A\n- take B", "pass", "take C")


@pytest.mark.parametrize("point", ["freeze.before_commit", "freeze.after_commit", "seal.before_commit"])
def test_killed_at_the_freeze_with_an_instruction(begun: Path, forks: Forks, tmp_path: Path, point: str) -> None:
    """Killed and run again gives the bytes of a run that wasn't: books, record, mails, pages."""
    away(begun, "Anna", "4", "nimm Norwegen")
    away(begun, "Carla", "4", now="2024-03-24 10:00")
    write(begun, "Ben", "take Spain", thursday(2))
    whole, broken = copy(begun, tmp_path / "whole"), copy(begun, tmp_path / "broken")
    now = utc(thursday(2) + timedelta(days=1), 8)
    assert forks.league(whole, now, "run").code == 0
    killed = forks.league(broken, now, "run", LEAGUE_FAILPOINT=f"{point}:1")
    assert killed.code == KILLED
    assert forks.league(broken, now, "run").code == 0
    assert everything(broken) == everything(whole)
    assert [row["source"] for row in rows(whole, "SELECT source FROM mail ORDER BY id")][-2:] == ["absence"] * 2


def everything(path: Path) -> object:
    """All books and pages, but for where the site lies and who claimed a mail for sending."""
    books = ("mail", "verdict", "submission", "decision", "round", "absence", "outbox", "record")
    found = {
        book: [{**r, "source": 0, "claim": 0} for r in rows(path, f"SELECT * FROM {book} ORDER BY 1, 2")]
        for book in books
    }
    return found, public(path)


# ------------------------------------------------------------------ silence


def test_silence_is_counted_warned_of_and_told(begun: Path) -> None:
    """Three rounds without a word: a warning each time, the page says it, then the organizer is asked."""
    heard = {2: ("Anna",), 3: ("Anna", "Carla"), 4: ("Anna",)}
    counts = []
    for number, names in heard.items():
        for name in names:
            write(begun, name, "pass" if name == "Anna" else "neem Spanje", thursday(number))
        ran = run(begun, utc(thursday(number) + timedelta(days=1), 0))  # nobody moves: no figure is needed
        if number == 3:
            ran = evaluate(begun, thursday(3))
        counts.append(missed(begun, f"{thursday(number) + timedelta(days=3)} 00:00"))
        assert [found.place.name for found in ran.silent] == (["Ben"] if number == 4 else [])
    assert counts == [{"s2": 1, "s3": 1}, {"s2": 2}, {"s2": 3, "s3": 1}]
    texts = [" ".join(mail.text.split()) for mail in outbox(begun, "report", "Ben")]  # wherever lines are wrapped
    assert ["Nothing was heard from you" in text for text in texts] == [False, True, True, True]
    assert "Nothing was heard from you for 1 round." in texts[1]
    assert "for 3 rounds in a row." in texts[3]
    assert "After 3 rounds in a row the organizer decides" in texts[3]
    assert not any("Von dir kam" in mail.text for mail in outbox(begun, "report", "Anna"))
    page = public(begun)["spring/en/index.html"].decode()
    assert "Rounds in a row without a word:" in page
    site = opened(begun, at("2024-04-14 09:00"))
    assert [found.facts() for found in site_status(site).silent] == [
        {"league": "spring", "seat": "s2", "name": "Ben", "missed": 3, "offered": False}
    ]
    site.engine.dispose()


def test_a_round_under_an_instruction_neither_counts_nor_ends_the_count(begun: Path) -> None:
    """Missed, excused, missed: that is two."""
    week(begun, thursday(2), pages=False)
    away(begun, "Ben", "3", now="2024-03-31 09:00")
    week(begun, thursday(3), pages=False)
    assert missed(begun, "2024-04-07 00:00") == {"s1": 2, "s2": 1, "s3": 2}
    week(begun, thursday(4), pages=False)
    assert missed(begun, "2024-04-14 00:00") == {"s1": 3, "s2": 2, "s3": 3}


def test_where_the_league_says_so_the_silent_are_retired(bare: Path) -> None:
    """`nmr_action = retire`: after the limit the seat is left with the open round, and the player is told."""
    begin(bare, "retire")
    for number in (1, 2, 3, 4):
        for name in ("Anna", "Ben"):
            write(bare, name, "join Island" if name == "Anna" else "join Portugal", thursday(number))
        if number == 1:
            write(bare, "Carla", "join France", START)
        week(bare, thursday(number), pages=False)
    report = " ".join(outbox(bare, "report", "Carla")[2].text.split())
    assert "Na 3 rondes op rij verlaat je de competitie" in report
    assert "3 rounds without a word" in text_of(bare, "retired", "Carla")
    write(bare, "Anna", "pass", thursday(5))
    week(bare, thursday(5), pages=False)
    assert bodies(bare)[5]["left"] == ["s3"]
    assert "s3" not in bodies(bare)[5]["position"]["players"]
    assert replayed(bare) == 5


# ------------------------------------------------------------------ retirement and return


def test_who_retires_leaves_his_countries_and_his_orders_do_not_count(begun: Path) -> None:
    """K38: gone before the next evaluation; the mail stays under the root and counts for nothing."""
    write(begun, "Ben", "take Spain", thursday(2), days=3)
    assert leave(begun, "Ben", "2024-03-26 09:00") == 2
    week(begun, thursday(2))
    record = bodies(begun)[2]
    assert record["left"] == ["s2"]
    assert record["orders"] == []
    assert [(row["seat"], row["orders"]) for row in record["void"]] == [("s2", ["take Spain"])]
    assert len(record["freeze"]["leaves"]) == 1
    assert "s2" in record["start"]["players"]
    assert "s2" not in record["position"]["players"]
    assert [e["seat"] for e in record["events"] if e["type"] == "retired"] == ["s2"]
    assert replayed(begun) == 2
    told = text_of(begun, "retired", "Ben")
    assert "you leave the league with the evaluation of round 2" in told
    assert "| asked to leave" in told
    assert outbox(begun, "report", "Ben")[-1].text == outbox(begun, "report", "Ben")[0].text
    page = public(begun)["spring/en/index.html"].decode()
    assert "retired" in page


def test_mail_of_who_has_retired_is_a_stranger_s(begun: Path) -> None:
    """From the retirement on his address may order nothing."""
    leave(begun, "Ben", "2024-03-25 09:00")
    write(begun, "Ben", "take Spain", thursday(2))
    week(begun, thursday(2), pages=False)
    assert verdicts(begun)[-1][0] == "rejected"
    assert bodies(begun)[2]["void"] == []


def test_a_retirement_while_the_round_before_waits(begun: Path) -> None:
    """Orders that are frozen count: the seat leaves with the round that is open, not with the one being evaluated."""
    write(begun, "Ben", "take Spain", thursday(2))
    mail_run(begun, at("2024-03-29 00:00"))
    assert leave(begun, "Ben", "2024-03-29 09:00") == 3
    evaluate(begun, thursday(2), pages=False)
    assert bodies(begun)[2]["left"] == []
    assert orders(begun, 2)["s2"] == ["take Spain"]
    week(begun, thursday(3), pages=False)
    assert bodies(begun)[3]["left"] == ["s2"]
    assert replayed(begun) == 3


def test_mails_before_a_retirement_after_the_deadline_still_count(begun: Path) -> None:
    """A retirement told after the deadline and before the next run takes nothing from the round that is over."""
    write(begun, "Ben", "take Spain", thursday(2))
    assert leave(begun, "Ben", "2024-03-29 00:00") == 3
    week(begun, thursday(2), pages=False)
    assert orders(begun, 2)["s2"] == ["take Spain"]


def test_who_returns_is_a_newcomer_with_the_same_seat(begun: Path) -> None:
    """K38: not in the round of leaving; then the same seat, no points, a country on the edge; replay is equal."""
    leave(begun, "Ben", "2024-03-26 09:00")
    with pytest.raises(Refused, match="can return when round 3 is open"):
        back(begun, "Ben", "2024-03-26 10:00")
    mail_run(begun, at("2024-03-29 00:00"))
    assert back(begun, "Ben", "2024-03-29 10:00") == 3
    evaluate(begun, thursday(2), pages=False)
    write(begun, "Ben", "join Greece", thursday(3))
    week(begun, thursday(3), pages=False)
    assert bodies(begun)[2]["left"] == ["s2"]
    assert bodies(begun)[3]["joined"] == ["s2"]
    assert bodies(begun)[3]["position"]["players"]["s2"]["owns"] == ["greece"]
    assert "you are back" in text_of(begun, "returned", "Ben")
    assert leave(begun, "Ben", "2024-04-07 09:00") == 4
    week(begun, thursday(4), pages=False)
    assert bodies(begun)[4]["left"] == ["s2"]
    assert replayed(begun) == 4


def test_only_who_has_left_can_return_and_only_who_plays_can_leave(begun: Path) -> None:
    """Both are refused for the wrong one; a retirement needs a reason."""
    with pytest.raises(Refused, match="Ben plays in spring"):
        back(begun, "Ben", "2024-03-25 09:00")
    with pytest.raises(BadInput, match="--why"):
        leave(begun, "Ben", "2024-03-25 09:00", why=" ")
    leave(begun, "Ben", "2024-03-25 09:00")
    for again in (
        lambda: leave(begun, "Ben", "2024-03-25 10:00"),
        lambda: swap(begun, "s2", "Dora", "2024-03-25 10:00"),
    ):
        with pytest.raises(Refused, match="Ben has left spring"):
            again()


def test_who_joined_and_left_before_an_evaluation_was_never_there(begun: Path) -> None:
    """A seat taken and left in the same window leaves no trace in the rules' round."""
    site = opened(begun, at("2024-03-25 09:00"))
    add_players(site, "spring", [NewPlayer("Dora", address("Dora"), "en")])
    site.engine.dispose()
    write(begun, "Dora", "join Greece", thursday(2), days=2)
    leave(begun, "Dora", "2024-03-27 09:00")
    week(begun, thursday(2), pages=False)
    record = bodies(begun)[2]
    assert (record["joined"], record["left"], record["orders"]) == ([], [], [])
    assert [row["seat"] for row in record["void"]] == ["s4"]
    assert replayed(begun) == 2


def test_who_joins_while_a_round_waits_joins_the_next(begun: Path) -> None:
    """A seat given between freeze and evaluation is in the open round, not in the frozen one."""
    mail_run(begun, at("2024-03-29 00:00"))
    site = opened(begun, at("2024-03-29 09:00"))
    add_players(site, "spring", [NewPlayer("Dora", address("Dora"), "en")])
    site.engine.dispose()
    evaluate(begun, thursday(2), pages=False)
    week(begun, thursday(3), pages=False)
    assert [bodies(begun)[n]["joined"] for n in (2, 3)] == [[], ["s4"]]
    second = outbox(begun, "report", "Ben")[1].text
    assert "Dora" not in second


@pytest.mark.parametrize(
    ("joined", "left", "there", "gone"),
    [
        (1, None, {1, 2, 3, 4, 5, 6, 7, 8}, set()),
        (3, None, {3, 4, 5, 6, 7, 8}, set()),
        (1, 4, {1, 2, 3}, {4, 5, 6, 7, 8}),
        (6, 4, {1, 2, 3, 6, 7, 8}, {4, 5}),
        (4, 4, set(), {4, 5, 6, 7, 8}),
    ],
)
def test_a_seat_is_there_from_joining_to_leaving(
    joined: int, left: int | None, there: set[int], gone: set[int]
) -> None:
    """Presence follows from two numbers: a return comes after the leaving, else the leaving ends it."""
    seat = Place(1, 1, "s1", 1, "active", joined, left, 1, "Anna", address("Anna"), "de", "")
    assert {n for n in range(1, 9) if plays(seat, n)} == there
    assert {n for n in range(1, 9) if has_left(seat, n)} == gone


# ------------------------------------------------------------------ substitutes


def test_a_substitute_has_the_seat_from_the_open_round_on(begun: Path) -> None:
    """The old player's mails stay under the root and count no more; the seat keeps what it owns."""
    write(begun, "Ben", "take Spain", thursday(2), days=3)
    assert swap(begun, "Ben", "Dora", "2024-03-26 09:00") == "s2"
    write(begun, "Ben", "take France", thursday(2), days=1)
    week(begun, thursday(2), pages=False)
    record = bodies(begun)[2]
    assert record["orders"] == []
    assert [(row["revision"], row["orders"]) for row in record["void"]] == [(1, ["take Spain"])]
    assert verdicts(begun)[-1][0] == "rejected"
    write(begun, "Dora", "take Spain", thursday(3))
    week(begun, thursday(3))
    assert orders(begun, 3)["s2"] == ["take Spain"]
    assert "spain" in bodies(begun)[3]["position"]["players"]["s2"]["owns"]
    assert "Dora" not in json.dumps(bodies(begun))
    assert replayed(begun) == 3
    assert "somebody else plays your seat" in text_of(begun, "replaced", "Ben")
    assert "you take over the seat of Ben" in text_of(begun, "takes_over", "Dora")
    pages = public(begun)
    assert "Dora" in pages["spring/index.html"].decode()
    assert "Ben" not in pages["spring/index.html"].decode()


def test_a_substitute_s_own_mail_is_answered_without_the_old_one_s(begun: Path) -> None:
    """The receipt knows only the new player's orders; the same orders again are no resend of the old one's."""
    write(begun, "Ben", "take Spain", thursday(2), days=3)
    swap(begun, "s2", "Dora", "2024-03-26 09:00")
    write(begun, "Dora", "take Spain", thursday(2), days=1)
    week(begun, thursday(2), pages=False)
    assert verdicts(begun)[-1] == ("accepted", "readable")
    record = bodies(begun)[2]
    assert [(row["seat"], row["revision"]) for row in record["orders"]] == [("s2", 2)]
    assert len(record["void"]) == 1
    assert replayed(begun) == 2


def test_a_substitute_starts_with_no_missed_round(begun: Path) -> None:
    """Silence is the player's, not the seat's."""
    week(begun, thursday(2), pages=False)
    swap(begun, "s2", "Dora", "2024-03-31 09:00")
    assert missed(begun, "2024-03-31 10:00") == {"s1": 1, "s3": 1}
    week(begun, thursday(3), pages=False)
    assert missed(begun, "2024-04-07 00:00") == {"s1": 2, "s2": 1, "s3": 2}


def test_names_and_addresses_stay_unique(begun: Path) -> None:
    """A substitute needs a name and an address of his own; one who was replaced may come back."""
    for name, mail, says in (
        ("Anna", "new@example.org", "name 'Anna' is taken"),
        ("Dora", address("Anna"), "already plays"),
        ("Dora", address("Ben"), "who has the seat"),
        ("Dora", "nowhere", "is not a mail address"),
        ("D" * 42, "new@example.org", "it has 42 characters, 2 too many; use one line of 1 to 40"),
        ("", "new@example.org", "it is empty; use one line"),
        ("Dora ", "new@example.org", "it begins or ends with a blank"),
        ("Do\nra", "new@example.org", "it has signs that can't be printed"),
    ):
        with pytest.raises(BadInput, match=says):
            swap(begun, "s2", name, "2024-03-25 09:00", mail)
    swap(begun, "s2", "Dora", "2024-03-25 10:00")
    swap(begun, "s3", "Ben", "2024-03-25 11:00")
    leave(begun, "Dora", "2024-03-25 12:00")
    site = opened(begun, at("2024-03-25 13:00"))
    with pytest.raises(BadInput, match="player return"):
        add_players(site, "spring", [NewPlayer("Dorothy", address("Dora"))])
    site.engine.dispose()
    names = rows(
        begun, "SELECT s.code, p.name, p.address FROM seat s JOIN player p ON p.id = player_id ORDER BY s.code"
    )
    assert [(r["code"], r["name"]) for r in names] == [("s1", "Anna"), ("s2", "Dora"), ("s3", "Ben")]


# ------------------------------------------------------------------ the command line


def test_players_come_and_go_by_command(begun: Path, tmp_path: Path) -> None:
    """Every command answers in JSON, and the journal keeps each with its reason."""
    plan = tmp_path / "plan.txt"
    plan.write_text("take Norway\n---\npass\n", encoding="utf-8")
    now = at("2024-03-25 09:00")
    said = [
        ("absent", "spring", "Anna", "--until", "4", "--orders", str(plan), "--why", "sea"),
        ("absent", "spring", "Anna", "--end"),
        ("substitute", "spring", "s2", "Dora", "dora@example.org", "--lang", "en", "--why", "busy"),
        ("retire", "spring", "Carla", "--why", "moved"),
        ("list", "spring"),
    ]
    told = []
    for args in said:
        done = league(begun, now, "player", *args, "--json")
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout))
    assert told[0] == {"seat": "s1", "name": "Anna", "first_round": 2, "last_round": 4, "texts": 2, "until": None}
    assert told[2] == {"seat": "s2", "name": "Dora", "address": "dora@example.org", "from_round": 2}
    assert told[3] == {"seat": "s3", "name": "Carla", "left_round": 2}
    assert [(row["name"], row["status"], row["missed"], row["left_round"]) for row in told[4]] == [
        ("Anna", "active", 0, None),
        ("Dora", "active", 0, None),
        ("Carla", "left", 0, 2),
    ]
    assert league(begun, now, "player", "return", "spring", "Carla").returncode == 1
    assert league(begun, now, "player", "absent", "spring", "Anna", "--until", "4").returncode == 2
    acts = [
        (a["act"], a["why"]) for a in rows(begun, "SELECT act, why FROM journal WHERE act LIKE 'player %' ORDER BY id")
    ]
    assert acts[-4:] == [
        ("player absent", "sea"),
        ("player absent --end", ""),
        ("player substitute", "busy"),
        ("player retire", "moved"),
    ]
    assert issubclass(Refused, LeagueError)
