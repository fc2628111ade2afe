"""Standing orders in KUEL's language, an option of the league (chapter 11)."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.orders import Mistake
from league.games.kuel.orders import Attack, Bid, Condition, Give, Leave, Order, Pass, Settings, Take
from league.games.kuel.reader import make_reader
from league.language.conditions import Conditional
from league.language.fold import fold
from league.language.names import Unknown
from league.language.standing import read_marks


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(f"config/kuel/{name}.toml").read_text(encoding="utf-8"))


BOARD, KEYWORDS = _table("board"), _table("keywords")
READER = make_reader(BOARD, KEYWORDS, conditions=True, standing=True)
OFF = make_reader(BOARD, KEYWORDS)
MARKS = read_marks(KEYWORDS)
PARIS = Take("france")
CASES: list[tuple[Order, list[str]]] = [
    (
        PARIS,
        [
            "standing: take Paris",
            "Standing order: take Paris",
            "take Paris (standing)",
            "take Paris, standing",
            "always take Paris",
            "take Paris every round",
            "please take Paris always!",
            "- take Paris [standing]",
            "1. standing: take Paris",
            "dauernd: nimm Paris",
            "Dauerbefehl: nimm Paris",
            "nimm Paris (dauernd)",
            "immer Paris einnehmen",
            "ständig: nimm Paris ein",
            "staendig nimm Paris",
            "fest: nimm Paris",
            "nimm Paris jede Runde",
            "blijvend: neem Parijs",
            "vast: neem Parijs",
            "neem Parijs (vast)",
            "vaste opdracht: neem Parijs",
            "neem Parijs elke ronde graag",
            "altijd: neem Parijs in",
        ],
    ),
    (Attack("austria"), ["immer: greife Wien an", "val Wenen aan (altijd)", "standing: attack Vienna"]),
    (Bid("czech_republic", 45), ["standing: bid 45 on Prague", "biete 45 auf Prag immer", "blijvend bied 45 op Praag"]),
    (Pass(), ["always pass", "passe dauernd", "pas (vast)", "standing: pass"]),
    (Leave("ireland"), ["dauernd verlasse Irland"]),
    (Give("ireland"), ["standing: give Dublin"]),
    (
        Conditional(Condition("free", "spain"), Take("spain"), PARIS),
        [
            "standing: if Spain is free take Spain else take Paris",
            "if Spain is free take Spain else take Paris (standing)",
            "dauernd: wenn Spanien frei ist nimm Spanien sonst nimm Paris",
            "standing: if Spain is free take Spain\nelse take Paris",
            "if Spain is free take Spain\nelse take Paris always",
        ],
    ),
]


@pytest.mark.parametrize(("order", "text"), [(order, text) for order, texts in CASES for text in texts])
def test_marked_orders_are_read_in_three_languages(order: Order, text: str) -> None:
    """As their player would write them on a phone: the order without its mark, and that it is to be kept."""
    (line,) = READER.parse(text).lines
    assert (line.order, line.standing) == (order, True)
    assert READER.parse(text).replaces


@pytest.mark.parametrize("text", [text for _, texts in CASES for text in texts if "\n" not in text])
def test_where_the_option_is_off_no_such_line_counts(text: str) -> None:
    """It would be half of what its player wants; a condition in it is refused as ever."""
    (line,) = OFF.parse(text).lines
    assert line.mistake is not None
    assert line.mistake.reason in ("standing_off", "conditional")


def test_unmarked_orders_are_not_kept() -> None:
    """And the same line means the same whether the league has standing orders or not."""
    for text in ("take Paris", "pass", "bid 45 on 17", "settings Paris: as always", "result Paris won"):
        (line,) = READER.parse(text).lines
        assert not line.standing
        assert OFF.parse(text).lines == (line,)


def test_free_text_keeps_its_words() -> None:
    """What a player wishes for a battle may hold a mark."""
    assert READER.parse("settings Paris: slow, always").orders == (Settings("france", "slow, always"),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("standing: take Atlantis", "unknown_country"),
        ("always take Atlantis", "unknown_country"),
        ("standng: take Paris", "standing_misspelt"),
        ("nimm Paris (imer)", "extra_words"),
        ("nimm Paris (dauernt)", "standing_misspelt"),
        ("Standing:", "standing_alone"),
        ("standing: result Paris won", "standing_order"),
        ("standing: rematch Paris", "standing_order"),
        ("standing: settings Paris: slow", "standing_order"),
        ("standing: take Paris?", "question"),
        ("take Paris always?", "question"),
        ("take Paris, but not always", "negated"),
        ("maybe always take Paris", "conditional"),
        ("standing: take Paris and attack Vienna", "two_orders"),
        ("neem Parijs vast", "extra_words"),
        ("cancle standing", "standing_end"),
        ("cancel standng", "standing_end"),
        ("dauernd lösche Paris", "unknown_verb"),
    ],
)
def test_what_is_no_clear_standing_order_is_asked_about(text: str, reason: str) -> None:
    """Never kept, never carried out, never passed over in silence."""
    parsed = READER.parse(text)
    (line,) = parsed.lines
    assert isinstance(line.mistake, Mistake)
    assert line.mistake.reason == reason
    assert not parsed.ends_standing


@pytest.mark.parametrize(
    "text",
    [
        "Immer diese Deutschen!",
        "Always yours, Anna",
        "I always win",
        "Altijd leuk met jullie",
        "Das war schon immer so",
    ],
)
def test_talk_with_a_mark_in_it_is_talk(text: str) -> None:
    """A greeting is no order that somebody meant to keep."""
    assert READER.parse(text).lines == OFF.parse(text).lines == ()


ENDS = [
    *("cancel standing", "cancel my standing orders, please", "no more standing orders", "standing: off"),
    *("dauernd löschen", "Dauerbefehle beenden", "lösche bitte alle Dauerbefehle", "keine Dauerbefehle mehr"),
    *("blijvend wissen", "vast wissen", "wis alle vaste opdrachten", "geen blijvende opdrachten meer"),
]


@pytest.mark.parametrize("text", ENDS)
def test_a_line_ends_them(text: str) -> None:
    """In three languages; it is no order, and where the option is off the answer says so."""
    parsed = READER.parse(text)
    assert (parsed.lines, parsed.replaces, parsed.ends_standing) == ((), False, True)
    (line,) = OFF.parse(text).lines
    assert line.mistake == Mistake("standing_off", "11")


def test_the_marks_clash_with_no_other_word() -> None:
    """No mark is an order's verb, an outcome, a word of doubt or condition, or a country's name in any language."""
    words = READER.words
    taken = {*words.verbs, *words.outcomes, *words.splits}
    for role in (
        "negation",
        "condition",
        "if",
        "then",
        "else",
        "press",
        "press_to",
        "end",
        "unit",
        "and",
        "upon",
        "by",
    ):
        taken |= words.role(role)
    for mark in MARKS.plain | MARKS.apart:
        assert taken.isdisjoint(mark), mark
        assert not all(word in words.role("filler") for word in mark), mark
        assert isinstance(READER.names.find(" ".join(mark)), Unknown), mark
        assert isinstance(READER.maps.find(" ".join(mark)), Unknown), mark
    assert MARKS.plain.isdisjoint(MARKS.apart)


def test_what_ends_them_is_no_order_of_another_kind() -> None:
    """A word for the end is none of the verbs that are carried out, so that no line can be both."""
    verbs = {words: order for words, order in READER.words.verbs.items() if order != "unsure"}
    assert MARKS.ends.isdisjoint(verbs)
    assert MARKS.ends.isdisjoint(word for mark in MARKS.plain | MARKS.apart for word in mark)


def test_every_language_has_its_words() -> None:
    """Marks and ends in German, English and Dutch, each read as written."""
    for kind in ("mark", "end"):
        assert set(KEYWORDS["standing"][kind]) == {"de", "en", "nl"}
    for forms in KEYWORDS["standing"]["mark"].values():
        for form in forms:
            (line,) = READER.parse(f"{form}: pass").lines
            assert (line.order, line.standing) == (Pass(), True), form
            for ends in KEYWORDS["standing"]["end"].values():
                assert READER.parse(f"{form} {ends[0]}").ends_standing, (form, ends[0])


JUMBLE = (
    "standing",
    "always",
    ":",
    "(",
    ")",
    "take",
    "Paris",
    "cancel",
    "if",
    "Spain",
    "is",
    "free",
    "jede",
    "runde",
    "?",
)


@given(st.lists(st.sampled_from(JUMBLE), max_size=12))
def test_nothing_written_breaks_the_reader(words: list[str]) -> None:
    """Any jumble of the words is an order, a mistake, an end, or talk; a kept one reads the same without its mark."""
    text = " ".join(words)
    for line in READER.parse(text).lines:
        assert (line.order is None) != (line.mistake is None)
        assert line.order is not None or not line.standing
        if line.order is not None:
            (again,) = READER.parse(READER.notation(line.order)).lines
            assert (again.order, again.standing) == (line.order, False)


def test_folding_leaves_marks_apart_from_names() -> None:
    """A mark in a player's name stays a name: who is called Always can win a battle."""
    (line,) = READER.parse("result Paris winner Always", {"s1": "Always"}).lines
    assert line.order is not None
    assert not line.standing
    assert fold("Always") == "always"


