"""Play a rules version's golden league and write its records; tests/golden/<version>/README.md says when that may be.

    python tools/golden_league.py VERSION [--check]

With --check nothing is written: it says whether playing the script today still gives the records that are kept.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.matches.kuel.golden import Golden  # noqa: E402 - the tests are no installed package


def main(args: list[str]) -> int:
    """Exit code: 0 done or equal, 1 different, 2 wrong use."""
    versions = [arg for arg in args if not arg.startswith("-")]
    folder = ROOT / "tests" / "golden" / (versions or [""])[0]
    if len(versions) != 1 or set(args) - {*versions, "--check"} or not (folder / "league.toml").is_file():
        print(__doc__)
        return 2
    with TemporaryDirectory() as place:
        played = Golden(Path(place) / "site", folder / "league.toml")
        played.play()
        made = {f"{number:04}.json": record for number, record in enumerate(played.records_written())}
    kept = {file.name: file.read_bytes() for file in sorted(folder.glob("*.json"))}
    if "--check" in args:
        different = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
        print("the same" if not different else f"different: {', '.join(different)}")
        return 1 if different else 0
    if kept:
        print(f"{folder} holds records already; they are never changed. Delete them only before the version is out")
        return 1
    for name, record in made.items():
        (folder / name).write_bytes(record)
    print(f"{len(made)} records")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
