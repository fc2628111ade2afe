"""Pictures of maps for those who share a link (OpenGraph): drawn once each, named by what is drawn.

They need the site's address, since only a whole address is followed; a site without one has none.
"""

from league.core.view import MapView
from league.desk.aside import set_aside
from league.desk.site import Site
from league.reports.context import LeagueInfo
from league.reports.pictures import draw, sketch

FOLDER = "pictures"


def preview(site: Site, league: LeagueInfo, view: MapView | None, number: int) -> tuple[str, bytes] | None:
    """Where a round's picture lies within the league's folder, and the picture; what is published isn't drawn again."""
    return picture_of(site, league, view, number) if _are_wanted(site) else None


def picture_of(site: Site, league: LeagueInfo, view: MapView | None, number: int) -> tuple[str, bytes] | None:
    """The same whether shared links are to show it or not."""
    if league.drawing is None or view is None:
        return None
    made = sketch(league.drawing, view, {seat.id: seat.look for seat in league.seats})
    name = f"{FOLDER}/round-{number}-{made.digest[:16]}.png"
    there = site.path / "public" / league.slug / name
    try:
        return name, there.read_bytes() if there.is_file() else draw(made.svg, made.width)
    except Exception as error:  # noqa: BLE001  # a page without its picture says the same
        set_aside(site, f"picture {made.digest}", error)
        return None


def published_preview(site: Site, slug: str, number: int) -> str:
    """The round's picture as it is published; empty if there is none."""
    if not _are_wanted(site):
        return ""
    found = sorted((site.path / "public" / slug / FOLDER).glob(f"round-{number}-*.png"))
    return f"{FOLDER}/{found[-1].name}" if found else ""


def _are_wanted(site: Site) -> bool:
    return bool(site.settings.site.base_url) and site.settings.publish.pictures
