"""Standing orders by mail: kept, entered at the freeze for who sends nothing, replaced, ended (option `standing`)."""

import json
import re
import sqlite3
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from league.desk.acts.absence import instruct
from league.desk.acts.change_seats import come_back, retire, substitute
from league.desk.acts.new_league import new_league
from league.desk.people.players import NewPlayer, add_players, missed_rounds
from league.failpoints import KILLED
from league.records.freeze import leaf, root
from tests.desk.forks import Forks, command
from tests.desk.sites import (
    NAMES,
    address,
    at,
    bodies,
    copy,
    drop,
    league,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    public,
    rows,
    verdicts,
)
from tests.desk.weeks import evaluate, replayed, utc, week, write

START = date(2024, 3, 21)
WEEK = timedelta(days=7)
COUNTRIES = ("Island", "Portugal", "France")
ON = {"standing": "on", "conditions": "on"}
SAYS = {"Anna": "dauernd: nimm London", "Ben": "take Spain (standing)", "Carla": "blijvend: neem Zwitserland"}
CONQUERS = {"s1": ["take Great Britain"], "s2": ["take Spain"], "s3": ["take Switzerland"]}


def thursday(number: int) -> date:
    return START + (number - 1) * WEEK


def begin(path: Path, **options: object) -> Path:
    """A league of Anna (de), Ben (en) and Carla (nl) after its first round; the second closes on 28 March 2024."""
    make_site(path)
    site = opened(path, at("2024-03-18 09:00"))
    chosen: dict[str, object] = {"battles": "drawn", "preset": "gentle", **options}
    new_league(site, "spring", game="kuel", start=START, lang="de", options=chosen)
    langs = ("de", "en", "nl")
    add_players(site, "spring", [NewPlayer(n, address(n), langs[i]) for i, n in enumerate(NAMES[:3])])
    site.engine.dispose()
    for name, land in zip(NAMES, COUNTRIES, strict=False):
        write(path, name, f"join {land}", START)
    week(path, START, pages=False)
    return path


@pytest.fixture(scope="module")
def _begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("begun") / "site", **ON)


@pytest.fixture
def begun(_begun: Path, tmp_path: Path) -> Path:
    return copy(_begun, tmp_path / "site")


@pytest.fixture(scope="module")
def forks() -> Forks:
    return Forks(small=True)


def orders(path: Path, number: int) -> dict[str, list[str]]:
    return {row["seat"]: row["orders"] for row in bodies(path)[number]["orders"]}


def entered(path: Path, number: int) -> dict[str, str]:
    """Seat -> whose word was entered for it."""
    found = bodies(path)[number]["decisions"]
    return {row["facts"]["seat"]: row["source"] for row in found if row["kind"] == "instructed"}


def last(path: Path, kind: str, name: str) -> str:
    found = outbox(path, kind, name)
    assert found, f"no {kind} mail to {name}"
    return found[-1].text


def flat(text: str) -> str:
    return " ".join(text.split())


def kept(path: Path, name: str) -> list[str]:
    """What the last answer to the player lists as kept."""
    text = last(path, "receipt", name)
    english = ("Kept from now on", "Your standing orders,")
    heads = (*english, "Von jetzt an aufgehoben", "Deine Dauerbefehle,", "Vanaf nu bewaard", "Je blijvende opdrachten,")
    found: list[str] = []
    listing = False
    for line in text.split("\n"):
        if line.startswith(heads):
            listing = True
        elif listing and line.startswith("["):
            found.append(line.partition("] ")[2])
        elif listing and line.startswith(("#", "==")):
            break
    return found


# ------------------------------------------------------------------ kept, entered, used


def test_marked_lines_count_now_and_are_entered_for_silent_rounds(begun: Path) -> None:
    """In three languages: an ordinary order this round, entered in each later round without a mail; replay is equal."""
    for name, text in SAYS.items():
        write(begun, name, text, thursday(2))
    for number in (2, 3, 4):
        week(begun, thursday(number), pages=False)
    assert [orders(begun, n) for n in (2, 3, 4)] == [CONQUERS] * 3
    assert entered(begun, 2) == {}
    assert entered(begun, 3) == entered(begun, 4) == dict.fromkeys(CONQUERS, "standing")
    assert replayed(begun) == 4
    assert kept(begun, "Anna") == ["Großbritannien einnehmen"]
    assert kept(begun, "Ben") == ["take Spain"]
    assert kept(begun, "Carla") == ["Zwitserland innemen"]


