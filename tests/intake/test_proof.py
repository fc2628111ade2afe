"""Who wrote it: our own host's statements, signatures checked by ourselves, tokens (MAIL.md, hazards 60 to 70)."""

from base64 import b64encode
from dataclasses import replace
from itertools import product

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given
from hypothesis import strategies as st

from league.intake.message import Letter, open_letter
from league.intake.proof import Proof, Style, Trust, aligned, read_statement, stated
from league.intake.signature import KeyRing, Signed, check
from league.intake.tokens import plus_slug, plus_tokens, shown, token, without_keys
from tests.intake.standin import mail

OURS = Trust("mx.play.example", received_by="mx.play.example")
AUTHOR = "anna@example.org"
PASSED = "Authentication-Results: mx.play.example; dkim=pass header.d=example.org header.s=one"
RECEIVED = "Received: from out.example.org by mx.play.example with ESMTPS id 1; Wed, 3 Jan 2024 10:00:00 +0100"
FOREIGN = "Received: from phone by out.example.org with ESMTPSA; Wed, 3 Jan 2024 09:59:00 +0100"
LMTP = (
    "Received: from mx.play.example ([unix])\n\tby mx.play.example with LMTP id 2\n\tfor <x@y>; Wed, 3 Jan 2024 10:00"
)


def opened(*headers: str, author: str = AUTHOR) -> Letter:
    return open_letter(mail("\n".join([*headers, f"From: {author}", "", "take Paris", ""])))


def proof(*headers: str, trust: Trust = OURS) -> Proof:
    return stated(opened(*headers).trace, AUTHOR, trust)


# ------------------------------------------------------------------ what our own host states


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        ((PASSED, RECEIVED, FOREIGN), Proof.DKIM),
        ((PASSED, LMTP, RECEIVED, FOREIGN), Proof.DKIM),
        ((LMTP, PASSED, RECEIVED, FOREIGN), Proof.DKIM),
        ((RECEIVED, PASSED, FOREIGN), Proof.NONE),  # hazard 61: where a sender can write
        ((RECEIVED, FOREIGN, PASSED), Proof.NONE),
        ((RECEIVED, PASSED, RECEIVED), Proof.NONE),  # hazard 55: with a forged line of ours below
        ((LMTP, RECEIVED, PASSED, RECEIVED), Proof.NONE),
        ((PASSED,), Proof.NONE),  # never was at our host
        ((PASSED, FOREIGN), Proof.NONE),
        ((PASSED.replace("mx.play.example", "mx.play.example.org"), RECEIVED), Proof.NONE),
        ((PASSED.replace("mx.play.example", "MX.Play.Example"), RECEIVED), Proof.DKIM),
        ((PASSED.replace("mx.play.example", "x.mx.play.example"), RECEIVED), Proof.NONE),
        ((PASSED.replace("=pass", "=fail"), RECEIVED), Proof.NONE),
        ((PASSED.replace("example.org", "example.net"), RECEIVED), Proof.NONE),  # hazard 63
        ((PASSED.replace("d=example.org", "d=mail.example.org"), RECEIVED), Proof.DKIM),
        ((PASSED.replace("d=example.org", "d=org"), RECEIVED), Proof.NONE),
        ((PASSED, PASSED.replace("=pass", "=fail"), RECEIVED), Proof.DKIM),
        ((PASSED.replace("Results: ", "Results: (our host) "), RECEIVED), Proof.DKIM),
    ],
)
def test_only_what_our_own_host_wrote_counts(headers: tuple[str, ...], wanted: Proof) -> None:
    """A statement counts above our own Received block and under our own name; all others are somebody's claim."""
    assert proof(*headers) is wanted


def test_without_a_named_host_the_topmost_line_is_ours() -> None:
    """Where `received_by` isn't set, nothing below any Received line is believed."""
    trust = Trust("mx.play.example")
    assert proof(PASSED, RECEIVED, trust=trust) is Proof.DKIM
    assert proof(PASSED, LMTP, RECEIVED, trust=trust) is Proof.DKIM
    assert proof(FOREIGN, PASSED, RECEIVED, trust=trust) is Proof.NONE
    assert proof(PASSED, trust=trust) is Proof.NONE


