"""EUROPA's orders (chapter 8.3): what a line can say, and writing it back; `reader.py` reads it.

Parties are named by their colours; `ME` stays `me` until the order is carried out, so that a line means the same
whoever reads it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from league.language.conditions import Conditional

ME: Final = "me"
TOTAL, NEED = "total", "need"
ALL, MINE, NONE = "all", "mine", "none"
Coalition = tuple[str, ...]  # parties, each once, in the order written


@dataclass(frozen=True, slots=True)
class Peace:
    """How many pawns to give for peace (M1)."""

    pawns: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Which conflicts to end if the sender leads after a failure (M2)."""

    countries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """Pawns that a condition looks at (M4): of a party, all, or how many are needed."""

    country: str
    of: str = TOTAL


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison: `sign` is <, <=, =, >= or >."""

    left: Operand
    sign: str
    right: Operand | int


@dataclass(frozen=True, slots=True)
class Item:
    """Pawns for a country."""

    country: str
    pawns: int


Placing = Item | Conditional[tuple[Comparison, ...], "Placing"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where to place pawns, from left to right (M3)."""

    items: tuple[Placing, ...]


@dataclass(frozen=True, slots=True)
class Ballot:
    """All that a party says about an election; `country` is "" for every election without a ballot of its own (M7).

    `policy` is "" where the line names none (M11). `move` None: not said; empty: stay.
    """

    country: str
    propose: tuple[Coalition, ...] = ()
    yes: tuple[Coalition, ...] = ()
    no: tuple[Coalition, ...] = ()
    policy: str = ""
    share: int = 0
    move: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """`FINAL`: these orders stand as they are; if everyone says so, nobody has to wait for the deadline (8.5)."""


Order = Peace | Plan | Place | Ballot | Ready


def notation(order: Order) -> str:
    """The order in English, as it is read back; countries by their ids."""
    match order:
        case Peace(pawns):
            return f"PEACE {pawns}"
        case Plan(countries):
            return f"PLAN {' > '.join(countries)}"
        case Place(items):
            return f"PLACE {', '.join(map(_item, items))}"
        case Ballot():
            return f"ELECTION {order.country or 'DEFAULT'}: {'; '.join(_clauses(order))}"
    return "FINAL"


def _item(item: Placing) -> str:
    if isinstance(item, Item):
        return f"{item.country} {item.pawns}"
    otherwise = f" ELSE {_item(item.otherwise)}" if item.otherwise is not None else ""
    return f"IF {' AND '.join(map(_comparison, item.condition))} THEN {_item(item.then)}{otherwise}"


def _comparison(test: Comparison) -> str:
    right = test.right if isinstance(test.right, int) else _operand(test.right)
    return f"{_operand(test.left)} {test.sign} {right}"


def _operand(operand: Operand) -> str:
    return f"{operand.country}.{_upper(operand.of)}"


def _upper(party: str) -> str:
    return party.upper() if party in (ME, TOTAL, NEED) else party


def _clauses(ballot: Ballot) -> Sequence[str]:
    said = []
    if ballot.propose:
        said.append(f"PROPOSE {' > '.join(map(_coalition, ballot.propose))}")
    if ballot.yes:
        said.append(f"YES {', '.join(map(_coalition, ballot.yes))}")
    if ballot.no:
        said.append(f"NO {', '.join(map(_coalition, ballot.no))}")
    if ballot.policy:
        said.append(f"POLICY {ballot.policy.upper()}{f' SHARE {ballot.share}' if ballot.share else ''}")
    if ballot.move is not None:
        said.append(f"MOVE {' > '.join(ballot.move)}" if ballot.move else "STAY")
    return said


def _coalition(parties: Coalition) -> str:
    return "+".join(map(_upper, parties))
