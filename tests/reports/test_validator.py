"""Pages of every kind before the checker of HTML."""

from pathlib import Path

from league.i18n import LANGS
from league.reports.context import LeaguePage, RoundReport, SiteInfo
from tests.reports.test_pages import pages
from tests.reports.validator import faults_of, needs_validator

pytestmark = needs_validator


def test_pages_of_every_kind_in_every_language_are_valid(
    tmp_path: Path, site: SiteInfo, front: LeaguePage, report: RoundReport
) -> None:
    """A round with everything in it, its corrected version, a league, its players, its records, the site's home."""
    made = []
    for lang in LANGS:
        for name, text in pages(site, front, report, lang).items():
            made.append(tmp_path / lang / name)
            made[-1].parent.mkdir(parents=True, exist_ok=True)
            made[-1].write_text(text, "utf-8")
    assert faults_of(made) == []


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    """An id given twice, a list with something else in it, a cell without its row, what isn't closed: each is told."""
    made: list[Path] = []
    for wrong in ('<p id="a"><p id="a">', "<ul><p>a</p></ul>", "<table><td>a</table>", "<p><b>a</p>"):
        made.append(tmp_path / f"{len(made)}.html")
        made[-1].write_text(f'<!doctype html><html lang="en"><title>a</title><body>{wrong}</body></html>', "utf-8")
    found = faults_of(made)
    assert all(any(page.name in one for one in found) for page in made), found
