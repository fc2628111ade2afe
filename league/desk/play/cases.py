"""Adjudication cases: an `adjudicate` document with what is expected of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from league.core.errors import BadInput
from league.desk import registry
from league.desk.documents import located, read_document
from league.desk.play.adjudicate import adjudicate_document


@dataclass(frozen=True, slots=True)
class Tried:
    """A case that was run: what differs from what it expects, a line each."""

    path: str
    title: str
    differences: tuple[str, ...]
    broken: bool = False  # no case at all: a file that can't be read as one


def find_cases(paths: Sequence[Path]) -> list[Path]:
    """The case files named, and those in the folders named, in order."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.suffix in {".toml", ".json"})
        elif path.exists():
            found.append(path)
        else:
            raise BadInput("no such file or folder", str(path))
    if not found:
        raise BadInput("there is no case in it", ", ".join(map(str, paths)))
    return found


def run_cases(game: str, paths: Sequence[Path]) -> Iterator[Tried]:
    """Each case after the other; a file that is no case differs from what is expected of one."""
    registry.plugin(game)
    for path in paths:
        try:
            text = _text(path)
            yield _run(game, read_document(text, str(path)), text, str(path))
        except BadInput as error:
            yield Tried(str(path), "", tuple(str(error).splitlines()), broken=True)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("this is not UTF-8", str(path)) from error
    except OSError as error:
        raise BadInput(error.strerror or "can't be read", str(path)) from error


def _run(game: str, document: Mapping[str, Any], text: str, name: str) -> Tried:
    expect = document.get("expect")
    if not isinstance(expect, Mapping):
        raise BadInput("there is no [expect] table: what should come out?", f"{name}:1")
    title = str(document.get("title", ""))
    try:
        actual = adjudicate_document(document, game=game)
    except BadInput as error:
        if "error" not in expect:
            raise located(error, text, name) from error
        return Tried(name, title, tuple(_refusal(error.message, str(expect["error"]))))
    return Tried(name, title, tuple(compare(actual, expect)))


def _refusal(message: str, wanted: str) -> list[str]:
    """A case may expect that its file is refused: `expect.error` is a part of the message."""
    return [] if wanted in message else [f"error: expected {wanted!r}, got {message!r}"]


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
