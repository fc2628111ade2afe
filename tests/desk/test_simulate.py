import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from league.cli import cli, main
from league.core.errors import BadInput, Refused
from league.core.evidence import Evidence, reading
from league.desk import registry
from league.desk.demo.demo_cast import read_cast
from league.desk.play import simulate
from league.desk.play.bots import bot, bots_of
from league.desk.play.simulate import leader_changes, leading, make_figures, make_plan, play, streaks
from league.games.kuel.state import problems
from league.randomness.dice import Dice

ROOT = Path(__file__).parent.parent.parent
FIELD = "lookahead*2,greedy*3,random*2"


def told(**more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"rounds": 12, "bots": FIELD, "leagues": 2}
    return simulate.simulate(make_plan("kuel", **given | more))


def run(*args: str) -> Any:
    return CliRunner().invoke(cli, ["simulate", "kuel", *args])


# ------------------------------------------------------------------ the same in, the same out


def test_the_same_plan_gives_the_same_leagues() -> None:
    """Two runs tell the same, another seed something else."""
    assert told() == told()
    assert told() != told(seed="2")


def test_the_order_of_sets_changes_nothing(tmp_path: Path) -> None:
    """Under two hash seeds the answer is the same bytes."""
    line = [sys.executable, "-m", "league", "simulate", "kuel", "--bots", FIELD, "--rounds", "9", "--json"]
    answers = {
        subprocess.run(
            line,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert not list(tmp_path.iterdir())


def test_a_league_does_not_hang_on_those_before_it() -> None:
    """The third league is the same whether the first two were played or not."""
    plan = make_plan("kuel", 6, FIELD, leagues=3)
    assert list(play(plan))[2] == next(play(plan, 3))


def test_a_league_of_two_years_is_one_of_a_year_that_goes_on() -> None:
    """More rounds change nothing about the first ones."""
    short, long = (next(play(make_plan("kuel", rounds, FIELD))).weeks for rounds in (5, 10))
    assert long[:5] == short


# ------------------------------------------------------------------ what is played


@pytest.mark.parametrize("preset", ["classic", "gentle"])
def test_every_position_could_be_played(preset: str) -> None:
    """No round breaks an invariant, leaves anything pending, or meets a line that isn't understood."""
    plan = make_plan("kuel", 20, FIELD, {"preset": preset}, leagues=2)
    board = registry.load("kuel", plan.options).board  # type: ignore[attr-defined]
    for league in play(plan):
        assert len(league.weeks) == plan.rounds
        for week in league.weeks:
            assert not problems(board, week.outcome.state)
            assert not week.outcome.pending
            assert {mail.seat for mail in week.mails} == set(plan.seats)
            assert all(line.order is not None for mail in week.mails for line in mail.parsed.lines)


def test_each_round_begins_where_the_last_one_ended() -> None:
    """The weeks of a league are a chain."""
    (league,) = play(make_plan("kuel", 8, FIELD))
    assert all(b.before == a.outcome.state for a, b in zip(league.weeks, league.weeks[1:], strict=False))


def test_nobody_is_always_first_in_the_post() -> None:
    """The order of arrival, which decides between equal scores (K21), is another each round."""
    (league,) = play(make_plan("kuel", 30, "greedy*4"))
    first = Counter(week.mails[0].seat for week in league.weeks)
    assert set(first) == {"s1", "s2", "s3", "s4"}


# ------------------------------------------------------------------ figures


def figures(number: int) -> tuple[Evidence, ...]:
    dice = Dice.of("figures", number, Evidence("simulated", simulate.MONDAY, "figures"))
    return make_figures(registry.plugin("kuel").meta, dice, number)


def test_figures_are_such_as_are_published() -> None:
    """Six different balls of 49, a close, a rate: the game reads them, of the right days."""
    game = registry.load("kuel", {})
    for number in range(1, 60):
        close, rate, lotto = (reading(figures(number), name) for name in ("dax_close", "eurusd", "lotto"))
        assert close is not None
        assert rate is not None
        assert lotto is not None
        table = {"dax_close": close.value, "dax_day": close.day.isoformat(), "eurusd": rate.value, "lotto": lotto.value}
        read = game.read_evidence({**table, "lotto_day": lotto.day.isoformat()})
        assert {(e.figure, e.value) for e in read} == {(e.figure, e.value) for e in figures(number)}
        assert (lotto.day.weekday(), (lotto.day - rate.day).days) == (5, 1)


def test_figures_are_fair() -> None:
    """Over 4,000 weeks every ending and every first ball comes about as often, holidays are one in thirty."""
    weeks = 4000
    endings, balls, above, holidays = Counter[int](), Counter[int](), 0, 0
    for number in range(1, weeks + 1):
        close, rate, lotto = figures(number)
        endings[int(close.value.split(".")[0]) % 100] += 1
        balls[int(lotto.value.split()[0])] += 1
        above += rate.value > "1"
        holidays += close.day.weekday() == 3
    for found, kinds in ((endings, 100), (balls, 49)):
        even = Fraction(weeks, kinds)
        chi = sum((found[k] - even) ** 2 / even for k in found)
        assert len(found) == kinds
        assert abs(chi - kinds) < 4 * (2 * kinds) ** 0.5  # four standard deviations
    assert abs(above - weeks // 2) < 4 * 32
    assert abs(holidays - weeks // simulate.HOLIDAYS) < 4 * 12


# ------------------------------------------------------------------ what is told


def test_the_answer_adds_up() -> None:
    """First places make 100 percent, mails have a fate each, the table holds the last league's seats."""
    found = told(leagues=4)
    assert sum(row["first"] for row in found["bots"]) == pytest.approx(100, abs=0.05)
    assert sum(found["orders"].values()) == 4 * 12 * 7
    assert [row["bot"] for row in found["bots"]] == ["greedy", "lookahead", "random"]
    assert {row["seat"] for row in found["standings"]} <= {row["seat"] for row in found["seats"]}
    assert found["events"]["joined"] >= 20
    for row in found["bots"]:
        assert row["points"]["lowest"] <= row["points"]["median"] <= row["points"]["highest"]


def test_the_lead_is_counted_in_stretches() -> None:
    """All rounds with one leader lie in a streak, and a change needs a new one."""
    for league in play(make_plan("kuel", 30, "random*6", leagues=5)):
        alone = sum(len(leading(week.standings)) == 1 for week in league.weeks)
        assert sum(streaks(league)) == alone
        assert 0 <= leader_changes(league) < len(streaks(league))


def test_json_is_what_is_described() -> None:
    """`--json` keeps to docs/json/simulate.schema.json and holds no key more."""
    from jsonschema import Draft202012Validator

    answer = run("--bots", FIELD, "--rounds", "5", "--leagues", "2", "--json")
    schema = json.loads((ROOT / "docs/json/simulate.schema.json").read_text(encoding="utf-8"))
    data = json.loads(answer.stdout)
    assert not list(Draft202012Validator(schema).iter_errors(data))
    assert set(data) == set(schema["properties"])
    assert data["options"]["battles"] == "drawn"


def test_people_read_a_table() -> None:
    """Without `--json` each kind of bot has a line."""
    answer = run("--bots", "greedy*2,random", "--rounds", "4", "--option", "preset=gentle", "--seed", "x")
    assert answer.exit_code == 0
    assert [line.split()[:2] for line in answer.stdout.splitlines()[3:5]] == [["greedy", "2"], ["random", "1"]]


# ------------------------------------------------------------------ what can't be played


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("gredy", "no bot 'gredy'; nearest is 'greedy'; there are greedy, lookahead, random"),
        ("greedy*x", "write it like greedy*3"),
        ("greedy*0", "write it like greedy*3"),
        ("random*29", "29 bots are named; kuel seats 1 to 28"),
    ],
)
def test_bots_that_are_none_are_named(bots: str, said: str) -> None:
    """What can't be read is quoted with what is right."""
    with pytest.raises(BadInput) as caught:
        make_plan("kuel", 5, bots)
    assert said in str(caught.value)


def test_bots_fight_no_battles(capsys: pytest.CaptureFixture[str]) -> None:
    """A league whose battles are reported is refused, with the option that helps."""
    assert main(["simulate", "kuel", "--bots", "greedy*8", "--option", "battles=reported"]) == 1
    assert "--option battles=drawn" in capsys.readouterr().err


def test_an_unknown_game_or_option_is_told_the_nearest() -> None:
    """As everywhere else."""
    with pytest.raises(BadInput, match="nearest is 'kuel'"):
        make_plan("kuell", 5, "random")
    with pytest.raises(BadInput, match="nearest is 'debt'"):
        make_plan("kuel", 5, "random", {"dept": "allowed"})


def test_a_figure_that_nobody_can_make_up_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that asks for another figure is refused before anything is played."""
    monkeypatch.delitem(simulate.FIGURES, "eurusd")
    with pytest.raises(Refused, match="figure 'eurusd'"):
        make_plan("kuel", 5, "random")


def test_demo_and_simulation_know_the_same_bots() -> None:
    """The demo plays with the bot that is called greedy here."""
    assert list(bots_of("kuel")) == ["greedy", "lookahead", "random"]
    assert read_cast("kuel").bot is bot("kuel", "greedy")


# ------------------------------------------------------------------ the page on balance


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, ModuleType, ModuleType]:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import charts
    import kuel_balance
    import kuel_counts

    return charts, kuel_counts, kuel_balance


def test_parts_counted_apart_are_the_whole(tools: tuple[Any, Any, Any]) -> None:
    """A job of three leagues counts what three jobs of one count, in whatever order they are added."""
    _, counts, _ = tools
    whole = counts.count_job(counts.Job("greedy*8", "gentle", 1, 3))[2]
    parts = [counts.count_job(counts.Job("greedy*8", "gentle", n, n))[2] for n in (3, 1, 2)]
    assert counts.merged(parts) == whole
    assert whole["leagues",] == 3
    assert sum(n for key, n in whole.items() if key[0] == "start_won") == 3


def test_theory_adds_up(tools: tuple[Any, Any, Any]) -> None:
    """All civil wars are every ending but 00 on a trading day, all collapses every draw with a repdigit."""
    _, counts, _ = tools
    assert sum(counts.war_theory("1.1", "0.9").values()) == pytest.approx(99 * 29 / 30)
    assert sum(counts.fall_theory().values()) == pytest.approx(100 * (1 - 8145060 / 13983816))


def test_the_page_has_a_table_and_valid_charts(tools: tuple[Any, Any, Any], tmp_path: Path) -> None:
    """Each chart that the page shows is written, well-formed, light and dark, and has a title for those who listen."""
    _, counts, balance = tools
    found = {}
    for bots, preset, _ in counts.FIELDS:
        found[bots, preset] = counts.count_job(counts.Job(bots, preset, 1, 1))[2]
    balance.write(tmp_path, balance.Document(found, 1))
    page = (tmp_path / "kuel-balance.md").read_text(encoding="utf-8")
    files = sorted((tmp_path / "balance").iterdir())
    assert page.count("![") == len(files) >= 6
    for file in files:
        assert f"](balance/{file.name})" in page
        root = ET.fromstring(file.read_text(encoding="utf-8"))
        assert root[0].tag.endswith("title")
        assert "prefers-color-scheme: dark" in file.read_text(encoding="utf-8")
