"""Who plays in which round: seats come and go while earlier rounds still wait for their evaluation (K38)."""

from collections.abc import Mapping
from typing import Any

from league.storage.leagues import Place
from league.storage.orders import ORDERS, Submission
from league.storage.rounds import Loaded

SUBSTITUTED = "substituted"  # the decision from which on a seat's orders are another player's
INSTRUCTED = "instructed"  # the decision that tells which mail was entered instead of a player's, by its source


def plays(seat: Place, number: int) -> bool:
    """Whether the seat takes part in the round; one that came back is away from its leaving to its return."""
    left = seat.left_round
    if seat.joined_round <= number:
        return left is None or left > number or seat.joined_round > left
    return left is not None and number < left < seat.joined_round


def has_left(seat: Place, number: int) -> bool:
    """Whether the seat's player has retired by this round's evaluation."""
    return seat.left_round is not None and seat.left_round <= number and not plays(seat, number)


def counted(loaded: Loaded) -> tuple[Submission, ...]:
    """The mails that the rules are given: without those of who retired since, and of who was replaced."""
    gone = {seat.id for seat in loaded.seats if has_left(seat, loaded.round.number)}
    replaced = _replaced(loaded)
    return tuple(s for s in loaded.submissions if s.seat_id not in gone and not _is_old(s, replaced))


def void(loaded: Loaded) -> tuple[Submission, ...]:
    """The mails that lie under the root and count no more."""
    kept = {(s.phase, s.seat_id, s.revision) for s in counted(loaded)}
    return tuple(s for s in loaded.submissions if (s.phase, s.seat_id, s.revision) not in kept)


def is_void(loaded: Loaded, submission: Submission) -> bool:
    """Whether an order mail is one of a player who was replaced."""
    return _is_old(submission, _replaced(loaded))


def _is_old(submission: Submission, replaced: Mapping[int, int]) -> bool:
    return submission.phase == ORDERS and submission.revision <= replaced.get(submission.seat_id, 0)


def _replaced(loaded: Loaded) -> dict[int, int]:
    """Seat -> the last revision that isn't its player's own."""
    ids = {seat.code: seat.id for seat in loaded.seats}
    rows: list[Mapping[str, Any]] = [d.facts for d in loaded.decisions if d.kind == SUBSTITUTED]
    return {ids[str(row["seat"])]: int(row["revision"]) for row in rows}
