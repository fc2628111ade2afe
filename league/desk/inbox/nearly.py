"""The organizer's lines that are nearly commands: they are answered, for nothing of them is done."""

from collections.abc import Collection

from league.language.commands import CommandWords
from league.language.fold import fold
from league.language.steering import Steered, Steering

UNCLEAR = "command_unclear"
LONGEST = 12  # words; more are a sentence


def nearly(text: str, asked: Steered, words: CommandWords, leagues: Collection[str]) -> tuple[Steering, ...]:
    """Lines whose first word is no command and that name a league behind it, or are one slip from a command."""
    bodies = "\n".join(str(line.facts.get("text", "")) for line in asked.lines).splitlines()
    known = {line.text.strip() for line in asked.lines} | {row.strip() for row in bodies}
    rows = dict.fromkeys(row.strip() for row in text.splitlines())
    return tuple(
        Steering(row, "", problem=UNCLEAR)
        for row in rows
        if row and row not in known and not row.startswith(">") and _is_near(row, words, leagues)
    )


def _is_near(row: str, words: CommandWords, leagues: Collection[str]) -> bool:
    plain = [fold(part).strip("\"'*_!?.,;:()") for part in row.split()]
    if not 2 <= len(plain) <= LONGEST or words.head(plain) is not None:
        return False
    return plain[1] in leagues and bool(words.near(plain[:1]) or len(plain) > 2)
