"""Write anew what KUEL says of cases and boards, reads in lines, and how its bots play: tests/golden/kuel-*.txt.

Of kuel-lines.txt the lines that begin with a quote are kept, and new ones may be written there by hand.

Read the difference before you commit it: each line of it is something that players see differently from now on.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "golden"
sys.path.insert(0, str(ROOT))

from tests.games.kuel.account import CASE, account, played  # noqa: E402 - the tests are no installed package
from tests.games.kuel.boards import boards  # noqa: E402
from tests.games.kuel.readings import parts, written  # noqa: E402


def main() -> None:
    """A section a case, a part a line, a file a bot."""
    cases = sorted((ROOT / "tests" / "cases" / "kuel").glob("*.toml"))
    told = ["\n".join([f"{CASE}{path.stem}", *account(tomllib.loads(path.read_text("utf-8")))]) for path in cases]
    _write("cases", "\n".join(told))
    _write("lines", written(list(parts((GOLDEN / "kuel-lines.txt").read_text("utf-8")))).rstrip("\n"))
    _write("boards", "\n".join(boards()))
    for bot in ("greedy", "lookahead", "random"):
        _write(bot, "\n".join(played(bot)))


def _write(name: str, text: str) -> None:
    (GOLDEN / f"kuel-{name}.txt").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
