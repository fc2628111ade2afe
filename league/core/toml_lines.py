"""On which line of a TOML text a key stands: the parser of the standard library does not tell.

The text must have parsed; then a scan for strings, brackets and keys is enough and nothing has to be checked twice.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\[\s\S]|[^\\])*?"{3,5}'  # up to two quotes may stand before the closing three
    r"|'''[\s\S]*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE = re.compile(r"[^,\]}\n#]+")


def locate(text: str, path: Path) -> int | None:
    """The line, from 1, of a key or table; a number in the path is a place in a list. None if it isn't there."""
    return key_lines(text).get(path)


def nearest(text: str, path: Path) -> int:
    """The line of the path, or of the innermost thing around it that has one."""
    lines = key_lines(text)
    return next((lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in lines), 1)


def syntax_line(text: str, error: tomllib.TOMLDecodeError) -> int:
    """The line that the parser's message names."""
    named = re.search(r"at line (\d+)", str(error))
    return int(named[1]) if named else text.rstrip().count("\n") + 1


def key_lines(text: str) -> dict[Path, int]:
    """Every key, table and list item of the text with its line; of a table opened in pieces the first."""
    scan = _Scan(text)
    scan.document()
    return scan.found


@dataclass(slots=True)
class _Scan:
    text: str
    at: int = 0
    found: dict[Path, int] = field(default_factory=dict)
    repeated: dict[Path, int] = field(default_factory=dict)  # [[tables]], and how many so far

    def document(self) -> None:
        table: Path = ()
        self.blank()
        while self.at < len(self.text):
            if self.peek() == "[":
                table = self.header()
            else:
                self.pair(table)
            self.blank()

    def header(self) -> Path:
        line, brackets = self.line(), 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        path: Path = ()
        for part in self.key():
            path = (*self.inside(path), part)
            self.found.setdefault(path, line)
        self.blank()
        self.at += brackets
        if brackets == 2:
            self.repeated[path] = self.repeated.get(path, 0) + 1
        path = self.inside(path)
        self.found.setdefault(path, line)
        return path

    def inside(self, path: Path) -> Path:
        """A header names the last of the repeated tables that it goes through."""
        return (*path, self.repeated[path] - 1) if path in self.repeated else path

    def pair(self, table: Path) -> None:
        line, path = self.line(), table
        for part in self.key():
            path = (*path, part)
            self.found.setdefault(path, line)
        self.blank()
        self.at += 1  # the equals sign
        self.blank()
        self.value(path)

    def key(self) -> Iterator[str]:
        while True:
            self.blank()
            match = _STRING.match(self.text, self.at) or _BARE_KEY.match(self.text, self.at)
            if match is None:
                message = "not a TOML text"
                raise ValueError(message)
            self.at = match.end()
            yield _unquoted(match[0])
            self.blank()
            if self.peek() != ".":
                return
            self.at += 1

    def value(self, path: Path) -> None:
        if self.peek() == "[":
            self.items(path)
        elif self.peek() == "{":
            self.inline(path)
        elif match := _STRING.match(self.text, self.at) or _BARE_VALUE.match(self.text, self.at):
            self.at = match.end()
        else:
            message = "not a TOML text"
            raise ValueError(message)

    def items(self, path: Path) -> None:
        index = 0
        while self.opens("]"):
            self.found[*path, index] = self.line()
            self.value((*path, index))
            index += 1

    def inline(self, path: Path) -> None:
        while self.opens("}"):
            self.pair(path)

    def opens(self, closing: str) -> bool:
        """Past the bracket or comma: is there a further item? If not, the end is passed too."""
        self.blank()
        if self.peek() in ("[", "{", ","):
            self.at += 1
            self.blank()
        if self.peek() != closing:
            return True
        self.at += 1
        return False

    def blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1


def _unquoted(part: str) -> str:
    return str(tomllib.loads(f"key = {part}")["key"]) if part[0] in "\"'" else part
