"""The round between its freeze and its report, as one of its players may see it: what is his, and what he owes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from league.core.json import Json, JsonDict
from league.desk.clock import stamp
from league.desk.leagues.infos import round_info
from league.desk.leagues.orderbook import to_mails
from league.desk.leagues.presence import is_void
from league.desk.leagues.replies import asks, due, reports, still_open, with_replies
from league.desk.leagues.turns import rules_of, start_of
from league.desk.rounds.stands import orders_of, stands
from league.reports.context import Evaluation, ReceiptLine, order_facts
from league.storage import rounds
from league.storage.leagues import Place
from league.storage.orders import REPLIES
from league.storage.rounds import Loaded


@dataclass(frozen=True, slots=True)
class Owed:
    """A closed round for one seat: its orders in it, its reports, and the battles of which its report is missing."""

    loaded: Loaded
    orders: tuple[ReceiptLine, ...]
    reported: tuple[ReceiptLine, ...]
    battles: tuple[Mapping[str, Json], ...]
    pending: tuple[Mapping[str, Json], ...]
    until: datetime

    def evaluation(self) -> Evaluation:
        """For an answer."""
        return Evaluation(round_info(self.loaded.round), self.pending, self.until, self.battles)

    def facts(self) -> JsonDict:
        """For `status`: what else it waits for than the reader's own reports."""
        own = {_battle(item) for item in self.battles}
        return {
            "round": self.loaded.round.number,
            "orders": [_facts(line) for line in self.orders],
            "reported": [_facts(line) for line in self.reported],
            "battles": [dict(item) for item in self.battles],
            "pending": [dict(item) for item in self.pending if _battle(item) not in own],
            "until": stamp(self.until),
        }


def _battle(item: Mapping[str, Json]) -> tuple[Json, Json]:
    return item.get("country"), item.get("attempt")


def _facts(line: ReceiptLine) -> JsonDict:
    return {"order": dict(line.order), "notation": line.notation}


def shown_lines(lines: Sequence[ReceiptLine]) -> list[Json]:
    """Orders as the facts of a command's answer."""
    return [_facts(line) for line in lines]


def owed(tables: Sequence[Loaded], place: Place, at: datetime) -> Owed | None:
    """The oldest round whose orders are closed and whose report isn't out; None if there is none."""
    table = next((t for t in tables if t.round.status != rounds.RESOLVED), None)
    if table is None or (table.round.status == rounds.OPEN and at <= table.round.closes_at):
        return None
    if table.position is None and table.round.number > 1:  # it waits for the round before
        return None
    until, own = due(table), orders_of(table, place, table.submissions)
    laid = with_replies(table, table.submissions)
    outcome = laid.outcome()
    waits = at <= until
    said = {one.country for one in reports(laid, outcome) if one.seat == place.code}
    asked = [ask.facts for ask in asks(laid) if ask.seat == place.code] if waits else []
    return Owed(
        loaded=table,
        orders=stands(table, own),
        reported=_reported(table, place),
        battles=tuple(item for item in asked if item.get("attempt") != 1 or item.get("country") not in said),
        pending=still_open(laid, outcome) if waits else (),
        until=until,
    )


def _reported(table: Loaded, place: Place) -> tuple[ReceiptLine, ...]:
    game = rules_of(table)
    own = [s for s in table.submissions if s.seat_id == place.id and s.phase == REPLIES and not is_void(table, s)]
    return tuple(
        ReceiptLine(line.text, order_facts(line.order), game.notation(None, line.order))
        for mail in to_mails(game, start_of(table, game), own, table.seats)
        for line in mail.parsed.lines
        if line.order is not None
    )
