"""An order within a long line of talk: the other signs that make one uncertain are the same in every game."""

from typing import Final

from league.games.kuel.reading import Phrase
from league.language.names import NameIndex

_NEAR: Final = 4  # words between which an order's verb and its country stand
_LONGEST_TALK: Final = 12  # words; a longer line is passed over as talk


def is_buried(line: Phrase, index: NameIndex) -> bool:
    """Whether a line that is too long for an order has a verb with a country beside it."""
    if len(line.words) <= _LONGEST_TALK:
        return False
    around = ((max(0, verb.places[0] - _NEAR), verb.places[-1] + _NEAR + 1) for verb in line.verbs)
    return any(index.mentions([w for w in line.words[start:end] if w.isalpha()]) for start, end in around)
