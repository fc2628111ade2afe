"""Write anew what the engine says of every case and what KUEL's bots play: tests/golden/kuel-*.txt.

Read the difference before you commit it: each line of it is something that players see differently from now on.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "golden"
sys.path.insert(0, str(ROOT))

from tests.games.kuel.account import CASE, account, played  # noqa: E402 - the tests are no installed package


def main() -> None:
    """A section a case, a file a bot."""
    cases = sorted((ROOT / "tests" / "cases" / "kuel").glob("*.toml"))
    parts = ["\n".join([f"{CASE}{path.stem}", *account(tomllib.loads(path.read_text("utf-8")))]) for path in cases]
    _write("cases", "\n".join(parts))
    for bot in ("greedy", "lookahead", "random"):
        _write(bot, "\n".join(played(bot)))


def _write(name: str, text: str) -> None:
    (GOLDEN / f"kuel-{name}.txt").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
