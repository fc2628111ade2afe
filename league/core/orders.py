"""What players write, line by line, and what became of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from league.core.json import Json

Order = TypeVar("Order")


class _NoFacts(Mapping[str, Json]):
    """An empty mapping that can be a default: Python 3.11 refuses whatever has no hash."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Json:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "{}"


NO_FACTS: Mapping[str, Json] = _NoFacts()


class Fate(StrEnum):
    """What became of an order. `lapsed`: overtaken (a later mail, a precedence right); `invalid`: never in play."""

    DONE = "done"
    FAILED = "failed"
    LAPSED = "lapsed"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A fate with its reason: a code that the catalogs word, the rule's number, the facts the wording needs.

    `fate` is None while the order waits for a battle or a figure.
    """

    fate: Fate | None
    reason: str = ""
    rule: str = ""
    facts: Mapping[str, Json] = field(default=NO_FACTS)


@dataclass(frozen=True, slots=True)
class Mistake:
    """An order line that wasn't understood. `reason` is a code that the catalogs word."""

    reason: str
    rule: str = ""
    facts: Mapping[str, Json] = field(default=NO_FACTS)


@dataclass(frozen=True, slots=True)
class Line(Generic[Order]):
    """One written line and what was understood: an order or a mistake, never both.

    `standing`: the order is to be kept for rounds in which its player sends nothing.
    """

    text: str
    order: Order | None = None
    mistake: Mistake | None = None
    standing: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """A message to other players, as written. `to` holds names as the player wrote them; empty means everyone."""

    to: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Parsed(Generic[Order]):
    """A mail's text, read: its order lines in the order written, and its press.

    `replaces` says that this mail stands in the place of the seat's earlier one of the round (KUEL: K12);
    `ends_standing` that what was kept for later rounds is to be kept no more; `final` that its player wants to change
    nothing any more: where a league allows it, a round closes as soon as everybody says so.
    """

    lines: tuple[Line[Order], ...]
    press: tuple[Press, ...] = ()
    replaces: bool = False
    ends_standing: bool = False
    final: bool = False

    @property
    def orders(self) -> tuple[Order, ...]:
        """The understood orders, in the order written."""
        return tuple(line.order for line in self.lines if line.order is not None)


@dataclass(frozen=True, slots=True)
class OrderMail(Generic[Order]):
    """One seat's order mail as it lies in the order book; a turn holds them in order of arrival."""

    seat: str
    parsed: Parsed[Order]
    received: datetime | None = None


@dataclass(frozen=True, slots=True)
class MailFate:
    """What became of one order mail: of its move (`own`) and of each of its lines."""

    own: Ruling
    lines: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class Hinge:
    """Something that others can still do and that changes an order's fate: a code that the catalogs word."""

    code: str
    facts: Mapping[str, Json] = field(default=NO_FACTS)


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What the rules say now to one line of a seat's own orders, as if nobody else had sent any.

    `mail` and `line` are places, counted from 0. `certain`: the fate stays whatever the others order or report and
    whoever comes or goes, and what the reason states stays true. Otherwise `hinges` name what it hangs on.
    """

    mail: int
    line: int
    ruling: Ruling
    certain: bool
    hinges: tuple[Hinge, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """Something a person decides while a round is evaluated, e.g. a battle's result; `at` is when, if that is known."""

    kind: str
    facts: Mapping[str, Json] = field(default=NO_FACTS)
    at: datetime | None = None


def standing(mails: Sequence[OrderMail[Order]]) -> dict[int, int | None]:
    """Which mails count: index of each replaced mail -> index of the one that stands instead (None: stands itself).

    A later replacing mail of the same seat takes the earlier one's place as a whole; one with the very same
    orders is a resend, and the earlier keeps its arrival (KUEL: K12).
    """
    holder: dict[str, int] = {}
    result: dict[int, int | None] = {}
    for index, mail in enumerate(mails):
        result[index] = None
        earlier = holder.get(mail.seat)
        if not mail.parsed.replaces:
            continue
        if earlier is not None and mails[earlier].parsed.orders == mail.parsed.orders:
            result[index] = earlier
            continue
        if earlier is not None:
            result[earlier] = index
        holder[mail.seat] = index
    return result
