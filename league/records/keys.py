"""What is derived from the site's key, always by HMAC-SHA256 over canonical JSON that says what for."""

from base64 import b32encode
from hmac import digest as hmac

from league.core.json import Json
from league.records.canonical import canonical

TOKEN = 10  # 80 bits, 16 characters
HALF = 16  # 128 bits are enough where nobody can choose both sides


def derive(site_key: bytes, purpose: str, *names: Json) -> bytes:
    """A key of 32 bytes for a purpose; different purposes have nothing in common."""
    return hmac(site_key, canonical([purpose, *names]), "sha256")


def match_secret(site_key: bytes, match: str) -> bytes:
    """The secret from which a match's nonces come."""
    return derive(site_key, "match", match)


def message_name(
    site_key: bytes, kind: str, match: str, round_number: int | None, seat: str | None, version: int
) -> str:
    """The local part of a mail's Message-ID: the same mail has always the same, and nobody else can make it."""
    half = hmac(site_key, canonical([kind, match, round_number, seat, version]), "sha256")[:HALF]
    return b32encode(half).decode().rstrip("=").lower()


def seat_token(site_key: bytes, match: str, seat: str, version: int) -> str:
    """What shows that a mail is from a seat's player; a new version makes the old one worthless (DESIGN: Mail)."""
    return b32encode(derive(site_key, "seat token", match, seat, version)[:TOKEN]).decode().lower()
