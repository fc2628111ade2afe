"""TOML and JSON files that people write, with every fault told by file and line."""

import json
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from league.core import toml_lines
from league.core.errors import BadInput

PATH = re.compile(r"^[a-z_]+(?:\[\d+\]|\.[^\s.:\[\]]+)*")
PARTS = re.compile(r"[^.\[\]]+")


def read_document(text: str, name: str) -> dict[str, Any]:
    """The table in a file's text; JSON if it begins like an object, else TOML. Fractions are `Decimal`."""
    is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    try:
        found = json.loads(text, parse_float=Decimal) if is_json else tomllib.loads(text, parse_float=Decimal)
    except json.JSONDecodeError as error:
        raise BadInput(f"no valid JSON: {error.msg}, column {error.colno}", f"{name}:{error.lineno}") from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"no valid TOML: {error}", f"{name}:{toml_lines.syntax_line(text, error)}") from error
    except RecursionError as error:
        raise BadInput("nested too deeply", name) from error
    if not isinstance(found, dict):
        raise BadInput("a table is needed at the top", name)
    return found


def located(error: BadInput, text: str, name: str) -> BadInput:
    """The same fault with file and line; of several each on a line of its own."""
    lines = [f"{name}:{_line(text, fault)}: {fault}" for fault in error.faults]
    return BadInput("\n".join(lines))


def _line(text: str, fault: str) -> int:
    """The line of what a fault begins with ("position.players.Anna.score is …"), else of what holds it."""
    found = PATH.match(fault)
    parts = PARTS.findall(found.group()) if found else []
    path: list[str | int] = [int(part) if part.isdecimal() else part for part in parts]
    is_json = text.lstrip().startswith("{")
    while path:
        line = _json_line(text, path) if is_json else toml_lines.locate(text, tuple(path))
        if line is not None:
            return line
        path.pop()
    return 1 if is_json else toml_lines.locate(text, ("position",)) or 1


def _json_line(text: str, path: list[str | int]) -> int | None:
    """The line on which the path's last key stands, looked for behind the keys before it."""
    start = 0
    for part in path:
        if isinstance(part, str):
            found = re.compile(rf'"{re.escape(part)}"\s*:').search(text, start)
            if found is None:
                return None
            start = found.end()
    return text.count("\n", 0, start) + 1


def plain(value: Any) -> Any:
    """A document's values as JSON takes them."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int | bool | None) else str(value)
