"""`standing: take Paris`: orders to be kept for rounds in which their player sends nothing, for every game.

Which words mark an order is the game's table `[standing]`: a `mark` may stand before or behind it as it is, one that
is `apart` only before a colon or in brackets, since it means other things as well. `cancel standing` is a mark with one
of the words under `end`; one under `none` only says so together with one under `more` (`no more standing orders`, but
not `I have no standing orders`). A game reads its own orders; here the mark is only found and taken off.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from league.language.fold import fold, spellings
from league.language.words import Keywords, is_one_slip

Phrase = tuple[str, ...]
_KINDS: Final = ("mark", "apart", "end", "none", "more", "beside")
_LONGEST: Final = 4  # words of a mark with the small words around it
_LONGEST_END: Final = 8
_LEAST_SLIP: Final = 5  # letters; shorter words are a slip away from too much
_COLONS: Final = str.maketrans({"：": ":", "﹕": ":"})
_CLOSING: Final = "\"'”’ )]!."
_ASKING: Final = ("?", "？")
_GAPS: Final = " \t,;:-–—"
_OPENING: Final = ("(", "[", "{")
_APART: Final = re.compile(r"[:：﹕(\[{]")


@dataclass(frozen=True, slots=True)
class Marks:
    """The words of a game's table, in every spelling."""

    plain: frozenset[Phrase] = frozenset()
    apart: frozenset[Phrase] = frozenset()
    ends: frozenset[str] = frozenset()
    none: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    vocabulary: frozenset[str] = frozenset()  # every word of a mark: most lines have none
    written: Mapping[str, str] = field(default_factory=dict)  # single words as the table writes them

    def knows(self, words: Phrase, *, apart: bool) -> bool:
        """Whether these words are a mark, in a place that is set apart or not."""
        return words in self.plain or (apart and words in self.apart)

    def near(self, words: Phrase, keywords: Keywords) -> str:
        """The marks from which a single word that means nothing else is one slip of the pen away, or ""."""
        if len(words) != 1 or len(words[0]) < _LEAST_SLIP or _means_something(words[0], keywords):
            return ""
        near = sorted({form for way, form in self.written.items() if is_one_slip(words[0], way)})
        return " / ".join(near)


@dataclass(frozen=True, slots=True)
class Marked:
    """A line with its mark taken off; `meant` are the marks that a misspelt one nearly is, `rest` "" a mark alone."""

    rest: str
    written: str
    meant: str = ""


def read_marks(table: Mapping[str, Any]) -> Marks:
    """The marks of a `keywords.toml`; a game without the table `[standing]` has none."""
    plain, apart, end, none, more, beside = (dict(_phrases(table.get("standing", {}).get(kind, {}))) for kind in _KINDS)
    return Marks(
        plain=frozenset(plain),
        apart=frozenset(apart),
        ends=_single(end),
        none=_single(none),
        more=_single(more),
        beside=_single(beside),
        vocabulary=frozenset(word for phrase in (*plain, *apart) for word in phrase),
        written={phrase[0]: form for phrase, form in plain.items() if len(phrase) == 1},
    )


def _single(phrases: Iterable[Phrase]) -> frozenset[str]:
    return frozenset(word for (word,) in phrases)


def _phrases(languages: Mapping[str, Sequence[str]]) -> Iterator[tuple[Phrase, str]]:
    """Every spelling of every form, with the form."""
    for forms in languages.values():
        for form in forms:
            folded = fold(form)
            yield from ((tuple(way.split()), form) for way in (folded, *spellings(folded)))


def ends(line: str, marks: Marks, keywords: Keywords) -> bool | None:
    """Whether the line says that standing orders are to end, and nothing else; None where a person has to say.

    That is where a word is misspelt, where it asks, where it may only tell that there are none, or for one week.
    """
    if not marks.ends or len(line.split()) > _LONGEST_END:
        return False
    words = _words(line, keywords)
    small = (keywords.role("filler"), keywords.role("article"), marks.beside, marks.more)
    bare = tuple(word for word in words if word in marks.vocabulary or not any(word in role for role in small))
    sides = [(bare[0], bare[1:]), (bare[-1], bare[:-1])] if len(bare) > 1 else []
    ways = [(end, mark, way) for end, mark in sides for way in _without_fillers(mark, keywords)]
    said = [
        mark == way
        for end, mark, way in ways
        if (end in marks.ends or end in marks.none) and marks.knows(way, apart=end in marks.ends)
    ]
    if said:
        denies = not marks.none.isdisjoint(words) and marks.more.isdisjoint(words)
        return None if denies or not any(said) or line.rstrip(_CLOSING).endswith(_ASKING) else True
    return None if any(_nearly_ends(end, way, marks, keywords) for end, _, way in ways) else False


