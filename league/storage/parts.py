"""Parts that many mails share: stored once, put into each mail's bytes as it goes out.

A mail with such a part is queued before the part is drawn: its digest fixes what will be in it, and drawing must not
hold up the deadline. Until it is drawn the mails wait.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from zlib import compress, decompress

from sqlalchemy import Connection, Select, bindparam, select, update

from league.storage.engine import insert_new
from league.storage.tables import MAIL_PART


@dataclass(frozen=True, slots=True)
class Part:
    """A part still to be drawn: the digest of its source names it."""

    digest: str
    source: str
    width: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a mail's bytes a part goes."""

    part: Part
    at: int


def store(connection: Connection, parts: Iterable[Part]) -> int:
    """Keep parts for the mails queued with them; one that is there already stays. The number that came in."""
    rows = [
        {"digest": part.digest, "source": compress(part.source.encode()), "width": part.width, "content": None}
        for part in {part.digest: part for part in parts}.values()
    ]
    return insert_new(connection, MAIL_PART, rows)


def undrawn(connection: Connection, limit: int) -> tuple[Part, ...]:
    """The next parts that mails wait for."""
    rows = select(MAIL_PART.c.digest, MAIL_PART.c.source, MAIL_PART.c.width)
    rows = rows.where(MAIL_PART.c.content.is_(None)).order_by(MAIL_PART.c.digest).limit(limit)
    return tuple(Part(digest, decompress(source).decode(), width) for digest, source, width in connection.execute(rows))


def drawn(connection: Connection, contents: Mapping[str, bytes]) -> None:
    """Keep what was drawn, as it stands in mails, in the place of its source."""
    if not contents:
        return
    row = MAIL_PART.c
    known = update(MAIL_PART).where(row.digest == bindparam("of"), row.content.is_(None))
    rows = [{"of": digest, "content": content, "source": None} for digest, content in contents.items()]
    connection.execute(known.values(content=bindparam("content"), source=bindparam("source")), rows)


def ready() -> Select[tuple[str]]:
    """The digests of parts that mails can go out with."""
    return select(MAIL_PART.c.digest).where(MAIL_PART.c.content.is_not(None))


def contents(connection: Connection, digests: Iterable[str]) -> Mapping[str, bytes]:
    """What was drawn, by digest."""
    wanted = sorted(set(digests))
    rows = select(MAIL_PART.c.digest, MAIL_PART.c.content).where(MAIL_PART.c.digest.in_(wanted))
    return {digest: content or b"" for digest, content in connection.execute(rows)} if wanted else {}


def whole(raw: bytes, content: bytes, at: int | None) -> bytes:
    """A mail's bytes with its part in its place."""
    return raw if at is None else b"".join((raw[:at], content, raw[at:]))
