"""Replies: what a round is told while it is evaluated, and what it still waits for (K32 to K35, K63, K64)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from league.core.game import Ask, Outcome
from league.core.json import Json
from league.core.orders import Fate, OrderMail, Parsed, Ruling
from league.desk.leagues.calendar import replies_due
from league.desk.leagues.turns import Table, lay_out
from league.storage import rounds
from league.storage.orders import Submission
from league.storage.rounds import Loaded

Pending = Sequence[Mapping[str, Json]]
ASKED = ("battle", "decision")  # what replies can settle; figures come from elsewhere


@dataclass(frozen=True, slots=True)
class Report:
    """Who said what of a battle, as the rules took it."""

    country: str
    seat: str
    winner: str
    received: datetime | None


def due(loaded: Loaded) -> datetime:
    """When the waiting for the round's replies ends, or ended by somebody's word."""
    over = [d.entered_at for d in loaded.decisions if d.kind == "over"]
    return min([replies_due(loaded.calendar, loaded.round), *over])


def evaluated(tables: Sequence[Loaded], arrived: datetime) -> Loaded | None:
    """The round that a reply of this moment is for: the oldest one whose orders are closed.

    After the end of waiting only a dispute keeps it open to replies (K33).
    """
    oldest = next((t for t in tables if t.round.status != rounds.RESOLVED), None)
    if oldest is None or (oldest.round.status == rounds.OPEN and arrived <= oldest.round.closes_at):
        return None
    if oldest.position is None and oldest.round.number > 1:
        return None
    if arrived <= due(oldest) or any(item["kind"] == "decision" for item in still_open(over_now(oldest))):
        return oldest
    return None


def over_now(loaded: Loaded) -> Table:
    """The round as it stands once nothing is waited for any more; figures decide nothing of battles."""
    return lay_out(loaded, (), over=True)


def with_replies(loaded: Loaded, submissions: Sequence[Submission]) -> Table:
    """The round with these mails; its battles are settled before any figure counts."""
    return lay_out(replace(loaded, submissions=tuple(submissions)), ())


def asks(table: Table) -> tuple[Ask, ...]:
    """Whom the round asks for what; nothing where it waits for figures alone."""
    phase = table.game.phase(table.state, table.turn)
    return tuple(ask for ask in phase.asks if ask.kind == "result") if phase is not None else ()


def still_open(table: Table, outcome: Outcome[Any] | None = None) -> tuple[Mapping[str, Json], ...]:
    """What is pending that replies can settle."""
    if not asks(table):
        return ()
    pending = (outcome or table.outcome()).pending
    return tuple(item for item in pending if item["kind"] in ASKED)


def settled(before: Pending, after: Pending) -> bool:
    """Whether a battle that was waited for is decided now."""
    left = {_key(item) for item in after}
    return any(item["kind"] == "battle" and _key(item) not in left for item in before)


def _key(item: Mapping[str, Json]) -> tuple[Json, Json, Json]:
    return item["kind"], item.get("country"), item.get("attempt")


def nothing_asked(loaded: Loaded, seat: str, parsed: Parsed[Any]) -> tuple[Ruling, ...]:
    """What the rules say to replies for which no battle waits."""
    table = lay_out(replace(loaded, submissions=(), decisions=()), ())
    mail: OrderMail[Any] = OrderMail(seat, parsed)
    (fate,) = table.game.adjudicate(table.state, replace(table.turn, mails=(mail,))).fates
    return fate.lines


def reports(table: Table, outcome: Outcome[Any]) -> tuple[Report, ...]:
    """What fighters reported, in order of arrival."""
    return tuple(
        Report(str(ruling.facts["country"]), mail.seat, str(ruling.facts["winner"]), mail.received)
        for mail, fate in zip(table.turn.mails, outcome.fates, strict=True)
        for line, ruling in zip(mail.parsed.lines, fate.lines, strict=True)
        if line.order is not None and table.game.is_report(line.order) and ruling.fate is Fate.DONE
        if {"country", "winner"} <= ruling.facts.keys()
    )
