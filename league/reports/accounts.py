"""Players' accounts: what a round brought and cost each of them, item by item."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.core.json import Json
from league.core.standings import Standings
from league.core.view import View

Facts = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a player's account of the round. `counts` is False for a penalty that was waived."""

    item: str
    points: int
    rule: str
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Account:
    """A player's points item by item, what was spent on the way among them."""

    seat: str
    entries: tuple[Entry, ...]

    @property
    def total(self) -> int:
        """What the round brought."""
        return sum(entry.points for entry in self.entries if entry.counts)


def accounts(standings: Standings, view: View, events: Sequence[Facts]) -> list[Account]:
    """Every player's account, in the order of the table."""
    paid = list(spent(events))
    made = []
    for place in standings:
        costs = [entry for seat, entry in paid if seat == place.seat]
        items = [_entry(item) for item in view.items.get(place.seat, ())]
        made.append(Account(place.seat, (*costs, *items)))
    return made


def _entry(item: Facts) -> Entry:
    points = item["points"]
    return Entry(
        str(item["item"]), points if isinstance(points, int) else 0, str(item.get("rule", "")), not item.get("waived")
    )


def spent(events: Iterable[Facts]) -> Iterable[tuple[str, Entry]]:
    """Facts by name: who `paid`, who paid `mercenaries`, whose points went from `before` to `after`."""
    for event in events:
        seat, rule, type_ = str(event.get("seat", "")), str(event.get("rule", "")), str(event.get("type", ""))
        paid, extra = event.get("paid", 0), event.get("mercenaries", 0)
        cost = (paid if isinstance(paid, int) else 0) + (extra if isinstance(extra, int) else 0)
        if cost:
            yield seat, Entry(type_, -cost, rule)
        before, after = event.get("before"), event.get("after")
        if isinstance(before, int) and isinstance(after, int):
            yield seat, Entry(type_, after - before, rule)
