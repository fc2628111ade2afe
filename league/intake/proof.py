"""Who wrote it: what our own receiving host states about a mail's author (RFC 8601), and nothing else.

Anybody can write an Authentication-Results header. Only those count that stand where a sender can't put one, and that
bear our own host's name (MAIL.md, hazards 60 to 63).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from league.intake.headers import ascii_domain, host_of, is_handed_on

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

Trace = Sequence[tuple[str, str]]  # Received and Authentication-Results of a mail, top to bottom
RECEIVED, RESULTS = "received", "authentication-results"
MOST = 8_000


class Proof(StrEnum):
    """By what an author is believed. `ADDRESS` is no proof, but enough where a site says so."""

    NONE = ""
    DMARC = "dmarc"
    DKIM = "dkim"
    TOKEN = "token"  # noqa: S105 - a word
    REPLY = "reply"
    ORGANIZER = "organizer"
    ADDRESS = "address"

    @property
    def is_proven(self) -> bool:
        """Somebody but the mail itself says who wrote it."""
        return self not in {Proof.NONE, Proof.ADDRESS}


class Style(StrEnum):
    """Where our host's statement stands.

    ABOVE: above our own topmost Received line, where nobody else can write. TOPMOST: the topmost one in the mail, for
    hosts that write it below their Received line and remove forged ones (Gmail, Rspamd). MICROSOFT: as TOPMOST, with no
    name in it, as Microsoft 365 writes it (hazard 62).
    """

    ABOVE = "above"
    TOPMOST = "topmost"
    MICROSOFT = "microsoft"


@dataclass(frozen=True, slots=True)
class Trust:
    """Whom a site believes about senders. Without `required` a registered address is enough."""

    authserv_id: str = ""
    style: Style = Style.ABOVE
    received_by: str = ""
    required: bool = True

    @property
    def has_host(self) -> bool:
        """A receiving host of ours states something."""
        return bool(self.authserv_id) or self.style is Style.MICROSOFT


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that a host checked: `dkim`, `pass`, and what it saw."""

    method: str
    verdict: str
    facts: tuple[tuple[str, str], ...]

    def fact(self, name: str) -> str:
        """A fact that is stated once; two that differ state nothing."""
        found = {value for key, value in self.facts if key == name}
        return found.pop() if len(found) == 1 else ""


def stated(trace: Trace, author: str, trust: Trust) -> Proof:
    """What our own host says of the author of a mail that bears these headers."""
    domain = author.rpartition("@")[2]
    if not trust.has_host or not domain or is_denied(trace, author, trust):
        return Proof.NONE
    found = [proof for value in own_statements(trace, trust) for proof in _proofs(value, domain, trust)]
    return Proof.DMARC if Proof.DMARC in found else Proof.DKIM if Proof.DKIM in found else Proof.NONE


def is_denied(trace: Trace, author: str, trust: Trust) -> bool:
    """Whether our own host states that the author's domain disowns the mail; then no good signature helps it.

    A domain may want signatures of its very own name (DMARC's strict alignment), so a pass of its organization's is
    less than the failure that stands beside it.
    """
    domain = author.rpartition("@")[2]
    if not trust.has_host or not domain:
        return False
    results = (result for value in own_statements(trace, trust) for result in _results(value, trust))
    return any(
        result.method == "dmarc" and result.verdict == "fail" and _is_about(result.fact("header.from"), domain)
        for result in results
    )


def _is_about(named: str, domain: str) -> bool:
    return not named or aligned(named, domain)


def own_statements(trace: Trace, trust: Trust) -> Iterator[str]:
    """The Authentication-Results that stand where only our own host writes."""
    if trust.style is Style.ABOVE:
        yield from (value for name, value in trace[: _end_of_ours(trace, trust)] if name == RESULTS)
    else:
        yield from [value for name, value in trace if name == RESULTS][:1]


