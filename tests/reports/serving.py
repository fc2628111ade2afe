"""Pages as a web server sends them, over a slow line, and what a browser says of how they came in."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}  # a slow 4G
WATCH = """window.shifts = []; new PerformanceObserver((list) => {
    const told = (from) => from.node && (from.node.outerHTML || from.node.textContent).slice(0, 90);
    for (const one of list.getEntries()) shifts.push(`${one.value} ${one.sources.map(told)}`);
}).observe({ type: "layout-shift", buffered: true });"""
PAINTED = """new Promise((done) => new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (one.name === "first-contentful-paint") done(one.startTime);
}).observe({ type: "paint", buffered: true }))"""


class Zipped(SimpleHTTPRequestHandler):
    """Files as a web server sends them."""

    def do_GET(self) -> None:  # its name in the library
        """The file, compressed."""
        file = Path(self.translate_path(self.path))
        body = gzip.compress(file.read_bytes()) if file.is_file() else b""
        self.send_response(200 if file.is_file() else 404)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(ConnectionError):  # the reader has left for another page
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


class Line:
    """Where a page stands still on its way, and when it goes on."""

    def __init__(self) -> None:
        self.end, self.go_on = 0, threading.Event()

    def stand_still(self, end: int) -> None:
        """After so many bytes, until its event is set; the next page has an event of its own."""
        self.end, self.go_on = end, threading.Event()


class Halting(SimpleHTTPRequestHandler):
    """Files as a line brings them that stands still after so many bytes of one of them."""

    name: str
    line: Line

    def do_GET(self) -> None:  # its name in the library
        """The file; the one named in two parts, the second when its event is set."""
        if self.path != f"/{self.name}":
            super().do_GET()
            return
        body = Path(self.translate_path(self.path)).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        go_on, end = self.line.go_on, self.line.end
        with suppress(ConnectionError):  # the reader has left for another page
            self.wfile.write(body[:end])
            self.wfile.flush()
            go_on.wait()
            self.wfile.write(body[end:])

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def served(folder: Path, handler: type[SimpleHTTPRequestHandler] = Zipped) -> Iterator[str]:
    """The folder at an address of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@contextmanager
def halted(folder: Path, name: str) -> Iterator[tuple[str, Line]]:
    """A page's address, and the line on which it comes."""
    line = Line()
    with served(folder, type("HaltingHere", (Halting,), {"name": name, "line": line})) as where:
        try:
            yield where + name, line
        finally:
            line.go_on.set()


def slow(page: Page, processor: int = 1) -> None:
    """The page's line is slow from now on, and its processor so many times slower than this one."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW)
    line.send("Emulation.setCPUThrottlingRate", {"rate": processor})
