"""A round that was closed before its deadline: only where the season allows it, and everybody had said so."""

from league.desk.leagues.finals import ALLOWED, OPTION, says_final
from league.desk.leagues.recompute import game_of
from league.records.audit import ORDERS, Body, Found
from league.records.sealed import is_sealed


def early_faults(body: Body, board: str) -> Found:
    """What doesn't bear out that a round could close early; whether orders are final is seen once they are open."""
    if body["freeze"].get("early") is not True:
        return
    if body["rules"]["options"].get(OPTION) != ALLOWED:
        yield "freeze.early", "rounds of this league don't close before their deadline"
    if is_sealed(body) or body["version"] != 1:  # a correction may make another phase of it, which asks others
        return
    game = game_of(body, board)
    phase = game.phase(game.restore(body["start"]))
    asked = {ask.seat for ask in phase.asks} - set(body["left"]) if phase is not None else set()
    if not asked:
        yield "freeze.early", "it was closed before its deadline, and nobody was asked for anything"
    last = {row["seat"]: row for row in body["orders"] if row.get("phase", ORDERS) == ORDERS and row["orders"]}
    for seat in sorted(asked):
        lines = [{"order": order} for order in last[seat]["orders"]] if seat in last else []
        if not says_final(game, lines, asked):
            yield "freeze.early", f"it was closed before its deadline, and {seat} hadn't said that its orders are final"
