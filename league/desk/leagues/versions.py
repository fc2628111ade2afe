"""A match's records sorted: each round's versions, and the adjustments that stand between rounds (DESIGN: Corrections).

The way through a chain, in the order sealed: a round's record says with which position the next one starts, unless it
is a correction "from now"; an adjustment says with which position its own round starts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from league.records.sealed import KIND as UNSEALED
from league.records.sealed import read_whole
from league.storage.records import ADJUSTMENT, ROUND, Sealed

FROM_NOW, RECOMPUTE = "from_now", "recompute"
Body = Mapping[str, Any]


@dataclass(frozen=True)
class Version:
    """A record, read."""

    sealed: Sealed

    @cached_property
    def body(self) -> dict[str, Any]:
        """What it says, with what it keeps secret."""
        return read_whole(self.sealed.body, self.sealed.secret)


@dataclass(frozen=True)
class Versions:
    """A match's chain."""

    chain: tuple[Version, ...]

    @classmethod
    def of(cls, sealed: Sequence[Sealed]) -> "Versions":
        """The records in the order sealed."""
        return cls(tuple(Version(one) for one in sealed))

    def with_more(self, sealed: Sequence[Sealed]) -> "Versions":
        """The chain with what is sealed next."""
        return Versions((*self.chain, *(Version(one) for one in sealed)))

    @cached_property
    def rounds(self) -> Mapping[int, tuple[Version, ...]]:
        """Each round's versions, the newest last."""
        return self._sorted(ROUND)

    @cached_property
    def adjustments(self) -> Mapping[int, tuple[Version, ...]]:
        """The adjustments of each round's start."""
        return self._sorted(ADJUSTMENT)

    def _sorted(self, kind: str) -> dict[int, tuple[Version, ...]]:
        found: dict[int, tuple[Version, ...]] = {}
        for one in self.chain:
            if kind_of(one.sealed) == kind:
                found[one.sealed.round] = (*found.get(one.sealed.round, ()), one)
        return dict(sorted(found.items()))

    @cached_property
    def newest(self) -> Mapping[int, Version]:
        """Of each round the version that stands."""
        return {number: versions[-1] for number, versions in self.rounds.items()}

    @cached_property
    def opened(self) -> frozenset[str]:
        """Hashes of the records whose secrets the chain has opened."""
        links = (one for one in self.chain if one.sealed.kind == UNSEALED)
        return frozenset(str(row["record"]) for one in links for row in one.body["opened"])

    def hides(self, one: Version) -> bool:
        """Whether nobody may see this record's orders yet."""
        return one.sealed.secret is not None and one.sealed.sha256 not in self.opened

    @property
    def head(self) -> str:
        """The hash of the last record."""
        return self.chain[-1].sealed.sha256

    def size_to(self, one: Version) -> int:
        """How many records the chain has up to this one."""
        return self.chain.index(one) + 1

    def by_hash(self, sha256: str) -> Version:
        """The record with this hash."""
        return next(one for one in self.chain if one.sealed.sha256 == sha256)

    def in_force(self, number: int) -> tuple[Version, ...]:
        """The adjustments that are in the round's start: those after it was last made anew."""
        found: list[Version] = []
        for one in self.chain:
            kind = kind_of(one.sealed)
            if kind == ADJUSTMENT and one.sealed.round == number:
                found.append(one)
            elif kind == ROUND and one.sealed.round == number - 1 and makes_start(one.body):
                found.clear()
        return tuple(found)

    def corrected_by(self, adjustment: Version) -> tuple[Version, Version]:
        """The wrong and the right record of which an adjustment puts the difference into a start."""
        wrong, right = (self.by_hash(sha256) for sha256 in adjustment.body["of"])
        return wrong, right


def kind_of(sealed: Sealed) -> str:
    """What a record is, without reading it."""
    return "opening" if (sealed.kind, sealed.round) == (ROUND, 0) else sealed.kind


def makes_start(body: Body) -> bool:
    """Whether a round's record says with which position the next one starts."""
    return "correction" not in body or body["correction"]["mode"] == RECOMPUTE
