"""Folding: one word, many ways to type it."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.language.fold import clean, fold, keys


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("TAKE", "take"),
        ("t\u00adake", "take"),
        ("ta\u200bke", "take"),
        ("\ufefftake", "take"),
        ("\u202etake\u202c", "take"),
        ("ｔａｋｅ", "take"),
        ("don’t", "don't"),
        ("„Rom“", '"rom"'),
        ("Groot–Brittannië", "groot-brittannië"),
        ("Großbritannien", "grossbritannien"),
        ("Ĳsland", "ijsland"),
        ("O\u0308sterreich", "österreich"),
        ("Paris\u00a0an", "paris an"),
    ],
)
def test_typography_does_not_matter(typed: str, plain: str) -> None:
    """Case, width, quotes, dashes, blanks and invisible characters fold away."""
    assert fold(typed) == plain


@pytest.mark.parametrize(
    ("typed", "both"),
    [
        ("Österreich", {"oesterreich", "osterreich"}),
        ("Brüssel", {"bruessel", "brussel"}),
        ("Éire", {"eire"}),
        ("België", {"belgie"}),
        ("Ålborg", {"aalborg", "alborg"}),
        ("Møn", {"moen", "mon"}),
        ("Bosnien-Herzegowina", {"bosnienherzegowina"}),
        ("U.S.S.R.", {"ussr"}),
    ],
)
def test_accents_have_two_spellings(typed: str, both: set[str]) -> None:
    """An umlaut may be written out or left off, composed or decomposed."""
    assert set(keys(fold(typed))) == both == set(keys(fold(normalize("NFD", typed))))


@pytest.mark.parametrize("digits", ["٤", "²", "①", "½", "４５", "४", "𝟕", "㏠"])
def test_no_other_script_becomes_a_number(digits: str) -> None:
    """Folding makes no ASCII digit that wasn't typed."""
    folded = fold(f"bid {digits} ü on Prague")
    assert not any(digit in folded for digit in "0123456789")


@given(st.text())
def test_folding_is_done_once(text: str) -> None:
    """Folded text stays as it is, and has no more digits than were typed."""
    folded = fold(text)
    assert fold(folded) == folded
    assert [c for c in folded if c in "0123456789"] == [c for c in text if c in "0123456789"]


@given(st.text())
def test_clean_text_is_one_line(text: str) -> None:
    """Nothing in a cleaned line can end it or hide."""
    line = clean(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert clean(line) == line
