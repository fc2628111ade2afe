"""Folding: many ways to type the same word become one key.

`fold` keeps letters and meaning apart from typography; `spellings` then gives the keys under which a word is
looked up: with umlauts written out (oe) and with them stripped (o).
"""

import re
from unicodedata import combining, normalize

# Zero-width, soft hyphen, bidi controls, variation selectors, Hangul fillers, tag characters: nothing to see.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_MARKS = str.maketrans(
    dict.fromkeys("‘’‚‛′‵´`ʹʼ＇‹›", "'")
    | dict.fromkeys("“”„‟″«»＂", '"')
    | dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-")
    | {"：": ":", "﹕": ":"}
)
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_PLAIN = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ŋ": "ng", "ħ": "h"}
)
_DOTTED = "i\u0307"  # what a Turkish capital İ is folded to
_DIGITS = "0123456789"


def clean(text: str) -> str:
    """The line as a person sees it: invisible characters gone, every kind of blank one space, ends trimmed."""
    if text.isascii():
        if text.isprintable():
            return " ".join(text.split())
    else:
        text = _INVISIBLE.sub("", text)
    return _BLANK.sub(" ", text).strip()


def fold(text: str) -> str:
    """Case, width, quotes, dashes and blanks made one. Digits of other scripts stay what they are: never a number."""
    if text.isascii():
        return text.lower()
    text = _INVISIBLE.sub("", text).translate(_MARKS)
    wide = normalize("NFKC", text)
    if _digits(wide) != _digits(text):
        wide = normalize("NFC", "".join(map(_without_new_digits, text)))
    return normalize("NFC", wide.casefold().replace(_DOTTED, "i")).translate(_MARKS)


def spellings(folded: str) -> tuple[str, ...]:
    """The ways a folded word may be typed without its accents, the written-out one (oe) first."""
    if folded.isascii():
        return (folded,)
    out, plain = strip(folded.translate(_WRITTEN_OUT)), strip(folded)
    return (out,) if out == plain else (out, plain)


def strip(folded: str) -> str:
    """Without accents: ö is o, é is e."""
    if folded.isascii():
        return folded
    bare = "".join(c for c in normalize("NFD", folded.translate(_PLAIN)) if not combining(c))
    return normalize("NFC", bare)


def compact(folded: str) -> str:
    """Letters and digits only, so that hyphens, dots and blanks inside a name don't matter."""
    return folded if folded.isalnum() else "".join(filter(str.isalnum, folded))


def keys(folded: str) -> tuple[str, ...]:
    """The keys under which a folded name is looked up."""
    if folded.isascii():  # nearly all are, and each line of a mail asks several times
        return (compact(folded),)
    return tuple(compact(way) for way in spellings(folded))


def _digits(text: str) -> int:
    return sum(map(text.count, _DIGITS))


def _without_new_digits(char: str) -> str:
    wide = normalize("NFKC", char)
    return char if not char.isascii() and _digits(wide) else wide
