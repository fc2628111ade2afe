"""A battle week by mail: fixtures, reports, disputes, rematches, rights, the end of waiting (K31 to K35, K63, K64)."""

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from league.cli import main
from league.desk.acts.new_league import new_league
from league.desk.leagues import turns
from league.desk.people.players import NewPlayer, add_players
from league.desk.site import open_site
from league.failpoints import KILLED
from league.records import freeze
from tests.desk.forks import Forks
from tests.desk.sites import (
    add_league,
    address,
    at,
    bodies,
    copy,
    drop,
    figures,
    letter,
    mail_run,
    make_site,
    outbox,
    public,
    rows,
    run,
    verdicts,
)
from tests.desk.test_crash import PLACES, Seen, look

FRIDAY, SATURDAY, SUNDAY = at("2024-01-12 08:00"), at("2024-01-13 21:30"), at("2024-01-14 08:00")
JOINS = {"Anna": "France", "Ben": "Portugal", "Dirk": "Sweden", "Eva": "Finland"}
TAKES = {
    "Anna": "nimm Spanien\nbiete 3 auf Prag",
    "Ben": "take Spain",
    "Dirk": "neem Noorwegen",
    "Eva": "nimm Norwegen\nbiete 17 auf Budapest",
}
NO_FIGURE_OF_OURS = {"dax_close": "16700.56", "lotto": "3 12 17 20 24 43"}


def league(path: Path, *args: str, now: datetime = SATURDAY) -> int:
    return main(["--site", str(path), "--now", now.isoformat(), *args])


def asked(path: Path, capsys: pytest.CaptureFixture[str], *args: str, now: datetime = SATURDAY) -> Any:
    capsys.readouterr()
    assert league(path, *args, "--json", now=now) == 0
    return json.loads(capsys.readouterr().out)


def mail(path: Path, name: str, text: str, arrived: str, *, subject: str = "Re: battles") -> None:
    drop(path, letter(name, text, subject=f"{subject} {arrived}"), at(arrived))


def flat(text: str) -> str:
    """Without the line breaks of a mail."""
    return " ".join(text.split())


def owns(path: Path, seat: str, number: int = 2) -> list[str]:
    found = bodies(path)[number]["position"]["players"][seat]["owns"]
    assert isinstance(found, list)
    return found


def events(path: Path, kind: str, number: int = 2) -> list[dict[str, Any]]:
    return [event for event in bodies(path)[number]["events"] if event["type"] == kind]


def replayed(path: Path, number: int = 2) -> None:
    """The record alone gives the same outcome again."""
    body = bodies(path)[number]
    table = turns.from_record(body, body["rules"]["options"], body["game"])
    outcome = table.outcome()
    assert outcome.pending == ()
    assert table.game.position(outcome.state) == body["position"]
    assert [event.facts() for event in outcome.events] == body["events"]
    assert [str(fate.own.fate) for fate in outcome.fates] == [fate["own"]["fate"] for fate in body["fates"]]


def place(path: Path, players: Mapping[str, Sequence[str]], newcomers: Sequence[str] = (), score: int = 100) -> None:
    """Let round 2 start from this position."""
    with closing(sqlite3.connect(path / "league.sqlite")) as connection:
        (body,) = connection.execute("SELECT body FROM position WHERE round = 2").fetchone()
        position = json.loads(body)
        owned = {seat: {"score": score, "owns": list(owns)} for seat, owns in players.items()}
        position |= {"players": owned, "newcomers": list(newcomers)}
        connection.execute("UPDATE position SET body = ? WHERE round = 2", (json.dumps(position),))
        connection.commit()


def begin(path: Path, joins: Mapping[str, str], **options: Any) -> Path:
    """A league that has played its first round."""
    make_site(path)
    add_league(path, names=tuple(joins), battles="reported", **options)
    for name, country in joins.items():
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    return path


def week(path: Path, orders: Mapping[str, str]) -> Path:
    """The second week's orders, frozen."""
    for minute, (name, text) in enumerate(orders.items()):
        drop(path, letter(name, text), at(f"2024-01-10 10:{minute:02}"))
    mail_run(path, FRIDAY)
    return path


