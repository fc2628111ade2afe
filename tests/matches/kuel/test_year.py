"""A year of 52 real weeks through `league run`, and the same year recomputed from what it published."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from league.desk.leagues.turns import from_record
from league.desk.leagues.versions import Versions
from league.desk.pages.publish_pages import publish_now
from league.desk.proof.verify import verify
from league.games.kuel import score
from league.games.kuel.choices import limit_of
from league.games.kuel.game import Kuel
from league.games.kuel.state import problems
from league.records.canonical import canonical
from tests.desk.mended import replay
from tests.desk.sites import at, opened, outbox, rows, sealed
from tests.matches.kuel.year import Plan, Year
from tests.reports.crawl import dead_links

Body = dict[str, Any]


def told(year: Year) -> list[Body]:
    """Its rounds' records, in the versions that stand."""
    return [one.body for one in Versions.of(sealed(year.path)).newest.values()]


def events(rounds: list[Body], kind: str) -> Iterator[tuple[int, Body]]:
    return ((body["round"], event) for body in rounds for event in body["events"] if event["type"] == kind)


# ------------------------------------------------------------------ what must hold of any year


def recomputes(_: Year, rounds: list[Body]) -> None:
    """The record alone gives the events, fates, position and standings."""
    for body in rounds:
        table = from_record(body, body["rules"]["options"], body["game"])
        outcome = table.outcome()
        assert outcome.pending == ()
        again: dict[str, Any] = {
            "position": table.game.position(outcome.state),
            "events": [event.facts() for event in outcome.events],
            "standings": [[p.rank, p.seat, p.points] for p in table.game.score(outcome.state)],
        }
        assert canonical({**body, **again}) == canonical(body), f"round {body['round']}"
        assert [str(fate.own.fate) for fate in outcome.fates] == [fate["own"]["fate"] for fate in body["fates"]]


def follows_from_its_chain(year: Year, rounds: list[Body]) -> None:
    """A pure replay of the chain, versions and adjustments among it, starts each round where its record does."""
    found = replay(year.path)
    assert found.rounds == len(rounds)
    assert canonical(found.starts[len(rounds) + 1]) == canonical(rounds[-1]["position"])


def keeps_the_rules(_: Year, rounds: list[Body]) -> None:
    """No country has two owners, nobody is eliminated, limits hold, and points add up."""
    for body in rounds:
        game = from_record(body, body["rules"]["options"], body["game"]).game
        assert isinstance(game, Kuel)
        state = game.restore(body["position"])
        assert problems(game.board, state) == []
        owned = [country for player in body["position"]["players"].values() for country in player["owns"]]
        assert len(owned) == len(set(owned)), "K2"
        before, after = body["start"]["players"], body["position"]["players"]
        assert set(before) - set(body["left"]) <= set(after), "K6"
        for seat, player in after.items():
            had = before.get(seat, {"score": 0, "owns": []})
            assert player["score"] == had["score"] + gained(body, seat), f"round {body['round']}, {seat}"
            within_limit(game, had["owns"], player["owns"])


def within_limit(game: Kuel, had: list[str], has: list[str]) -> None:
    """Ten countries, fifteen with the three capitals; who is over it keeps what he has and gains nothing (K4, K5)."""
    assert score.count(game.board.mask(has)) <= max(limit_of(game, game.board.mask(has)), len(had))


def gained(body: Body, seat: str) -> int:
    """What the round's events say of a player's points."""
    total = 0
    for event in body["events"]:
        if event.get("seat") == seat:
            worth: dict[str, int] = {
                "points": event.get("points", 0),
                "world_collapse": event.get("after", 0) - event.get("before", 0),
            }
            total += worth.get(event["type"], 0) - event.get("paid", 0) - event.get("mercenaries", 0)
    return total


# ------------------------------------------------------------------ the year


def every_week_has_its_round(_: Year, rounds: list[Body]) -> None:
    """Fifty-two rounds in a year with a week of holidays, none of them moved."""
    assert [body["round"] for body in rounds] == list(range(1, 53))
    assert (rounds[0]["ends"], rounds[-1]["ends"]) == ("2023-04-08", "2024-04-06")
    assert "2023-12-30" not in {body["ends"] for body in rounds}


def no_link_is_dead(year: Year, _: list[Body]) -> None:
    """A year of pages, older versions among them, links to nothing that isn't there."""
    assert len(list((year.path / "public").rglob("round-*.html"))) > 3 * 52
    assert dead_links(year.path / "public") == []


