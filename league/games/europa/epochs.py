"""The beginning of an epoch: the seats once, then turn order, pawns, election track and risks (R7 to R18, R46)."""

from league.games.europa import wars
from league.games.europa.board import DIVISOR, FIGURES
from league.games.europa.events import DiceRolled, EpochBegan, PawnsGiven, Seated, TooFew, TrackLaid, TurnOrder
from league.games.europa.meta import META
from league.games.europa.state import PEACE, PLACE1, Player
from league.games.europa.world import World, ranked_by_dice


def start(world: World) -> None:
    """The set-up, once at least three have come (R1 to R4, R9)."""
    fewest, most = META.seats
    came = world.state.newcomers
    if len(came) < fewest:
        world.say(TooFew(len(came)))
        return
    players, rest = came[:most], came[most:]
    political = world.board.start[len(players)]
    parties = dict(zip(players, world.board.party_ids, strict=False))
    table = world.shuffled(players, "seats")
    world.players = {seat: Player(parties[seat], political) for seat in table}
    world.turn(table=table, newcomers=rest)
    world.say(Seated(tuple((seat, parties[seat]) for seat in table), political))
    begin_epoch(world)


def begin_epoch(world: World) -> None:
    """A, B, C and the rolls of W; then the first phase in which somebody has to say something (R10)."""
    number = world.state.epoch + 1
    epoch = world.board.epochs[number - 1]
    new = tuple(country for overlay in epoch.overlays for country in world.board.overlays[overlay])
    if not epoch.overlays and number == 1:
        new = world.board.available(1)
    world.turn(epoch=number, group=0, track=(), phase=PLACE1)
    world.results = {}
    world.say(EpochBegan(number, epoch.years, epoch.overlays, new))
    _turn_order(world)
    _pawns(world)
    _track(world)
    if epoch.risks:
        wars.roll_risks(world)
        wars.tell_level(world)
        if wars.level(world):  # R46
            world.turn(phase=PEACE)
            return
    begin_placement(world)


def begin_placement(world: World) -> None:
    """D opens once war has taken its countries off the track (R55)."""
    world.turn(phase=PLACE1)
    wars.cancel_elections(world)


def _turn_order(world: World) -> None:
    first = world.state.epoch == 1
    order = _clockwise(world) if first else _by_strength(world)
    world.turn(order=tuple(order))
    world.say(TurnOrder(world.state.epoch, tuple(order), "R11" if first else "R12"))


def _clockwise(world: World) -> list[str]:
    """The highest die starts, the others follow clockwise; who is tied for highest rolls again (R11)."""
    table = world.state.table
    rolling, throw = list(table), 0
    while len(rolling) > 1:
        throw += 1
        dice = {seat: world.die(f"start/{seat}/{throw}") for seat in rolling}
        world.say(DiceRolled("start", throw, tuple(dice.items()), "R11"))
        rolling = [seat for seat in rolling if dice[seat] == max(dice.values())]
    at = table.index(rolling[0])
    return [*table[at:], *table[:at]]


def _by_strength(world: World) -> list[str]:
    """Descending political points; who is tied rolls (R12)."""
    order: list[str] = []
    for political in sorted({p.political for p in world.players.values()}, reverse=True):
        tied = [seat for seat in world.state.table if world.players[seat].political == political]
        order += ranked_by_dice(world, tied, "order", "R12")
    return order


def pawns_for(political: int) -> int:
    """A tenth of the political points, at most the figures of a party (R14)."""
    return min(political // DIVISOR, FIGURES)


def _pawns(world: World) -> None:
    for seat, player in list(world.players.items()):
        world.change(seat, pawns=pawns_for(player.political) - player.pawns)  # none are kept (R15)
    world.say(PawnsGiven(tuple((seat, world.players[seat].pawns) for seat in world.state.order)))


def _track(world: World) -> None:
    """The cards left over and the new ones, shuffled (R16, R17)."""
    cards = [c for c in world.board.available(world.state.epoch) if c not in world.members]
    track = world.shuffled(cards, "cards")
    world.turn(track=track)
    world.say(TrackLaid(track, "R16" if world.state.epoch == 1 else "R17"))
