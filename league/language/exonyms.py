"""Names of things in languages in which no order is read: they only tell what may have been meant.

Nothing is understood by them: what looks like an order with such a name is asked about, and the answer names the thing.
Slavic and Finnish names come inflected, so the beginning of a name is enough to be reminded of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeVar

from league.language.fold import compact, fold, strip

_LEAST: Final = 5  # letters of a name that makes a line of talk worth a question
_LEAST_STEM: Final = 4
_ENDING: Final = 3  # letters that an inflected form may have more or less than the name
_MOST: Final = 3
_ELIDED: Final = ("l", "d")  # l'Allemagne, d'Italie
Name = tuple[str, ...]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Exonyms:
    """The names of a table, ready at the first question: most mails never ask one."""

    table: Mapping[str, Any] = field(default_factory=dict)
    ids: tuple[str, ...] = ()

    def named(self, words: Sequence[str]) -> bool:
        """Whether a whole name stands among folded words."""
        return bool(self.ids) and bool(self._found(tuple(map(_plain, words)), _LEAST))

    def meant(self, words: Sequence[str]) -> tuple[str, ...]:
        """The things whose names stand among folded words; by a whole name, else by a form of one."""
        if not self.ids or not words:
            return ()
        plain = tuple(map(_plain, words))
        return self._found(plain, 1) or self._inflected(plain)

    def exact(self, words: Sequence[str]) -> tuple[str, ...]:
        """Those whose whole names stand there."""
        return self._found(tuple(map(_plain, words)), 1) if self.ids else ()

    def _found(self, words: Name, least: int) -> tuple[str, ...]:
        firsts = self._by_first.keys()
        if firsts.isdisjoint(words) and firsts.isdisjoint([word[1:] for word in words if word.startswith(_ELIDED)]):
            return ()  # asked of every line of talk
        found: dict[str, None] = {}
        for at, word in enumerate(words):
            for first in (word, word[1:]) if word[:1] in _ELIDED else (word,):
                for name, thing in self._by_first.get(first, ()):
                    if len("".join(name)) >= least and (first, *words[at + 1 : at + len(name)]) == name:
                        found[thing] = None
        return tuple(found)[:_MOST]

    def _inflected(self, words: Name) -> tuple[str, ...]:
        for word in words:
            for length in range(len(word), _LEAST_STEM - 1, -1):
                near = self._stems.get(word[:length], ())
                found = dict.fromkeys(thing for name, thing in near if abs(len(name) - len(word)) <= _ENDING)
                if found:
                    return tuple(found)[:_MOST]
        return ()

    @cached_property
    def _names(self) -> tuple[tuple[Name, str], ...]:
        listed = self.table.get("names", {})
        return tuple(
            (tuple(map(_plain, fold(name).replace("-", " ").split())), thing)
            for thing in self.ids
            for name in listed.get(thing, ())
        )

    @cached_property
    def _by_first(self) -> Mapping[str, tuple[tuple[Name, str], ...]]:
        return _gathered((name[0], (name, thing)) for name, thing in self._names)

    @cached_property
    def _stems(self) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """Names of one word without their last letters."""
        single = ((name[0], thing) for name, thing in self._names if len(name) == 1)
        return _gathered((word[: max(_LEAST_STEM, len(word) - 2)], (word, thing)) for word, thing in single)


def _plain(word: str) -> str:
    return word if word.isascii() and word.isalnum() else compact(strip(word))


def _gathered(pairs: Iterable[tuple[str, Value]]) -> dict[str, tuple[Value, ...]]:
    gathered: dict[str, dict[Value, None]] = {}
    for key, value in pairs:
        gathered.setdefault(key, {})[value] = None
    return {key: tuple(values) for key, values in gathered.items()}


NONE: Final = Exonyms()
