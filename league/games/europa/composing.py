"""What a seat may write in a phase, and what the rules say to it (8.3): judged by the functions that judge the phase.

Of a ballot the parts that a choice can offer are here; conditions, several proposals and lists of yes and no are
written by hand.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final

from league.core.composing import Choice, Composing, Pick, Sentence
from league.core.game import Value
from league.core.orders import Fate, Hinge, Rehearsed, Ruling
from league.games.europa import coalitions
from league.games.europa.board import LARGEST, Board
from league.games.europa.elections import targets
from league.games.europa.phases import asked
from league.games.europa.placement import legal, quota
from league.games.europa.rehearsal import FINAL, ballot, commitment
from league.games.europa.state import PEACE, PLACE1, PLACE2, VOTE, State, group_of
from league.games.europa.world import World

LANGS: Final = ("de", "en", "nl")
BALLOT: Final = "{pick}{pick2}{pick3}"  # proposal, policy, move: the first and the last may be left out
POLICIES: Final = ("policy_mine", "policy_all", "policy_none")
Words = Mapping[str, Mapping[str, Any]]  # a word's forms by language, the first of each is the one that is shown


def composing(
    board: Board, options: Mapping[str, Value], keywords: Mapping[str, Words], state: State, seat: str
) -> Composing:
    """All that the seat may write; nothing where the phase asks nothing of it."""
    words = {**keywords["verbs"], **keywords["words"]}
    if seat not in asked(state, int(options["elections_per_mail"])):
        return Composing()
    desk = _Desk(board, options, words, state, seat)
    purse = quota(state.phase, state.players[seat].pawns) if state.phase in (PLACE1, PLACE2) else None
    return Composing(tuple(desk.sentences()), tuple(desk.choices()), purse)


@dataclass(frozen=True)
class _Desk:
    """One seat's choices in the making."""

    board: Board
    options: Mapping[str, Value]
    words: Words
    state: State
    seat: str

    @cached_property
    def world(self) -> World:
        """The phase as it begins."""
        return World.of(self.board, self.options, None, self.state)

    def sentences(self) -> Iterator[Sentence]:
        """The kinds of orders of every phase."""
        yield Sentence("peace", self._text("{0} {{number}}", "peace"), "peace")
        yield Sentence("plan", self._text("{0} {{land}}", "plan"), "plan")
        yield Sentence("place", self._text("{0} {{land}} {{number}}", "place"), "place {land}")
        yield Sentence("election", self._text("{0} {{land}}: " + _braced(BALLOT), "election"), "election {land}")
        yield Sentence("default", self._text("{0} {1}: {{pick}}", "election", "default"), "default")
        yield Sentence("final", self._text("{0}", "final"), "final")

    def choices(self) -> Iterator[Choice]:
        """Those of this phase."""
        parts = {PEACE: self._peace, PLACE1: self._places, PLACE2: self._places, VOTE: self._ballots}
        yield from parts[self.state.phase]()
        yield _goes("final", FINAL)

    def _peace(self) -> Iterator[Choice]:
        pawns = self.state.players[self.seat].pawns
        yield _goes("peace", commitment(0, pawns), high=pawns)
        for country in self.board.sorted(set(self.state.markers)):
            yield _goes("plan", Ruling(Fate.DONE, "plan_used", "M2"), "if_leader", land=country)

    def _places(self) -> Iterator[Choice]:
        allowed, wave = legal(self.world), quota(self.state.phase, self.state.players[self.seat].pawns)
        refused = Rehearsed(0, 0, Ruling(Fate.FAILED, "nothing_placed", "M3"), certain=True)
        for country in self.board.playable:
            if country in allowed:
                ruling = Ruling(Fate.DONE, "placed", "M3", {"pawns": 1})
                yield _goes("place", ruling, land=country, low=1, high=wave, spends=True)
            else:
                yield Choice("place", refused, open=False, land=country, low=1, high=wave)

    def _ballots(self) -> Iterator[Choice]:
        """A line for each election of the group, and one for all others."""
        for country in group_of(self.state, int(self.options["elections_per_mail"])):
            here = self.state.board.get(country, {})
            picks = (tuple(self._proposals(country, here)), self._policies, tuple(self._moves(country)))
            yield _goes("election", *ballot(country, self.state.board, self.seat), land=country, picks=picks)
        yield _goes("default", *ballot("", {}, self.seat), picks=(self._policies,))

    def _proposals(self, country: str, here: Mapping[str, int]) -> Iterator[Pick]:
        """Every coalition with the seat that reaches the need now (R27)."""
        yield _nothing()
        others, need = (
            [seat for seat in self.state.order if seat != self.seat and here.get(seat)],
            self.world.need(country),
        )
        for many in range(LARGEST):
            for partners in combinations(others, many):
                if coalitions.valid((self.seat, *partners), here, need):
                    colours = [self.state.players[partner].party for partner in partners]
                    yield Pick({lang: self._proposal(colours, lang) for lang in LANGS})

    def _proposal(self, colours: list[str], lang: str) -> str:
        names = {party.id: party.names for party in self.board.parties}
        parties = "+".join((self._word("me", lang), *(names[colour][lang] for colour in colours)))
        return f"{self._word('propose', lang)} {parties}; "

    @cached_property
    def _policies(self) -> tuple[Pick, ...]:
        return tuple(Pick(self._text("{0} {1}", "policy", policy)) for policy in POLICIES)

    def _moves(self, country: str) -> Iterator[Pick]:
        """Where a pawn may go on to (R36)."""
        yield _nothing()
        for other in targets(self.world, country):
            names = self.board.by_id[other].names
            yield Pick({lang: f"; {self._word('move', lang)} {names[lang]}" for lang in LANGS})
        yield Pick(self._text("; {0}", "stay"))

    def _text(self, pattern: str, *words: str) -> dict[str, str]:
        return {lang: pattern.format(*(self._word(word, lang) for word in words)) for lang in LANGS}

    def _word(self, word: str, lang: str) -> str:
        return str(self.words[word][lang][0]).upper()


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _nothing() -> Pick:
    return Pick(dict.fromkeys(LANGS, ""))


def _goes(kind: str, ruling: Ruling, *hinges: str, **more: Any) -> Choice:
    certain = ruling.fate is not None and not hinges
    told = Rehearsed(0, 0, ruling, certain, tuple(Hinge(code) for code in hinges))
    return Choice(kind, told, open=True, **more)
