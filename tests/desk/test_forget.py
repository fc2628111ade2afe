"""`league player forget`: not one byte of a name or an address is left, and the chain holds."""

import json
import sqlite3
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from league.cli import cli
from league.core.errors import BadInput, Refused
from league.desk.acts.absence import instruct
from league.desk.acts.enter_orders import enter_orders
from league.desk.acts.forget_player import forget
from league.desk.post.mind_outbox import hold, resend
from league.failpoints import KILLED
from league.records import chain
from tests.desk.forks import Forks
from tests.desk.sites import (
    add_league,
    at,
    bodies,
    copy,
    drop,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    public,
    rows,
    run,
)
from tests.desk.sites import sealed as chain_of
from tests.desk.weeks import replayed, utc, week, write

FIRST = date(2024, 1, 4)
SECOND, THIRD = FIRST + timedelta(weeks=1), FIRST + timedelta(weeks=2)
NAME, ADDRESS = "Quirina", "quirina@example.org"
LATER = utc(SECOND + timedelta(days=4), 12)
QUOTED = """take Norway

On Monday Quirina <quirina@example.org> wrote:
> good day
"""


@pytest.fixture(scope="module")
def _lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds in which Quirina is everywhere: orders, press, quotes, reasons, absences, a quarantine, pictures."""
    path = make_site(tmp_path_factory.mktemp("lived") / "site")
    add_league(path, "spring", ("Anna", "Ben", NAME), press="all", standing="on")
    write(path, "Anna", "join Island\n\npress to Quirina: beware, Quirina\nend\n", FIRST)
    write(path, "Ben", "join Portugal\n\npress to all: Quirina cheats\nend\n", FIRST)
    write(path, NAME, "join France (always)\n\npress to all: I am QUIRINA\nend\n", FIRST, days=2)
    drop(path, letter(NAME, "take Paris", proven=False, subject="forged"), utc(FIRST, 9))
    enter_orders(opened(path, utc(FIRST, 8)), "spring", NAME, "join France", why="Quirina phoned", received_at=None)
    week(path, FIRST)
    instruct(opened(path, utc(SECOND, 7)), "spring", NAME, until="3", texts=("take Belgium",), why="Quirina is ill")
    write(path, "Anna", QUOTED, SECOND)
    write(path, NAME, "hello, who am I?", SECOND)
    week(path, SECOND)
    for number in (4, 5):
        run(path, utc(SECOND + timedelta(days=2), 23, number))
    (path / "fault-123456789abc.txt").write_text(f"Traceback: {ADDRESS}")
    return path


@pytest.fixture
def lived(_lived: Path, tmp_path: Path) -> Path:
    return copy(_lived, tmp_path / "site")


def found(path: Path, *words: str) -> dict[str, list[str]]:
    """Files of the site, whatever they are, in which one of these words stands."""
    files = [file for file in sorted(path.rglob("*")) if file.is_file() and not file.is_symlink()]
    held = {str(file.relative_to(path)): file.read_bytes().lower() for file in files}
    return {word: [name for name, text in held.items() if word.lower().encode() in text] for word in words}


def test_not_a_byte_is_left(lived: Path) -> None:
    """Database with its free pages and its log, mail folders, pages old and new, builds, faults: all are searched."""
    before = found(lived, NAME, ADDRESS)
    for word in (NAME, ADDRESS):
        places = {name.partition("/")[0] for name in before[word]}
        assert {"league.sqlite", "mail", "fault-123456789abc.txt"} <= places, word
    assert {"builds", "public"} & {name.partition("/")[0] for name in before[NAME]}
    done = forget(opened(lived, LATER), "spring", NAME, why="Quirina asked for it")
    assert (done.seats, done.name, done.mails) == (("s3",), "Player 3", 5)
    assert found(lived, NAME, ADDRESS) == {NAME: [], ADDRESS: []}
    assert len(list((lived / "builds").iterdir())) == 1


def test_the_chain_holds_and_every_round_is_recomputed(lived: Path, processes: Forks) -> None:
    """The records are the same bytes as before, `league verify` holds, and the league goes on without the player."""
    before = [record.body for record in chain_of(lived)]
    forget(opened(lived, LATER), "spring", NAME, why="asked")
    assert [record.body for record in chain_of(lived)] == before
    assert chain.check_chain(before) == ()
    published = [text for name, text in sorted(public(lived).items()) if "/records/" in name and name.endswith(".json")]
    assert sorted(published) == sorted(before)
    assert replayed(lived) == 2
    checked = processes.league(lived, LATER, "verify", str(lived / "public"))
    assert checked.code == 0, checked.out
    write(lived, "Anna", "take London", THIRD)
    week(lived, THIRD)
    assert bodies(lived)[-1]["left"] == ["s3"]
    assert replayed(lived) == 3
    assert found(lived, NAME, ADDRESS) == {NAME: [], ADDRESS: []}


def test_pages_call_the_seat_something_neutral(lived: Path) -> None:
    """Old rounds, table, history and journal: the seat is Player 3, and others' press names nobody else either."""
    forget(opened(lived, LATER), "spring", NAME, why="Quirina asked for it")
    pages = public(lived)
    for name in ("spring/en/index.html", "spring/en/round-1.html", "spring/en/round-2.html"):
        assert b"Player 3" in pages[name], name
    assert b"Player 3 cheats" in pages["spring/en/round-1.html"]
    assert b"I am" not in pages["spring/en/round-1.html"]
    (act,) = (row for row in json.loads(pages["spring/journal.json"])["acts"] if row["act"] == "player forget")
    assert (act["arguments"], act["why"]) == ({"seat": "s3"}, "Player 3 asked for it")
    acts = rows(lived, "SELECT why FROM journal WHERE act = 'orders enter'")
    assert acts == [{"why": "Player 3 phoned"}]