def test_a_site_that_names_no_host_believes_none() -> None:
    """No `authserv_id`, no statement."""
    assert proof(PASSED, RECEIVED, trust=Trust(received_by="mx.play.example")) is Proof.NONE


@pytest.mark.parametrize(
    ("results", "wanted"),
    [
        ("dmarc=pass (p=none dis=none) header.from=example.org", Proof.DMARC),
        ("dkim=pass header.d=example.org; dmarc=pass header.from=example.org", Proof.DMARC),
        ("dmarc=pass header.from=example.net", Proof.NONE),
        ("dkim=pass header.d=example.org; dmarc=fail header.from=example.org", Proof.NONE),
        ("dkim=pass header.d=example.org; dmarc=fail (p=reject)", Proof.NONE),
        ("dmarc=fail header.from=example.org; dmarc=pass header.from=example.org", Proof.NONE),
        ("dkim=pass header.d=example.org; dmarc=fail header.from=example.net", Proof.DKIM),
        ("dkim=pass header.d=example.org; dmarc=none header.from=example.org", Proof.DKIM),
        ("dmarc=pass", Proof.NONE),
        ("dmarc=bestguesspass header.from=example.org", Proof.NONE),
        ("spf=pass smtp.mailfrom=anna@example.org", Proof.NONE),
        ("dkim=pass header.i=@example.org", Proof.DKIM),
        ('dkim=pass reason="good; signature" header.i=anna@example.org', Proof.DKIM),
        ("dkim/1=pass header.d=EXAMPLE.ORG", Proof.DKIM),
        ("dkim=pass header.d=example.net header.d=example.org", Proof.NONE),
        ("dkim=pass (header.d=example.org) header.d=example.net", Proof.NONE),
        ('spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.org"@example.net', Proof.NONE),
        ('spf=pass smtp.mailfrom="x\\"; dmarc=pass header.from=example.org "@example.net', Proof.NONE),
        ("spf=pass (x\\); dmarc=pass header.from=example.org) smtp.mailfrom=y@example.net", Proof.NONE),
        ("spf=pass (no end; dmarc=pass header.from=example.org", Proof.NONE),
        ("none", Proof.NONE),
    ],
)
def test_what_a_statement_says(results: str, wanted: Proof) -> None:
    """DMARC or DKIM for the author's own organization; what a sender chose stays in its quotes and comments."""
    assert proof(f"Authentication-Results: mx.play.example; {results}", RECEIVED) is wanted


def test_statements_of_providers() -> None:
    """Gmail writes below its own line, Microsoft 365 names nobody (hazard 62): the topmost one counts there."""
    gmail = "Authentication-Results: mx.google.com; dmarc=pass header.from=example.org"
    nobody = "Authentication-Results: spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=x; dkim=pass header.d=example.org"
    assert proof(RECEIVED, gmail, FOREIGN, trust=Trust("mx.google.com")) is Proof.NONE
    assert proof(RECEIVED, gmail, FOREIGN, trust=Trust("mx.google.com", Style.TOPMOST)) is Proof.DMARC
    assert proof(RECEIVED, nobody, gmail, trust=Trust("mx.google.com", Style.TOPMOST)) is Proof.NONE
    assert proof(RECEIVED, nobody, gmail, trust=Trust(style=Style.MICROSOFT)) is Proof.DKIM
    assert proof(RECEIVED, gmail, nobody, trust=Trust(style=Style.MICROSOFT)) is Proof.NONE


