"""The order language: three languages, every form, and why a line isn't understood (chapter 8.3)."""

from typing import Any

import pytest

from league.core.game import Turn
from league.games.europa.orders import (
    Ballot,
    Comparison,
    Item,
    Operand,
    Order,
    Peace,
    Place,
    Plan,
    Ready,
    notation,
)
from league.games.europa.placement import compared
from league.language.conditions import Conditional
from tests.games.europa.tables import GAME, mail, position, world

PLACED = Place(
    (
        Item("germany", 2),
        Conditional((Comparison(Operand("france"), "<", 3),), Item("france", 1), Item("italy", 1)),
    )
)
VOTED = Ballot(
    "germany",
    propose=(("me", "blue"), ("me", "red", "green")),
    yes=(("blue", "me"),),
    policy="mine",
    share=12,
    move=("poland", "austria"),
)
SAME: list[tuple[Order, tuple[str, ...]]] = [
    (Peace(3), ("PEACE 3", "Frieden 3", "VREDE 3.", "bitte frieden 3", "- peace 3!")),
    (
        Plan(("yugoslavia", "macedonia", "albania")),
        (
            "PLAN yugoslavia > macedonia > albania",
            "Plan Jugoslawien > Mazedonien, Albanien",
            "plan Joegoslavië → mkd → ALB",
        ),
    ),
    (
        PLACED,
        (
            "PLACE germany 2, IF france.TOTAL < 3 THEN france 1 ELSE italy 1",
            "SETZE Deutschland 2, WENN Frankreich.SUMME < 3 DANN Frankreich 1 SONST Italien 1",
            "plaats duitsland 2, als frankrijk < 3 dan frankrijk 1 anders italië 1",
            "setzen DEU 2, wenn FRA < 3 dann FRA 1 sonst Italia 1",
        ),
    ),
    (
        VOTED,
        (
            "ELECTION germany: PROPOSE ME+blue > ME+red+green; YES blue+ME; POLICY MINE SHARE 12; MOVE poland, austria",
            (
                "Wahl Deutschland: Vorschlag ich+Blau > ich+rot+grün; Ja Blau+ich; Haltung meine Anteil 12; "
                "Ziehe Polen > Österreich"
            ),
            (
                "verkiezing Duitsland: voorstel ik+blauw > ik+rood+groen; ja blauw+ik; houding mijn aandeel 12; "
                "verplaats Polen > Oostenrijk"
            ),
            (
                "WAHL Deutschland: VORSCHLAG ICH & Blau > ICH + Rot + gruen; JA blau+ich; HALTUNG MEINE ANTEIL 12; "
                "ZIEHE Polen, Oesterreich;"
            ),
        ),
    ),
    (
        Ballot("", policy="mine"),
        ("ELECTION DEFAULT: POLICY MINE", "Wahl Standard: Haltung meine", "verkiezing standaard houding mijn"),
    ),
    (
        Ballot("italy", policy="none", move=()),
        ("ELECTION italy: POLICY NONE; STAY", "Wahl Italien: Haltung keine; bleibe"),
    ),
    (
        Ballot("italy", no=(("white",), ("purple",))),
        ("ELECTION italy: NO white, purple", "Wahl Italien: nein weiß, violett"),
    ),
    (Ballot("italy", policy="all"), ("ELECTION ITA: policy all", "verkiezing italië: houding alle")),
    (Ready(), ("FINAL", "Endgültig!", "endgueltig", "definitief")),
    (
        Place((Item("bosnia", 1),)),
        ("PLACE Bosnia and Herzegovina 1", "setze Bosnien-Herzegowina 1", "place bosnia_herzegovina 1"),
    ),
    (
        Place((Item("great_britain", 1),)),
        ("place great_britain 1", "PLACE uk 1", "plaats Groot-Brittannie 1"),
    ),
]


@pytest.mark.parametrize(("order", "texts"), SAME, ids=lambda value: type(value).__name__)
def test_the_same_order_in_three_languages(order: Order, texts: tuple[str, ...]) -> None:
    """However a line is written, it is the same order, and its notation is read back."""
    for text in (*texts, notation(order)):
        assert GAME.parse(GAME.setup([]), "", text).orders == (order,), text


CONDITIONS = {
    "france.NEED > france": Comparison(Operand("france", "need"), ">", Operand("france")),
    "france.red >= 2": Comparison(Operand("france", "red"), ">=", 2),
    "france.ME = italy.total": Comparison(Operand("france", "me"), "=", Operand("italy")),
    "france ≤ 2": Comparison(Operand("france"), "<=", 2),
    "bosnia and herzegovina == 0": Comparison(Operand("bosnia"), "=", 0),
}


