"""Records and the journal tell the same of what the organizer did; a record changed alone contradicts it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from league.cli import main
from league.desk.correcting.correct_result import correct_result
from league.desk.correcting.correct_round import Act
from league.desk.proof.verify import verify
from league.desk.proof.verify_acts import check_acts
from league.desk.proof.verify_told import Told
from league.desk.rounds.enter_result import enter_result
from league.desk.rounds.look import show_orders
from league.records.audit import Link
from tests.desk.long_league import Body, Long
from tests.desk.signed import SITE_SEED, resign
from tests.desk.sites import add_league, at, bodies, drop, figures, letter, mail_run, make_site, opened, run

JOINS = {"Anna": "France", "Ben": "Portugal", "Dirk": "Sweden", "Eva": "Finland"}
TAKES = {"Anna": "take Spain", "Ben": "take Spain", "Dirk": "take Norway", "Eva": "take Norway"}
WHY = "two digits were swapped"


@pytest.fixture(scope="module")
def led(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two battles in round 2: one decided by the organizer (at the second try), one given up; a look, a correction."""
    path = make_site(tmp_path_factory.mktemp("acts") / "site")
    add_league(path, names=tuple(JOINS), battles="reported")
    for name, country in JOINS.items():
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 08:00"))
    for name, text in TAKES.items():
        drop(path, letter(name, text), at("2024-01-10 10:00"))
    mail_run(path, at("2024-01-10 11:00"))
    show_orders(opened(path, at("2024-01-10 12:00")), "spring", "Anna", reveal=True)
    mail_run(path, at("2024-01-12 08:00"))
    figures(path, at("2024-01-13 21:30"), lotto="3 12 17 20 24 43")
    for minute, winner in enumerate(("Anna", "Ben")):
        site = opened(path, at(f"2024-01-13 21:4{minute}"))
        enter_result(site, "spring", "Spain", winner, attempt=None, why="both told me")
    end = ["round", "resolve", "spring", "--over", "--why", "nobody answers"]
    assert main(["--site", str(path), "--now", at("2024-01-13 21:50").isoformat(), *end]) == 0
    mail_run(path, at("2024-01-13 21:55"))
    correct_result(opened(path, at("2024-01-13 22:10")), "spring", 2, "Spain", "Anna", None, Act("result enter", WHY))
    mail_run(path, at("2024-01-13 22:11"))
    mail_run(path, at("2024-01-19 08:00"))
    week = {"dax_close": "16555.13", "dax_day": "2024-01-19", "lotto": "1 2 3 4 5 6", "lotto_day": "2024-01-20"}
    figures(path, at("2024-01-20 21:00"), **week)
    run(path, at("2024-01-21 09:00"))  # from now on the journal tells results whole
    return path


def spring(where: Path) -> Told:
    return next(one for one in verify(str(where)).all if one.league == "spring")


def test_what_was_done_is_told_by_both(led: Path) -> None:
    """A look, a word that another one superseded, the end of waiting."""
    assert spring(led).faults == []
    told = [row["kind"] for row in bodies(led)[2]["decisions"] if row["source"] == "organizer"]
    assert sorted(told) == ["over", "result", "revealed"]


def cheated(led: Path, target: Path, change: Callable[[Body], None], number: int = 2) -> Told:
    """The chain with a record changed, all signed anew; the journal as it was."""
    made = Long(bodies(led), SITE_SEED)
    change(made.bodies[number])
    where = made.publish(target, pages=False)
    (where / "spring" / "journal.json").write_bytes((led / "public" / "spring" / "journal.json").read_bytes())
    resign(where, SITE_SEED, "spring")
    return spring(where)


def decision(body: Body, kind: str) -> Body:
    found: Body = next(row for row in body["decisions"] if row["kind"] == kind)
    return found


def of_reports(body: Body) -> None:
    decision(body, "result")["source"] = "reports"


def of_the_calendar(body: Body) -> None:
    decision(body, "over")["source"] = "calendar"


def unseen(body: Body) -> None:
    body["decisions"].remove(decision(body, "revealed"))


def never_done(body: Body) -> None:
    body["decisions"].append({**decision(body, "revealed"), "at": body["closes"]})


def held(body: Body) -> None:
    body["decisions"].append({**decision(body, "over"), "kind": "hold", "facts": {"until": body["evaluated"]}})


@pytest.mark.parametrize("change", [of_reports, of_the_calendar, unseen, never_done, held])
def test_a_decision_that_the_journal_contradicts_is_found(
    change: Callable[[Body], None], led: Path, tmp_path: Path
) -> None:
    """Somebody else's word, none at all, or one that nobody gave."""
    found = cheated(led, tmp_path / "cheated", change).faults
    told = {(f.check, f.file) for f in found if f.field.startswith("decisions")}
    assert ("journal", "records/0002-v1.json") in told


def reason(body: Body) -> None:
    body["correction"]["why"] = "harmless"


def author(body: Body) -> None:
    body["correction"]["by"] = "calendar"


def moment(body: Body) -> None:
    body["correction"]["at"] = body["correction"]["at"].replace("T22", "T23")


@pytest.mark.parametrize(
    ("change", "field"), [(reason, "correction.why"), (author, "correction.by"), (moment, "correction")]
)
def test_a_correction_is_the_journals(change: Callable[[Body], None], field: str, led: Path, tmp_path: Path) -> None:
    """Why, by whom and when a round was corrected."""
    assert "correction" in bodies(led)[3]
    found = cheated(led, tmp_path / "cheated", change, number=3).faults
    assert ("journal", "records/0002-v2.json", field) in {(f.check, f.file, f.field) for f in found}


def test_after_a_restore_records_may_tell_more(led: Path) -> None:
    """Acts behind the backup can be lost; where the journal says that one was gone back to, nobody is convicted."""
    made = Long(bodies(led), SITE_SEED)
    never_done(made.bodies[2])
    links = [Link("", record.sha256, body) for record, body in zip(made.records(), made.bodies, strict=True)]
    acts = json.loads((led / "public" / "spring" / "journal.json").read_bytes())["acts"]
    restored = {**acts[0], "act": "restore --accept-head"}
    for journal, expected in ((acts, 1), ([*acts, restored], 0)):
        told = Told("spring")
        check_acts(told, links, journal)
        assert len(told.faults) == expected
