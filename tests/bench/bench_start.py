"""What `league --help` costs, beside the bare interpreter."""

import os
import subprocess
import sys

PEER = [sys.executable, "-c", "pass"]
HELP = [sys.executable, "-m", "league", "--help"]
RATIO, MEGABYTES = 6, 24


def cost(command: list[str], runs: int = 15) -> tuple[float, float]:
    """The least CPU in ms, and the most memory in MB, of several runs."""
    spent, peak = [], 0
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, stdout=subprocess.DEVNULL, env=env, check=True)  # compiles
    for _ in range(runs):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=env) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        spent.append(usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss)
    return min(spent) * 1000, peak / 1024


def main() -> int:
    """Print the row; 1 if the budget is missed."""
    (bare, _), (ours, memory) = cost(PEER), cost(HELP)
    print(
        f"league --help     {ours:6.1f} ms CPU   python -c pass {bare:6.1f} ms   "
        f"{ours / bare:.1f} times (budget {RATIO})   {memory:.1f} MB (budget {MEGABYTES})"
    )
    return 1 if ours > RATIO * bare or memory > MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
