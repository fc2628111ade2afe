"""Adjudicating a KUEL round of 8 players with all orders in, beside a fixed loop; and what a live match holds."""

import gc
import random  # positions for the measurement, with a seed
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from league.core.evidence import Evidence
from league.core.game import Turn
from league.core.orders import OrderMail
from league.desk import registry
from league.randomness.dice import Dice

MEDIAN, TAIL, LIVE = 1.0, 3.0, 100_000  # ms, ms, bytes
ROUNDS, REPEATS = 400, 5
FRIDAY, SATURDAY = date(2024, 1, 12), date(2024, 1, 13)
NAMES = ("Anna", "Ben", "Carla", "Dirk", "Eva", "Finn", "Gero", "Hanna")


def figures(chance: random.Random) -> tuple[Evidence, ...]:
    balls = " ".join(map(str, chance.sample(range(1, 50), 6)))
    return (
        Evidence("dax_close", FRIDAY, f"16{chance.randint(100, 999)}.21"),
        Evidence("eurusd", FRIDAY, "1.0942"),
        Evidence("lotto", SATURDAY, balls),
    )


def rounds(game: Any) -> list[tuple[Any, Turn[Any]]]:
    """Positions of a crowded board and a move of everyone at a neighbour, battles among them."""
    board, made, chance = game.board, [], random.Random(8)
    ids = [country.id for country in board.countries]
    for number in range(ROUNDS):
        left = chance.sample(ids, len(ids))
        owns = {name: [left.pop() for _ in range(chance.randint(1, 3))] for name in NAMES}
        position = {
            "round": 10,
            "players": {
                name: {"score": chance.randint(0, 300), "owns": sorted(owns[name], key=ids.index)} for name in NAMES
            },
            "markers": {},
            "newcomers": [],
        }
        state = game.restore(position)
        taken = {country for several in owns.values() for country in several}
        mails = tuple(
            OrderMail(name, game.parse(state, name, _move(chance, board, owns[name], taken))) for name in NAMES
        )
        evidence = figures(chance)
        dice = Dice.of("bench", number, evidence[2])
        made.append((state, Turn(mails=mails, evidence=evidence, dice=dice)))
    return made


def _move(chance: random.Random, board: Any, own: Sequence[str], taken: set[str]) -> str:
    around = sorted({n for country in own for n in board.neighbours[country]} - set(own))
    target = chance.choice(around)
    name = board.by_id[target].names["en"]
    return f"{'attack' if target in taken else 'take'} {name}"


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - begin) / 1e6


def loop() -> int:
    """The peer: a fixed piece of pure Python, so that a slow machine is seen as one."""
    found = 0
    for number in range(10_000):
        found = (found * 31 + number) % 65_537
    return found


def live() -> int:
    """Bytes that one more live match takes: its position, orders and outcome."""
    game = registry.load("kuel", OPTIONS)
    made = rounds(game)
    gc.collect()
    tracemalloc.start()
    kept = [(game.restore(game.position(state)), turn, game.adjudicate(state, turn)) for state, turn in made]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size // len(kept)


OPTIONS = registry.check_options(registry.plugin("kuel").meta, {"battles": "drawn"})


def main() -> int:
    """Print the rows; 1 if a budget is missed."""
    game = registry.load("kuel", OPTIONS)
    made = rounds(game)
    pending = sum(bool(game.adjudicate(state, turn).pending) for state, turn in made)
    gc.disable()
    first = [timed(lambda s=s, t=t: game.adjudicate(s, t)) for s, t in rounds(game)]  # type: ignore[misc]
    # the tail is that of the rounds, so what else the machine does meanwhile is left out: the least of several
    times = sorted(min(timed(lambda s=s, t=t: game.adjudicate(s, t)) for _ in range(REPEATS)) for s, t in made)  # type: ignore[misc]
    peer = min(timed(loop) for _ in range(50))
    gc.enable()
    median, tail = statistics.median(first), times[int(len(times) * 0.99)]
    size = live()
    print(
        f"KUEL round, 8 in  {median:6.3f} ms median (budget {MEDIAN}), {tail:.3f} ms p99 (budget {TAIL})   "
        f"a loop of 10,000 steps {peer:.3f} ms"
    )
    print(f"KUEL live match   {size / 1000:6.1f} kB (budget {LIVE / 1000:.0f})")
    return 1 if pending or median > MEDIAN or tail > TAIL or size > LIVE else 0


if __name__ == "__main__":
    sys.exit(main())
