"""Mails that nobody would write: mutated letters, random MIME trees, HTML soup, hostile headers, plain noise.

The same seed and number give the same bytes, so that a campaign's find can be made again.
"""

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from quopri import encodestring
from random import Random  # noqa: TID251  # inputs with a seed

# ruff: noqa: SIM905  # word lists are easier to read as texts

FOLDERS = (Path(__file__).parent.parent / "letters", Path(__file__).parent.parent / "desk" / "letters")
PLAYERS = ("anna@example.com", "ben@example.com", "carla@example.net")
ORGANIZER = "organizer@example.org"
OURS = "league@example.org"
FROMS = (
    *(f"From: {name}" for name in (*PLAYERS, *PLAYERS, ORGANIZER)),
    "From: Anna <anna@example.com>",
    'From: "Anna, B" <ANNA@example.com>',
    "From: =?utf-8?B?QW5uYQ==?= <anna@example.com>",
    "From: anna@example.com\nFrom: ben@example.com",
    "From: " + "(" * 3000 + "anna@example.com",
    "From: <anna@example.com",
    "From: group: anna@example.com;",
    "From:",
    f"From: {OURS}",
)
HEADERS = (
    "Subject: Orders",
    "Subject: =?utf-8?Q?R=C3=BCckzug?= =?latin-1?q?=E4?= =?nonsense?b?////?=",
    "Subject: Hi\r\n Bcc: someone@example.org",
    "Subject: =?utf-8?B?SGkNCkJjYzogbWFsbG9yeUBleGFtcGxlLm5ldA==?=",
    "Subject: " + "ä" * 900,
    "Subject: \x00\x1b[31m\u202eabc",
    "Message-ID: <fuzz@example.com>",
    "Message-ID: <a b@c> <d@e>",
    "Message-ID: <" + "x" * 950 + "@example.com>",
    "References: " + " ".join(f"<{n}@example.com>" for n in range(60)),
    "References: <" + "y" * 7000,
    "In-Reply-To: <league.x@example.org>",
    "Reply-To: mallory@example.net",
    "Date: Thu, 99 Foo 2099 99:99:99 +9999",
    "Auto-Submitted: no",
    "Auto-Submitted: auto-replied",
    "Precedence: bulk",
    "List-Id: <a.example.org>",
    "Return-Path: <>",
    "X-Loop: league@example.org",
    "Content-Type: text/plain" + ";" * 7000,
    "Content-Type: text/plain; charset=utf-7",
    "Content-Type: multipart/mixed",
    "Content-Type: multipart/mixed; boundary=",
    'Content-Type: text/html; charset="iso-8859-1',
    "Content-Type: text/plain; format=flowed; delsp=yes",
    "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: quoted-printable",
    "Content-Transfer-Encoding: x-uuencode",
    "Content-Disposition: attachment; filename*=utf-8''..%2F..%2Fx",
    "MIME-Version: 1.0",
    "Received: from a by b; Thu, 04 Jan 2024 21:00:00 +0000",
    "no colon here",
    ": no name",
    " folded without a beginning",
)
LINES = (
    "take Paris",
    "nimm Prag",
    "neem Spanje",
    "join Greece",
    "steige ein in Island",
    "doe mee in Frankrijk",
    "attack Spain",
    "bid 5 on Switzerland",
    "biete 1.000 auf Prag",
    "bied 99999999999999999999 op Praag",
    "bid ٣ on Bern",
    "pass",
    "passe",
    "if I own Paris: take Bern",
    "wenn ich Prag habe: nimm Wien",
    "always: take Rome",
    "stop always",
    "leave Vienna",
    "devastate Rome",
    "result Spain: Anna won",
    "press to all: hello",
    "press an Ben:",
    "pers aan alle",
    "end",
    "ende",
    "status",
    "help",
    "hilfe",
    "rules K23",
    "report 1",
    "language de",
    "zone Europe/Lisbon",
    "absent 2024-02-01 2024-03-01",
    "resign",
    "cancel all",
    "extend spring 1",
    "hold spring",
    "orders anna",
    "key abcd-efgh-2345-67xy",
    "- take Paris",
    "1. take Paris",
    "> take Paris",
    "| take Paris",
    "-- ",
    "--",
    "_" * 40,
    "-----Original Message-----",
    "Am 3. Januar 2024 schrieb Liga:",
    "On Wed, 3 Jan 2024 at 10:00, League <league@example.org> wrote:",
    "Von: Liga <league@example.org>\nGesendet: Mittwoch\nAn: Anna\nBetreff: Runde 1",
    "Sent from my phone",
    "begin 644 x",
    "\ufeff\u200b\u00adtake\u00a0Paris",
    "take\tP\u0430ris",
    "\u202etake Paris",
    "#" * 200,
    "x" * 5000,
    "take " + "Paris " * 300,
    "(" * 2000,
    "",
    "",
)
TAGS = (
    "div p br table tr td th blockquote pre span a b style script title head body html ul li ol hr img font center "
    "o:p v:shape svg math template noscript textarea select option iframe object form input meta base link"
).split()
ATTRIBUTES = (
    "",
    ' class="gmail_quote"',
    ' class="gmail_signature"',
    ' id="divRplyFwdMsg"',
    ' id="appendonsend"',
    ' type="cite"',
    ' style="display:none"',
    ' style="border:none;border-top:solid #E1E1E1 1.0pt"',
    ' style="font-size:0"',
    ' style="white-space:pre"',
    ' name="quote"',
    ' title="x>y"',
    " title='",
    ' href="javascript:alert(1)"',
    " " + "a" * 300,
)
ENTITIES = ("&nbsp;", "&amp;", "&#0;", "&#x110000;", "&lt;b&gt;", "&zwnj;", "&#8238;", "&", "<!--", "-->", "<![CDATA[")
CHARSETS = (
    "utf-8 us-ascii iso-8859-1 windows-1252 iso-8859-15 utf-7 utf-16 utf-32 koi8-r gb2312 iso-2022-jp cp037 hz "
    "nonsense idna punycode unicode_escape raw_unicode_escape rot13 hex zlib undefined base64 mbcs oem"
).split()
ENCODINGS = ("7bit", "8bit", "binary", "quoted-printable", "base64", "x-uuencode", "", "base64 ", "gzip")
KINDS = (
    *("text/plain", "text/html") * 6,
    *"text/calendar text/rtf image/png application/ms-tnef application/pgp-encrypted text text/ /plain".split(),
)
TREES = "mixed alternative related signed report digest encrypted parallel x-odd mixed alternative related".split()
LARGEST = 1_200_000  # a little more than what is read at all
BYTES = (b"\0", b"\xff\xfe", b"\r", b"\r\r\n", b"\n\n", b"=", b"=\r\n", b"--", b"<", b"\x1b$B", b"+AGE-", b"\x80\x9f")


