"""What pages call players, and what they hide: names are those of names.json, and nothing foreign is in a page."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from league.desk.acts.change_seats import retire
from league.desk.acts.forget_player import forget
from league.desk.proof.verify import verify
from league.desk.proof.verify_told import Told
from league.records.note import Checkpoint
from league.storage import engine as database
from league.storage import leagues
from tests.desk.signed import SITE_SEED, resign, rewrite, rewrite_json
from tests.desk.sites import add_league, at, copy, drop, letter, make_site, opened, public, run
from tests.test_docs import faults

FRIDAY = at("2024-01-05 08:00")
PAGE = "en/round-1.html"


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_site(tmp_path_factory.mktemp("pages") / "site")
    add_league(path, names=("Anna", "Ben", "Carla"))
    for name, country in (("Anna", "Island"), ("Ben", "France"), ("Carla", "Portugal")):
        text = f"join {country}\npress to all: hidden <b>plans</b> of {name}: display: none <!-- really"
        drop(path, letter(name, text), at("2024-01-03 10:00"))
    run(path, FRIDAY)
    return path


@pytest.fixture
def played(_played: Path, tmp_path: Path) -> Path:
    return copy(_played, tmp_path / "site")


@pytest.fixture
def where(played: Path, tmp_path: Path) -> Path:
    return Path(copytree((played / "public").resolve(), tmp_path / "public"))


def spring(place: Path) -> Told:
    return next(one for one in verify(str(place)).all if one.league == "spring")


def test_pages_hold(played: Path) -> None:
    """Whatever players have written, with maps and replay, front pages and rules."""
    found = spring(played)
    assert (found.faults, found.notes) == ([], [])
    assert found.checked["pages"] == 12  # of round, league, journal and the composer's choices, in three languages
    assert faults("look", json.loads(public(played)["spring/look.json"])) == []


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


def swapped(text: str) -> str:
    return text.replace("Anna", "\0").replace("Ben", "Anna").replace("\0", "Ben")


@pytest.mark.parametrize("name", ["Carlo", "Anna"])
def test_another_name_in_a_table_is_found(name: str, where: Path) -> None:
    """Signed by who has the key: one that nobody bears, or another player's."""
    rewrite(where, PAGE, replaced("<bdi>Carla</bdi>", f"<bdi>{name}</bdi>"))
    assert [(fault.check, fault.file, fault.field) for fault in spring(where).faults] == [("pages", PAGE, "names")]


def table(text: str) -> str:
    found = re.search(r"<table [^>]*standings.*?</table>", text, re.DOTALL)
    assert found
    return found[0]


def names_in_the_table(text: str) -> str:
    return text.replace(table(text), swapped(table(text)))


def right_table_unseen(text: str) -> str:
    right = table(text)
    wrong = right.replace('<td class="num strong">', '<td class="num strong">9')
    return text.replace(right, f"<div class='x'>{right}</div>{wrong}")


def in_a_comment(text: str) -> str:
    right = table(text)
    return text.replace(right, f"<!--{right}-->")


@pytest.mark.parametrize("change", [names_in_the_table, right_table_unseen, in_a_comment])
def test_each_table_of_a_page_is_the_records(change: Callable[[str], str], where: Path) -> None:
    """Two names that changed places, a second table, a right one that nobody sees: also of another program's pages."""
    rewrite_json(where, "look.json", lambda body: body.update(tool="league 99.0.0"))
    rewrite(where, PAGE, change)
    (fault,) = spring(where).faults
    assert (fault.check, fault.file, fault.field in {"names", "standings"}) == ("pages", PAGE, True)


def test_check_sums_that_nobody_sees_do_not_count(where: Path) -> None:
    """The right ones in a comment, others where a reader looks."""
    rewrite_json(where, "look.json", lambda body: body.update(tool="league 99.0.0"))

    def change(text: str) -> str:
        shown = set(re.findall(r"<code>[0-9a-f]{64}</code>", text))
        return re.sub(r"<code>[0-9a-f]{64}</code>", f"<code>{'0' * 64}</code>", text) + f"<!--{' '.join(shown)}-->"

    rewrite(where, PAGE, change)
    assert {(fault.file, fault.field) for fault in spring(where).faults} == {
        (PAGE, field) for field in ("record", "root", "leaf")
    }


def lead(text: str) -> str:
    return re.sub(r'(<td class="num strong points">)', r"\g<1>9", text, count=1)


