"""Signed notes: a text, and under an empty line who signs it (c2sp.org/signed-note), as logs publish their state.

A signature's line is `— NAME BASE64`: the base64 is of the first four bytes of SHA-256(name, newline, 0x01, public
key), then the 64 bytes of an Ed25519 signature over the text, its last newline included. A checkpoint
(c2sp.org/tlog-checkpoint) is a note of three lines: which chain, how many records, the hash of the last one. That
hash is a chain's head and not the root of a tree; head and size leave no second chain all the same.
"""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from hashlib import sha256

from league.core.errors import Broken
from league.records.freeze import public_key, sign, verified

ED25519 = b"\x01"
KEY_HASH = 4
SIGNATURE = 64
BEGIN = "\N{EM DASH} "
MOST_SIGNATURES = 16


@dataclass(frozen=True, slots=True)
class Signature:
    """A line under a note: the name it is under, which key it claims, and the signature in base64."""

    name: str
    key_hash: bytes
    made: str


@dataclass(frozen=True, slots=True)
class Note:
    """A text and its signatures, none of them checked yet."""

    text: str
    signatures: tuple[Signature, ...]


def key_hash(name: str, key: str) -> bytes:
    """What tells keys apart in a signature's line; `key` is the public key in base64."""
    try:
        raw = b64decode(key, validate=True)
    except (NotBase64, ValueError) as error:
        raise Broken(f"{key!r} is no public key") from error
    return sha256(name.encode() + b"\n" + ED25519 + raw).digest()[:KEY_HASH]


def sign_note(text: str, name: str, seed: bytes) -> bytes:
    """The note as published. The same text, name and key are always the same bytes (RFC 8032)."""
    if not text.endswith("\n") or not _plain(text):
        raise Broken("a note's text is whole lines without control characters")
    raw = key_hash(name, public_key(seed)) + b64decode(sign(seed, text.encode()))
    return f"{text}\n{BEGIN}{name} {b64encode(raw).decode()}\n".encode()


def read_note(raw: bytes) -> Note | None:
    """The note in these bytes; None if they are none. Other people's signatures may stand beside ours."""
    try:
        written = raw.decode()
    except UnicodeDecodeError:
        return None
    text, gap, below = written.rpartition("\n\n")
    lines = below.split("\n")
    if not gap or not _plain(written) or lines.pop() != "" or not 0 < len(lines) <= MOST_SIGNATURES:
        return None
    found = [_signature(line) for line in lines]
    made = tuple(one for one in found if one is not None)
    return Note(text + "\n", made) if len(made) == len(found) else None


def _plain(text: str) -> bool:
    return all(sign >= " " or sign == "\n" for sign in text)


def _signature(line: str) -> Signature | None:
    dash, name, written = line[: len(BEGIN)], *line[len(BEGIN) :].rpartition(" ")[::2]
    try:
        raw = b64decode(written, validate=True)
    except (NotBase64, ValueError):
        return None
    if dash != BEGIN or not name or " " in name or "+" in name or len(raw) <= KEY_HASH:
        return None
    return Signature(name, raw[:KEY_HASH], b64encode(raw[KEY_HASH:]).decode())


def signed_by(note: Note, name: str, key: str) -> bool:
    """Whether the owner of this public key signed the note under this name."""
    wanted = key_hash(name, key)
    ours = [one for one in note.signatures if (one.name, one.key_hash) == (name, wanted)]
    return bool(ours) and all(verified(key, note.text.encode(), one.made) for one in ours)


# ---------------------------------------------------------------- checkpoints


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a match's chain goes: the number of its records and the hash of the last one, in hex."""

    league: str
    match: str
    size: int
    head: str

    @property
    def origin(self) -> str:
        """What names the chain, and the key under a checkpoint of it."""
        return f"league/{self.league}/{self.match}"

    @property
    def text(self) -> str:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(bytes.fromhex(self.head)).decode()}\n"

    def sealed(self, seed: bytes) -> bytes:
        """The note as published."""
        return sign_note(self.text, self.origin, seed)

    def signature(self, seed: bytes) -> str:
        """The Ed25519 signature alone: where size and head stand beside it (report mails)."""
        return sign(seed, self.text.encode())

    def signed_by(self, key: str, signature: str) -> bool:
        """Whether the owner of this public key made this signature."""
        return verified(key, self.text.encode(), signature)


def read_checkpoint(note: Note) -> Checkpoint | None:
    """What a note says of a chain; None if it isn't a checkpoint as we write them."""
    lines = note.text.split("\n")
    parts = lines[0].split("/")
    if len(lines) != 4 or len(parts) != 3 or not lines[1].isascii() or not lines[1].isdecimal() or len(lines[1]) > 9:
        return None
    try:
        head = b64decode(lines[2], validate=True)
    except (NotBase64, ValueError):
        return None
    found = Checkpoint(parts[1], parts[2], int(lines[1]), head.hex())
    return found if len(head) == sha256().digest_size and found.text == note.text else None
