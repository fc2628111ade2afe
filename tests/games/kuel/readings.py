"""What the order reader makes of lines, as lines of text; kept in tests/golden/kuel-lines.txt."""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from league.games.kuel.reader import Reader, make_reader

CONFIG = Path(__file__).parents[3] / "config" / "kuel"
NAMES = {"anna": "Anna", "ben": "Ben Berg", "bella": "Bella Berg", "twin": "Twin", "twin2": "Twin", "tako": "Tako"}


@cache
def readers() -> tuple[Reader, Reader]:
    """One for a league without conditional and standing orders, one for a league with them."""
    board, keywords = (tomllib.loads((CONFIG / f"{name}.toml").read_text("utf-8")) for name in ("board", "keywords"))
    return make_reader(board, keywords), make_reader(board, keywords, conditions=True, standing=True)


def reading(text: str) -> Iterator[str]:
    """Orders, mistakes with all their facts, what was held for talk; with all options only where that differs."""
    plain, conditional = (list(_read(reader, text)) for reader in readers())
    yield from plain
    if conditional != plain:
        yield from (f"with all options: {line}" for line in conditional)


def _read(reader: Reader, text: str) -> Iterator[str]:
    read = reader.read(text, NAMES)
    for line in read.parsed.lines:
        if line.mistake is not None:
            facts = {key: _plain(value) for key, value in line.mistake.facts.items()}
            yield f"{line.mistake.reason} {line.mistake.rule} {json.dumps(facts, ensure_ascii=False)} of {line.text!r}"
        else:
            assert line.order is not None
            kept = "standing: " if line.standing else ""
            yield f"{kept}{line.order} = {reader.notation(line.order)!r} of {line.text!r}"
    for press in read.parsed.press:
        yield f"{press}"
    for prose in read.prose:
        yield f"talk {prose!r}"
    if read.parsed.replaces:
        yield "replaces"


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def parts(kept: str) -> dict[str, list[str]]:
    """The kept readings by text."""
    found: dict[str, list[str]] = {}
    for line in kept.splitlines():
        if line.startswith('"'):
            text = json.loads(line)
            found[text] = []
        else:
            found[text].append(line.removeprefix("  "))
    return found


def written(texts: list[str]) -> str:
    """The file of these texts."""
    rows = [row for text in texts for row in (json.dumps(text, ensure_ascii=False), *(f"  {r}" for r in reading(text)))]
    return "\n".join(rows) + "\n"