@cache
def letters() -> tuple[bytes, ...]:
    """Letters as real programs write them."""
    return tuple(file.read_bytes() for folder in FOLDERS for file in sorted(folder.glob("*.eml")))


def made(seed: str, number: int) -> bytes:
    """The mail of this number."""
    dice = Random(f"{seed}/{number}")
    kind: Callable[[Random], bytes] = dice.choice((mutated, mutated, mutated, tree, tree, plain, plain, soup, noise))
    return kind(dice)[:LARGEST]


def mutated(dice: Random) -> bytes:
    """A real letter, hurt in a few places."""
    raw = dice.choice(letters())
    for _ in range(dice.choice((1, 1, 2, 3, 6, 12))):
        raw = dice.choice(WOUNDS)(dice, raw)
    return raw


def _stretch(dice: Random, raw: bytes) -> tuple[int, int]:
    start = dice.randint(0, len(raw))
    return start, min(len(raw), start + dice.choice((1, 4, 20, 100, 1000)))


def _cut(dice: Random, raw: bytes) -> bytes:
    start, end = _stretch(dice, raw)
    return raw[:start] + raw[end:]


def _double(dice: Random, raw: bytes) -> bytes:
    start, end = _stretch(dice, raw)
    return raw[:end] + raw[start:end] * dice.choice((1, 2, 30)) + raw[end:]


def _flip(dice: Random, raw: bytes) -> bytes:
    hurt = bytearray(raw or b"x")
    for _ in range(dice.choice((1, 3, 30))):
        hurt[dice.randrange(len(hurt))] = dice.randrange(256)
    return bytes(hurt)


def _insert(dice: Random, raw: bytes) -> bytes:
    start, _ = _stretch(dice, raw)
    return raw[:start] + _token(dice) + raw[start:]


def _token(dice: Random) -> bytes:
    many = dice.choice((1, 1, 1, 2, 50))
    table: Sequence[str] = dice.choice((LINES, LINES, HEADERS, ENTITIES, FROMS))
    return dice.choice((dice.choice(BYTES) * many, f"\n{dice.choice(table)}\n".encode("utf-8", "replace")))


def _splice(dice: Random, raw: bytes) -> bytes:
    other = dice.choice(letters())
    return raw[: dice.randint(0, len(raw))] + other[dice.randint(0, len(other)) :]


def _header(dice: Random, raw: bytes) -> bytes:
    return dice.choice(HEADERS).encode("utf-8", "replace") + b"\n" + raw


