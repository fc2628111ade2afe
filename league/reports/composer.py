"""What the order composer of a league's page reads: for each seat what it may write, and what the rules say to it.

A script of its own beside the page, which only who composes loads: pages stay small, and from a folder on a disk
nothing but a script could be read. `composer.js` has the looks and no rules; the game itself said what is possible
(`core/composing.py`), and the sentences are those of receipts.
"""

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from league import i18n
from league.core.composing import Choice, Composing, Pick, Sentence
from league.core.json import Json
from league.core.orders import Hinge
from league.reports.context import LeagueInfo, SiteInfo, Writing
from league.reports.page import saying
from league.reports.words import Say

NOWHERE = -1  # an order without a country
LEAST = 3  # numbers of a row: kind, land, verdict


@dataclass
class _Shelf:
    """Values that are written once and then named by their place."""

    places: dict[Hashable, int] = field(default_factory=dict)
    values: list[Any] = field(default_factory=list)

    def put(self, key: Hashable, make: Callable[[], Any]) -> int:
        """The place of the value with this key; it is made if it is new."""
        if key not in self.places:
            self.places[key] = len(self.values)
            self.values.append(make())
        return self.places[key]


@dataclass
class _Data:
    """The file in the making."""

    say: Say
    kinds: _Shelf = field(default_factory=_Shelf)
    lands: _Shelf = field(default_factory=_Shelf)
    patterns: _Shelf = field(default_factory=_Shelf)
    whys: _Shelf = field(default_factory=_Shelf)
    hinges: _Shelf = field(default_factory=_Shelf)
    verdicts: _Shelf = field(default_factory=_Shelf)
    picks: _Shelf = field(default_factory=_Shelf)

    def kind(self, sentence: Sentence) -> int:
        """The place of a kind of order."""
        row = (self.spoken(sentence.text), sentence.group, int(sentence.keeps))
        return self.kinds.put(row, lambda: list(row))

    def land(self, id_: str) -> int:
        """The place of a country."""
        return self.lands.put(id_, lambda: [id_, self.say.land(id_)]) if id_ else NOWHERE

    def row(self, places: Mapping[str, int], choice: Choice) -> list[Any]:
        """A choice in numbers; zeros at its end are left out."""
        row = [
            places[choice.kind],
            self.land(choice.land),
            self._verdict(choice),
            choice.low,
            choice.high,
            self._picks(choice.picks),
            choice.cost,
            int(choice.spends),
        ]
        while len(row) > LEAST and row[-1] == 0:
            row.pop()
        return row

    def _picks(self, lists: tuple[tuple[Pick, ...], ...]) -> int:
        if not lists:
            return 0
        said = tuple(tuple(self._picked(pick) for pick in picks) for picks in lists)
        return self.picks.put(said, lambda: said) + 1

    def _picked(self, pick: Pick) -> str:
        text = self.spoken(pick.text)
        return text.replace("{seat}", self.say.name(pick.seat)) if pick.seat else text

    def spoken(self, text: Mapping[str, str]) -> str:
        """In the file's language."""
        return text.get(self.say.lang) or text["en"]

    def _verdict(self, choice: Choice) -> int:
        ruling, certain = choice.told.ruling, choice.told.certain
        hinges = tuple(self._hinge(hinge) for hinge in choice.told.hinges)
        hangs = any(self.hinges.values[place] for place in hinges)
        verdict = (
            int(choice.open),
            int(certain),
            self.say.rule(ruling.rule) if ruling.rule else "",
            self.patterns.put(
                (ruling.fate, certain, hangs), lambda: self.say.prospect(ruling.fate, certain=certain, hangs=hangs)
            ),
            self.whys.put((ruling.fate, ruling.reason, _key(ruling.facts)), lambda: self.say.why(ruling)),
            hinges,
        )
        return self.verdicts.put(verdict, lambda: verdict)

    def _hinge(self, hinge: Hinge) -> int:
        return self.hinges.put((hinge.code, _key(hinge.facts)), lambda: self.say.hinge(hinge))


def _key(facts: Mapping[str, Json]) -> str:
    return repr(sorted(facts.items())) if facts else ""


def composer_data(site: SiteInfo, league: LeagueInfo, writing: Writing, lang: str) -> dict[str, Any]:
    """All choices of all seats in a language.

    A row of a seat is `[kind, land, verdict, low, high, picks, cost, spends]`: places in the lists beside it (of picks
    one more, 0 is none), without the zeros at its end; land -1 is an order without a country. A verdict is
    `[open, certain, rule, pattern, why, [hinges]]`. `listed` stands between things that are listed, and between the
    last two; `if` is what conditions begin with, and is said once.
    """
    data = _Data(saying(site, league, lang))
    for region in league.drawing.spots if league.drawing else ():
        data.land(region)  # as on the map, those without a choice among them
    seats = [
        {"id": seat.id, "name": data.say.name(seat.id), **_seat(data, writing, seat.id)}
        for seat in league.seats
        if not seat.left
    ]
    return {
        "lang": lang,
        "keep": next((data.spoken(one.keep) for one in writing.orders.values() if one.keep), ""),
        "listed": data.say.listed(("1", "2", "3")).strip("13").split("2"),
        "if": i18n.IF[lang],
        "unsure": writing.unsure,
        "kinds": data.kinds.values,
        "lands": data.lands.values,
        "patterns": data.patterns.values,
        "whys": data.whys.values,
        "hinges": data.hinges.values,
        "verdicts": data.verdicts.values,
        "picks": data.picks.values,
        "seats": seats,
    }


def _seat(data: _Data, writing: Writing, seat: str) -> dict[str, Any]:
    nothing = Composing()
    parts = (writing.replies.get(seat, nothing), writing.orders.get(seat, nothing))
    rows = []
    for part in parts:
        places = {sentence.kind: data.kind(sentence) for sentence in part.sentences}
        rows += [data.row(places, choice) for choice in part.choices]
    return {"purse": parts[1].purse, "rows": rows}


def composer_file(site: SiteInfo, league: LeagueInfo, writing: Writing, lang: str) -> str:
    """The same as a script."""
    text = json.dumps(composer_data(site, league, writing, lang), separators=(",", ":"), ensure_ascii=True)
    return f"leagueComposer.feed({text});\n"
