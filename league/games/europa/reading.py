"""One order line (chapter 8.3): words and signs, read from left to right.

Every mistake, its facts and its rule. `written` is what the player wrote, cut short; countries are board ids, parties
are colours.

| reason | facts | rule |
|---|---|---|
| unknown_verb | written, suggestions (verbs) | 8 |
| missing_number | (none) | 8 |
| bad_number | written | 8 |
| missing_country | (none) | 8 |
| unknown_country | written, suggestions (countries, at most three) | 8 |
| ambiguous_country | written, candidates (countries) | 8 |
| no_card | country (one for information only) | R5 |
| missing_party, unknown_party | written | 8 |
| party_twice, too_many_parties | written | R27 |
| missing_clause, unknown_clause, clause_twice | written | 8 |
| unknown_policy | written | M6 |
| missing_sign, missing_then | written | 8 |
| extra_words | written | 8 |
| question | (none) | 8 |
| negated, conditional | written (the word that says no, or perhaps) | 8 |
| goes_on | written (the line above, whose sentence the order may end) | 8 |
| taken_back | written (the line below, which takes the order back) | 8 |
| other_round | written (the heading above, which names another round) | 8 |
| echo | (none): a line of our own list, sent back | 8 |
| too_long | limit (letters) | 8 |
| press_without_colon, press_to_nobody, press_empty | (none) | 8 |
| press_misspelt, press_holds_order, order_in_press, talk_or_order | (none) | 8 |
| unticked | (none): crossed out, or an empty box beside it and ticked ones beside other orders | 8 |
| final_unsure | (none) | 8 |
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from league.core.json import Json
from league.core.orders import Mistake
from league.games.europa.board import LARGEST
from league.games.europa.book import CHAPTER
from league.games.europa.orders import (
    ALL,
    ME,
    MINE,
    NEED,
    NONE,
    TOTAL,
    Ballot,
    Coalition,
    Comparison,
    Item,
    Operand,
    Order,
    Peace,
    Place,
    Placing,
    Plan,
    Ready,
)
from league.language.conditions import Conditional
from league.language.fold import compact, fold, keys, strip
from league.language.names import Ambiguous, Found, NameIndex
from league.language.words import Keywords

SHOWN: Final = 80  # letters of what was written that a mistake repeats
MOST: Final = 999
_TOKEN = re.compile(r"(?<!\w)-\d+|\d+|[^\W\d_]+(?:'[^\W\d_]+)*|[<>=]=|=[<>]|[≤≥<>=+,;:.→&]")
_SIGNS: Final[Mapping[str, str]] = {
    "<": "<", "<=": "<=", "=<": "<=", "≤": "<=", "=": "=", "==": "=", ">=": ">=", "=>": ">=", "≥": ">=", ">": ">",
}  # fmt: skip
_NEXT: Final = (">", "→")
_LONGEST: Final = 4  # words of the longest name
Thing = TypeVar("Thing")


class NotUnderstood(Exception):  # never leaves this package: it carries a mistake to its line
    """A line turned out to be a mistake while it was being read."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.reason)
        self.mistake = mistake


def wrong(reason: str, rule: str = CHAPTER, **facts: Json) -> NotUnderstood:
    """The mistake to raise."""
    return NotUnderstood(Mistake(reason, rule, facts))


def shown(text: str) -> str:
    """What was written, short enough for an answer."""
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def tokens(text: str) -> tuple[str, ...]:
    """A line's words, numbers and signs, folded and without accents."""
    return tuple(strip(word) for word in _TOKEN.findall(fold(text)))


@dataclass(frozen=True)
class Names:
    """The names of a board: countries by every spelling, parties by colour, words by their role."""

    countries: NameIndex
    parties: Mapping[str, str]
    words: Keywords
    cards: Collection[str]  # countries for information only (R5)


