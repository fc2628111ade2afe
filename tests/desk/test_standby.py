"""Seats of silent players are offered to who stands by (M12): by mail, once, and the first to accept has it."""

import json
import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from league import settings
from league.cli import main
from league.core.errors import BadInput, LeagueError, Refused
from league.desk.acts.change_seats import retire
from league.desk.leagues.silence import Policy, usual_action
from league.desk.people import standby
from league.desk.people.players import NewPlayer, list_players
from league.desk.people.seats import at_seat
from league.desk.people.standby import add_standby, list_standby, offers
from league.desk.proof.verify import verify
from league.desk.rebuild import rebuild
from league.desk.recovery.back_up import back_up
from league.desk.recovery.restore import restore
from league.desk.recovery.word_on_head import confirm
from league.storage import engine as database
from tests.desk.forks import Forks
from tests.desk.phases import BEGIN, SLUG, Match
from tests.desk.signed import alone
from tests.desk.sites import address, copy, drop, letter, mail_run, opened, outbox, public, rows, run, sealed, verdicts

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
HERE = ("Anna", "Ben")  # Carla never writes
ORGANIZER = "chief@example.org"


def add(match: Match, name: str, lang: str = "de") -> None:
    site = opened(match.path, match.time("opens_at") + HOUR)
    add_standby(site, SLUG, NewPlayer(name, address(name), lang))
    site.engine.dispose()


def phase(match: Match, *names: str, pages: bool = True) -> None:
    """A phase to its end: these of those asked have written."""
    match.write(match.time() - DAY, [name for name in match.asked() if name in names])
    mail_run(match.path, match.time() - HOUR)
    run(match.path, match.time("closes_at") + HOUR, pages=pages)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """Dirk and Eva stand by; nothing came from Carla for two phases, the third is open."""
    match = Match.begin(tmp_path_factory.mktemp("standby") / "site", "72h", elections_per_mail=1)
    config = match.path / settings.FILE
    config.write_text(config.read_text().replace('organizer = ""', f'organizer = "{ORGANIZER}"', 1))
    match.started(pages=False)
    add(match, "Dirk")
    add(match, "Eva", "en")
    for pages in (False, True):  # who looks at them looks at the last
        phase(match, *HERE, pages=pages)
    return match


@pytest.fixture
def match(begun: Match, tmp_path: Path) -> Match:
    return Match(copy(begun.path, tmp_path / "site"), options=begun.options)


@pytest.fixture(scope="module")
def _offered(begun: Match, tmp_path_factory: pytest.TempPathFactory) -> Match:
    match = Match(copy(begun.path, tmp_path_factory.mktemp("offered") / "site"), options=begun.options)
    phase(match, *HERE)
    return match


@pytest.fixture
def offered(_offered: Match, tmp_path: Path) -> Match:
    """A third phase without a word."""
    return Match(copy(_offered.path, tmp_path / "site"), options=_offered.options)


def offers_of(match: Match) -> tuple[str, ...]:
    site = opened(match.path, match.time() + 30 * DAY)
    with database.read(site.engine) as connection:
        return offers(connection, SLUG)


def answer(match: Match, name: str, text: str, minutes: int = 0) -> None:
    """A reply that nothing proves but the mail of ours that it answers."""
    asked = str(outbox(match.path, "standby", name)[-1].mail["Message-ID"])
    arrived = match.time("opens_at") + DAY + timedelta(minutes=minutes)
    raw = letter(name, text, headers={"In-Reply-To": asked}, proven=False, message_id=f"<{name}.{minutes}@example.org>")
    drop(match.path, raw, arrived)


def test_two_silent_phases_are_not_enough(begun: Match) -> None:
    """The limit is three; who stands by was told that he does, and nobody else of him."""
    assert offers_of(begun) == ()
    (first,) = outbox(begun.path, "standby", "dirk")
    assert "Niemand außer der Spielleitung sieht" in " ".join(first.text.split())
    for name, content in public(begun.path).items():
        assert b"Dirk" not in content, name
        assert b"dirk@" not in content, name
    site = opened(begun.path, begun.time())
    assert [place.own_name for place in list_standby(site, SLUG)] == ["Dirk", "Eva"]
    assert [place.code for place in list_players(site, SLUG)] == ["s1", "s2", "s3"]
    site.engine.dispose()


