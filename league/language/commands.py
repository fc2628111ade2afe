"""Commands: lines of a mail by which a player asks for something that is no order (`status`, `language nl`).

A command is a whole line that begins with one of its forms and goes on as that command allows; everything else is
left to the game. A line that is nearly a command is a mistake with a suggestion and is never carried out.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from league.core.errors import BadInput
from league.core.json import Json
from league.core.orders import NO_FACTS, Mistake
from league.language.fold import clean, fold, spellings
from league.language.lines import STRUCK, BadPress, Written, split, undecorated
from league.language.words import Keywords, is_one_slip, read_keywords, shorter

# Nothing may stand behind these.
_BARE: Final = ("status", "help", "report", "reports_off", "reports_on", "back", "accept", "decline")
UNSUBSCRIBE: Final = "reports_off"  # the only one that a subject may hold
_LONGEST: Final = 12  # words; a longer line is prose
_FEW: Final = 4  # words behind a form that is not understood: with more it is prose
_LEAST_SLIP: Final = 5  # letters; shorter forms are near too many words
_LONGEST_FORM: Final = 30
_SHOWN: Final = 80
_LONGEST_ROW: Final = 300  # letters
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[.-](\d{1,2})[.-](\d{4})")
_BETWEEN = re.compile(r"-{3,}")
_RULE = re.compile(r"[A-Za-z]{0,2}\d{1,3}")


@dataclass(frozen=True, slots=True)
class Command:
    """What is asked for, with what the line says of it."""

    id: str
    facts: Mapping[str, Json] = field(default=NO_FACTS)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A line of a mail that is a command, or nearly one: then `mistake` says what is wrong with it."""

    text: str
    command: Command | None = None
    mistake: Mistake | None = None


@dataclass(frozen=True, slots=True)
class CommandWords:
    """The forms of all commands, folded, and the small words; made once by `read_commands`."""

    forms: Mapping[tuple[str, ...], str]
    languages: Mapping[str, str]
    keywords: Keywords
    longest: int
    slips: Mapping[str, tuple[str, ...]]  # a form with one letter left out -> forms

    def head(self, words: Sequence[str]) -> tuple[str, int] | None:
        """The command whose longest form begins these words, and how many words it has."""
        for count in range(min(self.longest, len(words)), 0, -1):
            found = self.forms.get(tuple(words[:count]))
            if found is not None:
                return found, count
        return None

    def near(self, words: Sequence[str]) -> tuple[str, ...]:
        """The commands whose form is one slip of the pen from the line's beginning."""
        found: list[str] = []
        for count in range(min(self.longest, len(words)), 0, -1):
            written = " ".join(words[:count])
            if not _LEAST_SLIP - 1 <= len(written) <= _LONGEST_FORM:
                continue
            ways = dict.fromkeys((written, *shorter(written)))
            for form in dict.fromkeys(form for way in ways for form in self.slips.get(way, ())):
                command = self.forms[tuple(form.split())]
                if is_one_slip(written, form) and (len(words) == count or command not in _BARE):
                    found.append(command)
        return tuple(dict.fromkeys(found))


def read_commands(table: Mapping[str, Any]) -> CommandWords:
    """The words of `commands.toml`; a form that stands for two commands is an error."""
    forms: dict[tuple[str, ...], str] = {}
    for command, by_language in table["commands"].items():
        for form in (way for several in by_language.values() for way in several):
            for way in _ways(form):
                key = tuple(way.split())
                if forms.setdefault(key, command) != command:
                    raise BadInput(f"the command {form!r} stands for {forms[key]} and for {command}")
    languages = {way: lang for lang, names in table["languages"].items() for name in names for way in _ways(name)}
    return CommandWords(forms, languages, read_keywords(table), max(map(len, forms)), _slips(forms))


