"""From bytes to a letter: what is read, what is bounded, and that nothing is ever raised."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.intake.headers import Arrival, Hop, addresses, arrival, arrive, hops, ids, words
from league.intake.html import lines_of
from league.intake.message import Signal, open_letter
from league.intake.mime import Limits, decoded
from league.intake.read import dry_run, dry_run_line, read_letter
from league.intake.screen import Verdict
from tests.intake.standin import NOW, READER, ROSTER, is_order, mail

LETTERS = [path.read_bytes() for path in sorted((Path(__file__).parent.parent / "letters").glob("*.eml"))]
HEAD = "From: anna@example.com\nMessage-ID: <m@example.com>\n"
HOST = "mx.league.example.org"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("Anna <anna@example.com>", ("anna@example.com",)),
        ('"Anna, of Example" <Anna@Example.COM>', ("anna@example.com",)),
        ("anna@example.com (Anna (really))", ("anna@example.com",)),
        ('"ben@example.com" <mallory@example.net>', ("mallory@example.net",)),
        ("a@example.com, b@example.com", ("a@example.com", "b@example.com")),
        ("anna@exämple.org", ("anna@xn--exmple-cua.org",)),
        ("anna@example.com)b@example.net", ("",)),
        ("ben@example.com <mallory@example.net>", ("",)),
        ("Foo [x] <a@example.com>", ("",)),
        ("<a@example.com><b@example.com>", ("",)),
        ("<a@example.com> b@example.com", ("",)),
        ("group: a@example.com;", ("",)),
        ("anna", ("",)),
        ("<@example.net:a@example.com>", ("",)),
        ('"anna <a@example.com>', ("",)),
        ("a@example.com <", ("",)),
        ("", ()),
    ],
)
def test_addresses(header: str, found: tuple[str, ...]) -> None:
    """One address is found only where every reader of the header would find it; a display name is never believed."""
    assert addresses(header)[: len(found) or 1] == found


def test_addresses_are_few() -> None:
    """The first twenty are enough."""
    assert len(addresses("a@example.com," * 500)) == 20


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        ("=?utf-8?Q?R=C3=BCckzug?=", "Rückzug"),
        ("=?utf-8?B?w7w=?= =?utf-8?Q?=C3?= =?utf-8?Q?=A4?=", "üä"),
        ("Re: =?iso-8859-1?q?r=F6nde?= 3", "Re: rönde 3"),
        ("=?utf-8?Q?a=0D=0ABcc:_b?=", "a Bcc: b"),
        ("=?x-nothing?Q?=FC?=", "ü"),
        ("=?utf-8?B?!!!?=", ""),
        ("=?utf-8*de?Q?x?=", "x"),
    ],
)
def test_encoded_words(header: str, shown: str) -> None:
    """Encoded words are decoded for the eye, split characters joined, control characters gone."""
    assert words(header) == shown


def test_thread_keeps_both_ends() -> None:
    """Of a long thread the first and the last ten ids are kept."""
    found = ids(" ".join(f"<{n}@x>" for n in range(50)))
    assert found == tuple(f"<{n}@x>" for n in (*range(10), *range(40, 50)))


@pytest.mark.parametrize(
    ("lines", "hour"),
    [
        ([f"from a by {HOST} with ESMTP; Fri, 9 Jan 2026 08:30:00 +0100"], 7),
        ([f"from a (b by {HOST}) by other.example.net; Fri, 9 Jan 2026 08:30:00 +0000"], None),
        (
            [
                "from a by relay.example.net; Fri, 9 Jan 2026 05:00:00 +0000",
                f"by {HOST}; Fri, 9 Jan 2026 04:00:00 -0000",
            ],
            4,
        ),
        ([f"from a by {HOST}; Fri, 9 Jan 2026 08:00:00 +0000", f"by {HOST}; Fri, 9 Jan 2026 04:00:00 +0000"], 8),
        ([f"from by by {HOST}; Fri, 9 Jan 2026 08:00:00 +0000"], 8),
        ([f"from a by x.{HOST}; Fri, 9 Jan 2026 08:00:00 +0000"], None),
        ([f"from a by {HOST}; yesterday"], None),
        ([f"from a by {HOST}; Sat, 10 Jan 2026 08:00:00 +0000"], None),
        ([], None),
    ],
)
def test_arrival(lines: list[str], hour: int | None) -> None:
    """Only the topmost line that our own host wrote tells the time; anything else leaves what we know ourselves."""
    expected = NOW if hour is None else datetime(2026, 1, 9, hour, 30 if hour == 7 else 0, tzinfo=UTC)
    assert arrival(lines, HOST, NOW) == expected
    assert arrival(lines, "", NOW) == NOW


def test_an_hour_ahead_is_allowed() -> None:
    """Clocks differ: up to an hour the host's word counts."""
    ahead = NOW + timedelta(minutes=59)
    assert arrival([f"by {HOST}; {ahead:%a, %d %b %Y %H:%M:%S} +0000"], HOST, NOW) == ahead


