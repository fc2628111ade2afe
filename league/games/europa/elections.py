"""E: elections, one after the other in track order (R23 to R39)."""

from collections.abc import Mapping, Sequence

from league.core.orders import Fate, Ruling
from league.games.europa import coalitions
from league.games.europa.book import Book, Slot
from league.games.europa.coalitions import SILENT
from league.games.europa.events import ElectionOpened, Joined, NationalistsWon, PawnMoved, Proposed, Shared, Voted
from league.games.europa.orders import Ballot
from league.games.europa.state import NATIONALISTS, WON, group_of
from league.games.europa.world import World

WHY = {"too_few": "R25", "no_coalition": "R26", "no_proposal": "R32", "no_majority": "R32"}


def vote(world: World, book: Book) -> dict[Slot, Ruling]:
    """A voting group: every election of it, with the ballots of those who have pawns there (8.1)."""
    group = group_of(world.state, int(world.options["elections_per_mail"]))
    used: set[Slot] = set()
    for country in group:
        ballots: dict[str, Ballot] = {}
        for seat in world.pawns.get(country, {}):
            found = book.last(seat, "election", country) or book.last(seat, "election")
            if found is not None and isinstance(found.order, Ballot):
                ballots[seat] = found.order
                used.add(found.slot)
        hold(world, country, ballots)
    return _fates(book, used)


def _fates(book: Book, used: set[Slot]) -> dict[Slot, Ruling]:
    done, unused = Ruling(Fate.DONE, "voted", "M6"), Ruling(Fate.LAPSED, "not_present", "R27")
    return {
        entry.slot: done if entry.slot in used else unused
        for keys in book.entries.values()
        for (keyword, _), entries in keys.items()
        if keyword == "election"
        for entry in entries
    }


def hold_rest(world: World) -> None:
    """Nobody has pawns ahead: the nationalists win whatever is left (8.1, R25)."""
    for country in world.ahead:
        hold(world, country, {})


def hold(world: World, country: str, ballots: Mapping[str, Ballot]) -> None:
    """One election; who sends no ballot has that of M11."""
    here = {seat: world.pawns[country][seat] for seat in world.strongest(world.pawns.get(country, {}))}
    need, present = world.need(country), sum(here.values())
    world.say(ElectionOpened(country, world.number(country), need, tuple(here.items()), present))
    if present < need:
        lose(world, country, "too_few")
    elif not coalitions.possible(here, need):
        lose(world, country, "no_coalition")
    else:
        _negotiate(world, country, here, need, ballots)


def _negotiate(world: World, country: str, here: Mapping[str, int], need: int, ballots: Mapping[str, Ballot]) -> None:
    seats = world.state.seats
    proposals = []
    for seat in here:  # strongest first (R28)
        found = coalitions.proposal(ballots.get(seat, SILENT), seat, seats, here, need)
        if found is not None:
            proposals.append((seat, tuple(s for s in world.state.table if s in found)))
            world.say(Proposed(country, *proposals[-1]))
    if not proposals:
        lose(world, country, "no_proposal")
        return
    for seat, coalition in proposals:
        if _ballot(world, country, here, seat, coalition, ballots):
            win(world, country, coalition, ballots)
            return
    lose(world, country, "no_majority")


def _ballot(
    world: World,
    country: str,
    here: Mapping[str, int],
    proposer: str,
    coalition: Sequence[str],
    ballots: Mapping[str, Ballot],
) -> bool:
    """Everybody present votes; carried with more than half of the pawns and without a member's no (R29, R30)."""
    seats, political = world.state.seats, world.board.by_id[country].political
    yes = [
        seat
        for seat in here
        if seat == proposer or coalitions.says_yes(ballots.get(seat, SILENT), seat, seats, coalition, political)
    ]
    no = [seat for seat in here if seat not in yes]
    pawns, total = sum(here[seat] for seat in yes), sum(here.values())
    carried = 2 * pawns > total and not set(no) & set(coalition)
    world.say(Voted(country, proposer, tuple(coalition), tuple(yes), tuple(no), pawns, total, carried))
    return carried


def win(world: World, country: str, coalition: Sequence[str], ballots: Mapping[str, Ballot]) -> None:
    """The country joins: points for each partner, then a pawn each may move on (R33 to R36)."""
    before = world.strongest(coalition)  # PP before the award (R36)
    each = coalitions.share(world.board.by_id[country].political, len(coalition))
    world.say(Joined(country, world.number(country), tuple(coalition)))
    world.results[country] = WON
    world.members.add(country)
    world.markers.pop(country, None)  # R33, A13
    for seat in before:
        world.change(seat, political=each, victory=1)  # R34
        world.say(Shared(country, seat, each, 1))
    for seat in before:
        target = _target(world, country, ballots.get(seat, SILENT))
        if target is not None:
            world.put(target, seat, 1)
            world.say(PawnMoved(seat, country, target))
    world.pawns.pop(country, None)


def _target(world: World, country: str, ballot: Ballot) -> str | None:
    """Where a partner's pawn goes: the first listed legal country (M7), or where M11 sends it."""
    legal = targets(world, country)
    if ballot.move is not None:
        return next((wanted for wanted in ballot.move if wanted in legal), None)
    value = world.board.by_id
    return max(legal, key=lambda c: value[c].political, default=None)  # of equals the earliest election


def targets(world: World, country: str) -> list[str]:
    """Countries to which a pawn may move, in track order: neighbours that vote later in this epoch (R36, A4)."""
    links = world.board.links
    near = set(links[country])
    if world.options["move_scope"] == "eu_border":
        near = {other for member in world.members for other in links[member]}
    return [other for other in world.ahead if other in near]


def lose(world: World, country: str, why: str) -> None:
    """The nationalists win: pawns are gone, and the card comes again in the next epoch (R37)."""
    world.results[country] = NATIONALISTS
    world.pawns.pop(country, None)
    world.say(NationalistsWon(country, world.number(country), why, WHY[why]))
