"""What a seat may not know is in nothing that others see (chapter 8.6)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from league.core.game import Turn
from league.core.orders import OrderMail
from league.games.europa.orders import Ballot, Item, Order, Peace, Place, Plan, notation
from tests.games.europa.tables import GAME, Match, Step, mail, position

SEEDS = range(12)
VOTERS = {name: {"political": 60 - 10 * place} for place, name in enumerate(("Anna", "Ben", "Carla"))}


def bare(step: Step) -> dict[str, str]:
    """The least that everybody can have ordered, made of the events alone: what had to be shown."""
    events = [event.facts() for event in step.outcome.events]
    said: dict[str, list[Order]] = {seat: [] for seat in step.before.players}
    leader = next((str(e["seat"]) for e in events if e["type"] == "peace_led"), "")
    placed: dict[str, list[Item]] = {}
    for event in events:
        facts: Any = event
        if facts["type"] == "committed":
            for seat, pawns in facts["pawns"]:
                said[seat].append(Peace(pawns))
        elif facts["type"] == "placed" and not facts["default"]:
            placed.setdefault(facts["seat"], []).append(Item(facts["country"], facts["pawns"]))
    ended = tuple(str(e["country"]) for e in events if e["type"] == "conflict_ended")
    if leader and ended:
        said[leader].append(Plan(ended))
    for seat, items in placed.items():
        said[seat].append(Place(tuple(items)))
    for ballot_of, ballot in ballots(step, events):
        said[ballot_of].append(ballot)
    return {seat: "\n".join(map(notation, orders)) for seat, orders in said.items()}


def ballots(step: Step, events: Iterable[Any]) -> Iterable[tuple[str, Ballot]]:
    """Of each election what each party is known to have proposed, voted and moved."""
    party = {seat: player.party for seat, player in step.before.players.items()}
    events = list(events)
    for opened in (e for e in events if e["type"] == "election_opened"):
        here = [e for e in events if e.get("country") == opened["country"] or e.get("source") == opened["country"]]
        for seat, _ in opened["present"]:
            proposed = [e["coalition"] for e in here if e["type"] == "proposed" and e["seat"] == seat]
            others = [e for e in here if e["type"] == "voted" and e["seat"] != seat]
            voted = {way: [e["coalition"] for e in others if seat in e[way]] for way in ("yes", "no")}
            moved = tuple(e["target"] for e in here if e["type"] == "pawn_moved" and e["seat"] == seat)
            propose, yes, no = (
                tuple(tuple(party[s] for s in coalition) for coalition in found)
                for found in (proposed, voted["yes"], voted["no"])
            )
            yield seat, Ballot(opened["country"], propose, yes, no, "none", 0, moved)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_that_is_shown_follows_from_what_had_to_be_shown(seed: int) -> None:
    """Whole matches: with orders made of the events alone every event, position and view comes out the same.

    So no condition, untaken branch, unused proposal, plan or policy has left a trace in them.
    """
    bots = ["random", "diplomat", "random", "diplomat", "random", "random"][: 3 + seed % 4]
    for step in Match(f"secrets {seed}", bots).play():
        texts = bare(step)
        mails = tuple(OrderMail(seat, GAME.parse(step.before, seat, text)) for seat, text in texts.items())
        shown = GAME.adjudicate(step.before, replace(step.turn, mails=mails))
        assert shown.events == step.outcome.events
        assert shown.state == step.outcome.state
        for seat in (None, *step.before.players):
            assert GAME.view(step.before, shown, seat) == GAME.view(step.before, step.outcome, seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_seat_is_told_of_its_own_orders_hangs_on_no_secret(seed: int) -> None:
    """A seat's fates stay the same when everybody else orders only what had to be shown."""
    for step in Match(f"fates {seed}", ["random"] * (3 + seed % 4)).play():
        texts = bare(step)
        for place, own in enumerate(step.turn.mails):
            mails = tuple(
                m if m is own else OrderMail(m.seat, GAME.parse(step.before, m.seat, texts.get(m.seat, "")))
                for m in step.turn.mails
            )
            shown = GAME.adjudicate(step.before, replace(step.turn, mails=mails))
            assert shown.fates[place] == step.outcome.fates[place]


PEACE = {"epoch": 3, "phase": "PEACE", "tension": ["poland"], "war": ["hungary"], "track": ["poland", "hungary"]}
VOTE = {"phase": "VOTE1", "players": VOTERS, "board": {"germany": {"Anna": 2, "Ben": 1}}}
HIDDEN = [
    pytest.param(PEACE, "PEACE 4", "PEACE 0", id="commitment"),
    pytest.param(PEACE, "PEACE 1\nPLAN poland", "PEACE 1\nPLAN hungary", id="plan"),
    pytest.param({}, "PLACE germany 3", "PLACE IF italy < 2 THEN italy 3", id="placement"),
    pytest.param(VOTE, "ELECTION germany: PROPOSE ME+green", "ELECTION germany: POLICY NONE", id="ballot"),
]


@pytest.mark.parametrize(("changes", "one", "other"), HIDDEN)
def test_before_the_deadline_nothing_hangs_on_anothers_orders(changes: dict[str, Any], one: str, other: str) -> None:
    """View, phase and rehearsal of another seat are the same whatever Anna has sent; nothing is made of her mail."""
    state = GAME.restore(position(**changes))
    own = [mail("Ben", "PEACE 1\nPLACE italy 1\nELECTION germany: POLICY ALL")]

    def seen(text: str) -> object:
        mails = [mail("Anna", text), *own]
        counts = GAME.counts(state, mails)
        return (
            [GAME.view(state, None, seat) for seat in (None, "Ben", "Carla")],
            GAME.phase(state),
            GAME.rehearse(state, "Ben", own),
            counts[1],
        )

    assert seen(one) == seen(other)


def test_commitments_are_in_no_position_and_no_view_before_they_are_revealed() -> None:
    """At the deadline the number is shown, and only cut to what was there."""
    state = GAME.restore(position(**PEACE))
    told = GAME.adjudicate(state, Turn(mails=(mail("Anna", "PEACE 77"),)))
    assert [event.facts()["pawns"] for event in told.events if event.type() == "committed"] == [
        [("Anna", 6), ("Ben", 0), ("Carla", 0)]
    ]
    assert "77" not in str([event.facts() for event in told.events])


def test_the_game_says_that_its_orders_stay_sealed() -> None:
    """Records are to hold a commitment to the orders until the match is over."""
    assert GAME.meta.open_at_end
