"""What a page needs to compose an order mail with: sentences to fill in, and what the rules say to each filling now.

A game that can tell it has a method `composing` beside those of the protocol (`Composes`); one without is written to by
hand alone. All of it is what the rules themselves say, so that a page needs none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from league.core.game import Turn
from league.core.orders import Rehearsed

Text = Mapping[str, str]  # by language


@dataclass(frozen=True, slots=True)
class Pick:
    """One of several things that stand in a sentence's blank, perhaps nothing; `{seat}` in it is that player's name."""

    text: Text
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A kind of order as it is written, with blanks: `{land}`, `{number}`, `{text}`, `{pick}`, `{pick2}`, `{pick3}`.

    Of lines with the same `group` a mail keeps the last; `{land}` in it means one for each country. `keeps`: it can be
    marked to stand for later rounds too.
    """

    kind: str
    text: Text
    group: str
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A sentence that a seat may want to write, its country filled in, and what the rules say to it as things stand.

    `open`: it goes through, if others don't cross it. `low` to `high` is what `{number}` may be; `picks` has a list for
    each blank to pick for.
    `cost` is what it takes from the purse at most, besides its number where `spends`.
    """

    kind: str
    told: Rehearsed
    open: bool
    land: str = ""
    low: int = 0
    high: int = 0
    picks: tuple[tuple[Pick, ...], ...] = ()
    cost: int = 0
    spends: bool = False


@dataclass(frozen=True, slots=True)
class Composing:
    """All that one seat may want to write, in the order in which it is shown. `purse`: what there is to spend.

    `keep` is how a line is marked to stand for later rounds, with `{line}` in it; None where none can.
    """

    sentences: tuple[Sentence, ...] = ()
    choices: tuple[Choice, ...] = ()
    purse: int | None = None
    keep: Text | None = None


@runtime_checkable
class Composes(Protocol):
    """A game that can say what there is to choose from."""

    def composing(self, state: Any, seat: str, known: Turn[Any] | None = None) -> Composing:
        """What a seat may write with this position. `known`: of a round that waits, for its replies."""
        ...
