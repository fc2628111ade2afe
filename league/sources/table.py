"""Any provider with a table by URL, CSV or JSON, as the site describes it: which column is the day, which the value."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from league.sources.answer import Reading, Role, Source, Unanswered, Why
from league.sources.numbers import LEAST_INDEX, balls, plain
from league.sources.web import as_json, get, text
from league.sources.yahoo import settled


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is read. `url` may hold {day}, {year}, {month}, {dd}; `path` leads to the rows of a JSON answer."""

    name: str
    figure: str
    url: str
    kind: str = "csv"  # csv or json
    day: str = "date"
    value: str = "close"
    day_form: str = "%Y-%m-%d"
    number_form: str = "en"  # en: 15,229.10; de: 15.229,10
    separator: str = ","
    path: str = ""
    role: Role = Role.VENDOR


def source(layout: Layout) -> Source:
    """The provider; it is of its own family."""

    def read(day: date, now: datetime) -> Reading:
        url = layout.url.replace("{day}", day.isoformat()).replace("{year}", f"{day:%Y}")
        body = get(url.replace("{month}", f"{day:%m}").replace("{dd}", f"{day:%d}"), now)
        found = dict(_rows(layout, body))
        if layout.figure == "dax_close":
            if not found:
                raise Unanswered(Why.STRANGE, f"{layout.name} sent no day at all; that is an error, not a holiday")
            closes = {d: plain(v, form=layout.number_form, least=LEAST_INDEX) for d, v in found.items()}
            return settled(layout.name, closes, day, now)
        if day not in found:
            raise Unanswered(Why.NOT_YET, f"nothing of {day} yet; the newest is of {max(found, default='no day')}")
        return Reading(layout.name, layout.figure, day, _value(layout, found[day]), now)

    return Source(layout.name, layout.figure, layout.role, layout.name, read, f"{layout.figure}, {layout.name}")


def _value(layout: Layout, written: object) -> str:
    if layout.figure.startswith("lotto"):
        parts = written if isinstance(written, list) else str(written).replace(";", " ").replace(",", " ").split()
        numbers = balls(list(parts))
        return numbers if layout.figure == "lotto" else " ".join(map(str, sorted(map(int, numbers.split()))))
    return plain(written, form=layout.number_form)


def _rows(layout: Layout, body: bytes) -> Iterator[tuple[date, Any]]:
    """Day and value of each row; rows without a value are left out, a row without a day is an error."""
    for row in _json_rows(layout, body) if layout.kind == "json" else _csv_rows(layout, body):
        if layout.day not in row or layout.value not in row:
            raise Unanswered(Why.STRANGE, f"{layout.name} has no column '{layout.day}' or '{layout.value}'")
        written = row[layout.value]
        if written in (None, "", "N/A", "null"):
            continue
        yield _day(layout, row[layout.day]), written


def _csv_rows(layout: Layout, body: bytes) -> Iterator[dict[str, Any]]:
    yield from csv.DictReader(text(body, layout.name).splitlines(), delimiter=layout.separator)


def _json_rows(layout: Layout, body: bytes) -> Iterator[dict[str, Any]]:
    found = as_json(body, layout.name)
    for key in filter(None, layout.path.split(".")):
        found = found.get(key) if isinstance(found, dict) else None
    if not isinstance(found, list):
        raise Unanswered(Why.STRANGE, f"{layout.name} has no list of rows at '{layout.path}'")
    yield from (row for row in found if isinstance(row, dict))


def _day(layout: Layout, written: object) -> date:
    try:
        return datetime.strptime(str(written).strip(), layout.day_form).date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        raise Unanswered(
            Why.STRANGE, f"{layout.name} wrote a day '{str(written)[:30]}' not as {layout.day_form}"
        ) from None
