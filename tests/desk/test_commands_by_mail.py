"""What players ask for by mail: each line answered, in their language, done exactly once."""

import re
from collections import Counter
from pathlib import Path

import pytest

from league.cli import main
from league.desk.post.roster import any_order_or_press
from league.failpoints import KILLED
from tests.desk.forks import Forks, command
from tests.desk.sites import address, at, bodies, copy, drop, figures, letter, mail_run, outbox, rows, run, verdicts

WEDNESDAY, FRIDAY = at("2024-01-03 12:00"), at("2024-01-05 08:00")


def ask(path: Path, name: str, text: str, arrived: str = "2024-01-03 10:00", subject: str = "Hello") -> str:
    """The answer's text to a mail; it is the only new one to the player."""
    mail_run(path, at(arrived))
    before = len(outbox(path, "", name))
    drop(path, letter(name, text, subject=f"{subject} {arrived}"), at(arrived))
    mail_run(path, at(arrived))
    (told,) = outbox(path, "", name)[before:]
    assert told.kind.partition("/")[0] in ("commands", "receipt", "replies", "ask", "late")
    return told.text


def flat(text: str) -> str:
    return " ".join(text.replace("\n| ", " ").split())


def player(path: Path, name: str) -> dict[str, object]:
    (row,) = rows(path, "SELECT * FROM player WHERE address = ?", address(name))
    return row


# ------------------------------------------------------------------ asking


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [("Anna", "Status", "Runde 1 nimmt Befehle an bis"), ("Ben", "status", "Round 1 takes orders until"),
     ("Carla", "stand", "Ronde 1 neemt opdrachten aan tot")],
)  # fmt: skip
def test_status_in_the_players_language(spring: Path, name: str, line: str, said: str) -> None:
    """The open round, what stands, who was heard from; the mail is accepted and holds commands."""
    drop(spring, letter("Ben", "join Portugal"), at("2024-01-03 09:00"))
    text = flat(ask(spring, name, line))
    assert said in text
    assert "Ben" in text  # heard from
    assert ("Portugal" in text) == (name == "Ben")  # nobody else's orders
    (row,) = rows(spring, "SELECT verdict, holds FROM verdict ORDER BY mail_id DESC LIMIT 1")
    assert (row["verdict"], row["holds"]) == ("accepted", '["commands"]')


def test_status_beside_orders_knows_of_them(spring: Path) -> None:
    """Whose orders stand in the same answer has been heard from."""
    drop(spring, letter("Ben", "join Portugal\nstatus"), at("2024-01-03 09:00"))
    mail_run(spring, at("2024-01-03 09:00"))
    text = flat(outbox(spring, "receipt", "Ben")[-1].text)
    assert "Heard from: Ben." in text


def test_a_rule_has_the_leagues_options(spring: Path) -> None:
    """K33 is told as this league plays it (battles are drawn), in the player's language, prefixed line by line."""
    text = ask(spring, "Ben", "rule K33\nrule 2\nrule K999\nrules")
    assert "| K33: Battles are drawn" in text
    assert "| K13: " in text
    assert "There is no rule “K999”" in text
    assert "# rule K23" in text
    assert "<" not in text


def test_help_lists_what_can_be_written(spring: Path) -> None:
    """In the player's own words, as comments: quoting the answer orders nothing."""
    text = ask(spring, "Carla", "hulp")
    for line in ("# status – ", "# regel K23 – ", "# taal de / en / nl – ", "# afwezig tot 14 – ", "# opzeggen – "):
        assert line in text
    assert not any_order_or_press(text)


def test_the_report_again_has_the_same_bytes(spring: Path) -> None:
    """The last report goes out once more with its own id; who never got one is told so."""
    assert "No report has been sent to you yet." in ask(spring, "Ben", "report again\njoin Portugal")
    run(spring, FRIDAY)
    (report,) = outbox(spring, "report", "Ben")
    sent = spring / "mail" / "out" / "new"
    for file in sent.iterdir():
        file.unlink()
    ask(spring, "Ben", "report again", "2024-01-07 10:00")
    assert len(outbox(spring, "report", "Ben")) == 1
    assert report.raw in [file.read_bytes() for file in sent.iterdir()]


