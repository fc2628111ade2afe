"""A whole match of six EUROPA bots in memory, and adjudicating each of its phases, beside a fixed loop."""

import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.games.europa.tables import GAME, Match, Step

MATCH, MEDIAN = 150.0, 3.0  # ms
MATCHES, REPEATS = 10, 3
BOTS = ("diplomat",) * 6


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


def phase(step: Step) -> float:
    """The least of several, so that what else the machine does meanwhile is left out."""
    return min(timed(lambda: GAME.adjudicate(step.before, step.turn)) for _ in range(REPEATS))


def main() -> int:
    """Print the rows; 1 if a budget is missed."""
    played = [list(Match(f"bench {number}", BOTS).play()) for number in range(MATCHES)]
    gc.disable()
    whole = [timed(lambda n=n: list(Match(f"bench {n}", BOTS).play())) for n in range(MATCHES)]  # type: ignore[misc]
    phases = sorted(phase(step) for steps in played for step in steps)
    peer = min(timed(loop) for _ in range(50))
    gc.enable()
    match, median = statistics.median(whole), statistics.median(phases)
    print(
        f"EUROPA match, 6 bots {match:6.1f} ms median (budget {MATCH:.0f})   "
        f"a phase {median:.3f} ms median (budget {MEDIAN}), {phases[-1]:.3f} ms at most   "
        f"a loop of 10,000 steps {peer:.3f} ms"
    )
    return 1 if match > MATCH or median > MEDIAN else 0


if __name__ == "__main__":
    sys.exit(main())
