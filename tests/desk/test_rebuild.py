"""`league rebuild`: from mails, figures, journal and key alone the same records, to the byte."""

import json
import sqlite3
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from league import settings
from league.core.errors import Refused
from league.desk.acts.absence import end_instruction, instruct
from league.desk.acts.change_seats import substitute
from league.desk.acts.enter_orders import enter_orders
from league.desk.acts.keys import renew_token
from league.desk.acts.pause_rounds import pause_rounds
from league.desk.acts.redo import ACTS, NOTHING_TO_DO
from league.desk.acts.signing_key import rotate_key
from league.desk.acts.steer_round import extend, hold, release
from league.desk.correcting.correct_figure import correct_figures
from league.desk.correcting.correct_result import correct_result
from league.desk.correcting.correct_round import Act, reopen
from league.desk.figures.enter_figure import Entry
from league.desk.inbox.quarantine import reject
from league.desk.leagues.public_journal import ACTS as PUBLIC
from league.desk.people.players import NewPlayer, add_players
from league.desk.rebuild import rebuild
from league.desk.recovery.word_on_head import confirm
from league.desk.rounds.enter_result import enter_result
from league.desk.rounds.look import show_orders
from league.storage import engine as database
from league.storage import readings
from league.storage.readings import Said
from tests.desk.forks import Forks
from tests.desk.sites import (
    OUR_HOST,
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
    rows,
    run,
    sealed,
)
from tests.desk.weeks import evaluate, utc, week, write

FIRST = date(2024, 1, 4)
END = at("2024-03-30 12:00")
SAME = {
    "record": "SELECT match_id, kind, round, version, body, sha256, previous FROM record ORDER BY match_id, id",
    "position": "SELECT * FROM position ORDER BY 1, 2, 3",
    "round": (
        "SELECT match_id, number, status, frozen_at, frozen_late, root, version, closes_at FROM round ORDER BY 1, 2"
    ),
    "submission": (
        "SELECT round_id, phase, seat_id, revision, digest, received_at, lines, replaces, nonce, leaf "
        "FROM submission ORDER BY 1, 2, 3, 4"
    ),
    "seat": "SELECT match_id, code, position, status, joined_round, left_round, token_version FROM seat ORDER BY 1, 2",
    "verdict": "SELECT mail_id, verdict, reason, rule, seat_id FROM verdict ORDER BY 1",
    "evidence": "SELECT * FROM evidence ORDER BY id",
    "reading": "SELECT * FROM reading ORDER BY id",
    "decision": "SELECT round_id, kind, facts, source, entered_at FROM decision ORDER BY 1, 5, 2, 3",
    "season": "SELECT rules, options, sources, calendar FROM season ORDER BY id",
    "mail": "SELECT digest, content, received_at, fetched_at, source FROM mail ORDER BY digest",
}


def thursday(number: int) -> date:
    return FIRST + timedelta(weeks=number - 1)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with two leagues of several weeks in which all happens that an organizer can do."""
    path = make_site(tmp_path_factory.mktemp("lived") / "site")
    add_league(path, "spring", ("Anna", "Ben", "Carla"), battles="reported", standing="on", press="all")
    add_league(path, "autumn", ("Dirk", "Eva"))
    joins = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France", "Dirk": "join Zweden"}
    for name, text in joins.items():
        write(path, name, f"{text}\n\npress to all: good day\nend\n", FIRST)
    enter_orders(opened(path, utc(FIRST, 8)), "autumn", "Eva", "join Greece", why="by phone", received_at=None)
    drop(path, letter("Ben", "join Malta", proven=False, subject="really me"), utc(FIRST, 9))
    mail_run(path, utc(FIRST, 10))
    week(path, FIRST, pages=False)
    _second(path)
    _third(path)
    _fourth(path)
    _corrected(path)
    return path


def _second(path: Path) -> None:
    """A battle whose reports contradict each other, an extension, a look, a new player, a new key."""
    for name in ("Ben", "Carla"):
        write(path, name, "take Spain", thursday(2))
    write(path, "Anna", "take London (always)\nlanguage en", thursday(2))
    site = opened(path, utc(thursday(2), 8))
    add_players(site, "spring", [NewPlayer("Gero", "gero@example.org")], invite=True)
    renew_token(site, "spring", "Anna", why="lost")
    show_orders(opened(path, utc(thursday(2), 9)), "spring", "Anna", reveal=True)
    extend(opened(path, utc(thursday(2), 9)), "spring", hours=3, why="the server was down")
    evaluate_late = utc(thursday(2) + timedelta(days=1), 4)
    mail_run(path, evaluate_late)
    evaluate(path, thursday(2), pages=False)
    saturday = thursday(2) + timedelta(days=2)
    for name in ("Ben", "Carla"):  # one is believed because it answers the mail that asked
        asked = {"In-Reply-To": str(outbox(path, "fixtures", name)[0].mail["Message-ID"])} if name == "Carla" else {}
        text, own_id = "result Spain won", f"<result.{name}@example.org>"
        raw = letter(name, text, headers=asked, proven=not asked, message_id=own_id)
        drop(path, raw, utc(saturday, 22, 10))
    mail_run(path, utc(saturday, 22, 30))
    enter_result(opened(path, utc(saturday, 22, 40)), "spring", "Spain", "Ben", attempt=None, why="saw the replay")
    mail_run(path, utc(saturday, 22, 50))


def _third(path: Path) -> None:
    """Absences, standing orders, a hold, a pause, a new signing key, somebody who doesn't write any more."""
    rotate_key(opened(path, utc(thursday(3) - timedelta(days=2), 8)), "a computer was stolen")
    site = opened(path, utc(thursday(3) - timedelta(days=2), 9))
    instruct(site, "spring", "Carla", until="4", texts=("take Belgium", "pass"), why="in hospital")
    drop(path, letter("Gero", "accept"), utc(thursday(3) - timedelta(days=2), 10))
    write(path, "Ben", "take Algeria", thursday(3))
    pause_rounds(opened(path, utc(thursday(3), 9)), "autumn", thursday(4), thursday(4), why="holidays")
    mail_run(path, utc(thursday(3) + timedelta(days=1)))
    hold(opened(path, utc(thursday(3) + timedelta(days=1), 9)), "spring", hours=60, why="a look")
    evaluate(path, thursday(3), pages=False)
    release(opened(path, utc(thursday(3) + timedelta(days=2), 23)), "spring", why="all is well")
    mail_run(path, utc(thursday(3) + timedelta(days=2), 23))


