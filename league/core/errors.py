"""Every exception of the project.

    LeagueError
    ├── BadInput           what somebody wrote is wrong: a file, an option, a command; says where and what is right
    │   └── BadPosition    a position that breaks an invariant; carries every fault
    ├── Refused            well-formed, but not now: a person has to decide or wait
    └── Broken             stored data or the program itself is wrong

Expected trouble inside a round is a value (`Mistake`, `Verdict`, `Fate`, `pending`), never an exception.
Only `league.cli` turns one of these into a message and an exit code.
"""

from collections.abc import Sequence
from typing import Self

from league.core.json import Json, JsonDict


class LeagueError(Exception):
    """Trouble that can be told to a person in one message.

    One that can reach a person by mail also has a `code` with its facts, so that it is told in that person's language.
    """

    code = ""
    facts: JsonDict = {}  # noqa: RUF012  # never changed, only replaced by `named`

    def named(self, code: str, **facts: Json) -> Self:
        """The same, with what a catalog needs to word it."""
        self.code, self.facts = code, facts
        return self


class BadInput(LeagueError):
    """Something a person wrote can't be used. `where` is "file" or "file:line"; `faults` is all that is wrong."""

    def __init__(self, message: str, where: str = "", faults: Sequence[str] = ()) -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where
        self.faults = tuple(faults) or (message,)

    @classmethod
    def several(cls, faults: Sequence[str], where: str = "") -> "BadInput":
        """Many faults told at once."""
        return cls("; ".join(faults), where, faults)


class BadPosition(BadInput):
    """A position that no game could have reached; `faults` lists all that is wrong with it."""

    def __init__(self, faults: Sequence[str], where: str = "") -> None:
        super().__init__("; ".join(faults), where, faults)


class Refused(LeagueError):
    """The request is understood and can't be granted now; the message says what would have to be done first."""


class Broken(LeagueError):
    """Stored data contradicts itself, or a program error was caught at the border of a job."""
