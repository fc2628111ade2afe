"""`league run`: one due league of 8 from a cold start; many leagues due at once, in time and in memory.

Figures are CPU seconds of processes of their own, so nothing is warm that wouldn't be. Pictures for mails are left out:
they are drawn when all that has a deadline is done, and bench_mail.py says what one costs.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.desk.sites import add_league, at, copy, drop, figures, letter, make_site

FRIDAY, SUNDAY = at("2024-01-05 08:00"), at("2024-01-14 08:00")
SEATS = tuple(f"Player{n}" for n in range(1, 9))
JOINS = ("Iceland", "Ireland", "Portugal", "Norway", "Great Britain", "Greece", "Finland", "Soviet Union")
MOVES = (
    "take London",
    "take London\nbid 3 Prague",
    "take Spain",
    "take Sweden",
    "take France",
    "take Bulgaria",
    "pass",
    "take Poland",
)
COLD, EACH, FLAT = 1.5, 0.150, 1.25  # seconds; seconds a league; memory of 300 leagues against 100
PEER = "import sqlmodel, jinja2, click"  # what nobody can do without
FEW, MANY = 100, 300


def prepare(path: Path, leagues: int) -> Path:
    """Leagues with a round due in which everybody moves, battles and events among it; mails in the box."""
    make_site(path)
    for number in range(leagues):
        slug = f"league-{number:03d}"
        add_league(path, slug, [f"{seat}x{number}" for seat in SEATS])
        for seat, country in zip(SEATS, JOINS, strict=True):
            drop(path, letter(f"{seat}x{number}", f"join {country}"), at("2024-01-03 10:00"))
    run(path, FRIDAY)
    for number in range(leagues):
        for seat, text in zip(SEATS, MOVES, strict=True):
            raw = letter(f"{seat}x{number}", f"Hello,\n\n{text}\n\nYours\n{seat}\n", subject="my move")
            drop(path, raw, at("2024-01-10 10:00"))
    figures(path, SUNDAY, "league-000")
    return path


def spent(command: list[str]) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a process; the peak is asked of the kernel by the process itself."""
    told, into = os.pipe()
    pid = os.fork()
    if not pid:
        os.dup2(into, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execv(command[0], command)
    os.close(into)
    _, status, usage = os.wait4(pid, 0)
    with os.fdopen(told) as answer:
        text = answer.read()
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{command} failed")
    peak = int(text.split("VmHWM:")[1].split()[0]) / 1024 if "VmHWM:" in text else 0.0
    return usage.ru_utime + usage.ru_stime, peak


def run(path: Path, now: object) -> tuple[float, float]:
    """`league run` of a site."""
    code = (
        "import sys; from league.cli import main; code = main(sys.argv[1:]); "
        "print(open('/proc/self/status').read()); sys.exit(code)"
    )
    return spent([sys.executable, "-c", code, "--site", str(path), "--now", now.isoformat(), "run"])  # type: ignore[attr-defined]


def main() -> int:
    """Print the rows; 1 if a budget is missed."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        bare = min(spent([sys.executable, "-c", PEER])[0] for _ in range(5))
        one = prepare(folder / "one", 1)
        cold = min(run(copy(one, folder / f"one-{n}"), SUNDAY)[0] for n in range(5))
        print(f"run, one league   {cold:6.2f} s CPU (budget {COLD})   its imports alone {bare:.2f} s")
        few, small = run(prepare(folder / "few", FEW), SUNDAY)
        many, large = run(prepare(folder / "many", MANY), SUNDAY)
        each = (many - few) / (MANY - FEW)
        print(
            f"run, {MANY} leagues  {many:6.2f} s CPU, {many / MANY * 1000:.0f} ms a league (budget {EACH * 1000:.0f}), "
            f"{each * 1000:.0f} ms a further one   {FEW} leagues {few:.2f} s"
        )
        print(f"run, memory       {large:6.1f} MB for {MANY} leagues   {small:.1f} MB for {FEW} (budget {FLAT} times)")
    return 1 if cold > COLD or many / MANY > EACH or large > small * FLAT else 0


if __name__ == "__main__":
    sys.exit(main())
