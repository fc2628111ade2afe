"""Run every measurement of tests/bench, one process each; each prints its rows with a peer beside them.

python tools/bench.py [WORD]      only those with WORD in their name
"""

import subprocess
import sys
from pathlib import Path

BENCHES = Path(__file__).parent.parent / "tests" / "bench"


def main(word: str = "") -> int:
    """1 if a budget was missed."""
    wanted = [file for file in sorted(BENCHES.glob("bench_*.py")) if word in file.name]
    codes = [subprocess.run([sys.executable, str(file)], check=False).returncode for file in wanted]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
