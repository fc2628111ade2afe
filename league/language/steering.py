"""What the organizer writes by mail: a line a command, its form first, then the league's short name."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from league.core.json import Json
from league.core.orders import NO_FACTS
from league.language.commands import CommandWords
from league.language.fold import fold
from league.language.lines import Written, split

_SHARED: Final = ("result", "enter", "why")  # forms that a player's line may begin with as well
_LONGEST: Final = 20  # words


@dataclass(frozen=True, slots=True)
class Steering:
    """A line of the organizer's: `problem` is the code of why it can't be carried out as written."""

    text: str
    id: str
    league: str = ""
    facts: Mapping[str, Json] = field(default=NO_FACTS)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Steered:
    """A mail of the organizer's: its commands in the order written, and the reason given for all of them."""

    lines: tuple[Steering, ...]
    why: str = ""


def read_steering(text: str, words: CommandWords, leagues: Collection[str]) -> Steered:
    """The commands in a mail's fresh text; a line that names no league of this site may be a player's own order."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[Steering] = []
    why, after = "", 0
    for part in split(text, words.keywords, looks=lambda bare: _head(bare, words) is not None):
        if not isinstance(part, Written) or part.row < after:
            continue
        parts = _parts(part.bare)
        head = _head(part.bare, words)
        if head is None:
            continue
        name, count = head
        rest = parts[count:]
        if name == "why":
            why = " ".join(rest).lstrip(": ")
        elif rest and rest[0].casefold() in leagues:
            end = _end(rows, part.row + 1, words) if name == "enter" and parts[-1] == ":" else part.row + 1
            body = "\n".join(row for row in rows[part.row + 1 : end] if not _is_end(row, words))
            found.append(_read(part.text, name, rest[0].casefold(), rest[1:], body, words))
            after = end
        elif name not in _SHARED:
            found.append(Steering(part.text, name, problem="unknown_league"))
    return Steered(tuple(found), why)


def _parts(bare: str) -> list[str]:
    return bare.replace(":", " : ").split()


def _head(bare: str, words: CommandWords) -> tuple[str, int] | None:
    parts = _parts(bare)
    plain = [fold(one).strip("\"'*_!?.,;()") for one in parts]
    return words.head(plain) if len(parts) <= _LONGEST or plain[1:2] == [":"] else None


def _end(rows: Sequence[str], row: int, words: CommandWords) -> int:
    return next((place + 1 for place in range(row, len(rows)) if _is_end(rows[place], words)), len(rows))


def _is_end(row: str, words: CommandWords) -> bool:
    return fold(row).strip(" .!-*_\"'") in words.keywords.role("end")


def _read(text: str, name: str, league: str, rest: Sequence[str], body: str, words: CommandWords) -> Steering:
    role = words.keywords.role
    match name:
        case "extend":
            if len(rest) == 2 and rest[0].isdecimal() and fold(rest[1]) in role("hours"):
                return Steering(text, name, league, {"hours": int(rest[0])})
            if rest and fold(rest[0]) in role("until") and len(rest) > 1:
                return Steering(text, name, league, {"until": " ".join(rest[1:]).replace(" : ", ":")})
            return Steering(text, name, league, problem="extend_unclear")
        case "hold":
            hours = [word for word in rest if fold(word) not in role("hours")]
            if not hours:
                return Steering(text, name, league, {"hours": 0})
            if len(hours) == 1 and hours[0].isdecimal():
                return Steering(text, name, league, {"hours": int(hours[0])})
            return Steering(text, name, league, problem="hold_unclear")
        case "result":
            return _result(text, league, rest, words)
        case "enter":
            who = " ".join(word for word in rest if word != ":")
            problem = "" if who and body.strip() else "enter_unclear"
            return Steering(text, name, league, {"name": who, "text": body}, problem)
    return Steering(text, name, league, problem="" if not rest else "release_unclear")


def _result(text: str, league: str, rest: Sequence[str], words: CommandWords) -> Steering:
    """`Paris winner Anna`, with `2` behind it for a rematch."""
    place = next((n for n, word in enumerate(rest) if fold(word) in words.keywords.role("winner")), 0)
    who, attempt = list(rest[place + 1 :]), 0
    if len(who) > 1 and who[-1] in ("1", "2"):
        attempt = int(who.pop())
    if not place or not who:
        return Steering(text, "result", league, problem="result_unclear")
    facts: dict[str, Json] = {"country": " ".join(rest[:place]), "winner": " ".join(who), "attempt": attempt}
    return Steering(text, "result", league, facts)