def test_alignment_ends_at_the_public_suffix() -> None:
    """The same organization, never merely the same registry; one name in two scripts is one name."""
    assert aligned("mail.example.co.uk", "example.co.uk")
    assert aligned("example.co.uk", "sub.example.co.uk")
    assert not aligned("other.co.uk", "example.co.uk")
    assert not aligned("co.uk", "example.co.uk")
    assert not aligned("", "")
    assert aligned("münchen.example", "xn--mnchen-3ya.example")


@given(st.text(max_size=300))
def test_no_header_is_too_strange(value: str) -> None:
    """Whatever stands in such a header, reading it ends, and states nothing under our name by accident."""
    read_statement(value)
    assert stated([("authentication-results", value), ("received", "by mx.play.example")], AUTHOR, OURS) in set(Proof)


def test_an_endless_header_states_nothing() -> None:
    """A header over the limit is not read."""
    endless = f"Authentication-Results: mx.play.example; {'x=y; ' * 4_000} dkim=pass header.d=example.org"
    assert proof(endless, RECEIVED) is Proof.NONE


# ------------------------------------------------------------------ signatures checked by ourselves


def key_pair() -> tuple[bytes, bytes]:
    made = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    private = made.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = made.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private, b"v=DKIM1; k=rsa; p=" + b64encode(public)


PRIVATE, PUBLIC = key_pair()
PLAIN = b"From: anna@example.org\r\nTo: league@play.example\r\nSubject: my move\r\n\r\ntake Paris\r\n"


def signed(content: bytes = PLAIN, domain: bytes = b"example.org", **options: object) -> bytes:
    canonical = (b"relaxed", b"relaxed")
    header = dkim.sign(content, b"one", domain, PRIVATE, canonicalize=canonical, **options)
    return bytes(header) + content


def ring(record: bytes | None = PUBLIC) -> KeyRing:
    return KeyRing(lambda _name, _seconds: record)


def test_a_good_signature_of_the_authors_domain() -> None:
    """It passes, with the line ends of a mail server and with those of a file."""
    assert check(signed(), AUTHOR, ring()) is Signed.PASS
    assert check(signed().replace(b"\r\n", b"\n"), AUTHOR, ring()) is Signed.PASS
    assert check(signed(domain=b"mail.example.org"), AUTHOR, ring()) is Signed.PASS


@pytest.mark.parametrize(
    ("content", "record", "wanted"),
    [
        (PLAIN, PUBLIC, Signed.NONE),
        (signed().replace(b"Paris", b"London"), PUBLIC, Signed.FAIL),
        (signed().replace(b"From: anna@", b"From: ben@"), PUBLIC, Signed.FAIL),
        (signed() + b"take London\r\n", PUBLIC, Signed.FAIL),
        (signed(length=True) + b"take London\r\n", PUBLIC, Signed.NONE),
        (signed(), None, Signed.FAIL),
        (signed(), b"v=DKIM1; p=", Signed.FAIL),
        (signed(), PUBLIC.replace(b"k=rsa", b"k=rsa; t=y"), Signed.FAIL),
        (signed(), b"rubbish", Signed.FAIL),
        (b"DKIM-Signature: rubbish\r\n" + PLAIN, PUBLIC, Signed.NONE),
        (b"DKIM-Signature: d=example.org; h=from\r\n" + PLAIN, PUBLIC, Signed.FAIL),
        (b"dkim-signature", PUBLIC, Signed.FAIL),
        # Blanks in a row are signed as one, so this is genuine; folding that many would take hours.
        (signed(PLAIN + b" ") + b" " * 200_000, PUBLIC, Signed.FAIL),
        (signed(PLAIN + b"x" * 400_000), PUBLIC, Signed.FAIL),
    ],
)
def test_signatures_that_prove_nothing(content: bytes, record: bytes | None, wanted: Signed) -> None:
    """Changed text or author, text below a signed length, a key that is gone or only on trial, rubbish."""
    assert check(content, AUTHOR, ring(record)) is wanted


