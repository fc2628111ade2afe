"""EUROPA 1945-2030: parties, elections and coalitions in four epochs (docs/games/europa.md)."""

from typing import Any

from league.core.game import Game, Options, Plugin, Tables
from league.games.europa.meta import META


def load(tables: Tables, options: Options) -> Game[Any, Any]:
    """The game for a league's options."""
    from league.games.europa.game import Europa  # the meta is needed often, the rest seldom

    return Europa(tables, options)


PLUGIN = Plugin(api=1, meta=META, load=load, package="league.games.europa")
