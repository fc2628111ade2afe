"""Coalitions: which are possible (R26, R27), what a partner gets (R35), who proposes and votes what (M5, M6)."""

from collections.abc import Mapping, Sequence
from typing import Final

from league.games.europa.board import LARGEST
from league.games.europa.orders import ALL, ME, MINE, NONE, Ballot, Coalition

SMALL: Final = {2: 3, 4: 6}  # R35: what counts for three partners
SILENT: Final = Ballot("", policy=MINE)  # M11


def share(political: int, partners: int) -> int:
    """What each partner gets of a country's political value; a fraction is dropped (R35, A19)."""
    counted = SMALL.get(political, political) if partners == LARGEST else political
    return counted // partners


def possible(here: Mapping[str, int], need: int) -> bool:
    """Whether at most three of the present parties can reach the need (R26)."""
    return sum(sorted(here.values(), reverse=True)[:LARGEST]) >= need


def valid(coalition: Sequence[str], here: Mapping[str, int], need: int) -> bool:
    """One to three present parties whose pawns reach the need (R27)."""
    return (
        1 <= len(coalition) <= LARGEST
        and all(here.get(seat) for seat in coalition)
        and sum(here[seat] for seat in coalition) >= need
    )


def seated(coalition: Coalition, me: str, seats: Mapping[str, str]) -> tuple[str, ...]:
    """The seats of a coalition's parties, each once; a colour that nobody plays stays what it is."""
    return tuple(dict.fromkeys(me if party == ME else seats.get(party, f"?{party}") for party in coalition))


def proposal(
    ballot: Ballot, me: str, seats: Mapping[str, str], here: Mapping[str, int], need: int
) -> tuple[str, ...] | None:
    """The first coalition of the list that is valid when the election starts (M5)."""
    listed = (seated(coalition, me, seats) for coalition in ballot.propose)
    return next((coalition for coalition in listed if valid(coalition, here, need)), None)


def says_yes(ballot: Ballot, me: str, seats: Mapping[str, str], coalition: Sequence[str], political: int) -> bool:
    """A party's vote on somebody else's proposal (M6)."""
    wanted = set(coalition)
    if any(set(seated(one, me, seats)) == wanted for one in ballot.no):
        return False
    if any(set(seated(one, me, seats)) == wanted for one in ballot.yes):
        return True
    if ballot.policy in (ALL, NONE):
        return ballot.policy == ALL
    return me in wanted and share(political, len(wanted)) >= ballot.share
