"""What a source is asked, and the two kinds of answer it can give."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from league.core.errors import LeagueError


@dataclass(frozen=True, slots=True)
class Reading:
    """One source's word on a figure of a day. `value` is canonical: a plain decimal, or numbers in their order.

    `more` holds what else the answer said of that day (Superzahl, Spiel 77, SUPER 6); `before` the same source's value
    of the trading day before, where it gave one, so that a figure that didn't move can be told from a stuck one.
    """

    source: str
    figure: str
    day: date
    value: str
    read_at: datetime
    more: tuple[tuple[str, str], ...] = field(default=())
    before: str = ""


class Why(StrEnum):
    """Why a source gave no reading; the list is closed, and each has its own pause before the next question."""

    NOT_YET = "not_yet"  # it answers, but has nothing for the day
    CLOSED_DAY = "closed_day"  # its newest entry says that the exchange traded on a day the calendar calls closed
    LIMIT = "limit"  # it wants fewer questions
    UNREACHABLE = "unreachable"
    STRANGE = "strange"  # an answer that isn't what it should be: HTML for CSV, a NaN, another week's draw
    NOT_SET_UP = "not_set_up"  # a key or an address is missing in league.toml


class Unanswered(LeagueError):
    """No reading. `text` says in words for the organizer what came instead; it holds no key and no address."""

    def __init__(self, why: Why, text: str, retry_after: int = 0) -> None:
        super().__init__(text)
        self.why = why
        self.text = text
        self.retry_after = retry_after  # seconds that the source itself asked for


class Role(StrEnum):
    """What a source's word is worth (DESIGN: Chance)."""

    ISSUER = "issuer"  # who makes the figure: two equal readings half an hour apart suffice
    VENDOR = "vendor"  # who passes it on: a second, independent one has to agree
    CHECK = "check"  # knows the numbers, not their order: it can contradict, not establish


@dataclass(frozen=True, slots=True)
class Source:
    """A provider of one figure. `family` tells independent ones apart: two of one family count as one."""

    name: str
    figure: str
    role: Role
    family: str
    read: Callable[[date, datetime], Reading]
    about: str
