"""A mail's replies: which of its lines the round being evaluated has a use for, and which stand for the open one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from league.core.json import Json, JsonDict
from league.core.orders import Fate, Line, Parsed, Ruling
from league.desk.clock import stamp
from league.desk.leagues.presence import counted
from league.desk.leagues.replies import due, evaluated, nothing_asked, over_now, settled, still_open, with_replies
from league.desk.leagues.submissions import Came, by_arrival, submission
from league.desk.leagues.turns import Table, rules_of
from league.desk.post.answers import Split
from league.desk.site import Site
from league.reports.context import order_facts
from league.storage import rounds
from league.storage.leagues import Place
from league.storage.orders import REPLIES, Submission
from league.storage.rounds import Loaded

NOWHERE = ("waits_battle", "K33")  # reason and rule of a report of no battle, however the open ones end


@dataclass(frozen=True, slots=True)
class Asked:
    """Who writes what to the rounds of a match that aren't done; `known` are the mails of the one being evaluated."""

    site: Site
    place: Place
    came: Came
    tables: Sequence[Loaded]
    known: Sequence[Submission]
    is_open: bool  # a round takes orders at the mail's arrival


def sort_replies(asked: Asked, parsed: Parsed[Any]) -> Split:
    """What of the mail is for the round being evaluated, and what for the open one."""
    if not asked.tables:
        return Split()
    game = rules_of(asked.tables[0])
    lines = parsed.lines
    places = tuple(i for i, line in enumerate(lines) if line.order is not None and game.is_reply(line.order))
    if not places:
        return Split(game=game)
    replies: Parsed[Any] = Parsed(tuple(lines[i] for i in places))
    target = evaluated(asked.tables, asked.came.received_at)
    if target is None:
        said = nothing_asked(asked.tables[0], asked.place.code, replies)
        told = (_of_no_round(asked, line, ruling) for line, ruling in zip(replies.lines, said, strict=True))
        rulings = dict(zip(places, told, strict=True))
        kept = {i for i in places if asked.is_open and not game.is_report(lines[i].order)}
        return Split(game, asked.tables[0], {i: rulings[i] for i in places if i not in kept}, frozenset(kept))
    return _evaluate(asked, target, places, replies)


def _of_no_round(asked: Asked, line: Line[Any], ruling: Ruling) -> Ruling:
    """What a report comes to while no round takes any: of a battle whose time is over, what counts instead."""
    table = next((t for t in asked.tables if t.round.status != rounds.RESOLVED), None)
    if line.order is None or not rules_of(asked.tables[0]).is_report(line.order):
        return ruling
    facts: JsonDict = {"country": order_facts(line.order).get("country")}
    is_over = table is not None and asked.came.received_at > max(table.round.closes_at, due(table))
    if table is not None and is_over and (table.position is not None or table.round.number == 1):
        waited_for = {item.get("country") for item in still_open(with_replies(table, table.submissions))}
        winner = _winner(over_now(table), facts["country"])
        if winner is not None or facts["country"] in waited_for:
            return Ruling(Fate.LAPSED, "reports_over", "K33", facts | {"winner": winner, "until": stamp(due(table))})
    return Ruling(Fate.FAILED, "no_report_due", "K33", facts)


def _evaluate(asked: Asked, target: Loaded, places: Sequence[int], replies: Parsed[Any]) -> Split:
    """Ask the rules which of the replies the round has a use for; what it hasn't may stand for the open round."""
    game, known = rules_of(target), asked.known
    before = with_replies(target, known)
    line_at = dict(zip(places, replies.lines, strict=True))
    unclear = _contradicting(asked, target, before, line_at)
    clear = tuple(i for i in places if i not in unclear)
    found = unclear | _rulings(asked, target, before, {i: line_at[i] for i in clear})
    booked = frozenset(i for i in clear if found[i].fate in (None, Fate.DONE))
    kept = frozenset(i for i in places if asked.is_open and i not in booked and not game.is_report(line_at[i].order))
    if not booked:
        return Split(game, target, found, kept, pending=still_open(before), until=due(target))
    used: Parsed[Any] = Parsed(tuple(line_at[i] for i in places if i in booked))
    kept_mail = _reply(asked, target, before.state, used)
    after = with_replies(target, by_arrival([*known, kept_mail]))
    pending = still_open(after)
    is_settled = settled(still_open(before), pending)
    return Split(game, target, found, kept, booked, kept_mail, pending, due(target), is_settled)


