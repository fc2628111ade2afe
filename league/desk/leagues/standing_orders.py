"""Standing orders: what of a player's mails is kept for rounds in which nothing of his arrives.

The latest mail with kept lines (or with the end of them) has the say, whatever else was mailed since; mails are
ordered by arrival, so that the batches in which they were judged don't matter.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from league.core.game import Game
from league.core.json import Json
from league.core.orders import Line, Mistake, Parsed
from league.desk.leagues.orderbook import to_lines
from league.desk.leagues.turns import rules_of
from league.desk.site import Site
from league.reports.context import KeptOrders, ReceiptLine, order_facts
from league.storage.leagues import Place
from league.storage.mails import Mail
from league.storage.rounds import Loaded
from league.storage.standing import Kept

SET, ENDED, NONE = "set", "ended", "none"  # what a mail did: kept lines, ended them, had none to end


@dataclass
class Keeper:
    """What was kept before a batch of mails, by round and seat, and what the batch changes."""

    known: dict[tuple[int, int], Kept] = field(default_factory=dict)
    fresh: list[Kept] = field(default_factory=list)

    def take(
        self, site: Site, tables: Sequence[Loaded], here: Loaded, place: Place, mail: Mail, parsed: Parsed[Any]
    ) -> str:
        """Keep the mail's marked lines from this round on, or end those of before; what it did, "" for nothing."""
        marked: Parsed[Any] = Parsed(tuple(line for line in parsed.lines if line.standing and line.order is not None))
        if not marked.lines and not parsed.ends_standing:
            return ""
        had = self.known.get((here.round.id, place.id))
        lines = to_lines(rules_of(here), None, marked)
        kept = Kept(place.id, here.round.number, mail.received_at, mail.id, lines, site.now)
        self.fresh.append(kept)
        for table in tables:
            key = (table.round.id, place.id)
            if table.round.number >= kept.round and (key not in self.known or _order(self.known[key]) < _order(kept)):
                self.known[key] = kept
        return SET if lines else ENDED if had is not None and had.lines else NONE

    def laid_down(self) -> list[Kept]:
        """What is to be stored now; it isn't handed out a second time."""
        fresh, self.fresh = self.fresh, []
        return fresh

    def forget(self, seats: Collection[int]) -> None:
        """Who has left has nothing kept any more."""
        self.known = {key: kept for key, kept in self.known.items() if key[1] not in seats}

    def told(self, table: Loaded, place: Place, what: str = "") -> KeptOrders:
        """For the answer: what is kept for the seat now."""
        kept = self.known.get((table.round.id, place.id))
        return KeptOrders(shown(table, place, kept) if kept is not None else (), what)


def _order(kept: Kept) -> tuple[int, Any, int]:
    return kept.round, kept.received_at, kept.mail_id


def shown(table: Loaded, place: Place, kept: Kept) -> tuple[ReceiptLine, ...]:
    """The kept orders as answers have them."""
    game = rules_of(table)
    return tuple(
        ReceiptLine(line.text, order_facts(line.order), game.notation(None, line.order))
        for line in recalled(game, None, table, place, kept).lines
        if line.order is not None
    )


def recalled(game: Game[Any, Any], state: Any, table: Loaded, place: Place, kept: Kept) -> Parsed[Any]:
    """The kept lines as the game reads their notation now; what it no longer reads is a mistake like any other."""
    names = {seat.code: seat.code for seat in table.seats}
    written = [line for line in kept.lines if isinstance(line, Mapping)]
    lines = tuple(_recalled(game, state, place, line, names) for line in written)
    return Parsed(lines, replaces=game.parse(state, place.code, notation(kept), names).replaces)


def _recalled(
    game: Game[Any, Any], state: Any, place: Place, line: Mapping[str, Json], names: Mapping[str, str]
) -> Line[Any]:
    read = game.parse(state, place.code, str(line["order"]), names).lines
    if len(read) != 1:
        return Line(str(line["text"]), mistake=Mistake("not_understood"))
    return Line(str(line["text"]), read[0].order, read[0].mistake)


def notation(kept: Kept) -> str:
    """The kept orders as a mail's text."""
    return "\n".join(str(line["order"]) for line in kept.lines if isinstance(line, Mapping))
