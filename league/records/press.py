"""Commitments to messages for everybody: a round's record holds their salted hashes, and the words lie beside it.

    hash = SHA-256(JCS([league, match, round, seat, text, salt])), `seat` empty where the writer isn't named
    salt = the first 128 bits of HMAC-SHA256(match secret, what it is for, the raw mail), in hex

The salt hangs on the mail's bytes and not on their check sum: when a person is forgotten and the bytes are gone,
nobody can make it again, and the hash that stays in the chain tells nothing (DESIGN: Records).
"""

from collections.abc import Mapping
from hashlib import sha256
from hmac import digest as hmac
from typing import Any

from league.core.json import Json
from league.records.canonical import canonical, digest
from league.records.keys import HALF

KIND, NAMES = "league-press-1", "league-names-1"
FOLDER, NAMES_FILE = "press/", "names.json"


def press_salt(secret: bytes, content: bytes, mail_digest: str, number: int) -> str:
    """The salt of a mail's message of this number; the digest tells a mail from the same one sent anew."""
    about = canonical(["press", mail_digest, number])
    return hmac(secret, sha256(about).digest() + content, "sha256")[:HALF].hex()


def press_hash(league: str, match: str, round_number: int, seat: str, text: str, salt: str) -> str:
    """The commitment to one message."""
    return digest([league, match, round_number, seat, text, salt])


def press_file(number: int) -> str:
    """Where the messages of a round are published, seen from the league's folder."""
    return f"{FOLDER}{number:04d}.json"


def is_of(row: Mapping[str, Any], league: str, match: str, number: int) -> bool:
    """Whether a published message is the one whose hash stands beside it."""
    said = (str(row["seat"]), str(row["text"]), str(row["salt"]))
    return press_hash(league, match, number, *said) == str(row["sha256"])


def press_json(league: str, match: str, number: int, rows: list[Json]) -> bytes:
    """The file of a round's messages."""
    return canonical({"kind": KIND, "league": league, "match": match, "round": number, "press": rows})


def names_json(league: str, match: str, names: Mapping[str, str]) -> bytes:
    """The file that says what seats are called: the one place for persons, and in no chain."""
    seats: list[Json] = [{"seat": seat, "name": name} for seat, name in names.items()]
    return canonical({"kind": NAMES, "league": league, "match": match, "seats": seats})
