"""What a correction makes of sealed records: worked out beforehand and stored by `correct_round` (DESIGN: Corrections).

A round is evaluated again from its own record with one thing changed: figures, results, or all that the books say now.
Orders never change. Nothing here reads or writes anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from league.core.errors import BadInput, Refused
from league.core.game import Outcome
from league.core.json import Json, JsonDict
from league.core.orders import NO_FACTS
from league.desk.clock import stamp
from league.desk.leagues.records import outcome_rows, rules_named
from league.desk.leagues.sealing import Lock, seal_round
from league.desk.leagues.turns import Table, from_record
from league.desk.leagues.versions import FROM_NOW, Body, Version, Versions
from league.records import chain
from league.records.journal import FIELD
from league.storage.records import ADJUSTMENT, ROUND, Sealed

OWN = ("previous", "supersedes", "correction", "cause", "sealed", FIELD)  # what belongs to a version alone
LOTTERY = ("lotto", "lotto_set")  # two forms of one figure
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Mend:
    """What is put in the place of what a round was given; None: that stays. `told` is for the journal."""

    evidence: Rows | None = None
    decisions: Rows | None = None
    told: Mapping[str, Json] = field(default=NO_FACTS)


@dataclass(frozen=True, slots=True)
class Correction:
    """The act that corrects, as every record of it names it."""

    act: str
    why: str
    at: datetime
    mode: str

    def facts(self) -> JsonDict:
        """As records have it."""
        return {"act": self.act, "by": "organizer", "why": self.why, "at": stamp(self.at), "mode": self.mode}


@dataclass(frozen=True, slots=True)
class Ground:
    """What a correction stands on: the match's chain, the position with which its next round starts, the board."""

    match_id: int
    versions: Versions
    next_round: int
    start: Body
    board: str = ""
    rows: Mapping[int, Rows] = field(default_factory=dict)  # evidence of each round's week, as the books have it
    journal: JsonDict | None = None  # how it stands, for every record of the correction
    lock: Lock | None = None  # orders stay sealed


@dataclass
class Plan:
    """The records to be sealed in their order, and the positions with which rounds start from then on."""

    sealed: list[Sealed] = field(default_factory=list)
    starts: dict[int, JsonDict] = field(default_factory=dict)
    bodies: dict[int, tuple[Body, Body]] = field(default_factory=dict)  # round -> what its record said, and says
    adjusted: Body | None = None  # the adjustment of the next round's start


def make_plan(ground: Ground, number: int, mend: Mend, correction: Correction) -> Plan:
    """The plan of a correction of one round; `Refused` if nothing comes of it, or something is still missing."""
    plan, old = Plan(), ground.versions.newest[number]
    made = evaluate(_given(old.body, mend), ground.board, correction.at, ground.rows.get(number, ()))
    if _told(made) == _told(old.body):
        raise Refused(f"round {number} comes out as it was sealed, to the letter: there is nothing to correct")
    right = _seal(ground, plan, old, made, correction)
    later = [n for n in ground.versions.newest if n > number]
    if correction.mode == FROM_NOW:
        _adjust(ground, plan, (old, right), correction)
    else:
        _recompute(ground, plan, number, later, correction)
    return plan


def _given(body: Body, mend: Mend) -> dict[str, Any]:
    changed = {"evidence": mend.evidence, "decisions": mend.decisions}
    return {**body, **{key: list(rows) for key, rows in changed.items() if rows is not None}}


def _told(body: Body) -> dict[str, Any]:
    """What a record says of the round; when it was evaluated, and by which program, is no matter."""
    free = {*OWN, "version", "evaluated", "rules"}
    return {key: _plain(value) for key, value in body.items() if key not in free}


