"""Pictures of every kind of page for the documents, and to look at: `pictures.py` plays the demos and takes them anew.

Each kind of page stands in docs/pictures/ in four forms: on a desktop, on a phone, by night, on paper.
"""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
FRONT = ROOT / "docs" / "picture.png"  # what README.md shows
PAGES: Mapping[str, str] = {
    "site": "index.html",
    "league": "demo/index.html",
    "round": "demo/round-9.html",
    "players": "demo/players.html",
    "rules": "demo/rules.html",
    "week": "demo/week.html",
    "card": "demo/card.html",
    "journal": "demo/journal.html",
    "records": "demo/records.html",
    "tiles": "demo/round-9.html#tiles",
    "mails": "../battle-week/index.html",
}
EUROPA: Mapping[str, str] = {  # of the other demo
    "europa-league": "demo/index.html",
    "europa-round": "demo/round-7.html",
    "europa-rules": "demo/rules.html#R30",
}
COLOURS = 256


@dataclass(frozen=True, slots=True)
class Form:
    """How a page is looked at."""

    width: int
    height: int
    dark: bool = False
    printed: bool = False


FORMS = {
    "desktop": Form(1280, 1000),
    "phone": Form(390, 1000),
    "dark": Form(1280, 1000, dark=True),
    "print": Form(800, 1130, printed=True),
}


def main() -> int:
    """Play, look, keep."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.stderr.write("no Chromium here; on Debian and Ubuntu: apt-get install chromium\n")
        return 1
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for game, pages in (("kuel", PAGES), ("europa", EUROPA)):
            public = played(Path(folder) / game, game)
            for name, page in pages.items():
                for form, how in FORMS.items():
                    keep(f"{name}-{form}", taken(browser, public, page, how))
        for form, how in FORMS.items():
            if not how.printed:
                keep(f"composer-{form}", composed(browser, Path(folder) / "kuel" / "public" / PAGES["league"], how))
        browser.close()
    shutil.copyfile(PICTURES / "league-desktop.png", FRONT)
    return 0


def played(folder: Path, game: str) -> Path:
    """What a game's demo publishes."""
    command = [sys.executable, "-m", "league", "--quiet", "demo", "--game", game, "--dir", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    return folder / "public"


def keep(name: str, picture: bytes) -> None:
    """Into the documents' folder."""
    (PICTURES / f"{name}.png").write_bytes(small(picture))


def composed(browser: Browser, file: Path, how: Form) -> bytes:
    """The order composer with a bid and an attack in the mail, the evening before the orders close."""
    page = browser.new_page(
        viewport={"width": how.width, "height": how.height}, color_scheme="dark" if how.dark else "light"
    )
    page.goto(file.as_uri())
    closes = datetime.fromisoformat(page.locator(".composer").get_attribute("data-until") or "")
    page.clock.set_fixed_time(closes - timedelta(days=1))
    page.locator('[data-do="open"]').click()
    page.locator("#w-seat").select_option(label="Carla")
    offers, lands = page.locator(".offers"), page.locator("#w-land option:not([value=''])")
    for wanted in ("bid", "attack"):
        for land in [str(one.get_attribute("value")) for one in lands.all()]:
            page.locator("#w-land").select_option(land)
            found = offers.locator(".offer:not(.no)", has_text=wanted)
            if found.count():
                found.first.locator(".take").click()
                break
    shown = page.locator("#write").screenshot()
    page.close()
    return shown


def taken(browser: Browser, public: Path, name: str, how: Form) -> bytes:
    """What a window of that size shows of the page first."""
    page = browser.new_page(
        viewport={"width": how.width, "height": how.height}, color_scheme="dark" if how.dark else "light"
    )
    if how.printed:
        page.emulate_media(media="print")
    file, _, part = name.partition("#")
    page.goto(f"{(public / file).as_uri()}#{part}" if part else (public / file).as_uri())
    page.wait_for_load_state("networkidle")
    shown = page.screenshot()
    page.close()
    return shown


def small(picture: bytes) -> bytes:
    """The same with few colours, small signs in their own: the usual way of choosing takes those of large areas."""
    made = BytesIO()
    with Image.open(BytesIO(picture)) as read:
        few = read.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(made, "PNG", optimize=True)
    return made.getvalue()


if __name__ == "__main__":
    sys.exit(main())
