"""`league.toml` as text with comments, and its JSON Schema."""

from dataclasses import Field
from operator import attrgetter
from typing import Any

from league.core.json import Json, JsonDict
from league.settings.tables import FILE, LISTS, TABLES, Settings, header, keys, literal

JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}


def defaults_toml() -> str:
    """A `league.toml` that says what is meant without it, with what each key is for."""
    return as_toml(Settings())


def as_toml(settings: Settings) -> str:
    """A commented `league.toml` with these values."""
    parts = ["# Settings of this site. Everything here has a default; docs/config.md says more.\n"]
    for table in TABLES:
        values = attrgetter(table)(settings)
        if table in LISTS and not values:
            parts.append(f"\n# {header(table)}: any number of them; docs/config.md has their keys.\n")
        for one in values if table in LISTS else (values,):
            parts += [f"\n{header(table)}\n", *_lines(table, one)]
    return "".join(parts)


def _lines(table: str, values: Any) -> list[str]:
    return [f"# {key.metadata['about']}\n{key.name} = {literal(getattr(values, key.name))}\n" for key in keys(table)]


def schema() -> JsonDict:
    """The JSON Schema of `league.toml`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FILE,
        "type": "object",
        "additionalProperties": False,
        "properties": {table: _table_schema(table) for table in TABLES if "." not in table},
    }


def _table_schema(table: str) -> JsonDict:
    own: JsonDict = {key.name: _key_schema(key) for key in keys(table)}
    inner = {name.removeprefix(f"{table}."): _table_schema(name) for name in TABLES if name.startswith(f"{table}.")}
    needed: list[Json] = [key.name for key in keys(table) if key.metadata["required"]]
    found: JsonDict = {"type": "object", "additionalProperties": False, "properties": {**own, **inner}}
    if table not in LISTS:
        return found
    return {"type": "array", "items": {**found, "required": needed}}


def _key_schema(key: Field[Any]) -> JsonDict:
    listed = isinstance(key.default, tuple)
    default: Any = key.default
    return {
        "type": "array" if listed else JSON_TYPES[type(key.default)],
        **({"items": {"type": "string"}} if listed else {}),
        "default": list(default) if listed else default,
        "description": key.metadata["about"],
        **key.metadata["schema"],
    }
