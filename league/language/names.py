"""Finding the thing a player means: number, exact name, unique beginning, and never a guess."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from league.core.errors import BadInput
from league.language.exonyms import NONE as NO_EXONYMS
from league.language.exonyms import Exonyms
from league.language.fold import fold, keys

SHORTEST_BEGINNING: Final = 3
_LONGEST_NAME: Final = 60  # longer is no misspelt name: no suggestions are looked for
_SUGGESTIONS: Final = 3
_WINDOW: Final = 4  # words of the longest name that `mentions` looks for


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with names: a country, a card, a player."""

    id: str
    names: tuple[str, ...]
    number: int | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Exactly one thing is meant."""

    id: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several things could be meant."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing has that name; `suggestions` are the nearest, best first, at most three."""

    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """A short code: answered with the name it stands for, never executed."""

    id: str


Lookup = Found | Ambiguous | Unknown | Code


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found among words: the words `start` to `end` (exclusive) are it."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NameIndex:
    """All names of some things, ready to be looked up by dict. Made once by `build`."""

    exact: Mapping[str, tuple[str, ...]]
    beginnings: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, str]
    codes: Mapping[str, str]
    articles: frozenset[str] = field(default=frozenset())
    exonyms: Exonyms = NO_EXONYMS  # names that are never understood

    @classmethod
    def build(
        cls,
        things: Iterable[Thing],
        articles: Iterable[str] = (),
        *,
        shared: bool = False,
        exonyms: Mapping[str, Any] | None = None,
    ) -> "NameIndex":
        """The index. Two things under one exact name are an error unless `shared` (players may be namesakes).

        `exonyms`: a table of names in other languages, which lead to suggestions alone.
        """
        things = tuple(things)
        exact = _gather((key, thing.id) for thing in things for name in thing.names for key in _typed(name))
        codes = _gather((key, thing.id) for thing in things if thing.code for key in keys(fold(thing.code)))
        numbers = _gather((str(thing.number), thing.id) for thing in things if thing.number is not None)
        if not shared:
            _refuse_clashes(exact, codes, numbers)
        starts = ((key[:n], i) for key, ids in exact.items() for i in ids for n in range(SHORTEST_BEGINNING, len(key)))
        return cls(
            exact,
            _gather(starts),
            {number: ids[0] for number, ids in numbers.items()},
            {code: ids[0] for code, ids in codes.items()},
            frozenset(fold(word) for word in articles),
            Exonyms(exonyms, tuple(thing.id for thing in things)) if exonyms is not None else NO_EXONYMS,
        )

    def lookup(self, text: str) -> Lookup:
        """What a person means by this text."""
        return self.find(fold(text).strip())

    def find(self, folded: str) -> Lookup:
        """`lookup` for text that is folded already."""
        if folded.isdigit():  # no compacting first: 1.5 is not 15
            return _found(self.numbers.get(folded))
        whole = self._known(folded)
        if isinstance(whole, Unknown):
            bare = self._without_articles(folded)
            whole = self._known(bare) if bare != folded else whole
            return Unknown(self._suggestions(bare)) if isinstance(whole, Unknown) else whole
        return whole

    def mentions(self, words: Sequence[str]) -> tuple[Mention, ...]:
        """The exact names and numbers among folded words, longest first from the left."""
        found: list[Mention] = []
        at = 0
        while at < len(words):
            mention = self._mention(words, at)
            if mention is None:
                at += 1
            else:
                found.append(mention)
                at = mention.end
        return tuple(found)

    def _mention(self, words: Sequence[str], at: int) -> Mention | None:
        if words[at] in self.numbers:
            return Mention(self.numbers[words[at]], at, at + 1)
        for end in range(min(at + _WINDOW, len(words)), at, -1):
            for key in keys("".join(words[at:end])):
                if len(self.exact.get(key, ())) == 1:
                    return Mention(self.exact[key][0], at, end)
        return None

    def _known(self, folded: str) -> Lookup:
        ways = tuple(key for key in keys(folded) if key)
        ids = next((self.exact[key] for key in ways if key in self.exact), ())
        if ids:
            return _one_of(ids)
        code = next((self.codes[key] for key in ways if key in self.codes), "")
        if code:  # also where it is a beginning: IRL is the code, not the start of Irland
            return Code(code)
        started = next((self.beginnings[key] for key in ways if key in self.beginnings), ())
        return _one_of(started) if started else Unknown()

    def _without_articles(self, folded: str) -> str:
        words = folded.split()
        while len(words) > 1 and words[0] in self.articles:
            words = words[1:]
        return " ".join(words)

    def _suggestions(self, folded: str) -> tuple[str, ...]:
        """What a name in another language means first, then what is near, then what is like such a name."""
        words = folded.replace("-", " ").split()
        found = dict.fromkeys((*self.exonyms.exact(words), *self._nearest(folded)))
        return tuple(found)[:_SUGGESTIONS] or self.exonyms.meant(words)

    def _nearest(self, folded: str) -> tuple[str, ...]:
        """Names within one slip of the pen for each three or four letters."""
        way = keys(folded)[0]
        if not SHORTEST_BEGINNING <= len(way) <= _LONGEST_NAME or way.isdigit():
            return ()
        from rapidfuzz import process  # only a miss pays for the import
        from rapidfuzz.distance import OSA

        slips = max(1, len(way) * 3 // 10)
        near = process.extract(way, list(self.exact), scorer=OSA.distance, score_cutoff=slips, limit=12)
        ids = dict.fromkeys(i for key, _, _ in sorted(near, key=lambda hit: (hit[1], hit[0])) for i in self.exact[key])
        return tuple(ids)[:_SUGGESTIONS]


def _typed(name: str) -> tuple[str, ...]:
    """Every key a name may be typed as; the Dutch ij also as y."""
    ways = keys(fold(name))
    return tuple(dict.fromkeys((*ways, *(way.replace("ij", "y") for way in ways))))


def _gather(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    gathered: dict[str, dict[str, None]] = {}
    for key, thing in pairs:
        if key:
            gathered.setdefault(key, {})[thing] = None
    return {key: tuple(ids) for key, ids in gathered.items()}


def _refuse_clashes(*tables: Mapping[str, tuple[str, ...]]) -> None:
    merged = _gather((key, i) for table in tables for key, ids in table.items() for i in ids)
    for key, ids in merged.items():
        if len(ids) > 1:
            raise BadInput(f"the name {key!r} stands for {' and for '.join(ids)}")


def _found(thing: str | None) -> Lookup:
    return Unknown() if thing is None else Found(thing)


def _one_of(ids: tuple[str, ...]) -> Lookup:
    return Found(ids[0]) if len(ids) == 1 else Ambiguous(ids)
