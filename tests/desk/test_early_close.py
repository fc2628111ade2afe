"""A round closes before its deadline once everybody's orders are final (EUROPA's rules, 8.5), and never else."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest

from league.core.errors import BadInput
from league.desk.acts.enter_orders import enter_orders
from league.desk.acts.new_league import new_league
from league.desk.inbox.accept_mail import Accepted
from league.desk.leagues.calendar import days_of_figures
from league.desk.proof.verify import verify
from league.desk.proof.verify_early import early_faults
from league.desk.rebuild import rebuild
from league.desk.recovery.back_up import back_up
from league.desk.recovery.restore import restore
from league.desk.recovery.word_on_head import confirm
from league.desk.run.freeze_rounds import freeze_rounds
from league.games.europa.orders import Ready
from league.records.sealed import read_whole
from tests.desk.forks import Forks
from tests.desk.phases import BEGIN, SLUG, Match
from tests.desk.signed import alone
from tests.desk.sites import copy, mail_run, make_site, opened, outbox, public, rows, run, sealed

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
FINAL = "PLACE germany 9\nFINAL\n"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A match that waits for its first placement, in a league that allows it."""
    return Match.begin(tmp_path_factory.mktemp("early") / "site", "72h", early_close="yes").started()


@pytest.fixture
def match(begun: Match, tmp_path: Path) -> Match:
    return Match(copy(begun.path, tmp_path / "site"), options=begun.options)


def sunday(hour: int, minute: int = 0) -> datetime:
    """The day after the report that opened the round."""
    return datetime(2024, 1, 7, hour, minute, tzinfo=UTC)


def number(match: Match) -> int:
    return int(match.round()["number"])