# ------------------------------------------------------------------ changing


def test_language_and_zone(spring: Path) -> None:
    """The answer is in the new language already; a zone that there isn't is answered with what is near."""
    text = ask(spring, "Ben", "zone amsterdam\nSprache niederländisch\nstatus")
    assert "Je mails komen vanaf nu in het Nederlands." in text
    assert "# tijdzone Europe/Amsterdam" in text
    assert player(spring, "Ben")["zone"] == "Europe/Berlin"
    assert "Amerika" not in ask(spring, "Ben", "tijdzone America/New_York", "2024-01-03 11:00")
    assert (player(spring, "Ben")["lang"], player(spring, "Ben")["zone"]) == ("nl", "America/New_York")
    assert "America/New_York" in ask(spring, "Ben", "status", "2024-01-03 11:30")


def test_an_absence_with_a_prepared_list(spring: Path) -> None:
    """The list is read at once, told back round by round, and entered where nothing comes."""
    text = ask(spring, "Ben", "absent until 3:\njoin Portugal\nnext round\ntake Spain\nend")
    assert "[1] join Portugal" in text
    assert "[2] take Spain" in text
    mail_run(spring, FRIDAY)
    figures(spring, at("2024-01-14 08:00"))
    mail_run(spring, at("2024-01-14 08:00"))
    found = rows(spring, "SELECT round_id, lines FROM submission WHERE seat_id = 2 ORDER BY round_id")
    assert [row["round_id"] for row in found] == [1, 2]
    assert "join Portugal" in found[0]["lines"]
    assert "take Spain" in found[1]["lines"]
    assert "From round 3 on" in flat(ask(spring, "Ben", "back", "2024-01-14 09:00"))
    assert "Nothing was being entered" in ask(spring, "Ben", "back", "2024-01-14 09:30")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("absent until 3:\njoin Portugal\nnext round\ntake Nowhere\nend", "this isn't understood: “take Nowhere”"),
        ("absent until 1:\npass\nnext\npass\nend", "Your list is for 2 rounds"),
        ("absent from 3 until 2", "No round lies between these"),
        ("absent until 2023-12-01", "No round lies between these"),
        ("absent until 999", "would be a resignation"),
        ("absent until 2024-02-31", "There is no such day"),
        ("absent until whenever", "It isn't clear for which rounds"),
    ],
)
def test_an_absence_that_can_t_be_noted(spring: Path, lines: str, said: str) -> None:
    """Nothing of it is noted, and the answer says what is wrong."""
    assert said in flat(ask(spring, "Ben", lines))
    assert rows(spring, "SELECT id FROM absence") == []


def test_leaving_needs_the_word_of_the_answer(spring: Path) -> None:
    """`resign` alone changes nothing; a wrong word neither; the right one ends the membership, once (K38)."""
    drop(spring, letter("Ben", "join Portugal"), at("2024-01-03 09:00"))
    text = ask(spring, "Ben", "resign")
    assert "Nothing has happened yet." in text
    found = re.search(r"^# resign ([A-Z2-7]{8})$", text, re.MULTILINE)
    assert found is not None
    assert "isn't the word" in flat(ask(spring, "Ben", "resign ABCDEFGH", "2024-01-03 11:00"))
    assert rows(spring, "SELECT status FROM seat WHERE code = 's2'") == [{"status": "active"}]
    assert "niet het woord" in flat(ask(spring, "Carla", f"opzeggen {found[1]}", "2024-01-03 11:10"))
    assert rows(spring, "SELECT status FROM seat WHERE code = 's3'") == [{"status": "active"}]
    assert "You leave the league" in ask(spring, "Ben", f"resign {found[1].lower()}", "2024-01-03 11:20")
    assert rows(spring, "SELECT status, left_round FROM seat WHERE code = 's2'") == [
        {"status": "left", "left_round": 1}
    ]
    assert [row["who"] for row in rows(spring, "SELECT who FROM journal WHERE act = 'player retire'")] == ["s2 by mail"]
    mail_run(spring, FRIDAY)
    assert not outbox(spring, "report", "Ben")