def _plain(value: Any) -> Any:
    """Lists and tables as JSON would give them back."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


# ------------------------------------------------------------------ evaluating again


def evaluate(body: Body, board: str, now: datetime, known: Rows = ()) -> dict[str, Any]:
    """A round's record once more, from what it was given. `known`: figures that it may turn out to need.

    A battle that was never fought because the round came out otherwise stays as it was (K33).
    """
    table, outcome = _outcome(body, board)
    missing = [str(item["figure"]) for item in outcome.pending if item["kind"] == "evidence"]
    found = [row for row in known if row["figure"] in missing]
    if found:
        rows = sorted([*body["evidence"], *found], key=lambda row: str(row["figure"]))
        return evaluate({**body, "evidence": rows}, board, now)
    if missing:
        raise Refused(
            f"round {body['round']} would need {', '.join(missing)} now, which it has not: give it together with the "
            f"rest, or enter it with league draw enter"
        )
    if outcome.pending and not body["over"]:
        over = {"kind": "over", "facts": {}, "source": "correction", "at": stamp(now)}
        return evaluate({**body, "over": True, "decisions": [*body["decisions"], over]}, board, now)
    if outcome.pending:
        what = ", ".join(str(item.get("question", item["kind"])) for item in outcome.pending)
        raise Refused(f"round {body['round']} could not be evaluated: it waits for a decision ({what})")
    rules = body["rules"]
    named = rules_named(body["game"], rules["rules"], rules["options"], board)
    return {**body, "rules": named, "evaluated": stamp(now), **outcome_rows(table, outcome)}


def _outcome(body: Body, board: str) -> tuple[Table, Outcome[Any]]:
    table = from_record(body, body["rules"]["options"], body["game"], board)
    return table, table.outcome()


def fitting(body: Body, board: str) -> dict[str, Any]:
    """The record without results that can't be: of battles in which, as the round is now, their winner didn't fight."""
    kept: list[Any] = []
    for row in body["decisions"]:
        if row["kind"] == "result":
            try:
                _outcome({**body, "decisions": [*kept, row]}, board)
            except BadInput:
                continue
        kept.append(row)
    return {**body, "decisions": kept}


# ------------------------------------------------------------------ sealing


def _seal(
    ground: Ground, plan: Plan, old: Version, made: Body, correction: Correction, cause: int | None = None
) -> Version:
    """The next version of a round's record."""
    version = old.sealed.version + 1
    body: JsonDict = {key: value for key, value in made.items() if key not in OWN}
    body |= {"version": version, "supersedes": old.sealed.sha256, "correction": correction.facts()}
    body |= {"cause": cause} if cause is not None else {}
    plan.bodies[old.sealed.round] = (old.body, body)
    return _put(ground, plan, old.sealed.round, body, correction.at)


def _put(ground: Ground, plan: Plan, number: int, body: JsonDict, at: datetime) -> Version:
    before = plan.sealed[-1].sha256 if plan.sealed else ground.versions.head
    body = {**body, FIELD: ground.journal} if ground.journal is not None else body
    if body["kind"] == ROUND:
        plan.sealed.append(seal_round(body, before, ground.match_id, at, ground.lock))
        return Version(plan.sealed[-1])
    made = chain.seal(body, before)
    version, kind = int(str(body["version"])), str(body["kind"])
    sealed = Sealed(ground.match_id, number, version, made.json, made.sha256, before, at, kind)
    plan.sealed.append(sealed)
    return Version(sealed)


def _recompute(ground: Ground, plan: Plan, number: int, later: Iterable[int], correction: Correction) -> None:
    """The rounds after it, each from where the one before it ends now; the next round starts where the last ends."""
    start: JsonDict = plan.bodies[number][1]["position"]
    for place in sorted(later):
        start = _carried(ground, plan, number, place, start, correction)
        old = ground.versions.newest[place]
        given = fitting({**old.body, "start": start}, ground.board)
        made = evaluate(given, ground.board, correction.at, ground.rows.get(place, ()))
        _seal(ground, plan, old, made, correction, cause=number)
        plan.starts[place], start = start, made["position"]
    plan.starts[ground.next_round] = _carried(ground, plan, number, ground.next_round, start, correction)


def _carried(ground: Ground, plan: Plan, number: int, place: int, start: JsonDict, correction: Correction) -> JsonDict:
    """The start with the adjustments that an earlier round's correction had put into it: they aren't lost."""
    told = {tuple(one.body["of"]): one for one in ground.versions.in_force(place)}
    for one in told.values():
        wrong, right = ground.versions.corrected_by(one)
        if wrong.sealed.round < number:
            start = _adjustment(ground, plan, place, start, (wrong, right), correction, cause=number)["to"]
    return start


