"""An order mail as it enters the book: its number among the seat's own, its nonce, its leaf (DESIGN: Freeze)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league.core.game import Game
from league.core.orders import Parsed
from league.desk.leagues.orderbook import notations, to_lines
from league.desk.site import Site
from league.records.freeze import leaf, nonce
from league.storage.leagues import Place
from league.storage.orders import ORDERS, Submission
from league.storage.rounds import Loaded


@dataclass(frozen=True, slots=True)
class Came:
    """The mail behind a submission; `mail_id` is None for one that isn't stored yet."""

    digest: str
    received_at: datetime
    mail_id: int | None = None


def submission(
    site: Site,
    table: Loaded,
    game: Game[Any, Any],
    state: Any,
    place: Place,
    came: Came,
    parsed: Parsed[Any],
    before: Sequence[Submission],
    phase: int = ORDERS,
) -> Submission:
    """The row for a mail; `before` are the round's mails as the book is now."""
    lines = to_lines(game, state, parsed)
    revision = 1 + max((s.revision for s in before if s.seat_id == place.id and s.phase == phase), default=0)
    salt = nonce(site.match_secret(table.match_slug), came.digest)
    names = (table.league_slug, table.match_slug, table.round.number, place.code)
    return Submission(
        round_id=table.round.id,
        seat_id=place.id,
        revision=revision,
        digest=came.digest,
        received_at=came.received_at,
        sequence=came.mail_id or 0,
        text="",  # the words lie in the raw mail; the book keeps what was understood
        lines=lines,
        replaces=parsed.replaces,
        nonce=salt,
        leaf=leaf(*names, revision, came.received_at, notations(lines), salt),
        mail_id=came.mail_id,
        phase=phase,
    )


def by_arrival(submissions: Iterable[Submission]) -> list[Submission]:
    """Orders before replies, each in order of arrival, the same however they were stored."""
    return sorted(submissions, key=lambda s: (s.phase, s.received_at, s.sequence, s.digest))