# ------------------------------------------------------------------ together


def test_orders_press_and_commands_in_one_mail(spring: Path) -> None:
    """One answer tells of all of them; a mistaken command costs nobody the orders."""
    text = ask(spring, "Ben", "join Portugal\nstatuss\nlanguage nl\npress to all: hello\nzone Mars\nstatus")
    assert "Dit geldt nu voor ronde 1" in text
    assert text.count("[1] ") >= 2
    assert "Dat kun je niet vragen. Is dit bedoeld?" in text
    assert "Die tijdzone bestaat niet" in text
    (row,) = rows(spring, "SELECT verdict, holds FROM verdict")
    assert (row["verdict"], row["holds"]) == ("accepted", '["orders","press","commands"]')
    assert len(rows(spring, "SELECT id FROM submission")) == 1


def test_a_misspelt_command_alone_is_asked_about(spring: Path) -> None:
    """Like a mail without orders: what is near, and how orders are written."""
    text = ask(spring, "Anna", "sttaus")
    assert "„status“" in text or "“status”" in text
    assert verdicts(spring) == [("ask", "no_orders")]


def test_commands_when_no_round_is_open(spring: Path) -> None:
    """A command isn't late: orders beside it are, and the answer says both."""
    mail_run(spring, FRIDAY)
    text = flat(ask(spring, "Ben", "status", "2024-01-05 09:00"))
    assert "No round takes orders now. Round 2 opens Sunday, 7 January 2024, 00:00 (Europe/Berlin)" in text
    text = flat(ask(spring, "Ben", "take Spain\nlanguage en", "2024-01-05 10:00"))
    assert "It isn't counted." in text
    assert "Your mails come in English from now on." in text
    assert [verdict for verdict, _ in verdicts(spring)] == ["accepted", "late"]


def test_a_program_that_asks_again_and_again_is_stopped(spring: Path) -> None:
    """Ten answers within an hour are enough; a person looks at the rest, and an hour later all is well."""
    for minute in range(40):
        drop(spring, letter("Ben", "status", subject=f"{minute}"), at(f"2024-01-03 10:{minute:02}"))
    mail_run(spring, at("2024-01-03 10:45"))
    assert Counter(verdicts(spring)) == {("accepted", "readable"): 10, ("held", "too_many_mails"): 30}
    assert len(outbox(spring, "commands", "Ben")) == 10
    assert "Round 1 takes orders" in flat(ask(spring, "Ben", "status", "2024-01-03 11:45"))


def test_the_brake_costs_no_order(spring: Path) -> None:
    """Beyond ten answers an hour messages and commands are left alone; the orders of the same mail count."""
    drop(spring, letter("Ben", "join Portugal", subject="first"), at("2024-01-03 10:00"))
    for minute in range(10):
        drop(
            spring,
            letter("Ben", f"status\npress to Anna: {minute}", subject=f"{minute}"),
            at(f"2024-01-03 10:1{minute}"),
        )
    drop(spring, letter("Ben", "join Greece\npress to Anna: deal", subject="last"), at("2024-01-03 10:30"))
    mail_run(spring, at("2024-01-03 10:45"))
    assert verdicts(spring)[-1] == ("accepted", "readable")
    assert not [out for out in outbox(spring, "press", "Anna") if "deal" in out.text]
    (notice,) = outbox(spring, "brake", "Ben")
    assert "So your mails are not answered until Wednesday, 3 January 2024, 12:00" in flat(notice.text)
    assert "Messages to other players are not passed on" in flat(notice.text)
    mail_run(spring, at("2024-01-05 08:00"))
    orders = {row["seat"]: row["orders"] for row in bodies(spring)[1]["orders"]}
    assert orders["s2"][-1:] == ["join Greece"]


