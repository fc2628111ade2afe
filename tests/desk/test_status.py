"""`league status`: the organizer's desk at a glance."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import pytest
from click import unstyle
from sqlalchemy import event

from league import i18n
from league.cli import cli, main
from league.cli.status import page
from league.desk.acts.absence import instruct
from league.desk.leagues.infos import site_info
from league.desk.overview.health import LEAST_FREE, Health, LastRun
from league.desk.overview.status import site_status, told, words_of
from league.desk.overview.todo import Mails, site_todo
from league.reports.desk import DeskWords, Todo
from league.reports.environment import environment
from league.storage import engine as database
from league.storage import readings, troubles
from league.storage.readings import Said
from league.storage.troubles import Trouble
from tests.desk.sites import NAMES, add_league, at, copy, drop, figures, letter, mail_run, opened, run
from tests.desk.test_reminders import configure, fail
from tests.desk.test_replies import JOINS, TAKES, begin, mail, week

NOW = at("2024-01-03 10:00")
FACTS: Mapping[str, Any] = {
    "why": "because", "free": 3, "at": "2024-01-03T10:00:00Z", "now": "2024-01-02T10:00:00Z", "file": "fault-1.txt",
    "from": "x@example.org", "verdict": "held", "count": 2, "round": 3, "figure": "dax_close", "day": "2024-01-05",
    "place": "Spain", "name": "Ben", "missed": 3, "kinds": {"held": 2},
    "source": "bank",
    "says": "16708.56",
    "stands": "16704.56",
    "used": "16700.00",
}  # fmt: skip
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """`league status` of a site: exit code and JSON, or the text."""

    def asked(path: Path, now: datetime, *args: str) -> tuple[int, Any]:
        capsys.readouterr()
        code = main(["--site", str(path), "--now", now.isoformat(), "status", *args])
        out = capsys.readouterr().out
        return code, json.loads(out) if "--json" in args else out

    return asked


def states(found: Any, slug: str = "spring") -> dict[str, str]:
    (row,) = (row for row in found["leagues"] if row["league"] == slug)
    return {seat["name"]: seat["state"] for seat in row["seats"]}


def todo(found: Any) -> list[str]:
    """What only a person mends; every command can be typed."""
    assert all(is_command(item["command"]) for item in found["todo"])
    return [item["what"] for item in found["todo"] if item["must"]]


def is_command(written: str) -> bool:
    """Whether a line of ours can be typed as it stands: a command of `league`, with options that it has."""
    words = written.split()
    if words[0] != "league":
        return True  # a tool of the system
    command: click.Command = cli
    rest = words[1:]
    while isinstance(command, click.Group) and rest:
        inner = command.get_command(click.Context(command), rest[0])
        if inner is None:
            return False
        command, rest = inner, rest[1:]
    known = {option for param in command.params for option in param.opts}
    return all(word in known for word in words if word.startswith("--"))


# ------------------------------------------------------------------ who has sent


def test_every_player_has_one_state(bare: Path, ask: Ask) -> None:
    """Sent, away, not understood, wrote without orders, nothing yet; a pass is sent."""
    add_league(bare, names=NAMES[:6])
    site = opened(bare, at("2024-01-02 09:00"))
    instruct(site, "spring", "Finn", until="2", texts=(), why="holiday")
    site.engine.dispose()
    for name, text in (("Anna", "join Island"), ("Ben", "pass"), ("Carla", "neem Atlantis")):
        drop(bare, letter(name, text), at("2024-01-03 09:00"))
    drop(bare, letter("Dirk", "Presse an alle:\nhallo\nEnde"), at("2024-01-03 09:00"))
    mail_run(bare, at("2024-01-03 09:30"))
    code, found = ask(bare, NOW, "--json")
    assert states(found) == {
        "Anna": "sent", "Ben": "sent", "Carla": "not_understood", "Dirk": "replied", "Eva": "missing", "Finn": "away",
    }  # fmt: skip
    assert (code, todo(found)) == (1, ["puzzled"])
    assert found["todo"][0]["command"] == "league orders enter spring Carla - --why WHY"


def test_orders_stand_though_a_later_mail_was_not_understood(spring: Path, ask: Ask) -> None:
    """Then nothing is lost, and it is shown without asking for a person."""
    drop(spring, letter("Anna", "join Island"), at("2024-01-03 09:00"))
    drop(spring, letter("Anna", "nimm Atlantis"), at("2024-01-03 09:10"))
    mail_run(spring, at("2024-01-03 09:30"))
    code, found = ask(spring, NOW, "--json")
    (anna, *_) = found["leagues"][0]["seats"]
    assert (anna["state"], anna["not_understood"], code) == ("sent", True, 0)
    assert "last mail not understood: Anna" in ask(spring, NOW)[1]


def test_standing_orders_are_told_apart(bare: Path, ask: Ask) -> None:
    """In the week after, when nothing has come and what is kept will be entered."""
    add_league(bare, standing="on")
    drop(bare, letter("Anna", "join Island"), at("2024-01-03 09:00"))
    drop(bare, letter("Anna", "dauernd: passe"), at("2024-01-03 10:00"))
    mail_run(bare, at("2024-01-05 00:00"))
    assert states(ask(bare, at("2024-01-08 09:00"), "--json")[1])["Anna"] == "standing"


def test_whoever_cannot_be_reached_is_shown_with_what_to_type(spring: Path, ask: Ask) -> None:
    """A mail that failed: look at it; an address that is stopped: let it have mail again when it works."""
    mail_run(spring, at("2024-01-02 10:00"))
    fail(spring, "s2", "ben@example.org")
    site = opened(spring, at("2024-01-02 12:00"))
    with database.write(site.engine) as connection:
        trouble = Trouble("bounce", "carla@example.org", "550 no such user", site.now, site.now)
        troubles.note(connection, [trouble])
    site.engine.dispose()
    code, found = ask(spring, NOW, "--json")
    assert (code, todo(found)) == (1, ["bounced", "bounced"])
    assert [item["command"] for item in found["todo"] if item["must"]] == [
        "league mail outbox --seat spring/s2",
        "league mail outbox --unblock carla@example.org --why WHY",
    ]
    text = ask(spring, NOW)[1]
    assert "  mail doesn't arrive: Ben, Carla\n" in text
    assert "no mail goes to Carla: 550 no such user" in text


# ------------------------------------------------------------------ what closed rounds wait for


@pytest.fixture
def second(spring: Path) -> Path:
    """The league with its second round closed, which needs figures."""
    for name, land in zip(("Anna", "Ben", "Carla"), ("Island", "Portugal", "France"), strict=True):
        drop(spring, letter(name, f"join {land}"), at("2024-01-03 09:00"))
    mail_run(spring, at("2024-01-05 00:00"))
    for name, order in (("Anna", "nimm London"), ("Ben", "take Spain"), ("Carla", "neem Zwitserland")):
        drop(spring, letter(name, order), at("2024-01-10 09:00"))
    mail_run(spring, at("2024-01-12 00:00"))
    return spring


def test_a_figure_is_the_organizers_when_nobody_fetches_it(second: Path, ask: Ask) -> None:
    """Not before it can be known; entered, the next run evaluates. Without internet nothing is fetched."""
    code, found = ask(second, at("2024-01-12 09:00"), "--json")
    (closed,) = found["leagues"][0]["evaluating"]
    assert {f["figure"]: f["status"] for f in closed["figures"]} == {"dax_close": "not_yet", "lotto": "not_yet"}
    assert (code, todo(found)) == (0, [])
    code, found = ask(second, at("2024-01-12 19:00"), "--json")
    assert (code, todo(found)) == (1, ["figure_by_hand"])
    assert found["todo"][0]["command"] == (
        "league draw enter spring --dax-close CLOSE --dax-day 2024-01-12 --source WHERE --why WHY"
    )
    mail_run(second, at("2024-01-13 20:55"))
    figures(second, at("2024-01-13 21:00"))
    code, found = ask(second, at("2024-01-13 21:01"), "--json")
    assert found["leagues"][0]["evaluating"][0]["ready"] is True
    assert found["leagues"][0]["next"][0]["what"] == "evaluate"
    assert (code, todo(found)) == (0, [])


def test_sources_that_contradict_each_other_need_a_person(second: Path, ask: Ask) -> None:
    """With who says what."""
    site = opened(second, at("2024-01-12 19:00"))
    with database.write(site.engine) as connection:
        day = date(2024, 1, 12)
        said = (("yahoo", "16704.56"), ("stooq", "16709.00"))
        readings.note(connection, [Said(name, "dax_close", day, value, site.now, {}) for name, value in said])
    site.engine.dispose()
    code, found = ask(second, at("2024-01-12 19:30"), "--json")
    assert (code, todo(found)) == (1, ["figure_disputed"])
    assert "yahoo says 16704.56, stooq says 16709.00" in found["todo"][0]["text"]
    text = ask(second, at("2024-01-12 19:30"))[1]
    assert "dax_close (disputed: yahoo says 16704.56, stooq says 16709.00), lotto (not known yet)" in " ".join(
        text.split()
    )


def test_a_disputed_battle_needs_a_person(tmp_path: Path, ask: Ask) -> None:
    """An open one waits by itself until the evaluation ends."""
    fought = week(begin(tmp_path / "site", JOINS), TAKES)
    code, found = ask(fought, at("2024-01-13 08:00"), "--json")
    (closed,) = found["leagues"][0]["evaluating"]
    assert [(b["country"], b["disputed"]) for b in closed["battles"]] == [("spain", False), ("norway", False)]
    assert "end_waiting" in [step["what"] for step in found["leagues"][0]["next"]]
    assert "dispute" not in todo(found)
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:10")
    mail_run(fought, at("2024-01-13 09:15"))
    code, found = ask(fought, at("2024-01-13 09:20"), "--json")
    assert code == 1
    (item,) = (item for item in found["todo"] if item["what"] == "dispute")
    assert item["command"] == "league result enter spring Spain WINNER --why WHY"
    assert found["leagues"][0]["evaluating"][0]["battles"][0]["reports"] == 2


def test_a_round_that_did_not_close_is_told(spring: Path, ask: Ask) -> None:
    """The time is over and no run came: what to type is `league run`."""
    mail_run(spring, at("2024-01-04 22:00"))
    assert todo(ask(spring, at("2024-01-04 23:30"), "--json")[1]) == []
    code, found = ask(spring, at("2024-01-05 03:00"), "--json")
    assert (code, todo(found)) == (1, ["overdue"])


# ------------------------------------------------------------------ the site


def healthy(**changed: Any) -> Health:
    well = Health("", None, 10 * LEAST_FREE, LastRun(NOW, NOW, ""), NOW + timedelta(days=1), ())
    return replace(well, **changed)


@pytest.mark.parametrize(
    ("what", "changed"),
    [
        ("inbox", {"inbox": "mail/in is no Maildir"}),
        ("disk", {"disk_free": LEAST_FREE - 1}),
        ("clock", {"last_run": LastRun(NOW + timedelta(hours=1), None, "")}),
        ("go_on", {"next_closing": NOW - timedelta(days=16)}),
        ("asleep", {"last_run": LastRun(NOW - timedelta(hours=27), None, "")}),
        ("asleep", {"last_run": None, "next_closing": NOW - timedelta(hours=27)}),
        ("trouble", {"last_run": LastRun(NOW, None, "a mail can't be read")}),
        ("stuck", {"oldest_waiting": NOW - timedelta(hours=7)}),
        ("server", {"server": "451 try later", "last_run": LastRun(NOW, None, "mail can't be sent: 451 try later")}),
        ("fault", {"faults": ("fault-12.txt",)}),
    ],
)
def test_what_is_wrong_with_the_site_needs_a_person(what: str, changed: dict[str, Any], spring: Path) -> None:
    """Each by itself; of a site that is well nothing is said."""
    site = opened(configure(spring, organizer="chief@example.org"), NOW)
    assert list(site_todo(site, healthy(), Mails(), 0)) == []
    (found,) = site_todo(site, healthy(**changed), Mails(), 0)
    site.engine.dispose()
    assert (found.what, found.must) == (what, True)
    assert is_command(found.command)


def test_the_last_run_is_remembered_with_its_trouble(spring: Path, ask: Ask) -> None:
    """And when the last one was that had none."""
    mail_run(spring, at("2024-01-03 08:00"))
    (spring / "mail" / "in" / "new" / "link.eml").symlink_to(spring / "nothing")
    mail_run(spring, at("2024-01-03 09:00"))
    code, found = ask(spring, NOW, "--json")
    health = found["health"]
    assert (health["last_run"], health["last_clean_run"]) == ("2024-01-03T09:00:00Z", "2024-01-03T08:00:00Z")
    assert "link.eml" in health["trouble"]
    assert (code, todo(found)) == (1, ["trouble"])


def test_an_inbox_that_is_away_needs_a_person(spring: Path, ask: Ask) -> None:
    """Without it no round closes."""
    (spring / "mail" / "in" / "new").rmdir()
    assert todo(ask(spring, NOW, "--json")[1]) == ["inbox"]


def test_many_mails_that_wait_are_one_line(spring: Path, ask: Ask) -> None:
    """However many were set aside: how many, of which kinds, who wrote the newest, and the command that lists them."""
    for n in range(30):
        drop(spring, letter("Anna", f"join {n}", proven=False), at("2024-01-03 09:00"))
    for text in ("join Island", "join Portugal"):
        drop(spring, letter("Ben", text, message_id="<same@example.org>"), at("2024-01-03 09:05"))
    mail_run(spring, at("2024-01-03 09:30"))
    _, text = ask(spring, NOW)
    lines = text.splitlines()
    (told,) = [at for at, line in enumerate(lines) if "mails wait for you" in line]
    assert "31 mails wait for you (30 quarantined and 1 held), the newest from" in lines[told]
    assert "league mail quarantine list" in lines[told + 1] + lines[told + 2]


def test_mail_that_waits_for_a_person_is_theirs_for_two_weeks(spring: Path, ask: Ask) -> None:
    """After that it stays on the list: nothing takes it off, and an alarm that never ends is none."""
    same = "<same@example.org>"
    for text in ("join Island", "join Portugal"):
        drop(spring, letter("Anna", text, message_id=same), at("2024-01-03 09:00"))
    mail_run(spring, at("2024-01-03 09:30"))
    code, found = ask(spring, NOW, "--json")
    assert (code, todo(found)) == (1, ["mail"])
    assert "anna@example.org" in found["todo"][0]["text"]
    mail_run(spring, at("2024-01-18 09:30"))
    code, found = ask(spring, at("2024-01-18 10:00"), "--json")
    assert "mail" not in todo(found)
    assert len(found["held"]) == 1


# ------------------------------------------------------------------ how it looks


def test_the_page_fits_the_terminal_and_begins_with_what_to_do(bare: Path, ask: Ask) -> None:
    """80 columns, however many play; commands stay on a line; colours on a terminal alone."""
    add_league(bare, names=NAMES)
    add_league(bare, "a-league-with-quite-a-long-name-for-one", ("Gero", "Hanna"))
    drop(bare, letter("Carla", "neem Atlantis"), at("2024-01-03 09:00"))
    run(bare, at("2024-01-03 09:30"))
    _, text = ask(bare, NOW)
    assert text.startswith("! spring: The last mail of Carla wasn't understood")
    assert "\x1b" not in text
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("    "))
    assert re.search(r"^spring +1  Thu 4 Jan, 24:00  1 d 13 h   0/6$", text, re.MULTILINE)
    assert "  Thu 4 Jan, 00:00: who hasn't sent orders for round 1 is reminded\n" in text
    site = opened(bare, NOW)
    shown = told(site, site_status(site), "en")
    label = words_of(site, "en").label
    site.engine.dispose()
    assert any("\x1b[31m" in line for line in page(shown, NOW, label))


@pytest.mark.parametrize(
    ("lang", "head", "puzzled"),
    [
        ("de", "LIGA    RUNDE  TERMIN", "letzte Mail nicht verstanden"),
        ("nl", "COMPETITIE  RONDE  DEADLINE", "laatste mail niet begrepen"),
    ],
)
def test_headings_are_in_the_language_asked_for(bare: Path, lang: str, head: str, puzzled: str) -> None:
    """Like all else on the page; columns are as wide as their headings."""
    add_league(bare)
    drop(bare, letter("Carla", "doe mee in Frankrijk"), at("2024-01-03 09:00"))
    run(bare, at("2024-01-03 09:45"))
    site = opened(bare, NOW)
    label = words_of(site, lang).label
    lines = list(page(told(site, site_status(site), lang), NOW, label))
    site.engine.dispose()
    (first,) = [unstyle(line) for line in lines if "DEADLINE" in line or "TERMIN" in line]
    assert head in first
    assert label("puzzled") == puzzled
    row = next(line for line in lines if line.startswith("spring"))
    assert row.index("1") == first.index(head.split()[1]) + len("RUNDE") - 1


def test_with_nothing_to_do_it_says_so(spring: Path, ask: Ask) -> None:
    """And ends with 0."""
    configure(spring, organizer="chief@example.org")
    mail_run(spring, at("2024-01-03 09:30"))
    code, text = ask(spring, NOW)
    assert (code, text.splitlines()[0]) == (0, "Nothing waits for you.")


def test_every_sentence_is_there_in_every_language(spring: Path) -> None:
    """Each kind of thing to do, of step and of state has words that differ between languages."""
    site = opened(spring, NOW)
    info = site_info(site)
    names = [name for name in dir(environment("en", info).get_template("desk.jinja").module) if name[:2] != "__"]
    kinds = [name.removeprefix("todo_") for name in names if name.startswith("todo_")]
    assert len(kinds) > 15
    for kind in kinds:
        said = {DeskWords(info, lang, "Europe/Berlin").todo(Todo(kind, "", facts=FACTS)) for lang in i18n.LANGS}
        assert len(said) == 3, kind
    site.engine.dispose()


def test_the_deadline_is_told_on_the_leagues_clock(bare: Path, ask: Ask) -> None:
    """Midnight is the 24:00 of the day that ends."""
    add_league(bare)
    _, found = ask(bare, NOW, "--json")
    (row,) = found["leagues"]
    assert (row["due"], row["zone"], row["seconds_left"]) == ("Thu 4 Jan, 24:00", "Europe/Berlin", 37 * 3600)
    german = ask(bare, NOW, "--json", "--lang", "de")[1]["leagues"][0]
    assert german["due"].startswith("Do")


# ------------------------------------------------------------------ speed


def test_fifty_leagues_cost_as_many_statements_as_three(tmp_path: Path, bare: Path) -> None:
    """The number of statements doesn't grow with the number of leagues."""

    def statements(count: int) -> int:
        path = copy(bare, tmp_path / f"site{count}")
        for number in range(count):
            add_league(path, f"league-{number:02}", (f"P{number}", f"Q{number}"))
        mail_run(path, at("2024-01-05 00:00"))
        site = opened(path, at("2024-01-05 09:00"))
        seen: list[str] = []

        def note(*args: Any) -> None:
            seen.append(args[2])

        event.listen(site.engine, "before_cursor_execute", note)
        assert len(site_status(site).leagues) == count
        site.engine.dispose()
        return len(seen)

    assert statements(3) == statements(50)
