"""A look at the pages from this machine's own browser."""

from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread

import pytest

from league.core.errors import Refused
from league.delivery.kinds import kind_of
from league.delivery.serve import open_server
from league.delivery.site import publish


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """A site's folder with pages, a secret beside them, and a server of its `public`."""
    publish(tmp_path, [("index.html", b"home"), ("spring/index.html", b"spring"), ("spring/records/1.json", b"{}")])
    (tmp_path / "site.key").write_bytes(b"secret")
    server = open_server(tmp_path / "public")
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    host, port = server.server_address[:2]
    yield str(host), int(port)
    server.shutdown()
    server.server_close()


def asked(address: tuple[str, int], path: str, method: str = "GET") -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(*address, timeout=10)
    connection.request(method, path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_pages_are_served_as_what_they_are(address: tuple[str, int], tmp_path: Path) -> None:
    """On the loopback alone, a folder by its index, with the right type; what is public later is served too."""
    assert address[0] == "127.0.0.1"
    for path, body in {"/": b"home", "/spring/": b"spring", "/index.html?x=1": b"home"}.items():
        answer, found = asked(address, path)
        assert (answer.status, found) == (200, body)
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert asked(address, "/spring/records/1.json")[0].headers["Content-Type"] == "application/json"
    assert asked(address, "/spring/index.html", "HEAD")[1] == b""
    publish(tmp_path, [("index.html", b"new")], [])
    assert asked(address, "/")[1] == b"new"


@pytest.mark.parametrize(
    "path",
    [
        *("/site.key", "/../site.key", "/%2e%2e/site.key", "/..%2fsite.key", "//../site.key", "/spring/../../site.key"),
        *("/spring/records/", "/spring/key", "/spring/%00", "/nothing.html"),
    ],
)
def test_nothing_else_is_served(path: str, address: tuple[str, int], tmp_path: Path) -> None:
    """Neither what lies beside the pages, nor where a link leads, nor a list of what is in a folder."""
    (tmp_path / "public" / "spring" / "key").symlink_to(tmp_path / "site.key")
    answer, body = asked(address, path)
    assert answer.status in {400, 404}
    assert b"secret" not in body
    assert asked(address, "/", "PUT")[0].status == 501


def test_a_port_that_is_taken_is_told(address: tuple[str, int], tmp_path: Path) -> None:
    """In words, with the port."""
    with pytest.raises(Refused, match=f"nothing can be served at 127.0.0.1, port {address[1]}: Address already in use"):
        open_server(tmp_path / "public", *address)


def test_every_name_has_a_type() -> None:
    """Names without an ending, in a folder with a dot or with endings that nobody knows are plain text."""
    names = ("a.b/manifest", ".hidden", "verify.py", "x.ICS", "deadlines.ics", "board.toml")
    plain = "text/plain; charset=utf-8"
    assert [kind_of(name) for name in names] == [plain, plain, plain, *["text/calendar; charset=utf-8"] * 2, plain]
