"""Steps 7 and 9: points for what each player owns at the end (K60 to K62, K70), and the month's leader (K80)."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from league.games.kuel.draws import friday_of
from league.games.kuel.economy import friday
from league.games.kuel.events import MonthLeader, PenaltyWaived, Points
from league.games.kuel.meta import META
from league.games.kuel.score import gains, german3, penalties
from league.games.kuel.world import World

WEEK = timedelta(days=7)


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


def month_leader(world: World) -> None:
    """Step 9: in the last round that ends in a calendar month, who leads it (K80)."""
    day = _last_day(world)
    if day is None:
        return
    following = world.turn.next_ends or day + WEEK  # not a week later where the league makes a pause
    if (following.year, following.month) == (day.year, day.month):
        return
    gained = world.options["award"] == "gained"
    if gained and not world.scores:
        world.month_start = {}
    if not world.scores:
        return
    points = {s: total - (world.month_start.get(s, 0) if gained else 0) for s, total in world.scores.items()}
    most = max(points.values())
    leaders = tuple(sorted(seat for seat, total in points.items() if total == most))
    world.say(MonthLeader(f"{day:%Y-%m}", leaders, most))
    if gained:
        world.month_start = dict(world.scores)


def _last_day(world: World) -> date | None:
    """The Saturday with which the evaluation ends: as told, else by the figures, else by the deadline (K10)."""
    if world.turn.ends is not None:
        return world.turn.ends
    known = friday(world.turn)
    if known is None and world.turn.window is not None:
        known = friday_of(world.turn.window.deadline.astimezone(ZoneInfo(META.zone)).date())
    return known + timedelta(days=1) if known else None
