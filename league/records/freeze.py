"""Commitments to orders: what a round's freeze publishes, and what a receipt proves.

    leaf  = SHA-256(JCS([league, match, round, seat, revision, received_at, orders, nonce]))
    nonce = the first 128 bits of HMAC-SHA256(match secret, SHA-256 of the raw mail), in hex
    root  = SHA-256(JCS([leaf, leaf, …])), the leaves in hex, sorted

`received_at` is UTC in whole seconds with Z. JCS is RFC 8785; for a list of hex strings it is the list as JSON
without spaces, so the published root can be checked by hand:

    printf '["aa…","bb…"]' | sha256sum

The nonce keeps others from guessing orders out of a leaf; whoever has a receipt has the nonce and can.
A round without orders has the root of the empty list.
"""

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hmac import digest as hmac

from league.core.errors import Broken
from league.core.json import Json
from league.records.canonical import canonical, digest, stamp
from league.records.keys import HALF, derive

KIND, REPLY = "league-receipt-1", "league-reply-1"  # a reply's leaf is in no freeze, but in the round's record


@dataclass(frozen=True, slots=True)
class Held:
    """An order mail as the freeze commits to it. `orders` are its lines as read; seats are named, never persons."""

    league: str
    match: str
    round: int
    seat: str
    revision: int
    received_at: datetime
    orders: tuple[Json, ...]
    nonce: str

    @property
    def leaf(self) -> str:
        """The commitment."""
        return leaf(
            self.league,
            self.match,
            self.round,
            self.seat,
            self.revision,
            self.received_at,
            self.orders,
            self.nonce,
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a player gets for an order mail: a later freeze of this round without the leaf convicts.

    With the kind of a reply it is the round's record that must have the leaf among its orders.
    """

    league: str
    match: str
    round: int
    seat: str
    revision: int
    received_at: datetime
    nonce: str
    leaf: str
    kind: str = KIND

    def payload(self) -> bytes:
        """The bytes that are signed."""
        named: Mapping[str, Json] = {
            "kind": self.kind,
            "league": self.league,
            "leaf": self.leaf,
            "match": self.match,
            "nonce": self.nonce,
            "received_at": stamp(self.received_at),
            "revision": self.revision,
            "round": self.round,
            "seat": self.seat,
        }
        return canonical(named)


def nonce(secret: bytes, mail_digest: str) -> str:
    """The nonce of a mail, from the match secret and the hex SHA-256 of the mail's raw bytes."""
    return hmac(secret, bytes.fromhex(mail_digest), "sha256")[:HALF].hex()


def leaf(
    league: str,
    match: str,
    round_number: int,
    seat: str,
    revision: int,
    received_at: datetime,
    orders: Iterable[Json],
    salt: str,
) -> str:
    """The commitment to one order mail; `salt` is its nonce."""
    return digest([league, match, round_number, seat, revision, stamp(received_at), list(orders), salt])


def sorted_leaves(leaves: Iterable[str]) -> tuple[str, ...]:
    """The leaves as published: their order says nothing about seats or times."""
    return tuple(sorted(leaves))


def root(leaves: Iterable[str]) -> str:
    """What stands for all of a round's orders."""
    return digest(list(sorted_leaves(leaves)))


def receipt(held: Held) -> Receipt:
    """The receipt of an order mail."""
    return Receipt(
        held.league,
        held.match,
        held.round,
        held.seat,
        held.revision,
        held.received_at,
        held.nonce,
        held.leaf,
    )


def convicts(given: Receipt, published: Iterable[str]) -> bool:
    """Whether a freeze with these leaves breaks the word given in a (verified) receipt."""
    return given.leaf not in set(published)


def signing_seed(site_key: bytes) -> bytes:
    """The seed of the site's Ed25519 key."""
    return derive(site_key, "receipts")


def sign(seed: bytes, payload: bytes) -> str:
    """An Ed25519 signature in base64."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # heavy; only signing needs it

    return b64encode(Ed25519PrivateKey.from_private_bytes(seed).sign(payload)).decode()


def public_key(seed: bytes) -> str:
    """The key with which signatures of this seed are verified, in base64."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return b64encode(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()).decode()


def verified(key: str, payload: bytes, signature: str) -> bool:
    """Whether the signature is of this payload by the owner of this public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        owner = Ed25519PublicKey.from_public_bytes(b64decode(key, validate=True))
    except (NotBase64, ValueError) as error:
        raise Broken(f"{key!r} is no Ed25519 public key") from error
    try:
        owner.verify(b64decode(signature, validate=True), payload)
    except (InvalidSignature, NotBase64, ValueError):
        return False
    return True
