"""What is around the orders of a line (chapter 11): countries, amounts, players, and why a line isn't understood.

Every mistake, its facts and its rule. `written` is what the player wrote, cut short; `verb` is an order's English
verb ("" if none is known); countries are board ids, players are seats.

| reason | facts | rule |
|---|---|---|
| unknown_verb | written, suggestions (verbs: near, or what it could mean), countries (foreign names), if any | 11 |
| missing_country | verb | 11 |
| unknown_country | verb, written, suggestions (countries, at most three) | 11 |
| ambiguous_country | verb, written, candidates (countries) | 11 |
| code | verb, written, country (what the code stands for) | 11 |
| extra_words | verb, written (the words too many), country ("" if none was read) | 11 |
| two_orders | verbs (each once), candidates (countries named, where two countries make it two orders) | 11 |
| negated | verb, written (the word that says no) | 11 |
| conditional | verb, written (the word that makes it uncertain) | 11 |
| goes_on | written (the line above, whose sentence the order may end) | 11 |
| taken_back | written (the line below, which takes the order back) | 11 |
| other_round | written (the heading above, which names another round) | 11 |
| unticked | (none): crossed out, or an empty box beside it and ticked ones beside other orders | 11 |
| echo | written (what stands behind the number of our own list) | 11 |
| question | verb | 11 |
| too_long | verb, limit (letters) | 11 |
| missing_amount | verb | K52 |
| bad_number | verb, written | K52 |
| bid_too_low | written, least | K52 |
| missing_outcome | country | K33 |
| two_outcomes | country | K33 |
| missing_player | country | K33 |
| unknown_player | written, suggestions (seats) | K33 |
| ambiguous_player | written, candidates (seats) | K33 |
| condition_unclear | written | 11 |
| condition_order | written (the order that can't stand under a condition) | 11 |
| standing_off | (none) | 11 |
| standing_alone | written (the mark in a line without an order) | 11 |
| standing_misspelt | written, meant (the words that mark standing orders) | 11 |
| standing_end | (none): nearly the line that ends what is kept | 11 |
| standing_order | written (the order that can't be kept) | 11 |
| missing_text | verb, country | K63 (map), K64 (settings) |
| press_without_colon, press_to_nobody, press_empty | (none) | 11 |
| press_misspelt, press_holds_order, order_in_press, talk_or_order | (none) | 11 |
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from league.core.json import Json
from league.core.orders import Mistake
from league.language.names import Ambiguous, Code, Found, Lookup, NameIndex, Thing, Unknown
from league.language.words import Keywords, Verb

LANGUAGE: Final = "11"  # the chapter, where no statement has a number
SHOWN: Final = 80  # letters of what was written that a mistake repeats
LEAST_BID: Final = 1
_AMOUNT = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
_ATTEMPT_WORDS: Final = 12  # no order has more words; a longer line without an order's shape is prose
_TARGET_WORDS: Final = 6
_GLUE: Final = ("and", "article", "filler", "number", "preposition")


class NotUnderstood(Exception):  # never leaves this package: it carries a mistake to its line
    """A line turned out to be a mistake while it was being read."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.reason)
        self.mistake = mistake


def wrong(reason: str, rule: str = LANGUAGE, **facts: Json) -> NotUnderstood:
    """The mistake to raise."""
    return NotUnderstood(Mistake(reason, rule, facts))


def shown(words: Sequence[str] | str) -> str:
    """What was written, short enough for an answer."""
    text = words if isinstance(words, str) else " ".join(words)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A line's words with its verbs; `words` as folded, `plain` as the tables of words have them."""

    words: tuple[str, ...]
    plain: tuple[str, ...]
    verbs: tuple[Verb, ...]

    @property
    def verb(self) -> str:
        """The first verb's order, or ""."""
        return self.verbs[0].id if self.verbs else ""


def phrase(text: str, keywords: Keywords) -> Phrase:
    """A line cut into words, its verbs found."""
    words = keywords.words(text)
    plain = keywords.plain(words)
    return Phrase(words, plain, keywords.find_verbs(plain))


def is_number(word: str) -> bool:
    """Whether a word holds a digit, rightly written or not."""
    return not word.isalpha()


