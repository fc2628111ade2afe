"""What a match keeps secret until it is over: a round's record commits to it, and a later record opens it.

    sha256 = SHA-256(JCS([league, match, round, version, seat, part, value, salt]))
    salt   = the first 128 bits of HMAC-SHA256(match secret, [what it is for, round, version, seat, part]), in hex

Every seat of the match has a commitment to each of its parts, also to an empty one, so that nobody can read off who
has sent something. A part is a list of rows, each with its place among all of the round's: together they are the
`orders` (with their `fates`) and `void` of an ordinary record.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from hmac import digest as hmac
from json import loads
from typing import Any

from league.core.errors import Broken
from league.core.json import Json, JsonDict
from league.records.canonical import canonical, digest, stamp
from league.records.keys import HALF

KIND = "unsealed"  # the record that opens what records before it commit to
ORDERS, VOID = "orders", "void"  # the parts
PARTS = (ORDERS, VOID)
HIDDEN = (ORDERS, VOID, "fates")  # what a sealed record doesn't have
PLACE, FATE = "place", "fate"
Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A seat's part of a round, as it is kept and in the end published."""

    seat: str
    part: str
    salt: str
    value: tuple[Body, ...]

    def facts(self) -> JsonDict:
        """As JSON."""
        return {"seat": self.seat, "part": self.part, "salt": self.salt, "value": [dict(row) for row in self.value]}


def part_from(facts: Body) -> Part:
    """And back."""
    return Part(str(facts["seat"]), str(facts["part"]), str(facts["salt"]), tuple(facts["value"]))


def salt_of(secret: bytes, body: Body, seat: str, part: str) -> str:
    """The salt of a part; `secret` is the match's."""
    about = canonical(["sealed", body["round"], body["version"], seat, part])
    return hmac(secret, about, "sha256")[:HALF].hex()


def commitment(body: Body, part: Part) -> str:
    """What a record has in a part's place."""
    about = [str(body[name]) for name in ("league", "match")]
    rows: list[Json] = [dict(row) for row in part.value]
    return digest([*about, body["round"], body["version"], part.seat, part.part, rows, part.salt])


def is_sealed(body: Body) -> bool:
    """Whether a record commits to something that it doesn't show."""
    return "sealed" in body and ORDERS not in body


def close(body: Body, seats: Iterable[str], secret: bytes) -> tuple[JsonDict, tuple[Part, ...]]:
    """A whole record as it is published until the match is over, and the parts that it commits to."""
    parts = []
    for seat in seats:
        for name, rows in ((ORDERS, _with_fates(body)), (VOID, _placed(body[VOID]))):
            own = tuple(row for row in rows if row["seat"] == seat)
            parts.append(Part(seat, name, salt_of(secret, body, seat, name), own))
    if sum(len(part.value) for part in parts) != len(body[ORDERS]) + len(body[VOID]):
        raise Broken("a record has orders of a seat that isn't of the match")
    shown: JsonDict = {name: value for name, value in body.items() if name not in HIDDEN}
    told: list[Json] = [{"seat": one.seat, "part": one.part, "sha256": commitment(body, one)} for one in parts]
    return {**shown, "sealed": told}, tuple(parts)


def _placed(rows: Sequence[Body]) -> list[dict[str, Any]]:
    return [{**row, PLACE: place} for place, row in enumerate(rows)]


def _with_fates(body: Body) -> list[dict[str, Any]]:
    pairs = zip(_placed(body[ORDERS]), body["fates"], strict=True)
    return [{**row, FATE: fate} for row, fate in pairs]


def whole(body: Body, parts: Iterable[Part]) -> dict[str, Any]:
    """The record with what it commits to in its place."""
    given = tuple(parts)
    orders, void = (sorted((r for p in given if p.part == n for r in p.value), key=_place) for n in (ORDERS, VOID))
    shown = [[{k: v for k, v in row.items() if k not in (PLACE, FATE)} for row in rows] for rows in (orders, void)]
    return {**body, ORDERS: shown[0], VOID: shown[1], "fates": [row[FATE] for row in orders]}


def _place(row: Body) -> int:
    return int(row[PLACE])


def kept(parts: Iterable[Part]) -> bytes:
    """The parts as the site keeps them."""
    return canonical([part.facts() for part in parts])


def read_kept(content: bytes) -> tuple[Part, ...]:
    """And back."""
    return tuple(part_from(facts) for facts in loads(content))


def read_whole(content: bytes, secret: bytes | None) -> dict[str, Any]:
    """What a record's bytes say, with what the site keeps of it."""
    body: dict[str, Any] = loads(content)
    return body if secret is None else whole(body, read_kept(secret))


# ---------------------------------------------------------------- opening


def opening(
    league: str, match: str, number: int, at: Any, opened: Iterable[tuple[str, Body, Iterable[Part]]]
) -> JsonDict:
    """The record that opens: of each sealed record its hash, its round and version, and all its parts with salts."""
    rows: list[Json] = [
        {
            "record": sha256,
            "round": body["round"],
            "version": body["version"],
            "parts": [part.facts() for part in parts],
        }
        for sha256, body, parts in opened
    ]
    return {"kind": KIND, "league": league, "match": match, "number": number, "opened_at": stamp(at), "opened": rows}


def opened_faults(row: Body, body: Body) -> Iterator[str]:
    """What is wrong with an opening of this record: a part missing, twice or strange, or not what was committed to."""
    told = {(str(one["seat"]), str(one["part"])): str(one["sha256"]) for one in body["sealed"]}
    given = [part_from(facts) for facts in row["parts"]]
    names = [(part.seat, part.part) for part in given]
    if len(names) != len(set(names)) or set(names) != set(told):
        yield "its parts aren't those that the record commits to"
        return
    for part in given:
        if not compare_digest(commitment(body, part), told[part.seat, part.part]):
            yield f"{part.part} of {part.seat}: it isn't what round {body['round']} committed to"
        elif any(one["seat"] != part.seat for one in part.value):
            yield f"{part.part} of {part.seat}: a row of another seat"
