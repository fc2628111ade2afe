"""Addresses that look like others and are not (MAIL.md, hazard 68): to word a warning, never to decide."""

from collections.abc import Iterable
from unicodedata import combining, normalize

# Letters of other scripts, and figures, that a reader takes for these.
_ALIKE = {
    "a": "аαɑ",
    "b": "ьв",
    "c": "сϲ",
    "d": "ԁ",
    "e": "еєҽ",
    "g": "ɡ",
    "h": "һн",
    "k": "кκ",
    "l": "ӏıіι1i|",
    "j": "ј",
    "m": "м",
    "n": "пη",
    "o": "оοσ0օ",
    "p": "рρ",
    "q": "ԛ",
    "r": "г",
    "s": "ѕ5",
    "t": "тτ",
    "u": "υս",
    "v": "ѵν",
    "w": "ԝω",
    "x": "хχ",
    "y": "уγ",
    "z": "ʐ",
}
_FOLD = str.maketrans({other: letter for letter, others in _ALIKE.items() for other in others})
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def readable_domain(address: str) -> str:
    """The address with its domain as a browser might show it."""
    local, at, domain = address.rpartition("@")
    return f"{local}{at}{'.'.join(_label(label) for label in domain.split('.'))}"


def _label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label.encode("ascii").decode("idna")
    except UnicodeError:
        return label


def looks_like(address: str, known: Iterable[str]) -> str:
    """The known address that this one could be taken for, if it isn't that one."""
    seen = _seen(address)
    alike = sorted(one for one in known if one and one.casefold() != address.casefold() and _seen(one) == seen)
    return alike[0] if alike else ""


def _seen(address: str) -> str:
    """What the eye makes of it."""
    plain = normalize("NFKD", readable_domain(address)).casefold()
    folded = "".join(sign for sign in plain if not combining(sign)).translate(_FOLD)
    for pair, letter in _PAIRS:
        folded = folded.replace(pair, letter)
    return folded
