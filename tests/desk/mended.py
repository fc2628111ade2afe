"""A league of drawn battles a few weeks old, and its corrections, for tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from league.desk.correcting.correct_figure import FigureCorrected, correct_figures
from league.desk.correcting.correct_round import Act
from league.desk.figures.enter_figure import Entry
from league.desk.leagues.turns import from_record
from league.desk.leagues.versions import Versions
from league.records.canonical import canonical
from league.records.chain import check_chain
from tests.desk.sites import mail_run, opened, sealed
from tests.desk.weeks import figures_of, utc, week, write

FIRST = date(2024, 1, 4)  # the first Thursday
WEEK = timedelta(days=7)
WHY = "two digits were swapped"
JOINS = {"Anna": "join Island", "Ben": "join Portugal", "Carla": "join France"}
MOVES: Sequence[dict[str, str]] = (
    {"Anna": "nimm London", "Ben": "take Spain", "Carla": "neem Berlin"},
    {"Anna": "nimm Norwegen", "Ben": "take Italy", "Carla": "neem Warschau"},
    {"Anna": "passe", "Ben": "pass", "Carla": "pas"},
)


def thursday(number: int) -> date:
    """On which a round's orders close."""
    return FIRST + (number - 1) * WEEK


def play(path: Path, upto: int, begin: int = 1) -> None:
    """So many rounds sealed; the next one is open, and the pages tell of all."""
    for number in range(begin, upto + 1):
        orders(path, number)
        week(path, thursday(number), pages=number == upto)


def orders(path: Path, number: int) -> None:
    """A round's mails."""
    for name, text in (JOINS if number == 1 else MOVES[(number - 2) % len(MOVES)]).items():
        write(path, name, text, thursday(number))


def close(path: Path, number: int) -> None:
    """The round's orders are in and closed; its figures aren't known."""
    orders(path, number)
    mail_run(path, utc(thursday(number) + timedelta(days=1)))


def enter(path: Path, number: int, **changed: str) -> None:
    figures_of(path, thursday(number), **changed)


def right(
    path: Path, number: int, dax: str, now: datetime, *, mode: str = "", dry_run: bool = False, **more: str
) -> FigureCorrected:
    """`league draw correct` of a round's close."""
    friday = thursday(number) + timedelta(days=1)
    table = {"dax_close": dax, "dax_day": friday.isoformat(), **more}
    site = opened(path, now)
    try:
        act = Act("draw correct", WHY, mode, dry_run=dry_run)
        return correct_figures(site, "spring", Entry(table, "exchange's page", WHY), act)
    finally:
        site.engine.dispose()


@dataclass(frozen=True)
class Replay:
    """What a replay of a chain came to: the position with which each round starts, as far as it is known."""

    starts: dict[int, Any]
    rounds: int


def replay(path: Path, match: int = 1) -> Replay:
    """Go through the chain as anyone can who has the records alone.

    Every round is recomputed from its record and starts as the chain says; every adjustment puts in what the game makes
    of the two records that it names.
    """
    versions = Versions.of(sealed(path, match))
    assert check_chain([one.sealed.body for one in versions.chain]) == ()
    starts: dict[int, Any] = {}
    for one in versions.chain[1:]:
        body, number = one.body, one.sealed.round
        if body["kind"] == "adjustment":
            wrong, good = (versions.by_hash(sha) for sha in body["of"])
            game = from_record(wrong.body, wrong.body["rules"]["options"], wrong.body["game"]).game
            since = [
                e for n, v in sorted(standing(versions, one).items()) if wrong.sealed.round < n < number for e in v
            ]
            now, was, right = (game.restore(p) for p in (body["from"], wrong.body["position"], good.body["position"]))
            made = game.amend(now, was, right, since)
            assert canonical(game.position(made.state)) == canonical(body["to"])
            assert canonical(list(made.applied)) == canonical(body["applied"])
            assert canonical(list(made.not_applied)) == canonical(body["not_applied"])
            starts[number] = body["to"]
            continue
        table = from_record(body, body["rules"]["options"], body["game"])
        outcome = table.outcome()
        assert not outcome.pending
        assert canonical(table.game.position(outcome.state)) == canonical(body["position"])
        assert canonical([e.facts() for e in outcome.events]) == canonical(body["events"])
        if body.get("correction", {}).get("mode") != "from_now":
            if number > 1:
                assert canonical(body["start"]) == canonical(starts[number]), f"round {number}"
            starts[number + 1] = body["position"]
    return Replay(starts, len(versions.rounds))


def standing(versions: Versions, upto: Any) -> dict[int, list[Any]]:
    """Each round's events as they stood when a record was sealed."""
    found: dict[int, list[Any]] = {}
    for one in versions.chain[: versions.chain.index(upto)]:
        if one.body["kind"] == "round":
            found[one.sealed.round] = one.body["events"]
    return found
