"""A round from its start and all that is known (K72); open battles are followed to every end that matters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, TypeVar

from league.core.errors import BadInput
from league.core.events import Event
from league.core.evidence import NEVER_CAME, reading
from league.core.game import Outcome, Turn, Value
from league.core.json import JsonDict
from league.core.orders import Fate, MailFate, Ruling
from league.games.kuel import economy
from league.games.kuel.board import Board
from league.games.kuel.orders import Order
from league.games.kuel.phases import BEFORE_MOVES, EVALUATION, MOVES
from league.games.kuel.state import State
from league.games.kuel.world import Battle, Fork, Known, Slot, Table, World, holdings, results_of, sort_orders

T = TypeVar("T")
WAITS = Ruling(None, "waits_battle", "K34")


def adjudicate(board: Board, options: Mapping[str, Value], start: State, turn: Turn[Order]) -> Outcome[State]:
    """The round's outcome; provisional while battles or figures are missing."""
    _check_seats(start, turn)
    table = Table(board, options, start, turn, sort_orders(turn), results_of(board, turn), holdings(board, start))
    worlds = list(_worlds(table, {}))
    faults = set(worlds[0].faults).intersection(*(world.faults for world in worlds))
    if faults:
        raise BadInput.several(sorted(faults))
    battles = _common(worlds)
    figures = _missing(worlds[0], waits_for_dice=bool(battles) and options["battles"] == "drawn")
    if battles or figures:  # where the ways part, the battle at which they do is common to all
        disputes = [battle.dispute() for battle in battles if battle.reports]
        pending = (*(battle.facts() for battle in battles), *disputes, *figures)
        return Outcome(_so_far(worlds), _events(worlds), _fates(worlds, turn), pending)
    world = worlds[0]
    for step in EVALUATION:
        step(world)
    return Outcome(world.state(start.round + 1), tuple(world.events), _fates(worlds, turn))


def _check_seats(start: State, turn: Turn[Order]) -> None:
    known = {*start.scores, *start.newcomers, *turn.joined}
    strangers = sorted({mail.seat for mail in turn.mails} - known)
    if strangers:
        raise BadInput(f"orders: no seat '{strangers[0]}' in the position; there are {', '.join(sorted(known))}")


def _worlds(table: Table, assumed: Mapping[str, str | None]) -> Iterator[World]:
    """Every way the moves can go, as far as the ways differ in what any order becomes (K34)."""
    world = World(table, assumed)
    try:
        for step in MOVES:
            step(world)
    except Fork as fork:
        for winner in _ends(world, fork.country):
            yield from _worlds(table, {**assumed, fork.country: winner})
    else:
        yield world


def _ends(world: World, country: str) -> tuple[str | None, ...]:
    """Who may own the country when its battle is over: a fighter, or nobody where nobody may ever report (K33)."""
    nobody = country not in world.owner and world.options["battles"] == "reported"
    return (*world.open[country], None) if nobody else world.open[country]


def _common(worlds: Sequence[World]) -> list[Battle]:
    """Battles that happen whatever the others' outcome, in the order of the first world."""
    return [battle for battle in worlds[0].pending if all(battle in world.pending for world in worlds)]


def _missing(world: World, *, waits_for_dice: bool) -> list[JsonDict]:
    """The figures still needed: none in a week without a move (K44), the rate only for rounding (K46)."""
    names = []
    moved = world.orders.moved
    war, fall = economy.civil_war_draw(world), economy.collapse_draw(world)
    if moved and war is None:
        names.append("dax_close")
    if moved and war is not None and war.needs:
        names.append(war.needs)
    lotto = reading(world.turn.evidence, "lotto")
    gone = lotto is not None and lotto.value == NEVER_CAME  # no event, but battles can't be drawn without it
    if ((moved or waits_for_dice) and fall is None) or (waits_for_dice and gone):
        names.append("lotto")
    missing: list[JsonDict] = [{"kind": "evidence", "figure": name} for name in names]
    if moved and fall is not None and fall.undecided:
        missing.append({"kind": "decision", "figure": "lotto", "question": "order"})
    return missing


