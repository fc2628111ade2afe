"""Why something that a stranger wrote can't be read, in words for who never saw the program; and JSON read strictly."""

from collections.abc import Sequence
from json import JSONDecodeError, loads
from typing import Any

from league.core.errors import BadInput

MOST = 80


def in_words(error: Exception) -> str:
    """What is wrong with what was read."""
    match error:
        case RecursionError():
            return "it nests deeper than anything that this program writes"
        case JSONDecodeError():
            return f"it is no JSON from line {error.lineno}, column {error.colno} on"
        case UnicodeDecodeError():
            return "it isn't text in UTF-8"
        case KeyError():
            return f"{str(error)[:MOST]} is missing"
        case IndexError():
            return "a list is shorter than it has to be"
        case ZeroDivisionError() | OverflowError():
            return "a number is out of all bounds"
        case AttributeError() | TypeError():
            return "a value is of another kind than belongs there, as a list for a table or nothing for a text"
        case _:
            return f"a value isn't one that belongs there: {str(error)[:MOST]}"


def doubled(content: bytes) -> str:
    """The first key that an object in this JSON has twice, which readers take differently; empty where none has."""
    found: list[str] = []

    def pairs(items: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) != len(items):
            found.append(next(key for place, (key, _) in enumerate(items) if key in dict(items[:place])))
        return made

    try:
        loads(content, object_pairs_hook=pairs)
    except RecursionError as error:
        raise BadInput(in_words(error)) from error
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(in_words(error)) from error
    return found[0][:MOST] if found else ""
