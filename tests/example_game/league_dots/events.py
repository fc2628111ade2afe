"""What can happen in Dots."""

from dataclasses import dataclass

from league.core.events import Event


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """Somebody was alone in wanting a dot and has it (D2)."""

    dot: int
    seat: str
    rule: str = "D2"


@dataclass(frozen=True, slots=True)
class Clash(Event):
    """Several wanted the same dot, and nobody has it (D3)."""

    dot: int
    seats: tuple[str, ...]
    rule: str = "D3"
