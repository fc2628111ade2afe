"""The two bots: what they write is read without a mistake, and the one that wants to win does."""

import pytest

from league import i18n
from tests.games.europa.tables import BOTS, GAME, Match


@pytest.mark.parametrize("lang", i18n.LANGS)
@pytest.mark.parametrize("bot", sorted(BOTS))
def test_what_a_bot_writes_is_understood(bot: str, lang: str) -> None:
    """Whole matches without a line that isn't understood or has no place in its phase."""
    seen = 0
    for step in Match(f"words {bot}", [bot] * 4, lang=lang).play():
        assert [line.text for mail in step.turn.mails for line in mail.parsed.lines if line.mistake] == []
        assert all(out is None for row in GAME.counts(step.before, step.turn.mails) for out in row)
        seen += sum(len(mail.parsed.orders) for mail in step.turn.mails)
    assert seen > 50


def test_a_bot_is_the_same_for_the_same_dice() -> None:
    """What a bot writes hangs on position, seat and dice alone."""
    steps = list(Match("same", ["random", "diplomat", "random"]).play())
    again = list(Match("same", ["random", "diplomat", "random"]).play())
    assert [step.turn for step in steps] == [step.turn for step in again]


def test_proposing_and_voting_with_sense_beats_chance() -> None:
    """Over forty matches of two each the diplomats take the first place far more often than chance."""
    first = {"random": 0, "diplomat": 0}
    bots = ["diplomat", "random", "diplomat", "random"]
    for number in range(40):
        *_, last = Match(f"beats {number}", bots).play()
        for place in GAME.score(last.outcome.state):
            if place.rank == 1:
                first[bots[int(place.seat[1:]) - 1]] += 1
    assert first["diplomat"] > 5 * first["random"]
