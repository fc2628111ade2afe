"""What a published chain must be by itself, whatever the game: order, keys, freezes, versions, positions in a row.

Nothing in a record is believed to be there: a function of this room may raise `KeyError` or `TypeError` over one that
isn't what it should be, and who calls it tells that as a fault of this record.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import sha256
from json import JSONDecodeError, dumps, loads
from typing import Any

from league.core.errors import Broken
from league.records.canonical import canonical
from league.records.chain import FIRST
from league.records.freeze import leaf, root, sorted_leaves
from league.records.note import Checkpoint, read_checkpoint, read_note, signed_by
from league.records.rotation import KIND as KEY
from league.records.rotation import key_faults
from league.records.sealed import HIDDEN, PARTS, is_sealed, opened_faults, part_from, whole
from league.records.sealed import KIND as UNSEALED

OPENING, ROUND, ADJUSTMENT = "opening", "round", "adjustment"
RECOMPUTE = "recompute"
LONG = re.compile(rb"[:,\[]-?[0-9]{16}")  # a number that may be beyond what every program reads alike
DAYS = 7
ORDERS = 1  # the phase of a mail that lies under the root
Body = Mapping[str, Any]
Found = Iterator[tuple[str, str]]  # a field, and what is wrong with it


@dataclass(frozen=True, slots=True)
class Link:
    """A published record as it was read."""

    file: str
    sha256: str
    body: Body

    @property
    def kind(self) -> str:
        """What it tells of."""
        return str(self.body.get("kind"))

    @property
    def round(self) -> int | None:
        """The round that it tells of, if it says one."""
        number = self.body.get("round")
        return number if isinstance(number, int) and not isinstance(number, bool) else None


@dataclass(frozen=True, slots=True)
class Fault:
    """A place where something doesn't hold: which check, file, round, field, and why."""

    check: str
    file: str
    field: str
    what: str
    round: int | None = None


def read_link(file: str, content: bytes) -> Link | Fault:
    """The record in these bytes, which must be canonical JSON."""
    try:
        body = loads(content, parse_float=_no_number, parse_constant=_no_number)
        plain = isinstance(body, dict) and _is_canonical(body, content)
    except (JSONDecodeError, UnicodeDecodeError, RecursionError, Broken, ValueError) as error:
        return Fault("chain", file, "", f"it can't be read as a record ({str(error)[:120]})")
    if not plain:
        return Fault("chain", file, "", "it isn't canonical JSON (RFC 8785)")
    return Link(file, sha256(content).hexdigest(), body)


def _no_number(written: str) -> None:
    raise Broken(f"{written[:40]} has no place in a record")


def _is_canonical(body: Body, content: bytes) -> bool:
    """By the quick way, which is the same where keys are ASCII and numbers are small; else by the standard's own."""
    quick = dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return quick == content and ((content.isascii() and not LONG.search(content)) or canonical(body) == content)


def in_order(links: Iterable[Link]) -> tuple[tuple[Link, ...], tuple[Fault, ...]]:
    """The records as each names the one before it; what doesn't hang on the chain comes behind it, and is told."""
    waiting: dict[str, list[Link]] = {}
    for link in links:
        waiting.setdefault(str(link.body.get("previous")), []).append(link)
    faults: list[Fault] = []
    ordered: list[Link] = []
    head: str = FIRST
    while found := waiting.pop(head, None):
        faults += [
            Fault("chain", other.file, "previous", f"{found[0].file} follows the same record", other.round)
            for other in found[1:]
        ]
        ordered.append(found[0])
        head = found[0].sha256
    lost = sorted((link for several in waiting.values() for link in several), key=_place)
    for link in lost[:1]:
        named = str(link.body.get("previous"))[:64]
        faults.append(Fault("chain", link.file, "previous", f"there is no record with the hash {named}", link.round))
    return (*ordered, *lost), tuple(faults)


def _place(link: Link) -> tuple[int, str]:
    return (link.round or 0, link.file)


# ---------------------------------------------------------------- keys and checkpoints


@dataclass(frozen=True, slots=True)
class InForce:
    """A signing key, from which place of the chain on it is in force, and since when (ISO; empty: the opening)."""

    public_key: str
    place: int
    since: str = ""


