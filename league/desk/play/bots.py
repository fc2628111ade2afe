"""Players that are programs: what a game's package brings of them, in its module `bots`.

A function `NAME_orders` there is the bot NAME; `OPTIONS` are those that a league of bots needs.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from league.core.errors import BadInput, Refused
from league.core.evidence import RandomSource
from league.core.game import Game, Value
from league.desk import registry

Bot = Callable[[Game[Any, Any], Any, str, RandomSource, str], str]  # game, state, seat, dice, language -> order lines
ENDING = "_orders"


def bots_of(slug: str) -> dict[str, Bot]:
    """The game's bots by name; `Refused` if it brings none."""
    module = _module(slug)
    found = {n.removesuffix(ENDING): getattr(module, n) for n in sorted(dir(module)) if n.endswith(ENDING)}
    if not found:
        raise Refused(f"the game '{slug}' brings no bots")
    return found


def bot(slug: str, name: str) -> Bot:
    """One of them; `BadInput` with the nearest name."""
    found = bots_of(slug)
    if name not in found:
        raise BadInput(f"no bot '{name}'{registry.nearest(name, found)}; there are {', '.join(found)}")
    return found[name]


def options_for_bots(slug: str) -> Mapping[str, Value]:
    """What bots need of a league's options."""
    needed: Mapping[str, Value] = getattr(_module(slug), "OPTIONS", {})
    return needed


def _module(slug: str) -> Any:
    name = f"{registry.plugin(slug).package}.bots"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise
