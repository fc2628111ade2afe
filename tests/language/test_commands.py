"""Commands in a mail's text: whole lines, three languages, near misses told and never carried out."""

import pytest

from league import resources
from league.core.errors import BadInput
from league.desk import registry
from league.desk.post.roster import command_words
from league.language.commands import Command, is_command, peel, read_commands, read_line

WORDS = command_words()


def read(line: str) -> Command | str | None:
    """The command, the code of the mistake, or None for what is the game's."""
    found = read_line(line, WORDS)
    if found is None:
        return None
    return found.command or (found.mistake.reason if found.mistake else "")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Status", "status"),
        ("status bitte!", "status"),
        ("STATUS?", "status"),
        ("Hilfe", "help"),
        ("commando’s", "help"),
        ("report again please", "report"),
        ("Bericht noch einmal", "report"),
        ("verslag opnieuw, alsjeblieft", "report"),
        ("zurueck", "back"),
        ("ik ben terug", "back"),
        ("annehmen", "accept"),
        ("Substitute accept.", "accept"),
        ("uitnodiging afwijzen", "decline"),
    ],
)
def test_lines_that_are_whole_commands(line: str, command: str) -> None:
    """Case, accents, a courtesy and a sentence's sign change nothing."""
    found = read(line)
    assert isinstance(found, Command)
    assert (found.id, dict(found.facts)) == (command, {})


@pytest.mark.parametrize(
    ("line", "command", "facts"),
    [
        ("language nl", "language", {"lang": "nl"}),
        ("Sprache: Niederländisch", "language", {"lang": "nl"}),
        ("taal duits", "language", {"lang": "de"}),
        ("time zone Europe/Amsterdam", "zone", {"zone": "Europe/Amsterdam"}),
        ("Zeitzone: Europe/Berlin", "zone", {"zone": "Europe/Berlin"}),
        ("rules", "rules", {"rule": ""}),
        ("Regel k23", "rules", {"rule": "K23"}),
        ("rule 11", "rules", {"rule": "11"}),
        ("absent until 14", "absent", {"first": "", "last": "14", "texts": []}),
        ("absent until round 14 pass", "absent", {"first": "", "last": "14", "texts": []}),
        ("abwesend von 12 bis 31.8.2024", "absent", {"first": "12", "last": "2024-08-31", "texts": []}),
        (
            "afwezig vanaf 2024-08-01 t/m 2024-08-31",
            "absent",
            {"first": "2024-08-01", "last": "2024-08-31", "texts": []},
        ),
        ("resign", "resign", {"code": ""}),
        ("austreten ABCD2345", "resign", {"code": "abcd2345"}),
        ("name: Anna of the North", "name", {"name": "Anna of the North"}),
    ],
)
def test_commands_that_say_more(line: str, command: str, facts: dict[str, object]) -> None:
    """What stands behind the form is the command's own."""
    found = read(line)
    assert isinstance(found, Command)
    assert (found.id, dict(found.facts)) == (command, facts)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("statuss", "unknown_command"),
        ("langauge nl", "unknown_command"),
        ("language klingon", "unknown_language"),
        ("rules Z", "unknown_rule"),
        ("absent", "absence_unclear"),
        ("absent until 3/8/2024", "absence_unclear"),
        ("absent until 1e3", "absence_unclear"),
        ("time zone", "missing_zone"),
    ],
)
def test_near_misses_are_mistakes(line: str, reason: str) -> None:
    """Nothing is guessed: the answer says what would be right."""
    assert read(line) == reason


@pytest.mark.parametrize(
    "line",
    [
        "help me out here",
        "do not resign",
        "I would like to resign from my job at the post office next year",
        "back in the days",
        "take Paris",
        "pass",
        "status quo everywhere",
        "Regeln sind Regeln und daran halten wir uns",
        "",
        "…",
    ],
)
def test_prose_and_orders_are_the_games(line: str) -> None:
    """A line that only begins like a command, or says no, is none."""
    assert read(line) is None


def test_what_stands_in_press_is_no_command() -> None:
    """Only lines outside of press and quotes are read; the rest goes to the game as it was."""
    text = "press to all:\nstatus\nend\n> resign\n[1] status – done\n# help\nhelp\ntake Paris"
    rest, found = peel(text, WORDS, lambda _: False)
    assert [line.text for line in found] == ["help"]
    assert rest == "press to all:\nstatus\nend\n> resign\n[1] status – done\n# help\n\ntake Paris"


def test_a_command_below_press_that_nothing_closes_is_asked_about() -> None:
    """Neither is it carried out nor the message passed on, and the game never sees either; what is above counts."""
    text = "help\npress to Anna:\nMy plan:\n\nresign\n\nsee you soon then, my friend"
    rest, found = peel(text, WORDS, lambda _: False)
    assert [(line.text, line.mistake.reason if line.mistake else None) for line in found] == [
        ("help", None),
        ("press to Anna:", "unclear_press"),
        ("resign", "command_in_press"),
    ]
    assert rest.strip() == ""


def test_commands_alone_below_press_count() -> None:
    """As orders do, with a greeting and a name around them."""
    rest, found = peel("press to Anna: hello\n\nHi\nstatus\n\nBen", WORDS, lambda _: False)
    assert [line.text for line in found if line.command] == ["status"]
    assert rest == "press to Anna: hello\n\nHi\n\n\nBen"


def test_a_prepared_list_goes_up_to_its_end() -> None:
    """Rounds are parted by `next round` or a line of hyphens; what follows `end` is the mail's again."""
    text = "abwesend bis 14:\nnimm Paris\nnächste Runde\npasse\n---\nnimm Rom\nende\nstatus\ntake Oslo"
    rest, (absence, status) = peel(text, WORDS, lambda _: False)
    assert absence.command is not None
    assert absence.command.facts["texts"] == ["nimm Paris", "passe", "nimm Rom"]
    assert status.text == "status"
    assert rest.strip() == "take Oslo"


def test_an_order_is_never_taken_for_a_misspelt_command() -> None:
    """Where the game reads a line, no suggestion gets in its way."""
    assert peel("statuss", WORDS, lambda _: True)[1] == ()


@pytest.mark.parametrize("slug", registry.slugs())
def test_no_command_is_an_order_of_any_game(slug: str) -> None:
    """The words of commands and of orders don't meet, in any language."""
    game = registry.load(slug, {})
    table = resources.commands()
    forms = [form for by_language in table["commands"].values() for several in by_language.values() for form in several]
    for line in (*forms, *(f"{form} nl" for form in forms), *(f"{form} K23" for form in forms)):
        if is_command(line, WORDS):
            assert not game.parse(None, "", line).orders, line


def test_a_form_for_two_commands_is_refused() -> None:
    """The data can't contradict itself."""
    table = {"commands": {"a": {"en": ["go"]}, "b": {"en": ["go"]}}, "languages": {}, "words": {}}
    with pytest.raises(BadInput, match="stands for a and for b"):
        read_commands(table)
