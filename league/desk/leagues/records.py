"""What a record says: the opening of a match, and a round with everything that recomputes it. Seats, never persons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league import __version__
from league.core.game import Outcome
from league.core.json import Json, JsonDict
from league.core.orders import Ruling
from league.desk import registry
from league.desk.clock import stamp
from league.desk.leagues.calendar import closed_early
from league.desk.leagues.orderbook import notations
from league.desk.leagues.presence import counted, void
from league.desk.leagues.sealing import Lock, seal_round
from league.desk.leagues.seasons import FIELD as SEASON
from league.desk.leagues.seasons import Follows
from league.desk.leagues.turns import Table, figures_of
from league.records import chain, freeze
from league.records.journal import FIELD
from league.storage.decisions import Entered
from league.storage.evidence import Figure
from league.storage.orders import ORDERS, PressLine
from league.storage.readings import Said
from league.storage.records import Sealed
from league.storage.rounds import Loaded

TOOL = f"league {__version__}"


def rules_named(game: str, rules: str, options: Mapping[str, Any], board: str = "") -> JsonDict:
    """Which rules a record stands on (DESIGN: Rules versions); `board` is the text of the league's own board."""
    tables = registry.tables_sha256(game, board)
    return {"rules": rules, "tables_sha256": tables, "options": dict(options), "tool": TOOL}


