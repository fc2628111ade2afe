"""The end: president, winner, quality of the victory (R56 to R59), and a match that was given up (8.9)."""

from dataclasses import replace

from league.core.standings import Standings, ranked
from league.games.europa import wars
from league.games.europa.events import Compared, FinalLevel, GivenUp, PlayerLeft, President, Won
from league.games.europa.state import END, State
from league.games.europa.world import World


def finish(world: World) -> None:
    """After the last election of the last epoch."""
    most = max(player.political for player in world.players.values())
    first = tuple(seat for seat in world.state.table if world.players[seat].political == most)
    points = world.board.president if len(first) == 1 else world.board.shared_president
    for seat in first:
        world.change(seat, victory=points)
    world.say(President(first, most, points))
    world.turn(phase=END, group=0, president=first)
    best = max((p.victory, p.political) for p in world.players.values())
    winners = tuple(s for s in world.state.table if (world.players[s].victory, world.players[s].political) == best)
    world.say(Won(winners, *best))
    _quality(world)


def _quality(world: World) -> None:
    level = wars.level(world)
    world.say(FinalLevel(level, world.board.quality(level)))
    joined = len(world.members)
    world.say(Compared(tuple((s, world.players[s].victory + joined - level) for s in world.state.table)))


def take_leave(world: World, left: tuple[str, ...]) -> bool:
    """Players who gave up; with one left, or none, the match is over (8.9)."""
    for seat in left:
        if seat in world.players and not world.players[seat].left:
            world.players[seat] = replace(world.players[seat], left=True)
            world.say(PlayerLeft(seat))
    world.turn(newcomers=tuple(seat for seat in world.state.newcomers if seat not in left))
    staying = [seat for seat, player in world.players.items() if not player.left]
    if not world.players or len(staying) > 1:
        return False
    world.turn(phase=END, group=0)
    for seat in staying:
        world.say(GivenUp(seat))
    _quality(world)
    return True


def score(state: State) -> Standings:
    """By victory points, then political points (R57); who alone stayed to the end has won (8.9)."""
    staying = [seat for seat, player in state.players.items() if not player.left]
    alone = staying if state.phase == END and not state.president and len(staying) == 1 else []
    second = {s: (s in alone, p.victory, p.political) for s, p in state.players.items()}
    return ranked({s: p.victory for s, p in state.players.items()}, {}, second)
