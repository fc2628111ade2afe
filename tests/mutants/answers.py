"""What the mutants are held against, worked out once: every fork of the campaign inherits it."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from tests.games.kuel.account import sections
from tests.games.kuel.readings import parts
from tests.naive.kuel import Document, evaluate
from tests.naive.leagues import leagues, sure

TESTS = Path(__file__).parent.parent
LEAGUES, ROUNDS = 18, 3
BOTS = ("greedy", "lookahead", "random")


@cache
def cases() -> dict[str, Document]:
    """Every case, by the name of its file."""
    folder = TESTS / "cases" / "kuel"
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}


@cache
def accounts() -> dict[str, str]:
    """What the engine says of each case."""
    return sections((TESTS / "golden" / "kuel-cases.txt").read_text(encoding="utf-8"))


@cache
def plays() -> dict[str, list[str]]:
    """What bots play, by kind of bot."""
    return {bot: (TESTS / "golden" / f"kuel-{bot}.txt").read_text(encoding="utf-8").splitlines() for bot in BOTS}


@cache
def lines() -> dict[str, list[str]]:
    """What the reader makes of lines."""
    return parts((TESTS / "golden" / "kuel-lines.txt").read_text(encoding="utf-8"))


@cache
def tables() -> list[str]:
    """What boards come to."""
    return (TESTS / "golden" / "kuel-boards.txt").read_text(encoding="utf-8").splitlines()


@cache
def records() -> tuple[tuple[bytes, dict[str, Any]], ...]:
    """The rounds of the golden league, as bytes and read."""
    files = sorted((TESTS / "golden" / "kuel-1").glob("*.json"))[1:]
    return tuple((file.read_bytes(), json.loads(file.read_bytes())) for file in files)


@cache
def witnessed(seed: int) -> tuple[tuple[Document, Document], ...]:
    """Rounds of a random league, each with the witness's answer."""
    documents = leagues(seed, rounds=1 + seed % ROUNDS)
    return tuple((document, evaluate(document)) for document in documents if sure(document))
