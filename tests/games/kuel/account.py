"""All that the engine says of a case, and what bots play, as lines of text; kept in tests/golden/kuel-*.txt."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from league.core.game import Outcome, Seat, Turn
from league.core.orders import OrderMail, Ruling
from league.core.view import View
from league.desk import registry
from league.desk.adjudicate import _position, _turn
from league.games.kuel import bots
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
    """A league of one kind of bot: what each seat orders in each round, and where it stands."""
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
            mails.append(OrderMail(seat, game.parse(state, seat, text)))
        lots = Dice("golden", number, "lotto", SATURDAY, "")
        state = game.adjudicate(state, Turn(mails=tuple(mails), evidence=evidence, dice=lots)).state


def _figures(number: int) -> dict[str, str]:
    """Made up: another field each round, and every other round a collapse."""
    balls = f"11 {number % 28 + 1 + (number % 28 >= 10)} {22 if number % 2 else 21} 40 41 42"
    close = f"150{number * 7 % 100:02d}.10"
    return {"dax_close": close, "dax_day": "2024-01-05", "eurusd": "1.1", "lotto": balls, "lotto_day": "2024-01-06"}
