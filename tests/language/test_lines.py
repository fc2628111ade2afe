"""A mail cut into lines, press and what is neither."""

import tomllib
from pathlib import Path

import pytest

from league.core.orders import Press
from league.language.lines import Aside, BadPress, Written, box_of, split, undecorated, unsure_boxes
from league.language.words import read_keywords

WORDS = read_keywords(tomllib.loads(Path("config/kuel/keywords.toml").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("- take Paris", "take Paris"),
        ("* take Paris", "take Paris"),
        ("-take Paris", "take Paris"),
        ("• take Paris", "take Paris"),
        ("1. take Paris", "take Paris"),
        ("1.take Paris", "take Paris"),
        ("(2) take Paris", "take Paris"),
        ("a) take Paris", "take Paris"),
        ("1. 17 nehmen", "17 nehmen"),
        ("7. angreifen", "7. angreifen"),
        ("17 nehmen", "17 nehmen"),
        ("-7 nehmen", "-7 nehmen"),
        ("1.17 nehmen", "1.17 nehmen"),
        ("[1] take Paris", "[1] take Paris"),
        ("", ""),
        ("-", "-"),
    ],
)
def test_decoration(line: str, bare: str) -> None:
    """Bullets and counters fall off, but never the number of a country, and never the number of our own echo."""
    assert undecorated(line) == bare


@pytest.mark.parametrize(
    ("line", "box"),
    [
        ("- [x] take Paris", "tick"),
        ("* [X] take Paris", "tick"),
        ("-[x] take Paris", "tick"),
        ("1. [x] take Paris", "tick"),
        ("(x) take Paris", "tick"),
        ("✓ take Paris", "tick"),
        ("✅ take Paris", "tick"),
        ("• ☑ take Paris", "tick"),
        ("x take Paris", "cross"),
        ("X take Paris", "cross"),
        ("× take Paris", "cross"),
        ("☒ take Paris", "cross"),
        ("✗take Paris", "struck"),
        ("❌ take Paris", "struck"),
        ("- [ ] take Paris", "empty"),
        ("[] take Paris", "empty"),
        ("2) ☐ take Paris", "empty"),
        ("□ take Paris", "empty"),
        ("● take Paris", ""),
        ("x) take Paris", ""),
    ],
)
def test_boxes_of_a_list(line: str, box: str) -> None:
    """What phones and editors put before the items of a list to be ticked falls off, and its kind is known."""
    assert (undecorated(line), box_of(line)) == ("take Paris", box)


@pytest.mark.parametrize(
    ("line", "box"),
    [
        ("[-] take Paris", "struck"),
        ("1. [-] take Paris", "struck"),
        ("~~take Paris~~", "struck"),
        ("- ~take Paris~", "struck"),
        ("take ~~Paris~~ Rome", "struck"),
        ("take Paris ✗", "struck"),
        ("take Paris ❌.", "struck"),
        ("take Paris [-]", "struck"),
        ("t\u0336a\u0336k\u0336e Paris", "struck"),
        ("take Paris ✓", "tick"),
        ("take Paris [x]", "tick"),
        ("take Paris ☐", "empty"),
        ("take Paris ~ Rome", ""),
        ("~5 pieces", ""),
    ],
)
def test_marks_around_a_line(line: str, box: str) -> None:
    """What stands behind a line or strikes it out is a mark as what stands before it."""
    assert box_of(line) == box


@pytest.mark.parametrize("line", ["xyz take Paris", "[3] take Paris", "x", "[x]", "(xx) take", "x 7", "Xavier, hello"])
def test_what_is_no_box(line: str) -> None:
    """Words and names with an x, numbers in brackets, and a box with nothing behind it stay."""
    assert (undecorated(line), box_of(line)) == (line, "")


@pytest.mark.parametrize(
    ("boxes", "unsure"),
    [
        (("empty", "empty", ""), set()),
        (("tick", ""), set()),
        (("tick", "empty"), {"empty"}),
        (("cross", "empty"), {"empty"}),
        (("tick", "cross"), {"cross"}),
        (("struck",), {"struck"}),
        (("tick", "struck", "empty"), {"struck", "empty"}),
    ],
)
def test_boxes_in_doubt(boxes: tuple[str, ...], unsure: set[str]) -> None:
    """Who ticks some items means those; where all boxes are alike they say nothing."""
    assert unsure_boxes(boxes) == unsure


