"""The one form of bytes that is hashed and signed: RFC 8785 (JCS)."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import rfc8785

from league.core.errors import Broken
from league.core.json import Json

SAFE = 2**53 - 1  # JSON numbers beyond this are read differently by different programs


def canonical(value: Json) -> bytes:
    """The value's canonical bytes. Numbers beyond 2^53 become strings; keys are ASCII; a float is a program error."""
    try:
        return rfc8785.dumps(_checked(value))
    except rfc8785.CanonicalizationError as error:  # half a surrogate pair
        raise Broken(f"this text has no place in a record: {error}") from error


def digest(value: Json) -> str:
    """SHA-256 of the canonical bytes, in hex."""
    return sha256(canonical(value)).hexdigest()


def stamp(moment: datetime) -> str:
    """A moment as records write it: UTC, whole seconds, Z."""
    if moment.tzinfo is None:
        raise Broken(f"a record needs a moment with a zone, not {moment!r}")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _checked(value: object) -> Any:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return value if -SAFE <= value <= SAFE else str(value)
    if isinstance(value, Mapping):
        return {_key(key): _checked(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_checked(item) for item in value]
    raise Broken(f"{type(value).__name__} has no place in a record: {value!r}")


def _key(key: object) -> str:
    if not isinstance(key, str) or not key.isascii():
        raise Broken(f"a record's keys are ASCII, and {key!r} isn't")
    return key
