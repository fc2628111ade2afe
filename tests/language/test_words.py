"""Tables of words, and lines cut into words."""

import pytest

from league.core.errors import BadInput
from league.language.words import Keywords, Verb, read_keywords

TABLE = {
    "verbs": {
        "attack": {"de": ["greife ~ an", "angreifen"]},
        "leave": {"de": ["räume"]},
        "devastate": {"de": ["räume ~ verwüstet"]},
    },
    "words": {"number": {"de": ["nr"]}},
    "courtesies": {"de": ["pass auf"]},
}
WORDS: Keywords = read_keywords(TABLE)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Nimm: Paris!", ("nimm", "paris")),
        ("don’t", ("dont",)),
        ("45,- 1.000 (7) 7. #7", ("45,-", "1.000", "7", "7", "7")),
        ("Nr. 7", ("nr", "7")),
        ("Nr.7 xy.7", ("7", "xy.7")),
        ("bid – 5", ("bid", "-5")),
        ("- 5", ("5",)),
        ("Bosnien-Herzegowina", ("bosnien", "herzegowina")),
        ("…", ()),
    ],
)
def test_words_of_a_line(line: str, words: tuple[str, ...]) -> None:
    """Punctuation falls off words, and what holds a digit stays as it was written."""
    assert WORDS.words(line) == words


@pytest.mark.parametrize(
    ("line", "verbs"),
    [
        ("greife paris an", (Verb("attack", (0, 2)),)),
        ("greife an paris", (Verb("attack", (0, 1)),)),
        ("greife paris", ()),
        ("raume paris", (Verb("leave", (0,)),)),
        ("raeume paris verwuestet", (Verb("devastate", (0, 2)),)),
        ("angreifen und räume", (Verb("attack", (0,)), Verb("leave", (2,)))),
    ],
)
def test_verbs_of_a_line(line: str, verbs: tuple[Verb, ...]) -> None:
    """A verb that splits takes its second part along and goes before the single word."""
    assert WORDS.find_verbs(line.split()) == verbs


@pytest.mark.parametrize("typo", ["angreifn", "angriefen", "angreiffen", "ongreifen", "ngreifen"])
def test_one_slip_of_the_pen(typo: str) -> None:
    """One letter more, less, other or swapped is near a verb."""
    assert WORDS.near(typo) == ("attack",)


@pytest.mark.parametrize("word", ["angreifen", "angrfn", "hallo", "ang", ""])
def test_not_near(word: str) -> None:
    """A verb itself isn't near a verb, nor is anything two slips away."""
    assert WORDS.near(word) == ()


def test_one_form_for_two_orders_is_an_error() -> None:
    """A word can't stand for two orders, under whatever spelling."""
    with pytest.raises(BadInput, match="stands for take and for leave"):
        read_keywords({"verbs": {"take": {"de": ["raume"]}, "leave": {"de": ["räume"]}}})


def test_courtesies() -> None:
    """A turn of phrase is known by its beginning."""
    assert WORDS.is_courtesy(("pass", "auf", "dich"))
    assert not WORDS.is_courtesy(("pass",))


def test_a_role_that_a_language_lacks() -> None:
    """An absent role has no words."""
    assert WORDS.role("press") == frozenset()