def finish(path: Path) -> None:
    """The figures of the second week, and a run before the waiting for reports ends."""
    figures(path, SATURDAY, **NO_FIGURE_OF_OURS)
    mail_run(path, SATURDAY)


@pytest.fixture(scope="module")
def _fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return week(begin(tmp_path_factory.mktemp("replies") / "site", JOINS), TAKES)


@pytest.fixture
def fought(_fought: Path, tmp_path: Path) -> Path:
    """Round 2 is frozen; Anna and Ben fight for Spain, Dirk and Eva for Norway."""
    return copy(_fought, tmp_path / "site")


# ------------------------------------------------------------------ fixtures


def test_fighters_are_told_whom_where_how_and_until_when(fought: Path) -> None:
    """Names, printed map, usual settings, the time by zone, the lines to answer with: in each one's language."""
    mails = {out.to: out for out in outbox(fought, "fixtures")}
    assert set(mails) == {address(name) for name in JOINS}
    ben = mails[address("Ben")].text
    assert "Spain: battle between Anna and Ben." in ben
    assert "Fought on Sun Gate, the map printed on the country (K31)." in ben
    assert "one worker only, unfixed order, high resources" in ben
    assert "2024-01-13 23:00 UTC" in ben
    assert "\n# result Spain won\n# result Spain lost\n" in ben
    assert "Norway: the battle between" in ben
    anna, dirk = mails[address("Anna")].text, mails[address("Dirk")].text
    assert "\n# Ergebnis Spanien gewonnen\n" in anna
    assert "Sonnentor" in anna
    assert "\n# uitslag Noorwegen verloren\n" in dirk


def test_fixtures_give_away_no_order_but_the_battle(fought: Path) -> None:
    """No bid, no other's address, no line that our reader would take for an order (K90)."""
    for out in outbox(fought, "fixtures"):
        head, _, body = out.raw.partition(b"\r\n\r\n")
        assert head.count(b"@example.org") == 1
        assert b"@example.org" not in body
        for secret in ("Prag", "Prague", "Praag", "Budapest", "Boedapest", "Tsjech", "17", "biete"):
            assert secret not in out.text.replace("2024-01-17", "")
        drop(fought, letter("Ben", out.text, subject=out.to), at("2024-01-13 09:00"))
    mail_run(fought, at("2024-01-13 10:00"))
    assert {verdict for verdict, _ in verdicts(fought)[8:]} == {"ask"}


def test_a_second_run_asks_nobody_again(fought: Path) -> None:
    """Who was asked is in the book, with the time until which an answer counts."""
    before = len(outbox(fought, "fixtures"))
    mail_run(fought, SATURDAY)
    assert len(outbox(fought, "fixtures")) == before
    asks = rows(fought, "SELECT facts, due_at, answered FROM ask ORDER BY id")
    assert len(asks) == 4
    assert all(row["due_at"].startswith("2024-01-13T23:00") and not row["answered"] for row in asks)


# ------------------------------------------------------------------ reports


def test_the_loser_reports_and_the_battle_is_decided(fought: Path) -> None:
    """A loser's word suffices; the answer says what was understood and what is still open (K33)."""
    mail(fought, "Anna", "Ergebnis Spanien verloren", "2024-01-13 09:00")
    mail_run(fought, at("2024-01-13 10:00"))
    (told,) = outbox(fought, "replies", "Anna")
    assert "angenommen für Runde 2" in told.text
    assert "Norwegen: Die Schlacht" in told.text
    assert "Spanien: Die Schlacht" not in told.text
    answered = rows(fought, "SELECT facts FROM ask WHERE answered")
    assert {json.loads(row["facts"])["country"] for row in answered} == {"spain"}
    mail(fought, "Eva", "Ergebnis Norwegen verloren", "2024-01-13 11:00")
    finish(fought)
    assert set(owns(fought, "s2")) == {"spain", "portugal"}
    assert "norway" in owns(fought, "s3")
    assert {event["how"] for event in events(fought, "battle")} == {"report"}
    replayed(fought)


