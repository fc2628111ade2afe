"""A league for several seasons: what the next takes over, who is invited, what records and pages say of it."""

import json
import re
from datetime import date, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from league.cli import main
from league.desk.acts.change_seats import retire
from league.desk.acts.forget_player import forget
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.leagues.seasons import follows
from league.desk.people.players import NewPlayer, add_players
from league.desk.proof.verify import verify
from league.desk.proof.verify_seasons import season_faults
from league.desk.rebuild import rebuild
from league.desk.recovery.back_up import back_up
from league.desk.recovery.restore import restore
from league.records.audit import Link
from league.storage import engine as database
from league.storage.troubles import BOUNCE, Trouble, note
from tests.desk.forks import Forks, command
from tests.desk.moves import arrive, away, other_site
from tests.desk.sites import (
    BEGIN,
    LANGS,
    NAMES,
    add_league,
    address,
    at,
    bodies,
    copy,
    drop,
    letter,
    mail_run,
    make_site,
    opened,
    outbox,
    public,
    rows,
    run,
    sealed,
    verdicts,
)
from tests.storage.postgres import Postgres
from tests.test_docs import faults

WEEK = timedelta(weeks=1)
SLUGS = ("union", "union-ii", "union-iii")  # each season
FIRST = (date(2024, 1, 4), date(2024, 2, 1), date(2024, 3, 7))  # the first Thursday of each
NOW = at("2024-03-20 09:00")


class Typed:
    """The command line in a site, at a moment."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path, self.capsys = path, capsys

    def __call__(self, now: datetime, *args: str) -> tuple[int, str]:
        code = main(["--site", str(self.path), "--now", now.isoformat(), *args])
        told = self.capsys.readouterr()
        return code, told.out + told.err

    def json(self, now: datetime, *args: str) -> Any:
        code = main(["--site", str(self.path), "--now", now.isoformat(), *args, "--json", "--quiet"])
        told = self.capsys.readouterr()
        assert code == 0, told
        return json.loads(told.out)


@pytest.fixture
def typed(spring: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    """The league spring of Anna, Ben and Carla."""
    return Typed(spring, capsys)


def league(path: Path, now: datetime, *args: str) -> None:
    assert main(["--site", str(path), "--now", now.isoformat(), "--quiet", *args]) == 0


def week(path: Path, thursday: date, slug: str) -> None:
    """A phase's week without a mail: the run that closes it, the draw, the report."""
    midday = datetime(thursday.year, thursday.month, thursday.day, 12, tzinfo=BEGIN.tzinfo)
    mail_run(path, midday + timedelta(days=1))
    evening = midday + timedelta(days=2, hours=9)
    site = opened(path, evening)
    entry = Entry({"lotto": "3 11 17 20 24 43", "lotto_day": evening.date().isoformat()}, "evening paper", "test")
    enter_figures(site, slug, entry)
    site.engine.dispose()
    run(path, evening + timedelta(minutes=1))


def give_up(path: Path, now: datetime, slug: str, *seats: str) -> None:
    """All but one leave: the match ends with the next report (EUROPA's rules, 8.5)."""
    site = opened(path, now)
    for seat in seats:
        retire(site, slug, seat, why="moved away")
    site.engine.dispose()


@pytest.fixture(scope="module")
def _begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A first season under way, and the next one open with three who are invited."""
    path = make_site(tmp_path_factory.mktemp("unions") / "site")
    league(
        path, BEGIN, "new", SLUGS[0], "--game", "europa", "--start", "2024-01-02", "--lang", "en", "--title", "Union"
    )
    site = opened(path, BEGIN)
    add_players(site, SLUGS[0], [NewPlayer(name, address(name), LANGS[i]) for i, name in enumerate(NAMES[:3])])
    site.engine.dispose()
    week(path, FIRST[0], SLUGS[0])
    second = ("--after", SLUGS[0], "--title", "Second Union", "--start", str(FIRST[1]))
    league(path, at("2024-01-07 09:00"), "new", SLUGS[1], *second)
    run(path, at("2024-01-07 09:01"))
    return path


@pytest.fixture(scope="module")
def _two(_begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first season is over, Carla has won; the second goes on."""
    path = copy(_begun, tmp_path_factory.mktemp("two") / "site")
    give_up(path, at("2024-01-08 09:00"), SLUGS[0], "s1", "s2")
    week(path, FIRST[0] + WEEK, SLUGS[0])
    for name in NAMES[:3]:
        drop(path, letter(name, "accept", subject="yes"), at("2024-01-20 10:00"))
    run(path, at("2024-01-20 12:00"))
    return path


