"""A few lines and a picture into a channel that Apprise knows. Its address is a secret and is in no word of ours."""

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote

from league.delivery.targets.tree import brief

ABSENT = "apprise isn't installed here: pip install 'league[announce]'"
NO_ADDRESS = "its address is none that Apprise knows"
SECRET = 4  # so many characters of an address may be one


@dataclass(frozen=True, slots=True)
class Post:
    """What is told: a line, some more, and a picture (PNG)."""

    title: str
    body: str
    picture: bytes = b""
    picture_name: str = "map.png"


def check(address: str) -> str:
    """Why this address can't be used; empty if it can. Nothing is sent."""
    try:
        return "" if _channel(address) is not None else NO_ADDRESS
    except ImportError:
        return ABSENT


def tell(address: str, post: Post) -> str:
    """Send it; why it didn't go, or nothing. Services answer within seconds, or are given up by Apprise itself."""
    try:
        channel = _channel(address)
        if channel is None:
            return NO_ADDRESS
        with _overheard() as said, _attached(post) as picture:
            done = channel.notify(body=post.body, title=post.title, attach=picture)
    except ImportError:
        return ABSENT
    return "" if done else brief(_hidden(address, "; ".join(said) or "it was refused, and nobody said why"))


def _channel(address: str) -> Any:  # Apprise's own, which has no types
    with warnings.catch_warnings():  # of a hundred plug-ins some import what Python is about to give up
        warnings.simplefilter("ignore")
        return _made(address)


def _made(address: str) -> Any:  # as above
    import apprise

    # Nothing of ours is taken for an escape or an emoji, and no icon is named that lies at somebody else's.
    looks = {"image_url_mask": "", "image_url_logo": "", "app_id": "league", "app_desc": "league", "app_url": ""}
    make_asset: Any = apprise.AppriseAsset
    made = apprise.Apprise(asset=make_asset(interpret_escapes=False, interpret_emojis=False, **looks))
    with _overheard():
        return made if made.add(address) else None


@contextmanager
def _attached(post: Post) -> Iterator[str | None]:
    """The picture as a file, which every service's plug-in takes; gone afterwards."""
    if not post.picture:
        yield None
        return
    with TemporaryDirectory(prefix="league-") as folder:
        file = Path(folder) / post.picture_name
        file.write_bytes(post.picture)
        yield str(file)


@contextmanager
def _overheard() -> Iterator[list[str]]:
    """What Apprise's logger says meanwhile; it says it to nobody else."""
    said: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    logger, ear = logging.getLogger("apprise"), Ear(logging.WARNING)
    before = logger.propagate
    logger.propagate = False
    logger.addHandler(ear)
    try:
        yield said
    finally:
        logger.removeHandler(ear)
        logger.propagate = before


def _hidden(address: str, words: str) -> str:
    """Words without any piece of the address but its scheme and the host's name: keys and tokens stand in the rest."""
    scheme, _, rest = address.partition("://")
    host = re.split(r"[/?#]", rest)[0].rpartition("@")[2]
    pieces = {unquote(piece) for piece in re.split(r"[/:@?&=#,;]", rest)} | set(re.split(r"[/:@?&=#,;]", rest))
    for piece in sorted(pieces - {host, host.partition(":")[0], scheme}, key=len, reverse=True):
        if len(piece) >= SECRET:
            words = words.replace(piece, "…")
    return words
