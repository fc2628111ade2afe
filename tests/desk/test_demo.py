"""The demo: what it promises is read from its records, mails and pages, never from its script."""

import json
import re
import shutil
import socket
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import pytest

from league.cli import main
from league.core.errors import Refused
from league.desk.demo import demo
from league.desk.demo.demo_cast import read_cast
from league.desk.proof.verify import verify
from tests.desk.sites import fresh, parsed, rows
from tests.reports.crawl import dead_links
from tests.reports.validator import faults_of, needs_validator

ALL = 12
SEATS = {"s1": "Anna", "s2": "Ben", "s3": "Carla", "s4": "Dirk", "s5": "Eva", "s6": "Finn", "s7": "Gina"}


def _no_network(*_: object, **__: object) -> NoReturn:
    raise AssertionError("the demo asked for the network")


@pytest.fixture(scope="module", autouse=True)
def _offline() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _no_network)
        patch.setattr(socket, "getaddrinfo", _no_network)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demos")


@pytest.fixture(scope="module")
def first(folder: Path) -> demo.Played:
    """Four rounds in one go; what was published then is kept aside."""
    played = demo.play_demo(folder / "one", 4)
    shutil.copytree((folder / "one" / "public").resolve(), folder / "after-four")
    return played


@pytest.fixture(scope="module")
def second(folder: Path, first: demo.Played) -> demo.Played:
    """The rest in the same folder."""
    assert len(first.rounds) == 4
    return demo.play_demo(folder / "one", 52)


@dataclass(frozen=True)
class Whole:
    """All that a demo of twelve rounds left behind."""

    path: Path

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The opening first, so that a round's number is its place."""
        return [json.loads(f.read_bytes()) for f in sorted((self.path / "public/demo/records").glob("0*.json"))]

    def events(self, kind: str) -> list[tuple[int, dict[str, Any]]]:
        return [(b["round"], e) for b in self.records[1:] for e in b["events"] if e["type"] == kind]

    def lines(self) -> Iterator[tuple[int, str, str, str, str]]:
        """Round, seat, order, fate and reason of every line in the records."""
        for body in self.records[1:]:
            for mail, fates in zip(body["orders"], body["fates"], strict=True):
                for order, fate in zip(mail["orders"], fates["lines"], strict=True):
                    yield body["round"], mail["seat"], order, fate["fate"], fate["reason"]

    @cached_property
    def sent(self) -> list[EmailMessage]:
        """What the league sent."""
        return _mails(self.path / "mail" / "out")

    @cached_property
    def received(self) -> list[EmailMessage]:
        """What the players sent."""
        return _mails(self.path / "mail" / "in")

    def to(self, name: str, about: str) -> list[str]:
        """The texts of mails to a player whose subject has these words."""
        own = [m for m in self.sent if f"{name.lower()}@" in str(m["To"]) and about in str(m["Subject"])]
        return [" ".join(_text(m).split()) for m in sorted(own, key=_date)]


def _mails(maildir: Path) -> list[EmailMessage]:
    return [parsed(f.read_bytes()) for f in sorted(maildir.glob("*/*"))]


def _text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain", "html"))
    assert body is not None
    return str(body.get_content())


def _date(mail: EmailMessage) -> datetime:
    found = mail["Date"].datetime
    assert isinstance(found, datetime)
    return found


@pytest.fixture(scope="module")
def whole(folder: Path, second: demo.Played) -> Whole:
    assert second.weeks_left == 0
    return Whole(folder / "one")


def published(path: Path) -> dict[str, bytes]:
    root = path.resolve()
    return {str(f.relative_to(root)): f.read_bytes() for f in sorted(root.rglob("*")) if f.is_file()}