def _shuffle(dice: Random, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _ends(dice: Random, raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\n", dice.choice((b"\r\n", b"\r", b"\n", b"\r\r\n")))


def _charset(dice: Random, raw: bytes) -> bytes:
    return raw.replace(b"utf-8", dice.choice(CHARSETS).encode()).replace(b"UTF-8", dice.choice(CHARSETS).encode())


WOUNDS: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(_cut, _double, _flip, _insert, _insert, _splice, _header, _shuffle, _ends, _charset),
)


def head(dice: Random) -> str:
    """Some headers, as likely hostile as not; most of them from somebody we know."""
    lines = [dice.choice(FROMS), f"To: {OURS}", f"Message-ID: <{dice.getrandbits(40)}@example.com>"]
    lines += dice.sample(HEADERS, dice.choice((0, 1, 1, 2, 5)))
    dice.shuffle(lines)
    return "".join(f"{line}\n" for line in lines)


def text(dice: Random) -> str:
    """Lines that are orders, quotes, prose and rubbish."""
    prefix = dice.choice(("", "", "", "> ", "  ", "* "))
    chosen = (dice.choice(LINES) for _ in range(dice.choice((0, 1, 3, 8, 20, 300))))
    return "\n".join(prefix * (dice.random() < 0.3) + _letters(dice, line) for line in chosen)


def _letters(dice: Random, line: str) -> str:
    """Now and then one sign of a line is another."""
    if not line or dice.random() > 0.2:
        return line
    at = dice.randrange(len(line))
    return line[:at] + chr(dice.choice((0x20, 0x2D, 0xA0, 0x300, 0x2013, 0x1F600, 0xFE0F, 0xE4, 0x41))) + line[at + 1 :]


def html(dice: Random) -> str:
    """Tags opened and closed at random around lines."""
    out: list[str] = []
    for _ in range(dice.choice((3, 10, 40, 200))):
        tag = dice.choice(TAGS)
        opened = f"<{tag}{dice.choice(ATTRIBUTES)}>"
        out.append(dice.choice((opened, opened, f"</{tag}>", dice.choice(LINES), dice.choice(ENTITIES), "<", "\n")))
    return "".join(out) * dice.choice((1, 1, 1, 40))


def plain(dice: Random) -> bytes:
    """Headers and lines."""
    return (head(dice) + "\n" + text(dice)).encode(dice.choice(("utf-8", "utf-16", "latin-1")), "replace")


def soup(dice: Random) -> bytes:
    """HTML alone, or beside a text of its own."""
    first = head(dice)
    if dice.random() < 0.5:
        return f"{first}Content-Type: text/html; charset=utf-8\n\n{html(dice)}".encode("utf-8", "replace")
    parts = f"--b\n\n{text(dice)}\n--b\nContent-Type: text/html\n\n{html(dice)}\n--b--"
    return f"{first}Content-Type: multipart/alternative; boundary=b\n\n{parts}".encode("utf-8", "replace")


def noise(dice: Random) -> bytes:
    """No mail at all, or headers and then none."""
    rubbish = dice.randbytes(dice.choice((0, 1, 30, 3000, 30_000)))
    return dice.choice((b"", head(dice).encode("utf-8", "replace") + b"\n")) + rubbish


def tree(dice: Random) -> bytes:
    """Parts within parts, with wrong names on them."""
    return head(dice).encode("utf-8", "replace") + _part(dice, dice.choice((1, 2, 3, 4, 15)))


def _part(dice: Random, depth: int) -> bytes:
    roll = dice.random()
    if depth <= 0 or roll < 0.25:
        return _leaf(dice)
    if roll < 0.32:
        return b"Content-Type: message/rfc822\n\n" + head(dice).encode("utf-8", "replace") + _part(dice, depth - 1)
    boundary = dice.choice(("b", "b-", "bb", "b b", '"b"', "", "-" * 80, f"x{dice.randrange(99)}"))
    written = boundary.strip('"')
    named = dice.choice((boundary, f'"{written}"'))
    opened = f"Content-Type: multipart/{dice.choice(TREES)}; boundary={named}\n\n"
    many = dice.choice((1, 1, 1, 1, 2)) if depth > 3 else dice.choice((0, 1, 2, 3, 3, 9))
    parts = b"".join(f"--{written}\n".encode() + _part(dice, depth - 1) + b"\n" for _ in range(many))
    return opened.encode() + parts + dice.choice((f"--{written}--\n".encode(), b"", f"--{written}".encode()))


def _leaf(dice: Random) -> bytes:
    kind, charset, encoding = dice.choice(KINDS), dice.choice(CHARSETS), dice.choice(ENCODINGS)
    said = html(dice) if kind == "text/html" else text(dice)
    try:
        body = said.encode(charset, "replace")
    except (LookupError, ValueError, TypeError, AttributeError):
        body = said.encode("utf-8", "replace")
    if dice.random() < 0.8:
        body = b64encode(body) if encoding == "base64" else body
        body = encodestring(body) if encoding == "quoted-printable" else body
    lines = [f"Content-Type: {kind}; charset={charset}{dice.choice(('', '; format=flowed', '; name=x.txt'))}"]
    lines += [f"Content-Transfer-Encoding: {encoding}"] if encoding else []
    lines += ["Content-Disposition: attachment; filename=x"] if dice.random() < 0.1 else []
    return "\n".join(lines).encode() + b"\n\n" + body