def test_what_is_entered_is_a_mail_like_every_mail(begun: Path) -> None:
    """Kept with its bytes and a verdict, under the root with a leaf that anybody can compute, marked in reports."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2))
    write(begun, "Anna", "passe", thursday(3))
    week(begun, thursday(3))
    (mail,) = rows(begun, "SELECT content, received_at FROM mail WHERE source = 'standing'")
    assert b"take Spain" in mail["content"]
    assert ("accepted", "standing_orders") in verdicts(begun)
    record = bodies(begun)[3]
    assert [row["seat"] for row in record["orders"]] == ["s1", "s2"]  # behind everything that was mailed (K21)
    made = [leaf_of(record, row) for row in record["orders"]]
    assert record["freeze"]["leaves"] == sorted(made)
    assert record["freeze"]["root"] == root(made)
    assert "Nothing of yours arrived, so your standing orders were entered:" in last(begun, "report", "Ben")
    assert "Ben (Dauerbefehle):" in last(begun, "report", "Anna")
    assert "blijvende opdrachten" in public(begun)["spring/nl/round-3.html"].decode()
    assert "Ben" not in last(begun, "report", "Carla").partition("Niets gehoord van:")[2].partition("\n")[0]


def leaf_of(record: dict[str, Any], row: dict[str, Any]) -> str:
    names = (record["league"], record["match"], record["round"], row["seat"], row["revision"])
    return leaf(*names, datetime.fromisoformat(row["received_at"]), row["orders"], row["nonce"])


def test_a_mail_is_used_instead_and_leaves_the_kept_orders_in_force(begun: Path) -> None:
    """Any order or pass goes before them in its round; without new marked lines they stand on for later rounds."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    write(begun, "Ben", "pass", thursday(3))
    week(begun, thursday(3), pages=False)
    week(begun, thursday(4), pages=False)
    assert [orders(begun, n)["s2"] for n in (3, 4)] == [["pass"], ["take Spain"]]
    assert "Your standing orders, entered in each round" in last(begun, "receipt", "Ben")
    assert kept(begun, "Ben") == ["take Spain"]


def test_press_alone_is_no_orders(begun: Path) -> None:
    """A message to everyone doesn't go before what is kept."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    write(begun, "Ben", "press to all: hello\nend", thursday(3))
    week(begun, thursday(3), pages=False)
    assert orders(begun, 3)["s2"] in ([], ["take Spain"])
    assert entered(begun, 3) == {"s2": "standing"}


def test_new_marked_lines_replace_the_kept_ones_as_a_whole(begun: Path) -> None:
    """The last mail with marked lines says all that is kept; its other lines are for its round alone."""
    write(begun, "Anna", "dauernd: nimm London\nimmer: biete 2 auf Prag", thursday(2))
    week(begun, thursday(2), pages=False)
    week(begun, thursday(3), pages=False)
    write(begun, "Anna", "nimm Oslo\nbiete 9 auf Prag jede Runde", thursday(4))
    week(begun, thursday(4), pages=False)
    week(begun, thursday(5), pages=False)
    assert orders(begun, 3)["s1"] == ["take Great Britain", "bid 2 on Czech Republic"]
    assert orders(begun, 4)["s1"] == ["take Norway", "bid 9 on Czech Republic"]
    assert orders(begun, 5)["s1"] == ["bid 9 on Czech Republic"]


def test_the_later_of_two_mails_by_arrival_has_the_say(begun: Path) -> None:
    """Though the earlier one is read after it: what is kept hangs on arrival, never on the order of reading."""
    drop(begun, letter("Ben", "take Spain always", subject="second"), utc(thursday(2), 9))
    mail_run(begun, utc(thursday(2), 10))
    drop(begun, letter("Ben", "take Morocco always\ntake Paris always", subject="first"), utc(thursday(2), 8))
    week(begun, thursday(2), pages=False)
    week(begun, thursday(3), pages=False)
    assert orders(begun, 3)["s2"] == ["take Spain"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("Anna", "dauernd löschen", "Deine Dauerbefehle sind beendet."),
        ("Ben", "Please cancel my standing orders.", "Your standing orders have ended."),
        ("Carla", "blijvend wissen", "Je blijvende opdrachten zijn beëindigd."),
        ("Carla", "vaste opdrachten stoppen", "Je blijvende opdrachten zijn beëindigd."),
    ],
)
def test_a_line_ends_them(begun: Path, name: str, text: str, says: str) -> None:
    """In three languages, above quoted text; it is no order, so that the player isn't heard of by it."""
    write(begun, name, SAYS[name], thursday(2))
    week(begun, thursday(2), pages=False)
    quote = f"\n\nAm 30.03.2024 schrieb Liga:\n> {SAYS[name]}\n"
    write(begun, name, text + quote, thursday(3))
    week(begun, thursday(3), pages=False)
    assert says in last(begun, "commands", name)
    assert entered(begun, 3) == {}
    seat = f"s{NAMES.index(name) + 1}"
    assert orders(begun, 3) == {}
    site = opened(begun, utc(thursday(4) - timedelta(days=2)))
    assert seat in missed_rounds(site, "spring")
    site.engine.dispose()
    (holds,) = rows(begun, "SELECT holds FROM verdict ORDER BY mail_id DESC LIMIT 1")
    assert json.loads(holds["holds"]) == ["commands"]