def an_act_less(text: str) -> str:
    return re.sub(r"<tr><td data-is=.*?</tr>", "", text, count=1, flags=re.DOTALL)


def other_time(text: str) -> str:
    return re.sub(r'(<time datetime="2024-01-)0', r"\g<1>1", text, count=1)


@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("index.html", lead, "standings"),
        ("nl/index.html", names_in_the_table, "names"),
        ("journal.html", an_act_less, ""),
        ("en/journal.html", other_time, "row 1"),
    ],
)
def test_what_is_looked_at_first_is_compared(name: str, change: Callable[[str], str], field: str, where: Path) -> None:
    """The table on the league's own page, and the journal's page act by act, in every language."""
    rewrite(where, name, change)
    assert [(fault.check, fault.file, fault.field) for fault in spring(where).faults] == [("pages", name, field)]


def test_another_reason_on_the_journals_page_is_found(played: Path, tmp_path: Path) -> None:
    """Than the journal has, whose seal is counted by the records."""
    retire(opened(played, at("2024-01-06 10:00")), "spring", "Ben", why="moved away")
    run(played, at("2024-01-06 10:01"))
    assert spring(played).faults == []
    where = Path(copytree((played / "public").resolve(), tmp_path / "public"))
    rewrite(where, "journal.html", replaced("moved away", "cheated"))
    assert [(fault.file, fault.field) for fault in spring(where).faults] == [("journal.html", "row 1")]


def test_another_history_is_found(where: Path) -> None:
    """Who owned what and who had how many points, at the start and behind each round."""

    def change(body: dict[str, list[dict[str, list[dict[str, int]]]]]) -> None:
        body["rounds"][1]["standings"][0]["points"] += 1

    rewrite_json(where, "history.json", change)
    assert [(fault.file, fault.field) for fault in spring(where).faults] == [
        ("history.json", "rounds[1].standings[0].points")
    ]


def another_leader(body: dict[str, Any]) -> None:
    body["leaders"][0]["name"] = "Zoe"


def more_points(body: dict[str, Any]) -> None:
    body["leaders"][1]["points"] += 100


def another_sign(body: dict[str, Any]) -> None:
    body["leaders"][2]["fill"] = "#000000"


def it_is_over(body: dict[str, Any]) -> None:
    body["over"] = True


def another_headline(body: dict[str, Any]) -> None:
    body["heads"]["en"] = "Anna conquers everything"


def an_earlier_round(body: dict[str, Any]) -> None:
    body.update(round=0, deadline=None)


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        (another_leader, ["leaders[0].name"]),
        (more_points, ["leaders[1].points"]),
        (another_sign, ["leaders[2].fill"]),
        (it_is_over, ["over"]),
        (another_headline, ["heads.en"]),
        (an_earlier_round, ["deadline", "round"]),
    ],
)
def test_what_the_front_page_tells_of_a_league_is_the_records(
    change: Callable[[dict[str, Any]], None], fields: list[str], where: Path
) -> None:
    """A forged `teaser.json` under a manifest that is signed anew is found, whatever in it was changed."""
    rewrite_json(where, "teaser.json", change)
    found = [(fault.check, fault.file, fault.field) for fault in spring(where).faults]
    assert found == [("pages", "teaser.json", field) for field in fields]


def given_away(svg: str) -> str:
    fills = re.findall(r'<path d="[^"]*" fill="([^"]*)"/>', svg)
    mine, other = sorted(set(fills), key=fills.count)[:2]
    return svg.replace(f'fill="{mine}"', f'fill="{other}"', 1)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (given_away, r"field \d+"),
        (replaced("</svg>", "<text>Vote for Ben</text></svg>"), ""),
        (lambda svg: re.sub(r"<path d=[^>]*/></g>", "</g>", svg), ""),
        (lambda svg: re.sub(r'd="M\d', 'd="M9', svg, count=1), ""),
    ],
)
def test_the_small_map_is_the_records(change: Callable[[str], str], field: str, where: Path) -> None:
    """A field in another player's colour, one that is gone or drawn elsewhere, and words on it are found."""
    rewrite(where, "map.svg", change)
    (fault,) = spring(where).faults
    assert (fault.check, fault.file) == ("pages", "map.svg")
    assert re.fullmatch(field, fault.field)


