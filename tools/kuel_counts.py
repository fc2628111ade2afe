"""What tools/kuel_balance.py tells of: thousands of simulated leagues of KUEL, counted; and what theory says."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb
from multiprocessing import get_context
from typing import Any, NamedTuple

import click

from league.desk import registry
from league.desk.play.simulate import HOLIDAYS, League, Plan, leader_changes, leading, make_plan, play, streaks

ROUNDS, SEATS, CHUNK = 30, 8, 10
LEADS = (5, 10, 20)
CLASSIC, GENTLE = "classic", "gentle"
EQUAL = (f"greedy*{SEATS}", f"lookahead*{SEATS}")
CHANCE = f"random*{SEATS}"
MIXED = "lookahead*3,greedy*3,random*2"
FIELDS = (  # who plays, by what preset, how many leagues
    *((CHANCE, preset, 2000) for preset in (CLASSIC, GENTLE)),
    *((EQUAL[0], preset, 600) for preset in (CLASSIC, GENTLE)),
    *((EQUAL[1], preset, 240) for preset in (CLASSIC, GENTLE)),
    *((MIXED, preset, 160) for preset in (CLASSIC, GENTLE)),
)
Sums = Counter[tuple[Any, ...]]


Found = dict[tuple[str, str], Sums]  # by bots and preset


class Job(NamedTuple):
    """A part of a field's leagues."""

    bots: str
    preset: str
    first: int
    last: int


# ------------------------------------------------------------------ counting


def count_job(job: Job) -> tuple[str, str, Sums]:
    """The leagues of a job, counted."""
    plan = make_plan("kuel", ROUNDS, job.bots, {"preset": job.preset}, leagues=job.last, seed="balance")
    sums: Sums = Counter()
    for league in play(plan, job.first):
        count_league(plan, league, sums)
    return job.bots, job.preset, sums


def count_league(plan: Plan, league: League, sums: Sums) -> None:
    """Add a league to the sums."""
    winners = leading(league.weeks[-1].standings)
    share = Fraction(1, len(winners))
    sums["leagues",] += 1
    sums["changes",] += leader_changes(league)
    for length in streaks(league):
        sums["streak", length] += 1
    sums["longest",] += max(streaks(league), default=0)
    for number in LEADS:
        ahead = leading(league.weeks[number - 1].standings)
        sums["ahead_won", number] += Fraction(len(set(ahead) & set(winners)), len(ahead)) * share  # type: ignore[assignment]  # counters hold fractions too
    _count_rounds(plan, league, sums)
    _count_seats(plan, league, winners, sums)
    items = {event.item for week in league.weeks for event in week.events if event.type() == "points"}  # type: ignore[attr-defined]
    sums.update(("item_leagues", item) for item in items)


def _count_rounds(plan: Plan, league: League, sums: Sums) -> None:
    fields = len(registry.load(plan.game, plan.options).board.countries)  # type: ignore[attr-defined]
    for number, week in enumerate(league.weeks, start=1):
        state = week.outcome.state
        sums["players", number] += len(state.scores)
        sums["debt", number] += sum(points < 0 for points in state.scores.values())
        sums["unowned", number] += fields - len(state.owner)
        sums["warring", number] += len(state.civil_war)
        sums["fields", number] += fields
        for event in week.events:
            _count_event(event, sums)


def _count_event(event: Any, sums: Sums) -> None:
    match event.type():
        case "civil_war_drawn":
            sums["war_draws",] += 1
            sums["war_drawn", event.country] += 1
        case "civil_war":
            sums["war", event.country] += 1
            sums["war_lost", event.country] += event.loser is not None
        case "civil_war_averted":
            sums["averted", event.why] += 1
        case "collapse_drawn":
            sums["fall_draws",] += 1
            sums["fall_drawn", "world" if event.world else event.country] += 1
        case "collapse":
            sums["fall", event.country] += 1
            sums["fall_owned", event.country] += event.seat is not None
        case "points":
            sums["item_rounds", event.item] += 1
            sums["item_points", event.item] += event.points
        case _:
            pass


