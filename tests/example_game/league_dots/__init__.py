"""Dots: the smallest whole game, to be copied by whoever writes one."""

from typing import Any

from league.core.game import Game, Options, Plugin, Tables
from league_dots.meta import META


def load(tables: Tables, options: Options) -> Game[Any, Any]:
    """The game for a league's options."""
    from league_dots.game import Dots  # the meta is needed often, the rest seldom

    return Dots(tables, options)


PLUGIN = Plugin(api=1, meta=META, load=load, package="league_dots")
