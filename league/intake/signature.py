"""Our own check of a DKIM signature, for sites whose receiving host states nothing (MAIL.md, chapter 5).

Only signatures of the author's own organization are looked at, so nobody makes us ask for names of his choice. A key
that can't be fetched in time proves nothing; the token is there for that.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic
from typing import Any

from league.intake.proof import aligned
from league.intake.timelimit import at_most

MOST_SIGNATURES = 3
WAIT = 3.0  # seconds for one key
ALTOGETHER = 15.0  # seconds for the keys of a batch of mails
LEAST_KEY = 1024  # bits
MOST_BYTES = 400_000  # checking a larger one takes longer than any mail may
LONGEST_RUN = 120  # of spaces; the library's folding of them costs the square
_TABS = bytes.maketrans(b"\t", b" ")
_silent = logging.getLogger("league.dkim")
_silent.setLevel(logging.CRITICAL + 1)

LookUp = Callable[[str, float], bytes | None]  # a name and seconds -> its TXT record; TimeoutError if nobody answered


class Signed(StrEnum):
    """What became of the check; UNKNOWN: a key couldn't be fetched."""

    PASS = "pass"  # noqa: S105 - a word
    FAIL = "fail"
    NONE = "none"
    UNKNOWN = "unknown"


def ask_dns(name: str, seconds: float) -> bytes | None:
    """The TXT record of a name, as the system's resolver has it."""
    from dns import resolver
    from dns.exception import DNSException, Timeout
    from dns.rdtypes.ANY.TXT import TXT

    try:
        answer = resolver.resolve(name, "TXT", lifetime=seconds, search=False)
    except (resolver.NXDOMAIN, resolver.NoAnswer):
        return None
    except (Timeout, resolver.NoNameservers, resolver.NoResolverConfiguration, OSError) as error:
        raise TimeoutError from error
    except DNSException:
        return None
    first = next((record for record in answer if isinstance(record, TXT)), None)
    return b"".join(first.strings) if first is not None else None


@dataclass
class KeyRing:
    """Keys of senders' domains, each asked for once; a resolver that is away costs some seconds, not minutes."""

    look_up: LookUp = ask_dns
    wait: float = WAIT
    altogether: float = ALTOGETHER
    spent: float = 0.0
    keys: dict[str, bytes | None] = field(default_factory=dict)
    dark: set[str] = field(default_factory=set)

    def key(self, name: str) -> bytes | None:
        """The record; TimeoutError if it couldn't be had in time."""
        if name in self.keys:
            return self.keys[name]
        if name in self.dark or self.spent >= self.altogether:
            raise TimeoutError
        begin = monotonic()
        try:
            self.keys[name] = self.look_up(name, min(self.wait, self.altogether - self.spent))
        except TimeoutError:
            self.dark.add(name)
            raise
        finally:
            self.spent += monotonic() - begin
        return self.keys[name]


def check(content: bytes, author: str, ring: KeyRing) -> Signed:
    """Whether a signature of the author's own organization covers the mail as it is."""
    if b"dkim-signature" not in content[:64_000].lower():
        return Signed.NONE
    if len(content) > MOST_BYTES or b" " * LONGEST_RUN in content.translate(_TABS):
        return Signed.FAIL
    try:
        with at_most():
            return _check(content, author.rpartition("@")[2], ring)
    except Exception:  # noqa: BLE001 - hostile bytes find every hole; what can't be checked proves nothing
        return Signed.FAIL


def _check(content: bytes, domain: str, ring: KeyRing) -> Signed:
    import dkim

    mail = dkim.DKIM(content, logger=_silent, minkey=LEAST_KEY, timeout=WAIT)
    values = [value for name, value in mail.headers if name.lower() == b"dkim-signature"]
    found = Signed.NONE
    tried = 0
    for index, value in enumerate(values):
        if tried >= MOST_SIGNATURES:
            break
        if not _is_looked_at(value, domain):
            continue
        tried += 1
        answer = _verified(mail, index, ring)
        if answer is Signed.PASS:
            return answer
        found = Signed.UNKNOWN if Signed.UNKNOWN in {found, answer} else Signed.FAIL
    return found


def _is_looked_at(value: bytes, domain: str) -> bool:
    """Of the author's organization, over the whole body: `l=` lets others write below what was signed."""
    from dkim.util import InvalidTagValueList, parse_tag_value

    try:
        tags: dict[bytes, bytes] = parse_tag_value(value)
        signer = tags.get(b"d", b"").decode("ascii")
    except (InvalidTagValueList, UnicodeDecodeError):
        return False
    return b"l" not in tags and aligned(signer, domain)


def _verified(mail: Any, index: int, ring: KeyRing) -> Signed:
    import dkim

    missing = False

    def key(name: bytes, timeout: float = WAIT) -> bytes | None:  # noqa: ARG001 - the library's form
        nonlocal missing
        try:
            record = ring.key(name.decode("ascii"))
        except TimeoutError:
            missing = True
            return None
        return None if record is None or _is_trial(record) else record

    try:
        passed = bool(mail.verify(index, dnsfunc=key))
    except dkim.DKIMException:
        passed = False
    if missing:
        return Signed.UNKNOWN
    return Signed.PASS if passed else Signed.FAIL


def _is_trial(record: bytes) -> bool:
    """A domain that only tries DKIM out (`t=y`) says that its signatures mean nothing yet."""
    tags = dict(part.partition(b"=")[::2] for part in record.replace(b" ", b"").split(b";"))
    return b"y" in tags.get(b"t", b"").split(b":")