def total(played: list[demo.Played], kind: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for row in (row for one in played for row in one.rounds):
        found = row[kind]
        assert isinstance(found, dict)
        counted.update({name: int(str(number)) for name, number in found.items()})
    return counted


# ------------------------------------------------------------------ the rounds


def test_every_recorded_week_is_played(first: demo.Played, second: demo.Played, whole: Whole) -> None:
    """Twelve rounds, each with the figures of its own real week."""
    assert [row["round"] for row in (*first.rounds, *second.rounds)] == list(range(1, ALL + 1))
    assert [body["round"] for body in whole.records[1:]] == list(range(1, ALL + 1))
    closes = {e["value"] for b in whole.records[1:] for e in b["evidence"] if e["figure"] == "dax_close"}
    assert {week["dax_close"] for week in read_cast("kuel").weeks} == closes


def test_the_demo_is_built_anew_elsewhere_to_the_same_bytes(whole: Whole, tmp_path: Path) -> None:
    """Untouched, in another folder, by another process, in a home with nothing in it: twelve rounds and the opening."""
    source, home = tmp_path / "copied" / "demo", tmp_path / "home"
    shutil.copytree(whole.path, source, symlinks=True)
    home.mkdir()
    end = datetime(2035, 1, 1, tzinfo=UTC)
    done = fresh(tmp_path / "anew", end, "rebuild", str(source), "--json", HOME=str(home))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [(match["records"], match["same"]) for match in told["matches"]] == [(ALL + 1, ALL + 1)]
    assert told["troubles"] == []


def test_chance_strikes(whole: Whole) -> None:
    """Civil war takes an owner's country, collapse costs one reconstruction and puts one up for auction."""
    assert any(e["loser"] for _, e in whole.events("civil_war"))
    assert any(e["seat"] for _, e in whole.events("collapse"))
    assert any(e["paid"] > 0 for _, e in whole.events("reconstruction"))
    assert any(len(e["bids"]) > 1 for _, e in whole.events("auction_won"))


def test_a_month_is_won(whole: Whole) -> None:
    """July and August have a leader, and the page names the prize."""
    assert [e["month"] for _, e in whole.events("month_leader")] == ["2023-07", "2023-08"]
    assert b"A cup of coffee" in published(whole.path / "public")["demo/index.html"]


# ------------------------------------------------------------------ battles


def test_battles_are_reported_by_mail(whole: Whole) -> None:
    """By the loser alone, and by two who agree; no battle is drawn."""
    battles = whole.events("battle")
    assert {e["how"] for _, e in battles} == {"report", "result", "status_quo"}
    said: dict[tuple[int, str], set[str]] = {}
    for number, seat, order, fate, _ in whole.lines():
        if order.startswith("result") and fate == "done":
            said.setdefault((number, order.split(" ")[1]), set()).add(seat)
    assert {len(seats) for seats in said.values()} == {1, 2}
    assert any(order.startswith("result") and " winner " in order for _, _, order, _, _ in whole.lines())


def test_a_dispute_is_decided_by_the_organizer(whole: Whole) -> None:
    """Both fighters say that they won, both are told so, and the record has the organizer's word."""
    ((number, battle),) = [(n, e) for n, e in whole.events("battle") if e["how"] == "result"]
    (decision,) = [d for d in whole.records[number]["decisions"] if d["kind"] == "result"]
    assert decision["facts"]["winner"] == battle["winner"]
    won = {(n, seat) for n, seat, order, _, _ in whole.lines() if order.startswith("result Denmark won")}
    assert won == {(number, seat) for seat in battle["fighters"]}
    about = {"Dirk": "widersprechen sich", "Carla": "spreken elkaar tegen"}
    assert all(len(whole.to(SEATS[seat], about[SEATS[seat]])) == 1 for seat in battle["fighters"])


def test_a_rematch_is_fought(whole: Whole) -> None:
    """A loser with the right asks for it, gets it, and the second attempt decides."""
    granted = [(n, seat) for n, seat, _, _, reason in whole.lines() if reason == "rematch_granted"]
    ((number, battle),) = [(n, e) for n, e in whole.events("battle") if e["attempt"] == 2]
    assert granted == [(number, battle["owner"])]
    assert battle["winner"] == battle["owner"]


def test_map_and_settings_are_named_by_right(whole: Whole) -> None:
    """The attacked owner chooses both."""
    ((number, terms),) = whole.events("terms")
    assert terms["map"]
    assert terms["settings"]
    chosen = [(n, seat) for n, seat, _, _, reason in whole.lines() if reason == "chosen"]
    assert chosen == [(number, terms["seat"])] * 2


def test_a_battle_stays_unreported(whole: Whole) -> None:
    """Its fighters are reminded, nobody writes, and the owner keeps the country."""
    ((_, battle),) = [(n, e) for n, e in whole.events("battle") if e["how"] == "status_quo"]
    assert battle["winner"] == battle["owner"]
    reminded = {
        str(m["To"]).partition("@")[0].rpartition("<")[2]
        for m in whole.sent
        if re.search(r"is missing|fehlt|ontbreekt", str(m["Subject"]))
    }
    assert reminded == {SEATS[seat].lower() for seat in battle["fighters"]}


# ------------------------------------------------------------------ people


def test_a_newcomer_fights_his_way_in(whole: Whole) -> None:
    """Gina joins in the third round, has to fight for it, and gets that round's report."""
    ((number, joined),) = whole.events("joined")
    assert (number, SEATS[joined["seat"]]) == (3, "Gina")
    assert any(e["winner"] == joined["seat"] for n, e in whole.events("battle") if n == number)
    assert whole.to("Gina", "Runde 3")
    assert not whole.to("Gina", "Runde 2")


def test_silence_is_counted_and_warned_of(whole: Whole) -> None:
    """A round without a mail, and one with a mail too late, stand in the reports of those players."""
    assert any("Nothing was heard from you for 1 round." in text for text in whole.to("Ben", "Round 3"))
    assert any("Von dir kam 1 Runde lang nichts." in text for text in whole.to("Anna", "Runde 5"))


def test_an_absent_player_left_a_list(whole: Whole) -> None:
    """Eva's orders are entered from her list, then a pass; she is told so, and her page says so."""
    entered = [
        (body["round"], d["facts"]["seat"])
        for body in whole.records[1:]
        for d in body["decisions"]
        if d["kind"] == "instructed"
    ]
    assert entered == [(6, "s5"), (7, "s5")]
    orders = {n: order for n, seat, order, _, _ in whole.lines() if seat == "s5" and n in (6, 7)}
    assert orders == {6: "take Slovenia", 7: "pass"}
    assert any("By your standing instruction:" in text for text in whole.to("Eva", "Round 6"))


def test_a_player_retires(whole: Whole) -> None:
    """Finn leaves his countries, is told so, and gets no report after that."""
    ((number, retired),) = whole.events("retired")
    assert SEATS[retired["seat"]] == "Finn"
    assert retired["countries"]
    assert "s6" not in whole.records[number]["position"]["players"]
    assert whole.to("Finn", f"Ronde {number - 1}")
    assert not [m for m in whole.sent if "finn@" in str(m["To"]) and m["Subject"] == f"[Kuel demo] Ronde {number}"]


def test_orders_hang_on_conditions(whole: Whole) -> None:
    """In two languages, and judged."""
    hung = [(seat, fate) for _, seat, order, fate, _ in whole.lines() if order.startswith("if ")]
    assert len({seat for seat, _ in hung}) == 2


# ------------------------------------------------------------------ mails


def test_mails_go_wrong_as_in_life(first: demo.Played, second: demo.Played) -> None:
    """There is mail that comes late, twice, from strangers, from machines, and mail that needs an answer."""
    verdicts = total([first, second], "verdicts")
    assert set(verdicts) == {"accepted", "ask", "late", "duplicate", "rejected", "ignored"}


def test_a_typo_is_answered_and_mended(whole: Whole) -> None:
    """The answer names what was meant; the next mail replies to it and counts."""
    (asked,) = [m for m in whole.sent if "eva@" in str(m["To"]) and "no order" in str(m["Subject"])]
    assert "Hungary" in _text(asked)
    (mended,) = [m for m in whole.received if m["In-Reply-To"] == asked["Message-ID"]]
    assert "take Hungary" in _text(mended)
    assert ("s5", "take Hungary", "done") in [
        (seat, order, fate) for n, seat, order, fate, _ in whole.lines() if n == 1
    ]


def test_players_answer_our_mails(whole: Whole) -> None:
    """Who has got a mail of ours writes into the thread of one, and sends to where it came from."""
    ours = {str(m["Message-ID"]): _date(m) for m in whole.sent}
    began = {str(m["To"]): _date(m) for m in sorted(whole.sent, key=_date, reverse=True)}
    writing = [m for m in whole.received if m["Auto-Submitted"] is None and str(m["From"]) in began]
    answering = [m for m in writing if _date(m) > began[str(m["From"])]]
    assert len(answering) > 100
    assert len(writing) - len(answering) <= len(SEATS)
    for mail in answering:
        thread = [ours[one] for one in str(mail["References"]).split() if one in ours]
        assert thread, mail["Subject"]
        assert max(thread) < _date(mail)
        assert "league@play.example" in str(mail["To"])


def test_mails_are_of_many_programs(whole: Whole) -> None:
    """Quotes with and without signs, phone signatures, HTML alone, three languages, two character sets."""
    texts = [_text(m) for m in whole.received]
    for part in ("\n> ", "Sent from my iPhone", "Verzonden vanaf mijn Samsung", "-----Ursprüngliche Nachricht-----"):
        assert any(part in text for text in texts), part
    assert {m.get_content_type() for m in whole.received} == {"text/plain", "text/html", "multipart/alternative"}
    assert any("windows-1252" in str(m["Content-Type"]) for m in whole.received)
    assert {"Hallo", "Hi,", "Dag"} <= {text.split()[0] for text in texts}


def test_only_fresh_orders_count(whole: Whole) -> None:
    """Quoted orders count for nothing: no mail holds two moves, and the changed mind stands."""
    moves = ("take", "attack", "leave", "devastate", "join", "pass", "if")
    for body in whole.records[1:]:
        for mail in body["orders"]:
            assert sum(line.startswith(moves) for line in mail["orders"]) == (mail["phase"] == 1)
    ben = [mail["orders"] for mail in whole.records[2]["orders"] if mail["seat"] == "s2" and mail["phase"] == 1]
    assert ben == [["pass"], ["take Ireland"]]


def test_everyone_gets_reports(whole: Whole) -> None:
    """Every player gets each round's report while he plays; nobody without a seat gets any mail."""
    reports = Counter(str(m["To"]) for m in whole.sent if re.fullmatch(r".*(Runde|Round|Ronde) \d+", str(m["Subject"])))
    assert sorted(reports.values()) == [10, 10, 12, 12, 12, 12, 12]
    assert not any("vera" in str(m["To"]).lower() for m in whole.sent)


def test_press_is_published(whole: Whole) -> None:
    """What a player says to all stands on the round's page."""
    assert "alle gegen Carla" in published(whole.path / "public")["demo/round-8.html"].decode()


# ------------------------------------------------------------------ pages


@needs_validator
def test_its_pages_are_valid(whole: Whole) -> None:
    """All of them, the worked week of mails too, before the checker of HTML."""
    assert faults_of((whole.path / "public").resolve().rglob("*.html")) == []


def test_pages_in_three_languages(whole: Whole) -> None:
    """The league and each round have a page in German, English and Dutch, and every one says what it is."""
    pages = published(whole.path / "public")
    said = {"demo/": b"This is a demonstration", "demo/de/": b"Dies ist eine", "demo/nl/": b"Dit is een"}
    for where, notice in said.items():
        for page in ("index", *(f"round-{n}" for n in range(1, ALL + 1))):
            assert notice in pages[f"{where}{page}.html"], where + page


def test_every_link_leads_somewhere(whole: Whole) -> None:
    """On no page, and in no feed, a link or an anchor is dead."""
    assert dead_links(whole.path / "public") == []


def test_the_battle_week_lies_in_order(whole: Whole) -> None:
    """The files are numbered by their times, hold the mails byte for byte, and the page shows each of them once."""
    files = sorted((whole.path / "battle-week").glob("*.eml"))
    page = (whole.path / "battle-week" / "index.html").read_text()
    assert re.findall(r'href="(\d\d-[^"]+\.eml)"', page) == [f.name for f in sorted(files, key=_shown_in(page))]
    assert len(files) > 50
    outgoing = {f.read_bytes() for f in (whole.path / "mail" / "out").glob("*/*")}
    incoming = {f.read_bytes() for f in (whole.path / "mail" / "in").glob("*/*")}
    for file in files:
        assert file.read_bytes() in (outgoing if "-to-" in file.name else incoming), file.name
    times = re.findall(r'<figcaption><time datetime="([^"]+)"', re.sub(r'<span id="mail-\d+"></span>', "", page))
    assert times == sorted(times)


def _shown_in(page: str) -> Any:
    return lambda file: page.index(f'href="{file.name}"')


def test_the_battle_week_shows_both_directions(whole: Whole) -> None:
    """Orders, receipts, check sums, fixtures, results, a dispute, the organizer's word, a reminder, the report."""
    kinds = Counter(f.stem.rpartition("-")[2] for f in (whole.path / "battle-week").glob("*.eml"))
    wanted = {"orders", "receipt", "ask", "freeze", "fixtures", "battle", "replies", "dispute", "reminder", "report"}
    wanted |= {"press"}
    assert set(kinds) == wanted
    pages = {lang: (whole.path / f"battle-week/index{lang}.html").read_text() for lang in ("", ".de", ".nl")}
    for lang, title in (("", "The mails of one"), (".de", "Die Mails einer"), (".nl", "De mails van één")):
        assert title in pages[lang]
        assert "league result enter demo" in pages[lang]
    assert not set(published(whole.path / "public")) & {"battle-week/index.html"}
    assert not any(b"@example.org" in content for content in published(whole.path / "public").values())


def test_links_of_the_battle_week_lead_somewhere(whole: Whole) -> None:
    """Every file and every part of a page that it links is there."""
    for page in (whole.path / "battle-week").glob("*.html"):
        text = page.read_text()
        for link in re.findall(r'href="(?!data:)([^"]+)"', text):
            name, _, part = link.partition("#")
            assert not name or (page.parent / name).is_file(), link
            assert not part or name or f'id="{part}"' in text, link


# ------------------------------------------------------------------ again, and elsewhere


def test_a_second_run_goes_on(second: demo.Played) -> None:
    """What was played is read from the site: the next run plays the rest, however many were asked for."""
    assert [row["round"] for row in second.rounds] == list(range(5, ALL + 1))


@pytest.mark.usefixtures("first")
def test_the_same_everywhere(folder: Path) -> None:
    """In another folder, and in two runs, the same pages and mails come out byte for byte."""
    demo.play_demo(folder / "two", 1)
    demo.play_demo(folder / "two", 3)
    assert published(folder / "two" / "public") == published(folder / "after-four")


def test_twelve_rounds_in_one_go_are_the_same(folder: Path, whole: Whole) -> None:
    """Two whole demos give the same bytes: pages, records, mails, and the week that is laid out."""
    demo.play_demo(folder / "again", ALL)
    for part in ("public", "mail/out", "battle-week"):
        assert published(folder / "again" / part) == published(whole.path / part)


def test_weeks_run_out(whole: Whole, capsys: pytest.CaptureFixture[str]) -> None:
    """When no recorded week is left nothing is played, and the pages are still pointed at."""
    before = published(whole.path / "public")
    assert main(["demo", "--dir", str(whole.path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rounds"], told["weeks_left"]) == ([], 0)
    assert published(whole.path / "public") == before
    assert main(["demo", "--dir", str(whole.path)]) == 0
    said = capsys.readouterr().out
    assert "These were all recorded weeks" in said
    assert (whole.path / "battle-week" / "index.html").resolve().as_uri() in said


def test_another_folder_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that holds anything else is refused, exit 1, and nothing in it changes."""
    (tmp_path / "letter.txt").write_text("dear Anna")
    assert main(["demo", "--dir", str(tmp_path)]) == 1
    assert "is no demo" in capsys.readouterr().err
    assert [f.name for f in tmp_path.iterdir()] == ["letter.txt"]


def test_a_site_of_ones_own_is_left_alone(tmp_path: Path) -> None:
    """A real site is refused too: its key is its own."""
    site = tmp_path / "site"
    assert main(["init", str(site)]) == 0
    before = published(site)
    with pytest.raises(Refused, match="is no demo"):
        demo.play_demo(site, 1)
    assert published(site) == before


def test_an_unknown_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game that isn't there is named, and no folder appears."""
    assert main(["demo", "--dir", str(tmp_path / "d"), "--game", "chess"]) == 1
    assert "chess" in capsys.readouterr().err
    assert not (tmp_path / "d").exists()


def test_says_where_to_look(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` names the page, its address and the mailboxes, and all of them are there; so does the text."""
    capsys.readouterr()
    path = folder / "short"
    assert main(["demo", "--dir", str(path), "--rounds", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["round"] for row in told["rounds"]] == [1]
    assert told["url"].startswith("file://")
    assert told["week"] is None
    assert all(Path(p).exists() for p in (told["page"], told["mail"]["in"], told["mail"]["out"]))
    assert main(["demo", "--dir", str(path), "--rounds", "1"]) == 0
    said = capsys.readouterr().out
    assert "mails in:" in said
    assert str(path.resolve() / "public" / "index.html") in said
    assert "Run it again to go on" in said


def test_nothing_was_set_aside(whole: Whole) -> None:
    """No mail and no round made the program stumble."""
    assert not [j for j in rows(whole.path, "SELECT verdict FROM verdict") if j["verdict"] == "held"]
    assert rows(whole.path, "SELECT state FROM outbox WHERE state != 'sent'") == []


def test_whoever_looks_finds_that_the_demo_holds(whole: Whole) -> None:
    """Everything that can happen is in it, and `verify` finds each mail that went out true to the records."""
    found = verify(str(whole.path), [whole.path / "mail" / "out"])
    assert found.holds, [one.faults for one in found.all]
    (league,) = found.leagues
    assert league.rounds == len(whole.records) - 1
    assert league.checked["mails"] > 200
