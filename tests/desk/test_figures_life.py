"""A figure's life after it came to stand, or when it never comes: objections, second thoughts, patience."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from league.core.errors import BadInput, Refused
from league.desk import registry
from league.desk.acts.new_league import new_league
from league.desk.correcting.correct_figure import FigureCorrected, correct_figures, object_to
from league.desk.correcting.correct_round import Act
from league.desk.figures.enter_figure import Entry, enter_figures
from league.desk.figures.fetch_figures import fetch_figures
from league.desk.figures.sources import OFFLINE
from league.desk.leagues.late_figures import make_late
from league.desk.overview.status import site_status, told
from league.desk.people.players import NewPlayer, add_players
from tests.desk.sites import (
    BEGIN,
    add_league,
    address,
    at,
    bodies,
    drop,
    letter,
    mail_run,
    make_site,
    opened,
    public,
    run,
)
from tests.desk.test_figures import DAX, SETTINGS, TABLES
from tests.desk.weeks import replayed
from tests.sources.server import Provider, provider

FRIDAY_NIGHT, SATURDAY, SUNDAY = at("2024-01-19 20:00"), at("2024-01-20 22:00"), at("2024-01-21 08:00")
START = at("2024-01-02 00:00").date()
MONDAY = at("2024-01-22 21:00")


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.delenv(OFFLINE, raising=False)
    with provider() as found:
        found.put("/bank", DAX)
        found.put("/paper", DAX)
        found.put("/rate", "date,close\n2024-01-19,1.0942\n")
        found.put("/lotto", "date,close\n2024-01-20,3 11 17 20 24 43\n")
        yield found


@pytest.fixture
def path(tmp_path: Path, web: Provider) -> Path:
    """A site whose league's third round is closed, in the week of 19 January 2024."""
    made = make_site(tmp_path / "site")
    (made / "providers.toml").write_text(TABLES.replace("{url}", web.url))
    file = made / "league.toml"
    file.write_text(re.sub(r"(?ms)^\[sources\]$.*?(?=^\[)", SETTINGS.lstrip() + "\n", file.read_text()))
    add_league(made, "spring")
    for name, country in (("Anna", "Island"), ("Ben", "Portugal"), ("Carla", "Paris")):
        drop(made, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(made, at("2024-01-05 06:00"))
    mail_run(made, at("2024-01-12 06:00"))
    drop(made, letter("Anna", "take London"), at("2024-01-16 10:00"))
    mail_run(made, at("2024-01-19 06:00"))
    return made


def sealed_by_sources(path: Path) -> Path:
    for moment in (FRIDAY_NIGHT, SATURDAY, SUNDAY):
        run(path, moment, pages=moment == SUNDAY)
    assert len(bodies(path)) == 4
    return path


def todo(path: Path, now: datetime) -> list[dict[str, Any]]:
    site = opened(path, now)
    found = told(site, site_status(site), "en")["todo"]
    site.engine.dispose()
    assert isinstance(found, list)
    return [item for item in found if isinstance(item, dict)]


def of_kind(path: Path, now: datetime, what: str) -> list[dict[str, Any]]:
    return [item for item in todo(path, now) if item["what"] == what]


def right(path: Path, value: str, now: datetime, why: str = "the bank said so") -> FigureCorrected:
    site = opened(path, now)
    try:
        table = {"dax_close": value, "dax_day": "2024-01-19"}
        return correct_figures(site, "spring", Entry(table, "the bank", why), Act("draw correct", why))
    finally:
        site.engine.dispose()


def ask(path: Path, now: datetime) -> None:
    site = opened(path, now)
    fetch_figures(site)
    site.engine.dispose()


# ------------------------------------------------------------------ what was said, and what is said since


def test_the_record_has_who_said_what_when(path: Path) -> None:
    """Beside each figure stand the answers that made it: of equal ones in a row the first and the last."""
    *_, record = bodies(sealed_by_sources(path))
    said = {
        row["figure"]: [(r["source"], r["value"], r["read_at"]) for r in row["readings"]] for row in record["evidence"]
    }
    assert said["dax_close"] == [
        ("bank", "16704.56", "2024-01-19T20:00:00Z"),
        ("paper", "16704.56", "2024-01-19T20:00:00Z"),
    ]
    assert [source for source, _, _ in said["lotto"]] == ["lottery", "lottery"]
    page = public(path)["spring/en/round-3.html"].decode()
    assert "Who said what, and when" in page
    assert "by the issuer itself" in page


def test_the_page_of_a_round_that_waits_says_who_said_what(path: Path, web: Provider) -> None:
    """Where sources contradict each other everyone can read it while the round waits for a person."""
    web.put("/paper", DAX.replace("16704.56", "16708.56"))
    run(path, FRIDAY_NIGHT)
    page = public(path)["spring/en/round-3.html"].decode()
    assert "the sources contradict each other" in page
    assert "16,704.56" in page
    assert "16,708.56" in page
    assert "still to come" in page
    assert len(bodies(path)) == 3


def test_a_source_that_changes_its_mind_is_noticed(path: Path, web: Provider) -> None:
    """The next day's look shows it on the page and in the status; the record stays, as a person decides."""
    before = bodies(sealed_by_sources(path))
    web.put("/bank", DAX.replace("16704.56", "16708.56"))
    run(path, MONDAY)
    assert bodies(path) == before
    (notice,) = of_kind(path, MONDAY, "doubt")
    assert not notice["must"]
    assert "dax_close of 2024-01-19 stands as 16704.56, and bank says 16708.56 by now" in notice["text"]
    assert notice["command"].startswith("league draw correct LEAGUE --dax-close CLOSE --dax-day 2024-01-19")
    assert "bank says 16,708.56 by now" in public(path)["spring/en/round-3.html"].decode()


def test_nobody_is_asked_again_before_a_day_or_after_some(path: Path, web: Provider) -> None:
    """Once a day for five days each source is asked what it says now."""
    sealed_by_sources(path)
    web.asked.clear()
    ask(path, SUNDAY + timedelta(hours=1))
    assert "/lotto" not in web.asked
    web.asked.clear()
    ask(path, MONDAY)
    assert sorted(web.asked) == ["/bank", "/lotto", "/paper", "/rate"]
    web.asked.clear()
    ask(path, MONDAY + timedelta(hours=2))
    assert web.asked == []
    ask(path, at("2024-01-29 09:00"))
    assert web.asked == []


def test_what_a_person_confirms_is_no_doubt_any_more(path: Path, web: Provider) -> None:
    """The same value once more, with a reason: the notice goes, the record stays; twice is refused."""
    sealed_by_sources(path)
    web.put("/bank", DAX.replace("16704.56", "16708.56"))
    mail_run(path, MONDAY)
    before = bodies(path)
    assert right(path, "16704.56", MONDAY + timedelta(minutes=1), "the exchange's own page").confirmed
    run(path, MONDAY + timedelta(minutes=2))
    assert of_kind(path, MONDAY + timedelta(minutes=2), "doubt") == []
    assert bodies(path) == before
    assert "by now" not in public(path)["spring/en/round-3.html"].decode()
    with pytest.raises(Refused, match="already, by a person's word"):
        right(path, "16704.56", MONDAY + timedelta(minutes=3))


def test_what_a_person_corrects_is_version_2(path: Path, web: Provider) -> None:
    """The figure of the record is the corrected one, with its reason, and the readings stay beside it."""
    sealed_by_sources(path)
    web.put("/bank", DAX.replace("16704.56", "16708.56"))
    mail_run(path, MONDAY)
    found = right(path, "16708.56", MONDAY + timedelta(minutes=1))
    assert found.sealed is not None
    *_, record = bodies(path)
    row = next(row for row in record["evidence"] if row["figure"] == "dax_close")
    assert (record["version"], row["value"], row["status"]) == (2, "16708.56", "corrected")
    bank = [r["value"] for r in row["readings"] if r["source"] == "bank"]
    assert list(dict.fromkeys(bank)) == ["16704.56", "16708.56"]
    assert [item["facts"]["source"] for item in of_kind(path, MONDAY + timedelta(minutes=2), "doubt")] == []


# ------------------------------------------------------------------ objection


def test_the_organizer_may_object_to_a_single_source(path: Path, web: Provider) -> None:
    """It is taken back and doesn't come back by that source alone; a second vendor or a person's entry settles it."""
    web.put("/paper", "", 503)
    mail_run(path, FRIDAY_NIGHT)
    late = FRIDAY_NIGHT + timedelta(hours=25)
    ask(path, late)
    site = opened(path, late)
    object_to(site, "spring", "dax_close", "the paper has another")
    site.engine.dispose()
    ask(path, late + timedelta(hours=1))
    mail_run(path, SUNDAY + timedelta(hours=1))
    assert len(bodies(path)) == 3
    (item,) = of_kind(path, SUNDAY + timedelta(hours=1), "figure_by_hand")
    assert item["facts"]["why"] == "one source alone says it, and that isn't believed"
    web.put("/paper", DAX)
    mail_run(path, MONDAY)
    *_, record = bodies(path)
    assert [(r["value"], r["status"]) for r in record["evidence"] if r["figure"] == "dax_close"] == [
        ("16704.56", "agreed")
    ]


def test_only_what_stands_by_one_source_is_objected_to(path: Path) -> None:
    """An agreed figure, one that isn't known, a round that is sealed, no reason: each is told what to do instead."""
    site = opened(path, FRIDAY_NIGHT)
    with pytest.raises(Refused, match="no dax_close stands for round 3"):
        object_to(site, "spring", "dax_close", "no")
    with pytest.raises(BadInput, match="--why"):
        object_to(site, "spring", "dax_close", " ")
    fetch_figures(site)
    with pytest.raises(Refused, match=r"stands as agreed.*league draw correct"):
        object_to(site, "spring", "dax_close", "no")
    site.engine.dispose()
    mail_run(path, SATURDAY)
    mail_run(path, SUNDAY)
    site = opened(path, SUNDAY)
    with pytest.raises(Refused, match=r"no round of spring is being evaluated.*league draw correct"):
        object_to(site, "spring", "dax_close", "no")
    site.engine.dispose()


def test_what_isnt_sealed_is_corrected_without_a_version(path: Path) -> None:
    """Between freeze and report the right value takes the wrong one's place, and version 1 has it."""
    mail_run(path, FRIDAY_NIGHT)
    found = right(path, "16708.56", FRIDAY_NIGHT + timedelta(minutes=5))
    assert found.sealed is None
    mail_run(path, SATURDAY)
    mail_run(path, SUNDAY)
    *_, record = bodies(path)
    row = next(row for row in record["evidence"] if row["figure"] == "dax_close")
    assert (record["version"], row["value"], row["status"]) == (1, "16708.56", "corrected")


# ------------------------------------------------------------------ a figure that never comes


def late_league(path: Path, days: int = 3, battles: str = "reported") -> Path:
    """A league that goes on without a figure; two players fight, or don't, in its second round."""
    site = opened(make_site(path), BEGIN)
    new_league(
        site,
        "spring",
        game="kuel",
        start=START,
        lang="en",
        options={"battles": battles},
        figure_late=make_late("no_event", days),
    )
    add_players(site, "spring", [NewPlayer(name, address(name), "en") for name in ("Anna", "Ben")])
    site.engine.dispose()
    for name, country in (("Anna", "France"), ("Ben", "Portugal")):
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 06:00"))
    return path


def test_after_its_days_a_round_goes_on_without_the_event(tmp_path: Path) -> None:
    """The opening record says so; the round is sealed without figures, marked as late, and recomputes."""
    path = late_league(tmp_path / "site")
    assert bodies(path)[0]["calendar"]["figure_late"] == {"action": "no_event", "days": 3}
    drop(path, letter("Ben", "take Spain"), at("2024-01-10 10:00"))
    mail_run(path, at("2024-01-12 06:00"))
    mail_run(path, at("2024-01-16 22:00"))
    assert len(bodies(path)) == 2
    run(path, at("2024-01-17 00:00"))
    *_, record = bodies(path)
    rows = {(row["figure"], row["day"], row["value"], row["status"]) for row in record["evidence"]}
    assert rows == {("dax_close", "2024-01-12", "none", "late"), ("lotto", "2024-01-13", "none", "late")}
    assert {(d["kind"], d["source"]) for d in record["decisions"]} == {("late", "calendar")}
    drawn = {event["type"]: event for event in record["events"]}
    assert drawn["civil_war_drawn"]["steps"] == ["never_came|2024-01-12"]
    assert "spain" in record["position"]["players"]["s2"]["owns"]
    assert replayed(path) == 2
    page = public(path)["spring/round-2.html"].decode()
    assert "the figure of" in page
    assert "never came" in page
    assert "no_event (3 d)" in public(path)["spring/index.html"].decode()


def test_it_is_the_same_whenever_the_tool_is_run(tmp_path: Path) -> None:
    """A figure that comes after the last day changes nothing, however late the round is evaluated."""
    records = []
    for name, moments in (("a", ("2024-01-17 00:00",)), ("b", ("2024-01-18 12:00",))):
        path = late_league(tmp_path / name)
        drop(path, letter("Ben", "take Spain"), at("2024-01-10 10:00"))
        mail_run(path, at("2024-01-12 06:00"))
        if name == "b":
            site = opened(path, at("2024-01-17 12:00"))
            table = {
                "dax_close": "16704.56",
                "dax_day": "2024-01-12",
                "lotto_day": "2024-01-13",
                "lotto": "1 2 3 4 5 11",
            }
            enter_figures(site, "spring", Entry(table, "paper", "late"))
            site.engine.dispose()
        for moment in moments:
            mail_run(path, at(moment))
        body = bodies(path)[-1]
        del body["journal"]  # what the organizer did meanwhile is another matter
        records.append(json.dumps(body, sort_keys=True))
    assert records[0] == records[1]


def test_battles_that_the_lottery_draws_go_on_waiting(tmp_path: Path) -> None:
    """Without its numbers nobody can be said to have won; the status goes on asking for them."""
    path = late_league(tmp_path / "site", battles="drawn")
    for name in ("Anna", "Ben"):
        drop(path, letter(name, "take Spain"), at("2024-01-10 10:00"))
    mail_run(path, at("2024-01-12 06:00"))
    mail_run(path, at("2024-01-18 06:00"))
    assert len(bodies(path)) == 2
    assert "lotto" in {item["facts"].get("figure") for item in todo(path, at("2024-01-18 06:00"))}


def test_a_league_that_waits_goes_on_waiting(tmp_path: Path) -> None:
    """Without the setting no time ends the waiting for a figure."""
    path = make_site(tmp_path / "site")
    add_league(path, names=("Anna", "Ben"), battles="reported")
    for name, country in (("Anna", "France"), ("Ben", "Portugal")):
        drop(path, letter(name, f"join {country}"), at("2024-01-03 10:00"))
    mail_run(path, at("2024-01-05 06:00"))
    drop(path, letter("Ben", "take Spain"), at("2024-01-10 10:00"))
    for moment in ("2024-01-12 06:00", "2024-01-19 06:00", "2024-01-26 06:00", "2024-02-02 06:00"):
        mail_run(path, at(moment))
    assert len(bodies(path)) == 2


def test_a_game_that_needs_its_figures_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing of a round can go on without them the setting is refused when the league is made."""
    found = registry.plugin("kuel")
    needs = replace(found, meta=replace(found.meta, dispensable=()))
    site = opened(make_site(tmp_path / "site"), BEGIN)
    monkeypatch.setattr(registry, "plugin", lambda _: needs)
    with pytest.raises(BadInput, match="no round of kuel can go on without its figures"):
        new_league(site, "spring", game="kuel", start=START, figure_late=make_late("no_event", 3))
    site.engine.dispose()


@pytest.mark.parametrize(
    ("action", "days", "words"), [("perhaps", 3, "use wait or no_event"), ("no_event", 0, "1 to 56")]
)
def test_what_is_no_setting_is_refused(action: str, days: int, words: str) -> None:
    """Both parts are checked, and what would be right is named."""
    with pytest.raises(BadInput, match=words):
        make_late(action, days)
    assert make_late("wait", 7) == {}
