"""The mark of standing orders found and taken off, whatever the game's words."""

import pytest

from league.language.lines import StandingEnd, Written, split
from league.language.standing import Marked, Marks, ends, find, read_marks
from league.language.words import read_keywords

TABLE = {
    "verbs": {"go": {"en": ["go"]}, "alter": {"en": ["alwais"]}},
    "words": {"filler": {"en": ["please", "my", "order"]}, "article": {"en": ["the"]}},
    "standing": {
        "mark": {"en": ["always", "each turn", "lasting order"], "de": ["ständig"]},
        "apart": {"en": ["keep"]},
        "end": {"en": ["cancel", "off"]},
        "beside": {"en": ["all"]},
    },
}
WORDS, MARKS = read_keywords(TABLE), read_marks(TABLE)


def found(line: str) -> Marked | None:
    return find(line, WORDS.plain(WORDS.words(line)), MARKS, WORDS)


@pytest.mark.parametrize(
    "line",
    [
        "always: go north",
        "Always go north",
        "ALWAYS, go north",
        "always - go north",
        "always:go north",
        "[always] go north",
        "please always: go north",
        "my lasting order: go north",
        "each turn go north",
        "keep: go north",
        "(keep) go north",
        "go north (always)",
        "go north(always)",
        "go north, each turn",
        "go north always please",
        "go north [keep]",
        "ständig: go north",
        "staendig go north",
        "go north standig",
    ],
)
def test_a_mark_before_or_behind_is_taken_off(line: str) -> None:
    """With or without a colon, brackets, commas and small words; what is left is the order as written."""
    marked = found(line)
    assert marked is not None
    assert (marked.rest, marked.meant) == ("go north", "")


@pytest.mark.parametrize(
    "line", ["go north", "go always north", "keep go north", "go north keep", "I will keep this: go", "go: north", ""]
)
def test_elsewhere_a_word_is_no_mark(line: str) -> None:
    """Not in the middle; and a word that means other things as well only where it is set apart."""
    assert found(line) is None


@pytest.mark.parametrize(("line", "written"), [("alway: go north", "alway"), ("go north (allways)", "allways")])
def test_a_slip_of_the_pen_is_named(line: str, written: str) -> None:
    """Where a mark would be set apart, one letter away from it."""
    assert found(line) == Marked("go north", written, "always")


def test_a_word_that_means_something_else_is_no_slip() -> None:
    """Though it is one letter away."""
    assert found("alwais: go north") is None


def test_a_mark_alone_is_told() -> None:
    """Before a colon with nothing behind it: there is no order that it could mark."""
    assert found("Always:") == Marked("", "Always")


def test_a_question_stays_one() -> None:
    """Taking the mark off must not turn it into an order."""
    marked = found("go north always?")
    assert marked is not None
    assert marked.rest == "go north?"


@pytest.mark.parametrize(
    ("line", "sure"),
    [
        ("cancel always", True),
        ("always: off", True),
        ("please cancel all my lasting things", False),
        ("please cancel all my lasting order", True),
        ("cancel the keep", True),
        ("cancl always", None),
        ("cancel alway", None),
        ("cancel", False),
        ("always", False),
        ("cancel my order", False),
        ("cancel always go north", False),
    ],
)
def test_what_ends_them(line: str, sure: bool | None) -> None:
    """A mark and a word for the end in either order, nothing else; nearly so is neither yes nor no."""
    assert ends(line, MARKS, WORDS) is sure


def test_lines_that_end_them_are_a_part_of_their_own() -> None:
    """For every game that hands its marks over; for others the line is one like any other."""
    text = "go north\ncancel always\n> cancel always\n# cancel always\ncancel alway"
    parts = split(text, WORDS, MARKS)
    assert [part for part in parts if isinstance(part, StandingEnd)] == [
        StandingEnd("cancel always"),
        StandingEnd("cancel alway", sure=False),
    ]
    assert [type(part) for part in split("cancel always", WORDS)] == [Written]


def test_a_game_without_marks_finds_none() -> None:
    """The table is the game's choice."""
    assert read_marks({}) == Marks()
    assert find("always: go", ("always", "go"), Marks(), WORDS) is None
    assert ends("cancel always", Marks(), WORDS) is False
