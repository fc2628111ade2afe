"""Fuzz the intake of mail: `python tools/fuzz.py [--minutes N] [--seed S] [--jobs N]`, or `--again FOLDER` for a find.

Mutated letters, random MIME trees, HTML soup, hostile headers and noise go through reading, verdict, orders and
answers. Each input that breaks a rule is kept in `fuzz-finds/`; the same seed makes the same mails again.
"""

import argparse
import os
import secrets
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("LEAGUE_OFFLINE", "1")
from tests.intake.fuzz import Campaign, again  # noqa: E402  # the repository isn't installed as a package


def main() -> int:
    """1 if anything was found."""
    asked = argparse.ArgumentParser(description="Fuzz the intake of mail.")
    asked.add_argument("--minutes", type=float, default=float(os.environ.get("FUZZ_MINUTES") or 10))
    asked.add_argument("--seed", default=os.environ.get("FUZZ_SEED") or secrets.token_hex(4))
    asked.add_argument("--jobs", type=int, default=int(os.environ.get("FUZZ_JOBS") or os.cpu_count() or 1))
    asked.add_argument("--finds", type=Path, default=ROOT / "fuzz-finds")
    asked.add_argument("--again", type=Path, help="folder of a find: what goes wrong with it today")
    given = asked.parse_args()
    if given.again:
        told = again(given.again)
        print("\n".join(told) or "nothing goes wrong with it any more")
        return 1 if told else 0
    print(f"seed {given.seed}, {given.minutes:g} minutes, {given.jobs} processes", flush=True)
    tried, found = Campaign(given.seed, given.minutes, given.finds / given.seed, given.jobs).run()
    print(f"{tried} mails tried with seed {given.seed}; batches in which something went wrong: {found}")
    if found:
        print(f"they are in {given.finds / given.seed}; python tools/fuzz.py --again FOLDER tries one again")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
