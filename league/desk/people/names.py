"""What a player may be called: a name that a line of an order mail can't mistake for anything else."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from unicodedata import normalize

from league.core.game import Game
from league.desk.leagues.turns import rules_of, start_of
from league.desk.post.roster import command_words
from league.i18n import LANGS
from league.language.fold import clean, compact, fold, spellings
from league.storage.leagues import Place
from league.storage.rounds import Loaded

NAME_LENGTH = 40
SEAT_CODE, BENCH_CODE = re.compile(r"s\d+"), re.compile(r"b\d+")
EVERYBODY = frozenset({"all", "alle", "allen", "everyone", "everybody", "iedereen"})
BACK = frozenset({"back", "zurück", "zurueck", "zuruck", "terug"})  # `press back: …` answers a message
SIGNS = frozenset('#,:;<>[]|@"')
LAND: Final = "name_land"  # a country of the board is called so
WORD: Final = "name_word"  # a line that begins so is an order, a message or a command

Meant = Callable[[str], str]  # a name -> LAND, WORD or nothing


def is_one_line(name: str) -> bool:
    """Whether it can stand in a table."""
    return name == name.strip() and bool(name) and name.isprintable() and len(name) <= NAME_LENGTH


def unfit(name: str) -> str:
    """What keeps it from standing in a table."""
    if not name.strip():
        return "it is empty"
    if len(name) > NAME_LENGTH:
        return f"it has {len(name)} characters, {len(name) - NAME_LENGTH} too many"
    if name != name.strip():
        return "it begins or ends with a blank"
    return "it has signs that can't be printed, the end of a line say"


def name_fault(name: str, seats: Sequence[Place], own: str, meant: Meant) -> str:
    """The code of what is wrong with a name that a player chooses for the seat `own`; nothing if it is fine."""
    if not is_one_line(name) or means_else(name):
        return "name_bad"
    if other := meant(name):
        return other
    return "name_taken" if is_taken(name, seats, own) else ""


def is_taken(name: str, seats: Sequence[Place], own: str) -> bool:
    """Whether another seat bears the name in public; of whom else the organizer has invited a name tells nothing."""
    return folded(name) in {folded(seat.name) for seat in seats if seat.code != own}


def means_else(name: str) -> bool:
    """A seat's code, everybody, or what a line of a mail could be taken for."""
    strange = not name[0].isalnum() or bool(set(name) & SIGNS)
    return strange or folded(name) in EVERYBODY | BACK or SEAT_CODE.fullmatch(folded(name)) is not None


def folded(name: str) -> str:
    """Names that look alike are the same name."""
    return normalize("NFKC", name).casefold().strip()


def meant_by(loaded: Loaded) -> Meant:
    """What a name would mean beside a player, in a league's rules, on its own board."""
    game = rules_of(loaded)
    lands = frozenset(_lands(game, start_of(loaded, game)))

    def meant(name: str) -> str:
        if lands & set(_keys(name)):
            return LAND
        return WORD if _is_read(game, name) else ""

    return meant


def _lands(game: Game[Any, Any], state: Any) -> Iterator[str]:
    """What the board's countries are called, in every language: orders may be written in any."""
    shown = game.view(state, None, None).before
    for region in shown.regions if shown else ():
        for lang in LANGS:
            yield from _keys(game.label(region.id, lang))


def _keys(name: str) -> tuple[str, ...]:
    """However it may be typed: without accents, hyphens or blanks."""
    return tuple(compact(way) for way in spellings(fold(clean(name))))


def _is_read(game: Game[Any, Any], name: str) -> bool:
    """Whether the game or the league itself reads the name, alone in a line or before a colon, as something to do."""
    alone, before = game.parse(None, "", name), game.parse(None, "", f"{name}: x\nend")
    if alone.orders or alone.ends_standing or alone.final or before.orders or before.press:
        return True
    words = fold(clean(name)).split()
    head = command_words().head(words)
    return head is not None and head[1] == len(words)