def test_a_report_is_sealed_like_an_order(fought: Path) -> None:
    """Its answer carries leaf, nonce and signature of a kind of its own, and the record has what makes the leaf."""
    mail(fought, "Anna", "Ergebnis Spanien verloren", "2024-01-13 09:00")
    mail(fought, "Dirk", "uitslag Noorwegen verloren", "2024-01-13 09:00")
    finish(fought)
    (told,) = outbox(fought, "replies", "Anna")
    found = dict(re.findall(r"^# (of|leaf|nonce) (.+)$", told.text, re.MULTILINE))
    league_, match, number, seat, revision, received = found["of"].split()
    row = next(r for r in bodies(fought)[2]["orders"] if r["phase"] == 2 and r["seat"] == seat)
    assert (row["revision"], row["received_at"], row["nonce"]) == (int(revision), received, found["nonce"])
    named = (league_, match, int(number), seat, int(revision))
    assert freeze.leaf(*named, datetime.fromisoformat(received), row["orders"], row["nonce"]) == found["leaf"]
    signature = "".join(line[2:] for line in told.text.partition("# signature\n")[2].split("\n\n")[0].split("\n"))
    given = freeze.Receipt(*named, datetime.fromisoformat(received), row["nonce"], found["leaf"], freeze.REPLY)
    assert freeze.verified(bodies(fought)[0]["public_key"], given.payload(), signature)
    assert not freeze.verified(bodies(fought)[0]["public_key"], replace(given, kind=freeze.KIND).payload(), signature)


def test_replies_lie_beside_the_frozen_orders(fought: Path) -> None:
    """The freeze's leaves are those of the orders alone; the record says of each mail what it was."""
    frozen = {row["leaf"] for row in rows(fought, "SELECT leaf FROM submission WHERE round_id = 2")}
    mail(fought, "Anna", "Ergebnis Spanien verloren", "2024-01-13 09:00")
    mail(fought, "Dirk", "uitslag Noorwegen verloren", "2024-01-13 09:00")
    finish(fought)
    body = bodies(fought)[2]
    assert set(body["freeze"]["leaves"]) == frozen
    assert [row["phase"] for row in body["orders"]] == [1, 1, 1, 1, 2, 2]
    assert [row["orders"] for row in body["orders"][4:]] == [["result Spain lost"], ["result Norway lost"]]
    assert "received_at" in body["orders"][4]


def test_a_winner_alone_counts_at_the_end(fought: Path) -> None:
    """Nobody keeps a country by silence, and what nobody reports stays as it was; the end comes by itself (K33)."""
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:00")
    finish(fought)
    assert len(bodies(fought)) == 2
    mail_run(fought, SUNDAY)
    assert set(owns(fought, "s2")) == {"spain", "portugal"}
    assert "norway" not in {c for seat in ("s3", "s4") for c in owns(fought, seat)}
    assert [event["how"] for event in events(fought, "battle")] in (["report", "status_quo"], ["status_quo", "report"])
    assert [(d["kind"], d["source"], d["at"]) for d in bodies(fought)[2]["decisions"]] == [
        ("over", "calendar", "2024-01-13T23:00:00Z")
    ]
    replayed(fought)


def test_a_late_run_is_as_good_as_one_in_time(fought: Path, tmp_path: Path) -> None:
    """What came after the end of waiting doesn't count, whenever the tool ran; its sender is told."""
    finish(fought)
    other = copy(fought, tmp_path / "other")
    mail_run(other, SUNDAY)
    for path in (fought, other):
        mail(path, "Ben", "result Spain won", "2024-01-14 09:00")
        mail_run(path, at("2024-01-14 12:00"))
    assert bodies(fought)[2] == bodies(other)[2]
    for path in (fought, other):
        (told,) = outbox(path, "replies", "Ben")
        assert "not used" in told.text
        assert ("the time for reports ended" in flat(told.text)) is (path == fought)
        assert ("No report of a battle is due now" in flat(told.text)) is (path == other)


