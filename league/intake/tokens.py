"""A seat's token in a mail: in the plus part of our address, or in a `key` line, which nobody ever sees again."""

import re
from collections.abc import Iterable

LENGTH = 16
_TOKEN = re.compile(r"[a-z2-7]{16}")
_MISREAD = str.maketrans("018", "olb")  # signs that tokens don't have
# Also one with a slip in it: a token but for a letter must stand on no page either.
_KEY = re.compile(
    r"[ \t>]*(?:#[ \t]*)?(?:key|schlüssel|schluessel|sleutel)[ \t]*[:=]?[ \t]+([a-z0-9][a-z0-9-]{8,38}[a-z0-9])[ \t.]*",
    re.IGNORECASE,
)


def token(written: str) -> str:
    """A token however it was typed: big or small letters, hyphens; nothing if it is none."""
    folded = written.lower().replace("-", "").translate(_MISREAD)
    return folded if _TOKEN.fullmatch(folded) else ""


def shown(own: str) -> str:
    """A token in groups, for reading."""
    return "-".join(own[i : i + 4] for i in range(0, len(own), 4))


def plus_tokens(recipients: Iterable[str], address: str) -> tuple[str, ...]:
    """The tokens in plus parts of our own address: `league+spring.TOKEN@` or `league+TOKEN@`."""
    local, _, domain = address.lower().partition("@")
    own = local.partition("+")[0], domain
    parts = (_split(recipient) for recipient in recipients)
    found = (token(plus.rpartition(".")[2]) for base, plus, host in parts if (base, host) == own)
    return tuple(dict.fromkeys(one for one in found if one))


def plus_slug(plus: str) -> str:
    """The league that a plus part names."""
    head, dot, tail = plus.rpartition(".")
    return head if dot and token(tail) else "" if token(plus) else plus


def _split(address: str) -> tuple[str, str, str]:
    local, _, domain = address.partition("@")
    base, _, plus = local.partition("+")
    return base, plus, domain


def without_keys(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its `key` lines, and the tokens that they hold."""
    if not any(word in text.casefold() for word in ("key", "schl", "sleutel")):
        return text, ()
    lines = text.split("\n")
    hits = [_KEY.fullmatch(line) for line in lines]
    rest = "\n".join(line for line, hit in zip(lines, hits, strict=True) if hit is None)
    return rest, tuple(one for hit in hits if hit and (one := token(hit[1])))