@pytest.mark.parametrize(
    ("lines", "boxed", "expected"),
    [
        ([f"by {HOST}; Fri, 9 Jan 2026 11:58:00 +0000"], 0, (-2, "received", "")),
        ([], 0, (0, "mailbox", "no_own_line")),  # dragged in by a person
        (["by elsewhere; Fri, 9 Jan 2026 11:58:00 +0000"], -600, (-600, "mailbox", "no_own_line")),
        ([f"by {HOST}; sometime"], -3, (-3, "mailbox", "no_time")),
        ([f"by {HOST}; Fri, 9 Jan 2026 09:00:00 +0000"], 0, (-180, "received", "")),
        ([f"by {HOST}; Fri, 9 Jan 2026 12:04:00 +0000"], 0, (4, "received", "")),
        ([f"by {HOST}; Fri, 9 Jan 2026 12:40:00 +0000"], 0, (40, "received", "ahead")),  # a provider's clock is wrong
        ([], 50, (50, "mailbox", "ahead")),
        ([], 90, (0, "fetched", "ahead")),
    ],
)
def test_whose_word_a_time_is(lines: list[str], boxed: int, expected: tuple[int, str, str]) -> None:
    """Our host's line, the mailbox, or nobody's but ours; and what speaks against it (hazards 53 to 56)."""
    found = arrive(lines, HOST, NOW + timedelta(minutes=boxed), NOW)
    assert ((found.at - NOW) // timedelta(minutes=1), found.word, found.doubt.value) == expected


def test_without_a_host_of_ours_nothing_is_doubted() -> None:
    """Who doesn't say which host is theirs isn't told about every mail."""
    assert arrive(["by x; Fri, 9 Jan 2026 09:00:00 +0000"], "", NOW, NOW) == Arrival(NOW, "mailbox")


def test_the_way_of_a_mail() -> None:
    """Every host with the time it wrote, the last one first: what greylisting or a queue cost is seen (hazard 54)."""
    way = hops(
        [
            f"from a (b [1.2.3.4]) by {HOST} with ESMTP id 1 for <x@y>; Fri, 9 Jan 2026 08:20:00 +0100 (CET)",
            "nonsense",
            "from phone by Relay.Example. with ESMTPSA; yesterday",
        ]
    )
    assert way == (Hop(HOST, datetime(2026, 1, 9, 7, 20, tzinfo=UTC)), Hop("relay.example", None))


@pytest.mark.parametrize("name", ["zlib", "rot13", "idna", "punycode", "unicode_escape", "undefined", "x" * 5000, "\0"])
def test_only_charsets_are_charsets(name: str) -> None:
    """A codec of Python that is no charset is never run on a mail."""
    assert decoded("verwüste".encode(), name) == "verwüste"


LIMITS = Limits(mail=20_000, header_block=2_000, header=500, received=3, depth=2, parts=4, text=400, lines=20)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (HEAD + "\n" + "x" * 20_000, "mail_too_big"),
        (HEAD + "X-A: b\n" * 400 + "\nx", "header_block_too_long"),
        (HEAD + f"Subject: {'x' * 600}\n\nx", "header_too_long"),
        (HEAD + "Received: x\n" * 4 + "\nx", "too_many_received"),
        (HEAD + "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 5, "too_many_parts"),
        (HEAD + "Content-Type: multipart/mixed\n\nx", "no_boundary"),
        (HEAD + "\n" + "word\n" * 21, "text_too_long"),
        (HEAD + "\n" + "w" * 401, "text_too_long"),
        ("just a text", "no_headers"),
        ("", "no_headers"),
    ],
)
def test_limits(content: str, problem: str) -> None:
    """What passes a limit is unreadable, with the limit's name."""
    assert open_letter(mail(content), is_order, LIMITS).problem == problem


def test_long_headers_that_nobody_reads_are_no_fault() -> None:
    """Spam filters write long headers into honest mails, and a thread grows."""
    letter = open_letter(
        mail(HEAD + f"X-Filter: {'x' * 600}\nReferences: {'<a@b> ' * 100}\n\ntake Paris"), is_order, LIMITS
    )
    assert (letter.problem, letter.fresh) == ("", "take Paris")