def keys_of(chain: Sequence[Link]) -> tuple[tuple[InForce, ...], tuple[Fault, ...]]:
    """The keys that the chain was signed with, one after the other; the last is in force now."""
    keys = [InForce(str(chain[0].body.get("public_key")), 0)] if chain else []
    faults: list[Fault] = []
    for place, link in enumerate(chain):
        if link.kind == KEY:
            wrong = key_faults(link.body, keys[-1].public_key)
            for one in wrong:
                place_, _, what = one.partition(": ")
                faults.append(Fault("signatures", link.file, place_, what))
            if not wrong:
                keys.append(InForce(str(link.body["public_key"]), place, str(link.body["changed_at"])))
    return tuple(keys), tuple(faults)


def key_at(keys: Sequence[InForce], place: int) -> str:
    """The key that signs a chain whose last record is at this place."""
    return [key.public_key for key in keys if key.place <= place][-1]


def checkpoint_faults(content: bytes, chain: Sequence[Link], keys: Sequence[InForce]) -> Found:
    """Whether a checkpoint is that of this chain, whole, and under the key in force."""
    note = read_note(content)
    found = read_checkpoint(note) if note else None
    if note is None or found is None:
        yield "", "it isn't a checkpoint"
        return
    first = chain[0].body
    if (found.league, found.match) != (first["league"], first["match"]):
        yield "line 1", f"it is of another chain ({found.origin})"
    elif found.size != len(chain):
        yield "line 2", f"it counts {found.size} records, and there are {len(chain)}"
    elif found.head != chain[-1].sha256:
        yield "line 3", f"its head is {found.head}, and that of the records is {chain[-1].sha256}"
    if not signed_by(note, found.origin, keys[-1].public_key):
        yield "signature", "it isn't by the key in force"


def signed_head(body: Body, size: int, head: str, keys: Sequence[InForce], signature: str) -> bool:
    """Whether the signature that a report mail carries is of the chain up to this record."""
    named = Checkpoint(str(body["league"]), str(body["match"]), size, head)
    return named.signed_by(key_at(keys, size - 1), signature)


# ---------------------------------------------------------------- what stays sealed until the match is over


def opened_chain(chain: Sequence[Link]) -> tuple[tuple[Link, ...], tuple[Fault, ...]]:
    """The records whole, where the chain opens what they commit to; and every opening that isn't what was sealed."""
    waiting = {link.sha256: link for link in chain if is_sealed(link.body)}
    whole_: dict[str, Link] = {}
    faults: list[Fault] = []
    for link in chain:
        if link.kind == UNSEALED:
            for place, row in enumerate(link.body["opened"]):
                found = waiting.pop(str(row["record"]), None)
                wrong = list(opened_faults(row, found.body)) if found else ["no sealed record has this hash"]
                faults += [
                    Fault("sealed", link.file, f"opened[{place}]", what, found.round if found else None)
                    for what in wrong
                ]
                if found and not wrong:
                    parts = [part_from(facts) for facts in row["parts"]]
                    whole_[found.sha256] = Link(found.file, found.sha256, whole(found.body, parts))
    return tuple(whole_.get(link.sha256, link) for link in chain), tuple(faults)


def sealed_faults(body: Body) -> Found:
    """Of a record that isn't opened: its root is over its leaves, and each seat has one of each part."""
    told = body["freeze"]
    if root(str(one) for one in told["leaves"]) != told["root"]:
        yield "freeze.root", "it isn't the root of the leaves"
    parts = [(one["seat"], one["part"]) for one in body["sealed"]]
    seats = sorted({seat for seat, _ in parts})
    if sorted(parts) != sorted((seat, part) for seat in seats for part in PARTS):
        yield "sealed", "it hasn't each part of each seat once"
    if shown := [name for name in HIDDEN if name in body]:
        yield shown[0], "it stands there beside its commitment"


# ---------------------------------------------------------------- what a record says of itself


def same_match(body: Body, opening: Body) -> Found:
    """League, match, game and what is fixed for the season are those of the opening."""
    for name in ("league", "match", "game"):
        if name in body and body[name] != opening[name]:
            yield name, f"it is {body[name]!r}, and in the opening {opening[name]!r}"
    if "rules" in body:
        for name in ("rules", "options"):
            if body["rules"][name] != opening["rules"][name]:
                yield f"rules.{name}", "it isn't what the opening fixed for the season"


def freeze_faults(body: Body) -> Found:
    """The leaves are those of the orders with their nonces, and the root is over them."""
    told = body["freeze"]
    made = sorted_leaves(
        leaf_of(body, row) for row in (*body["orders"], *body.get("void", ())) if row.get("phase", ORDERS) == ORDERS
    )
    if list(made) != told["leaves"]:
        other = sorted(set(made) ^ {str(one) for one in told["leaves"]})
        yield (
            "freeze.leaves",
            f"{len(made)} order mails don't make these leaves (first: {(other or ['a leaf told twice'])[0]})",
        )
    if root(str(one) for one in told["leaves"]) != told["root"]:
        yield "freeze.root", "it isn't the root of the leaves"


