"""Who was heard from with orders in an open round: a mail of which no line counts is none.

Where a mail replaces the one before it as a whole (KUEL: K12), an order mail counts as it is. Where lines count one by
one, a mail may hold only what this phase doesn't ask for: its player would be left out of the reminders and be silent.
"""

from league.desk.leagues.orderbook import to_mails
from league.desk.leagues.presence import counted
from league.desk.leagues.turns import rules_of, start_of
from league.storage.orders import ORDERS
from league.storage.rounds import Loaded


def heard(table: Loaded) -> set[int]:
    """The seats with orders of which something counts."""
    own = [s for s in counted(table) if s.phase == ORDERS]
    wrote = {s.seat_id for s in own if s.replaces}
    game = rules_of(table)
    if not wrote or not game.meta.by_line or table.position is None:
        return wrote
    state = start_of(table, game)
    found = set()
    for seat in wrote:
        mails = to_mails(game, state, [s for s in own if s.seat_id == seat], table.seats)
        lines = [
            ruling is None and line.order is not None
            for mail, rulings in zip(mails, game.counts(state, mails), strict=True)
            for line, ruling in zip(mail.parsed.lines, rulings, strict=True)
        ]
        found |= {seat} if any(lines) else set()
    return found
