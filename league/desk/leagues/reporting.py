"""From a sealed record to what its page and mails are made of: the same whenever it is done."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from league.core.game import Outcome
from league.core.orders import OrderMail, Press
from league.desk.leagues.presence import INSTRUCTED
from league.desk.leagues.records import ruling_from
from league.desk.leagues.turns import Table, from_record, seats_in
from league.reports.context import (
    EvidenceReport,
    LeagueInfo,
    LineReport,
    MailReport,
    PressReport,
    ReadingReport,
    RoundInfo,
    RoundReport,
    order_facts,
)
from league.storage import orders
from league.storage.orders import ORDERS, PressLine
from league.storage.rounds import Loaded

BY_HAND = {"manual": "entered"}  # what the books call it -> what pages call it


def press_of(connection: Connection, loaded: Loaded, round_id: int) -> tuple[PressReport, ...]:
    """The round's press to everyone; what was written to single players stays where it is."""
    return press_report(loaded, orders.press(connection, [round_id]))


def press_report(loaded: Loaded, lines: Iterable[PressLine]) -> tuple[PressReport, ...]:
    """What of these lines went to everyone."""
    codes = {seat.id: seat.code for seat in loaded.seats}
    return tuple(
        PressReport("" if line.anonymous else codes[line.seat_id], Press((), line.text))
        for line in lines
        if not line.recipients
    )


def report_of(
    league: LeagueInfo,
    shown: RoundInfo,
    body: Mapping[str, Any],
    following: RoundInfo | None,
    press: tuple[PressReport, ...],
    board: str = "",
    *,
    hidden: bool = False,
) -> RoundReport:
    """A resolved round, recomputed from its record; press and the league's own board lie beside the records.

    `hidden`: its orders stay sealed until the match is over, and what became of them is told by events alone.
    """
    table = from_record(body, body["rules"]["options"], body["game"], board)
    made = replace(_report(league, shown, body, table, table.outcome(), following), press=press)
    return replace(made, mails=(), sealed=True, own=made.mails) if hidden else made


def _report(
    league: LeagueInfo,
    shown: RoundInfo,
    body: Mapping[str, Any],
    table: Table,
    outcome: Outcome[Any],
    following: RoundInfo | None,
) -> RoundReport:
    rows = zip(body["orders"], body["fates"], table.turn.mails, strict=True)
    said = [d for d in body["decisions"] if d["kind"] == INSTRUCTED]
    made = {(str(d["facts"]["seat"]), d["facts"]["revision"]): str(d["source"]) for d in said}
    return RoundReport(
        league=league,
        round=shown,
        view=table.game.view(table.state, outcome, None),
        events=tuple(body["events"]),
        mails=tuple(_mail(row, fate, mail, instructed=made.get(_key(row), "")) for row, fate, mail in rows),
        standings=table.game.score(outcome.state),
        previous=table.game.score(table.state),
        evidence=tuple(evidence_report(row) for row in body["evidence"]),
        following=following,
        away=_away(league, body, table),
    )


def _key(row: Mapping[str, Any]) -> tuple[str, Any]:
    return str(row["seat"]), row["revision"] if row.get("phase", ORDERS) == ORDERS else None


def _away(league: LeagueInfo, body: Mapping[str, Any], table: Table) -> tuple[str, ...]:
    """Seats that came later or left before."""
    there = (seats_in(table.game, table.state) | set(body["joined"])) - set(body.get("left", ()))
    return tuple(seat.id for seat in league.seats if seat.id not in there) if there else ()


def _mail(row: Mapping[str, Any], fate: Mapping[str, Any], mail: OrderMail[Any], *, instructed: str) -> MailReport:
    orders = [line.order for line in mail.parsed.lines]
    lines = tuple(
        LineReport(written=str(notation), ruling=ruling_from(ruling), notation=str(notation), order=order_facts(order))
        for notation, ruling, order in zip(row["orders"], fate["lines"], orders, strict=True)
    )
    received = datetime.fromisoformat(str(row["received_at"]))
    return MailReport(str(row["seat"]), received, ruling_from(fate["own"]), lines, instructed)


def evidence_report(row: Mapping[str, Any]) -> EvidenceReport:
    """A figure as records have it."""
    return EvidenceReport(
        str(row["figure"]),
        str(row["day"]),
        str(row["value"]),
        str(row["source"]),
        BY_HAND.get(str(row["status"]), str(row["status"])),
        str(row["reason"]),
        tuple(
            ReadingReport(str(r["source"]), str(r["value"]), datetime.fromisoformat(str(r["read_at"])))
            for r in row.get("readings", ())
        ),
    )


def waiting_report(
    league: LeagueInfo,
    shown: RoundInfo,
    table: Table,
    pending: Sequence[Mapping[str, Any]],
    following: RoundInfo | None,
    until: datetime | None,
) -> RoundReport:
    """A frozen round before its evaluation: what it waits for, and nobody's orders (K90)."""
    standings = table.game.score(table.state)
    return RoundReport(
        league=league,
        round=shown,
        view=table.game.view(table.state, None, None),
        standings=standings,
        previous=standings,
        pending=tuple(pending),
        following=following,
        replies_until=until,
    )