@pytest.mark.parametrize(
    "text",
    [
        "cancel standing?",
        "Habe ich keine Dauerbefehle?",
        "I have no standing orders",
        "Ich habe keine Dauerbefehle",
        "No standing orders this week",
        "Keine Dauerbefehle diese Runde",
        "cancel standing orders this week",
        "immer weg",
        "ik heb geen vaste opdrachten",
    ],
)
def test_what_may_only_tell_or_ask_ends_nothing(text: str) -> None:
    """A question, or a sentence that there are none, or that names one week: asked about, since the end is for good."""
    parsed = READER.parse(text)
    assert not parsed.ends_standing
    assert [line.mistake and line.mistake.reason for line in parsed.lines] == ["standing_end"]


@pytest.mark.parametrize(
    "text",
    ["no more standing orders", "keine Dauerbefehle mehr", "geen vaste opdrachten meer", "Dauerauftrag kündigen"],
)
def test_no_more_of_them_ends_them(text: str) -> None:
    """The same words with `more` are meant for good."""
    assert READER.parse(text).ends_standing


@pytest.mark.parametrize("heading", ["Standing order", "My standing orders are:", "standing", "Dauerbefehle:"])
def test_a_heading_marks_no_line_below_it(heading: str) -> None:
    """It is answered, so that nobody thinks the order under it were kept; that one counts for this week."""
    parsed = READER.parse(f"{heading}\ntake Paris")
    assert [line.mistake.reason for line in parsed.lines if line.mistake] == ["standing_alone"]
    assert [(line.order, line.standing) for line in parsed.lines if line.order] == [(PARIS, False)]


def test_of_a_marked_line_and_the_end_the_lower_counts() -> None:
    """An order for this week is left of a marked line above the end; one below it is kept."""
    above = READER.parse("standing: take Paris\ncancel standing")
    below = READER.parse("cancel standing\nstanding: take Paris")
    assert [[line.standing for line in parsed.lines] for parsed in (above, below)] == [[False], [True]]
    assert above.ends_standing
    assert below.ends_standing
