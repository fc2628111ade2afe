"""The composer's choices, and JSON that says a thing twice: forged under a manifest signed anew."""

import re
from pathlib import Path

import pytest

from league.desk.proof.plain_errors import doubled, in_words
from tests.desk.signed import SITE_SEED, resign, rewrite
from tests.desk.test_verify_shared import _played, faults, where

__all__ = ["_played", "where"]


@pytest.mark.parametrize("name", ["names.json", "journal.json"])
def test_a_key_that_stands_twice_is_found(name: str, where: Path) -> None:
    """One reader takes the first of them and another one the last."""
    rewrite(where, name, lambda text: text.replace("{", '{"kind":"x",', 1))
    assert ("files", f"spring/{name}", "kind") in {(fault.check, fault.file, fault.field) for fault in faults(where)}


def test_a_key_that_stands_twice_is_found_deep_inside(where: Path) -> None:
    """Points of one of the leaders."""
    rewrite(where, "teaser.json", lambda text: text.replace('"points":1', '"points":9,"points":1', 1))
    assert [(fault.file, fault.field) for fault in faults(where)] == [("spring/teaser.json", "points")]


@pytest.mark.parametrize("junk", ["[]", "[" * 5_000, "{", '{"kind":"league-teaser-1"}', "\udcff"])
@pytest.mark.parametrize("name", ["teaser.json", "journal.json"])
def test_junk_is_told_in_plain_words(name: str, junk: str, where: Path) -> None:
    """No word of the language that the program is written in."""
    file = where / "spring" / name
    file.unlink()
    file.write_bytes(junk.encode(errors="surrogateescape"))
    resign(where, SITE_SEED, "spring")
    told = " ".join(fault.what for fault in faults(where))
    assert told
    assert not re.search(r"Error|NoneType|object has no|expected str|dict|subscript", told), told


def test_errors_in_words() -> None:
    """Each kind of what can go wrong in reading has a sentence."""
    assert in_words(KeyError("kind")) == "'kind' is missing"
    assert "nests deeper" in in_words(RecursionError())
    assert "another kind" in in_words(AttributeError("'NoneType' object has no attribute 'get'"))
    assert doubled(b'{"a":[{"b":1,"c":2,"b":3}]}') == "b"
    assert doubled(b'{"a":[{"b":1},{"b":3}]}') == ""


def test_choices_of_another_seat_are_found(where: Path) -> None:
    """Two seats that changed places in what the order composer offers."""

    def swapped(text: str) -> str:
        return text.replace('"id":"s1"', '"id":"?"').replace('"id":"s2"', '"id":"s1"').replace('"id":"?"', '"id":"s2"')

    rewrite(where, "en/orders.js", swapped)
    assert {(fault.check, fault.file) for fault in faults(where)} == {("pages", "en/orders.js")}


def test_choices_that_the_rules_do_not_offer_are_found(where: Path) -> None:
    """One that was taken away."""
    rewrite(where, "orders.js", lambda text: re.sub(r'("rows":\[)\[[^\[\]]*\],', r"\1", text, count=1))
    assert {(fault.check, fault.file) for fault in faults(where)} == {("pages", "orders.js")}
