"""A row of another site's file, believed in nothing: values are of their columns' types, and fit for both databases."""

import json
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Date, Integer, LargeBinary, String, Table
from sqlmodel.sql.sqltypes import AutoString

from league.core.errors import BadInput
from league.storage.league_rows import Values
from league.storage.types import UtcDateTime

LONGEST = 64 << 20  # bytes of a line: a mail with all its attachments
MOST = 2**31 - 1  # of a whole number, and of rows
DEPTH = 60  # of JSON within a column
LINES = frozenset({f"outbox.{name}" for name in ("message_id", "recipient", "kind", "domain")})
LISTS = frozenset({"texts", "lines", "holds", "recipients"})  # columns of JSON lists; all others are objects


def read_rows(path: Path, table: Table) -> Iterator[Values]:
    """The rows in a table's file, each checked against its columns."""
    with path.open("rb") as file:
        for number in range(1, MOST):
            line = file.readline(LONGEST + 1)
            if not line:
                return
            if len(line) > LONGEST:
                raise BadInput(f"a line has more than {LONGEST >> 20} MB", f"{path.name}:{number}")
            yield _row(line, table, f"{path.name}:{number}")


def _row(line: bytes, table: Table, where: str) -> Values:
    try:
        told = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"it isn't a row as JSON ({str(error)[:80]})", where) from error
    if not isinstance(told, dict):
        raise BadInput("it isn't a row: an object is needed", where)
    if unknown := sorted(told.keys() - {column.name for column in table.columns}):
        raise BadInput(f"{table.name} has no column {unknown[0][:40]!r}", where)
    return {column.name: _value(column, told, where) for column in table.columns}


def _no_number(written: str) -> None:
    raise ValueError(f"{written} is no number")


def _value(column: Column[Any], told: Mapping[str, Any], where: str) -> Any:
    name = column.name
    if name not in told:
        return _default(column, where)
    value = told[name]
    if value is None and (column.nullable or (column.primary_key and column.type.python_type is str)):
        return None
    for kind, read in READERS:
        if isinstance(column.type, kind):
            try:
                if str(column) in LINES:
                    return _one_line(value)
                return _list(value) if name in LISTS else read(value)
            except (ValueError, TypeError, NotBase64, OverflowError, RecursionError) as error:
                shown, why = repr(value)[:60], _why(error)
                raise BadInput(f"{name} is {shown}, which can't stand there ({why})", where) from error
    raise BadInput(f"{name} can't be read", where)


def _why(error: Exception) -> str:
    if isinstance(error, OverflowError):
        return "it lies beyond every calendar"
    return str(error)[:80]


def _default(column: Column[Any], where: str) -> Any:
    """What an older version of the program didn't know of: the value that its rows got in the migration."""
    if column.nullable:
        return None
    written = getattr(column.server_default, "arg", None)
    if written is None:
        raise BadInput(f"{column.name} is missing", where)
    text = str(getattr(written, "text", written)).strip("'")
    if isinstance(column.type, Boolean):
        return text in ("1", "true")
    return int(text) if isinstance(column.type, Integer) else text


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("text is needed")
    if "\0" in value:
        raise ValueError("there is a NUL in it")
    value.encode()
    return value


def _one_line(value: Any) -> str:
    """What goes into a header of a mail or a line of a protocol."""
    if not _text(value).isprintable():
        raise ValueError("it must be one line, without control characters")
    return str(value)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -MOST <= value <= MOST:
        raise TypeError("a whole number is needed")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("true or false is needed")
    return value


def _bytes(value: Any) -> bytes:
    return b64decode(_text(value), validate=True)


def _moment(value: Any) -> datetime:
    read = datetime.fromisoformat(_text(value))
    if read.tzinfo is None:
        raise ValueError("it names no zone")
    return read.astimezone(UTC)


def _day(value: Any) -> date:
    return date.fromisoformat(_text(value))


def _object(value: Any) -> Any:
    if not isinstance(value, dict):
        raise TypeError("an object is needed")
    _sound(value, DEPTH)
    return value


def _list(value: Any) -> Any:
    if not isinstance(value, list):
        raise TypeError("a list is needed")
    _sound(value, DEPTH)
    return value


def _sound(value: Any, depth: int) -> None:
    """Nothing that a database refuses: no NUL, no half of a sign, nothing nested without end."""
    if depth == 0:
        raise ValueError("it is nested too deeply")
    if isinstance(value, str):
        _text(value)
    for inner in value.items() if isinstance(value, dict) else value if isinstance(value, list) else ():
        for one in inner if isinstance(value, dict) else (inner,):
            _sound(one, depth - 1)


READERS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (Boolean, _truth),
    (Integer, _whole),
    (UtcDateTime, _moment),
    (Date, _day),
    (JSON, _object),
    (LargeBinary, _bytes),
    (String, _text),
    (AutoString, _text),
)