def _slips(forms: Iterable[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    table: dict[str, list[str]] = {}
    for form in map(" ".join, forms):
        if len(form) >= _LEAST_SLIP:
            for way in dict.fromkeys((form, *shorter(form))):
                table.setdefault(way, []).append(form)
    return {way: tuple(found) for way, found in table.items()}


def _ways(form: str) -> tuple[str, ...]:
    folded = fold(form)
    return tuple(dict.fromkeys((folded, *spellings(folded))))


def peel(text: str, words: CommandWords, is_order: Callable[[str], bool]) -> tuple[str, tuple[CommandLine, ...]]:
    """A mail's fresh text without its commands, for the game to read, and the commands in the order written."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[CommandLine] = []
    after = 0
    for part in split(text, words.keywords, looks=lambda bare: is_order(bare) or is_command(bare, words)):
        if isinstance(part, BadPress) and _holds_command(part, rows, words):
            found += _held(part, rows, lambda bare: is_order(bare) or is_command(bare, words))
            after = part.after
            rows[part.row : after] = [""] * (after - part.row)
        if not isinstance(part, Written) or part.row < after or part.box == STRUCK:
            continue
        line = read_line(part.bare, words)
        if line is None or (line.command is None and is_order(part.bare)):
            continue
        after = part.row + 1
        if line.command is not None and _has_list(part.bare):
            after = _end(rows, after, words)
            texts = _lists(rows[part.row + 1 : after], words)
            line = CommandLine(part.text, Command(line.command.id, {**line.command.facts, "texts": texts}))
        found.append(line)
        rows[part.row : after] = [""] * (after - part.row)
    return "\n".join(rows), tuple(found)


def _holds_command(part: BadPress, rows: Sequence[str], words: CommandWords) -> bool:
    """Whether a press without `end` was stopped by a command: the game, which knows none, must not pass it on."""
    held = rows[part.row + 1 : part.after] if part.reason == "press_holds_order" else ()
    return any(is_command(row, words) for row in held) and not _ends(held[-1], words)


def _held(part: BadPress, rows: Sequence[str], speaks: Callable[[str], bool]) -> list[CommandLine]:
    """The press and what it holds, each told; neither counts."""
    lines = [(row, undecorated(clean(row))) for row in rows[part.row + 1 : part.after]]
    inside = [CommandLine(clean(row), mistake=Mistake("command_in_press")) for row, bare in lines if speaks(bare)]
    return [CommandLine(part.text, mistake=Mistake("unclear_press")), *inside]


def read_line(bare: str, words: CommandWords) -> CommandLine | None:
    """The line as a command or nearly one; None for whatever is the game's."""
    plain = _plain(bare, words)
    if not plain or len(plain) > _LONGEST:
        return None
    head = words.head(plain)
    if head is None:
        near = words.near(plain)
        return CommandLine(bare, mistake=Mistake("unknown_command", facts={"suggestions": near})) if near else None
    command, count = head
    read = _Rest(command, tuple(plain[count:]), _written(bare, count, words), words).read()
    if isinstance(read, Mistake) and len(plain) - count > _FEW and command != "absent":
        return None
    if read is None:
        return None
    return CommandLine(bare, command=read) if isinstance(read, Command) else CommandLine(bare, mistake=read)


def is_command(line: str, words: CommandWords) -> bool:
    """Whether a line is a command, for whoever must not lose one and for whoever must not send one."""
    if words.head(_plain(undecorated(clean(line[:_LONGEST_ROW])), words)) is None:  # asked of every line of every mail
        return False
    parts = split(line, words.keywords)
    if len(parts) != 1 or not isinstance(parts[0], Written):
        return False
    read = read_line(parts[0].bare, words)
    return read is not None and read.command is not None


def _plain(bare: str, words: CommandWords) -> list[str]:
    """Folded words without the signs that end a sentence and the courtesies around it."""
    found = [word for word in (part.strip("\"'*_!?.,;()") for part in fold(bare).replace(":", " : ").split()) if word]
    filler = words.keywords.role("filler")
    while found and found[0] in filler:
        found.pop(0)
    while found and found[-1] in filler:
        found.pop()
    return found


def _written(bare: str, count: int, words: CommandWords) -> str:
    """What stands behind the form, as it was written."""
    parts = bare.replace(":", " : ").split()
    while parts and fold(parts[0]).strip("\"'*_!?.,;()") in words.keywords.role("filler"):
        parts.pop(0)
    return " ".join(part for part in parts[count:] if part != ":").strip(" \"'")


def _has_list(bare: str) -> bool:
    return bare.rstrip().endswith(":")


def _end(rows: Sequence[str], row: int, words: CommandWords) -> int:
    """The row behind a prepared list: behind its `end`, else behind the mail's last line."""
    for place in range(row, len(rows)):
        if _ends(rows[place], words):
            return place + 1
    return len(rows)


def _ends(row: str, words: CommandWords) -> bool:
    return fold(row).strip(" .!-*_\"'") in words.keywords.role("end")


def _lists(rows: Sequence[str], words: CommandWords) -> list[Json]:
    """The orders of each round in turn; between two rounds `next round` or a line of hyphens."""
    parts: list[list[str]] = [[]]
    for row in rows:
        if _BETWEEN.fullmatch(row.strip()) or _is_next(row, words):
            parts.append([])
        elif not _ends(row, words):
            parts[-1].append(row)
    return ["\n".join(part).strip() for part in parts]


def _is_next(row: str, words: CommandWords) -> bool:
    said = words.keywords.plain(words.keywords.words(row[:_SHOWN]))
    small = words.keywords.role("next") | words.keywords.role("round")
    return bool(said) and said[0] in words.keywords.role("next") and all(word in small for word in said)


@dataclass(frozen=True, slots=True)
class _Rest:
    """What stands behind a command's form: folded words, and the same as written."""

    command: str
    plain: tuple[str, ...]
    written: str
    words: CommandWords

    def read(self) -> Command | Mistake | None:
        """The command, what is wrong with it, or None for prose that only begins like one."""
        if self.command in _BARE:
            return Command(self.command) if not self.plain else None
        given = tuple(word for word in self.plain if word != ":")
        match self.command:
            case "language":
                return self._language(given)
            case "rules":
                return self._rule(given)
            case "absent":
                return self._absent(given)
            case "resign":
                return self._resign(given)
        return self._text(given)

    def _wrong(self, reason: str, **facts: Json) -> Mistake:
        return Mistake(reason, facts={"command": self.command, "written": self.written[:_SHOWN], **facts})

    def _language(self, given: tuple[str, ...]) -> Command | Mistake:
        lang = self.words.languages.get(given[0]) if len(given) == 1 else None
        return Command("language", {"lang": lang}) if lang else self._wrong("unknown_language")

    def _rule(self, given: tuple[str, ...]) -> Command | Mistake:
        if not given:
            return Command("rules", {"rule": ""})
        if len(given) == 1 and _RULE.fullmatch(given[0]):
            return Command("rules", {"rule": given[0].upper()})
        return self._wrong("unknown_rule")

    def _resign(self, given: tuple[str, ...]) -> Command | None:
        return Command("resign", {"code": given[0] if given else ""}) if len(given) < 2 else None

    def _text(self, given: tuple[str, ...]) -> Command | Mistake:
        key = "zone" if self.command == "zone" else "name"
        return Command(self.command, {key: self.written}) if given else self._wrong(f"missing_{key}")

    def _absent(self, given: tuple[str, ...]) -> Command | Mistake:
        """`from 12 until 14`, rounds or days; without `from` it begins with the open round."""
        roles = self.words.keywords
        rest = [word for word in given if word not in roles.role("round") and word not in roles.role("pass")]
        first = self._bound(rest, roles.role("from")) if rest and rest[0] in roles.role("from") else ""
        last = self._bound(rest, roles.role("until")) if rest and rest[0] in roles.role("until") else None
        if first is None or last is None or rest:
            return self._wrong("absence_unclear")
        return Command("absent", {"first": first, "last": last, "texts": []})

    def _bound(self, rest: list[str], role: frozenset[str]) -> str | None:
        """The round or day behind a small word; both are taken off the list."""
        del rest[0]
        while rest and rest[0] in ("en", "met", *role):  # tot en met
            del rest[0]
        if not rest:
            return None
        written = rest.pop(0)
        if written.isdecimal() and written.isascii() and len(written) < len("1000"):
            return written
        day = _DAY.fullmatch(written)
        if day is None:
            return None
        year, month, number = (day[1], day[2], day[3]) if day[1] else (day[6], day[5], day[4])
        return f"{year}-{int(month):02}-{int(number):02}"
