"""`league verify` of a league of 200 rounds, all its pages among the files, beside SHA-256 over the same files."""

import sys
import time
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from league.delivery import verifier
from tests.bench.bench_run import spent
from tests.desk.long_league import Long

VERIFIER = Path(verifier.__file__)
ROUNDS, BUDGET = 200, 5.0  # seconds of CPU, the start of the program among them


def main() -> int:
    """Print the row; 1 if the budget is missed."""
    with TemporaryDirectory() as name:
        public = Long.played(ROUNDS).publish(Path(name))
        files = [file for file in public.resolve().rglob("*") if file.is_file()]
        begun = time.process_time()
        size = sum(len(sha256(file.read_bytes()).digest()) and file.stat().st_size for file in files)
        peer = time.process_time() - begun
        cpu, _ = spent([sys.executable, "-m", "league", "verify", str(public)])
        alone, _ = spent([sys.executable, "-I", str(VERIFIER), str(public)])
    print(
        f"verify, {ROUNDS} rounds {cpu:5.2f} s CPU (budget {BUDGET})   SHA-256 of its {len(files)} files "
        f"({size / 1e6:.0f} MB) {peer:.2f} s"
    )
    print(f"verify.py, the same {alone:5.2f} s CPU")
    return 1 if cpu > BUDGET else 0


if __name__ == "__main__":
    sys.exit(main())