def test_they_end_while_no_round_is_open(begun: Path) -> None:
    """Who reads in the report what was entered can end it at once; new orders in such a mail are for no round."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    write(begun, "Carla", SAYS["Carla"], thursday(2))
    friday = thursday(2) + timedelta(days=1)
    mail_run(begun, utc(friday, 0))
    drop(begun, letter("Ben", "cancel standing"), utc(friday, 12))
    drop(begun, letter("Carla", "blijvend wissen\nblijvend: neem Berlijn"), utc(friday, 12))
    evaluate(begun, thursday(2), pages=False)
    assert "Your standing orders have ended." in last(begun, "standing", "Ben")
    assert "What was entered as orders for round 2 closed stays for that round." in flat(last(begun, "standing", "Ben"))
    assert "Not counted" not in str(outbox(begun, "standing", "Ben")[-1].mail["Subject"])
    assert verdicts(begun)[-2:] == [("accepted", "readable"), ("late", "no_round_open")]
    assert "Je blijvende opdrachten zijn beëindigd." in last(begun, "late", "Carla")
    week(begun, thursday(3), pages=False)
    assert orders(begun, 3) == {}


def test_the_end_of_them_leaves_this_round_alone(begun: Path) -> None:
    """A mail that only ends what is kept is no order mail: what stands is listed, and has no new revision or leaf."""
    write(begun, "Ben", "take Spain\nbid 3 on Prague", thursday(2), days=2)
    write(begun, "Ben", "cancel standing", thursday(2))
    mail_run(begun, utc(thursday(2), 13))
    answer = last(begun, "commands", "Ben")
    assert "[1] take Spain" in answer
    assert "leaf" not in answer
    assert [row["revision"] for row in rows(begun, "SELECT revision FROM submission WHERE round_id = 2")] == [1]


def test_the_lower_line_counts(begun: Path) -> None:
    """Marked, and below it the end of what is kept: an order for this week alone (K12 for moves alike)."""
    write(begun, "Ben", f"{SAYS['Ben']}\ncancel standing", thursday(2))
    week(begun, thursday(2), pages=False)
    assert "You have no standing orders that could end." in last(begun, "receipt", "Ben")
    assert orders(begun, 2)["s2"] == ["take Spain"]
    week(begun, thursday(3), pages=False)
    assert entered(begun, 3) == {}


@pytest.mark.parametrize("together", [True, False])
def test_who_leaves_by_mail_keeps_nothing(begun: Path, *, together: bool) -> None:
    """Fetched in one run, in one mail or two: an order to be kept and the farewell. Back again, nothing is entered."""
    write(begun, "Ben", "resign", thursday(2))
    mail_run(begun, utc(thursday(2), 11))
    code = re.findall(r"resign ([A-Z2-7]{8})", last(begun, "commands", "Ben"))[0]
    texts = [f"{SAYS['Ben']}\nresign {code}"] if together else [SAYS["Ben"], f"resign {code}", "always pass"]
    for number, text in enumerate(texts):
        drop(begun, letter("Ben", text, subject=f"mail {number}"), utc(thursday(2), 12 + number))
    week(begun, thursday(2), pages=False)
    assert "take Spain" not in last(begun, "commands", "Ben")
    assert together or verdicts(begun)[-1] == ("rejected", "unknown_sender")
    site = opened(begun, utc(thursday(3) - timedelta(days=2)))
    come_back(site, "spring", "Ben", why="test")
    site.engine.dispose()
    week(begun, thursday(3), pages=False)
    assert entered(begun, 3) == {}


def test_answers_to_commands_name_what_is_kept(begun: Path) -> None:
    """`status` and `back` too: nobody learns only from a report that something is entered for him."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    write(begun, "Ben", "status", thursday(3))
    mail_run(begun, utc(thursday(3), 11))
    assert "Your standing orders, entered in each round" in flat(last(begun, "commands", "Ben"))


