"""The world is told of a league: once, in its own words, of what is public, and nothing waits for it."""

import json
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from html import unescape
from pathlib import Path
from re import findall
from typing import Any

import pytest

from league.delivery.announce import Post, check, tell
from league.desk.figures.doctor import examine
from league.desk.leagues.infos import round_info, site_info
from league.desk.overview.status import site_status, told
from league.desk.pages.announce import Announced, announce
from league.desk.pages.shelf import shelf_of
from league.desk.post.mind_outbox import hold, release
from league.desk.run.run_site import run_site
from league.failpoints import FAILPOINTS, KILLED
from league.reports.announcements import Told, announcement
from league.storage import engine as database
from tests.delivery.channel_server import Channel, channel_server
from tests.desk.forks import Forks
from tests.desk.mended import play, right, thursday
from tests.desk.sites import add_league, at, copy, drop, letter, make_site, opened, public, rows, run
from tests.desk.weeks import utc

pytest.importorskip("apprise", reason="apprise is needed: pip install 'league[announce]'")

WEDNESDAY, FRIDAY = at("2024-01-03 10:00"), at("2024-01-05 08:00")
NO_POST = "Failed to send JSON POST notification: Internal server error., error=500."
NOT_SET = "the environment variable LEAGUE_NO_SUCH_VARIABLE, which should hold a password, isn't set"
PLACES = tuple(name for name in FAILPOINTS if name.startswith("announce."))
JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}