def _fourth(path: Path) -> None:
    """A seat changes hands, one is left by mail, an absence ends, a reminder is answered; figures that come late."""
    site = opened(path, utc(thursday(4) - timedelta(days=3), 9))
    end_instruction(site, "spring", "Carla", why="is back")
    substitute(site, "spring", "Ben", NewPlayer("Hilda", "hilda@example.org"), why="moved away")
    drop(path, letter("Carla", "resign"), utc(thursday(4) - timedelta(days=1), 12))
    mail_run(path, utc(thursday(4), 4))  # a run of which nothing is left but its reminders
    reminder = {"In-Reply-To": str(outbox(path, "remind", "Hilda")[0].mail["Message-ID"])}
    drop(path, letter("Hilda", "take Marokko", headers=reminder, proven=False), utc(thursday(4), 10))
    week(path, thursday(4), pages=False)
    write(path, "Dirk", "take Norwegen", thursday(5))
    write(path, "Eva", "take Turkey", thursday(5))
    heard(path, "16704.56", utc(thursday(5) + timedelta(days=2), 20))
    week(path, thursday(5), pages=False)


def _corrected(path: Path) -> None:
    """Figures and a battle that the reports had wrong, one league after the other; a source that says so later."""
    friday, saturday = thursday(5) + timedelta(days=1), thursday(5) + timedelta(days=2)
    site = opened(path, utc(saturday, 23))
    entry = Entry({"dax_close": "16705.56", "dax_day": friday.isoformat()}, "another paper", "")
    correct_figures(site, "spring", entry, Act("draw correct", "misread"))
    reopen(opened(path, utc(saturday, 23, 10)), "autumn", 4, Act("round reopen", "the close was misread", "recompute"))
    heard(path, "16704.56", utc(saturday, 23, 15))
    wanted = Act("result enter", "the replay was of another battle", "from_now")
    correct_result(opened(path, utc(saturday, 23, 20)), "spring", 2, "Spain", "Carla", None, wanted)
    confirmed = Entry({"dax_close": "16705.56", "dax_day": friday.isoformat()}, "the exchange's own page", "")
    correct_figures(opened(path, utc(saturday, 23, 30)), "spring", confirmed, Act("draw correct", "looked again"))
    run(path, utc(saturday, 23, 40))
    heard(path, "16705.56", utc(saturday, 23, 50))


def heard(path: Path, value: str, moment: datetime) -> None:
    """A source's answer about the close of the fifth week, as a run notes it."""
    with database.write(opened(path, moment).engine) as connection:
        readings.note(connection, [Said("stooq", "dax_close", thursday(5) + timedelta(days=1), value, moment, {})])


