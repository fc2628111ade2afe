"""All that the engine says of a case, and what bots play, as lines of text; kept in tests/golden/kuel-*.txt."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from league.core.game import Outcome, Seat, Turn
from league.core.orders import OrderMail, Ruling
from league.core.view import View
from league.desk import registry
from league.desk.play.adjudicate import _position, _turn
from league.games.kuel import bots, lookahead
from league.games.kuel.choices import legal_moves, mask_of
from league.games.kuel.orders import Attack, Take
from league.games.kuel.state import State
from league.randomness.dice import Dice

CASE = "== "
LANGS = ("de", "en", "nl")
SEATS = tuple(f"s{n}" for n in range(1, 10))
LEAGUE = {"preset": "gentle", "battles": "drawn", "start": "board"}
ROUNDS, SATURDAY = 20, date(2024, 1, 6)


def account(case: Mapping[str, Any]) -> Iterator[str]:
    """What a rehearsal says of each line, what became of it, what happened, what is pending, what the map shows."""
    meta = registry.plugin("kuel").meta
    game: Any = registry.load("kuel", registry.check_options(meta, case.get("options", {})))
    state = game.restore(_position(case))
    turn = _turn(case, game, state)
    outcome = game.adjudicate(state, turn)
    yield from _rehearsed(game, state, turn)
    yield from _fates(turn, outcome)
    for event in outcome.events:
        facts = event.facts()
        yield f"event {facts.pop('type')} {facts.pop('rule')}{_told(facts)}"
    for need in outcome.pending:
        yield f"pending{_told(need)}"
    yield from _seen(game.view(state, outcome, None))
    yield f"position {json.dumps(game.position(outcome.state))}"


def _rehearsed(game: Any, state: Any, turn: Turn[Any]) -> Iterator[str]:
    for seat in sorted({mail.seat for mail in turn.mails}):
        for said in game.rehearse(state, seat, [mail for mail in turn.mails if mail.seat == seat]):
            hinges = "".join(f" {hinge.code}{_told(hinge.facts)}" for hinge in said.hinges)
            sure = "surely" if said.certain else f"unsure:{hinges}"
            yield f"before {seat} {said.mail}.{said.line} {_ruling(said.ruling)} {sure}"


def _fates(turn: Turn[Any], outcome: Outcome[Any]) -> Iterator[str]:
    for number, (mail, fate) in enumerate(zip(turn.mails, outcome.fates, strict=True)):
        yield f"mail {number} {mail.seat} {_ruling(fate.own)}"
        for line, ruling in zip(mail.parsed.lines, fate.lines, strict=True):
            yield f"line {number} {line.text!r} {_ruling(ruling)}"


def _ruling(ruling: Ruling) -> str:
    fate = ruling.fate.value if ruling.fate is not None else "waits"
    return f"{fate} {ruling.reason} {ruling.rule}{_told(ruling.facts)}"


def _seen(view: View) -> Iterator[str]:
    assert view.before is not None
    assert view.after is not None
    for region in view.after.regions:
        if region.changed:
            yield f"map {region.id} {region.owner} {','.join(region.markers)}"
    for arrow in view.after.arrows:
        yield f"arrow {arrow.seat} {arrow.source} {arrow.target} {arrow.kind} {arrow.done}"


def _told(facts: Mapping[str, Any]) -> str:
    return "".join(f" {key}={json.dumps(value, ensure_ascii=False)}" for key, value in facts.items())


def sections(text: str) -> dict[str, str]:
    """The accounts of a file, by case."""
    parts = text.removeprefix(CASE).split(f"\n{CASE}") if text else []
    return {name: body.rstrip("\n") for name, _, body in (part.partition("\n") for part in parts)}


def played(bot: str) -> Iterator[str]:
    """A league of one kind of bot: what each seat orders in each round, where it stands, and how moves are valued."""
    game: Any = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, LEAGUE))
    state = game.setup([Seat(seat, seat) for seat in SEATS], None)
    order = getattr(bots, f"{bot}_orders")
    for number in range(1, ROUNDS + 1):
        evidence = game.read_evidence(_figures(number))
        mails = []
        for place, seat in enumerate(SEATS):
            dice = Dice("golden", number, "bot", SATURDAY, seat)
            text = order(game, state, seat, dice, LANGS[place % len(LANGS)])
            yield f"{number} {seat} {state.scores.get(seat, '-')}: {'; '.join(text.splitlines())}"
            if seat in state.scores and place == number % len(SEATS):
                yield from _valued(bot, game, state, seat, dice)
            mails.append(OrderMail(seat, game.parse(state, seat, text)))
        yield f"{number} outside: {' '.join(_doors(order, game, state, number))}"
        lots = Dice("golden", number, "lotto", SATURDAY, "")
        state = game.adjudicate(state, Turn(mails=tuple(mails), evidence=evidence, dice=lots)).state
    for name, odd in odd_states().items():
        dice = Dice("golden", ROUNDS + 1, "bot", SATURDAY, name)
        yield f"{name}: {'; '.join(order(game, odd, 's1', dice).splitlines())}"
        yield from _valued(bot, game, odd, "s1", dice)
        doors = legal_moves(game, odd, "outside") if bot == "lookahead" else ()
        yield from (f"  {move} {lookahead._welcome(game, odd, move, dice)}" for move in doors)


def odd_states() -> dict[str, State]:
    """Positions that bots seldom come to: at the limit, with rights, between many neighbours, rich at auctions."""
    nato = ("iceland", "great_britain", "netherlands", "norway", "denmark", "czech_republic", "poland", "hungary")
    ten = (
        "germany",
        "poland",
        "slovakia",
        "hungary",
        "yugoslavia",
        "macedonia",
        "bulgaria",
        "greece",
        "bosnia",
        "italy",
    )
    one, rest = dict.fromkeys(("austria", "slovenia"), "s1"), ("sweden", "spain", "portugal", "france")
    crowd = {
        name: f"s{n}" for n, name in enumerate(("poland", "denmark", "netherlands", "belgium", "france", "italy"), 2)
    }
    open_to_all = {"czech_republic": 2, "greece": 1, "hungary": 3, "bulgaria": 2}
    war = {"bulgaria": 0, "croatia": 0}
    owners: dict[str, dict[str, str]] = {
        "at the limit": dict.fromkeys(ten, "s1") | {"spain": "s2"},
        "beside the limit": one | dict.fromkeys(ten, "s2"),
        "with the defence bonus": dict.fromkeys(nato, "s1") | {"germany": "s2", "france": "s2"},
        "against the defence bonus": dict.fromkeys(nato, "s2") | {"germany": "s1", "france": "s1"},
        "in a crowd": {"germany": "s1", "iceland": "s1"} | crowd | dict.fromkeys(("sweden", "finland"), "s8"),
        "rich": {"poland": "s1", "slovakia": "s1", "soviet_union": "s1"} | dict.fromkeys(rest, "s2"),
    }
    crowded = {"austria": 0, "czech_republic": 0}
    states = {name: State(9, dict.fromkeys(sorted({*owner.values()}), 70), owner) for name, owner in owners.items()}
    states |= {
        f"{name} with auctions": replace(states[name], auctions=open_to_all, civil_war=war)
        for name in ("in a crowd", "rich")
    }
    limited = replace(states["at the limit"], auctions={"soviet_union": 2})
    poor = replace(states["rich"], auctions=open_to_all, civil_war=war, scores={"s1": 30, "s2": 3})
    return states | {"limited": limited, "poor": poor, "wars": replace(states["in a crowd"], civil_war=crowded)}


def _doors(order: Any, game: Any, state: Any, number: int) -> Iterator[str]:
    for whim in range(4):
        yield order(game, state, "outside", Dice("golden", number, "bot", SATURDAY, f"door {whim}")).replace(" ", "_")


def _valued(bot: str, game: Any, state: Any, seat: str, dice: Dice) -> Iterator[str]:
    """The numbers behind a choice: an order alone would show few of them."""
    moves = legal_moves(game, state, seat)
    if bot == "greedy":
        for calm in (True, False):
            worths = [bots._worth(game, state, seat, move, dice, in_rage=not calm) for move in moves]
            yield f"  worth {' '.join(map(str, worths))}"
    if bot == "lookahead":
        table = lookahead.Table(game, state, seat, {s: mask_of(game, state, s) for s in sorted(state.scores)})
        stay = lookahead._after(table, table.mine)
        for move in moves:
            whim = lookahead._whim(move, dice)
            numbers = [lookahead._value(table, move, stay), lookahead._first_sight(table, move), whim]
            if isinstance(move, Take | Attack):
                numbers += [lookahead._denied(table, move.country), lookahead._threat(table, move.country)]
            yield f"  {move} {' '.join(map(str, numbers))}"


def _figures(number: int) -> dict[str, str]:
    """Made up: another field each round, and every other round a collapse."""
    balls = f"11 {number % 28 + 1 + (number % 28 >= 10)} {22 if number % 2 else 21} 40 41 42"
    close = f"150{number * 7 % 100:02d}.10"
    return {"dax_close": close, "dax_day": "2024-01-05", "eurusd": "1.1", "lotto": balls, "lotto_day": "2024-01-06"}
