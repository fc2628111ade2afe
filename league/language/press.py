"""Where a press ends that no line `end` closes, and which of the lines below it may be orders.

A press goes to the mail's end or to the next press. Players close messages by a blank line and write orders below it,
so where nothing but orders (between a greeting and a name) stands below the first paragraph they are orders, and the
press is that paragraph. With talk among them nobody knows whose they are: they are asked about.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

Looks = Callable[[str], bool | None]  # a line that is an order (True), nearly one (None), or talk
_FEW: Final = 4  # words of a greeting, a heading or a name
_NEARLY: Final = 6  # words; a longer line that is only nearly an order may as well be talk
_COLONS: Final = (":", "：")
_STOPS: Final = (".", "?", "!", "？")


@dataclass(frozen=True, slots=True)
class Seen:
    """A line below a press that says something: its row, its text, and what it would be by itself."""

    row: int
    bare: str
    look: bool | None
    is_word: bool = False  # nothing but one word, as talk may be

    @property
    def is_move(self) -> bool:
        """An order, or a short line that is nearly one."""
        return bool(self.look) or (self.look is None and len(self.bare.split()) <= _NEARLY)


@dataclass(frozen=True, slots=True)
class Extent:
    """The row after a press's last one, the rows of the orders that it may hold, and where less is passed on."""

    stop: int
    orders: tuple[int, ...] = ()
    until: int | None = None

    @property
    def said(self) -> int:
        """The row after the last one that is passed on."""
        return self.stop if self.until is None else self.until


def closed(row: int, end: int, seen: Sequence[Seen], *, opens: bool) -> Extent:
    """A press with an `end`: all above it, but one line if text stands behind its colon and below it orders alone.

    Words that stand alone (`FINAL`, `pass`) may as well end a message: they don't tell that its text is over.
    """
    orders = _orders(seen)
    surely = any(line.look and not line.is_word for line in seen)
    if surely and not opens and all(line.look is not False for line in seen):
        return Extent(row + 1)
    return Extent(end, orders)


def unclosed(row: int, edge: int, stop: int, seen: Sequence[Seen], *, opens: bool, leads: bool) -> Extent:
    """A press without an `end`: `edge` is the row after its first paragraph, `stop` the one after all it may reach.

    `leads`: its head's line ends with a colon behind text, so that more has to come.
    """
    near, below = [line for line in seen if line.row < edge], [line for line in seen if line.row >= edge]
    if not opens and _are_orders(near):
        near, below, edge = [], list(seen), row + 1
    leads = near[-1].bare.endswith(_COLONS) if near else leads
    if _orders(near) or (_orders(below) and (leads or not _are_orders(below))):
        return Extent(stop, _orders(seen))
    if _are_orders(below) or (not opens and all(_is_small(line.bare) for line in below)):
        return Extent(edge)
    return Extent(stop)


def unnamed(extent: Extent, edge: int, seen: Sequence[Seen]) -> Extent:
    """Of a press that isn't to name its writer what is surely text: small words behind its paragraphs may be a name."""
    said = extent.stop
    for line in reversed([line for line in seen if edge <= line.row < extent.stop]):
        if not _is_small(line.bare):
            break
        said = line.row
    return replace(extent, until=said)


def _orders(seen: Sequence[Seen]) -> tuple[int, ...]:
    return tuple(line.row for line in seen if line.look)


def _are_orders(seen: Sequence[Seen]) -> bool:
    """Whether there are orders, and beside them nothing but a greeting above and a name below."""
    moves = [place for place, line in enumerate(seen) if line.is_move]
    if not moves:
        return False
    return all(
        line.is_move or (_is_small(line.bare) and not moves[0] < place < moves[-1]) for place, line in enumerate(seen)
    )


def _is_small(bare: str) -> bool:
    """A greeting, a heading, a name: few words, and no sentence."""
    words = bare.split()
    if len(words) == 1:
        return not bare.endswith(("?", "？"))
    return len(words) <= _FEW and not bare[:1].islower() and not bare.endswith(_STOPS)
