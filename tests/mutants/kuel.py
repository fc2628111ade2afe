"""The tests that `make mutants` tries first on a mutant of the KUEL package: much in little time.

They say nothing that the tests proper don't say as well, but work out once what every fork can inherit. The file's name
keeps it out of their run.
"""

from typing import Any

import pytest

from league.desk import registry
from league.desk.leagues.records import _fates
from league.desk.leagues.turns import from_record
from league.desk.play.adjudicate import adjudicate_document
from league.desk.play.cases import compare
from league.records.canonical import canonical
from tests.games.kuel.account import account, played
from tests.games.kuel.boards import boards
from tests.games.kuel.readings import readers, reading
from tests.games.kuel.test_agreement import plain
from tests.games.kuel.test_rehearsal import told
from tests.mutants import answers


@pytest.mark.parametrize("name", answers.cases())
def test_a_case(name: str) -> None:
    """The engine says of the case what it said; where that isn't kept, it does what the case expects."""
    case, kept = answers.cases()[name], answers.accounts().get(name)
    if kept is None:
        assert compare(adjudicate_document(case), case["expect"]) == []
    assert kept is None or "\n".join(account(case)) == kept


@pytest.mark.parametrize("name", ["K1-number-five-is-great-britain", "K9-tiles-corner-to-corner-is-not-beside"])
def test_a_game_loaded_anew(name: str) -> None:
    """The board and the words are read again."""
    registry._load.cache_clear()
    test_a_case(name)


def test_boards() -> None:
    """Boards come to what they came to."""
    assert list(boards()) == answers.tables()


@pytest.mark.parametrize("tenth", range(10))
def test_lines(tenth: int) -> None:
    """Lines are read as they were."""
    for text, kept in list(answers.lines().items())[tenth::10]:
        assert list(reading(text)) == kept


def test_lines_with_words_read_anew() -> None:
    """A reader made anew reads the same."""
    readers.cache_clear()
    for tenth in range(10):
        test_lines(tenth)


@pytest.mark.parametrize("bot", answers.BOTS)
def test_bots(bot: str) -> None:
    """A bot plays as it played, with a game that remembers nothing."""
    registry._load.cache_clear()
    assert list(played(bot)) == answers.plays()[bot]


def test_the_golden_league() -> None:
    """Each round of the golden league recomputes to the byte."""
    for record, body in answers.records():
        table = from_record(body, body["rules"]["options"], body["game"])
        outcome = table.outcome()
        again: dict[str, Any] = {
            "start": table.game.position(table.state),
            "events": [event.facts() for event in outcome.events],
            "fates": _fates(table, outcome),
            "position": table.game.position(outcome.state),
            "standings": [[p.rank, p.seat, p.points] for p in table.game.score(outcome.state)],
        }
        assert canonical({**body, **again}) == record


@pytest.mark.parametrize("seed", range(answers.LEAGUES))
def test_the_witness_agrees(seed: int) -> None:
    """In random leagues the engine's position, fates and needs are the witness's."""
    for document, answer in answers.witnessed(seed):
        assert plain(adjudicate_document(document)) == plain(answer)


@pytest.mark.parametrize("seed", range(10))
def test_what_is_certain_comes_true(seed: int) -> None:
    """What a rehearsal calls certain is what becomes of the order."""
    for said, fate, reason in told(seed):
        assert said.certain == (not said.hinges)
        assert not said.certain or fate in {None, said.ruling.fate}, (said, reason)