def test_long_quotes_are_no_fault() -> None:
    """Quoted lines don't count towards the limit, whether prefixed or below a cut."""
    prefixed = "take Paris\n" + "> old\n" * 100
    below = "take Paris\n-----Original Message-----\n" + "old\n" * 100
    for text in (prefixed, below):
        letter = open_letter(mail(f"{HEAD}\n{text}"), is_order, LIMITS)
        assert (letter.problem, letter.fresh) == ("", "take Paris")
        assert letter.quoted_lines >= 100


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n", "From anna Mon Jan  5 10:00:00 2026\n"])
def test_line_ends_and_beginnings(start: str, end: str) -> None:
    """A message reads the same with any kind of line end, and with what editors and mbox files put before it."""
    letter = open_letter(mail(f"{start}{HEAD}\ntake Paris\ntake Rom\n".replace("\n", end)))
    assert (letter.author, letter.fresh) == ("anna@example.com", "take Paris\ntake Rom")


def test_a_copy_without_id_has_the_same_id() -> None:
    """A mail without Message-ID gets one from what it says, whatever way it came."""
    body = "From: anna@example.com\nDate: x\n{}\n\ntake Paris\n"
    first, second = (open_letter(mail(body.format(way))) for way in ("Received: by a", "Received: by b"))
    other = open_letter(mail(body.format("Subject: y")))
    assert first.message_id == second.message_id != other.message_id


def test_content_key_folds() -> None:
    """The same orders by the same author have one key, however they are spaced, quoted or encoded."""
    one = open_letter(mail(HEAD + "\ntake  Paris\n\n> old\n"))
    two = open_letter(mail(HEAD.replace("<m@", "<n@") + "\nTake Paris"))
    assert one.content_key == two.content_key != open_letter(mail(HEAD + "\ntake Rom")).content_key


def test_plain_text_wins_over_html() -> None:
    """Alternatives are one text; a part that is HTML alone is read from its HTML."""
    alternative = "--a\nContent-Type: text/plain\n\ntake Paris\n--a\nContent-Type: text/html\n\ntake Rom\n--a--"
    letter = open_letter(mail(f"{HEAD}Content-Type: multipart/alternative; boundary=a\n\n{alternative}"))
    assert (letter.fresh, letter.has_html_only) == ("take Paris", False)
    letter = open_letter(mail(f"{HEAD}Content-Type: text/html\n\n<p>take Paris"))
    assert (letter.fresh, letter.has_html_only) == ("take Paris", True)


def test_content_key_is_the_same_for_every_game() -> None:
    """What is a double doesn't hang on which game's words were known when the mail was opened."""
    raw = mail(HEAD + "\n1. take Paris\n--\n2. take Rom\n")
    assert open_letter(raw, is_order).content_key == open_letter(raw).content_key
    assert open_letter(raw, is_order).fresh != open_letter(raw).fresh


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("<p>a <b>b</b>c<br>d", ["a bc", "d"]),
        ("a<blockquote>b<blockquote>c</blockquote>d</blockquote>e", ["a", "> b", "> c", "> d", "e"]),
        ('a<div class="x gmail_quote">b<div>c</div></div>d', ["a", "> b", "> c", "d"]),
        ('<a title="x>y">a</a> 1 < 2 &amp; <3', ["a 1 < 2 & <3"]),
        ("<style>x</style><title>y</title>a<!-- z", ["a"]),
        ('<div style="DISPLAY:none">x<div>y</div>z</div>a', ["a"]),
        ("<div>" * 1_000 + "a", ["a"]),
        ("a\nb<pre>c\nd</pre>e\nf", ["a b", "c", "d", "e f"]),
    ],
)
def test_html(source: str, lines: list[str]) -> None:
    """A block is a line, a quote is marked, and what can't be seen isn't there."""
    assert [line for line in lines_of(source).split("\n") if line] == lines


def test_signals_need_their_header() -> None:
    """An ordinary mail carries no mark."""
    assert (
        open_letter(mail(HEAD + "Precedence: first-class\nX-Auto-Response-Suppress: All\n\nx")).signals == frozenset()
    )
    assert Signal.AUTOMATIC in open_letter(mail(HEAD + "Auto-Submitted: auto-generated; x\n\nx")).signals


def check(content: bytes) -> None:
    (reading,) = dry_run([mail(content)], lambda _: READER, ROSTER)
    shown = dry_run_line(reading)
    assert shown["verdict"]
    assert "\0" not in str(shown["text"])


@given(st.binary(max_size=3000))
def test_any_bytes_get_a_verdict(content: bytes) -> None:
    """Whatever the bytes, there is a verdict and no exception."""
    check(content)
    check(HEAD.encode() + b"\n" + content)
    check(HEAD.encode() + b"Content-Type: text/html\n\n" + content)