def test_what_is_dropped() -> None:
    """Blank and ornamental lines, comments and `end` leave nothing; echoes and quotes are set aside."""
    dropped = "# take Paris\n\n---\n* * *\n  \u200b\n\ufeff# x\nend\nEnde.\n-- einde --\n"
    text = dropped + "[1] take Paris – accepted\n> take Paris\n| x"
    assert split(text, WORDS) == tuple(map(Aside, ["[1] take Paris – accepted", "> take Paris", "| x"]))


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\x00"])
def test_only_line_feeds_end_a_line(separator: str) -> None:
    """What another program might show as a line of its own stays within its line."""
    assert split(f"note{separator}take Paris", WORDS) == (Written("note take Paris", "note take Paris", 0),)


def test_rows() -> None:
    """Every kind of line end counts once, and a line knows its row."""
    assert [part.row for part in split("a b\r\nc d\re f\n\ng h", WORDS) if isinstance(part, Written)] == [0, 1, 2, 4]


@pytest.mark.parametrize(
    ("text", "press"),
    [
        ("press to Anna: hi", Press(("Anna",), "hi")),
        ("Press to Anna, Ben: hi", Press(("Anna", "Ben"), "hi")),
        ("Presse an Anna und Ben: hallo", Press(("Anna", "Ben"), "hallo")),
        ("pers aan Anna en Ben: hoi", Press(("Anna", "Ben"), "hoi")),
        ("press to all: hi", Press((), "hi")),
        ("Presse an alle: hallo", Press((), "hallo")),
        ("pers aan iedereen: hoi", Press((), "hoi")),
        ("press Anna: hi", Press(("Anna",), "hi")),
        ("- press to Anna: hi", Press(("Anna",), "hi")),
        ("press to all: hi\ntake Rom\n\nmore\nend", Press((), "hi\ntake Rom\n\nmore")),
        ("press to all:\ntake Rom\nmore", Press((), "take Rom\nmore")),
        ("press to all:\n  take Rom: x\nend", Press((), "take Rom: x")),
    ],
)
def test_press(text: str, press: Press) -> None:
    """Press goes to `end` or to the mail's end; nothing in it is an order."""
    assert split(text, WORDS) == (press,)


def test_what_follows_press() -> None:
    """After its end the orders go on."""
    order = Written("take Rom", "take Rom", 3)
    assert split("press to all: a\nb\nend\ntake Rom", WORDS) == (Press((), "a\nb"), order)
    assert split("press to all:\na\n\ntake Rom", WORDS, looks=looks) == (Press((), "a"), order)
    assert split("\n\npress to all: a\ntake Rom", WORDS, looks=looks) == (Press((), "a"), order)


def test_two_presses_share_no_end() -> None:
    """An `end` closes the press right above it; the one before is one line."""
    text = "press to Anna: a\ntake Rom\npress to Ben: b\nc\nend"
    expected = (Press(("Anna",), "a"), Written("take Rom", "take Rom", 1), Press(("Ben",), "b\nc"))
    assert split(text, WORDS, looks=looks) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("press to all hello", "press_without_colon"),
        ("press: hello", "press_to_nobody"),
        ("press to , : hello", "press_to_nobody"),
        ("press to Anna:", "press_empty"),
        ("press to Anna hello\ntake Rom\nend", "press_without_colon"),
    ],
)
def test_press_that_cannot_be_delivered(text: str, reason: str) -> None:
    """Press without colon, name or text is a mistake; it never goes to everyone by accident."""
    assert split(text, WORDS) == (BadPress(text.split("\n", maxsplit=1)[0], reason),)


def test_pressing_matters() -> None:
    """A line that only begins like press is a line."""
    assert split("press Paris", WORDS) == (Written("press Paris", "press Paris", 0),)


@pytest.mark.parametrize("below", ["final", "Final!", "please final", "final\n\nfinal"])
def test_a_word_alone_may_belong_to_the_message(below: str) -> None:
    """Between one line of press and its `end` one that is but a word is asked about; beside a whole order it counts."""

    def sees(bare: str) -> bool | None:
        return "final" in bare.lower() or looks(bare)

    parts = split(f"press to all: hello\n{below}\nend", WORDS, looks=sees)
    assert {part.reason for part in parts if isinstance(part, BadPress)} == {"press_holds_order", "order_in_press"}
    assert len(parts) == 1 + below.lower().count("final")
    whole = split(f"press to all: hello\ntake Rom\n{below}\nend", WORDS, looks=sees)
    assert whole[0] == Press((), "hello")
    assert next(part.bare for part in whole if isinstance(part, Written)) == "take Rom"
    assert sum(isinstance(part, Written) for part in whole) == len(parts)


def looks(bare: str) -> bool | None:
    """As a game sees a line: `take` and a word is an order, with `tkae` nearly one."""
    return True if bare.startswith("take ") and len(bare.split()) == 2 else None if bare.startswith("tkae ") else False


