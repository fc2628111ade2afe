"""`range` as templates have it: one that a slip can't make endless, loops within loops counted together."""

from collections.abc import Iterator, Sequence
from math import prod
from threading import local
from typing import overload

from jinja2.sandbox import MAX_RANGE

TOO_LONG = f"range() would go on for too long: more than {MAX_RANGE} turns, those of loops within each other multiplied"


class _Running(local):
    """The loops over spans that run now, within each other, with the turns of each."""

    def __init__(self) -> None:
        self.turns: dict[object, int] = {}


_RUNNING = _Running()


def forget() -> None:
    """What an error has broken off runs no more, though its traceback may hold it."""
    _RUNNING.turns.clear()


class Span(Sequence[int]):
    """Jinja's sandbox limits a range by itself; two within each other would still take hours."""

    def __init__(self, *given: int) -> None:
        self._steps = range(*given)
        if self._steps[MAX_RANGE:]:
            raise OverflowError(TOO_LONG)

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> range: ...
    def __getitem__(self, place: int | slice) -> int | range:
        return self._steps[place]

    def __contains__(self, value: object) -> bool:
        return value in self._steps

    def __iter__(self) -> Iterator[int]:
        loop, turns = object(), _RUNNING.turns
        turns[loop] = max(1, len(self._steps))
        try:
            if prod(turns.values()) > MAX_RANGE:
                forget()  # the loops around this one end with it
                raise OverflowError(TOO_LONG)
            yield from self._steps
        finally:
            turns.pop(loop, None)
