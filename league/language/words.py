"""The words of an order language, as data: verbs in several languages, and the small words around them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from league.core.errors import BadInput
from league.language.fold import fold, spellings, strip

_Key = TypeVar("_Key", str, tuple[str, str])
GAP: Final = "~"
_SHORTEST: Final = 3  # letters; no verb that a slip of the pen is looked for has fewer
_LONGEST_WORD: Final = 24
_LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_LABELLED = re.compile(r"([^\W\d_]+)\.?(\d+)")
_OPENING, _CLOSING = "\"'([{<#*_~", ".,;:!?\"')]}>*_~"


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb found in a line: which order it stands for, and the places of its words."""

    id: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Keywords:
    """Every form under every spelling it may be typed in; made once by `read_keywords`."""

    verbs: Mapping[str, str]
    splits: Mapping[str, tuple[tuple[str, str], ...]]  # head -> (tail, order)
    outcomes: Mapping[str, str]
    roles: Mapping[str, frozenset[str]]
    courtesies: frozenset[tuple[str, ...]]
    slips: Mapping[str, tuple[str, ...]]  # a form with one letter left out -> forms

    def role(self, name: str) -> frozenset[str]:
        """The small words that play a role; none if the language has no such role."""
        return self.roles.get(name, frozenset())

    def words(self, text: str) -> tuple[str, ...]:
        """A line's folded words; whatever holds a digit stays whole, so that 1.000 never becomes 1 or 1000."""
        found: list[str] = []
        dash = False
        for chunk in fold(text).split():
            if chunk.isalpha():
                found.append(chunk)
            elif any(map(str.isnumeric, chunk)):
                number = self._number(chunk)
                found.append(f"-{number}" if dash and found else number)
            else:
                found.extend(word.replace("'", "") for word in _LETTERS.findall(chunk))
            dash = chunk.strip("-") == ""
        return tuple(found)

    def plain(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words without accents beyond those that a form has: for comparing with the tables."""
        if all(map(str.isascii, words)):
            return tuple(words)
        return tuple(word if word.isascii() or word in self.verbs else strip(word) for word in words)

    def find_verbs(self, words: Sequence[str]) -> tuple[Verb, ...]:
        """The verbs of a line from left to right; one that splits takes its second part along."""
        found: list[Verb] = []
        used: set[int] = set()
        for place, word in enumerate(words):
            if place in used:
                continue
            verb = self._split(words, place) if word in self.splits else None
            if verb is None and word in self.verbs:
                verb = Verb(self.verbs[word], (place,))
            if verb is not None:
                found.append(verb)
                used.update(verb.places)
        return tuple(found)

    def near(self, word: str, least: int = 4) -> tuple[str, ...]:
        """The orders whose verb, of at least so many letters, is one slip of the pen from this word."""
        if not least <= len(word) <= _LONGEST_WORD or word in self.verbs:
            return ()
        ways = dict.fromkeys((word, *shorter(word)))
        forms = dict.fromkeys(form for way in ways for form in self.slips.get(way, ()))
        near = (form for form in forms if len(form) >= least and is_one_slip(word, form))
        return tuple(dict.fromkeys(self.verbs[form] for form in near))

    def is_courtesy(self, words: tuple[str, ...]) -> bool:
        """Whether the line is a turn of phrase that only looks like an order."""
        return any(words[:1] == p[:1] and words[: len(p)] == p for p in self.courtesies)

    def _split(self, words: Sequence[str], place: int) -> Verb | None:
        for tail, order in self.splits[words[place]]:
            if tail in words[place + 1 :]:
                return Verb(order, (place, words.index(tail, place + 1)))
        return None

    def _number(self, chunk: str) -> str:
        number = chunk.lstrip(_OPENING).rstrip(_CLOSING)
        labelled = _LABELLED.fullmatch(number)
        return labelled[2] if labelled and labelled[1] in self.role("number") else number


def read_keywords(table: Mapping[str, Any]) -> Keywords:
    """The words of a `keywords.toml`; a form that stands for two orders is an error."""
    verbs: dict[str, str] = {}
    splits: dict[tuple[str, str], str] = {}
    for order, languages in table.get("verbs", {}).items():
        for form in _forms(languages):
            head, gap, tail = (part.strip() for part in form.partition(GAP))
            for key in _ways(head):
                if gap:
                    for end in _ways(tail):
                        _put(splits, (key, end), order)
                else:
                    _put(verbs, key, order)
    outcomes: dict[str, str] = {}
    for outcome, languages in table.get("outcomes", {}).items():
        for form in _forms(languages):
            for key in _ways(form):
                _put(outcomes, key, outcome)
    return Keywords(
        verbs,
        _by_head(splits),
        outcomes,
        _roles(table.get("words", {})),
        frozenset(tuple(way.split()) for form in _forms(table.get("courtesies", {})) for way in _ways(form)),
        _slips(verbs),
    )


def _roles(table: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """The small words by role; made of them: `lead` and `tail` may stand around a name, `doubt` forbids."""
    roles = {role: frozenset(way for form in _forms(lang) for way in _ways(form)) for role, lang in table.items()}
    none: frozenset[str] = frozenset()
    roles["lead"] = none.union(*(roles.get(role, none) for role in ("filler", "article", "preposition")))
    roles["tail"] = none.union(*(roles.get(role, none) for role in ("filler", "closing")))
    roles["doubt"] = none.union(*(roles.get(role, none) for role in ("negation", "condition")))
    return roles


def _forms(languages: Mapping[str, Sequence[str]]) -> Iterable[str]:
    return (form for forms in languages.values() for form in forms)


def _ways(form: str) -> tuple[str, ...]:
    folded = fold(form)
    return tuple(dict.fromkeys((folded, *spellings(folded))))


def _put(table: dict[_Key, str], key: _Key, value: str) -> None:
    if table.setdefault(key, value) != value:
        raise BadInput(f"the word {key!r} stands for {table[key]} and for {value}")


def _by_head(splits: Mapping[tuple[str, str], str]) -> dict[str, tuple[tuple[str, str], ...]]:
    heads: dict[str, list[tuple[str, str]]] = {}
    for (head, tail), order in splits.items():
        heads.setdefault(head, []).append((tail, order))
    return {head: tuple(tails) for head, tails in heads.items()}


def _slips(verbs: Iterable[str]) -> dict[str, tuple[str, ...]]:
    table: dict[str, list[str]] = {}
    for form in verbs:
        if len(form) >= _SHORTEST:
            for way in dict.fromkeys((form, *shorter(form))):
                table.setdefault(way, []).append(form)
    return {way: tuple(forms) for way, forms in table.items()}


def shorter(word: str) -> Iterable[str]:
    """The word with one letter left out, each in turn."""
    return (word[:i] + word[i + 1 :] for i in range(len(word)))


def is_one_slip(a: str, b: str) -> bool:
    """Whether one letter more, less, other, or two swapped turn a into b."""
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    return max(len(a), len(b)) <= 1 or (len(a) == len(b) == 2 and a == b[::-1])