def _end_of_ours(trace: Trace, trust: Trust) -> int:
    """The place of the Received line above which nobody but our host has written; 0 where there is none.

    A line of ours that says LMTP was written as our host handed the mail on within itself: the next one is ours too.
    A sender can't say so, since the protocol is our own host's word, not his.
    """
    lines = [(at, value) for at, (name, value) in enumerate(trace) if name == RECEIVED]
    host = trust.received_by or trust.authserv_id
    if trust.received_by:
        lines = lines[next((n for n, (_, line) in enumerate(lines) if _by(line, host)), len(lines)) :]
    if not lines:
        return 0
    end = lines[0][0]
    for (_, line), (following, below) in pairwise(lines):
        if not (_by(line, host) and is_handed_on(line) and _by(below, host)):
            break
        end = following
    return end


def _by(line: str, host: str) -> bool:
    return host_of(line) == host.lower()


def _proofs(value: str, domain: str, trust: Trust) -> Iterator[Proof]:
    for result in _results(value, trust):
        if result.verdict != "pass":
            continue
        if result.method == "dmarc" and aligned(result.fact("header.from"), domain):
            yield Proof.DMARC
        signer = result.fact("header.d") or result.fact("header.i").rpartition("@")[2]
        if result.method == "dkim" and aligned(signer, domain):
            yield Proof.DKIM


def _results(value: str, trust: Trust) -> tuple[Result, ...]:
    """What our own host states in such a header; nothing of anybody else's."""
    name, results = read_statement(value)
    wanted = "" if trust.style is Style.MICROSOFT else trust.authserv_id.lower()
    return results if name == wanted else ()


def read_statement(value: str) -> tuple[str, tuple[Result, ...]]:
    """An Authentication-Results header: who states it (nothing where no name stands), and what."""
    pieces = _pieces(value[:MOST]) if len(value) <= MOST else []
    if not pieces:
        return "", ()
    named = "=" not in pieces[0][0] if pieces[0] else False
    name = pieces[0][0].lower() if named else ""
    results = pieces[1:] if named else pieces
    return name, tuple(result for piece in results if (result := _result(piece)) is not None)


def _result(words: Sequence[str]) -> Result | None:
    method, mark, verdict = words[0].partition("=") if words else ("", "", "")
    if not mark:
        return None
    facts = tuple((key.lower(), what) for key, sign, what in (word.partition("=") for word in words[1:]) if sign)
    return Result(method.partition("/")[0].lower(), verdict.lower(), facts)


def _pieces(value: str) -> list[list[str]]:
    """The words between semicolons, comments gone; a quoted text is part of its word, whatever signs it holds.

    What a sender chose (the left side of his address) may stand in quotes and look like a result. A header with a
    quote or a comment that doesn't end states nothing.
    """
    pieces: list[list[str]] = [[]]
    word: list[str] = []
    depth, quoted, skip = 0, False, False

    def end_of_word() -> None:
        if word:
            pieces[-1].append("".join(word))
            word.clear()

    for char in value:
        if skip:
            skip = False
            word += [char] if quoted else []
        elif char == "\\" and (quoted or depth):
            skip = True
        elif char == '"' and not depth:
            quoted = not quoted
        elif quoted:
            word.append(char)
        elif char == "(":
            depth += 1
        elif char == ")" and depth:
            depth -= 1
        elif depth:
            continue
        elif char == ";":
            end_of_word()
            pieces.append([])
        elif char.isspace():
            end_of_word()
        else:
            word.append(char)
    end_of_word()
    return [] if quoted or depth else [piece for piece in pieces if piece]


def aligned(signer: str, domain: str) -> bool:
    """The same organization speaks: the same name, or the same one below a public suffix (relaxed, hazard 63)."""
    one, other = ascii_domain(signer.strip().rstrip(".")), ascii_domain(domain.rstrip("."))
    if not one or not other:
        return False
    return one == other or (organization(one) == organization(other) != "")


@lru_cache(maxsize=1024)
def organization(domain: str) -> str:
    """`example.co.uk` of `mail.example.co.uk`; nothing for a public suffix itself."""
    return _suffixes().privatesuffix(domain) or ""


@lru_cache(maxsize=1)
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
