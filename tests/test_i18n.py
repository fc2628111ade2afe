"""Languages: catalogs complete, times and numbers as players read them."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from league import i18n

ROOT = Path(__file__).parent.parent


def test_every_string_is_in_every_catalog() -> None:
    """No string of templates or code is missing, fuzzy or left over in a catalog, and placeholders agree."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools/catalogs.py", "check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "catalogs are complete\n")


def test_the_check_finds_what_is_missing(tmp_path: Path) -> None:
    """A catalog with a hole, a fuzzy string, a foreign placeholder and a leftover is refused with each of them."""
    sys.path.insert(0, str(ROOT / "tools"))
    import catalogs

    stored = catalogs.LOCALES
    for lang in catalogs.LANGS:
        source = stored / lang / "LC_MESSAGES" / "league.po"
        target = tmp_path / lang / "LC_MESSAGES" / "league.po"
        target.parent.mkdir(parents=True)
        target.write_bytes(source.read_bytes())
    broken = tmp_path / "nl" / "LC_MESSAGES" / "league.po"
    text = broken.read_text("utf-8")
    text = text.replace('msgstr "Slagen"', 'msgstr ""')
    text = text.replace('msgstr "Biedingen: %(bids)s."', 'msgstr "Biedingen: %(bieders)s."')
    text = text.replace('msgid "Chance"', '#, fuzzy\nmsgid "Chance"')
    text += '\nmsgid "Gone"\nmsgstr "Weg"\n'
    broken.write_text(text, "utf-8")
    catalogs.LOCALES = tmp_path
    try:
        found = "\n".join(catalogs.faults())
    finally:
        catalogs.LOCALES = stored
        sys.path.remove(str(ROOT / "tools"))
    for fault in (
        "nl: not translated: 'Battles'",
        "nl: other placeholders than its source: 'Bids: %(bids)s.'",
        "nl: a placeholder that nobody fills: 'Bids: %(bids)s.'",
        "nl: fuzzy: 'Chance'",
        "nl: no longer used: 'Gone'",
    ):
        assert fault in found
    assert "de:" not in found


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("de", "Donnerstag, 11. Januar 2024, 24:00 (Europe/Berlin)"),
        ("en", "Thursday 11 January 2024, 24:00 (Europe/Berlin)"),
        ("nl", "donderdag 11 januari 2024, 24:00 (Europe/Berlin)"),
    ],
)
def test_midnight_is_the_24_of_the_day_that_ends(lang: str, said: str) -> None:
    """A deadline at midnight is announced as the 24:00 of its own day, not as the next day's beginning."""
    assert (
        i18n.when(datetime(2024, 1, 11, 23, tzinfo=UTC), "Europe/Berlin", lang).replace("Thursday,", "Thursday") == said
    )


def test_a_beginning_at_midnight_is_the_day_that_begins() -> None:
    """A window that opens at midnight opens on the day that begins."""
    opens = datetime(2024, 1, 13, 23, tzinfo=UTC)
    assert i18n.start(opens, "Europe/Berlin", "de") == "Sonntag, 14. Januar 2024, 00:00 (Europe/Berlin)"


def test_a_player_reads_the_deadline_on_the_own_clock() -> None:
    """The same instant is told in the player's zone, summer time included."""
    instant = datetime(2024, 7, 11, 22, tzinfo=UTC)
    assert "24:00 (Europe/Berlin)" in i18n.when(instant, "Europe/Berlin", "en")
    assert "23:00 (Europe/London)" in i18n.when(instant, "Europe/London", "en")


@pytest.mark.parametrize(
    ("value", "lang", "said"),
    [
        ("15229.10", "en", "15,229.10"),
        ("15229.10", "de", "15.229,10"),
        ("1.0921", "nl", "1,0921"),
        ("15229.10", "nl", "15.229,10"),
        (1234, "de", "1234"),
        (-16, "de", "−16"),
        (1234567, "en", "1,234,567"),
        ("3 11 17", "de", "3 11 17"),
    ],
)
def test_numbers_keep_their_digits_and_take_the_languages_signs(value: int | str, lang: str, said: str) -> None:
    """A published figure keeps every digit; only its signs are the language's."""
    assert i18n.number(value, lang) == said


def test_changes_carry_a_sign() -> None:
    """A gain has a plus, a loss a minus sign, no change both."""
    assert [i18n.signed(n, "de") for n in (7, -6, 0)] == ["+7", "−6", "±0"]


def test_lists_are_joined_as_the_language_does() -> None:
    """Three names are joined with the language's own last word."""
    names = ["Anna", "Ben", "Carla"]
    assert [i18n.listed(names, lang) for lang in ("de", "nl")] == ["Anna, Ben und Carla", "Anna, Ben en Carla"]
    assert i18n.either(names, "de") == "Anna, Ben oder Carla"
    assert i18n.listed([], "en") == ""


@pytest.mark.parametrize(("tag", "lang"), [("de-AT", "de"), ("nl_BE", "nl"), ("EN", "en"), ("fr", "en"), ("", "en")])
def test_a_language_we_do_not_speak_is_answered_in_english(tag: str, lang: str) -> None:
    """A language tag finds the nearest language there is."""
    assert i18n.supported(tag) == lang


def test_a_plug_ins_catalog_goes_before_ours(tmp_path: Path) -> None:
    """A plug-in's own catalog is asked first, ours for all that it lacks."""
    place = tmp_path / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / "mine.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Battles"\nmsgstr "Gefechte"\n', "utf-8"
    )
    catalog = i18n.catalog("de", (tmp_path,))
    assert [catalog.gettext(word) for word in ("Battles", "Orders")] == ["Gefechte", "Befehle"]
    assert i18n.catalog("de").gettext("Battles") == "Schlachten"


def test_compiled_catalogs_outlive_the_process(tmp_path: Path) -> None:
    """A kept catalog says the same, one for each language; one that is spoilt or can't be kept is made anew."""

    def words(*kept: Path) -> dict[object, object]:
        """All but the heading, which names the minute in which the catalog was read."""
        i18n.catalog.cache_clear()
        found = i18n.catalog("de", (), *kept)._catalog  # type: ignore[attr-defined]
        return {message: said for message, said in found.items() if message}

    plain = words()
    for spoilt in (b"", b"\xde\x12\x04\x95 too short", b"\xde\x12\x04\x95" + b"\xff" * 60):
        for file in tmp_path.iterdir():  # none at first
            file.write_bytes(spoilt)
        assert words(tmp_path) == plain
        assert [file.suffix for file in tmp_path.iterdir()] == [".mo"]
    assert words(tmp_path / "nowhere") == plain


@pytest.mark.parametrize(
    ("clauses", "lang", "said"),
    [
        ((), "en", ""),
        (("if A",), "en", "if A"),
        (("if A", "if B", "if C"), "en", "if A, B and C"),
        (("if A", "unless B", "if C"), "en", "if A, unless B and if C"),
        (("unless A", "unless B"), "en", "unless A and unless B"),
        (("wenn A", "wenn B nicht"), "de", "wenn A und B nicht"),
        (("als A", "tenzij B"), "nl", "als A en tenzij B"),
    ],
)
def test_what_conditions_begin_with_is_said_once(clauses: tuple[str, ...], lang: str, said: str) -> None:
    """`if A and B`; what begins otherwise keeps its beginning, since it would mean something else without."""
    assert i18n.conditions(clauses, lang) == said
