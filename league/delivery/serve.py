"""A look at the published folder in a browser, without a web server: nothing else is served, and only to be read.

For a look it is: one machine, few readers. What the world reads is served by a web server or a host of static pages.
"""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from os import PathLike
from pathlib import Path
from socket import AF_INET6
from typing import BinaryIO

from league.core.errors import Refused
from league.delivery.kinds import kind_of

LOOPBACK = "127.0.0.1"


class _Handler(SimpleHTTPRequestHandler):
    """Files by their kind; a folder is its index.html or nothing, never a list of what is in it."""

    server_version = "league"
    sys_version = ""

    def guess_type(self, path: str | PathLike[str]) -> str:
        return kind_of(str(path))

    def list_directory(self, path: str | PathLike[str]) -> BytesIO | None:  # noqa: ARG002  # its caller's signature
        self.send_error(HTTPStatus.NOT_FOUND)
        return None

    def send_head(self) -> BytesIO | BinaryIO | None:
        """As it is asked for; but nothing that a link leads out of the folder to."""
        if not self._is_inside():
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()

    def _is_inside(self) -> bool:
        try:
            real = Path(self.translate_path(self.path)).resolve()
        except ValueError:  # no path at all: a zero byte in it
            return False
        return real.is_relative_to(Path(self.directory).resolve())

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its caller's signature
        """Nothing: who reads is nobody's business."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: a reader who has gone away is no trouble of ours."""


class _Server6(_Server):
    address_family = AF_INET6


def open_server(folder: Path, host: str = LOOPBACK, port: int = 0) -> ThreadingHTTPServer:
    """A server of that folder that listens already; port 0 takes a free one. Whatever is public later is served."""
    made = _Server6 if ":" in host else _Server
    try:
        return made((host, port), partial(_Handler, directory=str(folder)))
    except OSError as error:
        raise Refused(f"nothing can be served at {host}, port {port}: {error.strerror or error}") from None


def serve(server: ThreadingHTTPServer, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or the end of the process; `ready` is told the address."""
    host, port = server.server_address[:2]
    shown = f"[{host!s}]" if server.address_family == AF_INET6 else str(host)
    try:
        ready(f"http://{shown}:{port}/")
        server.serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
