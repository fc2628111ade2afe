"""Round pages of KUEL (28 countries, 8 players, maps, tables, three languages) from their records, by `league publish`.

Beside it stand the bare templates, Jinja as it comes, with all their values ready; and Hugo and Pelican on the same
pages (page_peers.py says what they are given). CPU is that of whole processes, ours with start, database, league pages,
records, signatures and writing. A thousand pages (the others: three hundred); with LEAGUE_SOAK set, as `make soak`
does, ten thousand for all.
"""

import os
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from shutil import rmtree
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from typing import Any

from jinja2.ext import _make_new_gettext

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from league.desk.pages.publish_pages import publish_now, publish_pages
from league.desk.site import open_site
from league.reports import environment as jinja
from league.reports.page import Page
from tests.bench import page_peers as peers
from tests.bench.bench_run import spent
from tests.bench.many_pages import add_rounds, after, fill

ROUNDS, LANGS = 98, 3
PAGES = 10_000 if "LEAGUE_SOAK" in os.environ else 1_000
LEAGUES = -(-PAGES // (ROUNDS * LANGS))
PEERS = PAGES if "LEAGUE_SOAK" in os.environ else 300
BARE, FLAT = 2.0, 1.25  # times the bare templates; memory of all leagues against a quarter of them
GIVEN = 90  # so many different pages the others are given in turn
PUBLISH = (
    "import sys; from league.cli import main; code = main(sys.argv[1:]); "
    "print(open('/proc/self/status').read()); sys.exit(code)"
)
Rendered = tuple[Page, str, dict[str, Any]]


def slugs(count: int) -> list[str]:
    return [f"league-{number:03d}" for number in range(count)]


def publish(path: Path) -> tuple[float, float]:
    """CPU seconds and peak megabytes of `league publish` of a filled site whose templates were compiled before."""
    command = [sys.executable, "-c", PUBLISH, "--site", str(path), "--now", after(ROUNDS).isoformat(), "publish"]
    spent([*command, slugs(1)[0]])
    unpublish(path)
    return spent(command)


def beside_bare(path: Path) -> tuple[float, float]:
    """CPU seconds a round page of a league, in this process: built, and its templates alone with every value ready.

    The templates by Jinja's own `gettext`; of both the least of some, so that what else the machine does is left out.
    """
    rendered: list[Rendered] = []
    render: Callable[..., str] = Page.render

    def keep(self: Page, template: str, **values: Any) -> str:
        rendered.append((self, template, values))
        return render(self, template, **values)

    site = open_site(path, after(ROUNDS))
    built = least(lambda: publish_now(site, slugs(1)), before=lambda: unpublish(path))
    forget(jinja._environment)
    forget(jinja.module_of)
    quick = jinja._looked_up
    jinja._looked_up = lambda words: _make_new_gettext(words.gettext)
    Page.render = keep  # type: ignore[method-assign]
    unpublish(path)
    publish_now(site, slugs(1))
    Page.render = render  # type: ignore[method-assign]
    templates = least(lambda: [render(page, template, **values) for page, template, values in rendered])
    jinja._looked_up = quick
    forget(jinja._environment)
    forget(jinja.module_of)
    site.engine.dispose()
    rounds = sum(template == "round.html" for _, template, _ in rendered)
    return built / rounds, templates / rounds


def by_itself(path: Path) -> tuple[float, float]:
    """`beside_bare` in a process of its own, as `league publish` is one: not beside what measuring has left in this."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(beside_bare, (path,))


def forget(known: Any) -> None:
    """What was kept for the life of the process."""
    known.cache_clear()


def least(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """CPU seconds, the least of some runs; the first one makes warm and isn't counted."""
    found = float("inf")
    for number in range(4):
        before()
        begin = time.process_time()
        work()
        found = min(found, time.process_time() - begin) if number else found
    return found


def unpublish(path: Path) -> None:
    """A site that has published nothing yet."""
    (path / "public").unlink(missing_ok=True)
    rmtree(path / "builds", ignore_errors=True)


def further(path: Path) -> tuple[int, int, int, float]:
    """A league gets a round: files written, files in all, files that should have stayed and didn't, CPU seconds."""
    public = path / "public"
    before = {file: file.stat() for file in public.resolve().rglob("*") if file.is_file()}
    old = public.resolve()
    site = open_site(path, after(ROUNDS + 1))
    add_rounds(site, slugs(1)[0], ROUNDS + 1, ROUNDS + 1)
    begin = time.process_time()
    done = publish_pages(site)
    took = time.process_time() - begin
    site.engine.dispose()
    assert done is not None
    new = public.resolve()
    touched = f"{slugs(1)[0]}/"
    moved = 0
    for file, was in before.items():
        name = file.relative_to(old).as_posix()
        if name.startswith(touched) or "/" not in name:
            continue
        now = (new / name).stat()
        moved += (now.st_ino, now.st_mtime_ns) != (was.st_ino, was.st_mtime_ns)
    return done.written, done.written + done.linked, moved, took


def others(folder: Path, path: Path) -> dict[str, float]:
    """CPU seconds a page of the others on the same pages."""
    venv = peers.environment(folder / "venv")
    files = sorted((path / "public").glob("*/**/round-*.html"))[:GIVEN]
    pages = [file.read_text("utf-8") for file in files]
    made = {
        "Hugo": peers.hugo(venv, peers.data_site(folder / "data", pages, PEERS)),
        "Pelican": peers.pelican(venv, peers.pelican_site(folder / "pelican", pages, PEERS)),
        "Hugo, copying": peers.hugo(venv, peers.framed_site(folder / "framed", pages, PEERS)),
    }
    found = {}
    for name, command in made.items():
        found[name] = spent(command)[0] / PEERS
        out = sum(1 for _ in Path(command[command.index("-o") + 1] if "-o" in command else command[4]).rglob("*.html"))
        if out < PEERS:
            raise SystemExit(f"{name} made {out} pages instead of {PEERS}")
    return found


def main() -> int:
    """Print the rows; 1 if a budget is missed."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder / "site", slugs(LEAGUES), ROUNDS)
        cpu, peak = publish(folder / "site")
        count = sum(1 for _ in (folder / "site" / "public").rglob("round-*.html"))
        each = cpu / count
        print(f"pages             {cpu:6.1f} s CPU for {count} round pages, {each * 1000:.1f} ms each, all in all")
        fill(folder / "few", slugs(-(-LEAGUES // 4)), ROUNDS)
        small = publish(folder / "few")[1]
        print(f"pages, memory     {peak:6.1f} MB   {small:.1f} MB for a quarter of the leagues (budget {FLAT} times)")
        written, whole, moved, took = further(folder / "site")
        print(
            f"pages, one round  {took * 1000:6.0f} ms CPU: {written} of {whole} files written; "
            f"{moved} of other leagues touched (budget 0)"
        )
        built, template = by_itself(folder / "few")
        print(
            f"pages, built      {built * 1000:6.1f} ms CPU a page   the bare templates {template * 1000:.1f} ms   "
            f"{built / template:.2f} times (budget {BARE})"
        )
        try:
            beside = others(folder, folder / "site")
        except (CalledProcessError, OSError, ValueError) as error:
            print(f"pages             Hugo and Pelican could not be had: {error}")
            return 1
        told = ", ".join(f"{name} {seconds * 1000:.1f}" for name, seconds in beside.items())
        print(f"pages, others     {each * 1000:6.1f} ms CPU a page   {told} ms (budget: less than Hugo and Pelican)")
    ahead = each < min(beside["Hugo"], beside["Pelican"])
    return 0 if built <= BARE * template and peak <= FLAT * small and not moved and ahead else 1


if __name__ == "__main__":
    sys.exit(main())
