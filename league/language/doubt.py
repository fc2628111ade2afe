"""What stands around an order and makes it uncertain: a sentence that a line broke, a word that takes it back, a round.

A mail is talk with orders in it, and no grammar tells them apart. So these are cheap signs, and each only leads to a
question: an order with one of them is told and not carried out. `words` are a line's, as the tables of words have them.
"""

from collections.abc import Sequence
from typing import Final

from league.language.fold import fold
from league.language.words import Keywords

_FEW: Final = 4  # words; a line of no more is a heading, a greeting or a name
_WRAPPED: Final = 60  # letters of a line that a mail program broke
_STOPS: Final = (".", "!", "?", "…", ":", ",", ";", "-", "–", "。", "：", "？", ")")
_CLOSING: Final = "\"'”’ "
_AROUND: Final = _CLOSING + ")]"
_AFTER_NO: Final = ",;.!-–)…"
_ENDS: Final = (".", "!", "?", "…", "？", "。")
_GOES_ON: Final = (",", ":", ";", "-", "–", "：")


def names_a_round(words: Sequence[str], keywords: Keywords) -> bool:
    """`next round`, `Runde 2:`, `for week 3`: a heading over what is meant for a round."""
    if not 1 < len(words) <= _FEW:
        return False
    calendar, following = keywords.role("calendar"), keywords.role("next")
    small = calendar | following | keywords.role("lead")
    return (
        not calendar.isdisjoint(words)
        and (not following.isdisjoint(words) or any(map(str.isdecimal, words)))
        and all(word in small or word.isdecimal() for word in words)
    )


def goes_on(words: Sequence[str], text: str, below: str, keywords: Keywords, *, told: bool) -> bool:
    """Whether the line above breaks off, so that the order below may be its sentence's end.

    One that says that orders come, or greets, may lack its colon. An order that begins with a capital begins anew,
    unless the line above is as long as mail programs break them. Of a line that was `told` to be wrong only the last
    word tells.
    """
    if len(words) <= _FEW or text.rstrip(_CLOSING).endswith(_STOPS):
        return False
    if words[-1] in keywords.role("preposition") | keywords.role("article"):
        return True
    if told or words[0] in keywords.role("greeting") or not keywords.role("orders").isdisjoint(words):
        return False
    return below[:1].islower() or len(text) + 1 + len(below.split(maxsplit=1)[0]) > _WRAPPED


def takes_back(text: str, words: Sequence[str], keywords: Keywords) -> str:
    """The word of a line right below an order that takes it back (`no, sorry`, `scrap that`), or ""."""
    first = [word for word in words if word not in keywords.role("sorry")][:2]
    if not first:
        return ""
    if first[0] in keywords.role("revoke") or " ".join(first) in keywords.role("revoke"):
        return first[0]
    if first[0] not in keywords.role("no"):
        return ""
    behind = fold(text).partition(first[0])[2].lstrip()
    return first[0] if not behind or behind[0] in _AFTER_NO else ""


def hangs(words: Sequence[str], text: str, keywords: Keywords, *, told: bool) -> str:
    """The word of doubt on which the next line's order hangs, or "".

    A line may end with it (`please do not`), or begin with it and not come to an end: `if Ben attacks me:`. One that
    ends like a sentence says something of its own, and so does one with a verb that was `told` to be no order.
    """
    fillers = keywords.role("filler")
    said = [place for place, word in enumerate(words) if word not in fillers]
    if not said:
        return ""
    first, last = words[said[0]], words[said[-1]]
    if last in keywords.role("doubt"):
        return last
    if first not in keywords.role("condition"):
        return ""
    bare = text.rstrip(_AROUND)
    whole = bare.endswith(_ENDS) or (told and not bare.endswith(_GOES_ON))
    return "" if whole else first
