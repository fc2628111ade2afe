"""Battles: which dice decide one, whose word counts when, and what a battle that isn't decided keeps open (K31-K34)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from league.core.game import Outcome, Turn
from league.core.orders import Decision, OrderMail
from league.desk import registry

EIGHT = ["iceland", "great_britain", "netherlands", "norway", "denmark", "czech_republic", "poland", "hungary"]
TEN = [
    "ireland",
    "spain",
    "portugal",
    "great_britain",
    "netherlands",
    "france",
    "denmark",
    "sweden",
    "finland",
    "greece",
]
HOLDER = {"Anna": (90, EIGHT), "Ben": (10, ["germany", "austria"])}  # Anna has the right to a rematch (K32)


class Dice:
    """Dice that answer as told and keep what they were asked."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[int, str]] = []

    def below(self, sides: int, purpose: str) -> int:
        self.asked.append((sides, purpose))
        return self.answers.pop(0)


def at(hour: int) -> datetime:
    return datetime(2024, 1, 13, hour, tzinfo=UTC)


def play(
    owns: Mapping[str, tuple[int, list[str]]],
    *mails: tuple[str, str] | tuple[str, str, int],
    dice: Dice | None = None,
    decisions: tuple[Decision, ...] = (),
    **options: Any,
) -> Outcome[Any]:
    """The outcome of a round; a mail is a seat, a text and perhaps the hour it came."""
    game = registry.load("kuel", registry.check_options(registry.plugin("kuel").meta, options))
    players: Any = {seat: {"score": score, "owns": lands} for seat, (score, lands) in owns.items()}
    state = game.restore({"round": 3, "players": players, "markers": {}, "newcomers": []})
    names = {seat: seat for seat in owns}
    turn = Turn(
        mails=tuple(
            OrderMail(seat, game.parse(state, seat, text, names), at(*hour) if hour else None)
            for seat, text, *hour in mails
        ),
        dice=dice,
        decisions=decisions,
    )
    return game.adjudicate(state, turn)


def told(outcome: Outcome[Any], kind: str) -> list[dict[str, Any]]:
    return [facts for event in outcome.events if (facts := dict(event.facts()))["type"] == kind]


def result(country: str, winner: str, hour: int | None = None, **more: Any) -> Decision:
    return Decision("result", {"country": country, "winner": winner, **more}, at(hour) if hour else None)


def test_a_battle_is_drawn_with_its_own_two_dice() -> None:
    """The first and the second try have purposes of their own: anybody can roll them again (K33, DESIGN: Chance)."""
    dice = Dice(1, 0)
    outcome = play(
        {"Anna": (15, ["france"]), "Ben": (20, ["denmark"])},
        ("Anna", "take Germany"),
        ("Ben", "take Germany"),
        dice=dice,
        battles="drawn",
    )
    assert dice.asked == [(2, "battle/germany/1"), (2, "battle/germany/2")]
    (fought,) = told(outcome, "battle")
    assert (fought["winner"], fought["attempt"], fought["how"]) == ("Ben", 1, "drawn")


@pytest.mark.parametrize(("first", "attempt", "winner"), [(0, 2, "Anna"), (1, 1, "Anna")])
def test_a_drawn_rematch_is_the_second_die(first: int, attempt: int, winner: str) -> None:
    """Who holds the right and loses the first draw has the second; who wins the first needs none (K32)."""
    outcome = play(HOLDER, ("Ben", "attack Denmark"), dice=Dice(first, 1), battles="drawn")
    (fought,) = told(outcome, "battle")
    assert (fought["attempt"], fought["winner"]) == (attempt, winner)


REPORTS = (("Anna", "result Denmark lost", 9), ("Ben", "result Denmark winner Anna", 15))


@pytest.mark.parametrize(
    ("hour", "attempt", "winner"),
    [
        (12, 2, "Anna"),  # Ben's report came after the word on the first battle: it is of the rematch
        (15, 2, None),  # at the very moment: it may be of the first
        (20, 2, None),
        (None, 2, None),  # nobody knows when the word was given
    ],
)
def test_reports_after_the_organizer_s_word_are_of_the_rematch(
    hour: int | None, attempt: int, winner: str | None
) -> None:
    """The organizer says who won the first battle; what a fighter reports later than that decides the second (K33)."""
    orders = (("Ben", "attack Denmark", 1), ("Anna", "rematch Denmark", 2), *REPORTS)
    elsewhere = result("spain", "Ben", 1)
    outcome = play(HOLDER, *orders, decisions=(elsewhere, result("denmark", "Ben", hour)), battles="reported")
    battles = [need for need in outcome.pending if need["kind"] == "battle"]
    if winner is None:
        assert [(need["country"], need["attempt"]) for need in battles] == [("denmark", attempt)]
    else:
        (fought,) = told(outcome, "battle")
        assert (fought["attempt"], fought["winner"]) == (attempt, winner)


def test_a_result_of_the_second_try_waits_for_the_first() -> None:
    """While the first battle is open its rematch may still come: the result of that isn't thrown away (K32)."""
    orders = (("Ben", "attack Denmark"), ("Anna", "rematch Denmark"))
    outcome = play(HOLDER, *orders, decisions=(result("denmark", "Anna", attempt=2),), battles="reported")
    assert told(outcome, "result_ignored") == []
    assert [need["country"] for need in outcome.pending if need["kind"] == "battle"] == ["denmark"]


def test_a_map_that_seats_all_is_large_enough() -> None:
    """Two fight, and Portugal's map is for two (K63)."""
    owns = {"Anna": (90, TEN), "Ben": (10, ["germany", "poland"])}
    outcome = play(owns, ("Ben", "attack Denmark"), ("Anna", "map Denmark: Portugal"), battles="reported")
    assert [(facts["map"], facts["rule"]) for facts in told(outcome, "terms")] == [("portugal", "K63")]


def test_a_bystander_decides_nothing() -> None:
    """Carla's `winner Ben` names a fighter, and she is none (K33)."""
    owns = {**HOLDER, "Carla": (5, ["greece"])}
    outcome = play(owns, ("Ben", "attack Denmark"), ("Carla", "result Denmark winner Ben"), battles="reported")
    assert told(outcome, "battle") == []
    assert outcome.fates[1].lines[0].reason == "no_fighter"


def test_nobody_enters_the_result_of_a_drawn_battle() -> None:
    """Before the lottery is known as well: the lot decides, and nothing else (K33)."""
    owns = {"Anna": (15, ["france"]), "Ben": (20, ["denmark"])}
    both = (("Anna", "take Germany"), ("Ben", "take Germany"))
    outcome = play(owns, *both, decisions=(result("germany", "Anna"),), battles="drawn")
    assert [facts["country"] for facts in told(outcome, "result_ignored")] == ["germany"]
    assert [need["country"] for need in outcome.pending if need["kind"] == "battle"] == ["germany"]