def test_after_the_brake_the_last_mail_is_answered(spring: Path) -> None:
    """What wasn't understood, what stands, its seal: once, and not before the hour is over."""
    for minute in range(11):
        drop(
            spring,
            letter("Ben", f"join Portugal\npass\n\n{minute}", subject=f"{minute}"),
            at(f"2024-01-03 10:{minute:02}"),
        )
    drop(spring, letter("Ben", "join Greece\njoin Atlantis", subject="last"), at("2024-01-03 10:30"))
    mail_run(spring, at("2024-01-03 10:59"))
    assert len(outbox(spring, "receipt", "Ben")) == 10
    assert "After that one mail answers them all" in flat(outbox(spring, "brake", "Ben")[0].text)
    for _ in range(2):
        mail_run(spring, at("2024-01-03 11:10"))
        assert len(outbox(spring, "receipt", "Ben")) == 11
    text = flat(outbox(spring, "receipt", "Ben")[-1].text)
    assert "[1] join Greece – accepted" in text
    assert "[2] join Atlantis – not understood" in text
    assert "# signature" in text


def test_after_the_brake_a_mail_without_an_order_is_asked_about(spring: Path) -> None:
    """Nothing of it was in the book, so nobody would ever have heard that it wasn't read."""
    for minute in range(10):
        drop(spring, letter("Ben", "pass", subject=f"{minute}"), at(f"2024-01-03 10:{minute:02}"))
    drop(spring, letter("Ben", "join Atlantis", subject="last"), at("2024-01-03 10:30"))
    mail_run(spring, at("2024-01-03 10:45"))
    assert outbox(spring, "ask", "Ben") == []
    mail_run(spring, at("2024-01-03 11:30"))
    (asked,) = outbox(spring, "ask", "Ben")
    assert "join Atlantis – not understood" in flat(asked.text)


