"""Sources correct themselves: what they say after a figure has come to stand is noticed, and a person decides."""

from collections.abc import Sequence

from league.sources.agreement import read_part
from league.storage.evidence import Figure
from league.storage.readings import Said


def contradicts(figure: Figure, said: Sequence[Said]) -> tuple[Said, ...]:
    """The sources that say otherwise now, in the part that the rules read, than what stands since `entered_at`."""
    newest: dict[str, Said] = {}
    for one in said:
        if (one.figure, one.day) == (figure.figure, figure.day) and one.read_at > figure.entered_at:
            newest[one.source] = one
    stands = read_part(figure.figure, figure.value)
    return tuple(one for one in newest.values() if read_part(one.figure, one.value) != stands)