@pytest.fixture(scope="module")
def _three(_two: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seasons are over, Anna has won the second; the third is open for her."""
    path = copy(_two, tmp_path_factory.mktemp("three") / "site")
    week(path, FIRST[1], SLUGS[1])
    give_up(path, at("2024-02-04 09:00"), SLUGS[1], "s2", "s3")
    week(path, FIRST[1] + WEEK, SLUGS[1])
    league(path, at("2024-02-12 09:00"), "new", SLUGS[2], "--after", SLUGS[1], "--start", str(FIRST[2]))
    run(path, at("2024-02-12 09:01"))
    return path


@pytest.fixture
def begun(_begun: Path, tmp_path: Path) -> Path:
    return copy(_begun, tmp_path / "begun" / "site")


@pytest.fixture
def two(_two: Path, tmp_path: Path) -> Path:
    return copy(_two, tmp_path / "two" / "site")


@pytest.fixture
def three(_three: Path, tmp_path: Path) -> Path:
    return copy(_three, tmp_path / "three" / "site")


def words(page: bytes) -> str:
    """A page's text in one line."""
    return " ".join(
        unescape(re.sub(r"<(style|script|svg).*?</\1>|<[^>]+>", " ", page.decode(), flags=re.DOTALL)).split()
    )


def shown(path: Path, name: str, section: str) -> str:
    """The text of a page's section, by its heading's id; nothing where there is none."""
    page = public(path)[name].decode()
    found = re.search(rf'<h2 id="{section}">.*?</section>', page, re.DOTALL)
    return words(found[0].encode()) if found else ""


# ------------------------------------------------------------------ what is taken over


def test_what_isnt_said_is_as_it_was(typed: Typed) -> None:
    """Every choice of the season before, but its pauses and dates; the title too, unless it was the short name."""
    board = Path(__file__).parent.parent.parent / "config" / "kuel" / "board.toml"
    given: tuple[str, ...] = (
        "--title",
        "Summer",
        "--lang",
        "nl",
        "--zone",
        "Europe/London",
        "--deadline",
        "wednesday 20:00",
    )
    given += ("--grace-minutes", "5", "--replies-until", "deadline", "--hold-hours", "3", "--figure-late", "no_event")
    given += ("--figure-late-days", "9", "--prize", "tea", "--nmr-warn", "2", "--nmr-limit", "5", "--board", str(board))
    given += ("--nmr-action", "offer", "--option", "preset=gentle", "--option", "press=public")
    given += ("--option", "press_anonymous=on", "--option", "press_limit=7", "--pause", "2024-08-01..2024-08-14")
    typed.json(BEGIN, "new", "summer", "--game", "kuel", "--start", "2024-06-01", *given)
    told = typed.json(BEGIN, "new", "winter", "--after", "summer", "--start", "2024-12-01")
    assert faults("new", told) == []
    assert {key: told[key] for key in ("season", "after", "invited", "game", "title")} == {
        "season": 2,
        "after": "summer",
        "invited": 0,
        "game": "kuel",
        "title": "Summer",
    }
    both = (
        "SELECT league.*, season.* FROM season JOIN league ON league.id = league_id WHERE slug IN (?, ?) ORDER BY slug"
    )
    old, new = rows(typed.path, both, "summer", "winter")
    for name in ("game", "title", "lang", "zone", "rules", "options"):
        assert new[name] == old[name], name
    calendars = [json.loads(row["calendar"]) for row in (old, new)]
    assert calendars[0].pop("pauses")
    assert [one.pop("first_day") for one in calendars] == ["2024-06-05", "2024-12-04"]
    assert calendars[1] == calendars[0]
    sources = [json.loads(row["sources"]) for row in (old, new)]
    assert sources[1].pop("season")["league"] == "summer"
    assert sources[1] == sources[0]
    assert typed.json(BEGIN, "new", "spring-27", "--after", "spring")["title"] == "spring-27"


def test_a_rhythm_is_taken_over_as_it_was_typed(typed: Typed) -> None:
    """Hours of each phase and the grid; with one that came with early closing the option alone says it."""
    kinds: tuple[tuple[str, ...], ...] = (("--every", "72h", "--every", "vote=48h", "--deadline", "20:00"),)
    kinds += (("--every", "3d"), ("--every", "96h", "--deadline", "sunday 18:30"), ("--option", "early_close=yes"))
    for number, kind in enumerate(kinds):
        typed.json(BEGIN, "new", f"u{number}", "--game", "europa", *kind)
        typed.json(BEGIN, "new", f"v{number}", "--after", f"u{number}")
        found = rows(typed.path, "SELECT calendar FROM season ORDER BY id DESC LIMIT 2")
        assert json.loads(found[0]["calendar"]) == json.loads(found[1]["calendar"])
    typed.json(BEGIN, "new", "w", "--after", "v3", "--option", "early_close=no")
    (last,) = rows(typed.path, "SELECT calendar FROM season ORDER BY id DESC LIMIT 1")
    assert "rhythm" not in json.loads(last["calendar"])


def test_what_is_said_goes_before(typed: Typed) -> None:
    """One option or one number changes and the others stay; a preset brings its own over what was."""
    typed.json(
        BEGIN, "new", "a", "--game", "kuel", "--option", "debt=allowed", "--option", "award=gained", "--nmr-warn", "2"
    )
    typed.json(BEGIN, "new", "b", "--after", "a", "--option", "preset=gentle", "--nmr-limit", "6", "--lang", "nl")
    (row,) = rows(typed.path, "SELECT * FROM season JOIN league ON league.id = league_id WHERE slug = 'b'")
    options, calendar = json.loads(row["options"]), json.loads(row["calendar"])
    assert (options["debt"], options["award"], row["lang"]) == ("stop_at_zero", "gained", "nl")
    assert calendar["nmr"] == {"warn": 2, "limit": 6, "action": "tell"}


REFUSALS = [
    (("b", "--after", "nowhere"), 1, "no league 'nowhere' on this site; there are: autumn, spring"),
    (("b", "--after", "spring"), 1, "spring has a next season already: autumn (season 2); to go on from that one say"),
    (("b", "--after", "autumn", "--game", "europa"), 1, "autumn plays kuel, and its next season is the same game"),
    (("spring", "--after", "autumn"), 1, "a league named spring is already there; its next season is a league with"),
    (("b", "--after", "autumn", "--option", "debt=maybe"), 1, "option.debt is 'maybe'"),
    (("b", "--after", "autumn", "--start", "2023-01-01"), 1, "the first round would have closed on"),
    (("b",), 2, "Say --game, or --after for the next season of a league that is there."),
]


@pytest.mark.parametrize(("args", "code", "said"), REFUSALS)
def test_what_cant_be_is_refused_in_plain_words(typed: Typed, args: tuple[str, ...], code: int, said: str) -> None:
    """No such league, one that is followed already, another game, a name that is taken: and nothing was opened."""
    typed.json(BEGIN, "new", "autumn", "--after", "spring")
    ended, told = typed(BEGIN, "new", *args)
    assert (ended, said in told) == (code, True), told
    assert [row["slug"] for row in rows(typed.path, "SELECT slug FROM league ORDER BY slug")] == ["autumn", "spring"]


def test_a_league_that_has_moved_is_followed_where_it_is_played(typed: Typed) -> None:
    """Here it is refused, with how to take it back."""
    away(typed.path, at("2024-01-02 09:00"))
    code, told = typed(at("2024-01-02 10:00"), "new", "autumn", "--after", "spring")
    assert (code, "spring has moved to another site" in told) == (1, True), told


def test_of_two_at_once_one_follows(spring: Path, processes: Forks) -> None:
    """The other is refused with the name of the one that is there."""
    ended = processes.at_once(*(command(spring, BEGIN, "new", slug, "--after", "spring") for slug in ("a", "b")))
    assert sorted(one.code for one in ended) == [0, 1], ended
    (lost,) = (one for one in ended if one.code)
    assert "has a next season already" in lost.err or "another league command is writing" in lost.err
    assert len(rows(spring, "SELECT id FROM league")) == 2


def test_on_postgresql_it_is_the_same(postgres: Postgres, processes: Forks, tmp_path: Path) -> None:
    """Of several at once one follows, the players are invited once, and the pages lead there and back."""
    path = make_site(tmp_path / "site", url=postgres.url(postgres.create()))
    add_league(path)
    slugs = ("a", "b", "c", "d")
    ended = processes.at_once(*(command(path, BEGIN, "new", slug, "--after", "spring") for slug in slugs))
    assert sorted(one.code for one in ended) == [0, 1, 1, 1], ended
    (won,) = (slug for slug, one in zip(slugs, ended, strict=True) if one.code == 0)
    assert all(f"has a next season already: {won} (season 2)" in one.err for one in ended if one.code), ended
    run(path, BEGIN)
    found = public(path)
    assert f'href="../../{won}/en/index.html">Season 2 is open'.encode() in found["spring/en/index.html"]
    assert b'href="../../spring/en/index.html">Season 1' in found[f"{won}/en/index.html"]
    assert b'"seat":"s3"' in found[f"{won}/journal.json"]


# ------------------------------------------------------------------ who is invited


def test_who_has_a_seat_is_invited_in_order(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not who left, was forgotten, hasn't said yes, or gets no mail; language and zone go along."""
    add_league(bare, names=NAMES)
    site = opened(bare, BEGIN)
    add_players(site, "spring", [NewPlayer("Gerd", address("Gerd"), "nl", "Europe/Vienna")])
    add_players(site, "spring", [NewPlayer("Hans", address("Hans"))], invite=True)
    retire(site, "spring", "Ben", why="moved away")
    with database.write(site.engine) as connection:
        note(connection, [Trouble(BOUNCE, address("Carla"), "no such mailbox", BEGIN, BEGIN)])
    forget(site, "spring", "Dirk", why="asked for it")
    site.engine.dispose()
    told = Typed(bare, capsys).json(BEGIN, "new", "autumn", "--after", "spring")
    assert told["invited"] == 4
    asked = "SELECT seat.code, seat.status, player.name, player.lang, player.zone FROM seat JOIN player"
    asked += " ON player.id = player_id WHERE match_id = 2 ORDER BY position"
    assert [tuple(row.values()) for row in rows(bare, asked)] == [
        ("s1", "invited", "Anna", "de", "Europe/Berlin"),
        ("s2", "invited", "Eva", "en", "Europe/Berlin"),
        ("s3", "invited", "Finn", "nl", "Europe/Berlin"),
        ("s4", "invited", "Gerd", "nl", "Europe/Vienna"),
    ]


def test_the_invitation_says_that_it_is_the_next_season(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, in each one's language; who is new reads nothing of it."""
    typed = Typed(spring, capsys)
    typed.json(BEGIN, "new", "autumn", "--after", "spring")
    typed.json(BEGIN, "player", "add", "autumn", "Xaver", "xaver@example.org", "--lang", "en")
    found = {out.to: " ".join(out.text.split()) for out in outbox(spring, "invitation")}
    assert "Das ist die Saison 2 einer Liga, die du kennst: Sie folgt auf „spring“." in found[address("Anna")]
    assert "This is season 2 of a league that you know: it follows “spring”." in found[address("Ben")]
    assert "Dit is seizoen 2 van een competitie die je kent: het volgt op “spring”." in found[address("Carla")]
    assert "season" not in found[address("Xaver")]


def test_nobody_plays_without_a_yes(typed: Typed) -> None:
    """With `--no-invite` nobody is even asked."""
    told = typed.json(BEGIN, "new", "autumn", "--after", "spring", "--no-invite")
    assert told["invited"] == 0
    assert rows(typed.path, "SELECT id FROM seat WHERE match_id = 2") == []


def test_a_mail_that_names_none_is_for_the_season_that_is_played(begun: Path, two: Path) -> None:
    """While both are, its writer is asked; a match that is over asks for nothing, so nobody is asked about it."""
    drop(begun, letter("Carla", "accept", subject="yes"), at("2024-01-07 10:00"))
    mail_run(begun, at("2024-01-07 12:00"))
    assert verdicts(begun)[-1] == ("ask", "which_league")
    assert [verdict for verdict, _ in verdicts(two)] == ["accepted"] * 3
    assert {row["status"] for row in rows(two, "SELECT status FROM seat WHERE match_id = 2")} == {"active"}


# ------------------------------------------------------------------ records


def test_the_opening_record_names_the_season_before(three: Path) -> None:
    """By name, number and the hash of its opening; a first season's record has nothing of it."""
    first, *later = (bodies(three, match)[0] for match in (1, 2, 3))
    assert "season" not in first
    for number, body in enumerate(later, start=2):
        opening = sealed(three, number - 1)[0].sha256
        assert body["season"] == {"league": SLUGS[number - 2], "season": number, "opening": opening}
        assert faults("record-opening", body) == []
    numbers = rows(three, "SELECT number FROM season ORDER BY id")
    assert [row["number"] for row in numbers] == [1, 2, 3]
    acts = json.loads(public(three)[f"{SLUGS[1]}/journal.json"])["acts"]
    assert acts[0]["why"].endswith("; season 2, after union")


def test_a_site_of_seasons_is_built_anew_to_the_same_bytes(three: Path, tmp_path: Path) -> None:
    """Openings, seats and invitations are done again as the journal has them, and the pages come out the same."""
    made = rebuild(tmp_path / "anew", three, NOW)
    assert made.is_same, made
    assert [one.match for one in made.matches] == [f"{slug}-1" for slug in SLUGS]
    asked = "SELECT match_id, code, status, joined_round FROM seat ORDER BY id"
    assert rows(tmp_path / "anew", asked) == rows(three, asked)


def test_a_restored_site_knows_its_seasons(three: Path, tmp_path: Path) -> None:
    """A backup has them; a second next season is refused there too."""
    site = opened(three, NOW)
    back_up(site, tmp_path / "site.tar")
    site.engine.dispose()
    restore(tmp_path / "new", tmp_path / "site.tar", NOW)
    assert main(["--site", str(tmp_path / "new"), "--now", NOW.isoformat(), "new", "x", "--after", SLUGS[0]]) == 1
    asked = "SELECT number, sources FROM season ORDER BY id"
    assert rows(tmp_path / "new", asked) == rows(three, asked)


# ------------------------------------------------------------------ pages


def test_a_season_tells_of_the_earlier_ones(three: Path) -> None:
    """Number, winner, points, rounds and last day of each, the newest first, with links that lead there."""
    page = public(three)[f"{SLUGS[2]}/index.html"].decode()
    assert '<p class="kicker">Season 3</p>' in page
    earlier = shown(three, f"{SLUGS[2]}/index.html", "earlier")
    assert re.fullmatch(
        r"Earlier seasons Season 2 Won by Anna \d+ 2 rounds, 8 Feb 2024 "
        r"Season 1 Union Won by Carla \d+ 2 rounds, 11 Jan 2024",
        earlier,
    ), earlier
    assert [f'href="../{slug}/index.html"' in page for slug in SLUGS] == [True, True, False]
    german = public(three)[f"{SLUGS[2]}/de/index.html"].decode()
    assert f'href="../../{SLUGS[0]}/de/index.html"' in german
    assert "Frühere Saisons" in german


def test_a_season_leads_to_the_next(begun: Path, two: Path) -> None:
    """While it is played in a line beside others, and first of all once it is over."""
    link = '<a href="../union-ii/index.html">Season 2 is open</a>'
    running, over = (public(path)[f"{SLUGS[0]}/index.html"].decode() for path in (begun, two))
    assert f"<p>{link} Second Union</p>" in running
    assert 'onward">' not in running
    assert f'<p class="onward">{link} <span>Second Union</span></p>' in over
    assert "It isn't over yet." in shown(begun, f"{SLUGS[1]}/index.html", "earlier")


def test_the_archive_has_the_seasons_of_a_league_under_one_heading(two: Path, three: Path) -> None:
    """The newest first with winner and link; one alone says which it is, and a card that runs who won the last."""
    one = words(public(two)["index.html"])
    assert "Second Union Season 2 · EUROPA 1945–2030 · 3 players" in one
    assert re.search(r"Season 1 : Won by Carla \d+", one), one
    assert re.search(r"Archive Union Season 1 · EUROPA .* Over after 2 rounds, .* Season 2 is open", one), one
    done = shown(three, "index.html", "archive")
    assert re.search(r"Second Union EUROPA 1945–2030 · 2 seasons Season 2 Won by Anna .* Season 1 Union Won by C", done)
    assert done.endswith("Season 3 is open")
    assert public(three)["index.html"].count(b'<li class="card home') == 2


def test_a_winner_who_is_forgotten_is_called_as_on_all_pages(three: Path) -> None:
    """Later seasons and the front page are made anew with the new name at once."""
    league(three, NOW, "player", "forget", SLUGS[0], "Carla", "--yes", "--why", "asked for it")
    for name, section in (("index.html", "archive"), *((f"{slug}/index.html", "earlier") for slug in SLUGS[1:])):
        told = shown(three, name, section)
        assert "Player 3" in told, name
        assert "Carla" not in told, name


def test_a_site_without_later_seasons_has_no_word_of_them(spring: Path) -> None:
    """Its pages, records and teasers are what they were."""
    run(spring, at("2024-01-05 08:00"))
    found = public(spring)
    assert b"season" not in found["index.html"].partition(b"</style>")[2].lower()
    assert b'"season"' not in b"".join(content for name, content in found.items() if name.endswith(".json"))
    assert b"Earlier seasons" not in found["spring/en/index.html"]


# ------------------------------------------------------------------ proof, and other sites


def test_all_that_is_published_holds(three: Path) -> None:
    """Files, chains, journals and pages of every season."""
    found = verify(str(three / "public"))
    assert found.holds, [one.faults[:3] for one in found.all]


def test_an_opening_that_doesnt_fit_the_one_before_is_found(three: Path) -> None:
    """A number that skips one, another game, a word that isn't one; another league of the same name is none of ours."""
    chains = [sealed(three, match)[0] for match in (1, 2)]
    first, second = (Link(one.file, one.sha256, json.loads(one.body)) for one in chains)
    others = {SLUGS[0]: first}

    def wrong(**changed: Any) -> list[str]:
        body = {**second.body, **changed}
        return [fault.what for fault in season_faults(SLUGS[1], Link(second.file, second.sha256, body), others)]

    told = second.body["season"]
    assert wrong() == []
    assert wrong(season={**told, "season": 4}) == ["it is season 4, and union is season 1"]
    assert wrong(game="kuel") == ["union is another game"]
    for odd in ("x", {**told, "season": 1}, {**told, "league": "../x"}, {**told, "opening": ""}, {"league": "union"}):
        assert wrong(season=odd) == ["it names no season before union-ii"]
    assert wrong(season={**told, "season": 4, "opening": "0" * 64}) == []
    assert follows({}) is None


def test_a_season_moves_alone_and_finds_the_others_again(three: Path, tmp_path: Path) -> None:
    """On a site without the earlier one it names it without a link; once that has come too, the link is there."""
    new = other_site(tmp_path / "new" / "site", NOW)
    for slug in (SLUGS[1], SLUGS[0]):
        file, _ = away(three, NOW + timedelta(hours=1), slug)
        arrive(new, file, NOW + timedelta(hours=2))
        run(new, NOW + timedelta(hours=3))
        page = public(new)[f"{SLUGS[1]}/index.html"].decode()
        earlier = shown(new, f"{SLUGS[1]}/index.html", "earlier")
        if slug == SLUGS[1]:
            assert earlier == "Earlier seasons Season 1 union It was played at another place."
        else:
            assert "Season 1 Union Won by Carla" in earlier
        assert ('href="../union/index.html"' in page) == (slug == SLUGS[0])
        found = verify(str(new / "public"))
        assert found.holds, [one.faults[:3] for one in found.all]
    assert 'class="onward"' in public(new)[f"{SLUGS[0]}/index.html"].decode()


def test_another_league_of_that_name_isnt_the_season_before(two: Path, tmp_path: Path) -> None:
    """Where a season was brought to a site that has a league of the earlier one's name, no page takes it for that."""
    new = other_site(tmp_path / "new" / "site", at("2024-01-01 09:00"))
    league(new, at("2024-01-21 09:00"), "new", SLUGS[0], "--game", "europa", "--title", "Another")
    file, _ = away(two, at("2024-01-21 10:00"), SLUGS[1])
    arrive(new, file, at("2024-01-21 11:00"))
    run(new, at("2024-01-21 12:00"))
    earlier = shown(new, f"{SLUGS[1]}/index.html", "earlier")
    assert earlier == "Earlier seasons Season 1 union It was played at another place."
    assert "Season" not in words(public(new)[f"{SLUGS[0]}/index.html"])
    league(new, at("2024-01-21 13:00"), "new", "other", "--after", SLUGS[0])