def _rulings(asked: Asked, target: Loaded, before: Table, line_at: Mapping[int, Line[Any]]) -> dict[int, Ruling]:
    """What the rules say to these lines, by their places."""
    if not line_at:
        return {}
    trial = _reply(asked, target, before.state, Parsed(tuple(line_at.values())))
    both = replace(target, submissions=tuple(by_arrival([*asked.known, trial])))
    fate = with_replies(both, both.submissions).outcome().fates[counted(both).index(trial)]
    waited_for = {item.get("country") for item in still_open(before)}
    told = (
        _of_a_battle(before, line, ruling, waited_for)
        for line, ruling in zip(line_at.values(), fate.lines, strict=True)
    )
    return dict(zip(line_at, told, strict=True))


def _of_a_battle(before: Table, line: Line[Any], ruling: Ruling, waited_for: set[Json]) -> Ruling:
    """What a report comes to that the rules take or keep, if its battle isn't one that is waited for.

    The rules keep it as long as any battle is open. It can only count for one that happens if another ends one way;
    where nothing may lead to it, or it is decided, its writer is told so.
    """
    facts: JsonDict = {"country": order_facts(line.order).get("country")}
    if not before.game.is_report(line.order) or facts["country"] in waited_for:
        return ruling
    if ruling.fate is Fate.DONE:
        return Ruling(Fate.LAPSED, "battle_decided", "K33", facts | {"winner": _winner(before, facts["country"])})
    if ruling.fate is None and (ruling.reason, ruling.rule) == NOWHERE:
        return Ruling(Fate.FAILED, "no_battle", "K33", facts)
    return Ruling(None, "battle_may_come", "K34", facts) if ruling.fate is None else ruling


def _winner(before: Table, country: Json) -> Json:
    """Who has won a battle that is decided, as far as the events say."""
    told = [event.facts() for event in before.outcome().events]
    return next((one["winner"] for one in told if one.get("country") == country and one.get("winner")), None)


def _contradicting(asked: Asked, target: Loaded, before: Table, line_at: Mapping[int, Line[Any]]) -> dict[int, Ruling]:
    """Reports of one battle in one mail that say different things, if it isn't battle and rematch (K32, K33)."""
    by_country: dict[Json, list[int]] = {}
    for place, line in line_at.items():
        if before.game.is_report(line.order):
            by_country.setdefault(order_facts(line.order).get("country"), []).append(place)
    unclear: dict[int, Ruling] = {}
    for country, places in by_country.items():
        said = {before.game.notation(None, line_at[place].order) for place in places}
        first = [line for place, line in line_at.items() if place not in places[1:]]
        if len(said) > 1 and not _has_rematch(asked, target, before, country, first):
            facts: JsonDict = {"country": country, "lines": ", ".join(str(place + 1) for place in places)}
            unclear |= dict.fromkeys(places, Ruling(Fate.INVALID, "contradicting", "K33", facts))
    return unclear


def _has_rematch(asked: Asked, target: Loaded, before: Table, country: Json, first: Sequence[Line[Any]]) -> bool:
    """Whether the battle is fought again once the first of its reports counts."""
    after = by_arrival([*asked.known, _reply(asked, target, before.state, Parsed(tuple(first)))])
    return any(
        (item.get("country"), item.get("attempt")) == (country, 2) for item in still_open(with_replies(target, after))
    )


def _reply(asked: Asked, target: Loaded, state: Any, parsed: Parsed[Any]) -> Submission:
    game = rules_of(target)
    return submission(asked.site, target, game, state, asked.place, asked.came, parsed, asked.known, REPLIES)
