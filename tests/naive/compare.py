"""What an outcome differs in from what a case expects: the witness's own comparer."""

from typing import Any


def differences(actual: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    """Tables key by key, lists item by item and in length; what `expect` doesn't name isn't compared."""
    found = different(actual, {key: value for key, value in expect.items() if key != "absent"}, "outcome")
    for path in expect.get("absent", []):
        if (there := look_up(actual, path)) is not None:
            found.append(f"{path} is {there!r}, but must be absent")
    return found


def different(actual: Any, expect: Any, where: str) -> list[str]:
    """Every difference below one place."""
    if isinstance(expect, dict):
        found = []
        for key, value in expect.items():
            missing = not isinstance(actual, dict) or key not in actual
            found += [f"{where}.{key} is missing"] if missing else different(actual[key], value, f"{where}.{key}")
        return found
    if isinstance(expect, list):
        if not isinstance(actual, list) or len(actual) != len(expect):
            return [f"{where} is {actual!r}, expected {expect!r}"]
        return [line for n, value in enumerate(expect) for line in different(actual[n], value, f"{where}.{n}")]
    if actual == expect and isinstance(actual, bool) == isinstance(expect, bool):
        return []
    return [f"{where} is {actual!r}, expected {expect!r}"]


def look_up(thing: Any, path: str) -> Any:
    """What lies at a dotted path, None for nothing."""
    for key in path.split("."):
        if isinstance(thing, list):
            thing = thing[int(key)] if int(key) < len(thing) else None
        else:
            thing = thing.get(key) if isinstance(thing, dict) else None
    return thing