@given(st.sampled_from(LETTERS), st.data())
def test_damaged_letters_get_a_verdict(letter: bytes, data: st.DataObject) -> None:
    """A letter with a stretch cut out, doubled or replaced gets a verdict and no exception."""
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(letter))] * 2)))
    middle = data.draw(
        st.sampled_from([b"", letter[start:end] * 2, b"\0", b"\xff\xfe", b"(" * 3000, b"<" * 500, b"\n\n"])
    )
    check(letter[:start] + middle + letter[end:])


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("<table><tr><td>take</td><td><p>Paris</p></td></tr><tr><td>pass</td></tr></table>", ["take Paris", "pass"]),
        ("<table><tr><td><p>take Paris</p><p>pass</p></td></tr></table>", ["take Paris", "pass"]),
        (
            '<div class="gmail_quote"><div class="gmail_attr">x:</div><blockquote>b</blockquote>c</div>',
            ["> x:", "> b", "c"],
        ),
        ('a<div id="appendonsend"></div>b<p>c', ["a", "> b", "> c"]),
        ('a<div style="border:none;border-top:solid #ccc 1pt"><p><b>From:</b> x</div>b', ["a", "> From: x", "> b"]),
        ('a<div style="border-top:solid red 1pt">take Paris</div>b', ["a", "take Paris", "b"]),
        ('<div style="white-space: pre-wrap">a\nb</div>', ["a", "b"]),
        ('<p style="font-size:0.9em">a<span style="font-size:0">b</span><span style="opacity:0.5">c</span>', ["ac"]),
        ("<p title='it\"s >'>a</p><p \"x>b</p>", ["a", "b"]),
        ('<p id="signature" class="x">a</p>b<div class="x_gmail_signature">c</div>', ["b"]),
        ("<p title='class=\"gmail_attr\"'>a", ["a"]),
    ],
)
def test_html_structure(source: str, lines: list[str]) -> None:
    """What mail programs quote, hide or lay out is told by its structure (hazards 14 to 16)."""
    assert [line for line in lines_of(source).split("\n") if line] == lines


def test_work_on_a_mail_ends() -> None:
    """Whatever keeps the processor busy, opening a mail or a game reading it, ends as an unreadable mail."""

    def busy(_: str) -> bool:
        while True:
            pass

    limits = Limits(seconds=0.05)
    assert open_letter(mail(f"{HEAD}\ntake Paris\n"), busy, limits).problem == "took_too_long"
    letter = open_letter(mail(f"{HEAD}\ntake Paris\n"), is_order, limits)
    reader = replace(READER, is_order=busy)
    reading = read_letter(mail(f"{HEAD}\ntake Paris\n"), letter, lambda _: reader, ROSTER, limits)
    assert (reading.verdict, reading.reason, reading.parsed.lines) == (Verdict.UNREADABLE, "took_too_long", ())


def test_a_html_bomb_in_one_form_is_no_mail() -> None:
    """A mail whose HTML can't be built isn't read by its plain text alone: nobody knows what its sender saw."""
    parts = f"--a\nContent-Type: text/plain\n\ntake Paris\n--a\nContent-Type: text/html\n\n{'<b>' * 5000}x\n--a--"
    letter = open_letter(mail(f"{HEAD}Content-Type: multipart/alternative; boundary=a\n\n{parts}"))
    assert letter.problem == "nested_too_deep"


def test_a_raised_number_is_no_digit_more() -> None:
    """`1<sup>2</sup>` isn't 12: what stands above or below the line is set apart, so that it is asked about."""
    html = "<p>bid 1<sup>2</sup> on Prag</p><p>take CO<sub>2</sub></p>"
    letter = open_letter(mail(HEAD + f"Content-Type: text/html\n\n{html}"))
    assert letter.text.split() == ["bid", "1^2", "on", "Prag", "take", "CO_2"]


@pytest.mark.parametrize(("attached", "hidden"), [("take Rom\nBen", 2), ("a note", 0), ("=FF=\n", 0)])
def test_orders_in_an_attached_text_are_told_of(attached: str, hidden: int) -> None:
    """They are never read; their lines are counted beside the quoted ones, and a broken attachment costs nothing."""
    body = (
        "Content-Type: multipart/mixed; boundary=M\n\n--M\nContent-Type: text/plain\n\ntake Paris\n--M\n"
        "Content-Type: text/plain; name=o.txt\nContent-Disposition: inline; filename=o.txt\n"
        f"Content-Transfer-Encoding: quoted-printable\n\n{attached}\n--M--\n"
    )
    letter = open_letter(mail(HEAD + body), is_order, LIMITS)
    assert (letter.fresh, letter.quoted_lines, letter.hidden_lines) == ("take Paris", hidden, hidden)
    assert not letter.problem