@pytest.fixture(scope="module")
def closed(begun: Match, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """Everybody is final on Sunday at ten, and the run of half past ten closes; so with the next phase at noon."""
    match = Match(copy(begun.path, tmp_path_factory.mktemp("closed") / "site"), options=begun.options)
    match.write(sunday(10), final=True)
    mail_run(match.path, sunday(10, 30))
    match.write(sunday(12), final=True)
    run(match.path, sunday(12, 30))
    return match


def test_it_closes_with_the_next_run(closed: Match) -> None:
    """As of the moment up to which all mail was read; the deadline stays what was announced, and the record says so."""
    second, third = closed.told()[1:]
    assert (second["closes"], second["deadline"]) == ("2024-01-07T10:29:00Z", "2024-01-09T20:00:00Z")
    assert second["freeze"]["early"] is True
    assert second["evidence"] == []
    assert (third["opens"], third["deadline"]) == ("2024-01-07T10:30:00Z", "2024-01-10T11:00:00Z")
    assert third["closes"] == "2024-01-07T12:29:00Z"
    assert (closed.state().phase, closed.time()) == ("VOTE", datetime(2024, 1, 10, 13, tzinfo=UTC))
    acts = rows(closed.path, "SELECT who, why, arguments FROM journal WHERE act = 'round early'")
    assert [(row["who"], row["why"]) for row in acts] == [("calendar", "everybody's orders are final")] * 2
    assert json.loads(acts[0]["arguments"]) == {"round": 2, "closes": "2024-01-07T10:29:00Z"}


def test_everybody_is_told(closed: Match) -> None:
    """With the check sums, on the round's page and in the journal."""
    assert "Die Befehle aller waren endgültig" in " ".join(outbox(closed.path, "freeze", "anna")[-1].text.split())
    pages = public(closed.path)
    assert "Die Befehle aller waren endgültig" in pages["union/round-2.html"].decode()
    assert "round early" in pages["union/journal.json"].decode()
    assert "Es wird früher geschlossen" in pages["union/index.html"].decode()


def test_it_can_be_recomputed(closed: Match, tmp_path: Path) -> None:
    """Both verifiers take it as an honest freeze, and a site built anew has the same records."""
    found = verify(str(closed.path))
    assert found.holds, [one.faults[:3] for one in found.all]
    assert alone(closed.path / "public").returncode == 0
    done = rebuild(tmp_path / "new", copy(closed.path, tmp_path / "copied"), sunday(20))
    assert (done.troubles, done.is_same) == ((), True), done.matches


def test_one_who_was_not_final_is_a_fault(closed: Match) -> None:
    """Once orders are open everybody sees whether each seat had said so; where a league allows it is seen at once."""
    sealed_body = closed.told()[1]
    orders = [
        {"seat": f"s{place}", "phase": 1, "orders": ["PLACE germany 2", "FINAL"], "received_at": "2024-01-07T10:00:00Z"}
        for place in (1, 2, 3)
    ]
    body: dict[str, Any] = {key: value for key, value in sealed_body.items() if key != "sealed"} | {"orders": orders}
    assert list(early_faults(sealed_body, "")) == list(early_faults(body, "")) == []
    later = {**orders[1], "orders": ["PLACE france 2"]}
    for row, seat in (({**body, "orders": orders[:2]}, "s3"), ({**body, "orders": [*orders, later]}, "s2")):
        assert [what for _, what in early_faults(row, "")] == [
            f"it was closed before its deadline, and {seat} hadn't said that its orders are final"
        ]
    assert list(early_faults({**body, "orders": orders[:2], "left": ["s3"]}, "")) == []
    never = {**body, "rules": {**body["rules"], "options": {**body["rules"]["options"], "early_close": "no"}}}
    assert [name for name, _ in early_faults(never, "")] == ["freeze.early"]


def test_a_match_of_a_few_days(tmp_path: Path) -> None:
    """Every phase that asks is closed early; at the end, when orders are open, each seat's word bears it out."""
    match = Match.begin(tmp_path / "site", "72h", early_close="yes", elections_per_mail=0).started(pages=False)
    while match.state().phase != "END":
        now = match.time("opens_at") + 2 * HOUR
        match.write(now - HOUR, final=True)
        mail_run(match.path, now)
        if match.round()["status"] == "frozen":
            match.draw((match.time("ends_at") - HOUR).date(), pages=False)
    run(match.path, match.time("ends_at") + HOUR)
    told = match.told()
    assert all(body["freeze"].get("early") for body in told[1:])
    assert datetime.fromisoformat(told[-1]["evaluated"]) - sunday(0) < 15 * DAY
    found = verify(str(match.path))
    assert found.holds, [one.faults[:3] for one in found.all]
    assert alone(match.path / "public").returncode == 0
    assert [fault for body in opened_bodies(match) for fault in early_faults(body, "")] == []
    missing = []
    for body in opened_bodies(match):
        without = [row for row in body["orders"] if row["seat"] != "s2"]
        missing += [what for _, what in early_faults({**body, "orders": without}, "")]
    assert "it was closed before its deadline, and s2 hadn't said that its orders are final" in missing


def opened_bodies(match: Match) -> list[dict[str, Any]]:
    """Its rounds with the orders that were opened with its end."""
    return [read_whole(one.body, one.secret) for one in sealed(match.path) if one.secret is not None]


def test_who_takes_it_back_keeps_it_open(match: Match) -> None:
    """A later mail with orders and without the word; with the word again it closes. What is told is a number alone."""
    match.write(sunday(9), ["Anna", "Ben"], final=True)
    mail_run(match.path, sunday(9, 30))
    match.write(sunday(9, 40), ["Carla"], final=True)
    match.post("Ben", "PLACE france 9\n", sunday(10))
    mail_run(match.path, sunday(10, 30))
    assert match.round()["status"] == "open"
    first, back = (" ".join(out.text.split()) for out in outbox(match.path, "receipt", "ben"))
    assert "These orders are final. Those of 1 other player aren't yet" in first
    assert "Your orders were final; with this mail they no longer are." in back
    match.post("Ben", "FINAL\n", sunday(11))
    mail_run(match.path, sunday(11, 30))
    last = " ".join(outbox(match.path, "receipt", "ben")[-1].text.split())
    assert "These orders are final. So are everybody's" in last
    assert "FINAL" in last
    assert "France 9" in last
    assert number(match) == 3
    told = " ".join(out.text for out in outbox(match.path, "receipt"))
    assert not [name for name in ("Anna", "Ben", "Carla") if f"{name}'s" in told]


def test_a_mail_that_is_asked_about_keeps_it_open(match: Match) -> None:
    """It may have been to change something: only the next that is understood says whether orders are final."""
    match.write(sunday(9), final=True)
    match.post("Ben", "PLCE germany 3\n", sunday(9, 30))
    mail_run(match.path, sunday(10, 30))
    assert outbox(match.path, "ask", "ben")
    assert number(match) == 2
    match.post("Ben", "PLACE germany 3\nFINAL\n", sunday(11))
    mail_run(match.path, sunday(11, 30))
    assert number(match) == 3


def test_a_line_that_is_not_understood_is_never_final(match: Match) -> None:
    """The word beside it isn't taken: the answer says so, and what to send; the phase waits for the better mail."""
    match.write(sunday(9), ["Anna", "Carla"], final=True)
    match.post("Ben", "PLACE germany 2\nPLACE atlantis 3\nFINAL\n", sunday(9, 10))
    mail_run(match.path, sunday(10, 30))
    assert match.round()["status"] == "open"
    told = " ".join(outbox(match.path, "receipt", "ben")[-1].text.split())
    assert "Germany 2" in told
    assert "These orders are final" not in told
    assert "Not taken as final, since another line of this mail wasn't understood." in told
    assert "with FINAL beside it; if nothing is missing, send FINAL alone." in told
    match.post("Ben", "PLACE atlantis 3\nFINAL\n", sunday(10, 40))
    mail_run(match.path, sunday(11, 0))
    assert match.round()["status"] == "open"
    match.post("Ben", "FINAL\n", sunday(11, 10))
    mail_run(match.path, sunday(11, 30))
    assert number(match) == 3
    assert "Beside that no order of yours counts" not in outbox(match.path, "receipt", "ben")[-1].text


def test_what_was_final_is_not_beside_a_slip(match: Match) -> None:
    """A second mail with an order and a line that isn't understood takes the word of the first back, and says so."""
    match.write(sunday(9), final=True)
    match.post("Ben", "PLACE france 1\nPLACE atlantis 3\nFINAL\n", sunday(9, 10))
    mail_run(match.path, sunday(10, 30))
    assert match.round()["status"] == "open"
    told = " ".join(outbox(match.path, "receipt", "ben")[-1].text.split())
    assert "Your orders were final; with this mail they no longer are." in told


def test_the_word_alone_says_what_it_means(match: Match) -> None:
    """It is final; with no order beside it the answer says that all is done as for who sends nothing."""
    match.post("Ben", "FINAL\n", sunday(9))
    match.post("Anna", "PLACE germany 2\nFINAL\n", sunday(9))
    mail_run(match.path, sunday(9, 30))
    told, full = (" ".join(outbox(match.path, "receipt", name)[-1].text.split()) for name in ("ben", "anna"))
    assert "These orders are final." in told
    assert "Beside that no order of yours counts: all is done as the rules provide for who sends nothing." in told
    assert "Diese Befehle sind endgültig." in full
    assert "zählt kein Befehl von dir" not in full


def test_the_word_in_a_message_closes_nothing(match: Match) -> None:
    """Between a line of press and its `end` it is asked about, like every order there; nothing is passed on."""
    match.write(sunday(9), ["Anna", "Carla"], final=True)
    match.post("Ben", "press to all: hello\nFINAL\nend\n", sunday(9, 10))
    mail_run(match.path, sunday(10, 30))
    assert match.round()["status"] == "open"
    assert outbox(match.path, "press") == []
    told = " ".join(outbox(match.path, "ask", "ben")[-1].text.split())
    assert "It stands in the text of a press, so it wasn't carried out." in told


def test_one_who_is_missing_keeps_it_open(match: Match) -> None:
    """Orders of all are not enough, nor the word of most; at its deadline it closes like any other."""
    match.write(sunday(9), ["Anna", "Ben"], final=True)
    match.write(sunday(9, 30), ["Carla"])
    mail_run(match.path, sunday(10, 30))
    assert number(match) == 2
    mail_run(match.path, match.time("closes_at") + HOUR)
    body = match.told()[-1]
    assert body["closes"] == "2024-01-09T20:15:00Z"
    assert "early" not in body["freeze"]
    assert number(match) == 3


def test_a_fetch_that_began_too_soon_closes_nothing(match: Match) -> None:
    """A mail of the last minute may not have reached the mailbox yet: the next run closes."""
    match.write(sunday(10), final=True)
    mail_run(match.path, sunday(10, 2) + timedelta(seconds=30))
    assert match.round()["status"] == "open"
    mail_run(match.path, sunday(10, 4))
    assert match.told()[-1]["closes"] == "2024-01-07T10:03:00Z"


def test_a_mail_that_nobody_read_yet_is_read_first(match: Match) -> None:
    """Not while a mailbox couldn't be read to its end, nor before a mail server has proven its clock."""
    match.write(sunday(10), final=True)
    site = opened(match.path, sunday(10, 30))
    from league.desk.inbox.accept_mail import accept_mail

    accepted = accept_mail(site)
    assert freeze_rounds(site, replace(accepted, complete=False)).rounds == []
    assert freeze_rounds(site, replace(accepted, lag=HOUR)).rounds == []
    imap = replace(site.settings.mail.imap, host="imap.example.org")
    unproven = replace(site, settings=replace(site.settings, mail=replace(site.settings.mail, imap=imap)))
    assert freeze_rounds(unproven, accepted).rounds == []
    assert freeze_rounds(unproven, replace(accepted, clocks=[sunday(10, 29)])).rounds == [(SLUG, 2)]
    site.engine.dispose()


def test_a_late_mail_is_told_why(match: Match) -> None:
    """Whoever writes before the deadline and finds the round closed reads that everybody was final."""
    match.write(sunday(10), final=True)
    site = opened(match.path, sunday(10, 30))
    from league.desk.acts.steer_round import hold

    hold(site, SLUG, hours=48, why="a look")
    site.engine.dispose()
    mail_run(match.path, sunday(10, 30))
    match.post("Ben", "PLACE france 1\n", sunday(11))
    mail_run(match.path, sunday(11, 30))
    told = " ".join(outbox(match.path, "late", "ben")[-1].text.split())
    assert "but everybody's orders were final before: so they were closed already" in told
    assert "grace" not in told


def test_the_start_asks_nobody(tmp_path: Path) -> None:
    """It waits for its day: who comes is not known before."""
    match = Match.begin(tmp_path / "site", early_close="yes")
    mail_run(match.path, BEGIN + DAY)
    assert match.round()["status"] == "open"


def test_without_the_option_the_word_closes_nothing(tmp_path: Path) -> None:
    """The deadline stands, and the answer promises nothing."""
    match = Match.begin(tmp_path / "site", "72h").started(pages=False)
    match.write(sunday(10), final=True)
    mail_run(match.path, sunday(10, 30))
    assert match.round()["status"] == "open"
    told = outbox(match.path, "receipt", "ben")[-1].text
    assert "FINAL" in told
    assert "These orders are final" not in told


def test_a_weekly_league_keeps_its_day(tmp_path: Path) -> None:
    """The next deadline is the first Thursday three days away: weeks that others didn't use are not added up."""
    match = Match.begin(tmp_path / "site", early_close="yes").started()
    assert match.time() == datetime(2024, 1, 11, 23, tzinfo=UTC)
    match.write(sunday(10), final=True)
    run(match.path, sunday(10, 30))
    assert match.time() == datetime(2024, 1, 11, 23, tzinfo=UTC)
    assert "72 h; Donnerstag 24:00" in public(match.path)["union/index.html"].decode()
    match.write(datetime(2024, 1, 9, 10, tzinfo=UTC), final=True)
    run(match.path, datetime(2024, 1, 9, 10, 30, tzinfo=UTC))
    assert match.time() == datetime(2024, 1, 18, 23, tzinfo=UTC)
    assert verify(str(match.path)).holds


def test_a_draw_that_is_known_does_not_decide(match: Match) -> None:
    """Closed on Wednesday after noon: the next draw is Saturday's, however late the word was given."""
    calendar = json.loads(rows(match.path, "SELECT calendar FROM season")[0]["calendar"])
    match.write(datetime(2024, 1, 9, 11, tzinfo=UTC), final=True)
    mail_run(match.path, datetime(2024, 1, 9, 19, tzinfo=UTC))
    closes = datetime.fromisoformat(match.told()[-1]["closes"])
    assert days_of_figures(calendar, 2, closes)[0] == date(2024, 1, 10)
    assert days_of_figures(calendar, 2, closes + DAY)[0] == date(2024, 1, 13)


def test_orders_entered_by_hand_count_too(match: Match) -> None:
    """What the organizer enters for a player may be final; a player who is retired isn't waited for."""
    match.write(sunday(9), ["Anna", "Ben"], final=True)
    mail_run(match.path, sunday(9, 30))
    site = opened(match.path, sunday(9, 40))
    enter_orders(site, SLUG, "Carla", FINAL, why="by phone", received_at=None)
    site.engine.dispose()
    mail_run(match.path, sunday(9, 42))
    assert number(match) == 3


@pytest.mark.parametrize("place", ["freeze.before_commit", "freeze.after_commit"])
def test_killed_and_run_again(place: str, match: Match, tmp_path: Path, processes: Forks) -> None:
    """The same round, closed once, as of the run that closed it."""
    match.write(sunday(10), final=True)
    other = copy(match.path, tmp_path / "other")
    assert processes.league(match.path, sunday(10, 30), "run", LEAGUE_FAILPOINT=place).code != 0
    assert processes.league(match.path, sunday(10, 30), "run").code == 0
    mail_run(other, sunday(10, 30))
    wanted = "SELECT number, status, closes_at, root, version FROM round ORDER BY 1"
    assert rows(match.path, wanted) == rows(other, wanted)
    assert [one.sha256 for one in sealed(match.path)] == [one.sha256 for one in sealed(other)]
    assert len(rows(match.path, "SELECT 1 FROM journal WHERE act = 'round early'")) == 1


def test_two_runs_close_it_once(match: Match, processes: Forks) -> None:
    """Started in the same moment, beside a mail that is handed in by a pipe."""
    from tests.desk.forks import command

    match.write(sunday(10), final=True)
    ended = processes.at_once(*(command(match.path, sunday(10, 30), "run") for _ in range(2)))
    assert [e.code for e in ended] == [0, 0], ended
    assert number(match) == 3
    assert len(rows(match.path, "SELECT 1 FROM journal WHERE act = 'round early'")) == 1
    assert len(outbox(match.path, "freeze", "ben")) == 2


def test_a_backup_from_before_closes_it_as_it_was_closed(match: Match) -> None:
    """The published journal says when, and records when each round opened: the restored site has the same ones."""
    back_up(opened(match.path, sunday(8)), match.path.parent / "site.tar")
    match.write(sunday(10), final=True)
    run(match.path, sunday(10, 30))
    match.write(match.time() - DAY)
    run(match.path, match.time() - HOUR)
    run(match.path, match.time("closes_at") + HOUR)
    later = match.time("opens_at") + DAY
    revived = match.path.parent / "revived"
    restore(revived, match.path.parent / "site.tar", later)
    rmtree(revived / "mail" / "in")
    copytree(match.path / "mail" / "in", revived / "mail" / "in")
    site = opened(revived, later)
    confirm(site, public=match.path / "public")
    site.engine.dispose()
    run(revived, later)
    assert [one.sha256 for one in sealed(revived)] == [one.sha256 for one in sealed(match.path)]


def test_the_word_is_read_in_three_languages(match: Match) -> None:
    """It makes a whole mail final wherever it stands in it, and a game without it is never asked."""
    state = match.state()
    for text in ("FINAL\nPLACE germany 2", "SETZE Deutschland 2\nendgültig", "PLAATS Duitsland 2\n\nDEFINITIEF!"):
        parsed = match.game.parse(state, "", text)
        assert parsed.final
        assert [order for order in parsed.orders if isinstance(order, Ready)]
    assert not match.game.parse(state, "", "PLACE germany 2\n# FINAL").final


def test_a_game_without_phases_has_no_such_option(tmp_path: Path) -> None:
    """KUEL's rounds are a week's."""
    site = opened(make_site(tmp_path / "site", BEGIN), BEGIN)
    with pytest.raises(BadInput, match="early_close"):
        new_league(site, "spring", game="kuel", start=None, options={"early_close": "yes"})
    site.engine.dispose()
    assert Accepted().complete