def trimmed(words: Sequence[str], keywords: Keywords, closing: str = "tail") -> tuple[str, ...]:
    """A target without the small words before it (articles, prepositions, Nr.) and those of a role after it."""
    if not words:
        return ()
    plain = keywords.plain(words)
    start, end = 0, len(words)
    before, labels = keywords.role("lead"), keywords.role("number")
    while start < end and (plain[start] in before or _is_label(plain, start, labels)):
        start += 1
    while end > start and plain[end - 1] in keywords.role(closing):
        end -= 1
    return tuple(words[start:end])


def _is_label(plain: Sequence[str], place: int, labels: frozenset[str]) -> bool:
    return plain[place] in labels and place + 1 < len(plain) and is_number(plain[place + 1])


def country(words: Sequence[str], verb: str, index: NameIndex, keywords: Keywords) -> str:
    """The one country that these words name."""
    target = trimmed(words, keywords)
    if not target:
        lookup = index.find(" ".join(words))
        if isinstance(lookup, Code):  # `take I`: a filler elsewhere
            raise wrong("code", verb=verb, written=shown(words), country=lookup.id)
        raise wrong("missing_country", verb=verb)
    return _meant(index.find(" ".join(target)), target, verb, index, keywords)


def _meant(lookup: Lookup, target: Sequence[str], verb: str, index: NameIndex, keywords: Keywords) -> str:
    match lookup:
        case Found(thing):
            return thing
        case Ambiguous(ids):
            raise wrong("ambiguous_country", verb=verb, written=shown(target), candidates=ids)
        case Code(thing):
            raise wrong("code", verb=verb, written=shown(target), country=thing)
    return _mentioned(target, verb, index, keywords, lookup.suggestions)


def _mentioned(
    target: Sequence[str], verb: str, index: NameIndex, keywords: Keywords, suggestions: tuple[str, ...]
) -> str:
    """`Paris (France)` names one country twice; two countries are two orders; anything else is too much."""
    mentions = index.mentions(target[:SHOWN])
    ids = tuple(dict.fromkeys(mention.id for mention in mentions))
    if not ids:
        raise wrong("unknown_country", verb=verb, written=shown(target), suggestions=suggestions)
    if len(ids) > 1:
        raise wrong("two_orders", verbs=(verb,), candidates=ids)
    named = {place for mention in mentions for place in range(mention.start, mention.end)}
    glue = frozenset().union(*map(keywords.role, _GLUE))
    rest = tuple(word for place, word in enumerate(target) if place not in named and word not in glue)
    if rest:
        raise wrong("extra_words", verb=verb, written=shown(rest), country=ids[0])
    return ids[0]


def bid(before: Sequence[str], after: Sequence[str], keywords: Keywords) -> tuple[int, tuple[str, ...]]:
    """A bid's amount and the words that name its country."""
    words = (*before, *after)
    upon = keywords.role("upon")
    places = [n for n, word in enumerate(words) if is_number(word)]
    targets = [n for n in places if n and words[n - 1] in upon | keywords.role("number")]
    amounts = [n for n in places if n not in targets]
    if not amounts:
        raise wrong("missing_amount", "K52", verb="bid")
    if len(amounts) == 2 and not targets and not before and _only_numbers(words, keywords):  # `bid 45 17`
        amounts = amounts[:1]
    if len(amounts) > 1 and sum(word in upon for word in words) > 1:
        raise wrong("two_orders", verbs=("bid",), candidates=())
    if len(amounts) > 1:
        raise wrong("bad_number", "K52", verb="bid", written=shown([words[n] for n in amounts]))
    rest = (*words[: amounts[0]], *words[amounts[0] + 1 :])
    units = keywords.role("unit")
    return _amount(words[amounts[0]]), tuple(word for word in rest if word not in units)


def _only_numbers(words: Sequence[str], keywords: Keywords) -> bool:
    small = keywords.role("unit") | keywords.role("filler") | keywords.role("number")
    return all(is_number(word) or word in small for word in words)


def _amount(written: str) -> int:
    """One strict form: 45. Neither 1.000 nor 45,- nor 4e1 nor another script's digits."""
    if not _AMOUNT.fullmatch(written):
        raise wrong("bad_number", "K52", verb="bid", written=shown(written))
    if int(written) < LEAST_BID:
        raise wrong("bid_too_low", "K52", written=written, least=LEAST_BID)
    return int(written)


def points(words: Sequence[str]) -> int:
    """A number of points in a condition, as strictly as a bid's amount."""
    if len(words) != 1 or not _AMOUNT.fullmatch(words[0]):
        raise wrong("bad_number", verb="", written=shown(words))
    return int(words[0])