def test_the_scenario_has_everything_in_it(lived: Path) -> None:
    """What is compared isn't empty: rounds, a battle, orders left behind, kinds of acts, kinds of mails."""
    assert len(bodies(lived)) == 10
    assert len(bodies(lived, 2)) == 7
    kinds = {d["kind"] for body in (*bodies(lived), *bodies(lived, 2)) for d in body.get("decisions", ())}
    assert kinds >= {"result", "revealed", "instructed", "hold" if "hold" in kinds else "release", "substituted"}
    acts = {row["act"].partition(" s1")[0] for row in rows(lived, "SELECT act FROM journal")}
    assert acts >= {
        "new", "player add", "player absent", "player absent --end", "player substitute", "player token --renew",
        "orders enter", "orders show", "result enter", "round extend", "round hold", "round release", "round pause",
        "key rotate", "draw correct", "round reopen",
    }  # fmt: skip
    assert {row["proof"] for row in rows(lived, "SELECT proof FROM verdict")} >= {"dmarc", "reply", "organizer"}
    sources = {row["source"] for row in rows(lived, "SELECT source FROM mail")}
    assert {"absence", "standing", "organizer"} <= sources
    assert {row["verdict"] for row in rows(lived, "SELECT verdict FROM verdict")} >= {"accepted", "quarantined"}


@pytest.fixture(scope="module")
def anew(lived: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same site, built from the old one with every derived table emptied and the inbox gone."""
    bare = copy(lived, tmp_path_factory.mktemp("bare") / "site")
    path = tmp_path_factory.mktemp("anew") / "site"
    done = rebuild(path, bare, END)
    assert done.troubles == ()
    assert done.is_same, done.matches
    return path


@pytest.mark.parametrize("book", SAME)
def test_every_book_comes_out_the_same(book: str, lived: Path, anew: Path) -> None:
    """Records, positions, rounds, orders with their leaves, seats, verdicts, decisions: the same values."""
    assert rows(anew, SAME[book]) == rows(lived, SAME[book])


def test_the_journal_is_the_old_one_and_one_act(lived: Path, anew: Path) -> None:
    """The acts aren't written down a second time; that the site was built anew is."""
    query = "SELECT at, who, act, why, arguments, league_id FROM journal ORDER BY id"
    before, after = rows(lived, query), rows(anew, query)
    assert after[:-1] == before
    assert after[-1]["act"] == "rebuild"


def test_nothing_goes_out_and_nothing_is_published(anew: Path) -> None:
    """All mails of the replay count as gone, the outbox is on hold, there are no pages."""
    assert {row["state"] for row in rows(anew, "SELECT state FROM outbox")} == {"sent"}
    assert not list((anew / "mail" / "out" / "new").iterdir())
    assert not (anew / "public").exists()
    assert rows(anew, "SELECT value FROM site_fact WHERE key LIKE '%hold%'")


def test_both_sites_go_on_alike(lived: Path, anew: Path, tmp_path: Path) -> None:
    """After a word on its head the site built anew plays the next week as the old one does."""
    old, new = copy(lived, tmp_path / "old"), copy(anew, tmp_path / "new")
    confirm(opened(new, END), [sealed(new)[-1].sha256, sealed(new, 2)[-1].sha256])
    for path in (old, new):
        with sqlite3.connect(path / "league.sqlite") as connection:
            connection.execute("DROP TRIGGER journal_no_update")
            connection.execute("UPDATE journal SET at = '2024-02-04T00:00:00.000000Z' WHERE at > '2024-02-04'")
        connection.close()
        write(path, "Anna", "take Norway", thursday(6))
        week(path, thursday(6), pages=False)
    assert told(new) == told(old)
    assert len(sealed(new)) == 11


def told(path: Path) -> list[dict[str, Any]]:
    """What the records say of the game: the journal of the site built anew has acts of its own."""
    return [{key: value for key, value in body.items() if key not in ("journal", "previous")} for body in bodies(path)]


DERIVED = (
    "submission", "press", "ask", "phase", "decision", "position", "absence", "standing", "outbox", "mail_trouble",
    "ledger",
)  # fmt: skip


def test_nothing_that_was_worked_out_is_read(lived: Path, tmp_path: Path) -> None:
    """With orders, positions and decisions gone and every record's body another, the same records come out."""
    bare = copy(lived, tmp_path / "bare")
    connection = sqlite3.connect(bare / "league.sqlite")
    for table in DERIVED:
        connection.execute(f"DELETE FROM {table}")
    connection.execute("DROP TRIGGER IF EXISTS record_no_update")
    connection.execute("UPDATE record SET body = x'00'")
    connection.execute("UPDATE round SET root = 'none', version = 9")
    connection.execute("UPDATE seat SET status = 'left', token_version = 77, joined_round = 1")
    connection.execute("UPDATE season SET calendar = '{}', options = '{}'")
    connection.commit()
    connection.close()
    assert rebuild(tmp_path / "new", bare, END).is_same
    assert rows(tmp_path / "new", SAME["record"]) == rows(lived, SAME["record"])


def test_a_changed_figure_changes_what_comes_out(lived: Path, tmp_path: Path) -> None:
    """One word about one figure: from its round on the records are others, and the first is named."""
    bare = copy(lived, tmp_path / "bare")
    change_journal(bare, "UPDATE evidence SET source = 'a dream' WHERE day = '2024-01-19'")
    done = rebuild(tmp_path / "new", bare, END)
    spring, autumn = sorted(done.matches, key=lambda match: match.match, reverse=True)
    assert (spring.same, spring.records, spring.differs) == (4, 10, "round 3, version 1")
    assert (autumn.same, autumn.records, autumn.differs) == (7, 7, "")


def change_journal(path: Path, statement: str, *values: Any) -> None:
    connection = sqlite3.connect(path / "league.sqlite")
    connection.execute("DROP TRIGGER IF EXISTS journal_no_update")
    connection.execute(statement, values)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE journal SET act = 'wizardry' WHERE act = 'round hold'", "can't be done again: wizardry"),
        ("UPDATE journal SET arguments = '{}' WHERE act = 'player add'", "older version"),
        ("UPDATE player SET address = NULL, address_key = NULL WHERE name = 'Anna'", "was forgotten"),
        ("UPDATE mail SET content = NULL WHERE id = 2", "no longer kept"),
        (
            "UPDATE mail SET content = CAST(content || ' ' AS BLOB) WHERE id = 2",
            "bytes of mail 2 aren't those that came",
        ),
    ],
)
def test_what_is_missing_is_told_and_ends_it(statement: str, told: str, lived: Path, tmp_path: Path) -> None:
    """An act of another version, a player who was forgotten, a mail whose time is over: no half truth comes out."""
    bare = copy(lived, tmp_path / "bare")
    change_journal(bare, statement)
    done = rebuild(tmp_path / "new", bare, END)
    assert not done.is_same
    assert told in done.troubles[0]