def test_nothing_to_end_is_told(begun: Path) -> None:
    """A line that ends nothing is answered too."""
    write(begun, "Ben", "cancel standing", thursday(2))
    mail_run(begun, utc(thursday(2), 11))
    assert "You have no standing orders that could end." in last(begun, "commands", "Ben")


def test_a_new_set_beside_the_end_of_the_old_one(begun: Path) -> None:
    """`cancel standing` above new marked lines is what it says: these instead of those."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    write(begun, "Ben", "cancel standing\nalways pass", thursday(3))
    week(begun, thursday(3), pages=False)
    week(begun, thursday(4), pages=False)
    assert orders(begun, 4)["s2"] == ["pass"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("Anna", "dauernt: nimm London", "ist beinahe „dauernd“"),
        ("Anna", "dauernd: nimm Lundon", "„lundon“ ist"),
        ("Ben", "standng: take Spain", "“standng” is nearly “standing / ständig”"),
        ("Ben", "cancle standing", "The line nearly ends your standing orders"),
        ("Ben", "Standing orders:", "stands without an order"),
        ("Ben", "standing: result Spain won", "can't be kept for later rounds"),
        ("Carla", "blijvent: neem Zwitserland", "is bijna ‘blijvend’"),
    ],
)
def test_a_slip_of_the_pen_keeps_nothing(begun: Path, name: str, text: str, says: str) -> None:
    """It is answered with what is near, and neither counts nor is kept."""
    write(begun, name, text, thursday(2))
    mail_run(begun, utc(thursday(2), 11))
    assert says in " ".join(last(begun, "ask", name).split()), last(begun, "ask", name)
    assert rows(begun, "SELECT id FROM standing") == []


def test_where_the_option_is_off_the_answer_says_so(tmp_path: Path) -> None:
    """No line is kept, and none counts by half: the player is asked to leave the mark out."""
    path = begin(tmp_path / "site")
    write(path, "Anna", SAYS["Anna"], thursday(2))
    write(path, "Ben", f"{SAYS['Ben']}\ncancel standing\npass", thursday(2))
    week(path, thursday(2), pages=False)
    week(path, thursday(3), pages=False)
    assert "Dauerbefehle gibt es in dieser Liga nicht" in last(path, "ask", "Anna")
    assert last(path, "receipt", "Ben").count("Standing orders are off in this league") == 2
    assert orders(path, 2) == {"s2": ["pass"]}
    assert orders(path, 3) == {}


def test_conditions_inside_kept_lines(begun: Path) -> None:
    """With both options on a condition is judged anew in each round for which the line is entered."""
    write(begun, "Carla", "standing: if Spain is free take Spain else take Switzerland", thursday(2))
    write(begun, "Ben", "pass", thursday(2))
    for number in (2, 3):
        week(begun, thursday(number), pages=False)
    assert orders(begun, 3)["s3"] == ["if Spain is free take Spain else take Switzerland"]
    owned = [bodies(begun)[n]["position"]["players"]["s3"]["owns"] for n in (2, 3)]
    assert owned == [["spain", "france"], ["spain", "france", "switzerland"]]


def test_what_is_impossible_at_the_freeze_gets_its_fate(begun: Path) -> None:
    """Spain is his already, so that the order fails like any other, and the report says why."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    week(begun, thursday(3), pages=False)
    (fate,) = bodies(begun)[3]["fates"]
    assert (fate["own"]["fate"], fate["own"]["reason"]) == ("failed", "own_country")
    assert "The country is already in one's own hands." in last(begun, "report", "Ben")