def opening_record(
    *,
    league: str,
    match_id: int,
    match: str,
    game: str,
    rules: str,
    options: Mapping[str, Any],
    calendar: Mapping[str, Any],
    public_key: str,
    now: datetime,
    sources: Mapping[str, Sequence[str]],
    board: str = "",
    after: Follows | None = None,
) -> Sealed:
    """Record 0 of a match: all that is fixed for the season; `after` is what one says that isn't a league's first."""
    body: JsonDict = {
        "kind": "opening",
        "league": league,
        "match": match,
        "game": game,
        "rules": rules_named(game, rules, options, board),
        "calendar": dict(calendar),
        "sources": {figure: list(names) for figure, names in sources.items()},
        "public_key": public_key,
        "opened_at": stamp(now),
        **({SEASON: after.facts()} if after is not None else {}),
    }
    sealed = chain.seal(body, chain.FIRST)
    return Sealed(match_id, 0, 1, sealed.json, sealed.sha256, chain.FIRST, now)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a round's record has of other books: what sources answered in its week, messages, how the journal stood.

    `lock`: what seals its orders.
    """

    said: Sequence[Said] = ()
    press: Sequence[PressLine] = ()
    journal: JsonDict | None = None
    lock: Lock | None = None


def round_record(
    loaded: Loaded,
    table: Table,
    outcome: Outcome[Any],
    figures: Sequence[Figure],
    now: datetime,
    beside: Beside,
) -> Sealed:
    """The account of a resolved round; under a lock it has commitments in the place of orders and fates."""
    codes = {seat.id: seat.code for seat in loaded.seats}
    leaves = freeze.sorted_leaves(s.leaf for s in loaded.submissions if s.phase == ORDERS)
    body: JsonDict = {
        "kind": "round",
        "league": loaded.league_slug,
        "match": loaded.match_slug,
        "round": loaded.round.number,
        "version": 1,
        "game": loaded.game,
        "rules": rules_named(loaded.game, loaded.rules, loaded.options, registry.board_of(loaded.sources)),
        "opens": stamp(loaded.round.opens_at),
        "deadline": stamp(loaded.round.deadline_at),
        "closes": stamp(loaded.round.closes_at),
        "evaluated": stamp(evaluated_at(loaded, figures)),
        "freeze": {"root": loaded.round.root, "leaves": [*leaves], "late": loaded.round.frozen_late, **_early(loaded)},
        "start": table.game.position(table.state),
        "joined": list(table.turn.joined),
        "left": list(table.turn.left),
        "ends": table.turn.ends.isoformat() if table.turn.ends else None,
        "next_ends": table.turn.next_ends.isoformat() if table.turn.next_ends else None,
        "orders": [_order(s, codes[s.seat_id]) for s in counted(loaded)],
        "void": [_order(s, codes[s.seat_id]) for s in void(loaded)],
        "evidence": [figure_row(figure, beside.said) for figure in figures_of(loaded, figures)],
        "decisions": decision_rows(loaded.decisions),
        "over": table.turn.over,
        "press": list(freeze.sorted_leaves(line.sha256 for line in beside.press if line.sha256)),
        **outcome_rows(table, outcome),
        **({FIELD: beside.journal} if beside.journal is not None else {}),
    }
    return seal_round(body, loaded.head, loaded.round.match_id, now, beside.lock)


def _early(loaded: Loaded) -> JsonDict:
    """What a freeze before its deadline says of itself."""
    return {"early": True} if closed_early(loaded.calendar, loaded.round.number) else {}


def outcome_rows(table: Table, outcome: Outcome[Any]) -> JsonDict:
    """What came out of a round, as its record has it."""
    return {
        "events": [event.facts() for event in outcome.events],
        "fates": _fates(table, outcome),
        "position": table.game.position(outcome.state),
        "standings": [[p.rank, p.seat, p.points] for p in table.game.score(outcome.state)],
    }


def decision_rows(entered: Iterable[Entered]) -> list[Json]:
    """Decisions, each with who gave it and when."""
    return [{"kind": d.kind, "facts": dict(d.facts), "source": d.source, "at": stamp(d.entered_at)} for d in entered]


def evaluated_at(loaded: Loaded, figures: Sequence[Figure]) -> datetime:
    """When the last thing the round needed was known: the same whenever the tool is run."""
    return max([known_at(loaded), *(f.entered_at for f in figures_of(loaded, figures))])


def known_at(loaded: Loaded) -> datetime:
    """When the last reply or decision of the round came; its closing while there is none."""
    replies = [s.received_at for s in loaded.submissions if s.phase != ORDERS]
    return max([loaded.round.closes_at, *replies, *(d.entered_at for d in loaded.decisions)])


def _order(submission: Any, seat: str) -> JsonDict:
    return {
        "seat": seat,
        "phase": submission.phase,
        "revision": submission.revision,
        "received_at": stamp(submission.received_at),
        "orders": notations(submission.lines),
        "replaces": submission.replaces,
        "nonce": submission.nonce,
    }


def figure_row(figure: Figure, said: Sequence[Said] = ()) -> JsonDict:
    """An agreed figure, with who said what of it when."""
    return {
        "figure": figure.figure,
        "day": figure.day.isoformat(),
        "value": figure.value,
        "status": figure.status,
        "source": figure.source,
        "reason": figure.reason,
        "readings": _readings(figure, said),
    }


def _readings(figure: Figure, said: Sequence[Said]) -> list[Json]:
    """Each source's answers until the figure came to stand, of the same one in a row the first and the last."""
    names = (figure.figure, f"{figure.figure}_set")
    own = [s for s in said if s.day == figure.day and s.figure in names and s.read_at <= figure.entered_at]
    shown: list[Json] = []
    for source in dict.fromkeys(s.source for s in own):
        answers = [s for s in own if s.source == source]
        for place, answer in enumerate(answers):
            same = [0 <= at < len(answers) and answers[at].value == answer.value for at in (place - 1, place + 1)]
            if not all(same):
                shown.append(
                    {
                        "source": source,
                        "value": answer.value,
                        "day": answer.day.isoformat(),
                        "read_at": stamp(answer.read_at),
                    }
                )
    return shown


def _fates(table: Table, outcome: Outcome[Any]) -> list[Json]:
    """Per mail the move's ruling and those of the understood lines, in the order of `orders`."""
    return [
        {
            "own": ruling_facts(fate.own),
            "lines": [
                ruling_facts(ruling)
                for line, ruling in zip(mail.parsed.lines, fate.lines, strict=True)
                if line.order is not None
            ],
        }
        for mail, fate in zip(table.turn.mails, outcome.fates, strict=True)
    ]


def ruling_facts(ruling: Ruling) -> JsonDict:
    """A ruling as records carry it."""
    return {"fate": ruling.fate, "reason": ruling.reason, "rule": ruling.rule, "facts": dict(ruling.facts)}


def ruling_from(facts: Mapping[str, Any]) -> Ruling:
    """And back."""
    from league.core.orders import Fate

    return Ruling(Fate(facts["fate"]) if facts["fate"] else None, facts["reason"], facts["rule"], facts["facts"])