@pytest.mark.parametrize("written", CONDITIONS)
def test_what_a_condition_can_compare(written: str) -> None:
    """A country alone is all its pawns; NEED, ME and a party are the others (M4)."""
    (order,) = GAME.parse(GAME.setup([]), "", f"PLACE IF {written} AND italy < 9 THEN germany 1").orders
    assert order == Place(
        (Conditional((CONDITIONS[written], Comparison(Operand("italy"), "<", 9)), Item("germany", 1)),)
    )


def test_conditions_stand_inside_one_another() -> None:
    """An ELSE belongs to the IF nearest to it, and the notation says the same."""
    text = "PLACE IF france < 1 THEN france 1 ELSE IF italy < 1 THEN italy 1 ELSE germany 1"
    (order,) = GAME.parse(GAME.setup([]), "", text).orders
    assert isinstance(order, Place)
    outer = order.items[0]
    assert isinstance(outer, Conditional)
    assert isinstance(outer.otherwise, Conditional)
    assert GAME.parse(GAME.setup([]), "", notation(order)).orders == (order,)


WRONG = {
    "PEACE": "missing_number",
    "PEACE three": "bad_number",
    "PEACE -3": "bad_number",
    "PEACE 1.5": "extra_words",
    "PEACE 3 please 4": "extra_words",
    "PEACE 3?": "question",
    "PLAN": "missing_country",
    "PLAN 4": "missing_country",
    "PLACE atlantis 1": "unknown_country",
    "PLACE germani 2": "unknown_country",
    "PLACE slov 2": "ambiguous_country",
    "PLACE germany": "missing_number",
    "PLACE germany 0": "bad_number",
    "PLACE germany 2 france 1": "extra_words",
    "PLACE monaco 1": "no_card",
    "PLACE IF france THEN italy 1": "missing_sign",
    "PLACE IF france < 1 italy 1": "missing_then",
    "PLACE IF france.orange < 1 THEN italy 1": "unknown_party",
    "ELECTION germany:": "missing_clause",
    "ELECTION germany: WISH ME": "unknown_clause",
    "ELECTION germany: STAY; MOVE poland": "clause_twice",
    "ELECTION germany: PROPOSE": "missing_party",
    "ELECTION germany: PROPOSE orange": "unknown_party",
    "ELECTION germany: PROPOSE red+red": "party_twice",
    "ELECTION germany: PROPOSE red+blue+green+white": "too_many_parties",
    "ELECTION germany: POLICY PERHAPS": "unknown_policy",
    "FINAL 2": "extra_words",
    "PLCAE germany 2": "unknown_verb",
    "press to Ben": "press_without_colon",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_understood_is_told(text: str) -> None:
    """A line that isn't understood is a mistake with a reason that has words in every language."""
    (line,) = GAME.parse(GAME.setup([]), "", text).lines
    assert line.mistake is not None
    assert line.mistake.reason == WRONG[text]
    assert line.mistake.rule


def test_near_names_are_suggested_and_never_guessed() -> None:
    """A slip of the pen is told with what it is near to."""
    (line,) = GAME.parse(GAME.setup([]), "", "PLACE germani 2").lines
    assert line.mistake is not None
    assert line.mistake.facts["suggestions"] == ("germany",)
    (line,) = GAME.parse(GAME.setup([]), "", "PLACE germ 2").lines
    assert line.order == Place((Item("germany", 2),))


@pytest.mark.parametrize(
    "text",
    [
        "Hello everybody",
        "> PEACE 3",
        "# PEACE 3",
        "[1] PEACE 3 - carried out",
        "Peace, my dear friends, will only come if we all give what we can.",
        "A good plan",
        "We should place more in the south",
        "",
    ],
)
def test_talk_is_no_order(text: str) -> None:
    """What only talks is left out and is no mistake."""
    assert GAME.parse(GAME.setup([]), "", text).lines == ()


def test_a_line_that_was_wrapped_is_read_as_one() -> None:
    """A mail program may break a ballot or a placement; press in between stays press."""
    text = (
        "ELECTION germany: PROPOSE ME+blue >\nME+red; YES blue+ME;\nPOLICY ALL\n\n"
        "press to all: PEACE 9\n"
        "PLACE germany 2, IF france < 3\nTHEN france 1\nELSE italy 1\nPEACE 2"
    )
    read = GAME.parse(GAME.setup([]), "", text)
    assert read.orders == (
        Ballot("germany", (("me", "blue"), ("me", "red")), (("blue", "me"),), policy="all"),
        PLACED,
        Peace(2),
    )
    assert [press.text for press in read.press] == ["PEACE 9"]


def test_a_line_is_not_longer_than_a_thousand_letters() -> None:
    """A longer one that begins like an order is told; else it is talk."""
    long = "france 1, " * 120
    (line,) = GAME.parse(GAME.setup([]), "", f"PLACE {long}").lines
    assert line.mistake is not None
    assert line.mistake.reason == "too_long"
    assert GAME.parse(GAME.setup([]), "", f"Listen: {long}").lines == ()


def fates(text: str, **changes: Any) -> list[str]:
    state = GAME.restore(position(**changes))
    return [str(r and r.reason) for row in GAME.counts(state, [mail("Anna", text)]) for r in row]


def test_orders_of_another_phase_do_not_count() -> None:
    """PEACE and PLAN have their phase, PLACE its two, ELECTION the vote; FINAL counts in all."""
    text = "PEACE 1\nPLAN poland\nPLACE germany 1\nELECTION germany: STAY\nFINAL"
    assert fates(text) == ["wrong_phase", "wrong_phase", "None", "wrong_phase", "None"]
    players = {name: {"political": 40} for name in ("Anna", "Ben", "Carla")}
    voting = fates(text, phase="VOTE1", players=players, board={"germany": {"Anna": 1}})
    assert voting == ["wrong_phase", "wrong_phase", "wrong_phase", "None", "None"]


def test_a_ballot_is_for_an_election_of_the_group() -> None:
    """A country that doesn't vote in this group is told at once."""
    players = {name: {"political": 40} for name in ("Anna", "Ben", "Carla")}
    text = "ELECTION italy: STAY\nELECTION spain: STAY\nELECTION germany: STAY"
    assert fates(text, phase="VOTE1", players=players, board={"germany": {"Anna": 1}}) == [
        "no_election",
        "no_election",
        "None",
    ]


def test_the_later_of_two_lines_counts() -> None:
    """Of lines repeated in one mail the last counts, but placements are worked off one after the other (M8)."""
    assert fates("PLACE germany 1\nPLACE france 1\nFINAL\nFINAL") == ["None", "None", "superseded_line", "None"]


@pytest.mark.parametrize(
    ("sign", "holds"),
    [
        ("<", (True, False, False)),
        ("<=", (True, True, False)),
        ("=", (False, True, False)),
        (">=", (False, True, True)),
        (">", (False, False, True)),
    ],
)
def test_what_each_sign_means(sign: str, holds: tuple[bool, bool, bool]) -> None:
    """Below, at and above a number; who has no pawn there has none (M4)."""
    table = world(phase="PLACE2", board={"france": {"Anna": 2}})
    found = tuple(compared(table, "Anna", Comparison(Operand("france"), sign, number)) for number in (3, 2, 1))
    assert found == holds
    assert compared(table, "Anna", Comparison(Operand("france", "me"), "=", 2))
    assert all(compared(table, "Ben", Comparison(Operand("france", of), "=", 0)) for of in ("me", "red", "white"))


def test_a_promise_is_only_called_cut_if_it_was() -> None:
    """Who gives all that is there is told of no cut (M1), and penalties are numbered from the first (R49)."""
    conflict = {"epoch": 3, "phase": "PEACE", "war": ["russia"], "track": ["russia"]}
    state = GAME.restore(position(**conflict))
    outcome = GAME.adjudicate(state, Turn(mails=(mail("Anna", "PEACE 6"), mail("Ben", "PEACE 6"))))
    assert [fate.lines[0].reason for fate in outcome.fates] == ["done", "peace_cut"]
    lost = [event.facts() for event in outcome.events if event.type() == "penalised"]
    assert [(event["seat"], event["place"], event["held_back"]) for event in lost] == [("Carla", 1, 4)]


def test_boxes_of_a_list_to_be_ticked() -> None:
    """They fall off; where some are ticked the others are asked about."""
    assert GAME.parse(GAME.setup([]), "", "- [x] peace 3").orders == (Peace(3),)
    assert GAME.parse(GAME.setup([]), "", "x peace 3").orders == (Peace(3),)
    found = GAME.parse(GAME.setup([]), "", "☑ place france 1\n☐ place germany 1").lines
    assert [line.mistake.reason if line.mistake else "" for line in found] == ["", "unticked"]
    for struck in ("❌ peace 3", "~~peace 3~~", "[-] peace 3", "peace 3 ✗"):
        (line,) = GAME.parse(GAME.setup([]), "", struck).lines
        assert line.mistake is not None
        assert line.mistake.reason == "unticked"
