"""KUEL: a weekly ladder on a map of Europe (docs/games/kuel.md)."""

from typing import Any

from league.core.game import Game, Options, Plugin, Tables
from league.games.kuel.meta import META


def load(tables: Tables, options: Options) -> Game[Any, Any]:
    """The game for a league's options."""
    from league.games.kuel.game import Kuel  # the meta is needed often, the rest seldom

    return Kuel(tables, options)


PLUGIN = Plugin(api=1, meta=META, load=load, package="league.games.kuel")
