"""Step 7: points for what each player owns at the end (K60 to K62, K70)."""

from league.games.kuel.events import PenaltyWaived, Points
from league.games.kuel.score import gains, german3, penalties
from league.games.kuel.world import World


def award_points(world: World) -> None:
    """Every player's items, each an event of its own."""
    for seat in sorted(world.scores):
        mask = world.mask(seat)
        protected = german3(world.board, mask)
        for item in gains(world.board, mask):
            world.scores[seat] += item.points
            world.say(Points(seat, item.id, item.points, item.rule))
        for item in penalties(world.board, mask):
            if protected:
                world.say(PenaltyWaived(seat, item.id, item.points))
            else:
                world.scores[seat] += item.points
                world.say(Points(seat, item.id, item.points, item.rule))