@dataclass
class Line:
    """A line on its way from left to right."""

    names: Names
    words: tuple[str, ...]
    at: int = 0

    @property
    def word(self) -> str:
        """The word or sign that comes next, or ""."""
        return self.words[self.at] if self.at < len(self.words) else ""

    @property
    def rest(self) -> str:
        """What is still to be read, short enough for an answer."""
        return shown(" ".join(self.words[self.at :]))

    def takes(self, *signs: str) -> bool:
        """Go past a sign, if it comes next."""
        if self.word and self.word in signs:
            self.at += 1
            return True
        return False

    def plays(self, *roles: str) -> str:
        """Go past a word that plays one of these roles; which, or ""."""
        role = self.role(*roles)
        self.at += bool(role)
        return role

    def role(self, *roles: str) -> str:
        """Which of these roles the next word plays, or ""."""
        return next((role for role in roles if self.word in self.names.words.role(role)), "")

    def number(self) -> int:
        """A whole number."""
        word = self.word
        if not word:
            raise wrong("missing_number")
        if not (word.isascii() and word.isdigit() and int(word) <= MOST):
            raise wrong("bad_number", written=self.rest)
        self.at += 1
        return int(word)

    def country(self) -> str:
        """A country by the longest name that fits, else by a unique beginning."""
        if not self.word:
            raise wrong("missing_country")
        exact = self.names.countries.exact
        end = self.at
        while end < len(self.words) and self.words[end].replace("'", "").isalpha() and end < self.at + _LONGEST:
            end += 1
        for stop in range(end, self.at, -1):
            found = exact.get(compact("".join(self.words[self.at : stop])), ())
            if len(found) == 1:
                self.at = stop
                return self._card(found[0])
        return self._beginning()

    def _beginning(self) -> str:
        written = self.word
        if not written[0].isalpha():
            raise wrong("missing_country")
        found = self.names.countries.find(written)
        if isinstance(found, Found):
            self.at += 1
            return self._card(found.id)
        if isinstance(found, Ambiguous):
            raise wrong("ambiguous_country", written=shown(written), candidates=found.ids)
        suggestions = getattr(found, "suggestions", ()) or self.names.countries.exonyms.exact(
            self.words[self.at :][:_LONGEST]
        )
        raise wrong("unknown_country", written=shown(written), suggestions=suggestions)

    def _card(self, country: str) -> str:
        if country in self.names.cards:
            raise wrong("no_card", "R5", country=country)
        return country

    def party(self) -> str:
        """A colour, or `ME`."""
        if self.plays("me"):
            return ME
        if not self.word or not self.word[0].isalpha():
            raise wrong("missing_party", written=self.rest)
        if self.word not in self.names.parties:
            raise wrong("unknown_party", written=shown(self.word))
        self.at += 1
        return self.names.parties[self.words[self.at - 1]]

    def coalition(self) -> Coalition:
        """One to three parties, `red+blue`."""
        begin = self.at
        found = list(self.several(self.party, "+", "&"))
        written = shown("".join(self.words[begin : self.at]))
        if len(set(found)) < len(found):
            raise wrong("party_twice", "R27", written=written)
        if len(found) > LARGEST:
            raise wrong("too_many_parties", "R27", written=written)
        return tuple(found)

    def several(self, one: Callable[[], Thing], *signs: str) -> tuple[Thing, ...]:
        """One or more things with signs between them."""
        found = [one()]
        while self.takes(*signs):
            found.append(one())
        return tuple(found)

    def done(self) -> None:
        """Nothing may follow."""
        if self.word:
            raise wrong("extra_words", written=self.rest)


def read_order(verb: str, line: Line, *, whole: bool = True) -> Order:
    """The order that begins with this verb; the line stands behind it, and a `whole` one ends with it."""
    order = _READERS[verb](line)
    if whole:
        line.done()
    return order


def _peace(line: Line) -> Order:
    return Peace(line.number())


def _plan(line: Line) -> Order:
    return Plan(tuple(dict.fromkeys(line.several(line.country, *_NEXT, ","))))


def _ready(_: Line) -> Order:
    return Ready()


def _place(line: Line) -> Order:
    return Place(line.several(lambda: _placing(line), ","))


def _placing(line: Line) -> Placing:
    if not line.plays("if"):
        country = line.country()
        return Item(country, _pawns(line))
    tests = [_comparison(line)]
    while line.plays("and"):
        tests.append(_comparison(line))
    if not line.plays("then"):
        raise wrong("missing_then", written=line.rest)
    then = _placing(line)
    otherwise = _placing(line) if line.plays("else") else None
    return Conditional(tuple(tests), then, otherwise)


def _pawns(line: Line) -> int:
    written = line.rest
    pawns = line.number()
    if not pawns:
        raise wrong("bad_number", written=written)
    return pawns


def _comparison(line: Line) -> Comparison:
    left = _operand(line)
    sign = _SIGNS.get(line.word)
    if sign is None:
        raise wrong("missing_sign", written=line.rest)
    line.at += 1
    right = line.number() if line.word.isdigit() else _operand(line)
    return Comparison(left, sign, right)


def _operand(line: Line) -> Operand:
    country = line.country()
    if not line.takes("."):
        return Operand(country)
    role = line.plays("total", "need")
    return Operand(country, {"total": TOTAL, "need": NEED}[role] if role else line.party())


def _election(line: Line) -> Order:
    country = "" if line.plays("default") else line.country()
    line.takes(":")
    clauses: dict[str, object] = {}
    while True:
        before = line.rest
        name = line.plays(*_CLAUSES)
        if not name:
            raise wrong("unknown_clause" if before else "missing_clause", written=before)
        field = "move" if name == "stay" else name
        if field in clauses:
            raise wrong("clause_twice", written=before)
        clauses[field] = _CLAUSES[name](line)
        if not line.takes(";") or not line.word:
            break
    share = clauses.pop("policy", ("", 0))
    policy, least = share if isinstance(share, tuple) else ("", 0)
    return Ballot(country, policy=policy, share=least, **clauses)  # type: ignore[arg-type]  # each by its own reader


def _policy(line: Line) -> tuple[str, int]:
    written = line.rest
    role = line.plays("policy_all", "policy_mine", "policy_none")
    if not role:
        raise wrong("unknown_policy", "M6", written=written)
    policy = {"policy_all": ALL, "policy_mine": MINE, "policy_none": NONE}[role]
    return policy, line.number() if policy == MINE and line.plays("share") else 0


_CLAUSES: Final[Mapping[str, Callable[[Line], object]]] = {
    "propose": lambda line: line.several(line.coalition, *_NEXT),
    "yes": lambda line: line.several(line.coalition, ","),
    "no": lambda line: line.several(line.coalition, ","),
    "policy": _policy,
    "move": lambda line: line.several(line.country, *_NEXT, ","),
    "stay": lambda _: (),
}
_READERS: Final[Mapping[str, Callable[[Line], Order]]] = {
    "peace": _peace,
    "plan": _plan,
    "place": _place,
    "election": _election,
    "final": _ready,
}


def party_names(names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Every way to type a colour."""
    return {strip(key): party for party, several in names.items() for name in several for key in keys(fold(name))}
