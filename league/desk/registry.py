"""The games that are installed (entry point group `league.games`) and their options."""

import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from league import resources
from league.core.errors import BadInput
from league.core.game import Game, Meta, Option, Options, Plugin, Tables, Value
from league.records.canonical import digest

API = 1
GROUP = "league.games"


@lru_cache
def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def slugs() -> tuple[str, ...]:
    """The installed games' names."""
    return tuple(_found())


@lru_cache
def one_by_one() -> tuple[str, ...]:
    """Those whose rounds open with the report of the one before."""
    return tuple(slug for slug in slugs() if plugin(slug).meta.one_by_one)


@lru_cache
def plugin(slug: str) -> Plugin:
    """The game's plug-in; `BadInput` with the nearest name if there is none, or if it speaks another protocol."""
    if slug not in _found():
        raise BadInput(f"no game '{slug}' is installed{nearest(slug, _found())}; there are {', '.join(_found())}")
    loaded = _found()[slug].load()
    if not isinstance(loaded, Plugin) or loaded.api != API:
        spoken = getattr(loaded, "api", "none")
        raise BadInput(
            f"the game '{slug}' speaks plug-in protocol {spoken}; this program speaks {API}: update one of them"
        )
    return loaded


@lru_cache
def _load(slug: str, options: tuple[tuple[str, Value], ...], board: str = "") -> Game[Any, Any]:
    own = {"board": tomllib.loads(board, parse_float=Decimal)} if board else {}
    shared: Tables = {"exonyms": _Exonyms(), "talk": resources.talk()}
    return plugin(slug).load({**shared, **tables(slug), **own}, dict(options))


@lru_cache
def tables(slug: str) -> Mapping[str, Mapping[str, Any]]:
    """The game's own tables, by file; read once, since that takes as long as all the rest of a round."""
    return resources.tables(plugin(slug).package)


class _Exonyms(Mapping[str, Any]):
    """A table that is read when somebody asks it: few mails need it."""

    def __getitem__(self, key: str) -> Any:
        return resources.exonyms()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(resources.exonyms())

    def __len__(self) -> int:
        return len(resources.exonyms())


def load(slug: str, options: Options, board: str = "") -> Game[Any, Any]:
    """The game with a league's options filled in; `board` is the text of a board.toml that stands for the game's own.

    Loaded once for each set of options and board.
    """
    return _load(slug, tuple(sorted(options.items())), board)


def board_of(sources: Mapping[str, Any]) -> str:
    """The text of the season's own board; empty where the game's serves."""
    return str(sources.get("board", {}).get("toml", ""))


@lru_cache
def tables_sha256(slug: str, board: str = "") -> str:
    """What names the game's tables in records: SHA-256 over the canonical JSON of [file, SHA-256] pairs.

    A league's own board counts as the file board.toml.
    """
    folder = resources.of_game(plugin(slug).package, "config")
    texts = {f.name: f.read_bytes() for f in folder.iterdir() if f.name.endswith(".toml")}
    if board:
        texts["board.toml"] = board.encode()
    return digest([[name, sha256(texts[name]).hexdigest()] for name in sorted(texts)])


def nearest(word: str, known: Mapping[str, Any]) -> str:
    """End of a message: the nearest known word, or nothing."""
    near = get_close_matches(word, list(known), 1)
    return f"; nearest is '{near[0]}'" if near else ""


def filled(meta: Meta, options: Mapping[str, Any]) -> dict[str, Value]:
    """A running league's options; what the game didn't have yet when the league began has its default."""
    return {o.name: options.get(o.name, o.default) for o in meta.options}


def check_options(meta: Meta, given: Mapping[str, Any], where: str = "options") -> dict[str, Value]:
    """A league's options with preset and defaults filled in; `BadInput` lists every fault with the nearest key."""
    faults: list[str] = []
    written = dict(given)
    options: dict[str, Value] = {o.name: o.default for o in meta.options}
    preset = written.pop("preset", None)
    if preset is not None and preset not in meta.presets:
        faults.append(f"{where}.preset is '{preset}'; there are {', '.join(meta.presets)}")
    options.update(meta.presets.get(str(preset), {}))
    known = {o.name: o for o in meta.options}
    for name, value in written.items():
        if name not in known:
            faults.append(f"{where}: no option '{name}'{nearest(name, known)}")
        else:
            options[name] = _value(known[name], value, f"{where}.{name}", faults)
    if faults:
        raise BadInput.several(faults)
    return options


def _value(option: Option, written: Any, where: str, faults: list[str]) -> Value:
    if option.choices:
        if written not in option.choices:
            faults.append(f"{where} is '{written}'; {option.rule} allows {' or '.join(option.choices)}")
        return str(written)
    text = str(written)
    number = int(text) if text.isascii() and text.isdigit() and not isinstance(written, bool) else -1
    if not option.low <= number <= option.high:
        faults.append(
            f"{where} is {written!r}; a whole number from {option.low} to {option.high} is needed ({option.rule})"
        )
    return number
