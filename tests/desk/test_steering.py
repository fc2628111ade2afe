"""Deadlines extended, rounds held and released, the program asleep: told to everyone, shown, written down."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from league.cli import main
from league.core.errors import BadInput, Refused
from league.desk.acts.pause_rounds import pause_rounds
from league.desk.acts.steer_round import extend, hold, release
from league.desk.leagues.calendar import last_day, round_of, with_extension
from league.desk.rounds.extend_round import read_deadline
from league.desk.run.run_site import run_site
from league.games.kuel.meta import META
from tests.desk.sites import (
    Out,
    address,
    at,
    bodies,
    drop,
    figures,
    letter,
    mail_run,
    opened,
    outbox,
    public,
    rows,
    run,
    verdicts,
)

WEDNESDAY, FRIDAY = at("2024-01-03 12:00"), at("2024-01-05 08:00")
NAMES = ("Anna", "Ben", "Carla")


def times(path: Path, number: int = 1) -> dict[str, str]:
    (row,) = rows(path, "SELECT opens_at, deadline_at, closes_at, ends_at FROM round WHERE number = ?", number)
    return {key: str(value)[:16] for key, value in row.items()}


def everyone(found: Sequence[Out]) -> list[str]:
    return sorted(out.to for out in found)


# ------------------------------------------------------------------ extending


def test_a_deadline_before_the_market_opens_moves_alone(spring: Path) -> None:
    """Friday 08:00: figures and the rounds behind stay where they are; a mail until then counts."""
    done = extend(opened(spring, WEDNESDAY), "spring", until="2024-01-05 08:00", why="the server was down")
    assert (done.round.number, done.weeks) == (1, 0)
    assert times(spring)["deadline_at"] == "2024-01-05T07:00"
    assert times(spring)["closes_at"] == "2024-01-05T07:15"
    assert times(spring)["ends_at"] == "2024-01-06T23:00"
    assert everyone(outbox(spring, "extended")) == sorted(map(address, NAMES))
    (told,) = outbox(spring, "extended", "Ben")
    assert "Friday, 5 January 2024, 08:00 (Europe/Berlin)" in told.text
    assert "| the server was down" in told.text
    drop(spring, letter("Ben", "join Portugal"), at("2024-01-05 06:30"))
    run(spring, at("2024-01-05 07:00"))
    assert b"The organizer has extended this deadline." in b"".join(public(spring).values())
    run(spring, FRIDAY)
    assert verdicts(spring) == [("accepted", "readable")]
    assert bodies(spring)[1]["deadline"] == "2024-01-05T07:00:00Z"
    assert times(spring, 2)["deadline_at"] == "2024-01-11T23:00"
    (act,) = rows(spring, "SELECT why, arguments FROM journal WHERE act = 'round extend'")
    assert (act["why"], json.loads(act["arguments"])["weeks"]) == ("the server was down", 0)


def test_past_the_opening_the_figures_are_a_week_later(spring: Path) -> None:
    """Friday 09:00 in Frankfurt is the last moment at which nobody can know them; the rounds behind move as well."""
    drop(spring, letter("Ben", "join Portugal\n"), at("2024-01-03 10:00"))
    mail_run(spring, WEDNESDAY)
    done = extend(opened(spring, WEDNESDAY), "spring", until="2024-01-05 09:00", why="illness")
    assert done.weeks == 1  # with its quarter of an hour of grace it would close after nine
    assert times(spring)["ends_at"] == "2024-01-13T23:00"
    assert "by 1 week" in " ".join(outbox(spring, "extended", "Ben")[0].text.split())
    mail_run(spring, at("2024-01-05 10:00"))
    assert [row["frozen_late"] for row in rows(spring, "SELECT frozen_late FROM round WHERE number = 1")] == [0]
    assert times(spring, 2)["opens_at"] == "2024-01-13T23:00"
    assert times(spring, 2)["deadline_at"] == "2024-01-18T23:00"
    assert bodies(spring)[1]["ends"] == "2024-01-13"


def test_extending_twice_and_pausing_keep_the_deadline(spring: Path) -> None:
    """A second extension counts from the first; a pause of later weeks doesn't take it back."""
    extend(opened(spring, WEDNESDAY), "spring", until="2024-01-05 07:00", why="first")
    extend(opened(spring, WEDNESDAY), "spring", hours=1, why="second")
    assert times(spring)["deadline_at"] == "2024-01-05T07:00"
    args = ("round", "pause", "spring", "--from", "2024-01-08", "--to", "2024-01-14", "--why", "snow")
    assert main(["--site", str(spring), "--now", WEDNESDAY.isoformat(), *args]) == 0
    assert times(spring)["deadline_at"] == "2024-01-05T07:00"
    mail_run(spring, FRIDAY)
    assert times(spring, 2)["deadline_at"] == "2024-01-18T23:00"


