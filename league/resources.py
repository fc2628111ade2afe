"""Where the files that come with the program lie: in the wheel, or in the checkout beside the package."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from league.core.errors import BadInput, Broken


def bundled(name: str) -> Traversable:
    """The folder `templates` or `config`."""
    here = files("league")
    inside = here / "_bundled" / name
    if inside.is_dir():
        return inside
    beside = Path(str(here)).parent / name
    if beside.is_dir():
        return beside
    message = f"The folder {name!r} of the program is missing; install it again."
    raise Broken(message)


def of_game(package: str, name: str) -> Traversable:
    """That folder of one game: what a plug-in's package brings itself, else ours of the package's last name."""
    own = files(package) / name
    return own if own.is_dir() else bundled(name) / package.rpartition(".")[2]


@contextmanager
def on_disk(folder: Traversable) -> Iterator[Path]:
    """The folder as a path, for libraries that want one."""
    with as_file(folder) as path:
        yield path


def tables(package: str) -> dict[str, dict[str, Any]]:
    """Every `config/<game>/*.toml` of a game, parsed, by file name without ending; fractions are `Decimal`."""
    folder = of_game(package, "config")
    if not folder.is_dir():
        return {}
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): _parsed(file) for file in found}


@cache
def commands() -> dict[str, Any]:
    """The words of what can be asked for by mail, which are the same in every game."""
    return _parsed(bundled("config") / "commands.toml")


@cache
def exonyms() -> dict[str, Any]:
    """What countries are called in languages that no order is written in, the same for every game."""
    return _parsed(bundled("config") / "exonyms.toml")


@cache
def talk() -> dict[str, Any]:
    """Small words of talk around orders, for games that have none of their own."""
    return _parsed(bundled("config") / "talk.toml")


def _parsed(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(str(error), str(file)) from error
