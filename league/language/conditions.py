"""`if … take X else take Y`: orders under a condition, for every game; which conditions there are is the game's table.

A condition's forms are data: words with slots, `{country} is free`. The line is cut here into the condition, the
order and the order otherwise; what stands in the slots, and what the orders are, the game reads itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from league.language.fold import fold, spellings
from league.language.words import Keywords

Condition = TypeVar("Condition")
Order = TypeVar("Order")
Part = tuple[str, ...] | str  # a word in every spelling, or a slot
_SLOT: Final = "{"
_LONGEST: Final = 6  # words of the longest name in a slot


@dataclass(frozen=True, slots=True)
class Conditional(Generic[Condition, Order]):
    """One order or another (or none), as the condition is when the order's turn comes."""

    condition: Condition
    then: Order
    otherwise: Order | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say a condition: each word in every spelling, or a slot as `{name}`."""

    kind: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """A way to read a line: the condition's kind with the words in its slots, and the words of both orders."""

    kind: str
    slots: Mapping[str, tuple[str, ...]]
    then: tuple[str, ...]
    otherwise: tuple[str, ...] | None


def read_forms(table: Mapping[str, Any]) -> tuple[Form, ...]:
    """The forms of a `[conditions.<kind>]` table with lists of forms by language."""
    return tuple(
        Form(kind, tuple(part if part.startswith(_SLOT) else _ways(fold(part)) for part in form.split()))
        for kind, languages in table.items()
        for forms in languages.values()
        for form in forms
    )


def _ways(word: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((word, *spellings(word))))


def begins(words: Sequence[str], keywords: Keywords) -> bool:
    """Whether a line's words begin with an `if`."""
    return bool(words) and words[0] in keywords.role("if")


def cuts(words: Sequence[str], plain: Sequence[str], forms: Sequence[Form], keywords: Keywords) -> Iterator[Cut]:
    """Every way to read a line that begins with `if`; `plain` are the words as the tables have them."""
    others = [n for n, word in enumerate(plain) if word in keywords.role("else")]
    if len(others) > 1:
        return
    end = others[0] if others else len(words)
    otherwise = tuple(words[end + 1 :]) if others else None
    for form in forms:
        for slots, after in _matches(form.parts, words[:end], plain[:end], 1):
            start = after + 1 if after < end and plain[after] in keywords.role("then") else after
            if start < end:
                yield Cut(form.kind, slots, tuple(words[start:end]), otherwise)


_Match = tuple[dict[str, tuple[str, ...]], int]


def _matches(
    parts: Sequence[tuple[str, ...] | str], words: Sequence[str], plain: Sequence[str], at: int
) -> Iterator[_Match]:
    """The ways in which the words from a place on begin with the form: what is in its slots, and the place after."""
    if not parts:
        yield {}, at
    elif not isinstance(parts[0], str):
        if at < len(words) and plain[at] in parts[0]:
            yield from _matches(parts[1:], words, plain, at + 1)
    else:
        for end in range(at + 1, min(at + _LONGEST, len(words)) + 1):
            for slots, after in _matches(parts[1:], words, plain, end):
                yield {parts[0].strip("{}"): tuple(words[at:end]), **slots}, after
