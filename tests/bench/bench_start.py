"""What `league --help` costs, beside the bare interpreter."""

import os
import subprocess
import sys

PEER = [sys.executable, "-c", "pass"]
HELP = [sys.executable, "-m", "league", "--help"]
PROGRAM = "import sys; from league.cli import main; main(['--help']); print(open('/proc/self/status').read())"
RATIO, MEGABYTES = 6, 24
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cpu(command: list[str], runs: int = 15) -> float:
    """The least CPU in ms of several runs."""
    subprocess.run(command, stdout=subprocess.DEVNULL, env=ENV, check=True)  # compiles
    spent = []
    for _ in range(runs):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENV) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        spent.append(usage.ru_utime + usage.ru_stime)
    return min(spent) * 1000


def memory() -> float:
    """The most memory in MB; asked of the kernel inside, since a child's usage begins with its parent's."""
    told = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=ENV, check=True).stdout
    return int(told.split("VmHWM:")[1].split()[0]) / 1024


def main() -> int:
    """Print the row; 1 if a budget is missed."""
    bare, ours, peak = cpu(PEER), cpu(HELP), memory()
    print(
        f"league --help     {ours:6.1f} ms CPU   python -c pass {bare:6.1f} ms   "
        f"{ours / bare:.1f} times (budget {RATIO})   {peak:.1f} MB (budget {MEGABYTES})"
    )
    return 1 if ours > RATIO * bare or peak > MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
