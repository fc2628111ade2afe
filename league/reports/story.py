"""A round's story: a headline and a paragraph, made of the events that weigh most.

The game's `story.jinja` says which events are told and in which order (`STORY`: type and the facts by which events are
told together), which of them make a headline (`HEADS`), and words both: a macro for each type, `head_` before it for
the headline, `many_` for many of a kind. `f` are the first event's facts and `lands`, the countries of all told
together. Without a macro the event's own sentence serves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from league.core.json import Json
from league.core.standings import Place
from league.reports.words import Say

Facts = Mapping[str, Json]
HEADS_MOST = 2
SINGLY = 2  # so many of a kind have a sentence each
BEST_MOST = 2  # who gained most is told of no more than so many


@dataclass(frozen=True, slots=True)
class Story:
    """A headline without a full stop, and sentences; both empty for a game that has no words for them."""

    headline: str = ""
    sentences: tuple[str, ...] = ()


def story(say: Say, events: Sequence[Facts], now: Sequence[Place], before: Sequence[Place]) -> Story:
    """What a newspaper would tell of the round."""
    words: Any = say.words("story")
    if words is None:
        return Story()
    groups = list(_groups(words.STORY, events))
    told = [_upper(sentence) for sentence in _sentences(say, words, groups)]
    table = say.told("table", _table(now, before)) if now else ""
    return Story(_headline(say, words, groups), tuple(filter(None, (*told, table))))


def headline(say: Say, events: Sequence[Facts]) -> str:
    """The headline alone."""
    words: Any = say.words("story")
    return "" if words is None else _headline(say, words, list(_groups(words.STORY, events)))


def _headline(say: Say, words: Any, groups: Sequence[Facts]) -> str:  # a template's lists and macros
    ranked = (group for name in words.HEADS for group in groups if group["type"] == name)
    heads = filter(None, (say.told(f"head_{group['type']}", group) for group in ranked))
    return _upper("; ".join(islice(heads, HEADS_MOST)))


def _sentences(say: Say, words: object, groups: Sequence[Facts]) -> Iterable[str]:
    """One for each group; for many of a kind that cost nothing one for all, where the game has words for that."""
    told: set[str] = set()
    for group in groups:
        kind = str(group["type"])
        alike = [one for one in groups if one["type"] == kind and not one.get("paid")]
        if group.get("paid") or len(alike) <= SINGLY or not hasattr(words, f"many_{kind}"):
            yield _sentence(say, words, group)
        elif kind not in told:
            told.add(kind)
            yield say.told(f"many_{kind}", {"rows": [[one["seat"], one["lands"]] for one in alike]})


def _sentence(say: Say, words: object, group: Facts) -> str:
    """As the story tells it, or, where it has no words of its own, as the list of events does."""
    kind = str(group["type"])
    return say.told(kind, group) if hasattr(words, kind) else say.event(group)


def _groups(order: Iterable[tuple[str, Sequence[str]]], events: Sequence[Facts]) -> Iterable[Facts]:
    """The events that are told, in that order; those that agree in the facts named become one."""
    for kind, by in order:
        found: dict[tuple[str, ...], list[Facts]] = {}
        for event in events:
            if event.get("type") == kind:
                found.setdefault(tuple(str(event.get(name)) for name in by), []).append(event)
        for several in found.values():
            lands: list[Json] = [event["country"] for event in several if event.get("country")]
            yield {**several[0], "lands": lands}


def _table(now: Sequence[Place], before: Sequence[Place]) -> Facts:
    """Who leads by how much, whom the lead was taken from, and who gained most."""
    had = {place.seat: place.points for place in before}
    leaders = [place.seat for place in now if place.rank == 1]
    behind = next((place for place in now if place.rank > 1), None)
    gains = {place.seat: place.points - had.get(place.seat, 0) for place in now}
    most = max(gains.values())
    best: list[Json] = [seat for seat, gain in gains.items() if gain == most]
    led = [place.seat for place in before if place.rank == 1]
    return {
        "leaders": list[Json](leaders),
        "points": now[0].points,
        "second": behind.seat if behind else "",
        "ahead": now[0].points - behind.points if behind else 0,
        "best": best if most > 0 and len(best) <= BEST_MOST else [],
        "gain": most,
        "is_new": bool(before) and len(led) == 1 and len(leaders) == 1 and led != leaders,
    }


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
