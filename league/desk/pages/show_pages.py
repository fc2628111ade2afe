"""The public pages in a browser on this machine."""

from collections.abc import Callable

from league.delivery.serve import LOOPBACK, open_server, serve
from league.desk.site import Site


def show_pages(site: Site, host: str | None, port: int, ready: Callable[[str], None]) -> None:
    """Serve `public` and nothing else until Ctrl-C; on this machine alone, if no address is named."""
    serve(open_server(site.path / "public", host or LOOPBACK, port), ready)
