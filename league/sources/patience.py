"""How long a source is left alone after an answer that brought nothing: hours where it wants fewer questions."""

from datetime import timedelta

from league.sources.answer import Unanswered, Why

_PAUSES = {
    Why.NOT_YET: (30,),
    Why.CLOSED_DAY: (12 * 60,),
    Why.LIMIT: (6 * 60, 12 * 60, 24 * 60),
    Why.UNREACHABLE: (15, 60, 3 * 60, 6 * 60),
    Why.STRANGE: (60, 3 * 60, 6 * 60),
    Why.NOT_SET_UP: (24 * 60,),
}


def pause(trouble: Unanswered, failures: int) -> timedelta:
    """The pause after the so-many-th failure in a row (from 1), at least what the source asked for."""
    steps = _PAUSES[trouble.why]
    minutes = steps[min(failures, len(steps)) - 1]
    return max(timedelta(minutes=minutes), timedelta(seconds=trouble.retry_after))