def leaf_of(body: Body, row: Body) -> str:
    """The leaf that an order mail of a record has."""
    received = datetime.fromisoformat(row["received_at"])
    named = (str(body["league"]), str(body["match"]), body["round"], row["seat"], row["revision"])
    return leaf(*named, received, row["orders"], row["nonce"])


def figure_faults(body: Body) -> Found:
    """The figures are of the week, Monday to Sunday, with which the round's evaluation ends; of each there is one."""
    if not body.get("ends"):
        return
    ends = date.fromisoformat(body["ends"])
    monday = ends - timedelta(days=ends.weekday())
    for place, row in enumerate(body["evidence"]):
        if not 0 <= (date.fromisoformat(row["day"]) - monday).days < DAYS:
            yield f"evidence[{place}].day", f"{row['day']} isn't in the week of {ends}"
    names = [row["figure"] for row in body["evidence"]]
    if len(set(names)) < len(names):
        yield "evidence", "a figure stands there twice"


# ---------------------------------------------------------------- one record after the other


@dataclass(slots=True)
class Course:
    """How rounds follow each other: each starts where the one before ended, or an adjustment says why not.

    A corrected round names the version that it supersedes and was given the same orders. "From now" leaves the later
    rounds as they are: then an adjustment record tells with which position the next one starts.
    """

    starts: dict[int, tuple[str, Any]] = field(default_factory=dict)  # round -> who says so, and the position
    versions: dict[int, list[Link]] = field(default_factory=dict)

    def follow(self, link: Link) -> Found:
        """What is wrong with this record behind those before it."""
        if link.kind == ADJUSTMENT:
            yield from self._adjusted(link)
        elif link.kind == ROUND:
            yield from self._round(link)

    def _round(self, link: Link) -> Found:
        body, number = link.body, link.round
        if number is None or number < 1:
            yield "round", f"{body.get('round')!r} is no round"
            return
        before = self.versions.setdefault(number, [])
        yield from _supersedes(body, before)
        if not before and number > 1 and number - 1 not in self.versions:
            yield "round", f"round {number - 1} is missing"
        elif not before and number + 1 in self.versions:
            yield "round", f"it was sealed behind round {number + 1}"
        if number in self.starts and self.starts[number][1] != body["start"]:
            yield "start", f"it isn't the position that {self.starts[number][0]} ends with"
        before.append(link)
        correction = body.get("correction")
        if correction is None or correction["mode"] == RECOMPUTE:
            self.starts[number + 1] = (link.file, body["position"])

    def _adjusted(self, link: Link) -> Found:
        body, number = link.body, link.round or 0
        if number in self.starts and self.starts[number][1] != body["from"]:
            yield "from", f"it isn't the position that {self.starts[number][0]} ends with"
        known = {one.sha256 for several in self.versions.values() for one in several}
        if not set(body["of"]) <= known:
            yield "of", "it corrects a record that isn't there"
        self.starts[number] = (link.file, body["to"])

    def corrected(self, link: Link) -> tuple[Link, Link, list[Body]]:
        """Of an adjustment the wrong and the right record, and the events told in between when it was made."""
        known = {one.sha256: one for several in self.versions.values() for one in several}
        wrong, right = (known[sha256_] for sha256_ in link.body["of"])
        between = range((wrong.round or 0) + 1, link.round or 0)
        stood = [_stood(self.versions[number], link.body["correction"]) for number in between]
        return wrong, right, [event for one in stood for event in one.body["events"]]


def _stood(versions: Sequence[Link], correction: Body) -> Link:
    """The version that stood before a correction began."""
    return [one for one in versions if one.body.get("correction") != correction][-1]


def _supersedes(body: Body, before: Sequence[Link]) -> Found:
    if body["version"] != len(before) + 1:
        yield "version", f"it is {body['version']}, and {len(before)} came before"
    if not before:
        return
    if body.get("supersedes") != before[-1].sha256:
        yield "supersedes", f"it isn't the hash of {before[-1].file}"
    for name in ("freeze", "orders", "void", "opens", "deadline", "closes", "press"):
        if body.get(name) != before[0].body.get(name):
            yield name, f"it isn't what {before[0].file} has, and no correction may change it"