@pytest.mark.parametrize("name", ["teaser.json", "map.svg"])
def test_what_the_front_page_shows_has_to_be_there(name: str, where: Path) -> None:
    """Where this program made the pages; another one may do without."""
    (where / "spring" / name).unlink()
    resign(where, SITE_SEED, "spring")
    assert [(fault.file, fault.what) for fault in spring(where).faults] == [(name, "it isn't there")]
    rewrite_json(where, "look.json", lambda body: body.update(tool="league 99.0.0"))
    assert spring(where).faults == []


def test_a_record_that_was_taken_away_leaves_its_page(where: Path) -> None:
    """The newest one, with a checkpoint signed for those that are left: its page shows more than a round that waits."""
    folder = where / "spring" / "records"
    (folder / "0001-v1.json").unlink()
    opening = sha256((folder / "0000-v1.json").read_bytes()).hexdigest()
    (folder / "checkpoint").unlink()
    (folder / "checkpoint").write_bytes(Checkpoint("spring", "spring-1", 1, opening).sealed(SITE_SEED))
    resign(where, SITE_SEED, "spring")
    found = {(fault.check, fault.file, fault.field) for fault in spring(where).faults}
    assert {("pages", name, "record") for name in ("round-1.html", "en/round-1.html", "nl/round-1.html")} <= found


HIDDEN = {
    "a comment": "<!-- vote for Ben -->",
    "a script": "<script>alert(1)</script>",
    "a script from elsewhere": '<script src="https://example.org/map.js" defer></script>',
    "another kind of data": '<script type="text/javascript" id="rounds-data">alert(1)</script>',
    "hidden": "<p hidden>Ben has paid</p>",
    "hidden among others": '<p hidden class="x">Ben has paid</p>',
    "not displayed": '<p style="color:red; display : none">Ben has paid</p>',
    "too small to read": '<p style="font-size:0">Ben has paid</p>',
    "what does something": "<p onclick='steal()'>Ben has paid</p>",
    "another page in it": "<iframe src=//example.org></iframe>",
    "somewhere else at once": '<meta http-equiv="refresh" content="0">',
}


@pytest.mark.parametrize("what", HIDDEN)
def test_what_no_page_of_ours_has_is_found(what: str, where: Path) -> None:
    """Also in pages that no record renders to: rules, front pages, the journal."""
    rewrite(where, "rules.html", replaced("</main>", f"{HIDDEN[what]}</main>"))
    assert [(fault.check, fault.file) for fault in spring(where).faults] == [("pages", "rules.html")]


@pytest.mark.parametrize("said", ["alert(1);", "leagueComposer.feed({}, steal());", "leagueComposer.feed([]);"])
def test_choices_for_the_composer_are_data_alone(said: str, where: Path) -> None:
    """A program in their place is found."""
    rewrite(where, "en/orders.js", lambda _: f"{said}\n")
    assert [(fault.check, fault.file) for fault in spring(where).faults] == [("pages", "en/orders.js")]


def test_other_names_than_on_the_pages_are_found(where: Path) -> None:
    """Whether the pages were changed or the file of names."""

    def change(body: dict[str, list[dict[str, str]]]) -> None:
        body["seats"][0]["name"] = "Annabel"

    rewrite_json(where, "names.json", change)
    found = {(fault.file, fault.field) for fault in spring(where).faults}
    assert {("round-1.html", "names"), ("en/round-1.html", "names"), ("nl/round-1.html", "names")} <= found


def test_what_another_program_put_into_pages_is_no_fault(where: Path) -> None:
    """Nobody here can say what its pages hold; it is told."""
    rewrite_json(where, "look.json", lambda body: body.update(tool="league 99.0.0"))
    rewrite(where, "rules.html", replaced("</main>", "<!-- new --></main>"))
    found = spring(where)
    assert found.faults == []
    assert [note["code"] for note in found.notes] == ["own_look", "odd_page"]


def test_pages_follow_when_names_change(played: Path) -> None:
    """Who accepts an invitation, or is forgotten, is called the same on the pages of rounds that are long over."""
    forget(opened(played, at("2024-01-06 10:00")), "spring", "Carla", why="asked")
    assert b"<bdi>Player 3</bdi>" in public(played)["spring/en/round-1.html"]
    assert spring(played).faults == []
    site = opened(played, at("2024-01-06 11:00"))
    with database.write(site.engine) as connection:
        leagues.forget_player(connection, 1, "Annabel")
        leagues.mark_unpublished(connection, ["spring"], "now")
    run(played, at("2024-01-06 11:01"))
    assert b"<bdi>Annabel</bdi>" in public(played)["spring/en/round-1.html"]
    assert spring(played).faults == []
