"""What stands around an order of EUROPA and makes it uncertain; orders within talk."""

import pytest

from league.games.europa.orders import Item, Peace, Place, Ready
from tests.games.europa.tables import GAME

START = GAME.setup([])


def told(text: str) -> list[tuple[str, str]]:
    """The lines that were asked about, with the reason."""
    return [(line.text, line.mistake.reason) for line in GAME.parse(START, "", text).lines if line.mistake]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I want to PLACE germany 2", "extra_words"),
        ("we want peace 3", "extra_words"),
        ("Round 3: PEACE 3", "extra_words"),
        ("I think peace 3 is too much", "extra_words"),
        ("so ELECTION germany: POLICY MINE", "extra_words"),
        ("our plan: germany > france", "extra_words"),
        ("this is FINAL", "extra_words"),
        ("don't place germany 2", "negated"),
        ("nicht setze Deutschland 2", "negated"),
        ("nooit vrede 3", "negated"),
        ("maybe peace 3", "conditional"),
        ("vielleicht Frieden 3", "conditional"),
    ],
)
def test_an_order_behind_other_words_is_asked_about(text: str, reason: str) -> None:
    """It would be passed over as talk, or carried out although its line says no."""
    assert told(text) == [(text, reason)]


@pytest.mark.parametrize(
    "text",
    [
        "We should place more in the south",
        "the plan france has is bad",
        "What a nice plan, Germany",
        "A good plan",
        "I am happy that we have come to our final phase",
        "Peace, my dear friends, will only come if we all give what we can.",
        "So I hope that all of you will do the same as I do and place germany 2 as well",
    ],
)
def test_talk_stays_talk(text: str) -> None:
    """Order words are common words; without what an order needs behind them nobody is asked."""
    assert GAME.parse(START, "", text).lines == ()


def test_an_order_in_a_long_line_is_asked_about_beside_others() -> None:
    """Who sends orders may have hidden one in a sentence."""
    long = "So I hope that all of you will do the same as I do and place germany 2 as well"
    assert told(f"PEACE 3\n{long}") == [(long, "extra_words")]


@pytest.mark.parametrize(
    ("above", "reason"),
    [
        ("What happens in case next phase I should decide to", "goes_on"),
        ("Would it be allowed to", "goes_on"),
        ("Anna wrote that she wants me to help and", "goes_on"),
        ("please do not", "negated"),
        ("bitte nicht", "negated"),
        ("if Ben does not agree:", "conditional"),
        ("falls Ben zustimmt:\n", "conditional"),
    ],
)
def test_a_line_above_makes_an_order_uncertain(above: str, reason: str) -> None:
    """Right below a line that breaks off, says no or only perhaps it isn't carried out."""
    assert told(f"{above}\npeace 3") == [("peace 3", reason)]


@pytest.mark.parametrize(
    "above",
    [
        "Hallo zusammen, hier kommt mein Zug",
        "here are my orders for this phase",
        "Nice game so far, we had fun.",
        "These are the things I want:",
        "Nice to play with you",
        "PLAN germany > france",
        "What happens in case next phase I should decide to\n",
        "",
    ],
)
def test_a_greeting_or_a_heading_takes_no_order_away(above: str) -> None:
    """Ordinary mails are read as they are meant."""
    parsed = GAME.parse(START, "", f"{above}\nPeace 3\nBen")
    assert Peace(3) in parsed.orders
    assert told(f"{above}\nPeace 3\nBen") == []


def test_a_list_goes_on_with_no_sentence() -> None:
    """A bullet begins anew."""
    assert GAME.parse(START, "", "Nice game so far and we had fun\n- peace 3").orders == (Peace(3),)


@pytest.mark.parametrize(
    "below", ["no, sorry", "scrap that", "nein, doch nicht", "nee toch niet", "Wait, on second thought"]
)
def test_a_line_below_takes_an_order_back(below: str) -> None:
    """Nothing is carried out that the next line unsays."""
    assert told(f"PEACE 3\n{below}") == [("PEACE 3", "taken_back")]


def test_what_stands_under_another_round_is_asked_about() -> None:
    """A mail's orders are for the open round alone."""
    text = "PEACE 3\nfor the next phase:\nPLACE germany 1"
    assert told(text) == [("PLACE germany 1", "other_round")]
    assert GAME.parse(START, "", text).orders == (Peace(3),)
    assert told("For this round:\nPEACE 3") == []


def test_a_line_of_our_own_list_sent_back_is_asked_about() -> None:
    """With the number in brackets it is ours; what became of it stands behind a dash in our answers."""
    assert told("[1] PEACE 3") == [("[1] PEACE 3", "echo")]
    assert told("[1] PEACE 3 – accepted") == []


def test_nothing_is_final_beside_a_doubt() -> None:
    """The phase could close before its player can say what was meant."""
    assert told("PEACE 3\nno, sorry\nFINAL") == [("PEACE 3", "taken_back"), ("FINAL", "final_unsure")]
    assert GAME.parse(START, "", "PEACE 3\nFINAL").orders == (Peace(3), Ready())


def test_text_of_a_message_is_no_order_behind_other_words() -> None:
    """Players tell each other what they want; only lines that are orders are asked about in a press."""
    (press,) = GAME.parse(START, "", "press to Ben: hi\nwe want peace 3\nand I place germany 2\nend").press
    assert press.text == "hi\nwe want peace 3\nand I place germany 2"


def test_a_wrapped_order_is_whole() -> None:
    """A comma or an arrow at a line's end goes on in the next, as before."""
    assert GAME.parse(START, "", "PLACE germany 2,\nfrance 1").orders == (
        Place((Item("germany", 2), Item("france", 1))),
    )