def _so_far(worlds: Sequence[World]) -> State:
    """What is the same in every world; what differs, or hangs on an open battle, stays as it was before the moves."""
    first = worlds[0]
    if len(worlds) == 1:
        return first.state(first.start.round)
    before = World(first.table, {})
    for step in BEFORE_MOVES:
        step(before)
    known = {country: _last_known(worlds, country, before.snapshot(country)) for country in first.board.by_id}
    owner = {country: seat for country, (seat, _, _) in known.items() if seat is not None}
    seats = set(owner.values())
    scores = {s: _agreed([w.scores.get(s) for w in worlds], before.scores.get(s)) for s in sorted(seats)}
    return replace(
        before.state(first.start.round),
        owner=owner,
        scores={s: points for s, points in scores.items() if points is not None},
        devastation={c: left for c, (_, _, left) in known.items() if left is not None},
        civil_war={c: left for c, (_, left, _) in known.items() if left is not None},
        newcomers=tuple(s for s in before.newcomers if s not in seats),
    )


def _last_known(worlds: Sequence[World], country: str, before: Known) -> Known:
    """Owner and markers, each for itself: as every world ends with them, else as they were before the worlds part."""
    pasts = [(before, *world.past.get(country, ())) for world in worlds]
    owner, war, waste = (
        _last_agreed([[step and (step[part],) for step in past] for past in pasts]) for part in range(3)
    )
    return owner, war, waste


def _last_agreed(pasts: Sequence[Sequence[Any]]) -> Any:
    """The end if it is one and sure, else the last step before the pasts part; None hangs on an open battle."""
    ends = {past[-1] for past in pasts}
    if len(ends) == 1 and None not in ends:
        return ends.pop()[0]
    same = takewhile(lambda steps: None not in steps and len(set(steps)) == 1, zip(*pasts, strict=False))
    return list(same)[-1][0][0]


def _agreed(values: Sequence[T], otherwise: T) -> T:
    return values[0] if len(set(values)) == 1 else otherwise


def _events(worlds: Sequence[World]) -> tuple[Event, ...]:
    """The events of every world, in the first one's order."""
    shared = set(worlds[0].events).intersection(*(world.events for world in worlds))
    return tuple(event for event in worlds[0].events if event in shared)


def _fates(worlds: Sequence[World], turn: Turn[Order]) -> tuple[MailFate, ...]:
    rulings = worlds[0].fates
    for world in worlds[1:]:
        rulings = {slot: _either(ruling, world.fates[slot]) for slot, ruling in rulings.items()}
    return tuple(
        _mail_fate(worlds[0], rulings, Slot(mail.seat, index, -1), len(mail.parsed.lines))
        for index, mail in enumerate(turn.mails)
    )


def _either(one: Ruling, other: Ruling) -> Ruling:
    """What two worlds say of the same order: the fate if it is the same, with the reason if that is too."""
    if one.fate != other.fate:
        return WAITS
    if (one.reason, one.rule) != (other.reason, other.rule):
        return Ruling(one.fate, "either_way", "K34")
    # The same reason in another country: which of two orders under a condition it is, nobody knows yet.
    same = one.facts.get("country") == other.facts.get("country")
    return one if same else Ruling(one.fate, "either_way", one.rule)


def _mail_fate(world: World, rulings: Mapping[Slot, Ruling], whole: Slot, count: int) -> MailFate:
    """The fate of each line, and of the move among them; a mail without one passes (K14)."""
    slots = [Slot(whole.seat, whole.mail, line) for line in range(count)]
    lines = tuple(rulings[slot] for slot in slots)
    if whole in rulings:
        return MailFate(rulings[whole], lines)
    move = next((slot for slot in slots if slot in world.orders.moves), None)
    if move is not None:
        return MailFate(rulings[move], lines)
    if all(ruling.fate is Fate.INVALID for ruling in lines):
        return MailFate(lines[0] if lines else Ruling(Fate.INVALID, "no_orders", "K12"), lines)
    return MailFate(Ruling(Fate.DONE, "no_move", "K14"), lines)
