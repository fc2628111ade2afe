"""A league's pages after corrections: whatever they count ends with what the standings say, and sums add up."""

import json
import re
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from selectolax.lexbor import LexborHTMLParser, LexborNode

from league.desk.pages.publish_pages import publish_now
from league.desk.proof.verify import verify
from tests.desk.mended import play, right
from tests.desk.sites import copy, opened, public, rows
from tests.desk.test_correct import LONDON, monday

SCHEMA = Draft202012Validator(
    json.loads((Path(__file__).parents[2] / "docs/json/history.schema.json").read_text("utf-8"))
)
SEATS = {"Anna": "s1", "Ben": "s2", "Carla": "s3"}
Table = dict[str, list[int | None]]


@pytest.fixture(scope="module")
def _four(_spring: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = copy(_spring, tmp_path_factory.mktemp("four") / "site")
    play(path, 4)
    return path


@pytest.fixture
def four(_four: Path, tmp_path: Path) -> Path:
    """Four rounds are sealed, the fifth is open."""
    return copy(_four, tmp_path / "four")


def published(path: Path, now: Any) -> dict[str, bytes]:
    """All pages, which hold against the records."""
    site = opened(path, now)
    publish_now(site, ())
    site.engine.dispose()
    (found,) = (one for one in verify(str((path / "public").resolve())).leagues if one.league == "spring")
    assert found.holds, found.faults
    return {name.removeprefix("spring/"): content for name, content in public(path).items() if "spring/" in name}


def tree(files: dict[str, bytes], name: str) -> LexborHTMLParser:
    return LexborHTMLParser(files[f"en/{name}"].decode())


def first(node: LexborHTMLParser | LexborNode, what: str) -> LexborNode:
    """What has to be there."""
    found = node.css_first(what)
    assert found is not None, what
    return found


def numbers(text: str) -> list[int]:
    return [int(one.replace("−", "-").replace("±", "").replace(",", "")) for one in re.findall(r"[+±−-]?[\d,]+", text)]


def cells(row: LexborNode) -> list[int | None]:
    return [next(iter(numbers(cell.text())), None) for cell in row.css("td")]


def table(page: LexborHTMLParser, where: str) -> Table:
    """By name the numbers of a table's rows."""
    return {first(row, "th").text().strip(): cells(row) for row in page.css(f"{where} tbody tr")}


def standings(files: dict[str, bytes]) -> dict[str, int]:
    found = table(tree(files, "index.html"), "table.standings")
    return {name: int(row[1] or 0) for name, row in found.items() if row[1] is not None}


def newest(path: Path) -> list[dict[str, Any]]:
    """Each round's record that stands."""
    found = rows(path, "SELECT body FROM record WHERE kind = 'round' AND round > 0 ORDER BY round, version")
    return list({body["round"]: body for body in (json.loads(row["body"]) for row in found)}.values())


def gains(path: Path, seat: str) -> list[int]:
    """Of each round what its record has at its end and hadn't at its start."""
    found = []
    for body in newest(path):
        had = body["start"]["players"].get(seat)
        has = next(points for _, who, points in body["standings"] if who == seat)
        found += [has - had["score"]] if had is not None else []
    return found[-5:]


def add_up(path: Path, files: dict[str, bytes]) -> None:
    """Chart, form, sums, reasons, players' own tables, history and replay against the standings."""
    page, players, have = tree(files, "index.html"), tree(files, "players.html"), standings(files)
    assert len(have) == 3
    charted = table(page, "section[aria-labelledby=history]")
    assert {name: row[-1] for name, row in charted.items()} == have
    form = {first(row, "th").text().strip(): numbers(row.css("td")[1].text()) for row in page.css(".form tbody tr")}
    assert form == {name: gains(path, SEATS[name]) for name in have}
    sources = [cells(row) for row in page.css("section[aria-labelledby=sources] tbody tr")]
    assert [sum(column[at] or 0 for column in sources) for at in range(len(have))] == list(have.values())
    reasons = [numbers(line.text()) for line in page.css("section[aria-labelledby=standings] details li")]
    points = list(have.values())
    assert [line[0] for line in reasons if line] == [a - b for a, b in pairwise(points) if a > b]
    for name, seat in SEATS.items():
        own = first(players, f"#{seat}")
        assert numbers(first(own, "tfoot").text()) == [have[name]]
        assert cells(own.css("details tbody tr")[0])[-1] == have[name]
    told = json.loads(files["history.json"])
    assert [*SCHEMA.iter_errors(told)] == []
    last = told.get("next", told["rounds"][-1])
    assert [one["points"] for one in last["standings"]] == points
    film = json.loads(first(page, "#rounds-data").text())
    assert [one[2] for one in film["rounds"][-1]["s"]] == points


def test_all_ends_with_the_standings_while_later_rounds_stand(four: Path) -> None:
    """Gains are those of the rounds' own pages; what the correction changes is a step of its own, with words."""
    before = standings(published(four, monday(4)))
    right(four, 2, LONDON, monday(4), mode="from_now")
    files = published(four, monday(4))
    add_up(four, files)
    assert standings(files) != before
    told = json.loads(files["history.json"])
    assert [(one["round"], one["start"]["corrects"]) for one in told["rounds"] if "start" in one] == [(3, [])]
    assert (told["next"]["round"], told["next"]["corrects"]) == (5, [2])
    page = tree(files, "index.html")
    heads = [one.text() for one in page.css("section[aria-labelledby=history] thead th")]
    assert heads == ["Player", "0", "1", "2", "start of 3", "3", "4", "before 5: put right"]
    words = first(page, "section[aria-labelledby=history]").text()
    assert "Round 3 starts with the position that round 2 had ended with before its correction." in words
    assert "what it changes is in the position with which round 5 starts" in words
    assert first(page, ".replay").attributes["data-right"] == "Position put right"
    film = json.loads(first(page, "#rounds-data").text())
    assert [(one["n"], "p" in one, "b" in one) for one in film["rounds"]][-4:] == [
        (2, False, False),
        (3, False, True),
        (4, False, False),
        (4, True, False),
    ]


def test_the_step_stays_before_the_round_that_it_went_into(four: Path) -> None:
    """After the next round it lies between two rounds, and that round's gain is its own."""
    right(four, 2, LONDON, monday(4), mode="from_now")
    play(four, 5, begin=5)
    files = published(four, monday(5))
    add_up(four, files)
    told = json.loads(files["history.json"])
    assert [(one["round"], one["start"]["corrects"]) for one in told["rounds"] if "start" in one] == [(3, []), (5, [2])]
    assert "next" not in told
    assert "data-right" not in files["en/index.html"].decode()


def test_several_corrections_are_one_step_that_names_all(four: Path) -> None:
    """They went into the same start; a round that was corrected between others has its start told too."""
    right(four, 2, LONDON, monday(4), mode="from_now")
    right(four, 3, "16711.00", monday(4) + timedelta(minutes=1), mode="from_now")
    files = published(four, monday(4) + timedelta(minutes=2))
    add_up(four, files)
    assert json.loads(files["history.json"])["next"]["corrects"] == [2, 3]


@pytest.mark.parametrize("first", ["from_now", "recompute"])
def test_recomputed_rounds_need_no_step(first: str, four: Path) -> None:
    """Each starts where the one before it ends, also where an earlier correction from now on has become void."""
    right(four, 2, "16709.00", monday(4), mode=first)
    right(four, 2, LONDON, monday(4) + timedelta(minutes=1), mode="recompute")
    files = published(four, monday(4) + timedelta(minutes=2))
    add_up(four, files)
    told = json.loads(files["history.json"])
    assert "next" not in told
    assert not any("start" in one for one in told["rounds"])
    assert "Corrections" not in files["en/players.html"].decode()