def anybody_can_verify_it(year: Year, rounds: list[Body]) -> None:
    """What is published holds, corrections among it, and so does every receipt, freeze and report that was mailed."""
    site = opened(year.path, at("2024-04-08 12:00"))
    publish_now(site, ())
    site.engine.dispose()
    found = verify(str(year.path), [year.path / "mail" / "out"])
    assert found.holds, [told.faults[:3] for told in found.all]
    (league,) = found.leagues
    assert league.rounds == len(rounds)
    assert league.checked["mails"] > 1000


def players_come_and_go(_: Year, rounds: list[Body]) -> None:
    """Two newcomers enter in the middle of the year, one player retires and comes back as a newcomer (K35, K38)."""
    plan = Plan()
    entered = {seat: number for number, body in ((b["round"], b) for b in rounds) for seat in body["joined"]}
    assert (entered["s9"], entered["s10"]) == (plan.ida, plan.jan)
    assert [(number, event["seat"]) for number, event in events(rounds, "retired")] == [(plan.retires, "s4")]
    assert "s4" in rounds[plan.returns - 1]["joined"]
    assert {"s4", "s9", "s10"} <= set(rounds[-1]["position"]["players"])


def a_dispute_is_decided_by_the_organizer(year: Year, rounds: list[Body]) -> None:
    """Both claim the battle; the organizer's word decides, with its reason in the journal (K33)."""
    number, country = year.troubles["dispute"]
    (event,) = [e for n, e in events(rounds, "battle") if (n, e["country"], e["how"]) == (number, country, "result")]
    (act,) = [act for act in results_entered(year) if act["why"] == "both were asked for the replay"]
    assert json.loads(act["arguments"])["winner"] == event["winner"]
    assert [decision["kind"] for decision in rounds[number - 1]["decisions"]] == ["result"]


def results_entered(year: Year) -> list[Body]:
    return rows(year.path, "SELECT why, arguments FROM journal WHERE act = 'result enter'")


def a_wrong_report_is_corrected(year: Year, rounds: list[Body]) -> None:
    """A winner wrote that he lost; the organizer's word goes before it, with its reason in the journal (K33)."""
    number, country = year.troubles["correction"]
    (event,) = [e for n, e in events(rounds, "battle") if (n, e["country"]) == (number, country)]
    assert event["how"] == "result"
    lost = f"result {year.game.label(country, 'en')} lost"
    assert [row["seat"] for row in rounds[number - 1]["orders"] if lost in row["orders"]] == [event["winner"]]
    (act,) = [act for act in results_entered(year) if act["why"] == "he meant won, not lost"]
    assert json.loads(act["arguments"])["winner"] == event["winner"]


def two_figures_are_put_right_afterwards(year: Year, rounds: list[Body]) -> None:
    """One from now on: its difference goes into a start; one with the rounds behind it evaluated again."""
    plan, chain = Plan(), Versions.of(sealed(year.path))
    again = {number: versions[-1].body for number, versions in chain.rounds.items() if len(versions) > 1}
    assert {n: (b["version"], b.get("cause"), b["correction"]["mode"]) for n, b in again.items()} == {
        plan.mends - 2: (2, None, "from_now"),
        plan.recomputes - 2: (2, None, "recompute"),
        plan.recomputes - 1: (2, plan.recomputes - 2, "recompute"),
    }
    ((number, (adjustment,)),) = chain.adjustments.items()
    assert (number, adjustment.body["of"][1]) == (plan.mends, chain.newest[plan.mends - 2].sealed.sha256)
    assert adjustment.body["applied"]
    assert canonical(rounds[plan.mends - 1]["start"]) == canonical(adjustment.body["to"])
    assert [mail.mail["Subject"] for mail in outbox(year.path, "report", "Ben") if "version 2" in mail.mail["Subject"]]


def the_end_of_waiting_comes_by_itself(year: Year, rounds: list[Body]) -> None:
    """What nobody reports stays as it was; the winner's own word counts (K33)."""
    how = {(n, event["country"]): event["how"] for n, event in events(rounds, "battle")}
    assert how[year.troubles["unreported"]] == "status_quo"
    assert how[year.troubles["winner alone"]] == "report"
    over = [body["round"] for body in rounds if body["over"]]
    assert over == sorted({year.troubles["unreported"][0], year.troubles["winner alone"][0]})