def _nearly_ends(end: str, mark: Phrase, marks: Marks, keywords: Keywords) -> bool:
    if end in marks.ends:
        return bool(marks.near(mark, keywords))
    is_near = len(end) >= _LEAST_SLIP and marks.knows(mark, apart=True)  # the cheap question first: this is every line
    return is_near and any(is_one_slip(end, way) for way in marks.ends)


def find(line: str, words: Sequence[str], marks: Marks, keywords: Keywords) -> Marked | None:
    """The line without its mark, or None for one that isn't marked; `words` are its words as the tables have them."""
    is_there = not marks.vocabulary.isdisjoint(words)
    if not is_there and not _APART.search(line):  # where nothing is set apart no slip is looked for
        return None
    before = _before_colon(line, marks, keywords) or (_before(line, marks, keywords) if is_there else None)
    return before or _behind(line, marks, keywords)


def is_alone(words: Sequence[str], marks: Marks, keywords: Keywords) -> bool:
    """Whether a line is a mark and nothing else: a heading, under which no line is marked."""
    small = keywords.role("filler") | keywords.role("article") | marks.beside
    bare = tuple(word for word in words if word in marks.vocabulary or word not in small)
    return any(marks.knows(way, apart=False) for way in (bare, *_without_fillers(bare, keywords)))


def _before_colon(line: str, marks: Marks, keywords: Keywords) -> Marked | None:
    head, colon, rest = line.translate(_COLONS).partition(":")
    if not colon or len(head.split()) > _LONGEST:
        return None
    return _taken_off(head, rest.strip(), marks, keywords, apart=True)


def _before(line: str, marks: Marks, keywords: Keywords) -> Marked | None:
    chunks = line.split()
    for place in range(min(_LONGEST, len(chunks) - 1), 0, -1):
        head, rest = " ".join(chunks[:place]), " ".join(chunks[place:])
        found = _taken_off(head, rest.lstrip(_GAPS), marks, keywords, apart=head.startswith(_OPENING))
        if found is not None and found.rest:
            return found
    return None


def _behind(line: str, marks: Marks, keywords: Keywords) -> Marked | None:
    chunks = line.replace("(", " (").replace("[", " [").split()
    asks = "?" if line.rstrip(_CLOSING).endswith(_ASKING) else ""
    for place in range(max(1, len(chunks) - _LONGEST), len(chunks)):
        rest, tail = " ".join(chunks[:place]), " ".join(chunks[place:])
        apart = tail.startswith(_OPENING)
        found = _taken_off(tail, rest.rstrip(_GAPS) + asks, marks, keywords, apart=apart)
        if found is not None and found.rest:
            return found
    return None


def _taken_off(written: str, rest: str, marks: Marks, keywords: Keywords, *, apart: bool) -> Marked | None:
    """What is left if these words are a mark with nothing but small words around it."""
    words = _words(written, keywords)
    ways = tuple(_without_fillers(words, keywords))
    if any(marks.knows(way, apart=apart) for way in ways):
        return Marked(rest, written)
    meant = next((near for way in ways if (near := marks.near(way, keywords))), "") if apart else ""
    return Marked(rest, written.strip("([{}])"), meant) if meant and rest else None


def _without_fillers(words: Phrase, keywords: Keywords) -> Iterator[Phrase]:
    """The words, and each way of leaving small ones off at both ends."""
    small = keywords.role("filler")
    for start in range(len(words)):
        if any(word not in small for word in words[:start]):
            return
        for end in range(len(words), start, -1):
            if any(word not in small for word in words[end:]):
                break
            yield words[start:end]


def _words(text: str, keywords: Keywords) -> Phrase:
    return tuple(keywords.plain(keywords.words(text)))


def _means_something(word: str, keywords: Keywords) -> bool:
    return word in keywords.verbs or word in keywords.outcomes or any(word in role for role in keywords.roles.values())
