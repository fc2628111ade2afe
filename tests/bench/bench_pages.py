"""How a league's pages come in over a slow line on a phone: first paint beside a bare page's, weight, what moves."""

import gzip
import re
import shutil
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from playwright.sync_api import Browser, sync_playwright

from tests.reports.long_site import write_site
from tests.reports.serving import PAINTED, WATCH, served, slow

ROUNDS, TIMES, SLOWER = 20, 5, 4
GOAL, HEAVIEST, MOST = 500, 150_000, 3  # ms; bytes; times the bare page
BARE = "<!doctype html><html lang=en><title>Bare</title><p>A page of one line."
PAGES = (
    *("long/index.html", "long/round-20.html", "index.html"),
    *("long/rules.html", "long/players.html", "long/round-7.html"),
)
PHONE = {"width": 390, "height": 844}


def main() -> int:
    """Print a row a page; 1 if the league's own weighs too much, moves, or is painted much later than a bare one."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("pages: no Chromium here; on Debian and Ubuntu: apt-get install chromium")
        return 0
    with TemporaryDirectory() as name, sync_playwright() as driver, served(write_site(Path(name), ROUNDS)) as address:
        (Path(name) / "bare.html").write_text(BARE)
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        looked = {page: came_in(browser, address + page) for page in ("bare.html", *PAGES)}
        browser.close()
        bytes_ = {page: weight(Path(name), page) for page in looked}
    bare = looked["bare.html"]
    for page, (fast, late, moved) in looked.items():
        print(
            f"{page:20} first paint {fast:4.0f} ms, on a processor {SLOWER} times slower {late:4.0f} ms"
            f" (bare {bare[0]:.0f}, {bare[1]:.0f}; goal {GOAL})   {bytes_[page] / 1000:5.1f} kB   moved {moved}"
        )
    fast, late, moved = looked[PAGES[0]]
    return int(bytes_[PAGES[0]] > HEAVIEST or moved > 0 or fast > MOST * bare[0] or late > 2 * MOST * bare[1])


def came_in(browser: Browser, address: str) -> tuple[float, float, int]:
    """Median first paint at this machine's speed and on a slower one, and how often something moved."""
    seen: dict[int, list[float]] = {1: [], SLOWER: []}
    moved = 0
    for processor in [1, SLOWER] * TIMES:
        context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
        page = context.new_page()
        page.add_init_script(WATCH)
        slow(page, processor)
        page.goto(address)
        seen[processor].append(float(page.evaluate(PAINTED)))
        moved += len(page.evaluate("shifts"))
        context.close()
    return median(seen[1]), median(seen[SLOWER]), moved


def weight(folder: Path, page: str) -> int:
    """Page, style and script over the wire, the replay's data left out."""
    text = (folder / page).read_text("utf-8")
    text = re.sub(r'(<script type="application/json" id="rounds-data">).*?</script>', r"\1</script>", text)
    used = [name for name in ("style.css", "map.js") if f'{name}"' in text]
    return sum(len(gzip.compress(file)) for file in (text.encode(), *((folder / one).read_bytes() for one in used)))


if __name__ == "__main__":
    sys.exit(main())