def test_after_the_third_the_seat_is_offered(offered: Match) -> None:
    """To everybody who stands by, once; the organizer is told, the page and the journal say so (M12)."""
    assert offers_of(offered) == ("s3",)
    told = [out for name in ("dirk", "eva") for out in outbox(offered.path, "standby/offered", name)]
    assert len(told) == 2
    text = " ".join(told[1].text.split())
    assert "nothing was heard of Carla for 3 rounds" in text
    assert "The seat is in place" in text
    assert "Party: " in text
    assert "Asked now: " in text
    run(offered.path, offered.time("opens_at") + HOUR)
    assert len(outbox(offered.path, "standby/offered")) == 2
    (mail,) = outbox(offered.path, "organizer/offered")
    assert (mail.to, "2 players who stand by" in " ".join(mail.text.split())) == (ORGANIZER, True)
    pages = public(offered.path)
    assert "Angeboten wird denen" in pages["union/index.html"].decode()
    acts = json.loads(pages["union/journal.json"])["acts"]
    (act,) = (act for act in acts if act["act"] == "player offer")
    assert (act["who"], act["arguments"]["seat"]) == ("calendar", "s3")


def test_an_offered_seat_asks_nothing_of_the_organizer(
    begun: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run that offers it and the status say no more than the mail: that it is offered."""
    match = Match(copy(begun.path, tmp_path / "site"), options=begun.options)
    match.write(match.time() - DAY, [name for name in match.asked() if name in HERE])
    closed = match.time("closes_at") + HOUR
    main(["--site", str(match.path), "--now", closed.isoformat(), "run"])
    told = "".join(capsys.readouterr())
    assert "union: nothing from Carla for 3 rounds; the seat is offered to who stands by" in told
    assert "retire or substitute" not in told
    main(["--site", str(match.path), "--now", closed.isoformat(), "status", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["offered"]) for one in found["silent"]] == [("Carla", True)]
    assert "silent" not in [item["what"] for item in found["todo"]]


def test_until_somebody_accepts_the_rules_play_for_it(offered: Match) -> None:
    """M9 to M11: the silent seat's pawns are placed and its ballots cast, and phases go on."""
    placed = [e for body in offered.told() for e in body["events"] if e["type"] == "placed" and e["seat"] == "s3"]
    assert placed
    assert all(event["default"] for event in placed)
    phase(offered, *HERE, pages=False)
    assert offers_of(offered) == ("s3",)


def test_the_first_to_accept_has_it(offered: Match, tmp_path: Path) -> None:
    """From the open phase on, under his own name; the second hears that somebody was faster, and all of it holds."""
    answer(offered, "Eva", "accept\n", 1)
    answer(offered, "Dirk", "annehmen\n", 5)
    mail_run(offered.path, offered.time("opens_at") + DAY + HOUR)
    site = opened(offered.path, offered.time())
    seat = list_players(site, SLUG)[2]
    assert (seat.own_name, seat.address, seat.status) == ("Eva", address("Eva"), "active")
    assert [place.own_name for place in list_standby(site, SLUG)] == ["Dirk"]
    site.engine.dispose()
    assert offers_of(offered) == ()
    told = " ".join(outbox(offered.path, "takes_over", "eva")[-1].text.split())
    assert "you take over the seat of Carla in the league" in told
    assert "The seat is in place" in told
    assert f"; pawns in hand: {offered.state().players['s3'].pawns}." in told
    assert outbox(offered.path, "replaced", "carla")
    assert "jemand war schneller" in " ".join(outbox(offered.path, "standby/none", "dirk")[-1].text.split())
    assert [out.to for out in outbox(offered.path, "organizer/taken")] == [ORGANIZER]
    text = offered.orders("Carla") if "Carla" in offered.asked() else "FINAL"
    offered.post("Eva", text + "\n", offered.time() - 6 * HOUR)
    offered.finish()
    assert outbox(offered.path, "receipt", "eva")
    assert "Eva" in public(offered.path)["union/index.html"].decode()
    found = verify(str(offered.path))
    assert found.holds, [one.faults[:3] for one in found.all]
    assert alone(offered.path / "public").returncode == 0
    (decided,) = offered.told()[-1]["decisions"]
    assert (decided["kind"], decided["source"], decided["facts"]["seat"]) == ("substituted", "calendar", "s3")
    done = rebuild(tmp_path / "new", copy(offered.path, tmp_path / "copied"), offered.time() - HOUR)
    assert (done.troubles, done.is_same) == ((), True), done.matches


def test_a_plain_yes_is_enough(offered: Match) -> None:
    """In a reply to the offer; what else he writes is answered with how to say it, and used for nothing."""
    answer(offered, "Dirk", "PLACE germany 2\n", 1)
    mail_run(offered.path, offered.time("opens_at") + DAY + HOUR)
    assert "Ein Platz ist für dich frei: Carla" in " ".join(
        outbox(offered.path, "standby/unclear", "dirk")[-1].text.split()
    )
    assert rows(
        offered.path, "SELECT count(*) AS n FROM submission JOIN round ON round.id = round_id WHERE status = 'open'"
    ) == [{"n": 0}]
    answer(offered, "Dirk", "Ja, gerne!\n", 90)
    mail_run(offered.path, offered.time("opens_at") + DAY + 2 * HOUR)
    site = opened(offered.path, offered.time())
    assert list_players(site, SLUG)[2].own_name == "Dirk"
    site.engine.dispose()


def offer_ben_too(match: Match) -> None:
    """A second seat is free, until the next run sees that its player writes."""
    site = opened(match.path, match.time("opens_at") + HOUR)
    with database.write(site.engine) as connection:
        standby.open_offer(connection, at_seat(site, connection, SLUG, "Ben"))
    site.engine.dispose()


def names(match: Match) -> list[str]:
    site = opened(match.path, match.time())
    found = [place.own_name for place in list_players(site, SLUG)]
    site.engine.dispose()
    return found


def test_a_yes_to_several_offers_is_asked_which(offered: Match) -> None:
    """Where the mail answers no offer of a seat and names none nothing is taken; the answer lists the seats."""
    offer_ben_too(offered)
    drop(offered.path, letter("Eva", "yes please", message_id="<eva.1@example.org>"), offered.time("opens_at") + DAY)
    mail_run(offered.path, offered.time("opens_at") + DAY + HOUR)
    assert names(offered) == ["Anna", "Ben", "Carla"]
    (asked,) = outbox(offered.path, "standby/which", "eva")
    text = " ".join(asked.text.split())
    assert "more than one seat is free, and your mail doesn't say which of them you want: Ben and Carla." in text
    assert "# accept Ben – you play that seat" in text
    assert "# accept Carla – you play that seat" in text
    assert "Carla: Asked now: " in text or "Ben: Asked now: " in text


@pytest.mark.parametrize(("said", "taken"), [("accept Ben", 1), ("Yes, Carla!", 2), ("accept s3", 2)])
def test_who_names_the_seat_has_it(offered: Match, said: str, taken: int) -> None:
    """By name or by number, whichever offers there are."""
    offer_ben_too(offered)
    drop(offered.path, letter("Eva", said, message_id="<eva.2@example.org>"), offered.time("opens_at") + DAY)
    mail_run(offered.path, offered.time("opens_at") + DAY + HOUR)
    assert names(offered)[taken] == "Eva"


def test_a_yes_in_reply_to_an_offer_is_for_its_seat(offered: Match) -> None:
    """The mail that is answered says which."""
    offer_ben_too(offered)
    answer(offered, "Eva", "yes\n", 5)
    mail_run(offered.path, offered.time("opens_at") + DAY + HOUR)
    assert names(offered) == ["Anna", "Ben", "Eva"]


def test_nobody_accepts_in_his_name(offered: Match) -> None:
    """A mail that nothing proves takes no seat, and is set aside like a player's."""
    drop(offered.path, letter("Dirk", "accept\n", proven=False), offered.time("opens_at") + DAY)
    mail_run(offered.path, offered.time("opens_at") + DAY + HOUR)
    assert ("quarantined", "unproven") in verdicts(offered.path)
    assert offers_of(offered) == ("s3",)


def test_who_is_heard_from_keeps_his_seat(offered: Match) -> None:
    """Orders in the open phase go before whoever accepts; with the phase's end the offer is taken back."""
    offered.write(offered.time("opens_at") + HOUR, [name for name in offered.asked() if name == "Carla"])
    if "Carla" not in offered.asked():
        offered.post("Carla", "FINAL\n", offered.time("opens_at") + HOUR)
    answer(offered, "Dirk", "annehmen\n", 1)
    mail_run(offered.path, offered.time("opens_at") + DAY + HOUR)
    assert outbox(offered.path, "standby/none", "dirk")
    assert offers_of(offered) == ("s3",)
    mail_run(offered.path, offered.time("closes_at") + HOUR)
    assert offers_of(offered) == ()
    assert len(outbox(offered.path, "standby/gone")) == 2
    assert rows(offered.path, "SELECT who FROM journal WHERE act = 'player offer --end'") == [{"who": "calendar"}]


def test_who_wants_no_more_is_off_the_list(match: Match) -> None:
    """By mail, or by the organizer's word; where nobody stands by nothing is offered."""
    answer(match, "Dirk", "decline\n", 1)
    mail_run(match.path, match.time("opens_at") + DAY + HOUR)
    assert outbox(match.path, "standby/stood_down", "dirk")
    site = opened(match.path, match.time("opens_at") + DAY + 2 * HOUR)
    assert retire(site, SLUG, "Eva", why="asked for it")[1] == 0
    assert list_standby(site, SLUG) == ()
    site.engine.dispose()
    phase(match, *HERE, pages=False)
    assert offers_of(match) == ()
    add(match, "Finn", "nl")
    mail_run(match.path, match.time("opens_at") + 2 * HOUR)
    assert offers_of(match) == ("s3",)
    assert len(outbox(match.path, "standby/offered", "finn")) == 1
    assert outbox(match.path, "standby/offered", "dirk") == []


def test_nothing_is_offered_once_the_match_is_over(offered: Match) -> None:
    """What is offered then is taken back, and who stands by hears why; nobody is silent any more."""
    with sqlite3.connect(offered.path / "league.sqlite") as books:
        books.execute("UPDATE round SET status = 'resolved'")
    answer(offered, "Dirk", "accept\n", 1)
    mail_run(offered.path, offered.time("opens_at") + DAY + HOUR)
    assert offers_of(offered) == ()
    assert len(outbox(offered.path, "standby/over", "dirk")) == 2
    assert len(outbox(offered.path, "standby/over", "eva")) == 1
    site = opened(offered.path, offered.time())
    with pytest.raises(Refused, match="no seat becomes free any more"):
        add_standby(site, SLUG, NewPlayer("Gero", address("Gero")))
    site.engine.dispose()


def test_an_offer_that_fails_stops_no_other(offered: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is set aside with its trouble, and the run goes on."""
    monkeypatch.setattr(standby, "take_back", lambda *_: 1 / 0)
    offered.post("Carla", "FINAL\n", offered.time("opens_at") + HOUR)
    mail_run(offered.path, offered.time("closes_at") + HOUR)
    assert list(offered.path.glob("fault-*"))
    assert offers_of(offered) == ("s3",)


def test_faults_of_a_list(match: Match) -> None:
    """Nobody stands by twice, or beside a seat of his own."""
    site = opened(match.path, match.time("opens_at") + HOUR)
    for name, what in (("Dirk", "stands by in union already"), ("Anna", "already plays in this league")):
        with pytest.raises(BadInput) as found:
            add_standby(site, SLUG, NewPlayer(f"{name} B", address(name)))
        assert what in str(found.value)
    site.engine.dispose()


@pytest.mark.parametrize("place", ["offer.before_commit", "offer.after_commit"])
def test_killed_while_offering(place: str, match: Match, processes: Forks) -> None:
    """Run again, everybody was asked once."""
    match.write(match.time() - DAY, HERE)
    when = match.time("closes_at") + HOUR
    assert processes.league(match.path, when, "run", LEAGUE_FAILPOINT=place).code != 0
    assert processes.league(match.path, when, "run").code == 0
    assert len(outbox(match.path, "standby/offered")) == 2
    assert len(rows(match.path, "SELECT 1 FROM journal WHERE act = 'player offer'")) == 1
    assert offers_of(match) == ("s3",)


def test_a_site_from_before_the_offer(match: Match) -> None:
    """The published journal tells it: the offer stands again, and so do the records."""
    back_up(opened(match.path, match.time("opens_at") + HOUR), match.path.parent / "site.tar")
    phase(match, *HERE)
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
    assert offers_of(replace(match, path=revived)) == ("s3",)
    assert len(rows(revived, "SELECT 1 FROM journal WHERE act = 'player offer'")) == 1


def test_it_is_the_usual_in_europa_alone() -> None:
    """M12 is a rule of EUROPA; any league can have it, and a league of before it goes on as it was."""
    assert (usual_action("europa"), usual_action("kuel")) == ("offer", "tell")
    assert Policy().action == "tell"
    assert issubclass(BadInput, LeagueError)
    assert BEGIN.year == 2023
