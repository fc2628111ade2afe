import json
import shutil
import socket
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from league.cli import main
from league.core.errors import Refused
from league.desk import demo
from league.desk.demo_cast import read_cast


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
    """Four more in the same folder."""
    assert len(first.rounds) == 4
    return demo.play_demo(folder / "one", 4)


def published(path: Path) -> dict[str, bytes]:
    root = path.resolve()
    return {str(f.relative_to(root)): f.read_bytes() for f in sorted(root.rglob("*")) if f.is_file()}


def total(played: demo.Played, kind: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for row in played.rounds:
        found = row[kind]
        assert isinstance(found, dict)
        counted.update({name: int(str(number)) for name, number in found.items()})
    return counted


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(f.read_bytes()) for f in sorted((folder / "after-four" / "demo" / "records").iterdir())]


def test_four_rounds_are_recorded(folder: Path, first: demo.Played) -> None:
    """A run leaves an opening record and one for each of its four rounds, with the figures of their weeks."""
    assert [row["round"] for row in first.rounds] == [1, 2, 3, 4]
    assert [body.get("round") for body in records(folder)[1:]] == [1, 2, 3, 4]
    assert all(len(body["evidence"]) == 3 for body in records(folder)[1:])


def test_the_league_is_alive(first: demo.Played) -> None:
    """Four rounds show a battle that a player lost, an auction, a newcomer, civil war and collapse."""
    events = total(first, "events")
    for name in ("battle", "conquered", "auction_won", "joined", "civil_war", "collapse", "reconstruction"):
        assert events[name], name
    assert not events["world_collapse"]
    assert len(first.standings) == 7


def test_mails_go_wrong_as_in_life(first: demo.Played) -> None:
    """There is mail that comes late, twice, from strangers, from machines, and mail that needs an answer."""
    verdicts = total(first, "verdicts")
    for name in ("accepted", "ask", "late", "duplicate", "rejected", "ignored"):
        assert verdicts[name], name
    assert set(verdicts) == {"accepted", "ask", "late", "duplicate", "rejected", "ignored"}


@pytest.mark.usefixtures("first")
def test_only_fresh_orders_count(folder: Path) -> None:
    """Quoted orders count for nothing: no mail holds two moves, and the changed mind stands."""
    moves = ("take", "attack", "leave", "devastate", "join", "pass")
    for body in records(folder)[1:]:
        for mail in body["orders"]:
            assert sum(line.startswith(moves) for line in mail["orders"]) == 1
    ben = [mail["orders"] for mail in records(folder)[2]["orders"] if mail["seat"] == "s2"]
    assert len(ben) == 2
    assert ben[0] != ben[1]


@pytest.mark.usefixtures("first")
def test_pages_in_three_languages(folder: Path) -> None:
    """The league and each round have a page in German, English and Dutch, and every one says what it is."""
    pages = published(folder / "after-four")
    said = {
        "demo/": b"This is a demonstration",
        "demo/de/": b"Dies ist eine",
        "demo/nl/": b"Dit is een",
    }
    for where, notice in said.items():
        for page in ("index", "round-1", "round-2", "round-3", "round-4"):
            assert notice in pages[f"{where}{page}.html"], where + page


@pytest.mark.usefixtures("first")
def test_everyone_gets_reports(folder: Path) -> None:
    """Every player with a seat gets each round's report and a mail about the freeze; nobody else gets any mail."""
    raw = [f.read_bytes() for f in (folder / "one" / "mail" / "out" / "new").iterdir()]
    to = Counter(line for mail in raw for line in mail.splitlines() if line.startswith(b"To:"))
    assert len(to) == 7
    assert not any(b"vera" in line.lower() for line in to)


def test_a_second_run_goes_on(second: demo.Played) -> None:
    """What was played is read from the site: the next run plays rounds 5 to 8."""
    assert [row["round"] for row in second.rounds] == [5, 6, 7, 8]
    assert second.weeks_left == len(read_cast("kuel").weeks) - 8


@pytest.mark.usefixtures("first")
def test_the_same_everywhere(folder: Path) -> None:
    """In another folder, and in two runs, the same pages and mails come out byte for byte."""
    demo.play_demo(folder / "two", 1)
    demo.play_demo(folder / "two", 3)
    assert published(folder / "two" / "public") == published(folder / "after-four")


@pytest.mark.usefixtures("second")
def test_weeks_run_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When no recorded week is left the demo says so, and plays nothing."""
    cast = read_cast("kuel")
    monkeypatch.setattr(demo, "read_cast", lambda _: replace(cast, weeks=cast.weeks[:8]))
    before = published(folder / "one" / "public")
    with pytest.raises(Refused, match="all its 8 recorded weeks"):
        demo.play_demo(folder / "one", 4)
    assert published(folder / "one" / "public") == before


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


@pytest.mark.usefixtures("second")
def test_says_where_to_look(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` names the page, its address and the mailboxes, and all of them are there."""
    capsys.readouterr()
    assert main(["demo", "--dir", str(folder / "one"), "--rounds", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["round"] for row in told["rounds"]] == [9]
    assert told["url"].startswith("file://")
    assert all(Path(p).exists() for p in (told["page"], told["mail"]["in"], told["mail"]["out"]))


@pytest.mark.usefixtures("second")
def test_tells_what_happened(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` a person reads what happened, where the page lies, and that there is more."""
    assert main(["demo", "--dir", str(folder / "one"), "--rounds", "1"]) == 0
    told = capsys.readouterr().out
    assert "mails in:" in told
    assert str(folder.resolve() / "one" / "public" / "index.html") in told
    assert "Run it again to go on" in told
