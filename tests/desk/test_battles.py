"""Battles that are fought outside and reported: waiting, chains, the end of waiting (K33, K34)."""

import json
from pathlib import Path

import pytest

from league.cli import main
from tests.desk.sites import (
    add_league,
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
)

FRIDAY, SATURDAY = at("2024-01-12 08:00"), at("2024-01-13 21:30")
# Dirk and Eva fight for Norway, Anna and Ben for Spain: who wins decides nothing for the other.
JOINS = {"Anna": "France", "Ben": "Portugal", "Dirk": "Sweden", "Eva": "Finland"}
TAKES = {"Anna": "take Spain", "Ben": "take Spain", "Dirk": "take Norway", "Eva": "take Norway"}


@pytest.fixture(scope="module")
def _fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_site(tmp_path_factory.mktemp("fought") / "site")
    add_league(path, names=tuple(JOINS), battles="reported")
    for name, country in JOINS.items():
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    for name, text in TAKES.items():
        drop(path, letter(name, text), at("2024-01-10 10:00"))
    mail_run(path, FRIDAY)
    figures(path, SATURDAY, lotto="3 12 17 20 24 43")
    return path


@pytest.fixture
def fought(_fought: Path, tmp_path: Path) -> Path:
    """Round 2 is frozen, its figures are known, and two battles wait."""
    return copy(_fought, tmp_path / "site")