def test_a_pause_leaves_no_extended_deadline_in_it(spring: Path) -> None:
    """One that its week goes with falls away; one that alone lies in the pause is told to its organizer."""
    extend(opened(spring, WEDNESDAY), "spring", until="2024-01-05 07:00", why="first")
    site = opened(spring, WEDNESDAY)
    with pytest.raises(Refused, match="deadline of round 1 was moved to 2024-01-05, so that day can't be in a pause"):
        pause_rounds(site, "spring", date(2024, 1, 5), date(2024, 1, 12), why="snow")
    assert times(spring)["deadline_at"] == "2024-01-05T06:00"
    pause_rounds(site, "spring", date(2024, 1, 4), date(2024, 1, 5), why="snow")
    site.engine.dispose()
    moved = times(spring)
    assert moved["deadline_at"] == "2024-01-11T23:00"
    assert moved["opens_at"] < moved["deadline_at"] < moved["closes_at"]


@pytest.mark.parametrize(
    ("until", "why", "error", "said"),
    [
        ("2024-01-04 20:00", "x", Refused, "no later deadline"),
        ("2024-06-01 20:00", "x", BadInput, "use a pause"),
        ("next Friday", "x", BadInput, "write it like 2024-01-05 08:00"),
        ("2024-01-05 08:00", "  ", BadInput, "say why"),
    ],
)
def test_what_is_no_extension_is_refused(spring: Path, until: str, why: str, error: type[Exception], said: str) -> None:
    """The message says what would be right, and nothing is changed or told."""
    with pytest.raises(error, match=said):
        extend(opened(spring, WEDNESDAY), "spring", until=until, why=why)
    assert times(spring)["deadline_at"] == "2024-01-04T23:00"
    assert outbox(spring, "extended") == []


def test_a_closed_round_is_not_extended(spring: Path) -> None:
    """What the freeze has closed stays closed: the next round is the one that can wait."""
    mail_run(spring, FRIDAY)
    assert extend(opened(spring, FRIDAY), "spring", hours=2, why="x").round.number == 2


def test_deadlines_on_the_leagues_clock() -> None:
    """A wall-clock time of the league's zone, 24:00 among them, or an instant that says its zone."""
    assert read_deadline("2024-01-04 24:00", "Europe/Berlin") == at("2024-01-04 23:00")
    assert read_deadline("2024-07-04 20:00", "Europe/Berlin") == at("2024-07-04 18:00")
    assert read_deadline("2024-01-05T08:00:00+00:00", "Europe/Berlin") == at("2024-01-05 08:00")


def test_an_extension_over_weeks_moves_by_as_many() -> None:
    """Figures come after orders, however long the extension is."""
    from league.desk.leagues.calendar import make_calendar

    calendar = make_calendar(META, at("2024-01-02 00:00").date(), "Europe/Berlin", 15, None)
    longer = with_extension(calendar, 2, at("2024-01-24 12:00"), META.market)
    assert longer["moved"] == [2, 2]
    assert last_day(longer, 2).isoformat() == "2024-01-25"
    assert round_of(longer, 1, 2).deadline_at == at("2024-01-24 12:00")
    assert round_of(longer, 1, 3).deadline_at == at("2024-02-01 23:00")
    assert round_of(longer, 1, 1).deadline_at == at("2024-01-04 23:00")


# ------------------------------------------------------------------ holding


