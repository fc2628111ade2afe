"""A server on loopback that answers as the providers do, well or badly: a test says what lies under which path."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Page:
    """An answer: its body, status and further headers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Provider:
    """The running server; `asked` are the paths with their queries, in order."""

    url: str
    pages: dict[str, Page]
    asked: list[str]

    def put(self, path: str, body: str | bytes, status: int = 200, **headers: str) -> str:
        """What lies under a path from now on; its address."""
        raw = body if isinstance(body, bytes) else body.encode()
        self.pages[path] = Page(raw, status, {name.replace("_", "-"): value for name, value in headers.items()})
        return self.url + path


@contextmanager
def provider() -> Iterator[Provider]:
    """A server until the block ends."""
    found = Provider("", {}, [])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            page = found.pages.get(self.path.partition("?")[0], Page(b"", 404))
            self.send_response(page.status)
            for name, value in page.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(page.body)))
            self.end_headers()
            self.wfile.write(page.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
