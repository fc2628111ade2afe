"""A limit on the work that one mail may cause: hostile bytes must not stand in the way of the others.

The limits of size and depth keep every mail we know of far below it; this is the net under them. It counts this
process's own CPU time, so that a busy machine changes no verdict. Where the system has no such timer (Windows), or
outside of the main thread, there is no net.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 5.0


class TookTooLong(Exception):
    """A mail kept the processor busy for longer than any mail may."""


@contextmanager
def at_most(seconds: float = SECONDS) -> Iterator[None]:
    """Raise `TookTooLong` in the block once it has used so many seconds of CPU."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