def test_a_held_round_waits_and_goes_on_by_itself(spring: Path) -> None:
    """Everyone hears of it, the page says what it waits for, and when the time is over the report goes out."""
    drop(spring, letter("Ben", "join Portugal"), at("2024-01-03 10:00"))
    run(spring, WEDNESDAY)
    held = hold(opened(spring, WEDNESDAY), "spring", hours=72, why="a look")
    assert (held.round, held.until) == (1, at("2024-01-06 12:00"))
    assert everyone(outbox(spring, "held")) == sorted(map(address, NAMES))
    ran = run(spring, FRIDAY)
    assert [dict(item)["kind"] for w in ran.resolved.waiting for item in w.pending] == ["hold"]
    assert b"it goes on at the latest 2024-01-06 12:00:00 UTC" in b"".join(public(spring).values())
    assert len(bodies(spring)) == 1
    run(spring, at("2024-01-06 12:00"))
    assert len(bodies(spring)) == 2
    with pytest.raises(Refused, match="is not held"):
        release(opened(spring, at("2024-01-06 12:00")), "spring", why="late")


def test_a_held_round_is_released(spring: Path) -> None:
    """`round release` ends the waiting; the record tells of both."""
    hold(opened(spring, WEDNESDAY), "spring", hours=300, why="a look")
    mail_run(spring, FRIDAY)
    assert release(opened(spring, FRIDAY), "spring", why="fine").round == 1
    mail_run(spring, FRIDAY)
    assert [d["kind"] for d in bodies(spring)[1]["decisions"]] == ["release"]
    assert [row["act"] for row in rows(spring, "SELECT act FROM journal WHERE act LIKE 'round %'")] == [
        "round hold",
        "round release",
    ]


def test_a_league_may_hold_every_round(bare: Path) -> None:
    """`hold_hours` counts from the moment that the round has all it needs."""
    args = (
        "new",
        "spring",
        "--game",
        "kuel",
        "--start",
        "2024-01-02",
        "--hold-hours",
        "10",
        "--option",
        "battles=drawn",
    )
    assert main(["--site", str(bare), "--now", at("2024-01-01 10:00").isoformat(), *args]) == 0
    closed = at("2024-01-04 23:15")
    mail_run(bare, at("2024-01-05 09:00"))
    assert len(bodies(bare)) == 1
    mail_run(bare, at("2024-01-05 09:15"))
    assert len(bodies(bare)) == 2
    assert bodies(bare)[1]["evaluated"] == closed.strftime("%Y-%m-%dT%H:%M:%SZ")


# ------------------------------------------------------------------ outage


def test_after_an_outage_everyone_gets_a_fair_extension(spring: Path) -> None:
    """Nothing closes by itself; released, the round waits for the first deadline that leaves everyone two days."""
    drop(spring, letter("Ben", "join Portugal"), at("2024-01-03 10:00"))
    drop(spring, letter("Anna", "join Island"), at("2024-01-16 10:00"))  # while nothing was run
    late = at("2024-01-24 10:00")
    with pytest.raises(Refused, match="league round release"):
        run_site(opened(spring, late))
    done = release(opened(spring, late), "spring", why="the machine was gone")
    assert done.extended is not None
    assert (done.round, done.extended.weeks) == (1, 4)
    assert times(spring)["deadline_at"] == "2024-02-01T23:00"
    assert everyone(outbox(spring, "extended")) == sorted(map(address, NAMES))
    run(spring, late)
    assert [row["status"] for row in rows(spring, "SELECT status FROM round")] == ["open"]
    assert [verdict for verdict, _ in verdicts(spring)] == ["accepted", "accepted"]
    run(spring, at("2024-02-02 08:00"))
    assert bodies(spring)[1]["position"]["players"].keys() == {"s1", "s2"}
    assert times(spring, 2)["deadline_at"] == "2024-02-08T23:00"


def test_the_outage_is_a_setting(spring: Path) -> None:
    """A careful site asks after a day already."""
    file = spring / "league.toml"
    file.write_text(file.read_text().replace("outage_hours = 360", "outage_hours = 24"))
    with pytest.raises(Refused, match="more than 24 hours"):
        mail_run(spring, at("2024-01-06 08:00"))
    assert len(mail_run(spring, at("2024-01-05 08:00")).frozen.rounds) == 1


