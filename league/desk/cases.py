"""Adjudication cases: an `adjudicate` document with what is expected of it."""

from collections.abc import Mapping, Sequence
from typing import Any


def compare(actual: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    """What differs, a line each: tables key by key, lists item by item and in length; `absent` must not be there."""
    wanted = {key: value for key, value in expect.items() if key != "absent"}
    return [*_differences(actual, wanted, ""), *_present(actual, expect.get("absent", []))]


def _differences(actual: Any, expect: Any, path: str) -> list[str]:
    if isinstance(expect, Mapping):
        if not isinstance(actual, Mapping):
            return [f"{path}: expected a table, got {actual!r}"]
        found = []
        for key, value in expect.items():
            here = f"{path}.{key}" if path else str(key)
            if key in actual:
                found += _differences(actual[key], value, here)
            else:
                found.append(f"{here}: expected {value!r}, it is not there")
        return found
    if isinstance(expect, Sequence) and not isinstance(expect, str):
        if not isinstance(actual, Sequence) or isinstance(actual, str) or len(actual) != len(expect):
            return [f"{path}: expected {list(expect)!r}, got {actual!r}"]
        pairs = enumerate(zip(actual, expect, strict=True))
        return [line for i, (a, e) in pairs for line in _differences(a, e, f"{path}[{i}]")]
    same = actual == expect and isinstance(actual, bool) == isinstance(expect, bool)
    return [] if same else [f"{path}: expected {expect!r}, got {actual!r}"]


def _inside(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, Sequence) and not isinstance(value, str) and key.isdigit() and int(key) < len(value):
        return value[int(key)]
    return None


def _present(actual: Mapping[str, Any], paths: Sequence[str]) -> list[str]:
    found = []
    for path in paths:
        value: Any = actual
        for key in path.split("."):
            value = _inside(value, key)
        if value is not None:
            found.append(f"{path}: expected nothing there, got {value!r}")
    return found
