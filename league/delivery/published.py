"""Reading what somebody published, from a folder or over HTTP: bounded, and never beyond it.

Nothing that lies there is trusted. In a folder only plain files count, links are named and not followed; over HTTP no
other host is ever asked, and a name that isn't a plain relative path is no name.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Protocol
from urllib.parse import quote, urljoin, urlsplit

from league.core.errors import LeagueError, Refused

MOST = 16_000_000  # bytes of one file
ALL = 1_000_000_000  # of all of them
SECONDS = 1_800.0
PATIENCE = (10, 30)  # to connect, to wait for the next bytes
REDIRECTS = 3
DEEPEST, MOST_FILES, LONGEST = 8, 300_000, 500
AGENT = "league verify"
FORBIDDEN = frozenset({"", ".", ".."})


class Unread(LeagueError):
    """A file that can't be read, or mustn't; says why."""


class Published(Protocol):
    """Published files, by the path under which they stand."""

    @property
    def where(self) -> str:
        """The folder or address."""
        ...

    def read(self, name: str) -> bytes:
        """A file's bytes; `Unread` if it isn't there, or is too big."""
        ...

    def names(self) -> tuple[str, ...] | None:
        """Every file; None where nobody tells (HTTP)."""
        ...

    def strange(self) -> tuple[str, ...]:
        """What lies there and is no plain file."""
        ...


def is_plain(name: str) -> bool:
    """Whether a name is a relative path that stays where it belongs."""
    parts = name.split("/")
    return not (FORBIDDEN & set(parts)) and "\\" not in name and name.isprintable() and len(name) <= LONGEST


@dataclass(slots=True)
class Folder:
    """A published site or league as it lies on the disk."""

    path: Path
    _names: frozenset[str] | None = None
    _strange: list[str] = field(default_factory=list)

    @property
    def where(self) -> str:
        """Its path."""
        return str(self.path)

    def read(self, name: str) -> bytes:
        """The file's bytes; one that the walk didn't find isn't opened."""
        if name not in self._walked():
            raise Unread("it is a link or no plain file" if name in self._strange else "it isn't there")
        try:
            handle = os.open(self.path / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise Unread("it is no plain file")
                content = file.read(MOST + 1)
        except OSError as error:
            raise Unread(error.strerror or "it can't be read") from error
        if len(content) > MOST:
            raise Unread(f"it has more than {MOST} bytes")
        return content

    def names(self) -> tuple[str, ...]:
        """Every plain file, in order."""
        return tuple(sorted(self._walked()))

    def strange(self) -> tuple[str, ...]:
        """Links, pipes and what has no plain name."""
        self._walked()
        return tuple(sorted(self._strange))

    def _walked(self) -> frozenset[str]:
        if self._names is None:
            self._names = frozenset(self._walk("", 0))
        return self._names

    def _walk(self, folder: str, depth: int) -> Iterator[str]:
        try:
            entries = sorted(os.scandir(self.path / folder), key=lambda entry: entry.name)
        except OSError:
            self._strange.append(folder or ".")
            return
        for entry in entries[:MOST_FILES]:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if not is_plain(name):
                self._strange.append(ascii(name)[1:-1])
            elif entry.is_dir(follow_symlinks=False) and depth < DEEPEST:
                yield from self._walk(name, depth + 1)
            elif entry.is_file(follow_symlinks=False):
                yield name
            else:
                self._strange.append(name)


@dataclass(slots=True)
class Web:
    """A published site or league at an address."""

    url: str
    began: float = field(default_factory=monotonic)
    taken: int = 0
    _session: Any = None

    @property
    def where(self) -> str:
        """The address."""
        return self.url

    def names(self) -> None:
        """A web server lists nothing."""
        return

    def strange(self) -> tuple[str, ...]:
        """Nobody tells."""
        return ()

    def read(self, name: str) -> bytes:
        """The file's bytes, asked for once."""
        if not is_plain(name):
            raise Unread("it isn't a plain relative path")
        return self._get(urljoin(self.url, quote(name)))

    def _get(self, url: str) -> bytes:
        import requests

        if self._session is None:
            self._session = requests.Session()
            self._session.headers["User-Agent"] = AGENT
            self._session.auth = _as_nobody
        try:
            for _ in range(REDIRECTS + 1):
                if monotonic() - self.began > SECONDS or self.taken > ALL:
                    raise Refused(f"{self.url} has taken too long, or sent too much; the rest isn't looked at")
                with self._session.get(url, timeout=PATIENCE, stream=True, allow_redirects=False) as answer:
                    if answer.is_redirect:
                        url = _followed(url, str(answer.headers.get("Location", "")))
                        continue
                    if answer.status_code != 200:
                        raise Unread(f"the server answers {answer.status_code}")
                    return self._body(answer)
        except requests.exceptions.RequestException as error:
            raise Unread(f"the server can't be reached ({type(error).__name__})") from error
        raise Unread("the server sends one from address to address")

    def _body(self, answer: Any) -> bytes:
        pieces, size = [], 0
        for piece in answer.iter_content(64_000):
            pieces.append(piece)
            size += len(piece)
            if size > MOST or monotonic() - self.began > SECONDS:
                raise Unread(f"it has more than {MOST} bytes, or takes too long")
        self.taken += size
        return b"".join(pieces)


def _as_nobody(request: Any) -> Any:
    """What is public needs no password: none of a .netrc is sent anywhere."""
    return request


def _followed(url: str, target: str) -> str:
    """Where a redirect leads, which must be the same server."""
    found = urljoin(url, target)
    if _server(found) != _server(url):
        raise Unread(f"the server sends one to another one ({urlsplit(found).hostname})")
    return found


def _server(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    try:
        return parts.scheme, parts.hostname, parts.port
    except ValueError as error:
        raise Unread("the server sends one to an address that is none") from error


def is_address(place: str) -> bool:
    """Whether it is an address on the web, and not a path."""
    return place.startswith(("https://", "http://"))


def open_published(place: str) -> Published:
    """What is published at a path or an address."""
    if is_address(place):
        parts = urlsplit(place)
        path = parts.path.removesuffix("index.html")
        return Web(parts._replace(path=path if path.endswith("/") else f"{path}/", query="", fragment="").geturl())
    path_ = Path(place)
    public = path_ / "public"
    return Folder((public if (path_ / "league.toml").is_file() and public.is_dir() else path_).resolve())