def test_after_the_brake_one_mail_answers_all(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What stands, and of each mail that got no answer what became of it, what wasn't understood, and its seal."""
    for minute in range(10):
        drop(spring, letter("Ben", "pass", subject=f"{minute}"), at(f"2024-01-03 10:{minute:02}"))
    drop(spring, letter("Ben", "join Portugal\njoin Atlantis", subject="orders"), at("2024-01-03 10:20"))
    run(spring, at("2024-01-03 10:25"))
    drop(spring, letter("Ben", "join Lemuria", subject="mistake"), at("2024-01-03 10:30"))
    drop(spring, letter("Ben", "language de", subject="request"), at("2024-01-03 10:35"))
    run(spring, at("2024-01-03 10:45"))
    assert main(["--site", str(spring), "--now", "2024-01-03T10:50:00Z", "status"]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "The last run had trouble" not in shown
    assert "spring: More mails came from Ben within an hour than are answered: since Wed 3 Jan, 11:20 3 got no" in shown
    before = len(outbox(spring, "", "Ben"))
    for _ in range(2):
        run(spring, at("2024-01-03 11:30"))
    (answer,) = outbox(spring, "", "Ben")[before:]
    text = flat(answer.text)
    assert answer.kind.startswith("ask/")
    assert "This stands now for round 1, as a whole: [1] join Portugal" in text
    assert "[1] join Lemuria – not understood" in text
    assert "11:20 (Europe/Berlin) – its orders are booked; what counts of them stands above" in text
    assert "[1] join Atlantis – not understood" in text
    assert text.count("# signature") == 1
    assert "11:35 (Europe/Berlin) – what it asks for wasn't done" in text
    assert not any_order_or_press(answer.text)


def test_after_the_brake_requests_alone_are_answered_by_what_stands(spring: Path) -> None:
    """Nothing of them was done, and the player reads that and what stands, once."""
    drop(spring, letter("Ben", "join Portugal", subject="first"), at("2024-01-03 10:00"))
    for minute in range(12):
        drop(spring, letter("Ben", "status", subject=f"{minute}"), at(f"2024-01-03 10:{minute + 1:02}"))
    run(spring, at("2024-01-03 10:30"))
    before = len(outbox(spring, "", "Ben"))
    run(spring, at("2024-01-03 11:30"))
    (answer,) = outbox(spring, "", "Ben")[before:]
    assert "This stands now for round 1, as a whole: [1] join Portugal" in flat(answer.text)
    assert flat(answer.text).count("what it asks for wasn't done") == 3


def test_the_same_command_many_times_is_one(spring: Path) -> None:
    """A mail of as many lines as are read has an answer that a mail server takes."""
    text = flat(
        ask(spring, "Ben", "\n".join(["help"] * 1400 + [f"rule K{n}" for n in range(1, 60)]), "2024-01-03 10:00")
    )
    assert len(text) < 60_000
    assert "One mail has room for 25 of these" in text


def test_of_commands_said_twice_the_last_counts(spring: Path) -> None:
    """Away, back, away again in one mail: away."""
    ask(spring, "Ben", "absent until 4\nback\nabsent until 4", "2024-01-03 10:00")
    assert len(rows(spring, "SELECT id FROM absence WHERE ended_at IS NULL")) == 1


def test_quoted_answers_run_nothing(spring: Path) -> None:
    """An answer sent back, quoted or not, is no command; nor is what stands in an unproven stranger's mail."""
    ask(spring, "Ben", "help\nstatus\nresign\nlanguage en\nrule K23\nabsent until 3")
    (answer,) = outbox(spring, "commands", "Ben")
    journal = len(rows(spring, "SELECT id FROM journal"))
    bare = "\n".join(
        line.lstrip("# |") if not line.startswith(("#", "|", "[")) else line for line in answer.text.split("\n")
    )
    drop(spring, letter("Ben", bare, subject="back to you"), at("2024-01-03 11:00"))
    drop(spring, letter("Eve", "language nl\nresign", sender="eve@example.net"), at("2024-01-03 11:00"))
    mail_run(spring, at("2024-01-03 11:30"))
    assert [verdict for verdict, _ in verdicts(spring)[1:]] == ["ask", "rejected"]
    assert len(rows(spring, "SELECT id FROM journal")) == journal
    assert len(outbox(spring, "", "Eve")) == 0


@pytest.mark.parametrize("place", ["intake.before_commit", "intake.after_commit", "intake.settled"])
def test_killed_and_run_again_a_command_is_done_once(spring: Path, processes: Forks, place: str) -> None:
    """The command, its journal row and its answer are one transaction with the mail's verdict."""
    drop(spring, letter("Ben", "absent until 3\nlanguage nl"), at("2024-01-03 10:00"))
    assert processes.league(spring, WEDNESDAY, "run", LEAGUE_FAILPOINT=place).code == KILLED
    assert processes.league(spring, WEDNESDAY, "run").code == 0
    check_once(spring)


def test_two_runs_do_a_command_once(spring: Path, processes: Forks) -> None:
    """And the same mail once more, byte by byte, does nothing."""
    raw = letter("Ben", "absent until 3\nlanguage nl")
    drop(spring, raw, at("2024-01-03 10:00"))
    kept = copy(spring / "mail" / "in" / "new", spring.parent / "kept")
    again = [str(file) for file in kept.iterdir()]
    read = command(spring, WEDNESDAY, "mail", "read", *again)
    ended = processes.at_once(command(spring, WEDNESDAY, "run"), read, command(spring, WEDNESDAY, "run"))
    assert [e.code for e in ended] == [0, 0, 0], ended
    drop(spring, raw, at("2024-01-03 11:00"))
    run(spring, WEDNESDAY)
    check_once(spring)


def check_once(path: Path) -> None:
    assert len(rows(path, "SELECT id FROM absence")) == 1
    assert len(rows(path, "SELECT id FROM journal WHERE act = 'player absent'")) == 1
    assert Counter(out.kind.partition("/")[0] for out in outbox(path)) == {"commands": 1}
    assert player(path, "Ben")["lang"] == "nl"