# ------------------------------------------------------------------ the organizer by mail


@pytest.fixture
def site(spring: Path) -> Path:
    file = spring / "league.toml"
    file.write_text(file.read_text().replace('organizer = ""', 'organizer = "gm@example.org"'))
    return spring


def ask(path: Path, text: str, arrived: str, reply_to: str = "", sender: str = "gm@example.org") -> None:
    proven = sender != "gm@example.org"  # the organizer's mail server states nothing
    headers = {"In-Reply-To": reply_to} if reply_to else {}
    drop(
        path,
        letter("Someone", text, subject=f"x {arrived}", sender=sender, headers=headers, proven=proven),
        at(arrived),
    )
    run(path, at(arrived))


def flat(text: str) -> str:
    return " ".join(text.replace("\n| ", " ").split())


def confirmed(path: Path) -> str:
    """The id of the mail that the organizer was sent to reply to."""
    ask(path, "release spring", "2024-01-02 09:00")
    (out,) = outbox(path, "organizer/confirm")
    assert out.to == "gm@example.org"
    return str(out.mail["Message-ID"])


def test_no_command_runs_on_an_address_alone(site: Path) -> None:
    """It is quarantined and answered by a mail to reply to, once a day, however many come."""
    for hour in range(8, 12):
        ask(site, "extend spring 24 hours\nhold spring", f"2024-01-03 {hour:02}:00")
    assert set(verdicts(site)) == {("quarantined", "organizer_unproven")}
    assert times(site)["deadline_at"] == "2024-01-04T23:00"
    kinds = [out.kind for out in outbox(site) if not out.kind.startswith("desk/")]
    assert kinds == ["organizer/confirm/2024-01-03"]
    ask(site, "extend spring 24 hours", "2024-01-03 13:00", "<league.guessed@play.example>")
    assert verdicts(site)[-1] == ("quarantined", "organizer_unproven")


def test_a_line_that_is_nearly_a_command_is_answered(site: Path) -> None:
    """Beside one that is done and alone: it isn't done, and the answer shows how such lines are written."""
    thread = confirmed(site)
    ask(site, "extnd spring 24 hours\nThank you!", "2024-01-03 09:00", thread)
    assert verdicts(site)[-1] == ("ask", "organizer_no_command")
    ask(site, "hold spring 12\nextned spring 5 hours", "2024-01-03 10:00", thread)
    assert verdicts(site)[-1] == ("accepted", "organizer")
    alone, beside = (" ".join(out.text.split()) for out in outbox(site, "organizer/done"))
    assert "[1] extnd spring 24 hours – not done" in alone
    assert "# extend spring 24 hours" in alone
    assert "Thank you" not in alone
    assert "[1] hold spring 12 – done" in beside
    assert "[2] extned spring 5 hours – not done" in beside
    assert times(site)["deadline_at"] == "2024-01-04T23:00"


def test_a_plain_yes_is_answered(site: Path) -> None:
    """It confirms nothing, and the organizer is told so once a day instead of waiting."""
    thread = confirmed(site)
    for hour in (9, 10):
        ask(site, "Yes, please!", f"2024-01-03 {hour:02}:00", thread)
    assert verdicts(site)[1:] == [("ask", "organizer_no_command")] * 2
    (answer,) = outbox(site, "organizer/nothing")
    assert "a yes alone is none" in flat(answer.text)
    assert times(site)["deadline_at"] == "2024-01-04T23:00"


def test_a_strangers_or_players_mail_steers_nothing(site: Path) -> None:
    """Whoever else answers the organizer's mail, or writes such lines as a player."""
    thread = confirmed(site)
    ask(site, "extend spring 24 hours", "2024-01-03 09:00", thread, "eve@example.net")
    ask(site, "extend spring 24 hours", "2024-01-03 10:00", thread, address("Ben"))
    assert [verdict for verdict, _ in verdicts(site)[1:]] == ["rejected", "ask"]
    assert times(site)["deadline_at"] == "2024-01-04T23:00"