def _adjust(ground: Ground, plan: Plan, of: tuple[Version, Version], correction: Correction) -> None:
    """The difference goes into the position with which the next round starts."""
    made = _adjustment(ground, plan, ground.next_round, ground.start, of, correction)
    plan.adjusted, plan.starts[ground.next_round] = made, made["to"]


def _adjustment(
    ground: Ground,
    plan: Plan,
    place: int,
    start: Body,
    of: tuple[Version, Version],
    correction: Correction,
    cause: int | None = None,
) -> dict[str, Any]:
    wrong, right = of
    first = wrong.body
    game = from_record(first, first["rules"]["options"], first["game"], ground.board).game
    current, was, should = (game.restore(p) for p in (start, first["position"], right.body["position"]))
    between = [ground.versions.newest[n] for n in ground.versions.newest if wrong.sealed.round < n < place]
    since = [event for one in between for event in one.body["events"]]
    amended = game.amend(current, was, should, since)
    version = sum(1 for one in plan.sealed if (one.kind, one.round) == (ADJUSTMENT, place))
    version += len(ground.versions.adjustments.get(place, ())) + 1
    body: JsonDict = {
        "kind": "adjustment",
        "league": first["league"],
        "match": first["match"],
        "round": place,
        "version": version,
        "from": dict(start),
        "to": game.position(amended.state),
        "of": [wrong.sealed.sha256, right.sealed.sha256],
        "applied": list(amended.applied),
        "not_applied": list(amended.not_applied),
        "correction": correction.facts(),
    }
    body |= {"cause": cause} if cause is not None else {}
    return _put(ground, plan, place, body, correction.at).body


# ------------------------------------------------------------------ what was, and what is


def changes(old: Body, new: Body, board: str = "") -> tuple[JsonDict, ...]:
    """What differs between two versions of a round: figures, results, the position; each with `from` and `to`."""
    return (*_figures(old, new), *_results(old, new), *between(old, old["position"], new["position"], board))


def between(body: Body, before: Body, after: Body, board: str = "") -> tuple[JsonDict, ...]:
    """What differs between two positions of the record's match."""
    game = from_record(body, body["rules"]["options"], body["game"], board).game
    was, now = game.restore(before), game.restore(after)
    return game.amend(was, was, now).applied


def _figures(old: Body, new: Body) -> Iterable[JsonDict]:
    was, now = ({str(row["figure"]): row for row in body["evidence"]} for body in (old, new))
    for figure in sorted(was.keys() | now.keys()):
        before, after = was.get(figure), now.get(figure)
        values: list[Json] = [_value(before), _value(after)]
        if values[0] != values[1]:
            days: JsonDict = {"day": (after or before or {})["day"]}
            yield {"kind": "figure", "figure": figure, **days, "from": values[0], "to": values[1]}


def _value(row: Mapping[str, Any] | None) -> str | None:
    return str(row["value"]) if row else None


def _results(old: Body, new: Body) -> Iterable[JsonDict]:
    was, now = (_winners(body) for body in (old, new))
    for country, attempt in sorted(was.keys() | now.keys()):
        before, after = was.get((country, attempt)), now.get((country, attempt))
        if before != after:
            facts: JsonDict = {"country": country, "attempt": attempt}
            yield {"kind": "result", **facts, "from": before, "to": after}


def _winners(body: Body) -> dict[tuple[str, int], str]:
    return {
        (str(event["country"]), int(event["attempt"])): str(event["winner"])
        for event in body["events"]
        if event["type"] == "battle" and event.get("winner")
    }


def replaced(rows: Rows, new: Rows) -> list[Mapping[str, Any]]:
    """Evidence with some figures in the place of those of the same name."""
    names = {str(row["figure"]) for row in new}
    names |= set(LOTTERY) if names & set(LOTTERY) else set()
    kept = [row for row in rows if str(row["figure"]) not in names]
    return sorted([*kept, *new], key=lambda row: str(row["figure"]))


def decided(rows: Rows, new: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Decisions with a result in the place of an earlier word on the same battle."""
    return [*(row for row in rows if row["kind"] != "result" or _battle(row) != _battle(new)), new]


def _battle(row: Mapping[str, Any]) -> tuple[Any, Any]:
    return row["facts"].get("country"), row["facts"].get("attempt")
