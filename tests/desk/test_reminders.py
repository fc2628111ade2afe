"""Before a deadline: silent players are reminded once, the organizer is told what there is to do."""

from datetime import timedelta
from pathlib import Path

import pytest

from league.core.json import JsonDict
from league.desk.acts.absence import instruct
from league.desk.acts.change_seats import retire
from league.desk.overview.remind import least_left, mark_at
from league.desk.people.players import NewPlayer, add_players
from league.desk.post.roster import any_order_or_press
from league.failpoints import KILLED
from league.storage import engine as database
from league.storage import leagues
from league.storage.outbox import OutMail, queue
from tests.desk.forks import Forks, command
from tests.desk.sites import Out, add_league, at, drop, letter, mail_run, make_site, opened, outbox, rows, run, verdicts

DEADLINE = at("2024-01-04 23:00")
DUE = DEADLINE - timedelta(hours=24)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
ORGANIZER = "chief@example.org"


def configure(path: Path, **values: str | int) -> Path:
    """Set keys in league.toml, as a person does."""
    file = path / "league.toml"
    lines = file.read_text("utf-8").splitlines()
    for key, value in values.items():
        written = f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
        assert sum(line.startswith(f"{key} = ") for line in lines) == 1
        lines = [written if line.startswith(f"{key} = ") else line for line in lines]
    file.write_text("\n".join(lines), "utf-8")
    return path


def write(path: Path, name: str, text: str, arrived: str = "2024-01-03 10:00") -> None:
    drop(path, letter(name, text), at(arrived))


def reminded(path: Path) -> list[str]:
    return sorted(out.to.partition("@")[0] for out in outbox(path, "remind"))


def told(path: Path) -> list[Out]:
    return outbox(path, "desk")


def fail(path: Path, code: str, address: str = "dirk@example.org") -> None:
    """A mail to a seat that didn't arrive."""
    site = opened(path, at("2024-01-02 11:00"))
    with database.write(site.engine) as connection:
        (seat,) = (seat for seat in leagues.seats(connection, [1]) if seat.code == code)
        lost = OutMail("<x@play.example>", "welcome", address, b"", site.now, 1, 1, seat.id, state="failed")
        queue(connection, [lost])
    site.engine.dispose()


def add_tricky(path: Path, slug: str = "spring") -> None:
    """A player whose name is an order: nobody gets such a name any more, but who had it has kept it."""
    site = opened(path, at("2024-01-02 09:00"))
    add_players(site, slug, [NewPlayer("Tess", "tricky@example.org", "en")])
    with database.write(site.engine) as connection:
        league = leagues.league(connection, slug)
        assert league is not None
        (tess,) = (one for one in leagues.players(connection, league.id) if one.name == "Tess")
        leagues.set_player(connection, tess.id, name="take Paris")
    site.engine.dispose()


# ------------------------------------------------------------------ players


def test_who_has_not_sent_is_reminded_once_in_his_language(spring: Path) -> None:
    """A day before the deadline and not a minute earlier; however often `run` is called."""
    write(spring, "Anna", "join Island")
    mail_run(spring, DUE - MINUTE)
    assert reminded(spring) == []
    for later in (timedelta(), 5 * MINUTE, 3 * HOUR, 20 * HOUR):
        mail_run(spring, DUE + later)
    assert reminded(spring) == ["ben", "carla"]
    ben, carla = (outbox(spring, "remind", name)[0] for name in ("Ben", "Carla"))
    assert ben.mail["Subject"] == "[spring] Round 1: your orders are missing"
    assert "Orders until: Thursday, 4 January 2024, 24:00 (Europe/Berlin) =\n2024-01-04 23:00 UTC" in ben.text
    assert carla.mail["Subject"] == "[spring] Ronde 1: je opdrachten ontbreken"
    assert "Ben" not in carla.text
    assert {out.mail["Date"].datetime for out in (ben, carla)} == {DUE}
    assert ben.mail["Auto-Submitted"] == "auto-generated"


def test_a_reminder_sent_back_whole_is_no_order(spring: Path) -> None:
    """Whatever a mail program makes of it, and whatever a player is called."""
    add_tricky(spring)
    run(spring, DUE)
    assert len(outbox(spring, "remind")) == 4
    for out in outbox(spring, "remind"):
        assert not any_order_or_press(out.text)
    drop(spring, letter("Anna", outbox(spring, "remind", "Anna")[0].text), DUE + HOUR)
    run(spring, DUE + HOUR + MINUTE)
    assert [verdict for verdict, _ in verdicts(spring)] == ["ask"]


