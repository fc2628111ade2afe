"""Why a mail's orders count for no round, for the answer that tells it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from league.reports.context import RoundInfo

EARLY: Final = "early"
LATE: Final = "late"
MISSED: Final = "missed"  # it arrived in time and was read after the freeze


@dataclass(frozen=True, slots=True)
class TooLate:
    """`round` is the one that a mail was for, `upcoming` the one that takes orders next, or `is_open` now.

    `upcoming` None: that one opens with the report of `round`, or none comes any more since the match is `over`.
    `frozen` is when the orders were closed, of a mail that was in time for them.
    """

    kind: str
    round: RoundInfo
    upcoming: RoundInfo | None
    is_open: bool = False
    frozen: datetime | None = None
    over: bool = False

    @property
    def grace(self) -> int:
        """How many minutes after the deadline a mail still counted."""
        return (self.round.closes - self.round.deadline) // timedelta(minutes=1)
