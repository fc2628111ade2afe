"""`league.toml` as text with comments, and its JSON Schema."""

from dataclasses import Field
from operator import attrgetter
from typing import Any

from league.core.json import JsonDict
from league.settings.tables import FILE, TABLES, Settings, keys, literal

JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}


def defaults_toml() -> str:
    """A `league.toml` that says what is meant without it, with what each key is for."""
    return as_toml(Settings())


def as_toml(settings: Settings) -> str:
    """A commented `league.toml` with these values."""
    parts = ["# Settings of this site. Everything here has a default; docs/config.md says more.\n"]
    for table in TABLES:
        values = attrgetter(table)(settings)
        parts.append(f"\n[{table}]\n")
        parts += [
            f"# {key.metadata['about']}\n{key.name} = {literal(getattr(values, key.name))}\n" for key in keys(table)
        ]
    return "".join(parts)


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
    return {"type": "object", "additionalProperties": False, "properties": {**own, **inner}}


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
