"""What stands around an order and makes it uncertain."""

import tomllib
from pathlib import Path

import pytest

from league.games.kuel.orders import Bid, Take
from league.games.kuel.reader import make_reader

CONFIG = Path("config/kuel")
BOARD, WORDS = (tomllib.loads((CONFIG / f"{name}.toml").read_text("utf-8")) for name in ("board", "keywords"))
READER = make_reader(BOARD, WORDS)


def told(text: str) -> list[tuple[str, str]]:
    """The lines that were asked about, with the reason."""
    return [(line.text, line.mistake.reason) for line in READER.parse(text).lines if line.mistake]


@pytest.mark.parametrize(
    "above",
    [
        "On no account will my brave soldiers ever be so foolish as to try to",
        "What happens in case next week I should decide to",
        "Would it be allowed to",
        "Anna wrote that she wants me to help and",
        "Meine tapferen Soldaten haben ja noch immer keine rechte Lust und",
    ],
)
def test_an_order_may_be_the_end_of_a_sentence(above: str) -> None:
    """Right below a line of talk that breaks off it is asked about; below a blank line it counts."""
    assert told(f"{above}\ntake Spain.") == [("take Spain.", "goes_on")]
    assert READER.parse(f"{above}\n\ntake Spain").orders == (Take("spain"),)


@pytest.mark.parametrize(
    "above",
    [
        "Hallo zusammen, hier kommt mein Zug",
        "Hallo, ich hoffe es geht euch allen gut",
        "here are my orders for the open one",
        "Nice game so far, we had fun.",
        "These are the things I want:",
        "I had a good time with all of you,",
        "Nice to play with you",
        "bid 30 on Prague",
        "",
    ],
)
def test_a_greeting_or_a_heading_takes_no_order_away(above: str) -> None:
    """Ordinary mails are read as they are meant."""
    parsed = READER.parse(f"{above}\nTake Spain\nBen")
    assert Take("spain") in parsed.orders
    assert not any(line.mistake for line in parsed.lines)


def test_a_list_goes_on_with_no_sentence() -> None:
    """A bullet begins anew."""
    assert READER.parse("Nice game so far and we had fun\n- take Spain").orders == (Take("spain"),)


@pytest.mark.parametrize(
    "below",
    ["no, sorry, scrap that", "(no, wait)", "scrap that", "nein", "doch nicht", "Nee, toch niet!", "sorry, forget it"],
)
def test_a_line_that_takes_an_order_back(below: str) -> None:
    """The order right above is asked about; the others count."""
    parsed = READER.parse(f"bid 3 on Prague\ntake Spain\n{below}")
    assert parsed.orders == (Bid("czech_republic", 3),)
    assert ("take Spain", "taken_back") in told(f"take Spain\n{below}")


@pytest.mark.parametrize("below", ["Sorry for being late", "No more for now", "Nothing else", "Bis dann, Anna"])
def test_talk_below_an_order_takes_nothing_back(below: str) -> None:
    """Only what says so does."""
    assert READER.parse(f"take Spain\n{below}").orders == (Take("spain"),)


@pytest.mark.parametrize("heading", ["next round", "Nächste Runde:", "volgende ronde", "Runde 2", "for week 3:"])
def test_orders_of_another_round_do_not_replace_this_ones(heading: str) -> None:
    """What stands below such a heading between orders is told; above all orders a heading is only that."""
    assert READER.parse(f"take Spain\n\n{heading}\ntake Ireland").orders == (Take("spain"),)
    assert told(f"take Spain\n{heading}\ntake Ireland") == [("take Ireland", "other_round")]
    assert READER.parse(f"{heading}\ntake Ireland\nbid 3 on Prague").orders == (
        Take("ireland"),
        Bid("czech_republic", 3),
    )


@pytest.mark.parametrize(
    "line",
    [
        "My move for this week is that I would like to take Spain.",
        "if Spain is free take Spain else if Ireland is free take Ireland else pass",
        "Meine Truppen marschieren in dieser Woche nun endlich los und sollen bitte Spanien einnehmen.",
    ],
)
def test_an_order_in_a_long_line_is_not_passed_over(line: str) -> None:
    """Beside orders that were understood it is told; alone, as in a message, it is talk."""
    assert told(f"bid 3 on Prague\n{line}") == [(line, "extra_words")]
    assert told(line) == []


def test_a_long_line_without_an_order_is_talk() -> None:
    """A verb without a country beside it asks nothing."""
    line = "Anna and I will take a holiday soon and we hope that all of you enjoy this week in the sun as much as I do"
    assert told(f"bid 3 on Prague\n{line}") == []


def test_a_line_of_our_own_list_is_told() -> None:
    """It never counts, and who copies the list of an answer learns it; what only looks like one stays silent."""
    text = "take Spain\n[2] bid 12 on Prague\n- [3] pass\n[4] bid 3 on Prague – accepted; fails\n> [5] pass"
    assert READER.parse(text).orders == (Take("spain"),)
    assert told(text) == [("[2] bid 12 on Prague", "echo"), ("- [3] pass", "echo")]


def test_where_some_of_a_list_is_ticked_the_rest_is_asked_about() -> None:
    """Empty boxes beside ticked ones may be what somebody decided against; where all are empty all are meant."""
    assert told("- [x] take Spain\n- [ ] take Paris\nleave 7") == [("- [ ] take Paris", "unticked")]
    assert READER.parse("- [x] take Spain\n- [ ] take Paris").orders == (Take("spain"),)
    assert told("☒ take Spain\n☐ take Paris") == [("☐ take Paris", "unticked")]
    assert READER.parse("☐ take Spain\n☐ take Paris").orders == (Take("spain"), Take("france"))
    assert READER.parse("x take Spain\n☒ bid 30 on Paris").orders == (Take("spain"), Bid("france", 30))
    assert told("[x] call Ben\n[ ] take Paris") == []


@pytest.mark.parametrize(
    "line", ["❌ bid 5 on Prague", "✗ take Spain", "[-] take Spain", "~~take Spain~~", "take Spain ✗"]
)
def test_what_is_crossed_out_is_never_an_order(line: str) -> None:
    """By a cross before or behind it, a struck box or a program's marks: asked about, and the others count."""
    assert told(line) == [(line, "unticked")]
    assert told(f"leave 7\n{line}") == [(line, "unticked")]
    assert READER.parse(f"leave 7\n{line}").orders == READER.parse("leave 7").orders


def test_marks_behind_lines_are_those_of_a_list() -> None:
    """The ticked one counts, the crossed and the empty ones are asked about."""
    text = "take Spain ✗\nbid 5 on Prague ✓\n- [ ] bid 3 on Vienna"
    assert told(text) == [("take Spain ✗", "unticked"), ("- [ ] bid 3 on Vienna", "unticked")]
    assert READER.parse(text).orders == READER.parse("bid 5 on Prague").orders


def test_a_cross_without_a_verb_is_no_order() -> None:
    """`x Paris` says what, and not what to do with it."""
    assert told("x Paris") == [("x Paris", "unknown_verb")]