@pytest.fixture(scope="module")
def _due(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_site(tmp_path_factory.mktemp("due") / "site")
    settings = path / "league.toml"
    settings.write_text(settings.read_text("utf-8").replace('base_url = ""', 'base_url = "https://play.example"'))
    add_league(path)
    for name, text in JOINS.items():
        drop(path, letter(name, text), WEDNESDAY)
    return path


@pytest.fixture
def due(_due: Path, tmp_path: Path) -> Path:
    """A site with an address, whose first round a run on Friday closes and evaluates; the league is in German."""
    return copy(_due, tmp_path / "site")


@pytest.fixture
def channel() -> Iterator[Channel]:
    with channel_server() as made:
        yield made


def add_channel(path: Path, channel: Channel, name: str = "chat", **keys: object) -> None:
    """A further channel at the end of the site's settings, its address in a file."""
    secret = path / "secrets" / name
    secret.write_text(f"{channel.address()}\n", "utf-8")
    secret.chmod(0o600)
    keys = {"name": name, "url_file": f"secrets/{name}", "picture": False, **keys}
    lines = ["[[announce]]", *(f"{key} = {json.dumps(value)}" for key, value in keys.items())]
    with (path / "league.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + "\n".join(lines) + "\n")


def again(path: Path, now: datetime, *, complete: bool = True) -> Announced:
    site = opened(path, now)
    done = announce(site, complete=complete)
    site.engine.dispose()
    return done


def states(path: Path) -> list[tuple[str, str]]:
    return [(row["kind"], row["state"]) for row in rows(path, "SELECT kind, state FROM announcement ORDER BY id")]


# ------------------------------------------------------------------ what is told


def test_a_report_is_told_once_with_its_map(due: Path, channel: Channel) -> None:
    """Headline and story of the public page, its address and the map, in the league's language or another."""
    add_channel(due, channel, picture=True)
    add_channel(due, channel, "english", lang="en", leagues=["spring"])
    add_channel(due, channel, "other", leagues=["autumn"])
    ran = run(due, FRIDAY)
    assert (ran.announced.sent, ran.troubles) == (2, [])
    (title, text), (english, more) = channel.told
    assert (title, english) == ("spring: Runde 1", "spring: Round 1")
    assert text.endswith("\n\nhttps://play.example/spring/round-1.html")
    assert more.endswith("\n\nhttps://play.example/spring/en/round-1.html")
    feed = public(due)["spring/feed.xml"].decode()
    (summary,) = findall(r"<summary>(.*?)</summary>", feed)
    assert unescape(summary) in text
    assert "Befehle für Runde 2 zählen bis Donnerstag, 11. Januar 2024" in text
    (picture,) = channel.asked[0].json["attachments"]
    assert picture["filename"] == "spring-round-1.png"
    shown = next(name for name in public(due) if name.startswith("spring/pictures/round-1-"))
    assert b64decode(picture["base64"]) == public(due)[shown]
    assert channel.asked[1].json["attachments"] == []
    assert run(due, FRIDAY).announced.sent == 0
    assert len(channel.asked) == 2


def test_a_deadline_is_told_before_it_passes(due: Path, channel: Channel) -> None:
    """Once, so many hours before, if that is wanted; not when the program slept over it."""
    add_channel(due, channel, what=["deadline"], deadline_hours=12)
    assert run(due, at("2024-01-04 10:59")).announced.sent == 0
    assert run(due, at("2024-01-04 11:00")).announced.sent == 1
    assert run(due, at("2024-01-04 12:00")).announced.sent == 0
    (title, text) = channel.told[0]
    assert title == "spring: Runde 1 schließt bald"
    assert "24:00" in text or "00:00" in text or "23:59" in text
    assert text.endswith("https://play.example/spring/index.html")
    run(due, FRIDAY)
    assert len(channel.asked) == 1
    channel.status = 500
    assert run(due, at("2024-01-11 20:00")).announced.troubles != []
    channel.status = 200
    assert again(due, at("2024-01-12 01:00")).sent == 0
    assert states(due) == [("deadline", "sent"), ("deadline", "lapsed")]


def test_a_correction_is_told_as_one(due: Path, channel: Channel) -> None:
    """The newest version alone: one that wasn't told yet and is superseded needn't be."""
    add_channel(due, channel, lang="en")
    run(due, FRIDAY)
    channel.status = 500
    play(due, 2, begin=2)
    monday = utc(thursday(2) + timedelta(days=4), 9)
    right(due, 2, "16705.56", monday)
    channel.status = 200
    channel.asked.clear()
    assert run(due, monday).announced.sent == 1
    ((title, text),) = channel.told
    assert title == "spring: Round 2 (version 2)"
    assert text.startswith("The report was wrong and has been corrected.\n\n")
    assert text.endswith("https://play.example/spring/en/round-2.html")
    assert states(due) == [("report", "sent"), ("report", "lapsed"), ("correction", "sent")]


def test_a_new_channel_is_not_told_of_old_rounds(due: Path, channel: Channel) -> None:
    """It begins with what is sealed from its first run on, that run included."""
    run(due, FRIDAY)
    add_channel(due, channel)
    play(due, 2, begin=2)
    assert [title for title, _ in channel.told] == ["spring: Runde 2"]


def test_names_call_nobody(due: Path) -> None:
    """A player who is called @everyone is written so that no chat wakes everyone; a text has its end."""
    site = opened(due, FRIDAY)
    info = site_info(site)
    with database.read(site.engine) as connection:
        shelf = shelf_of(site, connection, "spring")
    assert shelf is not None
    seats = [replace(seat, name="@everyone <!channel>") for seat in shelf.league.seats]
    league = replace(shelf.league, seats=tuple(seats), title="@here " + "x" * 30)
    joined = [{"type": "joined", "seat": seat.id, "country": "iceland", "rule": "K40"} for seat in seats] * 200
    title, text = announcement(info, league, "report", Told(round_info(shelf.rounds[0]), joined), "en")
    site.engine.dispose()
    assert "@here" not in title
    assert "everyone" in text
    assert "@everyone" not in text
    assert "<!channel" not in text
    assert len(text) < 1_700
    assert text.endswith("/round-1.html")


def test_a_matrix_room_gets_picture_and_text(channel: Channel) -> None:
    """A homeserver is logged into, given the picture and then the words."""
    post = Post("spring: Round 1", "Anna takes London.", b"\x89PNG", "spring-round-1.png")
    assert tell(f"matrix://league:s3cret-word@127.0.0.1:{channel.port}/!room:h", post) == ""
    said = [one.json for one in channel.asked if one.path.endswith(("/0", "/1"))]
    assert [one["msgtype"] for one in said] == ["m.image", "m.text"]
    assert [one.body for one in channel.asked if "/upload" in one.path] == [b"\x89PNG"]
    assert "Anna takes London." in said[1]["body"]


# ------------------------------------------------------------------ trouble


def test_a_channel_that_takes_nothing_holds_nothing_up(due: Path, channel: Channel, processes: Forks) -> None:
    """The round is sealed, mailed and public; run, `status` and `doctor` say it, and none says the address."""
    channel.status = 500
    add_channel(due, channel)
    add_channel(due, channel, "unset", url_file="", url_env="LEAGUE_NO_SUCH_VARIABLE")
    ended = processes.league(due, FRIDAY, "run", "--json")
    found = json.loads(ended.out)
    assert (ended.code, found["resolved"], found["announced"]) == (1, [{"league": "spring", "round": 1}], 0)
    assert found["troubles"] == [
        f"spring, round 1 can't be told in chat: {NO_POST}",
        f"spring, round 1 can't be told in unset: {NOT_SET}",
    ]
    assert {row["state"] for row in rows(due, "SELECT state FROM outbox WHERE kind = 'report'")} == {"sent"}
    site = opened(due, FRIDAY)
    shown: dict[str, Any] = dict(told(site, site_status(site), "en"))
    (item, _) = [item["text"] for item in shown["todo"] if item["what"] == "channel"]
    seen = " ".join(f"{finding.level} {finding.what}" for finding in examine(site))
    site.engine.dispose()
    assert "Round 1 could not be told in the channel “chat”" in item
    assert "ok chat is an address that Apprise knows" in seen
    assert "wrong nothing can be told in unset" in seen
    said = f"{ended.out}{ended.err}{item}{seen}"
    books = b"".join(file.read_bytes() for file in due.glob("league.sqlite*"))
    assert "s3cret-word" not in said
    assert b"s3cret-word" not in books


def test_it_is_tried_again_in_its_order(due: Path, channel: Channel) -> None:
    """Less and less often; what comes later waits behind it; after two days it is given up."""
    channel.status = 500
    add_channel(due, channel)
    run(due, FRIDAY)
    tried = []
    for minutes in (0, 1, 5, 6, 20, 21):
        again(due, FRIDAY + timedelta(minutes=minutes))
        tried.append(len(channel.asked))
    assert tried == [1, 2, 2, 3, 3, 4]
    again(due, FRIDAY + timedelta(days=2))
    assert states(due) == [("report", "failed")]
    assert again(due, FRIDAY + timedelta(days=3)) == Announced()
    site = opened(due, FRIDAY + timedelta(days=3))
    assert [item.what for item in site_status(site).todo if item.what == "channel"] == ["channel"]
    site.engine.dispose()


@pytest.mark.parametrize("place", PLACES)
def test_killed_while_it_is_told(place: str, due: Path, channel: Channel, processes: Forks) -> None:
    """Nothing is lost, and only what was handed over without our noting it is told a second time."""
    add_channel(due, channel)
    assert processes.league(due, FRIDAY, "run", LEAGUE_FAILPOINT=place).code == KILLED
    had = len(channel.asked)
    assert had == (1 if place == "announce.sent" else 0)
    ended = processes.league(due, FRIDAY, "run")
    assert ended.code == 0, ended.err
    assert len(channel.asked) == had + 1
    assert len(set(channel.told)) == 1
    assert states(due) == [("report", "sent")]


def test_pages_come_first(due: Path, channel: Channel) -> None:
    """While a target lacks the page that a link leads to a report waits, an hour at most."""
    add_channel(due, channel)
    run(due, at("2024-01-03 11:00"))
    site = opened(due, FRIDAY)
    run_pages = run_site(site, pages=False)
    site.engine.dispose()
    assert run_pages.resolved.sealed == [("spring", 1)]
    assert again(due, FRIDAY, complete=False).sent == 0
    assert again(due, FRIDAY + timedelta(minutes=59), complete=False).sent == 0
    assert again(due, FRIDAY + timedelta(minutes=60), complete=False).sent == 1


def test_nothing_is_told_on_hold(due: Path, channel: Channel) -> None:
    """A restored site that keeps its mail in tells nobody else either; released, it does."""
    add_channel(due, channel)
    site = opened(due, WEDNESDAY)
    hold(site, "restored")
    site.engine.dispose()
    run(due, FRIDAY)
    assert channel.asked == []
    site = opened(due, FRIDAY)
    release(site, "")
    site.engine.dispose()
    assert run(due, FRIDAY).announced.sent == 1


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("json://127.0.0.1/x", ""),
        ("nonsense://s3cret-word", "its address is none that Apprise knows"),
        ("s3cret-word", "its address is none that Apprise knows"),
    ],
)
def test_an_address_is_looked_at_without_asking(address: str, said: str) -> None:
    """Whether Apprise can make something of it; never told with a piece of it."""
    assert check(address) == said


def test_nobody_there_is_told_in_a_line() -> None:
    """A host that doesn't answer: its name may be told, what stands beside it not."""
    said = tell("json://anna:s3cret-word@127.0.0.1:9/hook/0123456789abcdef", Post("a", "b"))
    assert "127.0.0.1" in said
    assert "s3cret-word" not in said
    assert "0123456789abcdef" not in said