def test_hours_beyond_all_reason_are_refused(site: Path) -> None:
    """No fault of the program: the answer says what would do, and the deadline stays."""
    thread = confirmed(site)
    ask(site, "extend spring 99999999999 hours\nwhy: to try it", "2024-01-03 09:00", thread)
    (answer,) = outbox(site, "organizer/done")
    assert "8784" in answer.text
    assert times(site)["deadline_at"] == "2024-01-04T23:00"
    assert list(site.glob("fault-*.txt")) == []


def test_a_reply_extends_holds_and_releases(site: Path) -> None:
    """Each like the command of the same name, with the reason given, in the journal as the organizer's by mail."""
    thread = confirmed(site)
    ask(
        site,
        "extend spring until 2024-01-05 08:00\nhold spring 48\nwhy: the server was down",
        "2024-01-03 09:00",
        thread,
    )
    (answer,) = outbox(site, "organizer/done")
    assert "[1] extend spring until 2024-01-05 08:00 – done" in answer.text
    assert "2024-01-05 07:00:00 UTC" in answer.text
    assert "[2] hold spring 48 – done" in answer.text
    assert times(site)["deadline_at"] == "2024-01-05T07:00"
    ask(site, "freigeben spring", "2024-01-05 09:00", str(answer.mail["Message-ID"]))
    acts = rows(site, "SELECT act, who, why FROM journal WHERE act LIKE 'round %' ORDER BY id")
    assert [tuple(act.values()) for act in acts] == [
        ("round extend", "organizer by mail", "the server was down"),
        ("round hold", "organizer by mail", "the server was down"),
        ("round release", "organizer by mail", "by mail"),
    ]
    assert [verdict for verdict, _ in verdicts(site)[1:]] == ["accepted", "accepted"]


def test_standing_in_for_a_player_tells_both(site: Path) -> None:
    """The orders are a mail of their own; the player gets its answer, the organizer his."""
    thread = confirmed(site)
    ask(site, "enter spring Ben:\njoin Portugal\nend\nwhy: told by phone", "2024-01-03 09:00", thread)
    (told,) = outbox(site, "receipt", "Ben")
    assert "[1] join Portugal" in told.text
    assert "Ben gets the answer" in outbox(site, "organizer/done")[0].text
    (act,) = rows(site, "SELECT who, why FROM journal WHERE act = 'orders enter'")
    assert (act["who"], act["why"]) == ("organizer by mail", "told by phone")


def test_a_later_mail_of_the_same_batch_finds_the_deadline_moved(site: Path) -> None:
    """What the organizer changed holds for the mails behind it, though they are read in one go."""
    thread = confirmed(site)
    text, headers = "extend spring until 2024-01-05 08:00", {"In-Reply-To": thread}
    drop(site, letter("GM", text, sender="gm@example.org", headers=headers), at("2024-01-03 09:00"))
    drop(site, letter("Ben", "join Portugal"), at("2024-01-05 06:00"))
    mail_run(site, at("2024-01-05 06:30"))
    assert [verdict for verdict, _ in verdicts(site)[1:]] == ["accepted", "accepted"]


def test_what_cant_be_done_is_told_with_the_reason(site: Path) -> None:
    """Line by line; the others are carried out; nothing of one that fails is left behind."""
    thread = confirmed(site)
    lines = (
        "extend sprnig 24 hours", "extend spring soon", "extend spring until 2024-01-01 08:00", "result spring Paris",
        "result spring Paris winner Ben", "enter spring Zorro:\njoin Rom\nend", "enter spring Ben", "release spring",
        "hold spring forever",
    )  # fmt: skip
    before = len(rows(site, "SELECT id FROM journal"))
    ask(site, "\n".join(lines), "2024-01-03 09:00", thread)
    (answer,) = outbox(site, "organizer/done")
    assert answer.text.count("– not done") == len(lines)
    assert "2024-01-01 07:00:00 UTC is no later deadline" in flat(answer.text)
    assert "Nobody called “Zorro” plays here. There are: Anna, Ben, Carla" in flat(answer.text)
    assert len(rows(site, "SELECT id FROM journal")) == before


