"""What stands around an order and makes it uncertain: a sentence that a line broke, a word that takes it back, a round.

A mail is talk with orders in it, and no grammar tells them apart. So these are cheap signs, and each only leads to a
question: an order with one of them is told and not carried out.
"""

from typing import Final

from league.games.kuel.reading import Phrase
from league.language.fold import fold
from league.language.names import NameIndex
from league.language.words import Keywords

_FEW: Final = 4  # words; a line of no more is a heading, a greeting or a name
_NEAR: Final = 4  # words between which an order's verb and its country stand
_LONGEST_TALK: Final = 12  # words; a longer line is passed over as talk
_WRAPPED: Final = 60  # letters of a line that a mail program broke
_STOPS: Final = (".", "!", "?", "…", ":", ",", ";", "-", "–", "。", "：", "？", ")")
_CLOSING: Final = "\"'”’ "
_AFTER_NO: Final = ",;.!-–)…"


def is_buried(line: Phrase, index: NameIndex) -> bool:
    """Whether a line that is too long for an order has a verb with a country beside it."""
    if len(line.words) <= _LONGEST_TALK:
        return False
    around = ((max(0, verb.places[0] - _NEAR), verb.places[-1] + _NEAR + 1) for verb in line.verbs)
    return any(index.mentions([w for w in line.words[start:end] if w.isalpha()]) for start, end in around)


def names_a_round(line: Phrase, keywords: Keywords) -> bool:
    """`next round`, `Runde 2:`, `for week 3`: a heading over what is meant for a round."""
    if not 1 < len(line.plain) <= _FEW:
        return False
    calendar, following = keywords.role("calendar"), keywords.role("next")
    small = calendar | following | keywords.role("lead")
    return (
        not calendar.isdisjoint(line.plain)
        and (not following.isdisjoint(line.plain) or any(map(str.isdecimal, line.plain)))
        and all(word in small or word.isdecimal() for word in line.plain)
    )


def goes_on(above: Phrase, text: str, below: str, keywords: Keywords, *, told: bool) -> bool:
    """Whether the line above breaks off, so that the order below may be its sentence's end.

    One that says that orders come, or greets, may lack its colon. An order that begins with a capital begins anew,
    unless the line above is as long as mail programs break them. Of a line that was `told` to be wrong only the last
    word tells.
    """
    words = above.plain
    if len(words) <= _FEW or text.rstrip(_CLOSING).endswith(_STOPS):
        return False
    if words[-1] in keywords.role("preposition") | keywords.role("article"):
        return True
    if told or words[0] in keywords.role("greeting") or not keywords.role("orders").isdisjoint(words):
        return False
    return below[:1].islower() or len(text) + 1 + len(below.split(maxsplit=1)[0]) > _WRAPPED


def takes_back(text: str, line: Phrase, keywords: Keywords) -> str:
    """The word of a line right below an order that takes it back (`no, sorry`, `scrap that`), or ""."""
    words = [word for word in line.plain if word not in keywords.role("sorry")][:2]
    if not words:
        return ""
    if words[0] in keywords.role("revoke") or " ".join(words) in keywords.role("revoke"):
        return words[0]
    if words[0] not in keywords.role("no"):
        return ""
    behind = fold(text).partition(words[0])[2].lstrip()
    return words[0] if not behind or behind[0] in _AFTER_NO else ""
