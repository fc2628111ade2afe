"""Lines cut into a condition and two orders, whatever the game's words."""

import pytest

from league.language.conditions import Cut, begins, cuts, read_forms
from league.language.words import read_keywords

WORDS = read_keywords(
    {
        "verbs": {"go": {"en": ["go"]}},
        "words": {"if": {"en": ["if"]}, "then": {"en": ["then"]}, "else": {"en": ["else"]}},
    }
)
FORMS = read_forms(
    {"open": {"en": ["{place} is open"], "de": ["{place} für alle offen ist"]}, "at": {"en": ["at {a} {b}"]}}
)


def cut(text: str) -> list[Cut]:
    words = WORDS.words(text)
    return list(cuts(words, WORDS.plain(words), FORMS, WORDS))


def test_a_line_is_cut_into_condition_and_orders() -> None:
    """Slots hold the words between the form's own; `then` is no part of the order."""
    assert cut("if the old mill is open then go north, else go home") == [
        Cut("open", {"place": ("the", "old", "mill")}, ("go", "north"), ("go", "home"))
    ]
    assert cut("if mill is open go north") == [Cut("open", {"place": ("mill",)}, ("go", "north"), None)]


@pytest.mark.parametrize("text", ["if Mühle für alle offen ist go", "if muehle fuer alle offen ist go"])
def test_words_of_a_form_may_be_typed_without_accents(text: str) -> None:
    """As everywhere in the language."""
    assert [found.kind for found in cut(text)] == ["open"]


def test_slots_side_by_side_are_tried_in_every_way() -> None:
    """The game says which of the ways makes sense."""
    assert [found.slots for found in cut("if at x y z go") if found.then == ("go",)] == [
        {"a": ("x",), "b": ("y", "z")},
        {"a": ("x", "y"), "b": ("z",)},
    ]


@pytest.mark.parametrize("text", ["if mill is open", "if mill is shut go", "if mill is open go else go else go"])
def test_what_fits_no_form_is_cut_in_no_way(text: str) -> None:
    """No order, no known condition, two others."""
    assert cut(text) == []


def test_only_the_first_word_makes_a_condition() -> None:
    """`go if …` isn't one."""
    assert begins(WORDS.words("if mill is open go"), WORDS)
    assert not begins(WORDS.words("go if mill is open"), WORDS)
    assert not begins((), WORDS)