def test_waiting_can_last_until_the_next_deadline(tmp_path: Path) -> None:
    """A league may say so in its calendar."""
    path = make_site(tmp_path / "site")
    site = open_site(path, at("2024-01-01 09:00"))
    options = {"battles": "reported", "preset": "gentle"}
    new_league(
        site, "spring", game="kuel", start=date(2024, 1, 2), lang="de", options=options, replies_until="deadline"
    )
    add_players(site, "spring", [NewPlayer(n, address(n), "en") for n in JOINS])
    site.engine.dispose()
    for name, country in JOINS.items():
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    week(path, TAKES)
    finish(path)
    assert "2024-01-18 23:00 UTC" in outbox(path, "fixtures", "Ben")[0].text
    mail_run(path, at("2024-01-15 08:00"))
    assert len(bodies(path)) == 2
    mail_run(path, at("2024-01-19 08:00"))
    assert len(bodies(path)) >= 3


# ------------------------------------------------------------------ disputes


def test_a_contradiction_is_the_organizers_to_decide(fought: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It never ends by itself, shows in every command, and both fighters read of the decision in the report (K33)."""
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:10")
    mail(fought, "Dirk", "uitslag Noorwegen verloren", "2024-01-13 09:20")
    finish(fought)
    assert "the reports of the battle contradict each other" in outbox(fought, "replies", "Ben")[0].text
    mail_run(fought, SUNDAY)
    assert len(bodies(fought)) == 2
    capsys.readouterr()
    assert league(fought, "run", now=SUNDAY) == 0
    assert "disputed: s1 says s1, s2 says s2" in capsys.readouterr().err
    assert league(fought, "round", "status", "spring", now=SUNDAY) == 0
    told = capsys.readouterr().out
    assert "Anna reports that Anna won, Ben reports that Ben won; disputed: league result enter decides" in told
    assert league(fought, "result", "list", "spring", now=SUNDAY) == 0
    told = capsys.readouterr().out
    assert "disputed" in told
    assert "Ben reports that Ben won" in told
    assert "@" not in told
    found = asked(fought, capsys, "result", "enter", "spring", "Spain", "Ben", "--why", "saw the replay", now=SUNDAY)
    assert found["waiting"] == []
    mail_run(fought, at("2024-01-14 09:00"))
    assert "spain" in owns(fought, "s2")
    for name, said in (("Ben", "Ben wins by the organizer's word."), ("Anna", "nach dem Wort der Spielleitung")):
        assert said in flat(outbox(fought, "report", name)[-1].text)
    replayed(fought)


def test_a_wrong_report_is_put_right_by_the_organizer(fought: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Until the report goes out the organizer's word goes before a report and before his own earlier one (K33)."""
    mail(fought, "Anna", "Ergebnis Spanien verloren", "2024-01-13 09:00")
    mail_run(fought, at("2024-01-13 10:00"))
    later = at("2024-01-13 12:00")
    asked(fought, capsys, "result", "enter", "spring", "Spain", "Ben", "--why", "so they say", now=later)
    asked(fought, capsys, "result", "enter", "spring", "Spain", "Anna", "--why", "she mistyped", now=later)
    mail(fought, "Dirk", "uitslag Noorwegen verloren", "2024-01-13 12:20")
    finish(fought)
    assert "spain" not in owns(fought, "s2")
    (battle,) = [event for event in events(fought, "battle") if event["country"] == "spain"]
    assert (battle["winner"], battle["how"]) == ("s1", "result")
    replayed(fought)


def test_a_fighter_can_give_way_in_a_dispute(fought: Path) -> None:
    """A loser's report decides, also after the end of waiting and after his own contradiction (K33)."""
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:10")
    finish(fought)
    mail_run(fought, SUNDAY)
    assert len(bodies(fought)) == 2
    mail(fought, "Ben", "result Spain lost", "2024-01-14 09:00")
    mail_run(fought, at("2024-01-14 10:00"))
    assert "spain" in owns(fought, "s1")
    replayed(fought)


# ------------------------------------------------------------------ mails for two rounds


def test_a_report_and_the_next_orders_in_one_mail(fought: Path) -> None:
    """The report goes into the round being evaluated, the move into the open one; one answer tells of both."""
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:10")
    finish(fought)
    mail_run(fought, SUNDAY)
    mail(fought, "Ben", "result Spain lost\ntake Ireland\nmap Portugal: Spain", "2024-01-14 09:00")
    mail_run(fought, at("2024-01-14 10:00"))
    (told,) = outbox(fought, "receipt", "Ben")[2:]
    assert "[1] result Spain: lost – accepted for round 2" in told.text
    lines = flat(told.text)
    assert "[2] take Ireland – accepted" in lines
    assert "[3] map for Portugal: the one of Spain – accepted" in lines
    assert "It stands for round 3; the round before has no use for it: There is no such battle." in lines
    assert not outbox(fought, "replies", "Ben")[1:]
    kept = rows(fought, "SELECT round_id, phase, lines, replaces FROM submission WHERE seat_id = 2 AND round_id > 1")
    said = [(r["round_id"], r["phase"], [x["order"] for x in json.loads(r["lines"])], r["replaces"]) for r in kept]
    assert (2, 2, ["result Spain lost"], 0) in said
    assert (3, 1, ["take Ireland", "map Portugal: Spain"], 1) in said
    assert "spain" in owns(fought, "s1")


def test_a_report_before_any_battle_is_answered(tmp_path: Path) -> None:
    """In an open round a result tells of nothing, so it isn't kept; what may be said beforehand stands."""
    path = begin(tmp_path / "site", {"Anna": "France", "Ben": "Portugal"})
    mail(path, "Ben", "result Spain won", "2024-01-10 09:00")
    mail(path, "Ben", "rematch Portugal\ntake Spain\nresult Spain won", "2024-01-10 10:00")
    mail_run(path, at("2024-01-10 11:00"))
    (told,) = outbox(path, "replies", "Ben")
    assert "No report of a battle is due now" in flat(told.text)
    assert "No round waits for a battle now." in told.text
    kept = rows(path, "SELECT lines FROM submission WHERE round_id = 2")
    assert [[x["order"] for x in json.loads(r["lines"])] for r in kept] == [["rematch Portugal", "take Spain"]]
    assert "not used" in outbox(path, "receipt", "Ben")[-1].text


def test_orders_beside_a_report_are_late_while_no_round_is_open(fought: Path) -> None:
    """Between freeze and the next window a move counts for nothing; the report in the same mail counts (K13)."""
    mail(fought, "Ben", "take Ireland\nresult Spain lost", "2024-01-13 09:00")
    mail_run(fought, at("2024-01-13 10:00"))
    (told,) = outbox(fought, "replies", "Ben")
    assert "It came after the deadline." in told.text
    assert "accepted for round 2" in told.text
    assert rows(fought, "SELECT 1 FROM submission WHERE round_id = 3") == []


# ------------------------------------------------------------------ rights

HOLDER = ("ireland", "spain", "portugal", "great_britain", "netherlands", "belgium", "france", "denmark", "italy")
HOLDINGS = {"s1": (*HOLDER, "austria"), "s2": ("germany", "poland"), "s3": ("greece",)}  # K32, K63 and K64 are Anna's


@pytest.fixture(scope="module")
def _holder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = begin(tmp_path_factory.mktemp("holder") / "site", {"Anna": "France", "Ben": "Portugal", "Carla": "Sweden"})
    place(path, HOLDINGS)
    return week(path, {"Ben": "attack Netherlands", "Anna": "passe", "Carla": "pas"})


@pytest.fixture
def holder(_holder: Path, tmp_path: Path) -> Path:
    """Ben has attacked the Netherlands of Anna, who holds every right there is."""
    return copy(_holder, tmp_path / "site")


def test_a_rematch_is_asked_for_by_mail(holder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The holder loses, asks, both are told of attempt 2, and its result is final (K32)."""
    mail(holder, "Anna", "Ergebnis Niederlande verloren\nRevanche Niederlande", "2024-01-13 09:00")
    mail_run(holder, at("2024-01-13 10:00"))
    (again,) = outbox(holder, "fixtures", "Ben")[1:]
    assert "Netherlands: rematch between Ben and Anna." in again.text
    assert not outbox(holder, "fixtures", "Carla")
    (waiting,) = asked(holder, capsys, "result", "list", "spring", now=at("2024-01-13 10:00"))["waiting"]
    assert (waiting["country"], waiting["attempt"]) == ("netherlands", 2)
    mail(holder, "Ben", "result Netherlands lost", "2024-01-13 11:00")
    finish(holder)
    assert "netherlands" in owns(holder, "s1")
    assert [(e["attempt"], e["winner"]) for e in events(holder, "battle")] == [(2, "s1")]
    replayed(holder)


def test_the_organizers_word_and_a_rematch_by_mail(holder: Path) -> None:
    """Reports that came before the organizer's word are of the first attempt, in the replay as well."""
    mail(holder, "Anna", "Ergebnis Niederlande gewonnen\nRevanche Niederlande", "2024-01-13 09:00")
    mail(holder, "Ben", "result Netherlands won", "2024-01-13 09:10")
    mail_run(holder, at("2024-01-13 10:00"))
    assert league(holder, "result", "enter", "spring", "Netherlands", "Ben", now=at("2024-01-13 12:00")) == 0
    mail_run(holder, at("2024-01-13 12:10"))
    assert len(outbox(holder, "fixtures", "Ben")) == 2
    mail(holder, "Anna", "Ergebnis Niederlande verloren", "2024-01-13 13:00")
    finish(holder)
    assert "netherlands" in owns(holder, "s2")
    assert [(e["attempt"], e["winner"]) for e in events(holder, "battle")] == [(2, "s2")]
    replayed(holder)


def test_map_and_settings_are_named_as_a_reply(holder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """New fixtures go out with them; who has no right is told so (K63, K64)."""
    text = "Karte Niederlande: Island\nEinstellungen Niederlande: schnell, zwei Bauern"
    mail(holder, "Anna", text, "2024-01-12 09:00")
    mail(holder, "Ben", "map Netherlands: Spain", "2024-01-12 09:10")
    mail_run(holder, at("2024-01-12 10:00"))
    (again,) = outbox(holder, "fixtures", "Ben")[1:]
    assert "Fought on Geyser Field, the battle map of another country: Iceland (K63)." in flat(again.text)
    assert "Settings, named by right: schnell, zwei Bauern (K64)." in again.text
    assert "only the attacked owner with the right may choose" in outbox(holder, "replies", "Ben")[0].text
    (waiting,) = asked(holder, capsys, "result", "list", "spring", now=at("2024-01-12 10:00"))["waiting"]
    assert (waiting["map"], waiting["settings"]) == ("iceland", "schnell, zwei Bauern")
    assert rows(holder, "SELECT COUNT(*) AS n FROM ask WHERE NOT answered") == [{"n": 2}]
    mail(holder, "Ben", "result Netherlands lost", "2024-01-13 09:00")
    finish(holder)
    assert [(e["map"], e["settings"]) for e in events(holder, "terms")] == [("iceland", "schnell, zwei Bauern")]
    replayed(holder)


def test_what_is_given_to_a_newcomer_can_be_said_in_reply(tmp_path: Path) -> None:
    """With no edge country free, the giver may name one after the freeze; nothing waits for it (K35)."""
    path = begin(tmp_path / "site", {"Anna": "France", "Ben": "Portugal", "Carla": "Sweden"})
    edges = ("iceland", "ireland", "spain", "portugal", "great_britain", "france", "norway", "italy")
    place(path, {"s1": edges, "s2": ("sweden", "finland", "soviet_union", "bulgaria", "greece")}, ["s3"])
    for minute, (name, text) in enumerate({"Ben": "take Poland", "Carla": "stap in Noorwegen"}.items()):
        drop(path, letter(name, text if name == "Ben" else "join Norway"), at(f"2024-01-10 10:{minute:02}"))
    mail_run(path, FRIDAY)
    mail(path, "Anna", "gib Irland ab", "2024-01-12 09:00")
    mail(path, "Ben", "give Greece", "2024-01-12 09:10")
    mail_run(path, at("2024-01-12 10:00"))
    assert "angenommen für Runde 2" in outbox(path, "replies", "Anna")[0].text
    assert "Nobody needed a country to be given." in outbox(path, "replies", "Ben")[0].text
    finish(path)
    assert owns(path, "s3") == ["ireland"]
    replayed(path)


def test_a_battle_of_three_is_reported_by_name(tmp_path: Path) -> None:
    """Only `winner` names anybody there; the fixtures say so (K33)."""
    joins = {"Anna": "Spain", "Ben": "Great Britain", "Carla": "Italy"}
    path = week(begin(tmp_path / "site", joins), dict.fromkeys(joins, "take France"))
    assert "\n# result France winner Anna\n# result France winner Ben\n" in outbox(path, "fixtures", "Ben")[0].text
    mail(path, "Ben", "result France lost", "2024-01-13 09:00")
    mail(path, "Carla", "uitslag Frankrijk winnaar Anna", "2024-01-13 09:10")
    finish(path)
    assert "this names no winner among the fighters" in outbox(path, "replies", "Ben")[0].text
    assert "france" in owns(path, "s1")
    replayed(path)


# ------------------------------------------------------------------ waves, and one by one


CHAIN = {"Anna": "France", "Ben": "Portugal", "Carla": "Great Britain"}


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """Whether Carla's attack on Anna's France comes to a battle hangs on the battle for Spain (K34)."""
    orders = {"Anna": "take Spain", "Ben": "take Spain", "Carla": "attack France"}
    return week(begin(tmp_path / "site", CHAIN), orders)


def test_the_next_wave_is_told_when_the_first_is_decided(chain: Path) -> None:
    """New mails for the new battle alone, under an id of their own (K34)."""
    assert not outbox(chain, "fixtures", "Carla")
    mail(chain, "Ben", "result Spain lost", "2024-01-13 09:00")
    mail_run(chain, at("2024-01-13 10:00"))
    (first, second) = outbox(chain, "fixtures", "Anna")
    assert first.mail["Message-ID"] != second.mail["Message-ID"]
    assert "Frankreich" in second.text
    assert "Spanien" not in second.text
    assert len(outbox(chain, "fixtures", "Ben")) == 1
    assert len(outbox(chain, "fixtures", "Carla")) == 1
    mail(chain, "Anna", "Ergebnis Frankreich verloren", "2024-01-13 11:00")
    finish(chain)
    assert owns(chain, "s1") == ["spain"]
    assert "france" in owns(chain, "s3")
    replayed(chain)


def test_reports_one_by_one_are_reports_at_once(chain: Path, tmp_path: Path) -> None:
    """However often the tool ran in between: the same record to the byte (DESIGN: Adjudication)."""
    once = copy(chain, tmp_path / "once")
    sent = (
        ("Ben", "result Spain lost", "2024-01-13 09:00"),
        ("Anna", "Ergebnis Frankreich verloren", "2024-01-13 11:00"),
    )
    for name, text, arrived in sent:
        mail(once, name, text, arrived)
        mail(chain, name, text, arrived)
        run(chain, at("2024-01-13 12:00"))
    for path in (once, chain):
        finish(path)
        run(path, SATURDAY)
    assert bodies(once)[2] == bodies(chain)[2]
    page = "spring/round-2.html"
    assert public(once)[page] == public(chain)[page]


# ------------------------------------------------------------------ a result that comes late


def test_a_late_decision_moves_the_next_deadline(fought: Path) -> None:
    """Less than 72 hours before it: the deadline is a week later, all are told, the page says so, moves stand."""
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:10")
    finish(fought)
    run(fought, SUNDAY)
    mail(fought, "Dirk", "neem Denemarken", "2024-01-15 12:00", subject="moves")
    mail(fought, "Ben", "result Spain lost", "2024-01-16 09:00")
    run(fought, at("2024-01-16 10:00"))
    moved = outbox(fought, "moved")
    assert {out.to for out in moved} == {address(name) for name in JOINS}
    assert "2024-01-25 23:00 UTC" in moved[1].text
    page = public(fought)["spring/en/index.html"].decode()
    assert "has moved this deadline by a week" in page
    mail(fought, "Eva", "nimm Norwegen", "2024-01-24 12:00", subject="moves")
    run(fought, at("2024-01-24 13:00"))
    run(fought, at("2024-01-26 08:00"))
    status = rows(fought, "SELECT number, status, opens_at, deadline_at FROM round ORDER BY number")
    assert [(r["number"], r["status"]) for r in status] == [
        (1, "resolved"), (2, "resolved"), (3, "frozen"), (4, "open")
    ]  # fmt: skip
    assert status[2]["opens_at"].startswith("2024-01-13T23:00")
    assert status[3]["deadline_at"].startswith("2024-02-01T23:00")
    figures(fought, at("2024-01-27 22:00"), dax_day="2024-01-26", lotto_day="2024-01-27", **NO_FIGURE_OF_OURS)
    run(fought, at("2024-01-28 08:00"))
    assert {row["seat"] for row in bodies(fought)[3]["orders"]} == {"s3", "s4"}
    replayed(fought, 3)


def test_a_decision_in_good_time_moves_nothing(fought: Path) -> None:
    """72 hours before the deadline, or more: it stays. The organizer's word counts as a fighter's."""
    mail(fought, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail(fought, "Ben", "result Spain won", "2024-01-13 09:10")
    finish(fought)
    mail_run(fought, SUNDAY)
    late = copy(fought, fought.parent / "late")
    assert league(fought, "result", "enter", "spring", "Spain", "Ben", now=at("2024-01-15 23:00")) == 0
    assert not outbox(fought, "moved")
    assert league(late, "result", "enter", "spring", "Spain", "Ben", now=at("2024-01-15 23:01")) == 0
    assert len(outbox(late, "moved")) == 4


# ------------------------------------------------------------------ crashes


@pytest.fixture(scope="module")
def forks() -> Forks:
    return Forks(small=True)


@pytest.fixture(scope="module")
def battle_week(_fought: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on Sunday has reports, orders beside a report, the end of waiting and a report's mails before it."""
    path = copy(_fought, tmp_path_factory.mktemp("crashing") / "site")
    run(path, FRIDAY)  # pages that the next are put in the place of
    figures(path, SATURDAY, **NO_FIGURE_OF_OURS)
    mail(path, "Anna", "Ergebnis Spanien gewonnen", "2024-01-13 09:00")
    mail(path, "Dirk", "uitslag Noorwegen gewonnen", "2024-01-13 09:20")
    mail(path, "Ben", "result Spain lost", "2024-01-13 10:00")
    mail(path, "Eva", "nimm Dänemark\nErgebnis Norwegen verloren", "2024-01-14 06:00")
    return path


@pytest.fixture(scope="module")
def expected(battle_week: Path, forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """What a run makes of it that wasn't killed."""
    whole = copy(battle_week, tmp_path_factory.mktemp("whole") / "site")
    assert forks.league(whole, SUNDAY, "run").code == 0
    return look(whole)


@pytest.mark.parametrize("name", PLACES)
def test_killed_in_a_battle_week(name: str, battle_week: Path, expected: Seen, forks: Forks, tmp_path: Path) -> None:
    """Killed at any named place of a run and run again: books, mails and pages as if nothing had happened."""
    assert [row["status"] for row in expected.books["round"]] == ["resolved", "resolved", "open"]
    for hit in (1, 2):
        path = copy(battle_week, tmp_path / f"site{hit}")
        killed = forks.league(path, SUNDAY, "run", LEAGUE_FAILPOINT=f"{name}:{hit}")
        if killed.code != KILLED:
            assert killed.code == 0, killed.err
            break
        again = forks.league(path, SUNDAY, "run")
        assert again.code == 0, again.err
        assert look(path) == expected, f"{name}:{hit}"