def test_pass_is_an_answer_and_a_message_is_none(spring: Path) -> None:
    """A pass counts as heard from; a message to the others leaves the orders missing."""
    write(spring, "Anna", "passe")
    write(spring, "Ben", "press to all:\nhello\nend")
    mail_run(spring, DUE)
    assert reminded(spring) == ["ben", "carla"]


def test_who_was_not_understood_is_not_reminded(spring: Path) -> None:
    """The answer said so at once: not sending and not being understood are different things."""
    write(spring, "Ben", "take Atlantis")
    mail_run(spring, DUE)
    assert reminded(spring) == ["anna", "carla"]


def test_who_is_away_or_gone_or_unreachable_is_not_reminded(bare: Path) -> None:
    """An absence speaks, a retired player plays no more, and an address that takes no mail gets none."""
    add_league(bare, names=("Anna", "Ben", "Carla", "Dirk"))
    site = opened(bare, at("2024-01-02 09:00"))
    instruct(site, "spring", "Anna", until="3", texts=(), why="holiday")
    retire(site, "spring", "Carla", why="asked")
    site.engine.dispose()
    mail_run(bare, at("2024-01-02 10:00"))
    fail(bare, "s4")
    mail_run(bare, DUE)
    assert reminded(bare) == ["ben"]


def test_standing_orders_speak(bare: Path) -> None:
    """Who keeps orders for silent rounds isn't silent; in the week after, when the line was in force."""
    add_league(bare, standing="on")
    for name in ("Anna", "Ben", "Carla"):
        write(bare, name, "join Island" if name == "Anna" else "join Portugal")
    write(bare, "Anna", "dauernd: passe", "2024-01-03 11:00")
    mail_run(bare, at("2024-01-04 12:00"))
    assert reminded(bare) == []
    mail_run(bare, at("2024-01-05 00:00"))
    mail_run(bare, DUE + timedelta(days=7))
    assert reminded(bare) == ["ben", "carla"]


@pytest.mark.parametrize(("left", "sent"), [(360, 3), (359, 0), (0, 0)])
def test_a_late_run_reminds_as_long_as_it_is_of_use(left: int, sent: int, spring: Path) -> None:
    """A timer that runs once a day is enough; with less than six hours left nobody is reminded."""
    mail_run(spring, DEADLINE - left * MINUTE)
    assert len(reminded(spring)) == sent


def test_a_short_time_has_half_of_it_to_be_late(spring: Path) -> None:
    """With `remind_hours = 4` a reminder comes until two hours before."""
    assert (least_left(24), least_left(12), least_left(4)) == (6 * HOUR, 6 * HOUR, 2 * HOUR)
    configure(spring, remind_hours=4)
    mail_run(spring, DEADLINE - 5 * HOUR)
    assert reminded(spring) == []
    mail_run(spring, DEADLINE - 2 * HOUR)
    assert reminded(spring) == ["anna", "ben", "carla"]


def test_nobody_is_reminded_where_it_is_switched_off(spring: Path) -> None:
    """`remind_hours = 0`."""
    configure(spring, remind_hours=0)
    mail_run(spring, DUE + HOUR)
    assert reminded(spring) == []


def test_while_mail_lies_unread_nobody_is_called_silent(spring: Path) -> None:
    """An order may be among it; once it can be read, the others are reminded."""
    hidden = spring / "mail" / "in" / "new" / "link.eml"
    hidden.symlink_to(spring / "elsewhere.eml")
    (spring / "elsewhere.eml").write_bytes(letter("Anna", "join Island"))
    mail_run(spring, DUE)
    assert reminded(spring) == []
    hidden.unlink()
    mail_run(spring, DUE + HOUR)
    assert reminded(spring) == ["anna", "ben", "carla"]


def test_killed_or_twice_at_once_each_reminder_is_queued_once(spring: Path, processes: Forks) -> None:
    """A crash before or after sending repeats no mail but that of the window that nobody can close, with its id."""
    configure(spring, organizer=ORGANIZER)
    for place in ("outbox.sending", "outbox.delivered"):
        assert processes.league(spring, DUE, "run", LEAGUE_FAILPOINT=place).code == KILLED
    ended = processes.at_once(*(command(spring, DUE + HOUR, "run") for _ in range(2)))
    assert [one.code for one in ended] == [0, 0]
    assert reminded(spring) == ["anna", "ben", "carla"]
    assert len(told(spring)) == 1
    assert {row["state"] for row in rows(spring, "SELECT state FROM outbox")} == {"sent"}
    assert len(list((spring / "mail" / "out" / "new").iterdir())) == len(rows(spring, "SELECT id FROM outbox"))


