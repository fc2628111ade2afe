"""The index of names: found, ambiguous, unknown or a code, and never a guess."""

import pytest

from league.core.errors import BadInput
from league.language.names import Ambiguous, Code, Found, Mention, NameIndex, Thing, Unknown

INDEX = NameIndex.build(
    [
        Thing("austria", ("Österreich", "Austria", "Wien"), 15, "A"),
        Thing("iceland", ("IJsland", "Iceland"), 1, "IS"),
        Thing("slovenia", ("Slovenia", "Slowenien"), 16, "SLO"),
        Thing("slovakia", ("Slovakia", "Slowakei"), 18, "SK"),
        Thing("switzerland", ("Bern", "Schweiz"), 11, "CH"),
        Thing("germany", ("Berlin", "Germany"), 14, "D"),
        Thing("finland", ("Finland",), 25, "FIN"),
    ],
    articles=["the", "die"],
)


@pytest.mark.parametrize(
    "text",
    ["15", "Österreich", "oesterreich", "OSTERREICH", "O\u0308sterreich", "öst", "oest", "Wien", "the Austria", "Aus"],
)
def test_many_ways_to_say_one_thing(text: str) -> None:
    """Number, name, spelling without accents, unique beginning, with or without article."""
    assert INDEX.lookup(text) == Found("austria")


def test_exact_goes_before_beginning() -> None:
    """`Bern` is a whole name although Berlin begins alike; `Ber` is neither's alone."""
    assert INDEX.lookup("Bern") == Found("switzerland")
    assert INDEX.lookup("Ber") == Ambiguous(("switzerland", "germany"))


def test_a_beginning_has_three_letters() -> None:
    """Two letters are too few even where they are unique."""
    assert INDEX.lookup("Wi") == Unknown()
    assert INDEX.lookup("Wie") == Found("austria")


def test_dutch_ij_may_be_y() -> None:
    """IJsland is also typed with a y."""
    assert INDEX.lookup("Ysland") == Found("iceland")


def test_codes_are_told_and_not_taken() -> None:
    """A code is answered with what it stands for, even where it is a unique beginning too."""
    assert INDEX.lookup("ch") == Code("switzerland")
    assert INDEX.lookup("SLO") == Code("slovenia")
    assert INDEX.lookup("FIN") == Code("finland")
    assert INDEX.lookup("FINL") == Found("finland")


@pytest.mark.parametrize(
    ("typed", "meant"), [("Osterreihc", "austria"), ("Belrin", "germany"), ("Slowenein", "slovenia")]
)
def test_misspellings_are_suggested(typed: str, meant: str) -> None:
    """A misspelt name is never found, but the nearest are named."""
    lookup = INDEX.lookup(typed)
    assert isinstance(lookup, Unknown)
    assert lookup.suggestions[0] == meant


@pytest.mark.parametrize("text", ["Gondor", "99", "1.5", "015", "-1", "１５", "", "!", "x" * 1000])
def test_nothing_near(text: str) -> None:
    """What resembles nothing has no suggestions; only one form of number counts."""
    assert INDEX.lookup(text) == Unknown()


def test_at_most_three_suggestions() -> None:
    """Suggestions stay few."""
    many = NameIndex.build(Thing(str(n), (f"Stadt{n}x",)) for n in range(10))
    assert len(many._nearest("stadtx")) == 3


@pytest.mark.parametrize(
    "things",
    [
        [Thing("a", ("Rom",)), Thing("b", ("Röm",))],
        [Thing("a", ("Rom",)), Thing("b", ("Paris",), code="ROM")],
        [Thing("a", ("Rom",), 1), Thing("b", ("Paris",), 1)],
    ],
)
def test_a_clash_is_an_error(things: list[Thing]) -> None:
    """Two things may not share a name, a code or a number under any spelling."""
    with pytest.raises(BadInput, match="stands for a and for b"):
        NameIndex.build(things)


def test_namesakes_where_allowed() -> None:
    """Players may be namesakes: then both are meant."""
    index = NameIndex.build([Thing("p1", ("Anna",)), Thing("p2", ("anna",))], shared=True)
    assert index.lookup("ANNA") == Ambiguous(("p1", "p2"))


def test_mentions() -> None:
    """Names and numbers are found among other words."""
    assert INDEX.mentions(["not", "wien", "but", "7", "15"]) == (Mention("austria", 1, 2), Mention("austria", 4, 5))