def test_a_foreign_signature_asks_for_no_key() -> None:
    """A sender can't make us look up names of his choice, nor more than a few."""
    asked: list[str] = []

    def look_up(name: str, _: float) -> bytes | None:
        asked.append(name)
        return None

    assert check(signed(domain=b"example.net"), AUTHOR, KeyRing(look_up)) is Signed.NONE
    assert asked == []
    heap = b"".join(signed(PLAIN, selector)[: -len(PLAIN)] for selector in (b"a.example.org", b"b.example.org") * 5)
    assert check(heap + PLAIN, AUTHOR, KeyRing(look_up)) is Signed.FAIL
    assert len(asked) == 2


def test_a_resolver_that_is_away() -> None:
    """A key that can't be had in time proves nothing and says so; it is asked once, and a batch waits only so long."""
    asked: list[float] = []

    def look_up(_: str, seconds: float) -> bytes | None:
        asked.append(seconds)
        raise TimeoutError

    own = KeyRing(look_up)
    assert [check(signed(), AUTHOR, own) for _ in range(3)] == [Signed.UNKNOWN] * 3
    assert len(asked) == 1
    assert check(signed(domain=b"mail.example.org"), AUTHOR, replace(own, spent=15.0)) is Signed.UNKNOWN
    assert len(asked) == 1


# ------------------------------------------------------------------ tokens

KEY = "abcdefgh234567xy"


@pytest.mark.parametrize(
    "written", [KEY, KEY.upper(), "abcd-efgh-2345-67xy", "ABCD-efgh-2345-67XY", KEY.replace("b", "8")]
)
def test_a_token_however_it_is_typed(written: str) -> None:
    """Case and hyphens are no matter, and signs that tokens don't have are read as those they look like."""
    assert token(written) == KEY
    assert token(shown(KEY)) == KEY


@pytest.mark.parametrize("written", ["", "abc", KEY + "a", KEY[:-1] + "ä", KEY[:-1] + "9", "league"])
def test_what_is_no_token(written: str) -> None:
    """Another length, other signs."""
    assert token(written) == ""


def test_tokens_in_plus_parts() -> None:
    """Only of our own address; with the league's name before it or alone, in any case (hazard 66)."""
    to = [f"league+spring.{KEY}@play.example", f"league+{KEY}@play.example", f"league+{KEY}@other.example"]
    assert plus_tokens([to[0]], "League@play.example") == (KEY,)
    assert plus_tokens([to[1]], "league@play.example") == (KEY,)
    assert plus_tokens([to[2], "league@play.example", "league+spring@play.example"], "league@play.example") == ()
    assert [plus_slug(plus) for plus in (f"spring.{KEY}", KEY, "spring", "sp.ring")] == [
        "spring",
        "",
        "spring",
        "sp.ring",
    ]


@pytest.mark.parametrize(
    ("word", "line"),
    [*product(("key", "Key", "KEY", "Schlüssel", "sleutel"), ("{} abcd-efgh-2345-67xy", "# {}: ABCDEFGH234567XY "))],
)
def test_a_key_line_is_taken_out(word: str, line: str) -> None:
    """The key is found, and the text that is read, stored and echoed has no trace of it."""
    text, keys = without_keys(f"Hello\n{line.format(word)}\ntake Paris")
    assert (text, keys) == ("Hello\ntake Paris", (KEY,))


def test_a_slip_in_a_key_line_is_taken_out_too() -> None:
    """Most of a token must not be published as a line that wasn't understood."""
    assert without_keys(f"key {KEY[:-1]}\ntake Paris") == ("take Paris", ())
    assert without_keys("the key is under the mat\nkeyword\nkey: x") == (
        "the key is under the mat\nkeyword\nkey: x",
        (),
    )


def test_a_letter_has_no_key_in_its_text() -> None:
    """Of a whole mail: the key is the letter's, the fresh text is without it; a quoted one is nobody's."""
    found = open_letter(mail(f"From: {AUTHOR}\n\nkey {KEY}\ntake Paris\n\n> key {KEY[::-1]}\n"))
    assert (found.keys, found.fresh) == ((KEY,), "take Paris")