def test_only_into_an_empty_folder_and_only_from_sqlite(lived: Path, tmp_path: Path) -> None:
    """Nothing is built over anything; a database on a server is told to be copied first."""
    with pytest.raises(Refused, match="isn't empty"):
        rebuild(lived, lived, END)
    assert not list((lived / "backups").iterdir())
    far = copy(lived, tmp_path / "far")
    found = settings.load(far / settings.FILE)
    (far / settings.FILE).write_text(
        settings.as_toml(replace(found, storage=settings.Storage(url=f"sqlite:///{far}/league.sqlite")))
    )
    with pytest.raises(Refused, match="names no \\[storage\\] url"):
        rebuild(tmp_path / "new", far, END)


def test_the_command_says_how_it_compares(lived: Path, tmp_path: Path, processes: Forks) -> None:
    """Records in all and the same; 0 if all are, 1 if one isn't."""
    done = processes.league(tmp_path / "new", END, "rebuild", str(lived), "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert list(told) == ["site", "acts", "mails", "same", "matches", "troubles"]
    assert {m["match"]: (m["records"], m["same"], m["differs"]) for m in told["matches"]} == {
        "autumn-1": (7, 7, ""),
        "spring-1": (10, 10, ""),
    }
    bare = copy(lived, tmp_path / "bare")
    change_journal(bare, "UPDATE journal SET act = 'wizardry' WHERE act = 'round hold'")
    failed = processes.league(tmp_path / "other", END, "rebuild", str(bare))
    assert failed.code == 1
    assert "can't be done again" in failed.err
    assert "records are the same to the byte; none was made from that of round " in failed.out
    assert "differs" not in failed.out


SIGNED = f"Authentication-Results: {OUR_HOST}; dkim=pass header.d=example.org\r\n".encode()


def test_a_mail_that_was_held_is_held_again(tmp_path: Path) -> None:
    """Two texts under one id, and one that a person turned away: neither counts, though both are signed."""
    path = make_site(tmp_path / "site")
    add_league(path)
    for hour, text in enumerate(("join Portugal", "join Malta", "join Spain")):
        raw = SIGNED + letter("Ben", text, proven=False, message_id="<one@example.org>")
        drop(path, raw, utc(FIRST - timedelta(days=1), 10 + hour))
    mail_run(path, utc(FIRST - timedelta(days=1), 14))
    held = "SELECT mail_id, verdict, reason FROM verdict ORDER BY mail_id"
    assert [row["verdict"] for row in rows(path, held)] == ["accepted", "held", "held"]
    reject(opened(path, utc(FIRST, 9)), rows(path, held)[-1]["mail_id"], why="he says it isn't his")
    week(path, FIRST, pages=False)
    done = rebuild(tmp_path / "new", path, END)
    assert (done.troubles, done.is_same) == ((), True)
    assert rows(tmp_path / "new", held) == rows(path, held)


def test_every_act_can_be_done_again_or_needs_nothing() -> None:
    """Whoever writes a new act down says how it is done again."""
    assert set(PUBLIC) == {*ACTS, *NOTHING_TO_DO}