def test_what_is_no_longer_understood_is_a_mistake(begun: Path) -> None:
    """A kept line that the rules of today can't read stops no freeze: it is entered as what it is."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    change(begun, '[{"text": "take Utopia", "order": "take Utopia"}, {"text": "pass", "order": "pass"}]')
    week(begun, thursday(3), pages=False)
    assert orders(begun, 3)["s2"] == ["pass"]
    (row,) = rows(begun, "SELECT lines FROM submission WHERE seat_id = 2 ORDER BY id DESC LIMIT 1")
    assert [line.get("reason", "") for line in json.loads(row["lines"])] == ["unknown_country", ""]


def change(path: Path, lines: str) -> None:
    with sqlite3.connect(path / "league.sqlite") as connection:
        connection.execute("UPDATE standing SET lines = ?", (lines,))
    connection.close()


# ------------------------------------------------------------------ beside the rest


def test_an_absence_s_list_goes_before_them_in_its_rounds(begun: Path) -> None:
    """The organizer's list speaks from its first round to its last; behind it what the player keeps standing."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    site = opened(begun, utc(thursday(3) - timedelta(days=2)))
    instruct(site, "spring", "Ben", until="3", texts=("pass",), why="sea")
    site.engine.dispose()
    week(begun, thursday(3), pages=False)
    week(begun, thursday(4), pages=False)
    assert [orders(begun, n)["s2"] for n in (3, 4)] == [["pass"], ["take Spain"]]
    assert [entered(begun, n) for n in (3, 4)] == [{"s2": "absence"}, {"s2": "standing"}]


def test_rounds_under_them_neither_count_as_missed_nor_end_the_count(begun: Path) -> None:
    """Heard, kept, kept, ended, missed: that is one (K38)."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    for number in (2, 3, 4):
        week(begun, thursday(number), pages=False)
    write(begun, "Ben", "cancel standing", thursday(5))
    week(begun, thursday(5), pages=False)
    site = opened(begun, utc(thursday(6) - timedelta(days=2)))
    assert missed_rounds(site, "spring") == {"s1": 4, "s2": 1, "s3": 4}
    site.engine.dispose()


@pytest.mark.parametrize("act", ["retire", "substitute"])
def test_they_end_with_their_player(begun: Path, act: str) -> None:
    """Neither a successor nor the player himself, when he comes back, finds them in force."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    site = opened(begun, utc(thursday(3) - timedelta(days=2)))
    if act == "retire":
        retire(site, "spring", "Ben", why="asked to")
    else:
        substitute(site, "spring", "s2", NewPlayer("Dora", address("Dora"), "en"), why="x")
    site.engine.dispose()
    week(begun, thursday(3), pages=False)
    if act == "retire":
        site = opened(begun, utc(thursday(4) - timedelta(days=2)))
        come_back(site, "spring", "Ben")
        site.engine.dispose()
    week(begun, thursday(4), pages=False)
    assert "s2" not in orders(begun, 3) | orders(begun, 4)


