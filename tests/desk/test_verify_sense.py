"""A chain that is whole and signed by who has the key, and contradicts itself: every record must make sense."""

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import date, timedelta
from pathlib import Path

import pytest

from league import __version__
from league.desk.acts.pause_rounds import pause_rounds
from league.desk.acts.steer_round import extend
from league.desk.proof.verify import verify
from league.desk.proof.verify_told import Told
from league.records.sense import FIELDS
from tests.desk.long_league import SLUG, Body, Long
from tests.desk.signed import alone, resign
from tests.desk.sites import add_league, at, drop, letter, mail_run, make_site, opened, run

Cheat = Callable[[Body], None]


@pytest.fixture(scope="module")
def _bots() -> Long:
    return Long.played(4)


@pytest.fixture
def long(_bots: Long) -> Long:
    return deepcopy(_bots)


def told(where: Path) -> Told:
    return next(one for one in verify(str(where)).all if one.league == SLUG)


def figure(body: Body, name: str = "dax_close") -> Body:
    found: Body = next(row for row in body["evidence"] if row["figure"] == name)
    return found


def unread(body: Body) -> None:
    figure(body)["readings"] = []


def other_reading(body: Body) -> None:
    for reading in figure(body, "lotto")["readings"]:
        reading["value"] = "1 2 3 4 5 6"


def one_vendor(body: Body) -> None:
    del figure(body)["readings"][1]


def single(body: Body) -> None:
    figure(body).update(status="single", readings=[])


def issuer(body: Body) -> None:
    figure(body, "eurusd")["status"] = "issuer"


def manual(body: Body) -> None:
    figure(body).update(status="manual", source="", reason="told")


def late(body: Body) -> None:
    figure(body)["status"] = "late"


def bogus(body: Body) -> None:
    figure(body)["status"] = "certain"


def read_later(body: Body) -> None:
    figure(body)["readings"][0]["read_at"] = "2030-01-01T00:00:00Z"


def closed_late(body: Body) -> None:
    day = date.fromisoformat(body["ends"]) + timedelta(days=1)
    body.update(deadline=f"{day}T10:00:00Z", closes=f"{day}T10:15:00Z", evaluated=f"{day}T20:00:00Z")


def an_hour_more(body: Body) -> None:
    body["deadline"] = body["deadline"].replace("T23:00", "T23:10")


def opened_before(body: Body) -> None:
    body["opens"] = "2020-01-01T00:00:00Z"


def no_moment(body: Body) -> None:
    body["opens"] = body["opens"].replace("Z", "+00:00")


def too_early(body: Body) -> None:
    body["evaluated"] = body["deadline"]


def no_end(body: Body) -> None:
    body["ends"] = None


def other_end(body: Body) -> None:
    body["next_ends"] = (date.fromisoformat(body["next_ends"]) + timedelta(days=7)).isoformat()


def over(body: Body) -> None:
    body["over"] = True


def too_late(body: Body) -> None:
    body["orders"][0]["received_at"] = body["evaluated"]


def decision(body: Body) -> None:
    body["decisions"] = [{"kind": "hold", "facts": {}, "source": "organizer", "at": "2030-01-01T00:00:00Z"}]


def kind_of_decision(body: Body) -> None:
    body["decisions"] = [{"kind": "favour", "facts": {}, "source": "organizer", "at": body["closes"]}]


def field(body: Body) -> None:
    body["comment"] = "trust me"


def deep_field(body: Body) -> None:
    body["orders"][0]["bribe"] = 5


def kind(body: Body) -> None:
    body["kind"] = "note"


BOTH: dict[Cheat, str] = {  # found by verify.py as well
    unread: "evidence[",
    other_reading: "evidence[",
    one_vendor: "evidence[",
    single: "evidence[",
    issuer: "evidence[",
    manual: "evidence[",
    late: "evidence[",
    bogus: "evidence.status",
    read_later: "evidence[",
    closed_late: "closes",
    too_early: "evaluated",
    no_end: "",
    kind: "kind",
}
ONE: dict[Cheat, str] = {
    an_hour_more: "deadline",
    other_end: "next_ends",
    opened_before: "opens",
    no_moment: "opens",
    over: "over",
    too_late: "orders[0].received_at",
    decision: "decisions[0].at",
    kind_of_decision: "decisions.kind",
    field: "comment",
    deep_field: "orders.bribe",
}


@pytest.mark.parametrize("cheat", [*BOTH, *ONE], ids=lambda cheat: cheat.__name__)
def test_a_record_that_contradicts_itself_is_found(cheat: Cheat, long: Long, tmp_path: Path) -> None:
    """Signed anew with the right key, all hashes fitting: the field that makes no sense is named, in its round."""
    long.change(3, cheat)
    where = long.publish(tmp_path / "site", pages=False)
    faults = [fault for fault in told(where).faults if fault.check != "pages" and fault.file.endswith("0003-v1.json")]
    assert any(fault.field.startswith({**BOTH, **ONE}[cheat]) for fault in faults), faults
    if cheat in BOTH:
        answer = alone(where)
        assert (answer.returncode, "0003-v1.json: " in answer.stdout) == (1, True), answer.stdout


def test_a_file_called_after_another_round_is_found(long: Long, tmp_path: Path) -> None:
    """Every page links to records by their files' names."""
    where = long.publish(tmp_path / "site", pages=False)
    (where / SLUG / "records" / "0003-v1.json").rename(where / SLUG / "records" / "0003-v2.json")
    resign(where)
    assert ("records/0003-v2.json", "") in {(f.file, f.field) for f in told(where).faults if f.check == "chain"}
    assert "BROKEN long/records/0003-v2.json: its name" in alone(where).stdout


def test_what_a_newer_program_says_is_told_and_is_no_fault(long: Long, tmp_path: Path) -> None:
    """Records only grow: a field of a later version is named as what this program doesn't know."""
    newer = ".".join(str(int(part) + 1) for part in __version__.split(".")[:3])

    def change(body: Body) -> None:
        field(body)
        body["rules"] = {**body["rules"], "tool": f"league {newer}"}

    long.change(3, change)
    found = told(long.publish(tmp_path / "site", pages=False))
    assert [fault for fault in found.faults if fault.check != "pages"] == []
    assert [(note["code"], note["round"]) for note in found.notes if note["code"] != "own_look"] == [
        ("unknown_field", 3)
    ]


def test_schemas_and_program_know_the_same_fields() -> None:
    """What is described in the documents is what isn't strange."""
    for name, known in FIELDS.items():
        described = json.loads(Path(f"docs/json/record-{name}.schema.json").read_text(encoding="utf-8"))["properties"]
        assert set(described) == known, name


def test_what_the_journal_explains_holds(tmp_path: Path) -> None:
    """A deadline that was extended, figures that moved a week with it, and a pause: the acts are there, so it holds."""
    path = make_site(tmp_path / "site")
    add_league(path, names=("Anna", "Ben"))
    for name, country in (("Anna", "Island"), ("Ben", "France")):
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-03 11:00"))
    extend(opened(path, at("2024-01-03 12:00")), "spring", until="2024-01-05 12:00", why="snow")
    pause_rounds(opened(path, at("2024-01-03 13:00")), "spring", date(2024, 1, 15), date(2024, 1, 21), why="ski")
    for moment in ("2024-01-05 13:00", "2024-01-06 12:00", "2024-01-14 09:00", "2024-01-26 08:00"):
        run(path, at(moment))
    (found,) = verify(str(path)).leagues
    assert found.faults == []
    assert found.rounds == 2
