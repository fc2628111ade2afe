"""A mail's replies: which of its lines the round being evaluated has a use for, and which stand for the open one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from league.core.orders import Fate, Parsed
from league.desk.answers import Split
from league.desk.presence import counted
from league.desk.replies import due, evaluated, nothing_asked, settled, still_open, with_replies
from league.desk.site import Site
from league.desk.submissions import Came, by_arrival, submission
from league.desk.turns import rules_of
from league.storage.leagues import Place
from league.storage.orders import REPLIES, Submission
from league.storage.rounds import Loaded


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
        rulings = dict(zip(places, nothing_asked(asked.tables[0], asked.place.code, replies), strict=True))
        kept = {i for i in places if asked.is_open and not game.is_report(lines[i].order)}
        return Split(game, asked.tables[0], {i: rulings[i] for i in places if i not in kept}, frozenset(kept))
    return _evaluate(asked, target, places, replies)


def _evaluate(asked: Asked, target: Loaded, places: Sequence[int], replies: Parsed[Any]) -> Split:
    """Ask the rules which of the replies the round has a use for; what it hasn't may stand for the open round."""
    game, known = rules_of(target), asked.known
    before = with_replies(target, known)
    trial = _reply(asked, target, before.state, replies)
    both = replace(target, submissions=tuple(by_arrival([*known, trial])))
    fate = with_replies(both, both.submissions).outcome().fates[counted(both).index(trial)]
    found = dict(zip(places, fate.lines, strict=True))
    booked = frozenset(i for i in places if found[i].fate in (None, Fate.DONE))
    line_at = dict(zip(places, replies.lines, strict=True))
    kept = frozenset(i for i in places if asked.is_open and i not in booked and not game.is_report(line_at[i].order))
    if not booked:
        return Split(game, target, found, kept, pending=still_open(before), until=due(target))
    used: Parsed[Any] = Parsed(tuple(line_at[i] for i in places if i in booked))
    kept_mail = _reply(asked, target, before.state, used)
    after = with_replies(target, by_arrival([*known, kept_mail]))
    pending = still_open(after)
    is_settled = settled(still_open(before), pending)
    return Split(game, target, found, kept, booked, kept_mail, pending, due(target), is_settled)


def _reply(asked: Asked, target: Loaded, state: Any, parsed: Parsed[Any]) -> Submission:
    game = rules_of(target)
    return submission(asked.site, target, game, state, asked.place, asked.came, parsed, asked.known, REPLIES)