def test_a_late_run_enters_what_held_when_each_round_closed(begun: Path) -> None:
    """Three rounds closed by one run: a mail for the last of them doesn't reach back into the others."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    stepwise, at_once = copy(begun, begun.parent / "stepwise"), copy(begun, begun.parent / "at_once")
    for number in (3, 4, 5):
        if number == 4:
            write(stepwise, "Ben", "standing: pass", thursday(4))
        mail_run(stepwise, utc(thursday(number) + timedelta(days=1), 0))
    write(at_once, "Ben", "standing: pass", thursday(4))
    mail_run(at_once, utc(thursday(5) + timedelta(days=1), 0))
    statement = (
        "SELECT number, seat_id, revision, lines, leaf FROM submission JOIN round r ON r.id = round_id ORDER BY 1"
    )
    found = rows(at_once, statement)
    assert found == rows(stepwise, statement)
    assert [json.loads(row["lines"])[0]["order"] for row in found if row["seat_id"] == 2] == [
        "join Portugal",
        "take Spain",
        "take Spain",
        "pass",
        "pass",
    ]


# ------------------------------------------------------------------ looking


def test_the_organizer_sees_that_not_what(begun: Path) -> None:
    """`list` tells who has standing orders since when, `show --reveal` what they say, `check` what would be kept."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    week(begun, thursday(2), pages=False)
    now = utc(thursday(3) - timedelta(days=2))
    listed = json.loads(league(begun, now, "orders", "list", "spring", "--json").stdout)
    assert [row["standing"] for row in listed if row["round"] == 3] == [None, {"since": 2, "orders": 1}, None]
    assert "Spain" not in json.dumps(listed)
    assert "standing orders since round 2" in league(begun, now, "orders", "list", "spring").stdout
    assert league(begun, now, "orders", "show", "spring", "Ben").returncode == 1
    shown = json.loads(league(begun, now, "orders", "show", "spring", "Ben", "--reveal", "--json").stdout)
    assert [(row["revision"], row["standing"], row["lines"][0]["order"]) for row in shown] == [(0, True, "take Spain")]
    assert "kept since round 2" in league(begun, now, "orders", "show", "spring", "Ben", "--reveal").stdout
    text = begun / "text.txt"
    text.write_text("standing: take London\ntake Spain\n", encoding="utf-8")
    done = league(begun, now, "orders", "check", "spring", str(text), "--player", "Ben", "--json")
    assert [line.get("standing", False) for line in json.loads(done.stdout)["lines"]] == [True, False]
    assert "kept for later rounds" in league(begun, now, "orders", "check", "spring", str(text)).stdout


# ------------------------------------------------------------------ crashes, and two at once


def everything(path: Path) -> object:
    books: Sequence[str] = (
        "mail",
        "verdict",
        "submission",
        "decision",
        "round",
        "standing",
        "absence",
        "outbox",
        "record",
    )
    found = {
        book: [{**r, "source": 0, "claim": 0} for r in rows(path, f"SELECT * FROM {book} ORDER BY 1, 2")]
        for book in books
    }
    return found, public(path)


@pytest.mark.parametrize(
    "point", ["intake.before_commit", "intake.after_commit", "freeze.before_commit", "freeze.after_commit"]
)
def test_killed_and_run_again(begun: Path, forks: Forks, tmp_path: Path, point: str) -> None:
    """Killed as they are kept or entered and run again gives the bytes of a run that wasn't."""
    write(begun, "Ben", SAYS["Ben"], thursday(2))
    write(begun, "Anna", SAYS["Anna"], thursday(2))
    week(begun, thursday(2))
    write(begun, "Anna", "immer: passe", thursday(3))
    whole, broken = copy(begun, tmp_path / "whole"), copy(begun, tmp_path / "broken")
    now = utc(thursday(3) + timedelta(days=1), 8)
    assert forks.league(whole, now, "run").code == 0
    assert forks.league(broken, now, "run", LEAGUE_FAILPOINT=f"{point}:1").code == KILLED
    assert forks.league(broken, now, "run").code == 0
    assert everything(broken) == everything(whole)
    assert len(rows(whole, "SELECT id FROM mail WHERE source = 'standing'")) == 1


def test_two_runs_in_the_same_moment_enter_them_once(begun: Path, processes: Forks) -> None:
    """One mail a silent seat, one note, one record."""
    for name, text in SAYS.items():
        write(begun, name, text, thursday(2))
    week(begun, thursday(2), pages=False)
    now = utc(thursday(3) + timedelta(days=1), 8)
    ended = processes.at_once(*(command(begun, now, "run") for _ in range(2)))
    assert [e.code for e in ended] == [0, 0], ended
    assert len(rows(begun, "SELECT id FROM mail WHERE source = 'standing'")) == 3
    assert len(rows(begun, "SELECT id FROM decision WHERE kind = 'instructed'")) == 3
