"""A board that a league brings itself: read and checked whole, then kept with the season.

It lies in the database, not in a file beside it: so it is stored in the transaction that opens the league, is in every
backup, and every machine that works for the site has it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from league.core.errors import BadInput
from league.core.game import Options
from league.desk import registry
from league.desk.documents import located, read_document
from league.reports.looks import geometry_faults, look_faults

BOARD, GEOMETRY = "board.toml", "geometry.json"
MOST_BYTES = 400_000


def read_board(path: Path, game: str, options: Options) -> dict[str, str]:
    """What a season's sources keep of the file and the geometry beside it; `BadInput` lists every fault, with lines."""
    text = _text(path)
    table = read_document(text, str(path))
    beside = path.parent / GEOMETRY
    geometry = _text(beside) if beside.is_file() else ""
    tiles = not geometry or options.get("topology") == "tiles"
    faults = [*_faults(table, text, str(path), game, options, tiles=tiles), *_drawn(geometry, str(beside), table)]
    if faults:
        raise BadInput("\n".join(faults))
    return {"toml": text, "geometry": geometry}


def keep_board(kept: Mapping[str, str], game: str, options: Options) -> dict[str, str]:
    """A board that an earlier season kept, once more under these options; nothing where there was none."""
    if not kept:
        return {}
    text, geometry = kept.get("toml", ""), kept.get("geometry", "")
    tiles = not geometry or options.get("topology") == "tiles"
    faults = _faults(read_document(text, BOARD), text, BOARD, game, options, tiles=tiles)
    if faults:
        raise BadInput("\n".join(faults))
    return {"toml": text, "geometry": geometry}


def load_board(path: Path, game: str) -> str:
    """The text of a board for playing without pages, checked by the rules alone."""
    text = _text(path)
    read_document(text, str(path))
    try:
        _rules(game, {}, text)
    except BadInput as error:
        raise located(error, text, str(path)) from error
    return text


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
        text = raw.decode()
    except OSError as error:
        raise BadInput(f"can't be read: {error.strerror}", str(path)) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"no UTF-8 text (byte {error.start})", str(path)) from error
    if not text.strip():
        raise BadInput("the file is empty", str(path))
    if len(raw) > MOST_BYTES:
        raise BadInput(f"{len(raw)} bytes are too many; {MOST_BYTES} are the most", str(path))
    return text


def _faults(table: Mapping[str, Any], text: str, name: str, game: str, options: Options, *, tiles: bool) -> list[str]:
    try:
        _rules(game, options, text)
    except BadInput as error:
        found = list(error.faults)
    else:
        found = []
    if isinstance(table.get("field"), list):
        found += [f for f in look_faults(table, tiles=tiles) if f.split()[0] not in {one.split()[0] for one in found}]
    return str(located(BadInput.several(found), text, name)).split("\n") if found else []


def _rules(game: str, options: Options, text: str) -> None:
    """The game itself says what is wrong with a board."""
    if "board" not in registry.tables(game):
        raise BadInput(f"the game '{game}' has no board that a league could replace")
    if text.lstrip().startswith("{"):
        raise BadInput("a board is a TOML file")
    registry.load(game, options, text)


def _drawn(text: str, name: str, board: Mapping[str, Any]) -> list[str]:
    if not text or not isinstance(board.get("field"), list):
        return []
    geometry = read_document(text, name)
    faults = list(geometry_faults(geometry, board))
    return str(located(BadInput.several(faults), text, name)).split("\n") if faults else []
