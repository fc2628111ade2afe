"""A server that takes what Apprise posts, as plain JSON or as a Matrix homeserver, and fails where it is told to."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

ANSWER = {  # what a Matrix homeserver answers, each key to another question; the others don't look
    "access_token": "token",
    "home_server": "h",
    "user_id": "@league:h",
    "room_id": "!room:h",
    "content_uri": "mxc://h/1",
    "event_id": "$1",
}


@dataclass(frozen=True)
class Asked:
    """A request: how, where and with which body."""

    method: str
    path: str
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass
class Channel:
    """What came, and with which status it answers."""

    asked: list[Asked] = field(default_factory=list)
    status: int = 200
    port: int = 0

    def address(self, path: str = "hook/s3cret-word") -> str:
        """The address of the JSON channel, as Apprise has it."""
        return f"json://127.0.0.1:{self.port}/{path}"

    @property
    def told(self) -> list[tuple[str, str]]:
        """Title and text of what was told as JSON."""
        return [(one.json["title"], one.json["message"]) for one in self.asked]


@contextmanager
def channel_server() -> Iterator[Channel]:
    """It listens on the loopback."""
    channel = Channel()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            channel.asked.append(Asked(self.command, self.path, body))
            answer = json.dumps(ANSWER).encode()
            self.send_response(channel.status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def do_PUT(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        channel.port = int(server.server_address[1])
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield channel
        finally:
            server.shutdown()
