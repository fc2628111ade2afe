"""The order of execution of a round (K72), to be read from top to bottom."""

from collections.abc import Callable

from league.games.kuel import economy, joining, scoring
from league.games.kuel.moves import moves
from league.games.kuel.world import World

Step = Callable[[World], None]

BEFORE_MOVES: tuple[Step, ...] = (
    joining.retire,  # 0
    economy.drop_duties,
    economy.award_auctions,  # 1
    joining.admit_by_gift,  # 2
    joining.unused_gives,
)
MOVES: tuple[Step, ...] = (*BEFORE_MOVES, moves)  # 3
EVALUATION: tuple[Step, ...] = (
    economy.civil_war,  # 4
    economy.collapse,  # 5
    economy.reconstruct,  # 6
    scoring.award_points,  # 7
    economy.count_down,  # 8
    scoring.month_leader,  # 9
)