def test_the_same_reminder_is_the_same_mail(spring: Path, tmp_path: Path) -> None:
    """Whenever it was sent."""
    other = make_site(tmp_path / "other")
    add_league(other)
    mail_run(spring, DUE)
    mail_run(other, DUE + 17 * HOUR)
    assert [out.raw for out in outbox(spring, "remind")] == [out.raw for out in outbox(other, "remind")]


# ------------------------------------------------------------------ the organizer


@pytest.mark.parametrize(
    ("hours", "mark"),
    [
        (49, None),
        (48, 48),
        (25, 48),
        (24, 24),
        (6, 24),
        (5.9, None),
        (2.1, None),
        (2, 2),
        (0.1, 2),
        (0, None),
        (-1, None),
    ],
)
def test_of_several_marks_the_last_is_sent_and_none_too_late(hours: float, mark: int | None) -> None:
    """48, 24 and 2 hours; a late one until six hours are left, that of two hours to the end."""
    assert mark_at(timedelta(hours=hours)) == mark


def test_the_organizer_is_told_at_each_mark_and_no_oftener(spring: Path) -> None:
    """Three mails at most for a deadline, though `run` is called every hour; the first for a mail not understood."""
    configure(spring, organizer=ORGANIZER)
    write(spring, "Ben", "take Atlantis", "2024-01-02 10:00")
    for hours in range(50, -1, -1):
        mail_run(spring, DEADLINE - hours * HOUR)
    mails = told(spring)
    assert [out.to for out in mails] == [ORGANIZER] * 3
    assert [out.mail["Date"].datetime for out in mails] == [DEADLINE - h * HOUR for h in (48, 24, 2)]
    first = mails[0].text
    assert mails[0].mail["Subject"] == "[Demo] Orders are due in 48 hours"
    assert "- spring: The last mail of Ben wasn't understood, and nothing of theirs\n" in first
    assert "\n# league orders enter spring Ben - --why WHY\n" in first
    assert first.index("To do") < first.index("== spring ==")
    assert "- not understood: Ben\n" in first
    assert "- nothing yet: Anna and Carla\n" in first
    assert not any(any_order_or_press(out.text) for out in mails)


def test_with_nothing_to_do_the_organizer_has_peace(spring: Path) -> None:
    """Nothing at 48 hours while players have time; nothing at all where everyone has sent."""
    configure(spring, organizer=ORGANIZER)
    mail_run(spring, DEADLINE - 47 * HOUR)
    assert told(spring) == []
    for name in ("Anna", "Ben", "Carla"):
        write(spring, name, "passe" if name == "Anna" else "pass" if name == "Ben" else "pas", "2024-01-03 10:00")
    for hours in (30, 20, 1):
        mail_run(spring, DEADLINE - hours * HOUR)
    assert told(spring) == []


def test_without_an_address_nothing_is_mailed(spring: Path) -> None:
    """The setting is empty until somebody fills it in."""
    mail_run(spring, DUE)
    assert told(spring) == []


def test_one_mail_for_all_leagues_of_a_deadline(bare: Path) -> None:
    """In the site's language; a name that looks like an order is none in it."""
    add_league(bare, "spring", ("Anna",))
    add_league(bare, "autumn", ("Dirk",))
    add_tricky(bare)
    configure(bare, organizer=ORGANIZER, lang="de")
    mail_run(bare, DUE)
    mail_run(bare, DUE + HOUR)
    (mail,) = told(bare)
    assert mail.mail["Subject"] == "[Demo] In 24 Stunden ist Abgabe"
    assert "== autumn ==" in mail.text
    assert "== spring ==" in mail.text
    assert "- noch nichts: Anna und take Paris" in mail.text
    assert "- Fr. 5. Jan., 00:15: Runde 1 wird geschlossen" in mail.text.replace("Fr.,", "Fr.")
    assert not any_order_or_press(mail.text)


def test_a_run_says_how_many_it_reminded(spring: Path) -> None:
    """For programs."""
    first, again = mail_run(spring, DUE).reminded, mail_run(spring, DUE + HOUR).reminded
    facts: JsonDict = {"players": first.players, "again": again.players}
    assert facts == {"players": 3, "again": 0}