def _count_seats(plan: Plan, league: League, winners: Sequence[str], sums: Sums) -> None:
    names = dict(zip(plan.seats, plan.bots, strict=True))
    table, share = league.weeks[-1].standings, Fraction(1, len(winners))
    starts = _starts(league)
    for place, row in enumerate(table, start=1):
        won = share if row.seat in winners else Fraction(0)
        sums["place_points", place] += row.points
        sums["place", place] += 1
        sums["bot_seats", names[row.seat]] += 1
        sums["bot_won", names[row.seat]] += won  # type: ignore[assignment]  # counters hold fractions too
        sums["bot_points", names[row.seat]] += row.points
        sums["start", starts[row.seat]] += 1
        sums["start_won", starts[row.seat]] += won  # type: ignore[assignment]  # counters hold fractions too
        sums["start_points", starts[row.seat]] += row.points
    for who, seats in (("first", {r.seat for r in table[:1]}), ("last", {r.seat for r in table[-1:]})):
        _count_luck(league, who, seats, sums)
    _count_luck(league, "all", {row.seat for row in table}, sums)


def _starts(league: League) -> dict[str, str]:
    """Where each player entered."""
    entered = [event for week in league.weeks for event in week.events if event.type() in {"joined", "gave_way"}]
    found: dict[str, str] = {}
    for event in entered:
        found.setdefault(event.seat, event.country)  # type: ignore[attr-defined]
    return found


def _count_luck(league: League, who: str, seats: set[str], sums: Sums) -> None:
    """What the draws did to these players: points and countries lost, battles won."""
    sums["luck_seats", who] += len(seats)
    events: Iterator[Any] = (event for week in league.weeks for event in week.events)
    for event in events:
        match event.type():
            case "world_collapse" if event.seat in seats:
                sums["luck_world", who] += event.before - event.after
            case "reconstruction" if event.seat in seats:
                sums["luck_rebuilt", who] += event.paid
            case "civil_war" if event.loser in seats:
                sums["luck_wars", who] += 1
            case "battle":
                sums["luck_battles", who] += len(seats & set(event.fighters))
                sums["luck_won", who] += event.winner in seats
            case _:
                pass


# ------------------------------------------------------------------ theory


def war_theory(*rates: str) -> dict[str, float]:
    """Each country's chance of a civil war a round, in percent: every ending of the close, each rate as likely."""
    game: Any = registry.load("kuel", {})
    hits: Counter[str] = Counter()
    for ending in range(100):
        for rate in rates:
            week = {"dax_close": f"150{ending:02d}.50", "dax_day": "2024-01-05", "eurusd": rate}
            number = game.explain({**week, "saturday": "2024-01-06", "lotto": "1 2 3 4 5 6"})["civil_war"]
            if number is not None:
                hits[game.board.numbered(number)] += 1
    trading = Fraction(HOLIDAYS - 1, HOLIDAYS)
    return {c.id: float(100 * trading * Fraction(hits[c.id], 100 * len(rates))) for c in game.board.countries}


def fall_theory() -> dict[str, float]:
    """Each country's chance of a collapse a round, and the world's, in percent; four repdigits, two on the board."""
    game: Any = registry.load("kuel", {})
    fields, balls, drawn = len(game.board.countries), 49, 6
    everything, high = comb(balls, drawn), balls - fields
    some = 1 - Fraction(comb(high, drawn), everything)
    # without any of 11, 22, 33 and 44: which number on the board comes first is as fair
    plain = Fraction(comb(balls - 4, drawn) - comb(high - 2, drawn), everything)
    digit, other = some / fields, some / fields - plain / (fields - 2)
    world = Fraction(comb(high, drawn) - comb(high - 2, drawn), everything)
    found = {c.id: float(100 * (digit if c.number in {11, 22} else other)) for c in game.board.countries}
    return found | {"world": float(100 * world)}


# ------------------------------------------------------------------ all of it


def merged(found: Iterable[Sums]) -> Sums:
    """One sum of several; what is below zero stays."""
    total: Sums = Counter()
    for sums in found:
        total.update(sums)
    return total


def jobs_of(percent_played: int) -> list[Job]:
    """Small parts, so that two processors end together."""
    found = []
    for bots, preset, leagues in FIELDS:
        last = max(leagues * percent_played // 100, 1)
        found += [Job(bots, preset, at, min(at + CHUNK - 1, last)) for at in range(1, last + 1, CHUNK)]
    return found


def play_all(percent_played: int, processes: int) -> Found:
    """Every field's sums; whole numbers and fractions, so that the order of adding makes no difference."""
    jobs = jobs_of(percent_played)
    found: Found = {(bots, preset): Counter() for bots, preset, _ in FIELDS}
    with (
        get_context("spawn").Pool(processes) as pool,
        click.progressbar(length=len(jobs), label="leagues", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar,
    ):
        for bots, preset, sums in pool.imap_unordered(count_job, jobs):
            found[bots, preset].update(sums)
            bar.update(1)
    return found
