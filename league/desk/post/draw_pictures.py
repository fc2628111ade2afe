"""Pictures that mails wait for are drawn, once each, after everything that has a deadline is done."""

from league.delivery.multipart import base64_lines
from league.desk.aside import set_aside
from league.desk.site import Site
from league.reports.pictures import NOTHING, draw
from league.storage import engine as database
from league.storage import parts
from league.storage.parts import Part

CHUNK = 20


def draw_pictures(site: Site) -> int:
    """Draw what mails in the outbox wait for; how many were drawn.

    One that can't be drawn becomes an empty one: its text says the same, and a mail must not wait for ever.
    """
    drawn = 0
    while waiting := _waiting(site):
        made = {part.digest: base64_lines(_draw(site, part)) for part in waiting}
        with database.write(site.engine, "draw") as connection:
            parts.drawn(connection, made)
        drawn += len(made)
    return drawn


def _waiting(site: Site) -> tuple[Part, ...]:
    with database.read(site.engine) as connection:
        return parts.undrawn(connection, CHUNK)


def _draw(site: Site, part: Part) -> bytes:
    try:
        return draw(part.source, part.width)
    except Exception as error:  # noqa: BLE001  # the border of a job
        set_aside(site, f"picture {part.digest}", error)
        return NOTHING