def test_the_journal_is_guarded_again(lived: Path) -> None:
    """The guard was off within one transaction only: nobody can change or remove an act afterwards."""
    forget(opened(lived, LATER), "spring", NAME, why="asked")
    connection = sqlite3.connect(lived / "league.sqlite")
    for statement in ("UPDATE journal SET why = ''", "DELETE FROM journal", "UPDATE record SET body = x''"):
        with pytest.raises(sqlite3.DatabaseError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_later_mail_is_a_strangers(lived: Path) -> None:
    """Orders from the address and bounces of mails to it belong to nobody; nothing is answered, nobody is stopped."""
    forget(opened(lived, LATER), "spring", NAME, why="asked")
    answered = len(outbox(lived))
    drop(lived, letter(NAME, "take Paris", subject="again"), LATER)
    mail_run(lived, LATER + timedelta(minutes=1))
    (row,) = rows(lived, "SELECT verdict, reason, seat_id FROM verdict ORDER BY mail_id DESC LIMIT 1")
    assert (row["verdict"], row["reason"], row["seat_id"]) == ("rejected", "unknown_sender", None)
    assert len(outbox(lived)) == answered
    assert rows(lived, "SELECT * FROM mail_trouble") == []


def test_what_is_gone_is_not_sent_again(lived: Path) -> None:
    """A mail whose bytes are gone can't be resent, to nobody."""
    forget(opened(lived, LATER), "spring", NAME, why="asked")
    (row,) = rows(lived, "SELECT id FROM outbox WHERE recipient = '' ORDER BY id LIMIT 1")
    resend(opened(lived, LATER), [str(row["id"])], "", "by mistake")
    assert {r["state"] for r in rows(lived, "SELECT state FROM outbox WHERE raw = x''")} == {"sent"}


def test_mails_that_name_the_player_and_still_wait_go_out_first(lived: Path) -> None:
    """A report of the others can't be made without the name any more; so it is sent before, or nothing is done."""
    site = opened(lived, LATER)
    hold(site, "moving")
    drop(lived, letter("Anna", f"press to Ben: {NAME} is strong\nend\n", subject="psst"), LATER)
    mail_run(lived, LATER)
    with pytest.raises(Refused, match="still wait for others; league mail send first"):
        forget(site, "spring", NAME, why="asked")
    assert ADDRESS.encode() in (lived / "league.sqlite").read_bytes()


def test_who_plays_elsewhere_goes_on_there(lived: Path) -> None:
    """Another league of the site keeps name, address and mails of the same person; the answer names it."""
    add_league(lived, "autumn", (NAME, "Dirk"), now=LATER, start=date(2024, 1, 23))
    mail_run(lived, LATER)
    done = forget(opened(lived, LATER), "spring", NAME, why="asked")
    assert done.elsewhere == ("autumn",)
    assert rows(lived, "SELECT name, address FROM player WHERE league_id = 2 AND name = 'Quirina'") == [
        {"name": NAME, "address": ADDRESS}
    ]
    assert rows(lived, "SELECT id FROM player WHERE league_id = 1 AND name = 'Quirina'") == []


def test_bad_input_is_told(lived: Path) -> None:
    """No reason, nobody of that name: nothing is changed."""
    site = opened(lived, LATER)
    with pytest.raises(BadInput, match="say why"):
        forget(site, "spring", NAME, why=" ")
    with pytest.raises(Refused, match="nobody called 'Zoe' is or was in spring; there are Anna, Ben, Quirina"):
        forget(site, "spring", "Zoe", why="asked")
    assert rows(lived, "SELECT name FROM player WHERE id = 3") == [{"name": NAME}]


@pytest.mark.parametrize("name", ["forget.before_commit", "forget.after_commit"])
def test_a_forgetting_that_dies_is_finished_by_the_same_command(name: str, lived: Path, processes: Forks) -> None:
    """Before the commit by the name, after it by the seat: then nothing is left either way."""
    args = ("player", "forget", "spring", NAME if name.endswith("before_commit") else "s3", "--why", "asked", "--yes")
    assert processes.league(lived, LATER, *args, LEAGUE_FAILPOINT=name).code == KILLED
    done = processes.league(lived, LATER, *args, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["name"] == "Player 3"
    assert found(lived, NAME, ADDRESS) == {NAME: [], ADDRESS: []}


def test_it_asks_whether_it_is_meant(lived: Path) -> None:
    """With a no, or without an answer, nothing happens."""
    args = ["--site", str(lived), "--now", LATER.isoformat(), "player", "forget", "spring", NAME, "--why", "asked"]
    for answer in ("n\n", ""):
        assert CliRunner().invoke(cli, args, input=answer).exit_code == 1
    assert rows(lived, "SELECT name FROM player WHERE id = 3") == [{"name": NAME}]


def test_another_name_is_left_alone(bare: Path) -> None:
    """Ann is forgotten, Anna and the Dutch word for "am" are not."""
    add_league(bare, "spring", ("Anna", "Ann", "Ben"))
    drop(bare, letter("Anna", "join Island\n\npress to all: ik ben er\nend\n"), at("2024-01-03 10:00"))
    run(bare, at("2024-01-03 11:00"))
    forget(opened(bare, at("2024-01-03 12:00")), "spring", "Ann", why="asked")
    assert [row["name"] for row in rows(bare, "SELECT name FROM player ORDER BY id")] == ["Anna", "Player 2", "Ben"]
    assert rows(bare, "SELECT text FROM press") == [{"text": "ik ben er"}]