@pytest.mark.parametrize("head", ["press to Anna: hello", "press to Anna hello", "press: hello"])
def test_one_line_of_press_swallows_no_order(head: str) -> None:
    """With text behind its colon, or without a colon, it is that line if only orders stand between it and an `end`."""
    parts = split(f"{head}\n\n# mine\ntake Rom\n- tkae Paris\nend\ntake Wien", WORDS, looks=looks)
    assert [part.bare for part in parts if isinstance(part, Written)] == ["take Rom", "tkae Paris", "take Wien"]
    assert parts[0] == Press(("Anna",), "hello") or isinstance(parts[0], BadPress)


@pytest.mark.parametrize(
    "text",
    [
        "press to Anna: hello\nsee you\ntake Rom\nend",
        "press to Anna:\ntake Rom\nend",
        "press to Anna:\nhello\n\n1. take Rom\nend",
        "press to Anna:\nhello\ntake Rom",
        "press to Anna:\nhello\ntake Rom\n\ngoodbye",
        "press to Anna:\nThis is for Ben:\n\ntake Rom",
        "press to Anna:\n\nA proposal.\n\ntake Rom\n\nThen I will not attack you.\nBen",
        "press to Anna: A proposal.\n\ntake Rom\n\nThen peace.",
        "press to Anna: A proposal\nfor you:\ntake Rom\nThen peace.",
        "press to Anna: A proposal:\n\ntake Rom",
    ],
)
def test_an_order_in_press_is_asked_about(text: str) -> None:
    """Where a message may hold an order neither counts: no order is lost unseen, none is told to a rival."""
    parts = split(text, WORDS, looks=looks)
    assert [(part.text.lstrip("1. "), part.reason) for part in parts if isinstance(part, BadPress)] == [
        (text.split("\n", maxsplit=1)[0], "press_holds_order"),
        ("take Rom", "order_in_press"),
    ]
    assert not any(isinstance(part, Press) or getattr(part, "bare", "") == "take Rom" for part in parts)


@pytest.mark.parametrize(
    ("text", "said", "orders"),
    [
        ("press to Anna:\nhello\n\nsecond part of it\n\nYours\nBen", "hello\n\nsecond part of it\n\nYours\nBen", []),
        ("press to Anna:\n\nhello\n\nso much for now", "hello\n\nso much for now", []),
        ("press to Anna: hello\nsecond line of it\n\nYours\nBen", "hello\nsecond line of it", []),
        ("press to Anna: hello\n\nand a paragraph", "hello\n\nand a paragraph", []),
        ("press to Anna: hello\n\nMy orders:\ntake Rom\ntkae Wien\n\nBest\nBen", "hello", ["take Rom", "tkae Wien"]),
        ("press to Anna:\nhello you\nand so on\n\ntake Rom\nBen", "hello you\nand so on", ["take Rom"]),
        ("press to Anna: please\ntake Rom\nBen", "please", ["take Rom"]),
        ("press anonymous to Anna:\nhello\n\nmore of it\n\nYours\nBen", "hello\n\nmore of it", []),
        ("press to Anna:\nhello\n\n[2] take Rom", "hello\n\n[2] take Rom", []),
    ],
)
def test_press_without_end(text: str, said: str, orders: list[str]) -> None:
    """It goes to the mail's end, but to its first paragraph if orders alone stand below; unnamed, a name ends it."""
    parts = split(text, WORDS, looks=looks)
    assert [part.text for part in parts if isinstance(part, Press)] == [said]
    assert [part.bare for part in parts if isinstance(part, Written) and looks(part.bare) is not False] == orders


def test_talk_of_moves_is_press() -> None:
    """What is only nearly an order stays in a message that was opened and closed."""
    assert split("press to all: tkae care\ntkae heed\nend", WORDS, looks=looks) == (Press((), "tkae care\ntkae heed"),)


@pytest.mark.parametrize("head", ["prese to Anna:", "Presss an alle:", "perrs aan Ben:"])
def test_nearly_press(head: str) -> None:
    """A slip in the word is asked about; the message isn't lost unseen, nor its text read as orders."""
    assert split(f"{head} hello", WORDS) == (BadPress(f"{head} hello", "press_misspelt"),)
    assert split(f"{head}\nhello\nend\ntake Rom", WORDS)[1:] == (Written("take Rom", "take Rom", 3),)


@pytest.mark.parametrize("line", ["prese to Anna", "please to all: hello", "presents for Anna: cake", "prese Anna: x"])
def test_not_even_nearly_press(line: str) -> None:
    """Talk with a colon in it stays talk."""
    assert split(line, WORDS) == (Written(line, line, 0),)