def league(path: Path, *args: str, now: str = "2024-01-13 21:30") -> int:
    return main(["--site", str(path), "--now", at(now).isoformat(), *args])


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_a_battle_holds_the_round_up(fought: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The run ends well, names what it waits for, publishes a page without orders, and sends no report."""
    assert league(fought, "run") == 0
    said = capsys.readouterr().err
    assert "spring, round 2 waits for: battle " in said
    assert "norway 1 (s3 against s4)" in said
    assert "spain 1 (s1 against s2)" in said
    assert len(bodies(fought)) == 2
    assert {o.mail["Subject"] for o in outbox(fought, "report")} == {
        "[spring] Round 1",
        "[spring] Runde 1",
        "[spring] Ronde 1",
    }
    page = public(fought)["spring/en/round-2.html"].decode()
    assert "Norway" in page
    assert league(fought, "round", "resolve", "spring") == 1


def test_battles_are_listed_with_their_fighters(fought: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`league result list` says which battles are due now; fighters in order of execution."""
    assert league(fought, "result", "list", "spring", "--json") == 0
    found = told(capsys)
    assert found["round"] == 2
    assert found["entered"] == []
    assert sorted((b["country"], b["attempt"]) for b in found["waiting"]) == [("norway", 1), ("spain", 1)]  # type: ignore[attr-defined]
    fighters = {b["country"]: b["fighters"] for b in found["waiting"]}  # type: ignore[attr-defined]
    assert fighters["spain"] == [["s1", "Anna"], ["s2", "Ben"]]


def test_a_result_is_noted_and_the_rest_waits(fought: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Country and winner as people write them; the journal says who and why."""
    assert league(fought, "result", "enter", "spring", "Madrid", "ben", "--why", "both told me", "--json") == 0
    found = told(capsys)
    assert [b["country"] for b in found["waiting"]] == ["norway"]  # type: ignore[attr-defined]
    assert found["entered"] == [["spain", 1, "s2"]]
    (act,) = rows(fought, "SELECT why, arguments FROM journal WHERE act = 'result enter'")
    assert act["why"] == "both told me"
    assert json.loads(act["arguments"]) == {"attempt": 1, "country": "spain", "round": 2, "winner": "s2"}


def test_with_all_results_the_round_is_resolved(fought: Path) -> None:
    """The winners own the countries, and everyone gets the report."""
    assert league(fought, "result", "enter", "spring", "Spain", "Ben") == 0
    assert league(fought, "result", "enter", "spring", "Norway", "Eva") == 0
    assert league(fought, "run") == 0
    players = bodies(fought)[2]["position"]["players"]
    assert "spain" in players["s2"]["owns"]
    assert "norway" in players["s4"]["owns"]
    assert len(outbox(fought, "report")) == 8


@pytest.mark.parametrize("looks", [("status",), ("round", "preview", "spring"), ("run",)])
def test_results_one_by_one_are_results_at_once(fought: Path, tmp_path: Path, looks: tuple[str, ...]) -> None:
    """Whatever is done in between, and in whatever order they come: the same round (DESIGN: Adjudication).

    The records differ in the order of the decisions alone, where that was another.
    """
    results = [("Spain", "Ben"), ("Norway", "Eva")]
    one, other, mixed = (copy(fought, tmp_path / name) for name in ("one", "other", "mixed"))
    for country, winner in results:
        assert league(one, "result", "enter", "spring", country, winner) == 0
    assert league(one, "run") == 0
    for path, order in ((other, results), (mixed, results[::-1])):
        for country, winner in order:
            assert league(path, *looks) == (looks == ("status",))  # a result is missing: a person is needed
            assert league(path, "result", "enter", "spring", country, winner) == 0
        assert league(path, "run") == 0
    records = [bodies(path)[2] for path in (one, other, mixed)]
    assert records[0] == records[1]
    assert public(one) == public(other)
    without = [{k: v for k, v in record.items() if k != "decisions"} for record in records]
    assert without[0] == without[2]


def test_the_end_of_waiting_leaves_things_as_they_were(fought: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--over`: what nobody reported stays unoccupied (K33); a result that is there counts."""
    assert league(fought, "result", "enter", "spring", "Norway", "Dirk") == 0
    assert league(fought, "round", "resolve", "spring", "--over", "--why", "nobody answers", "--json") == 0
    capsys.readouterr()
    record = bodies(fought)[2]
    assert record["over"] is True
    owned = {country for player in record["position"]["players"].values() for country in player["owns"]}
    assert "spain" not in owned
    assert "norway" in record["position"]["players"]["s3"]["owns"]
    assert rows(fought, "SELECT why FROM journal WHERE act = 'round resolve --over'") == [{"why": "nobody answers"}]


def test_a_chain_of_battles_waits_link_by_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether Carla's attack on Ben comes to a battle hangs on his own: it is asked for when that is known (K34)."""
    path = make_site(tmp_path / "site")
    joins = {"Anna": "France", "Ben": "Portugal", "Carla": "Great Britain"}
    add_league(path, names=tuple(joins), battles="reported")
    for name, country in joins.items():
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    # Anna and Ben claim Spain in the same round; Carla attacks France, Anna's only country unless she wins Spain.
    for minute, (name, text) in enumerate((("Anna", "take Spain"), ("Ben", "take Spain"), ("Carla", "attack France"))):
        drop(path, letter(name, text), at(f"2024-01-10 10:0{minute}"))
    mail_run(path, FRIDAY)
    figures(path, SATURDAY, lotto="3 12 17 20 24 43")
    assert league(path, "result", "list", "spring", "--json") == 0
    assert [b["country"] for b in told(capsys)["waiting"]] == ["spain"]  # type: ignore[attr-defined]
    won, lost = copy(path, tmp_path / "won"), copy(path, tmp_path / "lost")
    assert league(won, "result", "enter", "spring", "Spain", "Anna", "--json") == 0
    assert [b["country"] for b in told(capsys)["waiting"]] == ["france"]  # type: ignore[attr-defined]
    assert league(lost, "result", "enter", "spring", "Spain", "Ben", "--json") == 0
    assert told(capsys)["waiting"] == []
    assert league(lost, "run") == 0
    assert bodies(lost)[2]["position"]["players"]["s1"]["owns"] == ["france"]  # the last country can't be attacked (K6)
    assert league(won, "result", "enter", "spring", "France", "Carla") == 0
    assert league(won, "run") == 0
    assert bodies(won)[2]["position"]["players"]["s1"]["owns"] == ["spain"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("Paris", "Anna"), "no battle for 'Paris' can be decided now; there are: "),
        (("Atlantis", "Anna"), "no battle for 'Atlantis' can"),
        (("Spain", "Dirk"), "'Dirk' did not fight there; fighters: Anna (s1), Ben (s2)"),
        (("Spain", "Anna", "--attempt", "2"), "no battle for 'Spain' can"),
    ],
)
def test_a_result_that_can_not_be_is_refused(
    args: tuple[str, ...], said: str, fought: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The battles and fighters there are stand in the message; nothing is stored."""
    assert league(fought, "result", "enter", "spring", *args) == 1
    assert said in capsys.readouterr().err
    assert rows(fought, "SELECT * FROM decision") == []


def test_results_have_their_time(spring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While no round is being evaluated there is nothing to enter."""
    assert league(spring, "result", "list", "spring", now="2024-01-03 10:00") == 1
    assert "no round of spring is being evaluated" in capsys.readouterr().err
