"""What stands for a seat in the open round, and what a mail of it changes (K12)."""

from collections.abc import Iterable, Sequence
from typing import Any

from league.core.game import Game
from league.core.orders import OrderMail, Ruling, standing
from league.desk.leagues.orderbook import to_mails
from league.desk.leagues.presence import is_void
from league.desk.leagues.turns import rules_of, start_of
from league.desk.post.answers import Booked
from league.desk.rounds.rehearse import rehearse
from league.reports.context import ReceiptLine, order_facts
from league.storage.leagues import Place
from league.storage.orders import ORDERS, Submission
from league.storage.rounds import Loaded


def orders_of(table: Loaded, place: Place, submissions: Iterable[Submission]) -> list[Submission]:
    """The player's order mails; replies are no orders and replace none, nor does a predecessor's mail count."""
    own = [s for s in submissions if s.seat_id == place.id and s.phase == ORDERS]
    return [s for s in own if not is_void(table, s)]


def stands(table: Loaded, own: Sequence[Submission]) -> tuple[ReceiptLine, ...]:
    """The orders that count for the seat as the book is now."""
    game = rules_of(table)
    mails = to_mails(game, start_of(table, game), own, table.seats)
    counts = game.counts(start_of(table, game), mails)
    return tuple(
        ReceiptLine(line.text, order_facts(line.order), game.notation(None, line.order))
        for mail, rulings in zip(mails, counts, strict=True)
        for line, ruling in zip(mail.parsed.lines, rulings, strict=True)
        if ruling is None and line.order is not None
    )


def _notes(
    mails: Sequence[OrderMail[Any]],
    counts: Sequence[Sequence[Ruling | None]],
    place: int,
    earlier: int | None,
) -> tuple[Ruling | None, ...]:
    """Why lines of the mail don't count; of orders sent again, where it didn't count before, what was said then."""
    if earlier is None:
        return tuple(counts[place])
    before = iter(
        note for line, note in zip(mails[earlier].parsed.lines, counts[earlier], strict=True) if line.order is not None
    )
    return tuple(
        (next(before, None) or note) if line.order is not None else note
        for line, note in zip(mails[place].parsed.lines, counts[place], strict=True)
    )


def _taken(game: Game[Any, Any], mails: Sequence[OrderMail[Any]], place: int) -> tuple[int | None, list[int]]:
    """The mail that stands instead of this one, and those whose place it takes: as a whole, or some of their lines."""
    if game.meta.by_line:  # the same orders again are the newest of their lines
        return None, [i for i in range(place) if mails[i].parsed.replaces and mails[place].parsed.replaces]
    instead = standing(mails)
    return instead[place], [i for i, by in instead.items() if by == place and i < place]


def booked(
    table: Loaded, game: Game[Any, Any], state: Any, submission: Submission, own: Sequence[Submission]
) -> Booked:
    """What stands for the seat once this mail is in the book (K12)."""
    mails = to_mails(game, state, own, table.seats)
    place = own.index(submission)
    other, taken = _taken(game, mails, place)
    told = rehearse(table, game, mails[place].seat, mails)
    return Booked(
        loaded=table,
        game=game,
        submission=submission,
        stands=stands(table, own),
        notes=_notes(mails, game.counts(state, mails), place, other if other is not None and other < place else None),
        replaced=own[taken[-1]].revision if taken else 0,
        resend_of=own[other].revision if other is not None and other < place else 0,
        told=tuple(told.get((place, line)) for line in range(len(submission.lines))),
    )