REFUSED = (
    ("extend spring until soon", "wird nicht als Termin verstanden", "wordt niet als deadline begrepen"),
    ("extend spring until 2024-01-01 08:00", "ist kein späterer Termin", "is geen latere deadline"),
    ("extend spring until 2024-12-01 08:00", "dafür gibt es die Pause", "gebruik daarvoor een pauze"),
    ("hold spring 9999", "Eine Runde kann 1 bis", "Een ronde kan 1 tot"),
    ("release spring", "Runde 1 wartet nicht auf dich.", "Ronde 1 wacht niet op jou."),
    ("result spring Paris winner Ben", "Gerade wird keine Runde ausgewertet", "Er wordt nu geen ronde uitgewerkt"),
    ("enter spring Zorro:\njoin Rom\nend", "Niemand namens „Zorro“ spielt hier", "Niemand met de naam “Zorro” speelt"),
)


@pytest.mark.parametrize("lang", ["de", "nl"])
def test_refusals_come_in_the_organizers_language(site: Path, lang: str) -> None:
    """What the program says at the command line in English; here each reason is a sentence of the catalogs."""
    file = site / "league.toml"
    file.write_text(file.read_text().replace('lang = "en"', f'lang = "{lang}"'))
    thread = confirmed(site)
    ask(site, "\n".join(line for line, *_ in REFUSED), "2024-01-03 09:00", thread)
    (answer,) = outbox(site, "organizer/done")
    text = flat(answer.text)
    for _, german, dutch in REFUSED:
        assert (german if lang == "de" else dutch) in text


def test_the_same_mail_again_does_nothing(site: Path) -> None:
    """Byte by byte, or by another way with the same Message-ID."""
    thread = confirmed(site)
    raw = letter("GM", "extend spring 5 hours", sender="gm@example.org", headers={"In-Reply-To": thread})
    for arrived in ("2024-01-03 09:00", "2024-01-03 09:10"):
        drop(site, raw, at(arrived))
        mail_run(site, at(arrived))
    drop(site, raw.replace(b"Subject: Orders", b"Subject: Orders\r\nX-Way: another"), at("2024-01-03 09:20"))
    mail_run(site, at("2024-01-03 09:20"))
    assert times(site)["deadline_at"] == "2024-01-05T04:00"
    assert [verdict for verdict, _ in verdicts(site)[1:]] == ["accepted", "duplicate"]


def test_results_by_mail(tmp_path: Path) -> None:
    """The organizer's word on a battle, as `league result enter` takes it."""
    from tests.desk.test_replies import JOINS, TAKES, begin, week

    path = week(begin(tmp_path / "site", JOINS), TAKES)
    file = path / "league.toml"
    file.write_text(file.read_text().replace('organizer = ""', 'organizer = "gm@example.org"'))
    ask(path, "release spring", "2024-01-12 09:00")
    thread = str(outbox(path, "organizer/confirm")[0].mail["Message-ID"])
    ask(path, "Ergebnis spring Spanien Sieger Anna\nGrund: saw it", "2024-01-12 10:00", thread)
    (row,) = rows(path, "SELECT facts FROM decision WHERE kind = 'result'")
    assert json.loads(row["facts"])["winner"] == "s1"
    figures(path, at("2024-01-13 21:30"))


def test_commands_of_the_command_line(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same at the command line, as text and as JSON."""

    def cli(*args: str) -> str:
        assert main(["--site", str(spring), "--now", WEDNESDAY.isoformat(), "round", *args]) == 0
        return capsys.readouterr().out

    assert cli("extend", "spring", "--hours", "3", "--why", "x") == "Orders for round 1 are due 2024-01-05T02:00:00Z.\n"
    told = json.loads(cli("extend", "spring", "--until", "2024-01-06 20:00", "--why", "x", "--json"))
    assert told == {"round": 1, "deadline": "2024-01-06T19:00:00Z", "closes": "2024-01-06T19:15:00Z", "weeks": 1}
    assert json.loads(cli("hold", "spring", "--why", "x", "--json")) == {"round": 1, "until": "2024-01-04T12:00:00Z"}
    assert json.loads(cli("release", "spring", "--why", "x", "--json")) == {"round": 1, "deadline": None}