def the_defence_bonus_comes_about_by_play(year: Year, rounds: list[Body]) -> None:
    """Anna gathers eight NATO countries, loses a battle, demands a rematch by mail and wins it; another she loses."""
    second = {(n, e["country"]): e["winner"] for n, e in events(rounds, "battle") if e["attempt"] == 2}
    assert sorted(second) == sorted(year.rematches)
    assert "s1" in second.values()
    assert set(second.values()) - {"s1"}
    asked = {
        (body["round"], line)
        for body in rounds
        for row in body["orders"]
        if row["phase"] == 2
        for line in row["orders"]
    }
    assert {(number, f"rematch {year.game.label(country, 'en')}") for number, country in second} <= asked


def every_month_has_its_leader(year: Year, rounds: list[Body]) -> None:
    """Twelve months end in the year; the holidays take December its last week, not its award (K80)."""
    found = [(number, event["month"]) for number, event in events(rounds, "month_leader")]
    assert [month for _, month in found] == [f"2023-{m:02}" for m in range(4, 13)] + [f"2024-{m:02}" for m in (1, 2, 3)]
    ends = {body["round"]: body["ends"] for body in rounds}
    assert {month: ends[number] for number, month in found}["2023-12"] == "2023-12-23"
    prized = [mail for mail in outbox(year.path, "report", "Ben") if "a box of tea" in mail.text]
    assert len(prized) == 12


def absence_and_silence_differ(_: Year, rounds: list[Body]) -> None:
    """For whom an instruction stands there are orders; who says nothing has none, and loses nothing by it (K14)."""
    plan = Plan()
    sent = {(body["round"], row["seat"]) for body in rounds for row in body["orders"] if row["phase"] == 1}
    assert all((number, "s7") in sent for number in range(plan.absent, plan.absent + 3))
    assert (plan.silent, "s8") not in sent
    assert "s8" in rounds[plan.silent - 1]["position"]["players"]


def holidays_of_the_exchange_bring_no_civil_war(_: Year, rounds: list[Body]) -> None:
    """On Good Friday the close stood on Thursday already; the lottery knows no such holiday (K47)."""
    friday = next(body for body in rounds if body["ends"] == "2024-03-30")
    days = {row["figure"]: row["day"] for row in friday["evidence"]}
    assert days == {"dax_close": "2024-03-28", "lotto": "2024-03-30"}
    drawn = {event["type"]: event for event in friday["events"]}
    assert drawn["civil_war_drawn"]["country"] is None
    assert "collapse_drawn" in drawn


def the_year_had_much_in_it(_: Year, rounds: list[Body]) -> None:
    """Battles, free-for-alls, civil wars, collapses, auctions, reconstruction, devastation: all of it came about."""
    seen = Counter(event["type"] for body in rounds for event in body["events"])
    wanted = ("battle", "conquered", "defended", "civil_war", "collapse", "auction_won", "reconstruction", "devastated")
    assert {name: seen[name] for name in wanted if not seen[name]} == {}
    assert max(len(event["fighters"]) for _, event in events(rounds, "battle")) > 2


# ------------------------------------------------------------------ the tests

ALWAYS = (recomputes, follows_from_its_chain, keeps_the_rules)
THIS_YEAR = (
    every_week_has_its_round,
    anybody_can_verify_it,
    no_link_is_dead,
    players_come_and_go,
    a_dispute_is_decided_by_the_organizer,
    a_wrong_report_is_corrected,
    two_figures_are_put_right_afterwards,
    the_end_of_waiting_comes_by_itself,
    the_defence_bonus_comes_about_by_play,
    every_month_has_its_leader,
    absence_and_silence_differ,
    holidays_of_the_exchange_bring_no_civil_war,
    the_year_had_much_in_it,
)


def test_a_year_of_real_weeks(tmp_path: Path) -> None:
    """Fifty-two weeks through `league run` keep the rules, recompute from their records, and hold all that was asked.

    One test, since the year is played once for all of it.
    """
    year = Year(tmp_path / "site")
    year.play()
    rounds = told(year)
    for check in (*ALWAYS, *THIS_YEAR):
        check(year, rounds)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [str(number) for number in range(2, 8)])
def test_other_years_recompute(seed: str, tmp_path: Path) -> None:
    """Other bots' dice, other battles: the same promises."""
    year = Year(tmp_path / "site", Plan(seed=seed))
    year.play()
    rounds = told(year)
    assert len(rounds) == 52
    for check in ALWAYS:
        check(year, rounds)
