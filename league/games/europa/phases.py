"""The order of the game, to be read from top to bottom: what each phase does at its deadline, and what comes next.

    START                       seats, then the first epoch begins (epochs.py)
    epoch n                     turn order, pawns, election track; in epochs 3 and 4 six rolls of risk
      PEACE                     only with conflict: secret commitments revealed (peace.py, wars.py)
      PLACE1, PLACE2            placement of half the pawns, then of the rest (placement.py)
      VOTE1, VOTE2, ...         elections in groups (elections.py, coalitions.py)
    END                         president, winner, quality (victory.py)

A phase in which nobody can do anything is resolved at once, together with the one before it (8.1, 8.7).
"""

from collections.abc import Callable, Mapping
from typing import Final

from league.core.game import Outcome, Turn, Value
from league.core.json import Json, JsonDict
from league.core.orders import Fate, Ruling
from league.games.europa import elections, epochs, peace, placement, victory
from league.games.europa.board import EPOCHS, Board
from league.games.europa.book import CHAPTER, Book, Entry, Slot, sort_mails, told
from league.games.europa.orders import Order, Ready
from league.games.europa.state import END, PEACE, PLACE1, PLACE2, START, VOTE, State, group_of
from league.games.europa.world import NoDraw, World

Step = Callable[[World, Book], dict[Slot, Ruling]]


def _start(world: World, _: Book) -> dict[Slot, Ruling]:
    epochs.start(world)
    return {}


def _peace(world: World, book: Book) -> dict[Slot, Ruling]:
    fates = peace.intervene(world, book)
    epochs.begin_placement(world)
    return fates


def _first_wave(world: World, book: Book) -> dict[Slot, Ruling]:
    fates = placement.place(world, book)
    world.turn(phase=PLACE2)
    return fates


def _second_wave(world: World, book: Book) -> dict[Slot, Ruling]:
    fates = placement.place(world, book)
    world.turn(phase=VOTE, group=1)
    return fates


def _vote(world: World, book: Book) -> dict[Slot, Ruling]:
    fates = elections.vote(world, book)
    if any(world.present(country) for country in world.ahead):
        world.turn(group=world.state.group + 1)
        return fates
    elections.hold_rest(world)
    if world.state.epoch < EPOCHS:
        epochs.begin_epoch(world)
    else:
        victory.finish(world)
    return fates


STEPS: Final[Mapping[str, Step]] = {
    START: _start,
    PEACE: _peace,
    PLACE1: _first_wave,
    PLACE2: _second_wave,
    VOTE: _vote,
}


def asked(state: State, elections_per_mail: int) -> tuple[str, ...]:
    """The seats that can do something in this phase, in turn order; who has left is not asked."""
    staying = [seat for seat in state.order if not state.players[seat].left]
    if state.phase in (PEACE, PLACE1, PLACE2):
        return tuple(seat for seat in staying if state.players[seat].pawns)
    if state.phase == VOTE:
        group = group_of(state, elections_per_mail)
        return tuple(seat for seat in staying if any(seat in state.board.get(country, {}) for country in group))
    return ()


def facts(state: State, seat: str, elections_per_mail: int) -> dict[str, Json]:
    """What a seat that is asked has to know: how many pawns it is about, or which elections and where its pawns are."""
    told: dict[str, Json] = {"epoch": state.epoch, "phase": state.name}
    if state.phase == VOTE:
        group = group_of(state, elections_per_mail)
        return told | {"group": group, "own": tuple(c for c in group if seat in state.board.get(c, {}))}
    pawns = state.players[seat].pawns
    return told | {"pawns": pawns if state.phase == PEACE else placement.quota(state.phase, pawns)}


def adjudicate(board: Board, options: Mapping[str, Value], state: State, turn: Turn[Order]) -> Outcome[State]:
    """The deadline's outcome; pending if chance is needed and the draw isn't known."""
    world = World.of(board, options, turn.dice, state)
    per_mail = int(options["elections_per_mail"])
    came = [s for s in turn.joined if s not in state.players and s not in state.newcomers]
    world.turn(newcomers=(*state.newcomers, *came))
    book = sort_mails(state, turn.mails, per_mail)
    fates = {entry.slot: Ruling(Fate.LAPSED, "match_over", CHAPTER) for entry in _counting(book)}
    try:
        if state.phase != END and not victory.take_leave(world, turn.left):
            fates |= _ready(book) | STEPS[state.phase](world, book)
            _go_on(world, per_mail)
    except NoDraw:
        fates = {entry.slot: Ruling(None, "waits", CHAPTER) for entry in _counting(book)}
        pending: JsonDict = {"kind": "evidence", "figure": "lotto"}
        return Outcome(state, tuple(world.events), told(book, turn.mails, fates), (pending,))
    world.turn(round=state.round + 1)
    return Outcome(world.frozen(), tuple(world.events), told(book, turn.mails, fates))


def _go_on(world: World, per_mail: int) -> None:
    """Through all phases in which nobody has anything to say."""
    while world.state.phase not in (START, END) and not asked(world.frozen(), per_mail):
        STEPS[world.state.phase](world, Book())


def _counting(book: Book) -> list[Entry]:
    return [entry for keys in book.entries.values() for entries in keys.values() for entry in entries]


def _ready(book: Book) -> dict[Slot, Ruling]:
    return {e.slot: Ruling(Fate.DONE, "final", CHAPTER) for e in _counting(book) if isinstance(e.order, Ready)}
