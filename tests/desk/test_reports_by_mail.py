"""Reports of battles that can't count as they stand: contradictory, too late, or of no battle (K32, K33)."""

import json
from pathlib import Path

import pytest

from tests.desk.sites import at, copy, mail_run, outbox, rows
from tests.desk.test_replies import CHAIN, HOLDINGS, JOINS, TAKES, begin, finish, flat, mail, owns, place, week

MORNING, NOON = "2024-01-13 09:00", "2024-01-13 12:00"


@pytest.fixture(scope="module")
def _fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return week(begin(tmp_path_factory.mktemp("reports") / "site", JOINS), TAKES)


@pytest.fixture
def fought(_fought: Path, tmp_path: Path) -> Path:
    """Anna and Ben fight for Spain, Dirk and Eva for Norway."""
    return copy(_fought, tmp_path / "site")


def told(path: Path, name: str, text: str, arrived: str = MORNING) -> str:
    """The newest answer to a reply."""
    mail(path, name, text, arrived)
    mail_run(path, at(arrived))
    return flat(outbox(path, "replies", name)[-1].text)


def booked(path: Path) -> list[str]:
    found = rows(path, "SELECT lines FROM submission WHERE round_id = 2 AND phase = 2 ORDER BY id")
    return [line["order"] for row in found for line in json.loads(row["lines"])]


def test_contradictory_reports_in_one_mail_are_asked_about(fought: Path) -> None:
    """Won and lost in one mail: both lines are named, neither counts, and the battle still waits."""
    said = told(fought, "Ben", "result Spain won\nresult Norway lost\nresult Spain lost")
    assert "received, with questions" in outbox(fought, "replies", "Ben")[-1].mail["Subject"]
    assert said.count("Spain: lines 1, 3 of your mail contradict each other") == 2
    assert booked(fought) == []
    assert "Round 2 is being evaluated and still waits: - Spain" in said


def test_a_report_of_a_decided_battle_is_not_accepted(fought: Path) -> None:
    """The loser's word decides; what anybody reports after it is told so, and isn't booked."""
    assert "accepted for round 2" in told(fought, "Ben", "result Spain lost")
    for name, text, hour in (("Ben", "result Spain won", 10), ("Ben", "result Spain lost", 11)):
        said = told(fought, name, text, f"2024-01-13 {hour}:00")
        assert "accepted" not in said
        assert "Spain: this battle is decided already, the winner is Anna." in said
    assert booked(fought) == ["result Spain lost"]


def test_a_report_of_no_battle_is_told_so(fought: Path) -> None:
    """Nobody can come to fight for Italy, whatever the open battles bring: the line isn't kept for anything."""
    said = told(fought, "Ben", "result Italy won")
    assert "accepted" not in said
    assert "There is no such battle." in said
    assert booked(fought) == []


@pytest.mark.parametrize("text", ["reslt Spain won", "Spain won", "result Spain draw"])
def test_a_mistyped_report_is_told_which_is_due(text: str, fought: Path) -> None:
    """Of which battle, until when, and how it is written; no orders are asked for while none are taken."""
    mail(fought, "Ben", text, "2024-01-12 09:00")
    mail_run(fought, at("2024-01-12 09:00"))
    answer = outbox(fought, "ask", "Ben")[-1]
    assert answer.mail["Subject"].endswith("Round 2: no report found in your mail")
    said = flat(answer.text)
    assert "Your report of a battle is missing: - Spain: the battle between Anna and Ben" in said
    assert "Reports until: Saturday, 13 January 2024, 24:00 (Europe/Berlin)" in said
    assert "# result Spain won" in answer.text
    assert "take Budapest" not in said


def test_a_report_behind_its_time_is_told_what_counts(fought: Path) -> None:
    """The battle is there; its time is over, and the one report that came in time decides (K33)."""
    told(fought, "Ben", "result Spain won")
    mail(fought, "Ben", "result Spain lost\nresult Italy won", "2024-01-13 23:30")
    mail_run(fought, at("2024-01-13 23:30"))
    said = flat(outbox(fought, "replies", "Ben")[-1].text)
    assert "Spain: the time for reports ended 2024-01-13 23:00 UTC. The winner is Ben." in said
    assert "No report of a battle is due now" in said


def test_status_tells_of_the_round_that_is_being_evaluated(fought: Path) -> None:
    """What of one's own stands in it, and the report that is due; when the next window opens."""
    for hour, text in (("09", "status"), ("10", "result Spain won"), ("11", "status")):
        mail(fought, "Ben", text, f"2024-01-12 {hour}:00")
        mail_run(fought, at(f"2024-01-12 {hour}:00"))
    before, after = (flat(out.text) for out in outbox(fought, "commands", "Ben"))
    assert "No round takes orders now. Round 3 opens Sunday, 14 January 2024" in before
    assert "This stands for you in it: [1] take Spain" in before
    assert "Your report of a battle is missing: - Spain" in before
    assert "You reported: [1] result Spain: won" in after
    assert "Your report of a battle is missing" not in after


def test_battle_and_rematch_in_one_mail(tmp_path: Path) -> None:
    """Who has the right to a rematch and asked for it may report lost, then won: that is no contradiction."""
    path = begin(tmp_path / "site", dict(list(JOINS.items())[:3]))
    place(path, HOLDINGS)
    week(path, {"Anna": "passe", "Ben": "attack Netherlands"})
    mail(path, "Anna", "Ergebnis Niederlande verloren\nErgebnis Niederlande gewonnen\nRevanche Niederlande", NOON)
    mail_run(path, at(NOON))
    said = flat(outbox(path, "replies", "Anna")[-1].text)
    assert said.count("angenommen für Runde 2") == 3


def test_a_battle_that_may_come(tmp_path: Path) -> None:
    """Whether France is fought for hangs on Spain: its report is kept, and says that nobody fights there yet (K34)."""
    path = begin(tmp_path / "site", CHAIN)
    week(path, {"Anna": "take Spain", "Ben": "take Spain", "Carla": "attack France"})
    said = told(path, "Anna", "Ergebnis Frankreich verloren")
    assert "Frankreich: zur Zeit keine Schlacht. Die Meldung wird aufgehoben" in said
    told(path, "Ben", "result Spain lost", NOON)
    finish(path)
    assert owns(path, "s1") == ["spain"]