def player(words: Sequence[str], where: str, names: Mapping[str, str], keywords: Keywords) -> str:
    """The seat that these words name, by its id or by the player's name."""
    if not words:
        raise wrong("missing_player", "K33", country=where)
    index = NameIndex.build((Thing(seat, (seat, name)) for seat, name in names.items()), shared=True)
    lookups = [index.find(" ".join(way)) for way in (words, without_fillers(words, keywords)) if way]
    for lookup in lookups:
        match lookup:
            case Found(seat):
                return seat
            case Ambiguous(seats):
                raise wrong("ambiguous_player", "K33", written=shown(words), candidates=seats)
    near = next((lookup.suggestions for lookup in lookups if isinstance(lookup, Unknown)), ())
    raise wrong("unknown_player", "K33", written=shown(words), suggestions=near)


def without_fillers(words: Sequence[str], keywords: Keywords, closing: str = "tail") -> tuple[str, ...]:
    """The words without the fillers around them."""
    start, end = 0, len(words)
    while start < end and words[start] in keywords.role("filler"):
        start += 1
    while end > start and words[end - 1] in keywords.role(closing):
        end -= 1
    return tuple(words[start:end])


def refuse_doubt(line: Phrase, upto: int, keywords: Keywords) -> None:
    """A line that says no, or only perhaps, is never executed."""
    if keywords.role("doubt").isdisjoint(line.plain):
        return
    no, perhaps = keywords.role("negation"), keywords.role("condition")
    for place, word in enumerate(line.plain[:upto]):
        if word in perhaps:
            raise wrong("conditional", verb=line.verb, written=word)
        if word in no and not _is_label(line.plain, place, keywords.role("number")):
            raise wrong("negated", verb=line.verb, written=word)


def is_attempt(line: Phrase, index: NameIndex, keywords: Keywords, players: frozenset[str]) -> bool:
    """Whether a line in which no verb stands at an end looks like an order all the same; in doubt it does."""
    if len(line.words) > _ATTEMPT_WORDS:
        return False
    if index.mentions([word for word in line.words if not is_number(word)]) or index.exonyms.named(line.words):
        return True
    if any(_is_amount(line, place, keywords) for place in range(len(line.words))):
        return len(line.words) <= _TARGET_WORDS
    return bool(_slips(line, index, keywords, players))


def _is_amount(line: Phrase, place: int, keywords: Keywords) -> bool:
    """A number that may be a bid or a field: no postcode, no round's number."""
    word, before = line.words[place], line.plain[place - 1] if place else ""
    return bool(_AMOUNT.fullmatch(word)) and len(word) < 5 and before not in keywords.role("calendar")


def suggested(line: Phrase, keywords: Keywords) -> tuple[str, ...]:
    """The verbs that the first or else the last word of an attempt may have been meant to be (bit: bid)."""
    ends = without_fillers(line.plain, keywords) or line.plain
    return keywords.near(ends[0], least=3) or keywords.near(ends[-1], least=3)


def _slips(line: Phrase, index: NameIndex, keywords: Keywords, players: frozenset[str]) -> tuple[str, ...]:
    """The verbs that the first or the last word nearly is; players' own names are no misspelt verbs."""
    words = tuple(word for word in line.plain if word not in keywords.role("filler"))
    if not words:
        return ()
    first = () if words[0] in players else keywords.near(words[0])
    if first and (len(words) > 1 or "pass" in first):
        return first
    last = () if words[-1] in players or len(words) == 1 else keywords.near(words[-1])
    return last if last and _is_near_name(trimmed(words[:-1], keywords), index) else ()


def _is_near_name(words: Sequence[str], index: NameIndex) -> bool:
    lookup = index.find(" ".join(words))
    return bool(lookup.suggestions) if isinstance(lookup, Unknown) else not isinstance(lookup, Code)


def is_prose(line: Phrase, before: Sequence[str], after: Sequence[str], index: NameIndex, keywords: Keywords) -> bool:
    """Whether a line with a verb only chats: the verb in its middle or far behind, and no country or number near."""
    if keywords.is_courtesy(line.plain):
        return not index.mentions(line.words)
    if not before or not trimmed(before, keywords):
        return False
    if len(line.words) > _ATTEMPT_WORDS:
        return True
    chats = bool(trimmed(after, keywords)) or len(before) > _TARGET_WORDS
    return chats and not any(map(is_number, line.words)) and not index.mentions(line.words)
